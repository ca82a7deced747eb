"""Titles before English names, in all their spellings."""

from __future__ import annotations

import re

__all__ = [
    "TITLE_WORDS",
    "split_title",
]

_SPELT: dict[str, str] = {
    "Dr": "Doctor",
    "Mister": "Mr",
    "Capt": "Captain",
    "Cap’n": "Captain",
    "Col": "Colonel",
    "Gen": "General",
    "Lt": "Lieutenant",
    "Lieut": "Lieutenant",
    "Sgt": "Sergeant",
    "Rev": "Reverend",
    "Prof": "Professor",
    "M": "Monsieur",
    "Mme": "Madame",
    "Mlle": "Mademoiselle",
    "Mdlle": "Mademoiselle",
    "Madam": "Madame",
    "Abbé": "Abbe",
    "St": "Saint",
}
"""Short and other spellings of a title, each with the one it stands for."""

_TITLES = (
    "Mr Sir Lord Captain Colonel Major General Sergeant Lieutenant Doctor Professor Master Monsieur Count Comte "
    "Vicomte Duke Prince King Emperor Baron Father Brother Uncle Bishop Archbishop Cardinal Abbot Abbe Reverend "
    "Inspector Judge Marquis Earl Squire Commander Admiral Chevalier Corporal Ensign Friar Parson Pope Tsar Czar "
    "Sultan Sheriff Don Signor Señor Herr Grandfather Constable Viscount Milord Mrs Ms Miss Lady Dame Mistress "
    "Madame Mademoiselle Countess Comtesse Duchess Princess Queen Empress Baroness Mother Sister Aunt Abbess "
    "Marquise Donna Signora Señora Frau Fräulein Granny Grandmother Viscountess Missis Nurse Saint Magister Elder "
    "Grandmaster Cousin President Governor Senator Detective Officer Chancellor"
).split()
TITLE_WORDS = tuple(dict.fromkeys([*_TITLES, *_SPELT, "Cap'n"]))


_LONGEST_FIRST = "|".join(sorted(map(re.escape, TITLE_WORDS), key=lambda each: (-len(each), each)))
_TITLED = re.compile(rf"(?P<title>{_LONGEST_FIRST})\.? (?P<name>\S.*)")


def split_title(name: str) -> tuple[str, str]:
    """The title of a name, spelt out (Doctor for Dr), and the rest; "" where it has none."""
    found = _TITLED.fullmatch(name)
    if found is None:
        return "", name
    title = found["title"].replace("'", "’")
    return _SPELT.get(title, title), found["name"]
