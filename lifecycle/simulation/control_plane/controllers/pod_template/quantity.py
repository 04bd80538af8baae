"""A resource quantity as Go prints its parts (k8s.io/apimachinery/pkg/api/resource ParseQuantity), from the form in which the API server stores it."""
import re

DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
QUANTITY = re.compile(r"(-?\d+)(?:e(-?\d+)|([a-zA-Z]*))")
WORD = 1 << 64


def printed_quantity(text):
    """The four inner fields of a quantity such as "100m", "1Gi" or "1e3"; None is the zero value."""
    if text is None:
        return _fields(0, 0, "", "")
    digits, exponent, suffix = QUANTITY.fullmatch(str(text)).groups()
    if suffix in BINARY:
        return _binary(str(text), digits.lstrip("-"), int(digits), BINARY[suffix])
    return _fields(int(digits), int(exponent or DECIMAL[suffix]), str(text), "DecimalExponent" if exponent else "DecimalSI")


def _binary(text, digits, number, exponent):
    """Multiples of powers of two are plain numbers as long as about fifteen decimal digits hold them."""
    if 15 - len(digits) - exponent * 3 // 10 - 1 >= 0:
        return _fields(number << exponent, 0, text, "BinarySI")
    unscaled = f"{{neg:(bool){str(number < 0).lower()} abs:(big.nat){_words(abs(number) << exponent)}}}"
    return _fields(0, 0, "", "BinarySI", f"{{unscaled:(big.Int){unscaled} scale:(inf.Scale)0}}")


def _words(number):
    words = []
    while number:
        words.append(str(number % WORD))
        number //= WORD
    return f"[{' '.join(words)}]"


def _fields(value, scale, text, form, decimal="<nil>"):
    return (f"{{i:(resource.int64Amount){{value:(int64){value} scale:(resource.Scale){scale}}} d:(resource.infDecAmount){{Dec:(*inf.Dec){decimal}}} "
            f"s:(string){text} Format:(resource.Format){form}}}")
