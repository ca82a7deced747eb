"""Who acts and who speaks in an English sentence."""

from __future__ import annotations

import re

from amb_book.checking.english_words import SPEECH, TITLES, is_act, is_act_now

__all__ = ["acts", "is_subject", "speaks", "thing_named_after"]

_ADVERB = r"(?:(?:\w+ly|then|also|now|still|just|only|already|himself|herself|at once|at last|once more|again)\s+)*"
_ASIDE = r"(?:,\s[^,.;“\"]{1,60},)?"
_SPOKEN_BEFORE = re.compile(rf"[”\"’]\s*(?:{SPEECH})(?:\s+\w+ly|\s+(?:again|then|at last|now))?\s+{TITLES}$")
_SPOKEN_AFTER = re.compile(rf"^{_ASIDE}\s+{_ADVERB}(?:{SPEECH})\b(?!\s+(?:of|by)\b)")
_SCRIPT = re.compile(r"^:\s*[“\"]")
_SUBJECT = re.compile(
    r"(?:^|[,;:—–(]\s*|[”\"]\s*|\b(?:and|but|then|so|while|as|until|there|only|even|both|yet|for|"
    r"because|till|where|by the time|as soon as|the moment|although|though|whereas)\s+|,\s*when\s+)"
    rf"{TITLES}$"
)
_FRONTED = re.compile(
    r"(?:^|[;:.—”\"]\s*|\b(?:and|but)\s+)(?:(?:That|This|Every|Each|One|The same|The next|Next|Last|All that|"
    r"That same) "
    r"(?:\w+ )?(?:night|morning|evening|afternoon|day|time|week|moment|noon|instant|hour|\w+day)|Towards?|During|"
    r"Since|Around|"
    r"Along|Among|Between|Against|About|Within|Past|Opposite|Later|Afterwards|Soon|Meanwhile|Today|Tonight|Round|Atop|"
    r"Amid|"
    r"Upstairs|Downstairs|Overhead|Sometimes|Once|Again|Still|Somewhere|Nearby|Until|With|At|In|On|From|Across|Behind|"
    r"Beside|After|Before|Under|"
    r"Over|By|Through|Near|Beyond|Above|Below|Without|Then|"
    r"Now|Here|There|Presently|Slowly|Outside|Inside|Down|Up|with|at|in|on|from|across|behind|beside|"
    r"after|under|over|by|through|near|beyond|above|below|without)\b"
    r"(?:(?!\b(?:he|she|they|it|who|that|which|was|were|had|"
    r"is)\b)[^,;:.“”\"]){0,40}?(?<!\bof)(?<!\bfor)(?<!\bto)(?<!\bwith)(?<!\bfrom)(?<!\babout)(?<!\blike)"
    r"(?<!\bthan)"
    r"(?<!\bby)(?<!\bin)(?<!\bon)(?<!\bat)(?<!\band)(?<!\bbeside)(?<!\bbehind)(?<!\bnear)(?<!\bafter)(?<"
    rf"!\bbefore)(?<!\bunder)(?<!\bover)\s{TITLES}$"
)
_IT_WAS = re.compile(rf"\b[Ii]t was\s+{TITLES}$")
_IT_WAS_THERE = re.compile(
    r"^,?\s+(?:(?:who was |standing |still )?(?:on|at|in|from|behind|beside|outside|under|by) (?:the|her|his) "
    r"(?!photograph|picture|portrait|painting|print|film|screen|tape|poster|dream|story|grave|coffin|tarpaulin)\w+|"
    r"\w{3,}ing\b)"
)
_POSSESSIVE = re.compile(r"^(?:['’]s?\b(?!\w))")
_DONE = "".join(rf"(?<!\b{verb})" for verb in "sat stood knelt went came ran rode waited walked passed".split())
"""After a verb that may be done to somebody: killed by them, but not sat by the stove."""
_VERB = re.compile(
    rf"^{_ASIDE}(?:\s+and\s+(?:[A-Z]\w+\s+){{1,3}}|,?\s+){_ADVERB}(\w+)\b(?!{_DONE}\s+by\b(?!\s+(?:on|in|at|and|"
    rf"with|without|"
    rf"to)\b|[,.;]))"
)
_NOW = re.compile(rf"^{_ASIDE}(?:\s+and\s+(?:[A-Z]\w+\s+){{1,3}}|\s+){_ADVERB}([a-z]{{3,}}s)\b(?!\s+by\b)")
_DOING = re.compile(
    rf"^{_ASIDE}\s+(?:was|were|is|are)\s+{_ADVERB}(?!(?:lying|dying|rotting|being|resting|missing|"
    r"sleeping|going|hanging)\b)"
    r"(?:\w{3,}ing\b|there\b(?!\s+(?:when|that))|back\b|busy\b|hard at\b|at work\b|about to\b|alive\b|awake\b|"
    r"on (?:his|her) feet\b|"
    r"(?:at|by|behind|before) (?:the|his|her|a|an) (?!(?:bottom|foot|rest|heart|end|root|time|age|mercy|back|grave|"
    r"edge|"
    r"centre|center)\b)\w+(?! of (?:the )?(?:sea|river|world))|"
    r"(?:in|on|with|among|beside|under|outside|inside|near|up|down|out|over|across) [^,.;:“\"]{2,40}?,? "
    r"(?!lying|hanging|being|dying|missing|evening|morning|nothing|something|anything|everything|during|according|"
    r"building|"
    r"ceiling|landing|railing|string|king|spring|ring|wing)[a-z]{2,}ing (?:the|a|an|his|her|their|at|on|in|to|up|into|"
    r"with|"
    r"over|for|out|off|down|about|away|some|two|it|them|him)\b)"
)
_AFTER_PERSON = re.compile(
    r"^(?:['’]s)?\s+(?:[A-Z][a-z]+\s+)?(?:Bridge|Street|Lane|Road|Inn|Tavern|Day|Gate|Square|Hall|Hill|"
    r"Tower|Bay|Cross|Well|"
    r"Stone|Ward|School|House|Prize|Chapel|Church|Quay|Rock|Field|Night|Feast|Fair|Oak)\b"
)
_BEFORE_PERSON = re.compile(
    r"\b(?:(?:statue|portrait|painting|picture|grave|tomb|tombstone|memory|bust|effigy|likeness|name|"
    r"ghost|feast|day|song|"
    r"ballad|story|tale|legend|death|body|corpse|murder|bones|ashes)\s+of|after|a|an|another|named|called|christened|"
    rf"(?<!both )the(?! (?:late|old|poor)))\s+{TITLES}$"
)


