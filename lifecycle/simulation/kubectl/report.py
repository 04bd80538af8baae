"""What a command prints about an object it has changed: its name and what was done, or the object as -o asks."""
from json import dumps

from lifecycle.simulation.kubectl.discovery import typed_name
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.printing.errors import OutputError
from lifecycle.simulation.kubectl.printing.formats import make_printer, object_name
from lifecycle.simulation.kubectl.printing.json_text import HTML

SUFFIXES = {"": "", "client": " (dry run)", "server": " (server dry run)"}
FROM_FILES = {"jsonpath-file": "jsonpath", "go-template-file": "go-template", "templatefile": "go-template"}
COLUMNS, COLUMNS_FILE = "custom-columns", "custom-columns-file"
TABULAR = ("wide", COLUMNS, COLUMNS_FILE)
FORMATS = "go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,yaml"


class Report:
    """Prints objects one after the other. Raises CommandError when it is made for a format that does not exist."""

    def __init__(self, invocation):
        self.invocation = invocation
        output = invocation.flags.get("output", "")
        if output.partition("=")[0] in TABULAR:
            raise CommandError(f'unable to match a printer suitable for the output format "{output}", allowed formats are: {FORMATS}')
        self.only_name = output == "name"
        self.printer = format_printer(invocation, FORMATS) if output and not self.only_name else None

    def done(self, info, thing, operation, made_here=False):
        """Say that `operation` ("created", "scaled") happened to the object of an Info; `thing` is the object as it is now.

        One that kubectl has made itself keeps the order of its fields in JSON.
        """
        invocation = self.invocation
        if made_here and invocation.flags.get("output") == "json":
            invocation.out(dumps(thing, indent=4, ensure_ascii=False).translate(HTML))
        elif self.printer:
            show(invocation, self.printer, thing)
        elif self.only_name:
            invocation.out(_name(info, thing))
        else:
            invocation.out(f"{_name(info, thing)} {operation}{SUFFIXES[invocation.dry_run]}")


def _name(info, thing):
    """"deployment.apps/web"; what a subresource answered has a kind of its own."""
    if thing.get("kind") in (None, info.resource.kind):
        return f"{typed_name(info.resource)}/{info.name}"
    return object_name(thing)


def format_printer(invocation, formats=None):
    """The printer that -o and --template ask for; `formats` are those to name if there is none such. Raises CommandError."""
    flags = invocation.flags
    output, template = flags["output"] or "go-template", flags.get("template", "")
    kind, _, argument = output.partition("=")
    if kind in FROM_FILES:
        output, template = FROM_FILES[kind], template_text(invocation, argument or template, "--template")
    elif kind == COLUMNS_FILE:
        name = argument or template
        output, template = (COLUMNS_FILE, template_text(invocation, name)) if name else (COLUMNS, "")
    try:
        return make_printer(output, template, not flags.get("no-headers"), flags.get("show-managed-fields", False), flags.get("allow-missing-template-keys",
                                                                                                                              True))
    except OutputError as error:
        message = str(error)
        if formats and "allowed formats are: " in message:
            message = message.partition("allowed formats are: ")[0] + "allowed formats are: " + formats
        raise CommandError(message) from None


def template_text(invocation, name, what="template"):
    """A template from a file."""
    if name not in invocation.files:
        raise CommandError(f"error reading {what} {name}, open {name}: no such file or directory")
    return invocation.files[name]


def show(invocation, printer, thing):
    """Print an object with a format's printer."""
    try:
        invocation.write("out", printer.print(thing))
    except OutputError as error:
        raise CommandError(str(error)) from None
