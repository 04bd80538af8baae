"""Protocol Buffers on the wire: a message is a row of (field number, value), nothing more (protobuf.dev/programming-guides/encoding)."""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
WIDTHS = {FIXED64: 8, FIXED32: 4}
CUT_OFF = "the protobuf body ends in the middle of a field"


def fields(data):
    """Yield (field number, value) of a message: an int for a varint, bytes for everything else. Raises ValueError with a sentence."""
    place = 0
    while place < len(data):
        tag, place = varint(data, place)
        number, kind = tag >> 3, tag & 7
        if not number:
            raise ValueError("the protobuf body has a field with the number 0")
        if kind == VARINT:
            value, place = varint(data, place)
            yield number, value
            continue
        if kind == BYTES:
            length, place = varint(data, place)
        elif kind in WIDTHS:
            length = WIDTHS[kind]
        else:
            raise ValueError(f"the protobuf body has a field of wire type {kind}, which there is not")
        if length > len(data) - place:
            raise ValueError(CUT_OFF)
        yield number, data[place:place + length]
        place += length


def varint(data, place):
    """(the unsigned number of at most 64 bits that begins at `place`, the place behind it). Raises ValueError with a sentence."""
    number = 0
    for shift in range(0, 70, 7):
        if place >= len(data):
            raise ValueError(CUT_OFF)
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number & 0xFFFFFFFFFFFFFFFF, place
    raise ValueError("the protobuf body has a number of more than ten bytes")


def signed(number, bits):
    """The int32 or int64 that a varint stands for."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def number(value):
    """The value of a field that is a number. Raises ValueError with a sentence."""
    if not isinstance(value, int):
        raise ValueError(f"the protobuf body has {len(value)} bytes where a number belongs")
    return value


def raw(value):
    """The value of a field that is bytes. Raises ValueError with a sentence."""
    if not isinstance(value, bytes):
        raise ValueError("the protobuf body has a number where bytes belong")
    return value


def text(value):
    """The value of a field that is a string. Raises ValueError with a sentence."""
    try:
        return raw(value).decode()
    except UnicodeDecodeError:
        raise ValueError("the protobuf body has a string that is not UTF-8") from None
