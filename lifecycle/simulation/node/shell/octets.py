"""Bytes as text: what is no UTF-8 stands in it as characters of a private area, one for each byte, and comes out as it went in."""
import re

BASE = 0xEF00                                    # the byte b, from 0x80 on, stands as the character BASE + b
TAKEN = re.compile("[\uef80-\uefff]")            # characters that mean a byte; where they come as themselves, their own bytes are meant
_IN = {0xDC00 + byte: BASE + byte for byte in range(0x80, 0x100)}          # from and to what Python's surrogateescape makes of such bytes
_OUT = {mark: escape for escape, mark in _IN.items()}


def text_of(data):
    """The text that stands for some bytes. A character that was cut in two between two calls is the same bytes in the end."""
    text = data.decode("utf-8", "surrogateescape")
    text = TAKEN.sub(lambda found: "".join(chr(BASE + byte) for byte in found[0].encode()), text)
    return text if text.isascii() else text.translate(_IN)


def bytes_of(text):
    """The bytes that a text stands for."""
    if text.isascii():
        return text.encode()
    return text.translate(_OUT).encode("utf-8", "surrogateescape")


def size(text):
    """How many bytes a text stands for."""
    return len(text) if text.isascii() else len(bytes_of(text))
