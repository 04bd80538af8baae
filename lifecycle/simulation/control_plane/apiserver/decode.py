"""Decoding request bodies into objects as Go would store them: typed, without unknown fields, empty values as Go writes them."""
from lifecycle.simulation.apimachinery.schema import ANY, LIST, MAP, OBJECT, custom_schema, schema_for
from lifecycle.simulation.control_plane.apiserver import scalars, zeros
from lifecycle.simulation.control_plane.apiserver.scalars import Mismatch

STRICT, WARN, IGNORE = "Strict", "Warn", "Ignore"


class DecodeError(ValueError):
    """A body that is no such object: 400 BadRequest with this message."""

    def __init__(self, message):
        super().__init__(message)
        self.message = message


def decode(body, gvk, field_validation=STRICT, base=None, duplicates=(), open_api=None):
    """(object, warnings) of a JSON body.

    `gvk` is (group, version, kind); `base`, the stored object that the body was made from, if any, spares work on what they share;
    `duplicates` are paths of fields that the text had twice; `open_api` is the schema of a custom resource. Raises DecodeError.
    """
    try:
        thing, problems = converted(body, type_of(gvk, open_api), base)
    except Mismatch as error:
        raise _refused(gvk, str(error)) from None
    problems += [f'duplicate field "{path}"' for path in duplicates]
    if problems and field_validation == STRICT:
        raise _refused(gvk, strict_error(problems))
    return thing, problems if field_validation == WARN else []


def type_of(gvk, open_api=None):
    """The schema's Type of a kind, built in or custom. Raises DecodeError."""
    found = schema_for(*gvk) if open_api is None else custom_schema(open_api, gvk[2])
    if found is None:
        group, version, kind = gvk
        raise DecodeError(f'no kind "{kind}" is registered for version "{group + "/" if group else ""}{version}" in scheme "pkg/api/legacyscheme/scheme.go:30"')
    return found


def strict_error(problems):
    """What strict validation says about unknown and duplicate fields."""
    return f"strict decoding error: {', '.join(problems)}"


def _refused(gvk, problem):
    _, version, kind = gvk
    return DecodeError(f'{kind} in version "{version}" cannot be handled as a {kind}: {problem}')


def converted(body, type, base=None, unstructured=False):
    """(object, [problem with an unknown field]); `unstructured` chooses the words for mistakes in a patched object. Raises Mismatch."""
    conversion = _Conversion(type, unstructured)
    try:
        thing = conversion.value(body, type, base)
    except RecursionError:
        raise Mismatch("exceeded max depth") from None
    if conversion.mismatch is not None:
        raise conversion.mismatch
    return thing, conversion.problems


_NOTHING = {}
_CONVERTERS = scalars.CONVERTERS


class _Conversion:
    """One walk over a body. It goes on after a mistake, as Go's decoder does, and reports the first one.

    `path` leads to the present value: a field's name as str, a place in a list as int, a map's key as a tuple of one.
    """

    def __init__(self, root, unstructured):
        self.root, self.unstructured = root, unstructured
        self.path, self.problems, self.mismatch = [], [], None

    def value(self, value, type, base):
        kind = type.kind
        if kind == OBJECT:
            return self.object(value, type, base)
        if kind == LIST:
            return self.list(value, type, base)
        if kind == MAP:
            return self.map(value, type, base)
        if kind == ANY:
            return value
        try:
            return _CONVERTERS[kind](value, type)
        except Mismatch as error:
            return self.refuse(error, value, type)

    def object(self, value, type, base):
        if not isinstance(value, dict):
            return self.refuse(Mismatch(), value, type)
        if not isinstance(base, dict):
            base = _NOTHING
        dropped, present, nulls = zeros.plan(type)
        fields, path, kept, same = type.fields, self.path, {}, True
        for key, old in value.items():
            new = before = base.get(key)
            if old is not before or old is None:
                inner = fields.get(key)
                if inner is None and not type.keeps_unknown:
                    self.problems.append(f'unknown field "{_dotted([*path, key])}"')
                path.append(key)
                new = None if inner is None and not type.keeps_unknown else old if inner is None or old is None else self.value(old, inner, before)
                path.pop()
                if new is None or (not new and key in dropped):
                    same = False
                    continue
                if key in nulls and not new:
                    new = None
            kept[key] = new
            same = same and new is old
        for key, zero in present:
            if key not in kept:
                kept[key] = zero
                same = same and key in value and value[key] is None and zero is None
        return value if same and len(kept) == len(value) else kept

    def list(self, value, type, base):
        if not isinstance(value, list):
            return self.refuse(Mismatch(), value, type)
        if value is base:
            return value
        inner, path, made, same = type.items, self.path, [], True
        known = {id(one) for one in base} if isinstance(base, list) and inner.kind == OBJECT else ()
        for place, old in enumerate(value):
            if id(old) in known:
                made.append(old)
                continue
            path.append(place)
            new = _zero(inner) if old is None else self.value(old, inner, None)
            path.pop()
            made.append(new)
            same = same and new is old
        return value if same else made

    def map(self, value, type, base):
        """A null in a map is dropped."""
        if not isinstance(value, dict):
            return self.refuse(Mismatch(), value, type)
        if value is base:
            return value
        inner, path, made, same = type.items, self.path, {}, True
        for key, old in value.items():
            if old is None:
                same = False
                continue
            path.append((key,))
            new = made[key] = self.value(old, inner, None)
            path.pop()
            same = same and new is old
        return value if same else made

    def refuse(self, error, value, type):
        """Remember the first mistake; its words say where it was by the names of fields alone."""
        if self.mismatch is None:
            self.mismatch = error if error.args else Mismatch(scalars.unstructured_words(value, type) if self.unstructured else self.words(value, type))
        return value

    def words(self, value, type):
        found, wanted = scalars.json_words(value, type)
        struct, names = self.root, []
        inner = self.root
        for step in self.path:
            if step.__class__ is str:
                struct = inner
                names += [inner.embedded[step], step] if step in inner.embedded else [step]
                inner = inner.fields[step]
            else:
                inner = inner.items
        place = f"struct field {struct.struct}.{'.'.join(names)}" if names else "value"
        return f"json: cannot unmarshal {found} into Go {place} of type {wanted}"


def _zero(type):
    """What a null in a list becomes."""
    if type.kind == OBJECT:
        return zeros.empty(type)
    return {LIST: [], MAP: {}}.get(type.kind, zeros.ZERO_SCALARS.get(type.kind))


def _dotted(path):
    """"spec.containers[0].image"."""
    text = "".join(f"[{step}]" if step.__class__ is int else f".{step if step.__class__ is str else step[0]}" for step in path)
    return text.removeprefix(".")
