"""Kubernetes quantities: "100m", "1Gi", "1e3" and their exact values (apimachinery/pkg/api/resource/quantity.go)."""
import re
from functools import lru_cache
from typing import NamedTuple

DECIMAL_SI, BINARY_SI, DECIMAL_EXPONENT = "DecimalSI", "BinarySI", "DecimalExponent"
NANO = 10**9                                   # the finest amount that Kubernetes knows: one nano unit
LARGEST = (2**63 - 1) * NANO                   # larger amounts are cut to this
MOST_DIGITS = 1000

WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
WRONG_NUMBER = "unable to parse numeric part of quantity"
WRONG_SUFFIX = "unable to parse quantity's suffix"

_PARTS = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)", re.ASCII)
_EXPONENT = re.compile(r"[eE]([-+]?[0-9]+)", re.ASCII)
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES = ["", *_BINARY]
_DECIMAL_SUFFIXES = {exponent: suffix for suffix, exponent in _DECIMAL.items()}


class QuantityError(ValueError):
    """The text is no quantity; the message is the API server's own."""


class Quantity(NamedTuple):
    """An exact amount in nano units, and the notation it was written in."""

    nano: int
    format: str


@lru_cache(maxsize=8192)
def parse(text):
    """The Quantity that a text (or a JSON number) stands for. Raises QuantityError."""
    found = _PARTS.fullmatch(str(text).strip())
    if not found or found.group() == "":
        raise QuantityError(WRONG_FORMAT)
    sign, whole, fraction, suffix = found.groups(default="")
    multiplier, divisor, notation = _interpreted(suffix)
    if not 0 < len(whole + fraction) <= MOST_DIGITS:
        raise QuantityError(WRONG_NUMBER)
    numerator, denominator = int(whole + fraction) * multiplier * NANO, 10 ** len(fraction) * divisor
    nano = min(-(-numerator // denominator), LARGEST)
    if notation == BINARY_SI and 0 < nano < NANO:
        notation = DECIMAL_SI
    return Quantity(-nano if sign == "-" else nano, notation)


def _interpreted(suffix):
    """(multiplier, divisor, notation) of a suffix."""
    if suffix in _BINARY:
        return 1024 ** _BINARY[suffix], 1, BINARY_SI
    power, notation = _DECIMAL.get(suffix), DECIMAL_SI
    if power is None:
        exponent = _EXPONENT.fullmatch(suffix)
        if not exponent or len(exponent.group(1)) > 4:
            raise QuantityError(WRONG_SUFFIX)
        power, notation = int(exponent.group(1)), DECIMAL_EXPONENT
    return 10 ** max(power, 0), 10 ** max(-power, 0), notation


@lru_cache(maxsize=8192)
def milli(text):
    """Thousandths, rounded up: millicores of a CPU quantity."""
    return -(-parse(text).nano // 10**6)


@lru_cache(maxsize=8192)
def value(text):
    """Whole units, rounded up: bytes of a memory quantity, a number of pods."""
    return -(-parse(text).nano // NANO)


@lru_cache(maxsize=8192)
def canonical(text):
    """The text as the API server prints it again: "1000m" -> "1", "0.5" -> "500m", "1024Mi" -> "1Gi". Raises QuantityError."""
    return _printed(*parse(text))


def format_quantity(amount, format=DECIMAL_SI):
    """A quantity's text for a whole number of units."""
    return _printed(amount * NANO, format)


def add(first, second):
    """The sum of two quantities' texts in the notation of the first, unless that is zero."""
    left, right = parse(first), parse(second)
    return _printed(left.nano + right.nano, left.format if left.nano else right.format)


def subtract(first, second):
    """The difference of two quantities' texts in the notation of the first, unless that is zero."""
    left, right = parse(first), parse(second)
    return _printed(left.nano - right.nano, left.format if left.nano else right.format)


def _printed(nano, notation):
    if nano == 0:
        return "0"
    if notation == BINARY_SI and abs(nano) >= 1024 * NANO and nano % NANO == 0:
        number, steps = _without_factor(nano // NANO, 1024, 6)
        return f"{number}{_BINARY_SUFFIXES[steps]}"
    thousands, steps = _without_factor(nano, 1000, 9)
    exponent = 3 * steps - 9
    if notation == DECIMAL_EXPONENT:
        return f"{thousands}e{exponent}" if exponent else str(thousands)
    return f"{thousands}{_DECIMAL_SUFFIXES[exponent]}"


def _without_factor(number, factor, most):
    """(number divided by the factor as often as it goes, how often that was)."""
    steps = 0
    while steps < most and number % factor == 0:
        number //= factor
        steps += 1
    return number, steps
