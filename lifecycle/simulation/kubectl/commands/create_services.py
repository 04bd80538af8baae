"""kubectl create service and ingress."""
import re

from lifecycle.simulation.kubectl.commands.create import subcommand
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import listing, number, repeated, text

RULE_FORM = "host/path=svcname:svcport[,tls[=secret]]"
NO_RULES = ("not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) "
            "or a list of rules (which catch specific paths)")


def _whole(value):
    if not value.isdecimal():
        raise CommandError(f'strconv.ParseUint: parsing "{value}": invalid syntax')
    if not 0 < int(value) < 65536:
        raise CommandError(f'invalid port: {value}' if int(value) else "port number must be at least 1")
    return int(value)


def _port(word, node_port=0):
    """"80" or "80:8080" or "80:http"."""
    port, colon, target = word.partition(":")
    number = _whole(port)
    target = (int(target) if target.isdecimal() else target) if colon else number
    return {"name": word.replace(":", "-"), "protocol": "TCP", "port": number, "targetPort": target, **({"nodePort": node_port} if node_port else {})}


def service(type, required=True):
    """The function that makes a Service of a type."""
    def make(invocation, name):
        flags = invocation.flags
        headless = flags.get("clusterip") == "None"
        ports = [_port(word, flags.get("node-port", 0)) for word in flags["tcp"]]
        if not ports and required and not headless:
            raise CommandError("at least one tcp port specifier must be provided")
        spec = {**({"ports": ports} if ports else {}), "selector": {"app": name}, **({"clusterIP": flags["clusterip"]} if flags.get("clusterip") else {}),
                "type": type}
        if flags.get("external-name"):
            spec["externalName"] = flags["external-name"]
        return {"metadata": {"name": name, "labels": {"app": name}}, "spec": spec, "status": {"loadBalancer": {}}}
    return make


def ingress(invocation, name):
    flags = invocation.flags
    if not flags["rule"] and not flags["default-backend"]:
        raise CommandError(NO_RULES)
    annotations = {key: value for key, _, value in (word.partition("=") for word in flags["annotation"])}
    rules, secure = _rules(flags["rule"])
    spec = {**({"ingressClassName": flags["class"]} if flags["class"] else {}),
            **({"defaultBackend": _backend(flags["default-backend"])} if flags["default-backend"] else {}),
            **({"tls": secure} if secure else {}), **({"rules": rules} if rules else {})}
    return {"metadata": {"name": name, **({"annotations": annotations} if annotations else {})}, "spec": spec, "status": {"loadBalancer": {}}}


def _backend(word):
    service_name, _, port = word.partition(":")
    return {"service": {"name": service_name, "port": {"number": int(port)} if port.isdecimal() else {"name": port}}}


def _rules(words):
    """(rules, tls): the paths of one host are one rule, the hosts of one secret one entry."""
    paths, secrets = {}, {}
    for word in words:
        found = re.fullmatch(r"([^/=]*)(/[^=]*)=([^,:=]+:[^,=]+)(,tls(?:=(.*))?)?", word)
        if not found:
            raise CommandError(f"rule {word} is invalid and should be in format {RULE_FORM}")
        host, path, backend, tls, secret = found.groups()
        prefix = path.endswith("*")
        paths.setdefault(host, []).append({"path": path.removesuffix("*"), "pathType": "Prefix" if prefix else "Exact", "backend": _backend(backend)})
        if tls:
            secrets.setdefault(secret or "", []).append(host)
    rules = [{**({"host": host} if host else {}), "http": {"paths": found}} for host, found in paths.items()]
    secure = [{**({"hosts": [host for host in hosts if host]} if any(hosts) else {}), **({"secretName": secret} if secret else {})} for secret,
              hosts in secrets.items()]
    return rules, secure


TCP = {"tcp": listing()}
INGRESS = {"class": text(), "rule": repeated(), "default-backend": text(), "annotation": repeated()}
COMMANDS = {
    ("create", "service", "clusterip"): subcommand("Service", service("ClusterIP"), {**TCP, "clusterip": text()}, what="ClusterIP service:"),
    ("create", "service", "nodeport"): subcommand("Service", service("NodePort"), {**TCP, "node-port": number()}, what="NodePort service:"),
    ("create", "service", "loadbalancer"): subcommand("Service", service("LoadBalancer"), TCP, what="LoadBalancer service:"),
    ("create", "service", "externalname"): subcommand("Service", service("ExternalName", False), {**TCP, "external-name": text()}, ("external-name",),
                                                      what="ExternalName service:"),
    ("create", "ingress"): subcommand("Ingress", ingress, INGRESS, (), ("ing",), "networking.k8s.io/v1"),
}
