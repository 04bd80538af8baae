"""The RBAC objects that every cluster has: roles for people and for everybody (plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go)."""
GROUP = "rbac.authorization.k8s.io"
READ = ("get", "list", "watch")
WRITE = ("create", "delete", "deletecollection", "patch", "update")
ALL = (*READ, *WRITE)
LABELS = {"kubernetes.io/bootstrapping": "rbac-defaults"}
AUTOUPDATE = {"rbac.authorization.kubernetes.io/autoupdate": "true"}

# (API group, resources) that people work with in a namespace
VISIBLE = (
    ("", ("configmaps", "endpoints", "persistentvolumeclaims", "persistentvolumeclaims/status", "pods", "replicationcontrollers",
          "replicationcontrollers/scale", "serviceaccounts", "services", "services/status")),
    ("", ("bindings", "events", "limitranges", "namespaces/status", "pods/log", "pods/status", "replicationcontrollers/status", "resourcequotas",
          "resourcequotas/status")),
    ("", ("namespaces",)),
    ("discovery.k8s.io", ("endpointslices",)),
    ("apps", ("controllerrevisions", "daemonsets", "daemonsets/status", "deployments", "deployments/scale", "deployments/status", "replicasets",
              "replicasets/scale", "replicasets/status", "statefulsets", "statefulsets/scale", "statefulsets/status")),
    ("autoscaling", ("horizontalpodautoscalers", "horizontalpodautoscalers/status")),
    ("batch", ("cronjobs", "cronjobs/status", "jobs", "jobs/status")),
    ("policy", ("poddisruptionbudgets", "poddisruptionbudgets/status")),
    ("networking.k8s.io", ("ingresses", "ingresses/status", "networkpolicies")),
)
CHANGEABLE = (
    ("", ("configmaps", "events", "persistentvolumeclaims", "pods", "replicationcontrollers", "replicationcontrollers/scale", "secrets", "serviceaccounts",
          "services")),
    ("apps", ("daemonsets", "deployments", "deployments/rollback", "deployments/scale", "replicasets", "replicasets/scale", "statefulsets",
              "statefulsets/scale")),
    ("autoscaling", ("horizontalpodautoscalers",)),
    ("batch", ("cronjobs", "jobs")),
    ("policy", ("poddisruptionbudgets",)),
    ("networking.k8s.io", ("ingresses", "networkpolicies")),
    ("coordination.k8s.io", ("leases",)),
)
CONNECTIONS = ("pods/attach", "pods/exec", "pods/portforward", "pods/proxy")


def _rule(group, resources, verbs):
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}


def _paths(*paths):
    return {"nonResourceURLs": list(paths), "verbs": ["get"]}


VIEW = [_rule(group, resources, READ) for group, resources in VISIBLE]
EDIT = [_rule("", (*CONNECTIONS, "secrets", "services/proxy"), READ), _rule("", ("serviceaccounts",), ("impersonate",)),
        _rule("", ("pods", *CONNECTIONS), WRITE), _rule("", ("pods/eviction",), ("create",)),
        *(_rule(group, resources, WRITE) for group, resources in CHANGEABLE), _rule("", ("serviceaccounts/token",), ("create",)), *VIEW]
ADMIN = [*EDIT, _rule("authorization.k8s.io", ("localsubjectaccessreviews",), ("create",)), _rule(GROUP, ("rolebindings", "roles"), ALL)]
DISCOVERY = ("/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version", "/version/")
ISSUER = ("/.well-known/openid-configuration", "/.well-known/openid-configuration/", "/.well-known", "/.well-known/*", "/openid/v1/jwks", "/openid/v1/jwks/")
PUBLIC = ("/healthz", "/livez", "/readyz", "/version", "/version/")

ROLES = {
    "cluster-admin": [_rule("*", ("*",), ("*",)), {"nonResourceURLs": ["*"], "verbs": ["*"]}],
    "admin": ADMIN,
    "edit": EDIT,
    "view": VIEW,
    "system:basic-user": [_rule("authorization.k8s.io", ("selfsubjectaccessreviews", "selfsubjectrulesreviews"), ("create",)),
                          _rule("authentication.k8s.io", ("selfsubjectreviews",), ("create",))],
    "system:discovery": [_paths(*DISCOVERY)],
    "system:public-info-viewer": [_paths(*PUBLIC)],
    "system:service-account-issuer-discovery": [_paths(*ISSUER)],
}
BINDINGS = {
    "cluster-admin": ("system:masters",),
    "system:basic-user": ("system:authenticated",),
    "system:discovery": ("system:authenticated",),
    "system:public-info-viewer": ("system:authenticated", "system:unauthenticated"),
    "system:service-account-issuer-discovery": ("system:serviceaccounts",),
}


def objects():
    """(qualified resource, namespace, body) of every role and binding."""
    for name, rules in ROLES.items():
        yield f"clusterroles.{GROUP}", "", {"kind": "ClusterRole", "apiVersion": f"{GROUP}/v1", "metadata": _metadata(name), "rules": rules}
    for name, groups in BINDINGS.items():
        subjects = [{"kind": "Group", "apiGroup": GROUP, "name": group} for group in groups]
        yield f"clusterrolebindings.{GROUP}", "", {
            "kind": "ClusterRoleBinding", "apiVersion": f"{GROUP}/v1", "metadata": _metadata(name),
            "roleRef": {"apiGroup": GROUP, "kind": "ClusterRole", "name": name}, "subjects": subjects}


def _metadata(name):
    return {"name": name, "labels": LABELS, "annotations": AUTOUPDATE}
