"""The value of numbers in Chinese characters."""

from decimal import Decimal

__all__ = ["HAN_SCALES", "han_number"]

_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}


def han_number(text: str) -> Decimal:
    """The value of Chinese numerals, positional ("二〇二一") or with 十百千万亿, with an optional 点 part."""
    whole, _, fraction = text.partition("点")
    if not any(char in "十百千万亿" for char in whole):
        value = int("".join(str(_HAN_DIGITS[char]) for char in whole) or "0")
    else:
        value = _han_sections(whole)
    digits = "".join(str(_HAN_DIGITS[char]) for char in fraction if char in _HAN_DIGITS)
    return Decimal(f"{value}.{digits}") if digits else Decimal(value)


def _han_sections(whole: str) -> int:
    total = section = digit = 0
    last_scale = 1
    for char in whole:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
            last_scale = 1 if digit == 0 else last_scale
        elif HAN_SCALES[char] < 10**4:
            last_scale = HAN_SCALES[char]
            section += (digit or 1) * last_scale
            digit = 0
        else:
            last_scale = HAN_SCALES[char]
            section = (section + digit) or (0 if total else 1)
            total = (total + section) * last_scale if last_scale == 10**8 else total + section * last_scale
            section = digit = 0
    return total + section + digit * (last_scale // 10 if digit and last_scale > 10 else 1)
