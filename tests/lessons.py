"""A small lesson for tests, as the files of its folder; pieces of them can be exchanged. And those who learn by it."""
from lifecycle import clusters
from lifecycle.lessons import catalog, runs
from lifecycle.lessons.loading import load
from lifecycle.models import LessonRun

STRUCTURE = '''
minutes = 5
nodes = 2
pace = "real:60"
statements = ["C1", "K4a"]
start = ["kubectl create namespace shop"]
files = ["web.yaml"]

[[tasks]]
id = "create"
manifest = "web.yaml"
stops = [["CreatePodBinding", {}]]
solution = ["kubectl apply -f web.yaml", "wait 10"]

[[tasks.checks]]
id = "deployment"
objects = "deployments.apps"
where = "object.metadata.name == 'web' && object.spec.replicas == 2"

[[tasks.checks]]
id = "bound"
said = "CreatePodBinding"
count = 2

[[tasks.wrong]]
id = "bare"
objects = "pods"
where = "!has(object.metadata.ownerReferences)"

[[tasks]]
id = "crash"
begin = ["component scheduler stop"]
acts = ["component scheduler start", "kubectl get nodes"]
solution = ["kubectl run once --image=nginx", "wait 5", "component scheduler start"]

[[tasks.checks]]
id = "running"
objects = "pods"
where = "object.metadata.name == 'once' && object.status.phase == 'Running'"
now = true

[[predictions]]
id = "first"
task = "create"
kind = "race"
[[predictions.options]]
id = "binding"
said = "CreatePodBinding"
[[predictions.options]]
id = "status"
said = "PatchPodStatus"

[[predictions]]
id = "node"
task = "crash"
kind = "value"
objects = "pods"
where = "object.metadata.name == 'once' && has(object.spec.nodeName)"
value = "object.spec.nodeName"
options = "@nodes"

[[questions]]
id = "double"
draw = { number = [3, 9] }
options = ["number * 2", "number + 2", "number"]

[[questions]]
id = "word"
draw = { signal = [2, 9, 15] }
options = ["128 + signal", "signal"]

[[questions]]
id = "plain"
options = ["'SIGTERM'", "'SIGKILL'"]
'''

WORDS = '''
title = "A small lesson"
summary = "Create and stop."
intro = "Watch the [kubelet](component:kubelet), as in [C11](statement:C11)."
outro = "That was **all**."

[tasks.create]
title = "Create it"
text = "Apply `web.yaml`."
hints = ["Look around.", "Use kubectl.", "`kubectl apply -f web.yaml`"]
done = "Two Pods were bound."
checks = { deployment = "the Deployment wants two", bound = "two Pods were bound" }
wrong = { bare = "That is a bare Pod." }

[tasks.crash]
title = "Without a scheduler"
text = "Run a Pod."
hints = ["Who binds?", "Start it.", "Press the button."]
done = "It runs."
checks = { running = "the Pod runs" }
acts = { "component scheduler start" = "Start the scheduler", "kubectl get nodes" = "List the nodes" }

[predictions.first]
question = "Who is first?"
options = { binding = "the scheduler", status = "the kubelet" }
explanation = "A Pod is bound before a kubelet sees it."

[predictions.node]
question = "On which node?"
explanation = "The one with the higher score."

[questions.double]
question = "Twice {number}?"
explanation = "{number} and {number} are {answer}."

[questions.word]
question = "Which exit code after signal {signal}?"
options = ["code {0}", "code {1}"]
explanation = "{answer}, which is 128 + {signal}."

[questions.plain]
question = "Which signal comes first?"
explanation = "SIGTERM, then SIGKILL."
'''

WEB = '''apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: app
        image: nginx
'''


def a_folder(place, structure=(), words=(), chinese=None, name="01-small"):
    """The folder of the small lesson, in a folder `place`; `structure` and `words` are pairs (old, new) to exchange in the files.

    `chinese` exchanges other pieces in the Chinese file than in the English one.
    """
    folder = place / name
    folder.mkdir()
    (folder / "lesson.toml").write_text(exchanged(STRUCTURE, structure))
    (folder / "en.toml").write_text(exchanged(WORDS, words))
    (folder / "zh-hans.toml").write_text(exchanged(WORDS, words if chinese is None else chinese).replace("A small lesson", "小课"))
    (folder / "web.yaml").write_text(WEB)
    return folder


def exchanged(text, pairs):
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def a_lesson(place, **changes):
    """The small lesson, loaded."""
    return load(a_folder(place, **changes))


# -- learners --------------------------------------------------------------------------------------------------------------
def a_run(owner, slug="small"):
    """An account's run through a lesson of the course, just begun."""
    return runs.start(catalog.find(slug), "A small lesson", owner, "")


def work(run, seconds, line=None):
    """Let virtual time pass in a run's cluster, after a command; not followed."""
    if line:
        clusters.command(run.cluster_id, line)
    with clusters.act(run.cluster_id) as cluster:
        cluster.simulation.run_until(cluster.simulation.clock.now + seconds * 1000)


def followed(run):
    """The run as a server finds it that has not looked before."""
    return runs.brought_up(LessonRun.objects.get(pk=run.pk))
