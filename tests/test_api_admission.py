"""Admission: quotas, limits, security standards, and what storage adds."""
import pytest

from .builders import a_deployment, a_pod, create, get, said

QUOTAS, LIMITS = "/api/v1/namespaces/default/resourcequotas", "/api/v1/namespaces/default/limitranges"
SECURITY = "pod-security.kubernetes.io/"
RESTRICTED = ('allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), '
              'unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"]), '
              'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true), '
              'seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")')


def a_quota(cluster, used=None, **hard):
    """A ResourceQuota whose usage has been reckoned already."""
    cluster.api.http("POST", QUOTAS, None, {"metadata": {"name": "q"}, "spec": {"hard": hard}})
    status = {"hard": hard, "used": {**dict.fromkeys(hard, "0"), **(used or {})}}
    cluster.api.http("PATCH", f"{QUOTAS}/q/status", None, {"status": status}, "application/merge-patch+json")


def asking(name="web", **requests):
    return a_pod(name, container={"resources": {"requests": requests}})


def label_namespace(cluster, **labels):
    body = {"metadata": {"labels": {SECURITY + mode: level for mode, level in labels.items()}}}
    return cluster.api.http("PATCH", "/api/v1/namespaces/default", None, body, "application/merge-patch+json")


# -- quota -----------------------------------------------------------------------------------------------------------------
def test_a_quota_is_charged_before_the_object_is_written(cluster):
    a_quota(cluster, pods="3", **{"requests.cpu": "1"})
    create(cluster, asking(cpu="100m"))
    commits = [step.object for step in said(cluster, target="etcd")][-2:]

    assert get(cluster, "resourcequotas", "q")["status"]["used"] == {"pods": "1", "requests.cpu": "100m"}
    assert commits == ["/registry/resourcequotas/default/q", "/registry/pods/default/web"]
    assert said(cluster, "UpdateResourceQuotaStatus")[-1].source == "apiserver"


@pytest.mark.parametrize(("hard", "used", "pod", "message"), [
    ({"pods": "3"}, {"pods": "3"}, a_pod(), "exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3"),
    ({"requests.cpu": "1"}, {}, asking(cpu="2"), "exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1"),
    ({"requests.cpu": "1"}, {}, a_pod(), "failed quota: q: must specify requests.cpu for: app"),
])
def test_a_pod_without_room_in_the_quota_is_refused(cluster, hard, used, pod, message):
    a_quota(cluster, used, **hard)
    answer = create(cluster, pod)

    assert (answer.code, answer.body["message"]) == (403, f'pods "web" is forbidden: {message}')
    assert get(cluster, "resourcequotas", "q")["status"]["used"] == {**dict.fromkeys(hard, "0"), **used}


def test_counts_of_any_kind_can_be_limited(cluster):
    a_quota(cluster, **{"count/deployments.apps": "1"})
    create(cluster, a_deployment("a"))

    assert create(cluster, a_deployment("b")).body["message"] == (
        'deployments.apps "b" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=1, '
        'limited: count/deployments.apps=1')


def test_a_scoped_quota_minds_its_own_pods(cluster):
    cluster.api.http("POST", QUOTAS, None, {"metadata": {"name": "q"}, "spec": {"hard": {"pods": "0"}, "scopes": ["BestEffort"]}})
    cluster.api.http("PATCH", f"{QUOTAS}/q/status", None, {"status": {"hard": {"pods": "0"}, "used": {"pods": "0"}}}, "application/merge-patch+json")

    assert create(cluster, a_pod("a")).code == 403
    assert create(cluster, asking("b", cpu="1")).code == 201


# -- limits ----------------------------------------------------------------------------------------------------------------
def test_a_limit_range_fills_in_and_says_so(cluster):
    cluster.api.http("POST", LIMITS, None, {"metadata": {"name": "lr"}, "spec": {"limits": [{
        "type": "Container", "default": {"cpu": "500m"}, "defaultRequest": {"cpu": "200m"}, "max": {"cpu": "1"}, "min": {"cpu": "100m"}}]}})
    pod = create(cluster, a_pod()).body
    big = create(cluster, a_pod("big", container={"resources": {"limits": {"cpu": "3"}}}))

    assert pod["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "200m"}, "limits": {"cpu": "500m"}}
    note = "LimitRanger plugin set: cpu request for container app; cpu limit for container app"
    assert pod["metadata"]["annotations"] == {"kubernetes.io/limit-ranger": note}
    assert pod["status"]["qosClass"] == "Burstable"
    assert big.body["message"] == 'pods "big" is forbidden: maximum cpu usage per Container is 1, but limit is 3'


# -- Pod Security ----------------------------------------------------------------------------------------------------------
def test_a_restricted_namespace_refuses_ordinary_pods(cluster):
    label_namespace(cluster, enforce="restricted")
    answer = create(cluster, a_pod())

    assert (answer.code, answer.body["message"]) == (403, f'pods "web" is forbidden: violates PodSecurity "restricted:latest": {RESTRICTED}')


def test_a_workload_is_warned_about_but_made(cluster):
    label_namespace(cluster, warn="restricted")
    answer = create(cluster, a_deployment())

    assert answer.code == 201 and answer.warnings == (f'would violate PodSecurity "restricted:latest": {RESTRICTED}',)


def test_a_stricter_label_warns_of_what_is_there(cluster):
    create(cluster, a_pod("d"))
    answer = label_namespace(cluster, enforce="restricted")

    assert answer.warnings == ('existing pods in namespace "default" violate the new PodSecurity enforce level "restricted:latest"',
                               "d: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile")


def test_baseline_minds_the_host_only(cluster):
    label_namespace(cluster, enforce="baseline")
    privileged = create(cluster, a_pod("p", hostNetwork=True, container={"securityContext": {"privileged": True}}))

    assert create(cluster, a_pod()).code == 201
    assert privileged.body["message"].endswith('violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), '
                                               'privileged (container "app" must not set securityContext.privileged=true)')


# -- accounts and storage --------------------------------------------------------------------------------------------------
def test_a_service_account_must_exist(cluster):
    answer = create(cluster, a_pod(serviceAccountName="nope"))

    assert answer.body["message"] == 'pods "web" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found'


def test_a_claim_is_protected_and_gets_the_default_class(cluster):
    claim = cluster.api.http("POST", "/api/v1/namespaces/default/persistentvolumeclaims", None, {
        "metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}).body

    assert claim["spec"]["storageClassName"] == "standard" and claim["status"] == {"phase": "Pending"}
    assert claim["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]


def test_an_explicitly_empty_class_stays_empty(cluster):
    claim = cluster.api.http("POST", "/api/v1/namespaces/default/persistentvolumeclaims", None, {
        "metadata": {"name": "data"}, "spec": {"storageClassName": "", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}).body

    assert claim["spec"]["storageClassName"] == ""
