"""What programs in containers reach over the network: names of Services, and whoever answers behind them.

An answer becomes part of the container's record (an input "answer": [query, answer]) and holds until the cluster would answer otherwise; so what a program
did can be computed again later.
"""
from . import programs

LOCAL = ("localhost", "127.0.0.1", "::1")


class Outside:
    """Answers queries (kind, host, port, path, ms) of programs; kinds are "http", "tcp" and "dns"."""

    def __init__(self, runtime):
        self.runtime = runtime

    def answer(self, pod, machine, box, query):
        """(code, text); the code is None if nobody answers, and the text says why."""
        kind, host, port, path, at = query
        if host in LOCAL and kind != "dns":
            return self._local(pod, machine, port, path, at)
        *what, at = query
        known = _recorded(machine.record["containers"].get(box.identity, {"inputs": ()}), what, at) or _just_asked(machine, box, what)
        if known is None:
            known = list(self.look(pod, *what))
            machine.asked.append((box.identity, at, [what, known]))
        return tuple(known)

    @staticmethod
    def _local(pod, machine, port, path, at):
        """Somebody in the same Pod: all its containers share the network."""
        for box in machine.boxes.values():
            process = box.ports.get(port) or box.ports.get(programs.ANY)
            if process and process.code is None:
                answered = programs.answer(process.does, at - process.started, port, path, pod.name, box.files)
                if answered:
                    return answered
        return None, "can't connect to remote host (127.0.0.1): Connection refused"

    def news(self, pod, container):
        """[query, answer] for every query of a container that the cluster would answer otherwise now."""
        last = {tuple(asked): answer for _, kind, (asked, answer) in (entry for entry in container["inputs"] if entry[1] == "answer")}
        for what, answer in last.items():
            now = list(self.look(pod, *what))
            if now != answer:
                yield [list(what), now]

    # -- the cluster --------------------------------------------------------------------------------------------------------
    def look(self, pod, kind, host, port, path):
        """The answer that the cluster gives now."""
        service = self._service(pod, host)
        if kind == "dns":
            addresses = self._addresses(service)
            return (200, " ".join(addresses)) if addresses else (None, f"bad address '{host}'")
        addresses = [host] if host.replace(".", "").isdigit() else self._addresses(service)
        if not addresses:
            return None, f"bad address '{host}'"
        found = self._behind(service, host, port)
        for key, target_port in found:
            answered = self._pod_answers(key, target_port, path)
            if answered:
                return answered
        return None, f"can't connect to remote host ({addresses[0]}): Connection refused"

    def _service(self, pod, host):
        """The Service that a name or a ClusterIP stands for, or None."""
        api = self.runtime.api
        if host.replace(".", "").isdigit():
            return next((service for service in api.list("services") if service["spec"].get("clusterIP") == host), None)
        name, _, rest = host.partition(".")
        namespace = rest.partition(".")[0] or pod.namespace
        return api.get("services", namespace, name)

    def _addresses(self, service):
        """What DNS says about a Service: its ClusterIP, or the ready Pods of a headless one."""
        if service is None:
            return []
        address = service["spec"].get("clusterIP")
        if address != "None":
            return [address] if address else []
        return [address for _, address, _ in self._endpoints(service)]

    def _endpoints(self, service):
        """[(Pod's name, address, ports of the slice)] that receive the Service's traffic: what kube-proxy chooses; of a headless Service what is ready."""
        meta, headless = service["metadata"], service["spec"].get("clusterIP") == "None"
        chosen = () if headless else self.runtime.cluster.components["kube-proxy"].usable(meta["namespace"], meta["name"])
        for piece in self.runtime.indexes.find("endpointslices by service", f"{meta['namespace']}/{meta['name']}").values():
            for endpoint in piece.get("endpoints") or ():
                used = (endpoint.get("conditions") or {}).get("ready", True) if headless else endpoint["addresses"][0] in chosen
                if used and endpoint.get("targetRef"):
                    yield endpoint["targetRef"]["name"], endpoint["addresses"][0], piece.get("ports") or ()

    def _behind(self, service, host, port):
        """[((namespace, Pod's name), port)] that a connection to host:port may end at."""
        if service is None:
            for pod in self.runtime.api.list("pods"):
                if pod.get("status", {}).get("podIP") == host:
                    yield (pod["metadata"]["namespace"], pod["metadata"]["name"]), port
            return
        ports = service["spec"].get("ports") or ()
        number = next((place for place, entry in enumerate(ports) if entry["port"] == port), None)
        if number is None and service["spec"].get("clusterIP") != "None":
            return
        for name, _, targets in self._endpoints(service):
            wanted = next((target["port"] for target in targets if number is not None and target.get("name", "") == (ports[number].get("name") or "")), port)
            yield (service["metadata"]["namespace"], name), wanted

    def through(self, service, port, path):
        """([(address, port)] of the endpoints of a Service's port, what the first of them that listens answers to GET: (code, text) or None)."""
        meta = service["metadata"]
        addresses = {name: address for name, address, _ in self._endpoints(service)}
        found = [(addresses[name], target) for (_, name), target in self._behind(service, "", port)]
        answers = (self._pod_answers((meta["namespace"], name), target, path) for (_, name), target in self._behind(service, "", port))
        return found, next((answer for answer in answers if answer), None)

    def _pod_answers(self, key, port, path):
        """What the Pod's containers answer at a port now: (code, text), or None if nobody listens."""
        return self.runtime.http_get(*key, port, path)


def _just_asked(machine, box, what):
    """The answer that a container got a moment ago, not yet in its record, or None."""
    return next((answer for identity, _, (query, answer) in machine.asked if identity == box.identity and query == what), None)


def _recorded(container, what, at):
    """The last answer that a container got to a query up to a time, or None."""
    found = [said for when, kind, said in container["inputs"] if kind == "answer" and said[0] == what and when <= at]
    return found[-1][1] if found else None
