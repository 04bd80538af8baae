"""kubectl expose (kubectl/pkg/cmd/expose)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.create_policy import selector_of
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.files import Info
from lifecycle.simulation.kubectl.flags import boolean, text, whole
from lifecycle.simulation.kubectl.options import DRY_RUN, FILES, PRINTING, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import at, replaced
from lifecycle.simulation.resources import resource

EXPOSED = ("pods", "services", "deployments.apps", "replicasets.apps", "replicationcontrollers")
TYPES = ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")


def expose(invocation):
    """Create a Service that selects the pods of an object."""
    report, errors = Report(invocation), []
    for info in (yield from selected(invocation, invocation.args, errors)):
        try:
            yield from _expose_one(invocation, info, report)
        except (CommandError, ServerError) as error:
            errors.append(error)
    raise_all(errors)


def _expose_one(invocation, info, report):
    if info.resource.qualified not in EXPOSED:
        name = f"{info.resource.kind}.{info.resource.group}" if info.resource.group else info.resource.kind
        raise CommandError(f"cannot expose a {name}")
    thing = _service(invocation, info)
    made = Info(resource("services"), info.namespace, thing["metadata"]["name"], thing)
    if invocation.dry_run != "client":
        thing = yield from invocation.post(made.collection, thing, invocation.write_query())
    report.done(made, thing, "exposed", invocation.dry_run == "client")


def _service(invocation, info):
    flags = invocation.flags
    labels = {key: value for key, _,
              value in (word.partition("=") for word in flags["labels"].split(","))} if flags["labels"] else info.thing["metadata"].get("labels")
    spec = {"ports": _ports(flags, info), "selector": _selector(flags, info)}
    if flags["type"]:
        if flags["type"] not in TYPES:
            raise CommandError(f"invalid service type: {flags['type']}")
        spec["type"] = flags["type"]
    for flag, field in (("cluster-ip", "clusterIP"), ("session-affinity", "sessionAffinity"), ("load-balancer-ip", "loadBalancerIP")):
        if flags[flag]:
            spec[field] = flags[flag]
    if flags["external-ip"]:
        spec["externalIPs"] = [flags["external-ip"]]
    thing = {"kind": "Service", "apiVersion": "v1", "metadata": {**({"labels": labels} if labels else {}), "name": flags["name"] or info.name}, "spec": spec,
             "status": {"loadBalancer": {}}}
    return replaced(thing, invocation.namespace, "metadata", "namespace") if invocation.enforce_namespace else thing


def _selector(flags, info):
    if flags["selector"]:
        return dict(selector_of(flags["selector"]).get("matchLabels") or {})
    kind = info.resource.qualified
    if kind == "pods":
        found = info.thing["metadata"].get("labels")
        problem = "the pod has no labels and cannot be exposed"
    elif kind in ("services", "replicationcontrollers"):
        found, problem = info.thing["spec"].get("selector"), f"the {kind[:-1]} has no pod selector set"
    else:
        selector = info.thing["spec"].get("selector") or {}
        if selector.get("matchExpressions"):
            raise CommandError(f"couldn't convert expressions - \"{selector['matchExpressions']}\" to map-based selector format")
        found, problem = selector.get("matchLabels"), "invalid deployment: no selectors, therefore cannot be exposed"
    if not found:
        raise CommandError(f"couldn't retrieve selectors via --selector flag or introspection: {problem}")
    return found


def _ports(flags, info):
    protocols = _declared(info)
    if flags["port"]:
        wanted = flags["port"].split(",")
    else:
        wanted = list(protocols)
        if not wanted:
            raise CommandError("couldn't find port via --port flag or introspection")
    ports = [_port(flags, word, protocols) for word in wanted]
    return [{"name": f"port-{place}", **port} for place, port in enumerate(ports, 1)] if len(ports) > 1 else ports


def _port(flags, word, protocols):
    number = whole(word)
    target = flags["target-port"] or number
    target = int(target) if str(target).isdecimal() else target
    return {"port": number, "protocol": flags["protocol"] or protocols.get(word, "TCP"), "targetPort": target}


def _declared(info):
    """{port: protocol} of the ports that the object itself names."""
    if info.resource.qualified == "services":
        return {str(port["port"]): port.get("protocol", "TCP") for port in info.thing["spec"].get("ports") or ()}
    spec = info.thing["spec"] if info.resource.qualified == "pods" else at(info.thing, "spec", "template", "spec", default={})
    return {str(port["containerPort"]): port.get("protocol", "TCP") for container in spec.get("containers") or () for port in container.get("ports") or ()}


FLAGS = {**FILES, **DRY_RUN, **PRINTING, **field_manager("kubectl-expose"), "cluster-ip": text(), "external-ip": text(), "labels": text(short="l"),
         "load-balancer-ip": text(),
         "name": text(), "override-type": text("merge"), "overrides": text(), "port": text(), "protocol": text(), "save-config": boolean(), "selector": text(),
         "session-affinity": text(), "target-port": text(), "type": text()}
COMMANDS = {("expose",): Command(expose, "(-f FILENAME | TYPE NAME) [--port=port] [--target-port=number-or-name] [--name=name] [--type=type]", FLAGS)}
