"""Who may do what."""
import pytest

from .builders import a_pod, create

RBAC = "/apis/rbac.authorization.k8s.io/v1"
BOT = "system:serviceaccount:default:bot"


def get(cluster, path, user, groups=()):
    return cluster.api.http("GET", path, user=user, groups=groups)


def a_reader(cluster, **subject):
    cluster.api.http("POST", f"{RBAC}/namespaces/default/roles", None, {
        "metadata": {"name": "reader"}, "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}]})
    cluster.api.http("POST", f"{RBAC}/namespaces/default/rolebindings", None, {
        "metadata": {"name": "reader"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"}, "subjects": [subject]})


@pytest.mark.parametrize(("user", "path", "message"), [
    ("bob", "/api/v1/namespaces/default/pods", 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"'),
    ("bob", "/api/v1/namespaces/default/pods/web", 'pods "web" is forbidden: User "bob" cannot get resource "pods" in API group "" in the namespace "default"'),
    (BOT, "/api/v1/nodes", f'nodes is forbidden: User "{BOT}" cannot list resource "nodes" in API group "" at the cluster scope'),
    ("system:anonymous", "/apis/apps/v1/deployments",
     'deployments.apps is forbidden: User "system:anonymous" cannot list resource "deployments" in API group "apps" at the cluster scope'),
])
def test_strangers_are_refused_in_the_servers_own_words(cluster, user, path, message):
    answer = get(cluster, path, user)

    assert (answer.code, answer.reason, answer.body["message"]) == (403, "Forbidden", message)


def test_a_role_binding_opens_one_namespace_for_some_verbs(cluster):
    create(cluster, a_pod())
    a_reader(cluster, kind="ServiceAccount", name="bot", namespace="default")

    assert get(cluster, "/api/v1/namespaces/default/pods/web", BOT).code == 200
    assert get(cluster, "/api/v1/namespaces/kube-system/pods", BOT).code == 403
    assert get(cluster, "/api/v1/namespaces/default/pods/web/log", BOT).code == 403
    assert cluster.api.http("DELETE", "/api/v1/namespaces/default/pods/web", user=BOT).body["message"] == (
        f'pods "web" is forbidden: User "{BOT}" cannot delete resource "pods" in API group "" in the namespace "default"')


def test_groups_can_be_bound_too(cluster):
    a_reader(cluster, kind="Group", name="students", apiGroup="rbac.authorization.k8s.io")

    assert get(cluster, "/api/v1/namespaces/default/pods", "eve").code == 403
    assert get(cluster, "/api/v1/namespaces/default/pods", "eve", ["students"]).code == 200


def test_the_view_role_shows_everything_but_secrets(cluster):
    cluster.api.http("POST", f"{RBAC}/namespaces/default/rolebindings", None, {
        "metadata": {"name": "v"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": "User", "name": "bob"}]})

    assert get(cluster, "/api/v1/namespaces/default/configmaps", "bob").code == 200
    assert get(cluster, "/api/v1/namespaces/default/secrets", "bob").code == 403


def test_anyone_may_ask_for_the_version_and_users_for_discovery(cluster):
    assert get(cluster, "/version", "system:anonymous").code == 200
    assert get(cluster, "/apis", "bob").code == 200
    assert get(cluster, "/apis", "system:anonymous").body["message"] == 'forbidden: User "system:anonymous" cannot get path "/apis"'


def review(cluster, user, verb, plural):
    body = {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
            "spec": {"resourceAttributes": {"verb": verb, "resource": plural, "namespace": "default"}}}
    return cluster.api.http("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", None, body, user=user)


def test_people_can_ask_what_they_may_do(cluster):
    a_reader(cluster, kind="User", name="bob")

    assert review(cluster, "kubernetes-admin", "create", "pods").body["status"] == {"allowed": True}
    assert [review(cluster, "bob", verb, "pods").body["status"]["allowed"] for verb in ("list", "create")] == [True, False]


def test_people_can_ask_who_they_are(cluster):
    body = {"kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1"}
    who = cluster.api.http("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", None, body).body["status"]["userInfo"]

    assert (who["username"], who["groups"]) == ("kubernetes-admin", ["system:masters", "system:authenticated"])
