"""test and [ ]: conditions on files, texts and numbers."""
from .files import DIRECTORY

NUMBERS = {"-eq": lambda a, b: a == b, "-ne": lambda a, b: a != b, "-lt": lambda a, b: a < b, "-le": lambda a, b: a <= b, "-gt": lambda a, b: a > b, "-ge": lambda a, b: a >= b}
TEXTS = {"=": lambda a, b: a == b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}


def _is_text(found):
    return isinstance(found, str)


FILES = {"-e": lambda found: found is not None, "-f": _is_text, "-d": lambda found: found is DIRECTORY, "-s": lambda found: _is_text(found) and bool(found),
         "-r": lambda found: found is not None, "-w": lambda found: found is not None, "-x": lambda found: found is not None, "-L": lambda found: False, "-h": lambda found: False}


def holds(shell, args):
    """Whether the condition that the words spell is true."""
    for operator, combine in (("-o", any), ("-a", all)):
        if operator in args[1:-1]:
            place = args.index(operator, 1)
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


def _compared(left, operator, right):
    if operator in NUMBERS:
        return NUMBERS[operator](_number(left), _number(right))
    return operator in TEXTS and TEXTS[operator](left, right)


def _single(shell, operator, operand):
    if operator in FILES:
        return FILES[operator](shell.files.get(operand, shell.cwd))
    return bool(operand) if operator == "-n" else not operand if operator == "-z" else False


def _number(text):
    text = text.strip()
    return int(text) if text.lstrip("+-").isdigit() else 0
