"""Text in lines of bounded width."""
import re


def wrapped(text, width):
    """Lines of at most `width` letters, broken at spaces; a word that is longer stays whole, line breaks stay where they are."""
    return "\n".join([_wrapped_line(line, width) for line in text.split("\n")])


def _wrapped_line(line, width):
    lines, current = [], ""
    for space, word in re.findall(r"(\s*)(\S+)", line):
        if current and len(current) + len(space) + len(word) > width:
            lines.append(current)
            current = word
        else:
            current += space + word
    return "\n".join([*lines, current])


def indented(text, margin):
    """Every line moved to the right by `margin` spaces, empty ones too."""
    return " " * margin + text.replace("\n", "\n" + " " * margin)
