"""A number found in a text, and the one key equal numbers share."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

__all__ = ["Numeral", "canonical"]


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number at characters `start:end`; `unit` is "%" where the words themselves say so ("百分之五", "三成")."""

    key: str
    start: int
    end: int
    unit: str = ""


def canonical(value: Decimal | Fraction) -> str:
    """Plain decimal notation without leading or trailing zeros; a fraction that is no decimal stays "1/3"."""
    if isinstance(value, Fraction):
        rest = value.denominator
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        if rest != 1:
            return f"{value.numerator}/{value.denominator}"
        value = Decimal(value.numerator) / Decimal(value.denominator)
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.lstrip("+") if text not in ("-0", "") else "0"
