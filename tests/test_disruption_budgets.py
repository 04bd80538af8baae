"""What a PodDisruptionBudget's status says, and when."""
from .builders import a_deployment, a_pod, create, every, get, kubectl, run
from .scheduling import events, place


def status_of(cluster, name="x"):
    status = get(cluster, "poddisruptionbudgets.policy", name)["status"]
    condition, = status["conditions"]
    numbers = tuple(status[field] for field in ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"))
    return numbers, (condition["status"], condition["reason"])


def test_a_number_of_pods_that_must_stay(cluster):
    place(cluster, a_pod("a", labels={"app": "x"}), seconds=20)
    kubectl(cluster, "kubectl create pdb x --selector=app=x --min-available=1")
    assert status_of(cluster) == ((0, 1, 1, 1), ("False", "InsufficientPods"))
    place(cluster, a_pod("b", labels={"app": "x"}), seconds=20)
    assert status_of(cluster) == ((1, 2, 1, 2), ("True", "SufficientPods"))


def test_percentages_are_taken_of_what_the_controllers_want(cluster):
    create(cluster, a_deployment("x", replicas=5))
    run(cluster, 20)
    kubectl(cluster, "kubectl create pdb x --selector=app=x --max-unavailable=30%")
    # 30 % of 5, rounded up, may be away
    assert status_of(cluster) == ((2, 5, 3, 5), ("True", "SufficientPods"))
    kubectl(cluster, "kubectl create pdb y --selector=app=x --min-available=50%")
    assert status_of(cluster, "y")[0] == (2, 5, 3, 5)


def test_percentages_of_pods_without_a_controller_allow_nothing_and_warn(cluster):
    place(cluster, a_pod("a", labels={"app": "low"}), seconds=20)
    kubectl(cluster, "kubectl create pdb x --selector=app=low --min-available=100%")
    assert status_of(cluster) == ((0, 1, 0, 0), ("False", "InsufficientPods"))
    text = events(cluster, "x", "UnmanagedPods")[0]
    assert text.startswith("Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: low,},"
                           "MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged.")


def test_a_budget_without_pods_says_so(cluster):
    kubectl(cluster, "kubectl create pdb x --selector=app=x --min-available=1")
    assert status_of(cluster) == ((0, 0, 1, 0), ("False", "InsufficientPods"))
    assert events(cluster, "x", "NoPods") == ["No matching pods found"]


def test_a_drain_stops_at_the_budget(cluster):
    create(cluster, a_deployment("dr", replicas=3))
    run(cluster, 20)
    kubectl(cluster, "kubectl create pdb dr --selector=app=dr --min-available=3")
    command = kubectl(cluster, "kubectl drain n2 --ignore-daemonsets --force --timeout=8s", seconds=15)
    assert "Cannot evict pod as it would violate the pod's disruption budget." in command["output"]
    assert len([pod for pod in every(cluster, "pods") if "deletionTimestamp" not in pod["metadata"]]) == 3
