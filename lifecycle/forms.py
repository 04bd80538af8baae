"""What people fill in: a new cluster, a manifest, a deletion, a command, a pace. Errors stand beside their field, in words."""
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from . import examples
from .models.cluster import MOST_NODES
from .pace import check
from .picture.store import grouped
from .simulation.manifests import LARGEST
from .simulation.resources import resource_of_key

PACES = (
    ("story:3", _("Story: a message every 3 s")),
    ("story:0.8", _("Story: a message every 0.8 s")),
    ("story:0.3", _("Story: a message every 0.3 s")),
    ("story:0.1", _("Story: a message every 0.1 s")),
    ("real:0.1", _("Real time × 0.1")),
    ("real:1", _("Real time")),
    ("real:10", _("Real time × 10")),
    ("real:60", _("Real time × 60")),
)


class NewClusterForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=60, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    nodes = forms.IntegerField(label=_("Nodes"), min_value=1, max_value=MOST_NODES, initial=3,
                               help_text=_("1 to 10, each with 2 CPUs and 4 GiB of memory"))

    def clean_name(self):
        return self.cleaned_data["name"].strip() or _now("Cluster")


class CreateForm(forms.Form):
    """YAML or JSON, to be applied or created."""

    example = forms.CharField(required=False)
    manifest = forms.CharField(label=_("YAML"), max_length=LARGEST, strip=False,
                               error_messages={"required": _("Write some YAML, or choose something ready-made.")})
    verb = forms.ChoiceField(choices=[("apply", "apply"), ("create", "create")])

    @classmethod
    def fresh(cls, name=examples.FIRST):
        """The form as it is first shown, with an example in it."""
        return cls(initial={"example": name, "manifest": examples.text(name), "verb": "apply"})

    @classmethod
    def with_text(cls, manifest):
        """The form with a manifest in it that is no example."""
        return cls(initial={"example": "", "manifest": manifest, "verb": "apply"})

    def command(self):
        return f"kubectl {self.cleaned_data['verb']} -f manifest.yaml"

    def texts(self):
        return {"manifest.yaml": self.cleaned_data["manifest"].replace("\r\n", "\n")}


class DeleteForm(forms.Form):
    """What to delete, and how; `command` is what kubectl is asked to do."""

    CASCADES = (
        ("background", _("background: the owner goes first, dependents follow")),
        ("foreground", _("foreground: dependents go first, then the owner")),
        ("orphan", _("orphan: dependents stay")),
    )

    target = forms.ChoiceField(label=_("What"), error_messages={"invalid_choice": _("This object is not there any more. Choose another.")})
    cascade = forms.ChoiceField(label=_("Dependents"), choices=CASCADES, initial="background", widget=forms.RadioSelect)
    grace = forms.IntegerField(label=_("Grace period in seconds"), required=False, min_value=0, max_value=86_400,
                               help_text=_("empty: what the Pod says, 30 if it says nothing"))
    now = forms.BooleanField(label=_("now: a grace period of 1 second"), required=False)
    force = forms.BooleanField(label=_("force: do not wait for the node"), required=False)
    wait = forms.BooleanField(label=_("kubectl waits until it is gone"), required=False, initial=True)

    def __init__(self, objects, *arguments, **options):
        super().__init__(*arguments, **options)
        self.fields["target"].choices = [(kind, [(entry.key, target_name(entry)) for entry in entries]) for kind, entries in grouped(objects)]

    def clean(self):
        grace, now, force = (self.cleaned_data.get(name) for name in ("grace", "now", "force"))
        if grace is not None and now:
            self.add_error("grace", ValidationError(_("“now” already means a grace period of 1 second: leave this empty, or untick “now”.")))
        elif grace and force:
            self.add_error("grace", ValidationError(_("“force” goes with a grace period of 0 or none.")))

    def command(self):
        options = self.cleaned_data
        row = resource_of_key(options["target"])
        namespace, name = options["target"].split("/")[-2:]
        words = ["kubectl delete", row.singular or row.qualified, name]
        words += [f"-n {namespace}"] if row.namespaced and namespace != "default" else []
        words += [f"--cascade={options['cascade']}"] if options["cascade"] != "background" else []
        words += [f"--grace-period={options['grace']}"] if options["grace"] is not None else []
        words += [flag for flag, wanted in (("--now", options["now"]), ("--force", options["force"]), ("--wait=false", not options["wait"])) if wanted]
        return " ".join(words)


def target_name(entry):
    return entry.name if entry.namespace in ("", "default") else f"{entry.namespace}/{entry.name}"


class CommandForm(forms.Form):
    """A line for the console."""

    line = forms.CharField(max_length=64 * 1024, error_messages={"required": _("Type a command, for example: kubectl get pods")})

    def clean_line(self):
        line = self.cleaned_data["line"].strip()
        if line == "k" or line.startswith("k "):
            line = f"kubectl{line[1:]}"
        if line != "kubectl" and not line.startswith("kubectl "):
            raise ValidationError(_("Only kubectl is here: begin with “kubectl”."))
        return line


class FaultForm(forms.Form):
    words = forms.CharField(max_length=400)


class PaceForm(forms.Form):
    """`choice` is "paused", or a pace with its speed: one of PACES, or what a lesson has chosen."""

    choice = forms.CharField(max_length=20)

    def clean_choice(self):
        """(kind, speed or None)"""
        kind, _colon, speed = self.cleaned_data["choice"].partition(":")
        try:
            found = kind, float(speed) if speed else None
            check(*found)
        except ValueError as error:
            raise ValidationError(str(error)) from None
        return found

    def pace(self):
        """(kind, speed or None) as clusters.set_pace takes it."""
        return self.cleaned_data["choice"]


def paces_with(kind, speed):
    """PACES, and before them the pace that a cluster has if it is none of these."""
    value, titles = f"{kind}:{speed:g}", {"story": _("Story: a message every %(speed)s s"), "real": _("Real time × %(speed)s")}
    if kind not in titles or value in dict(PACES):
        return PACES
    return ((value, titles[kind] % {"speed": f"{speed:g}"}), *PACES)
