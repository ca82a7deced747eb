"""Who acts and who speaks in an English sentence."""

from __future__ import annotations

import re

__all__ = ["acts", "is_subject"]

_NO_TITLE = (
    "With|To|For|From|Of|In|On|At|By|About|After|Before|Behind|Beside|Between|Like|Than|Near|Under|Over|Against|If|"
    "Unless|Had|Was|Is|Did|When|Not|Nor|That|What|Why|How|Who|Which|No|Because|Since|Poor|Dead|Into|During|Would"
)
_TITLES = (
    rf"(?:(?:[Tt]he|[Oo]ld|[Pp]oor|[Yy]oung|[Dd]ear|[Ll]ittle|late|(?!(?:{_NO_TITLE})\b)[A-Z][a-z]+\.?)\s+){{0,3}}"
)
"""What may stand before a name that does not change whom it means."""
_ADVERB = r"(?:(?:\w+ly|then|also|now|still|just|only|already|himself|herself|at once|at last|once more|again)\s+)*"
_ASIDE = r"(?:,\s[^,.;“\"]{1,60},)?"
_SUBJECT = re.compile(
    r"(?:^|[,;:—–(]\s*|[”\"]\s*|\b(?:and|but|then|so|while|as|until|there|only|even|both|yet|for|because|where|"
    r"by the time|"
    rf"as soon as|the moment|although|though|whereas)\s+|,\s*when\s+){_TITLES}$"
)
_FRONTED = re.compile(
    r"(?:^|[;:.—”\"]\s*|\b(?:and|but)\s+)(?:(?:That|This|Every|Each|One|The same|The next|Next|Last) (?:\w+ )?(?:night|"
    r"morning|evening|afternoon|day|time|week|moment|hour|\w+day)|(?i:with|at|in|on|from|across|behind|beside|after|"
    r"under|over|"
    r"by|through|near|beyond|above|below|without|towards?|during|along|among|between|past|opposite|until|later|soon|"
    r"then|now|"
    r"here|there|outside|inside|down|up|once|again|upstairs|downstairs|today|tonight))\b"
    r"(?:(?!\b(?:he|she|they|it|who|that|which|was|were|had|is)\b)[^,;:.“”\"]){0,40}?"
    r"(?<!\bof)(?<!\bfor)(?<!\bto)(?<!\bwith)(?<!\bfrom)(?<!\babout)(?<!\blike)(?<!\bthan)(?<!\bby)(?<!\bin)(?<!\bon)(?<!\bat)"
    rf"(?<!\band)(?<!\bbeside)(?<!\bbehind)(?<!\bnear)(?<!\bafter)(?<!\bunder)(?<!\bover)\s{_TITLES}$"
)
_ANY_SPEECH = re.compile(rf"[”\"’']\s+([a-z]+)(?:\s+\w+ly)?\s+{_TITLES}$")
_DONE = "".join(rf"(?<!\b{verb})" for verb in "sat stood knelt went came ran rode waited walked passed".split())
"""After a verb that may be done to somebody: killed by them, but not sat by the stove."""
_COMPANY = r"(?:\s+and\s+(?:[A-Z]\w+\s+){1,3}|,?\s+)"
_VERB = re.compile(rf"^{_ASIDE}{_COMPANY}{_ADVERB}(\w+)\b(?!{_DONE}\s+by\b(?!\s+(?:on|in|at|and|with|to)\b|[,.;]))")
_NOW = re.compile(rf"^{_ASIDE}{_COMPANY}{_ADVERB}([a-z]{{3,}}s)\b(?!\s+by\b)")
_DOING = re.compile(
    rf"^{_ASIDE}\s+(?:was|were|is|are)\s+{_ADVERB}(?:(?!(?:lying|dying|rotting|being|resting|missing|sleeping|going|"
    rf"hanging)\b)"
    r"\w{3,}ing\b|there\b(?!\s+(?:when|that))|back\b|busy\b|at work\b|about to\b|alive\b|awake\b|on (?:his|her) feet\b|"
    r"(?:at|by|behind|before|in|on|among|beside|under|outside|inside|near) (?:the|his|her|a|an) (?!(?:bottom|foot|"
    r"heart|end|time|"
    r"age|mercy|grave|sea|ground|earth|coffin|tomb)\b)\w+(?! of (?:the )?(?:sea|river|world)))"
)
_STATIVE = frozenset(
    "died perished remained seemed appeared deserved haunted belonged owned loved hated needed mattered weighed "
    "contained used "
    "wanted existed consisted resembled stayed rested rotted lasted meant lay hung was were had did been named called "
    "killed "
    "murdered buried hanged drowned executed slain dead missed mourned feared vanished disappeared bled lived left "
    "fell failed "
    "knew owed built founded invented wrote taught born involved concerned faded".split()
)
"""Past forms that say nothing of an act here and now: what the dead did once, what is done to them, how they are."""
_IRREGULAR = frozenset(
    "said spoke told took gave went came ran stood sat rose knelt leant threw drew struck rode drove flew swam sang "
    "rang shook "
    "swept swung caught held kept put set laid bent bit blew broke brought bought chose clung crept cut dug drank ate "
    "fed felt "
    "fought found froze got ground heard hid hit hurt led let lit lost made met paid read rid saw sought sold sent "
    "shot shut slid "
    "slept smelt spat spun split sprang stole stuck strode swore tore thought trod understood woke wore wept won "
    "wound wrung "
    "withdrew became began beat flung fled cast burst slipped slung stung".split()
)
_NOT_NOW = frozenset(
    "was has his hers its this ours always perhaps thus does lies rests remains belongs owns means seems deserves "
    "exists needs "
    "wants lacks costs weighs sometimes afterwards towards besides across less unless yes alas sleeps lives upstairs "
    "downstairs "
    "indoors outdoors says writes".split()
)


def acts(before: str, after: str) -> bool:
    """Whether whoever is named between two halves of a sentence speaks or does something, told as now."""
    said = _ANY_SPEECH.search(before)
    if said is not None and _is_act(said.group(1)):
        return True
    if not _stands_first(before):
        return False
    if _DOING.search(after):
        return True
    verb, now = _VERB.search(after), _NOW.search(after)
    return (verb is not None and _is_act(verb.group(1))) or (now is not None and _is_act_now(now.group(1)))


def is_subject(before: str, after: str) -> bool:
    """Whether whoever is named may be the one who does what follows."""
    return not after.startswith(("'", "’")) and _stands_first(before)


def _stands_first(before: str) -> bool:
    """Whether a name stands where the one who acts stands: first in its clause, but for an adverbial."""
    return bool(_SUBJECT.search(before) or _FRONTED.search(before))


def _is_act(word: str) -> bool:
    """Whether a word right after the name of somebody tells an act of theirs."""
    low = word.casefold()
    if low in _STATIVE:
        return False
    return low in _IRREGULAR or (low.endswith("ed") and len(low) > 4)


def _is_act_now(word: str) -> bool:
    """The same for a word in -s, in a story told in the present."""
    return word not in _NOT_NOW and not word.endswith(("ss", "us", "is"))
