"""What a container learns of Services from its environment (pkg/kubelet/envvars, kubelet_pods.go getServiceEnvVarMap).

In a container's record they are {name of the Service: [cluster IP, [[name of the port, number, protocol], ...]]}, as they stood when it was made.
"""
MASTER = ("default", "kubernetes")           # the Service that every container learns of


def found(api, namespace, enabled):
    """The links of a container that is made now; `enabled` is the Pod's enableServiceLinks."""
    services = {service["metadata"]["name"]: service for service in api.list("services", namespace)} if enabled else {}
    master = api.get("services", *MASTER)
    if master is not None:
        services = {MASTER[1]: master, **services}
    return {name: link for name, link in ((name, _link(service["spec"])) for name, service in services.items()) if link}


def _link(spec):
    """The link of a Service that has a cluster IP, else None."""
    address, ports = spec.get("clusterIP"), spec.get("ports") or ()
    return [address, [[port.get("name", ""), port["port"], port["protocol"]] for port in ports]] if address not in (None, "", "None") and ports else None


def variables(links):
    """{name: value} of the environment variables, as Docker once had them for linked containers."""
    env = {}
    for service, (address, ports) in links.items():
        name = _word(service)
        env[f"{name}_SERVICE_HOST"], env[f"{name}_SERVICE_PORT"] = address, str(ports[0][1])
        env.update({f"{name}_SERVICE_PORT_{_word(port)}": str(number) for port, number, _ in ports if port})
        env[f"{name}_PORT"] = _url(address, *ports[0][1:])
        for _, number, protocol in ports:
            prefix = f"{name}_PORT_{number}_{protocol}"
            env.update({prefix: _url(address, number, protocol), f"{prefix}_PROTO": protocol.lower(), f"{prefix}_PORT": str(number), f"{prefix}_ADDR": address})
    return env


def _word(name):
    return name.replace("-", "_").upper()


def _url(address, number, protocol):
    return f"{protocol.lower()}://{address}:{number}"
