"""Manifest files as kubectl reads them: YAML 1.1 with the typing of sigs.k8s.io/yaml, or JSON, in one or several documents."""
import json

import yaml

from lifecycle.simulation.manifest_values import ManifestLoader, UnreadableError, json_value, position_text

LARGEST = 1 << 20           # bytes in a file
MOST_DOCUMENTS = 64


class ManifestError(ValueError):
    """`message` is kubectl's text without its "error parsing FILE: "; `line` counts from 1 in the whole file."""

    def __init__(self, message, line=1):
        super().__init__(message)
        self.message, self.line = message, line


def read_manifests(text):
    """Every document of a manifest: a list of (line number, document); empty documents are left out. Raises ManifestError."""
    return list(documents(text))


def documents(text):
    """The documents one after another, so that those before a broken one can be applied, as kubectl does.

    Yields (line number, document); raises ManifestError where the text cannot go on.
    """
    if len(text) > LARGEST or len(text.encode()) > LARGEST:
        raise ManifestError(f"the manifest is larger than {LARGEST >> 10} KiB")
    read = 0
    for line, document in _all_documents(text.removeprefix("\ufeff")):
        if document is None:
            continue
        read += 1
        if read > MOST_DOCUMENTS:
            raise ManifestError(f"the manifest has more than {MOST_DOCUMENTS} documents", line)
        yield line, document


def _all_documents(text):
    if text.lstrip().startswith("{"):
        found = _json_documents(text)
        if found is not None:
            return found
    return _yaml_documents(text)


def _json_documents(text):
    """JSON values one after another, or None if this is no JSON: then it may still be YAML in flow style."""
    decoder, place, found = json.JSONDecoder(parse_constant=_refuse_constant), 0, []
    while rest := text[place:].lstrip():
        place = len(text) - len(rest)
        try:
            document, end = decoder.raw_decode(text, place)
            found.append((text.count("\n", 0, place) + 1, json_value(document)))
        except RecursionError:
            raise ManifestError("exceeded max depth") from None
        except UnreadableError as error:
            raise ManifestError(str(error), text.count("\n", 0, place) + 1) from None
        except ValueError:
            return None
        place = end
    return found


def _refuse_constant(name):
    raise ValueError(name)


def _yaml_documents(text):
    for first_line, chunk in _chunks(text):
        document = _loaded(chunk, first_line)
        yield first_line + _leading_lines(chunk), document


def _chunks(text):
    """(number of its first line, text) of what lies between lines that begin with "---"; such a line may hold a comment but nothing else."""
    lines, first = [], 1
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not line.startswith("---"):
            lines.append(line)
            continue
        rest = line[3:].strip()
        if rest and not rest.startswith("#"):
            raise ManifestError(f"invalid Yaml document separator: {rest}", number)
        if lines:
            yield first, "\n".join(lines) + "\n"
        lines, first = [], number + 1
    if lines:
        yield first, "\n".join(lines)


def _leading_lines(chunk):
    """How many lines of comments and nothing stand before the document."""
    contents = (number for number, line in enumerate(chunk.splitlines()) if line.strip() and not line.lstrip().startswith("#"))
    return next(contents, 0)


def _loaded(chunk, first_line):
    try:
        loader = ManifestLoader(chunk)
        try:
            return json_value(loader.get_single_value())
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        where, line, problem = position_text(error, chunk)
        raise ManifestError(f"error converting YAML to JSON: yaml: {where}{problem}", first_line + max(line - 1, 0)) from None
    except yaml.YAMLError:
        raise ManifestError("error converting YAML to JSON: yaml: control characters are not allowed", first_line) from None
    except UnreadableError as error:
        raise ManifestError(f"error converting YAML to JSON: {error}", first_line) from None
