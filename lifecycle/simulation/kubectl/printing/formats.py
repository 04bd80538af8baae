"""What `-o FORMAT` makes of objects (kubectl/pkg/cmd/get/get_flags.go, cli-runtime/pkg/printers)."""
from lifecycle.simulation.objects import removed

from .custom_columns import CustomColumnsPrinter, columns_of, columns_of_file
from .errors import OutputError
from .go_template import GoTemplate
from .json_text import to_json
from .jsonpath_output import JSONPathPrinter
from .kyaml_text import to_kyaml
from .yaml_text import to_yaml

NAMES = ("custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,"
         "template,templatefile,wide,yaml")


class JSONPrinter:
    def print(self, thing):
        return to_json(thing) + "\n"


class YAMLPrinter:
    """Documents of one output are separated by "---"."""

    def __init__(self):
        self.printed = 0

    def print(self, thing):
        self.printed += 1
        return ("---\n" if self.printed > 1 else "") + to_yaml(thing)


class KYAMLPrinter:
    def print(self, thing):
        return to_kyaml(thing)


class NamePrinter:
    """"pod/web", "deployment.apps/web"; of a list, every item."""

    def print(self, thing):
        if "items" in thing:
            return "".join([self.print(item) for item in thing["items"]])
        return f"{object_name(thing)}\n"


class _Plain:
    """Hides managedFields, as kubectl does unless asked to show them."""

    def __init__(self, printer):
        self.printer = printer

    def print(self, thing):
        return self.printer.print(without_managed_fields(thing))


def make_printer(output, template="", headers=True, show_managed_fields=False, allow_missing=True):
    """A printer with `print(object) -> text` for an `-o` that asks for more than a table ("yaml", "jsonpath={.x}", "custom-columns=A:.b", ...).

    `template` is what `--template` said, or what stands in the file of a "custom-columns-file".
    Raises OutputError with kubectl's text (without "error: ") for a format that does not exist or a bad template.
    """
    name, equals, argument = output.partition("=")
    template = argument if equals else template
    if name in PLAIN and not equals:
        printer = PLAIN[name]()
    elif name == "custom-columns":
        printer = CustomColumnsPrinter(columns_of(template), headers)
    elif name == "custom-columns-file" and not equals:
        printer = CustomColumnsPrinter(columns_of_file(template))
    elif name in ("jsonpath", "jsonpath-as-json"):
        printer = JSONPathPrinter(_given(template), allow_missing, name == "jsonpath-as-json")
    elif name in ("go-template", "template"):
        printer = GoTemplate(_given(template), allow_missing)
    else:
        raise OutputError(f'unable to match a printer suitable for the output format "{output}", allowed formats are: {NAMES}')
    return printer if show_managed_fields or name == "name" else _Plain(printer)


PLAIN = {"json": JSONPrinter, "yaml": YAMLPrinter, "kyaml": KYAMLPrinter, "name": NamePrinter}


def _given(template):
    if not template:
        raise OutputError("template format specified but no template given")
    return template


def object_name(thing):
    """"deployment.apps/web": kind and group in small letters, and the name."""
    group = thing["apiVersion"].rpartition("/")[0]
    return f"{thing['kind'].lower()}{'.' + group if group else ''}/{thing['metadata']['name']}"


def as_list(items):
    """Several objects as the List that kubectl prints."""
    return {"apiVersion": "v1", "items": list(items), "kind": "List", "metadata": {"resourceVersion": ""}}


def without_managed_fields(thing):
    """An object, or a list's items, without metadata.managedFields."""
    if "items" in thing:
        return {**thing, "items": [without_managed_fields(item) for item in thing["items"]]}
    return removed(thing, "metadata", "managedFields") if isinstance(thing.get("metadata"), dict) else thing
