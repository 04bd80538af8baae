"""Environment variables of Services, as a real node made them (recording l-real-deployment)."""
from .builders import a_pod, a_service, create, run


def environment(cluster, **spec):
    """{name: value} that `env` prints in a Pod made now."""
    create(cluster, a_pod("web", image="nginx", **spec))
    run(cluster, 10)
    id = cluster.kubectl("kubectl exec web -- env")
    run(cluster, 5)
    return dict(line.split("=", 1) for line in cluster.console.command(id)["stdout"].splitlines())


def test_a_container_learns_of_the_services_of_its_namespace_and_of_the_api(cluster):
    create(cluster, a_service("my-web"))
    create(cluster, a_service("headless", clusterIP="None"))
    address = cluster.api.http("GET", "/api/v1/namespaces/default/services/my-web").body["spec"]["clusterIP"]
    found = environment(cluster)
    assert {name: value for name, value in found.items() if name.startswith("MY_WEB")} == {
        "MY_WEB_SERVICE_HOST": address, "MY_WEB_SERVICE_PORT": "80", "MY_WEB_PORT": f"tcp://{address}:80", "MY_WEB_PORT_80_TCP": f"tcp://{address}:80",
        "MY_WEB_PORT_80_TCP_PROTO": "tcp", "MY_WEB_PORT_80_TCP_PORT": "80", "MY_WEB_PORT_80_TCP_ADDR": address}
    assert {name: value for name, value in found.items() if name.startswith("KUBERNETES_SERVICE")} == {
        "KUBERNETES_SERVICE_HOST": "10.96.0.1", "KUBERNETES_SERVICE_PORT": "443", "KUBERNETES_SERVICE_PORT_HTTPS": "443"}
    assert not any("HEADLESS" in name for name in found)


def test_services_that_come_later_are_not_in_it_and_who_wants_no_links_has_only_the_api(cluster):
    create(cluster, a_service("early"))
    found = environment(cluster, enableServiceLinks=False)
    create(cluster, a_service("late"))
    assert "KUBERNETES_SERVICE_HOST" in found
    assert not any(name.startswith(("EARLY", "LATE")) for name in found)


def test_values_and_arguments_may_refer_to_them_and_the_manifest_has_the_last_word(cluster):
    create(cluster, a_service("db", port=5432))
    env = [{"name": "URL", "value": "pg://$(DB_SERVICE_HOST):$(DB_SERVICE_PORT)"}, {"name": "DB_PORT", "value": "mine"}]
    address = cluster.api.http("GET", "/api/v1/namespaces/default/services/db").body["spec"]["clusterIP"]
    found = environment(cluster, container={"env": env})
    assert (found["URL"], found["DB_PORT"]) == (f"pg://{address}:5432", "mine")
    create(cluster, a_pod("said", image="busybox", container={"command": ["echo", "$(DB_SERVICE_PORT)"]}, restartPolicy="Never"))
    run(cluster, 10)
    assert cluster.api.http("GET", "/api/v1/namespaces/default/pods/said/log").body == "5432\n"
