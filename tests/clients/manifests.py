"""The files that the stories of writes.txt use."""
WEB = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "nginx:1.26"}]}
"""
ALONE = """
apiVersion: v1
kind: Pod
metadata: {name: alone}
spec:
  nodeName: n1
  containers: [{name: app, image: nginx, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, emptyDir: {}}]
"""
KEPT = """
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: kept}
spec:
  replicas: 3
  selector: {matchLabels: {app: kept}}
  template: {metadata: {labels: {app: kept}}, spec: {containers: [{name: app, image: nginx}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: app, image: nginx}]}}
"""
MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: %s}
data: {a: b}
"""
FILES = {
    "web.yaml": WEB, "changed.yaml": WEB.replace("1.26", "1.27").replace("replicas: 2", "replicas: 3"), "unknown.yaml": WEB.replace("replicas", "replicaz"),
    "invalid.yaml": WEB.replace("matchLabels: {app: web}", "matchLabels: {app: nope}").replace("name: web,", "name: wrong,"),
    "alone.yaml": ALONE, "drained.yaml": ALONE + KEPT, "two.yaml": MAP % "one" + "---" + MAP % "two",
    "stale.yaml": (MAP % "one").replace("name: one", 'name: one, resourceVersion: "1"'), "generated.yaml": (MAP % "gen-").replace("name:", "generateName:"),
    "nokind.yaml": "apiVersion: v1\nmetadata: {name: a}\n", "notyaml.yaml": "a: [b\n",
    "foreign.yaml": "apiVersion: nope.example/v1\nkind: Nope\nmetadata: {name: a}\n", "web.conf": "port = 80\n", "web.env": "MODE=fast\nCOLOUR=blue\n",
}
