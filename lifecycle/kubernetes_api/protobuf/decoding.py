"""From bytes to an object as its JSON would be."""
import base64

from . import wire
from .messages import LIST, MAP, message_of, messages
from .special import SPECIAL, WRAPPED_LISTS
from .wire import number, raw, text

MAGIC = b"k8s\0"
LARGEST = 3 << 20               # bytes: what a real API server takes (apiserver/pkg/server/config.go, MaxRequestBodyBytes)
MOST_VALUES = 100_000           # fields of all messages together: an empty one takes two bytes here and hundreds in memory


def decode(data):
    """The JSON-shaped object, with apiVersion and kind, of a request body: the magic number, then a runtime.Unknown that holds the object's message.

    Fields that Go writes although they are empty ("", 0, false) are there; the API server's decoder drops them as it does those of a JSON body.
    Raises ValueError with a sentence for whatever is no such body, is of an unknown kind, or too large.
    """
    if len(data) > LARGEST:
        raise ValueError(f"the protobuf body has {len(data)} bytes, {LARGEST} are the most")
    if data[:len(MAGIC)] != MAGIC:
        raise ValueError("the protobuf body does not begin with k8s and a zero byte")
    walk = _Walk()
    envelope = walk.last(bytes(data[len(MAGIC):]))
    about = walk.last(envelope.get(1, b""))
    version, kind = text(about.get(1, b"")), text(about.get(2, b""))
    message = message_of(version, kind)
    if message is None:
        raise ValueError(f'kind "{kind}" of version "{version}" is not known in protobuf; send it as JSON')
    if envelope.get(3):
        raise ValueError("the protobuf body has an encoding inside, which is not supported")
    return {"apiVersion": version, "kind": kind, **walk.message(envelope.get(2, b""), message)}


class _Walk:
    """One walk over a body, which counts what it finds. No message of the table contains itself, so it is as deep as the table at most."""

    def __init__(self):
        self.left = MOST_VALUES

    def fields(self, data):
        """(number, value) of every field of a message."""
        for each in wire.fields(raw(data)):
            self.count()
            yield each

    def last(self, data):
        """{number: last value} of a message's fields."""
        return dict(self.fields(data))

    def count(self):
        self.left -= 1
        if self.left < 0:
            raise ValueError(f"the protobuf body has more than {MOST_VALUES} fields")

    def message(self, data, name):
        """The object of a message: a dict, or what else JSON makes of it; None for a time that is not set."""
        if name in SPECIAL:
            return SPECIAL[name](self.last(data))
        known, thing = messages()[name], {}
        for place, value in self.fields(data):
            if place in known:
                self._put(thing, known[place], value)
        return thing.get("items", []) if name in WRAPPED_LISTS else thing

    def _put(self, thing, field, value):
        """Add one field's value to an object."""
        if field.many == MAP:
            entry = self.last(value)
            thing.setdefault(field.name, {})[text(entry.get(1, b""))] = self._value(entry.get(2, b""), field.type)
        elif field.many == LIST:
            thing.setdefault(field.name, []).extend(self._elements(value, field.type))
        elif field.inline:
            thing.update(self.message(value, field.type))
        else:
            found = self._value(value, field.type)
            if found is not None:
                thing[field.name] = found

    def _elements(self, value, kind):
        """Yield the elements that one field adds to a list: several if they are packed numbers."""
        if kind not in NUMBERS or isinstance(value, int):
            yield self._value(value, kind)
            return
        place = 0
        while place < len(value):
            found, place = wire.varint(value, place)
            self.count()
            yield NUMBERS[kind](found)

    def _value(self, value, kind):
        if kind in NUMBERS:
            return NUMBERS[kind](number(value))
        if kind == "string":
            return text(value)
        if kind == "bytes":
            return base64.b64encode(raw(value)).decode()
        return self.message(value, kind)


NUMBERS = {"int32": lambda found: wire.signed(found, 32), "int64": lambda found: wire.signed(found, 64), "bool": bool}
