"""kubectl autoscale (kubectl/pkg/cmd/autoscale)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.files import Info
from lifecycle.simulation.kubectl.flags import boolean, number, text, whole
from lifecycle.simulation.kubectl.options import DRY_RUN, FILES, PRINTING, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import replaced
from lifecycle.simulation.quantities import parse as parse_quantity
from lifecycle.simulation.resources import resource

DEPRECATED = ("Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for "
              "milliCPU).")


def autoscale(invocation):
    """Create a HorizontalPodAutoscaler for an object that can be scaled."""
    flags = invocation.flags
    if flags["max"] < 1:
        raise CommandError("--max=MAXPODS is required and must be at least 1, max: " + str(flags["max"]))
    if flags["max"] < flags["min"]:
        raise CommandError(f"--max=MAXPODS must be larger or equal to --min=MINPODS, max: {flags['max']}, min: {flags['min']}")
    if "cpu-percent" in invocation.given:
        invocation.err(DEPRECATED)
    report, errors = Report(invocation), []
    for info in (yield from selected(invocation, invocation.args, errors)):
        try:
            yield from _autoscale_one(invocation, info, report)
        except ServerError as error:
            errors.append(error)
    raise_all(errors)


def _autoscale_one(invocation, info, report):
    if "scale" not in info.resource.subresources:
        row = info.resource
        what = f"{row.group}/{row.version}, Resource={row.plural}"
        raise CommandError(f"cannot autoscale a {row.kind}: could not find scale subresource for {what} in discovery information")
    thing = _autoscaler(invocation, info)
    made = Info(resource("horizontalpodautoscalers.autoscaling"), info.namespace, thing["metadata"]["name"], thing)
    if invocation.dry_run != "client":
        reply = yield from invocation.ask("POST", made.collection, invocation.write_query(), thing)
        if not reply.ok and not invocation.flags["cpu"]:
            raise CommandError("failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: empty input")
        if not reply.ok:
            raise ServerError(reply.body)
        thing = reply.body
    report.done(made, thing, "autoscaled", invocation.dry_run == "client")


def _autoscaler(invocation, info):
    flags = invocation.flags
    wanted = {"cpu": flags["cpu"] or (f"{flags['cpu-percent']}%" if flags["cpu-percent"] >= 0 else ""), "memory": flags["memory"]}
    metrics = [_metric(name, amount) for name, amount in wanted.items() if amount]
    spec = {"scaleTargetRef": {"kind": info.resource.kind, "name": info.name, "apiVersion": info.resource.api_version},
            **({"minReplicas": flags["min"]} if flags["min"] > 0 else {}), "maxReplicas": flags["max"], **({"metrics": metrics} if metrics else {})}
    thing = {"kind": "HorizontalPodAutoscaler", "apiVersion": "autoscaling/v2", "metadata": {"name": flags["name"] or info.name}, "spec": spec,
             "status": {"desiredReplicas": 0, "currentMetrics": None}}
    return replaced(thing, invocation.namespace, "metadata", "namespace") if invocation.enforce_namespace else thing


def _metric(name, value):
    """"80%" is a share of the requests, anything else an amount for each pod."""
    if value.endswith("%"):
        target = {"type": "Utilization", "averageUtilization": whole(value[:-1])}
    else:
        try:
            parse_quantity(value)
        except ValueError:
            raise CommandError(f"invalid resource {name} value: {value}") from None
        target = {"type": "AverageValue", "averageValue": value}
    return {"type": "Resource", "resource": {"name": name, "target": target}}


FLAGS = {**FILES, **DRY_RUN, **PRINTING, **field_manager("kubectl-autoscale"), "cpu": text(), "cpu-percent": number(-1),
         "max": number(-1), "memory": text(), "min": number(-1),
         "name": text(),
         "save-config": boolean()}
COMMANDS = {("autoscale",): Command(autoscale, "(-f FILENAME | TYPE NAME | TYPE/NAME) [--min=MINPODS] --max=MAXPODS [--cpu=CPU] [--memory=MEMORY] [flags]",
                                    FLAGS, ("max",))}
