"""Check digits of cards, accounts and identity numbers: pure functions of digits without separators."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["chinese_id_holds", "iban_holds", "iban_length", "luhn_holds", "plausible_date", "verhoeff_holds", "weighed"]

_DOUBLED = bytes.maketrans(b"0123456789", bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_CHINESE_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_PROVINCES = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()
)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_IBAN_LENGTHS = {
    pair[:2]: int(pair[3:])
    for pair in (
        "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BI:27 BR:29 BY:28 CH:21 CR:22 CY:28 CZ:24 DE:22 "
        "DJ:27 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FK:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 GT:28 HN:28 "
        "HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 LY:25 "
        "MC:27 MD:24 ME:22 MK:19 MN:20 MR:27 MT:31 MU:30 NI:28 NL:18 NO:15 OM:23 PK:24 PL:28 PS:29 PT:25 QA:29 "
        "RO:24 RS:22 RU:33 SA:24 SC:31 SD:18 SE:24 SI:19 SK:24 SM:27 SO:23 ST:25 SV:28 TL:23 TN:24 TR:26 UA:29 "
        "VA:22 VG:24 XK:20 YE:30"
    ).split()
}
_VERHOEFF_PRODUCT = (
    *("0123456789", "1234067895", "2340178956", "3401289567", "4012395678"),
    *("5987604321", "6598710432", "7659821043", "8765932104", "9876543210"),
)
_VERHOEFF_ORDER = (
    *("0123456789", "1576283094", "5803796142", "8916043527"),
    *("9453126870", "4286573901", "2793806415", "7046913258"),
)


def luhn_holds(digits: str) -> bool:
    """Whether the last digit is the Luhn check of the others."""
    codes = digits.encode()
    plain = codes[-1::-2]
    return (sum(plain) - 48 * len(plain) + sum(codes[-2::-2].translate(_DOUBLED))) % 10 == 0


def weighed(digits: str, weights: Sequence[int]) -> int:
    """The sum of the digits, each times its weight; letters count as in base 36."""
    return sum(int(digit, 36) * weight for digit, weight in zip(digits, weights, strict=False))


def plausible_date(year: int, month: int, day: int) -> bool:
    """Whether somebody alive may have been born on it."""
    return 1900 <= year <= 2035 and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1]


def chinese_id_holds(number: str, *, check: bool = True) -> bool:
    """Whether 18 characters are a resident's number: a province, a date of birth and, if asked, the check digit."""
    date = plausible_date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    if number[:2] not in _PROVINCES or not date:
        return False
    return not check or "10X98765432"[weighed(number[:17], _CHINESE_WEIGHTS) % 11] == number[17].upper()


def iban_length(country: str) -> int:
    """How many characters an account number of that country has (0: it has none)."""
    return _IBAN_LENGTHS.get(country.upper(), 0)


def iban_holds(number: str) -> bool:
    """Whether the check digits of an account number hold, once its country goes last and letters are numbers."""
    turned = number[4:] + number[:4]
    return int("".join(str(int(character, 36)) for character in turned)) % 97 == 1


def verhoeff_holds(digits: str) -> bool:
    """Whether the last digit is the Verhoeff check of the others."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_VERHOEFF_PRODUCT[check][int(_VERHOEFF_ORDER[place % 8][int(digit)])])
    return check == 0
