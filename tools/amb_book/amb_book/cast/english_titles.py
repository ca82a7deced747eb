"""Titles before English names, in all their spellings; first names with their short forms, and whose they are."""

from __future__ import annotations

import re
from typing import Literal

__all__ = [
    "TITLE_WORDS",
    "Sex",
    "sex_of_name",
    "sex_of_title",
    "spelt_out",
    "split_title",
]

Sex = Literal["m", "f", ""]

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

_MALE = (
    "Mr Sir Lord Captain Colonel Major General Sergeant Lieutenant Doctor Professor Master Monsieur Count Comte "
    "Vicomte Duke Prince King Emperor Baron Father Brother Uncle Bishop Archbishop Cardinal Abbot Abbe Reverend "
    "Inspector Judge Marquis Earl Squire Commander Admiral Chevalier Corporal Ensign Friar Parson Pope Tsar Czar "
    "Sultan Sheriff Don Signor Señor Herr Grandfather Constable Viscount Milord"
).split()
_FEMALE = (
    "Mrs Ms Miss Lady Dame Mistress Madame Mademoiselle Countess Comtesse Duchess Princess Queen Empress Baroness "
    "Mother Sister Aunt Abbess Marquise Donna Signora Señora Frau Fräulein Granny Grandmother Viscountess Missis Nurse"
).split()
_EITHER = "Saint Magister Elder Grandmaster Cousin President Governor Senator Detective Officer Chancellor".split()
TITLE_WORDS = tuple(dict.fromkeys([*_MALE, *_FEMALE, *_EITHER, *_SPELT, "Cap'n"]))

_WOMEN = frozenset(
    "Elizabeth Margaret Mary Sarah Frances Rebecca Susan Anne Martha Helen Ellen Dorothy Josephine Emily Julia "
    "Katharine Katherine Catherine Caroline Charlotte Jane Lydia Georgiana Louisa Harriet Isabella Maria Lucy Emma "
    "Anna Ann Alice Agnes Agatha Augusta Amelia Amy Barbara Beatrice Bertha Blanche Cecilia Celia Clara Constance "
    "Cordelia Diana Dora Edith Eleanor Elinor Eleanora Esther Estella Eva Evelyn Fanny Flora Florence Grace Hannah "
    "Henrietta Ida Irene Isabel Joan Joanna Judith Juliet Kate Kitty Laura Lucie Mabel Marianne Marian Matilda Maud "
    "Mercy Mina Miriam Nancy Nora Olivia Penelope Phoebe Rachel Rosa Rose Ruth Safie Sophia Sophie Sophy Susanna "
    "Sylvia Ursula Victoria Violet Virginia Winifred Wilhelmina Cathy Justine Adele Georgina Selina Biddy Mira".split()
)
_MEN = frozenset(
    "Charles David Arthur James William Thomas Robert Richard Edward Theodore Henry John Joseph Samuel Benjamin "
    "Frederick Francis Daniel Michael Nicholas Peter Philip Anthony Alexander Andrew Abraham Timothy Matthew "
    "Nathaniel Jeremiah Oliver Stephen Walter Lawrence Gilbert George Adam Albert Alan Alfred Edgar Edmund Ernest "
    "Felix Gabriel Gerald Godfrey Gregory Guy Harold Herbert Hugh Hugo Isaac Israel Jacob Jonathan Jasper Julian "
    "Leonard Lewis Louis Luke Mark Martin Maurice Noah Patrick Paul Percy Quincey Ralph Ralf Roger Roland Rupert "
    "Sebastian Sidney Sydney Simon Solomon Toby Tobias Victor Vincent Vivian Hindley Hareton Abel Bentley".split()
)


def _alternatives() -> str:
    return "|".join(sorted(map(re.escape, TITLE_WORDS), key=lambda each: (-len(each), each)))


_TITLED = re.compile(rf"(?P<title>{_alternatives()})\.? (?P<name>\S.*)")


def spelt_out(title: str) -> str:
    """A title as it is spelt out: Doctor for Dr."""
    bare = title.rstrip(".").replace("'", "’")
    return _SPELT.get(bare, bare)


def split_title(name: str) -> tuple[str, str]:
    """The title of a name, spelt out, and the rest; "" where it has none."""
    found = _TITLED.fullmatch(name)
    return (spelt_out(found["title"]), found["name"]) if found else ("", name)


def sex_of_title(title: str) -> Sex:
    """Whose title it is."""
    return "m" if title in _MALE else ("f" if title in _FEMALE else "")


def sex_of_name(first: str) -> Sex:
    """Whose first name it is, as far as that is usual."""
    return "f" if first in _WOMEN else ("m" if first in _MEN else "")
