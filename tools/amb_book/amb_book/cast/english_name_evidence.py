"""What English prose says of capitalised names: who speaks and acts, where one goes, what is called so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from amb_book.cast.found_names import Evidence
from amb_book.statements import EntityKind
from amb_values.common_words import is_common
from amb_values.english_data import is_date_like

__all__ = ["english_evidence", "is_plain_word", "split_title"]

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


_HONORIFICS = (*TITLE_WORDS, "Young", "Old")
_PARTICLE = r"(?:de la|de l['’]|de|du|des|van der|van den|van|von der|von|del|della|di)"
_WORD = r"(?:[DdOLl]['’]|Ma?c)?[A-ZÀ-Þ][a-zà-öø-ÿ]+(?:['’][A-Z][a-z]+)?(?:-[A-Z]?[a-z]+)*"
_NAME = re.compile(
    rf"(?<![^\W_])(?<!\w['’])(?:(?:{'|'.join(_HONORIFICS)})\.? )?(?:{_PARTICLE} )?{_WORD}"
    rf"(?: (?:(?:{_PARTICLE}|la|le|of the|of) )?{_WORD}){{0,3}}"
)
_BEGINS = re.compile(rf"(?:{_PARTICLE} |[dl]['’])?[A-ZÀ-Þ]")
_SAY = (
    "said|asked|answered|replied|whispered|shouted|cried|muttered|murmured|growled|snapped|added|continued|"
    "exclaimed|observed|remarked|returned|"
    "agreed|admitted|insisted|repeated|sighed|hissed|demanded|warned|explained|declared|grunted|says|asks|"
    "answers|replies|whispers"
)
_DOES = (
    f"{_SAY}|looked|nodded|smiled|laughed|grinned|frowned|shrugged|turned|stood|sat|rose|knelt|walked|ran|"
    f"thought|felt|knew|saw|heard|took|gave|went|came|"
    "began|had|was|would|could|wept|drew|pulled|pushed|leaned|leant|shook|opened|closed|told|wanted|tried|"
    "seemed|lives|is|has|looks|nods|smiles|turns|"
    "stands|sits|walks|thinks|takes|gives|goes|comes|loves|hates|kills|dies|died|killed|betrayed|learned|"
    "learnt|struck|swore|spoke|watched|waited|bent|"
    "put|held|stared|glanced|paused|moved|stepped|reached|caught|left|married|leads|owns|serves|works"
)
_AFTER_PERSON = re.compile(
    rf",? (?:(?:\w+ly|then|also|never|only) )?(?:{_SAY})\b|['’]s (?:own |left |right |old )?(?:eyes?|hands?|"
    rf"voice|face|brother|sister|father|mother|son|daughter|wife|husband|head|arm|heart|mind|friend|"
    rf"shoulder|lips|mouth|hair|horse|sword)\b"
)
_AFTER_ACT = re.compile(
    rf" (?:(?:\w+ly|then|also|never|only|still|just|himself|herself) )?(?:{_DOES}|(?!(?:called|named|hundred|"
    rf"red|based|led|used)\b)[a-z]{{2,}}ed|swept|bit|led|bore|"
    r"kept|set|let|lay|hid|sang|rode|fell|slept|crept|wrote|read|held|met|found|lost|made|broke|brought|"
    r"bought|chose|fought|flew|forgot|grew|heard|hit|hung|left|lit|paid|rang|sent|shot|stole|swam|swung|"
    r"taught|threw|woke|wore|won)\b"
)
_HUMAN = re.compile(
    r",? (?:who|whose)\b|, (?:a|an|the) (?:\w+[ -]){0,3}(?:man|woman|boy|girl|thief|knight|soldier|captain|"
    r"merchant|scholar|swords\w+|priest\w*|monk|healer|smith|hunter|child|daughter|son|brother|sister|"
    r"queen|king|lord|lady|mate|servant|sailor|doctor|teacher|mage|wizard|witch|orphan|priest|clerk|lawyer|farmer|guard|smith|nurse)\b"
)
_BEFORE_PERSON = re.compile(
    rf"(?:[”\"’'] (?:{_SAY})|\b(?:boy|girl|man|woman|brother|sister|son|daughter|father|mother|wife|husband|"
    rf"friend|uncle|aunt|apprentice|servant|child|cousin|maid|knight|thief)(?:,| named| called)?) $"
)
_BEFORE_PLACE = re.compile(
    r"\b(?:(?:arriv(?:ed|ing) (?:at|in)|reached|reaching|entered|entering|"
    r"(?:come|comes|coming|go|goes|going|gone) to|"
    r"toward|towards|outside|throughout|into|sailed (?:for|to)|"
    r"rode (?:to|into|for)|came to|returned to|went to|road to|gates? of|walls of|streets of|"
    r"city of|town of|village of|kingdom of|island of|isle of|port of|castle of|province of|land of|people "
    r"of|leave|left for|travell?ed to|fled to|back to|lives? in|lived in|born in|north of|south of|east "
    r"of|west of|from|(?:start(?:ed)?|sets?|set out|bound|leaves?|left|departed|embarked) for|journey to|way to|"
    r"through|near|beyond|quit(?:ted)?|(?<!looked )(?<!stared )(?<!smiled )(?<!glanced )(?<!shouted )(?<!laughed )at|"
    r"in|up|down|of)(?: the)?) $"
)
_OPENERS = re.compile(r"(?:^|[.!?…:;”\"“‘\n]['”\"’)]*\s*[“\"‘(\[_]?|(?:^|\s)['_]|[—–-]\s?[“\"]?)$")
_DETERMINER = re.compile(
    r"\b(the|an?|my|your|his|her|our|their|two|three|four|five|six|ten|some|any|no|every|each|other|another|these|"
    r"those|many|several|few|such) (?:[a-z]+ )?$",
    re.IGNORECASE,
)
_POSSESSIVE = ("my", "your", "his", "her", "our", "their")
_WINDOW = 30


def english_evidence(text: str) -> Iterator[Evidence]:
    """Every capitalised name of a text, with what stands around it says of its kind."""
    for found in _NAME.finditer(text):
        start, name = found.start(), found.group()
        before, after = text[max(0, start - _WINDOW) : start], text[found.end() : found.end() + _WINDOW]
        initial = not start or _OPENERS.search(before) is not None
        name, start = _without_opener(name, start, initial)
        if not _BEGINS.match(name) or is_date_like(name):
            continue
        if start != found.start():
            initial, before = False, text[max(0, start - _WINDOW) : start]
        title, own = split_title(name)
        if title and " of " not in own and " " in own:
            name, start = own, start + len(name) - len(own)
        if not _BEGINS.match(name):
            continue
        kind, weight = _speaks_for(name, before.replace("\n", " "), after.replace("\n", " "), initial)
        yield Evidence(name, start, kind, weight, initial, _determiner(before))


def _determiner(before: str) -> str:
    """What kind of word stands before a name: the, a (also numbers and such), my (also his, your …), or none."""
    found = _DETERMINER.search(before)
    word = found[1].casefold() if found else ""
    return word if word in ("the", "") else ("my" if word in _POSSESSIVE else "a")


@cache
def is_plain_word(name: str) -> bool:
    """Whether a name that was met only at the beginning of sentences may be an ordinary word."""
    return " " not in name and is_common(name.casefold())


def _without_opener(name: str, start: int, initial: bool) -> tuple[str, int]:
    """A name without ordinary words that only open the sentence."""
    first, space, rest = name.partition(" ")
    while initial and rest and is_common(first.casefold()) and first not in _HONORIFICS:
        start += len(first) + len(space)
        first, space, rest = rest.partition(" ")
        if first in ("of", "de", "du", "la", "le"):
            return "", start
    return first + space + rest, start


def _speaks_for(name: str, before: str, after: str, initial: bool) -> tuple[EntityKind | None, float]:
    head = name.partition(" ")[0].rstrip(".")
    if name in _HONORIFICS:
        return None, 0.0
    if " " in name and head in _HONORIFICS and head not in ("Old", "Saint", "St"):
        if before.endswith("he "):
            return ("location", 0.34) if _BEFORE_PLACE.search(before) else (None, 0.0)
        return "character", 1.0
    if _AFTER_PERSON.match(after) or _HUMAN.match(after) or _BEFORE_PERSON.search(before):
        return "character", 1.0
    if not before.endswith((" the ", " in ", " at ", " to ", " of ")) and _AFTER_ACT.match(after):
        return "character", 1.0 if " " in name and "the " not in name else 0.4
    if not initial and _BEFORE_PLACE.search(before) and not after.startswith(("'", "’")):
        return "location", 0.4
    return None, 0.0
