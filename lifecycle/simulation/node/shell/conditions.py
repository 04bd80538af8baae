"""test and [ ]: conditions on files, texts and numbers."""
import operator

from .files import DIRECTORY

NUMBERS = {"-eq": operator.eq, "-ne": operator.ne, "-lt": operator.lt, "-le": operator.le, "-gt": operator.gt, "-ge": operator.ge}
TEXTS = {"=": operator.eq, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt}


def _is_text(found):
    return isinstance(found, str)


def _exists(found):
    return found is not None


def _is_link(found):
    return False


FILES = {"-e": _exists, "-f": _is_text, "-d": lambda found: found is DIRECTORY, "-s": lambda found: _is_text(found) and bool(found),
         "-r": _exists, "-w": _exists, "-x": _exists, "-L": _is_link, "-h": _is_link}


def holds(shell, args):
    """Whether the condition that the words spell is true."""
    for word, combine in (("-o", any), ("-a", all)):
        if word in args[1:-1]:
            place = args.index(word, 1)
            return combine((holds(shell, args[:place]), holds(shell, args[place + 1:])))
    if args[:1] == ["!"]:
        return not holds(shell, args[1:])
    if args[:1] == ["("] and args[-1:] == [")"]:
        return holds(shell, args[1:-1])
    if len(args) == 3:
        return _compared(*args)
    if len(args) == 2:
        return _single(shell, *args)
    return bool(args and args[0])


def _compared(left, word, right):
    if word in NUMBERS:
        return NUMBERS[word](_number(left), _number(right))
    return word in TEXTS and TEXTS[word](left, right)


def _single(shell, word, operand):
    if word in FILES:
        return FILES[word](shell.files.get(operand, shell.cwd))
    return bool(operand) if word == "-n" else not operand if word == "-z" else False


def _number(text):
    text = text.strip()
    return int(text) if text.lstrip("+-").isdigit() else 0