def speaks(before: str, after: str) -> bool:
    """Whether whoever is named between two halves of a sentence says something in it."""
    return bool(
        _SPOKEN_BEFORE.search(before)
        or _says(before)
        or (_first(before) and _SPOKEN_AFTER.search(after))
        or (not before.strip() and _SCRIPT.search(after))
    )


_ANY_SPEECH = re.compile(rf"[”\"]\s+([a-z]+)(?:\s+\w+ly)?\s+{TITLES}$")


def _says(before: str) -> bool:
    """Whether a speech and a verb stand before a name: "So," resumed Silver."""
    found = _ANY_SPEECH.search(before)
    return found is not None and is_act(found.group(1))


def _first(before: str) -> bool:
    """Whether a name stands where the one who acts stands: first in its clause, but for an adverbial."""
    return bool(_SUBJECT.search(before) or _FRONTED.search(before))


def acts(before: str, after: str) -> bool:
    """Whether whoever is named does something, told as now: no pluperfect, no passive, no wish."""
    if _IT_WAS.search(before) and _IT_WAS_THERE.search(after):
        return True
    if not _first(before):
        return False
    if _DOING.search(after):
        return True
    if _POSSESSIVE.search(after):
        return False
    verb, now = _VERB.search(after), _NOW.search(after)
    return (verb is not None and is_act(verb.group(1))) or (now is not None and is_act_now(now.group(1)))


def is_subject(before: str, after: str) -> bool:
    """Whether whoever is named may be the one who does what follows."""
    if _POSSESSIVE.search(after):
        return False
    return bool(_first(before) or _SPOKEN_BEFORE.search(before))


def thing_named_after(before: str, after: str, *, article: bool) -> bool:
    """Whether the name stands for something else: a bridge, a portrait, …; `article` when it has one itself."""
    if _AFTER_PERSON.search(after):
        return True
    found = _BEFORE_PERSON.search(before)
    return found is not None and not (article and re.match(r"(?i)the\b", found.group()))
