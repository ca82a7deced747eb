"""Who acts and who speaks in an English sentence."""

from __future__ import annotations

import re

from amb_book.checking.english_words import SPEECH, TITLES, is_act, is_act_now

__all__ = ["acts", "has_come", "is_subject", "speaks", "thing_named_after"]

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
_KIN_BEFORE = re.compile(
    r"(?:\b(?:[Hh]is|[Hh]er|[Tt]heir|[Mm]y|[Oo]ur)|['’]s)\s+(?:\w+\s+)?(?:brother|sister|mother|father|"
    r"son|daughter|wife|husband|twin|friend|master|cousin|uncle|aunt|grandfather),?\s+$"
)
_IT_WAS = re.compile(rf"\b[Ii]t was\s+{TITLES}$")
_IT_WAS_WHO = re.compile(
    rf"^\s+(?:who|that)\s+{_ADVERB}(\w+)\b(?!\s+by\b(?!\s+(?:on|in|at|and|with|without|to)\b|[,.;]))"
)
_IT_WAS_THERE = re.compile(
    r"^,?\s+(?:(?:who was |standing |still )?(?:on|at|in|from|behind|beside|outside|under|by) (?:the|her|his) "
    r"(?!photograph|picture|portrait|painting|print|film|screen|tape|poster|dream|story|grave|coffin|tarpaulin)\w+|"
    r"\w{3,}ing\b)"
)
_VOICE = re.compile(rf"\b(?:came|rang out|called|answered|said|broke in|cut in)\s+{TITLES}$")
_POSSESSIVE = re.compile(r"^(?:['’]s?\b(?!\w))")
_BODY = re.compile(
    r"^['’]s?\s+(?:\w+\s+)?(?:voice|hands?|eyes?|fingers?|gaze|laugh|grin|smile|fist|face|head|"
    rf"arm)\s+{_ADVERB}(\w+)\b(?!\s+by\b(?!\s+(?:on|in|at|and|with|without|to)\b|[,.;]))"
)
_DONE = "".join(rf"(?<!\b{verb})" for verb in "sat stood knelt went came ran rode waited walked passed".split())
"""After a verb that may be done to somebody: killed by them, but not sat by the stove."""
_VERB = re.compile(
    rf"^{_ASIDE}(?:\s+and\s+(?:[A-Z]\w+\s+){{1,3}}|,?\s+){_ADVERB}(\w+)\b(?!{_DONE}\s+by\b(?!\s+(?:on|in|at|and|"
    rf"with|without|"
    rf"to)\b|[,.;]))"
)
_HUNG_UP = re.compile(
    rf"^{_ASIDE}\s+{_ADVERB}(?:(?:hung|left|knew|lay)\s+(?:(?:his|her)\s+(?!the\b|a\b|an\b|all\b|everything\b)|up\b|"
    r"down\b)|left (?:the (?:room|house|table|building|office|kitchen|shop|bar|hall|deck|bridge)|by the|without|"
    r"through|at once|"
    r"early)\b|fell (?:silent|into step|in beside|asleep|on (?:the|his|her))\b|appeared (?:in|at|on|from|with|beside|"
    r"behind|out)\b|"
    r"stayed (?:where|put|silent)\b|remained (?:standing|seated|silent)\b|wanted to know\b|used (?:the|his|her|a)\b)"
)
_DOES_NOT = re.compile(
    rf"^{_ASIDE}\s+{_ADVERB}(?:did not|didn['’]t|does not|doesn['’]t)\s+(?:so much as |even |once )?(?:look|turn|"
    rf"hesitate|"
    r"stop|wait|smile|laugh|flinch|blink|argue|bother|raise|lift|sit|take|like|budge|seem|want|mind|trouble|appear|"
    r"sound|let|put|say|speak|touch|slow|pause|care)\b|"
    rf"^{_ASIDE}\s+{_ADVERB}(?:could not|couldn['’]t)\s+(?:help|stop|keep|resist|hide|find|bring|sleep|sit)\b|"
    rf"^{_ASIDE}\s+(?:would not|wouldn['’]t)\s+(?:be (?:hurried|rushed|moved|drawn|hushed)|sit|look|say|meet|let|stop|"
    rf"budge)\b|"
    rf"^{_ASIDE}\s+(?:had not|hadn['’]t)\s+(?:slept|shaved|eaten|finished|looked|stopped|taken|touched)\b"
)
_PERFECT = re.compile(
    rf"^{_ASIDE}\s+(?:has|have)\s+(?:just |already )?"
    r"(?!been|died|gone|had|left|never|lain)\w{2,}(?:ed|en|t|ght|ung|ome)\b"
)
_NOW = re.compile(rf"^{_ASIDE}(?:\s+and\s+(?:[A-Z]\w+\s+){{1,3}}|\s+){_ADVERB}([a-z]{{3,}}s)\b(?!\s+by\b)")
_BY = re.compile(
    r"\b(?:was|were|is|are)\s+(?:\w+ly\s+|then\s+|at last\s+)?(?:opened|answered|met|greeted|interrupted|joined|"
    r"followed|"
    r"helped|led|driven|shown in|stopped|served|brought (?:in|up|over)|pulled|pushed|kissed|nudged|woken|called|"
    r"summoned|"
    rf"dragged|caught|watched|flanked|accompanied|relieved|overtaken|hailed)\s+by\s+{TITLES}$"
)
_LIVES = re.compile(
    r"(?<!had )(?<!to )(?<!would )(?<!not )(?<!never )\b(?:thanked|hugged|embraced|nudged|elbowed|interrupted|"
    r"shook hands with|"
    r"winked at|nodded (?:to|at)|waved (?:to|at)|beckoned (?:to )?|argued with|danced with|haggled with|chatted (?:to|"
    r"with)|"
    rf"bargained with|shared a \w+ with|played (?:cards|chess|dice) with|raced|tripped over|sparred with|"
    rf"laughed with)\s+{TITLES}$"
)
_LIVES_ON = re.compile(rf"(?<!had )(?<!to )(?<!would )\b(?:followed|handed|passed|helped|chased|trailed)\s+{TITLES}$")
_LIVES_ON_AFTER = re.compile(
    r"^(?:\s+(?:up|down|in|into|out|off|through|along|across|back|inside|home|aboard|onto|over|round|with|to the|"
    r"on with)\b|"
    r"\s+(?:the|a|an|his|her|another)\s+\w+)"
)
_THERE_WAS = re.compile(rf"\b[Tt]here (?:was|is|sat|stood|came|went)\s+{TITLES}$")
_THERE_AFTER = re.compile(r"^,?[^.;“\"]{0,40}\b(?!lying|hanging|being|dying|missing|nothing|something)\w{3,}ing\b")
_HAD_THING = re.compile(
    rf"^{_ASIDE}\s+{_ADVERB}had (?:the|a|an|his|her|their|both|two|three) (?!(?:been|grave|funeral|"
    r"death)\b)\w+ (?:\w+ )?"
    r"(?:out|up|on|off|in|down|ready|open|back|over|under|at|to|between|\w{3,}ed)\b|"
    rf"^{_ASIDE}\s+(?:had|was|were)\b[^.;:“\"]{{2,60}}\band (?:was|were) (?!lying|dying|being|missing)\w{{3,}}ing\b"
)
_WHO_DOES = re.compile(rf"^,\s+who\s+(?:was|is|were)\s+{_ADVERB}(?!lying|being|dying|missing|going)\w{{3,}}ing\b")
_OF = re.compile(rf"\b(?:of|about|like|than|without|grave)\s+{TITLES}(?:\w+\s+)?$")
_WHO = re.compile(rf"^,\s+who\s+{_ADVERB}(\w+)\b(?!\s+by\b(?!\s+(?:on|in|at|and|with|without|to)\b|[,.;]))")
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
_INVERTED = re.compile(
    r"(?:^|[,;—.]\s*|\b(?:and|but)\s+)(?!.*\b(?:he|she|they|it|I|we|who|that|which|where)\b)(?:in|at|on|from|to|into|"
    r"out|"
    r"up|down|over|across|behind|beside|beyond|through|under|above|by|near|between|among|around|after|before|along|"
    r"there|here|then|outside|inside|next|last|first|presently|opposite|off|back|\w+ly|with)\b[^,;—.]*?\b(?:stood|sat|"
    r"came|"
    r"walked|strode|stepped|"
    r"limped|waited|rode|leaned|knelt|entered|went|hurried|marched|climbed)\s+(?:(?:his|her|the|old) "
    rf"\w+(?: \w+)?, )?{TITLES}$",
    re.IGNORECASE,
)
_SEEN = re.compile(rf"\b(?:saw|found|watched|heard|met|noticed|spotted|caught)\s+{TITLES}$")
_SEEN_DOING = re.compile(r"^\s+(?!lying|hanging|being|dying|missing)(?:\w{3,}ing)\b")
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
    """Whether a name stands where the one who acts stands: first in its clause, but for an adverbial or his brother."""
    kin = _KIN_BEFORE.search(before)
    start = before[: kin.start()] if kin is not None else before
    return bool(_SUBJECT.search(start) or _FRONTED.search(start) or (kin is not None and _FRONTED.search(f"{start}x ")))


def acts(before: str, after: str) -> bool:
    """Whether whoever is named does something, told as now: no pluperfect, no passive, no wish."""
    if _INVERTED.search(before) and not _POSSESSIVE.search(after):
        return True
    if _SEEN.search(before) and _SEEN_DOING.search(after):
        return True
    if _dealt_with(before, after):
        return True
    who = _WHO.search(after)
    if not _OF.search(before) and (_WHO_DOES.search(after) or (who is not None and is_act(who.group(1)))):
        return True
    if _IT_WAS.search(before) and _IT_WAS_THERE.search(after):
        return True
    if _VOICE.search(before) and re.match(r"['’]s? (?:\w+ )?voice\b", after):
        return True
    clef = _IT_WAS_WHO.search(after) if _IT_WAS.search(before) else None
    if clef is not None:
        return is_act(clef.group(1))
    if not _first(before):
        return False
    if any(each.search(after) for each in (_DOING, _HAD_THING, _HUNG_UP, _DOES_NOT, _PERFECT)):
        return True
    body = _BODY.search(after)
    if body is not None:
        return is_act(body.group(1)) or body.group(1) in ("fell", "came")
    if _POSSESSIVE.search(after):
        return False
    verb, now = _VERB.search(after), _NOW.search(after)
    return (verb is not None and is_act(verb.group(1))) or (now is not None and is_act_now(now.group(1)))


def _dealt_with(before: str, after: str) -> bool:
    """Whether others deal with whoever is named as one deals with the living only, or find them at something."""
    if _POSSESSIVE.search(after):
        return False
    if _BY.search(before) or _LIVES.search(before):
        return True
    if _LIVES_ON.search(before) and _LIVES_ON_AFTER.search(after):
        return True
    return bool(_THERE_WAS.search(before) and _THERE_AFTER.search(after))


_HAD_COME = re.compile(
    r"^\s+had (?:\w+ly )?(?:come|arrived|stepped|slipped|followed|risen|climbed|entered|appeared|sat "
    r"down|settled|joined|crept|walked|stopped|stood up|got up|looked up|turned)\b"
)
_THEN = re.compile(r"^(?:He|She)\s+(?:\w+ly\s+)?(\w+)\b(?!\s+by\b(?!\s+(?:on|in|at|and|with|without|to)\b|[,.;]))")


def has_come(before: str, after: str, following: str) -> bool:
    """Whether somebody had come, and does something in the sentence that follows."""
    then = _THEN.search(following)
    return bool(_first(before) and _HAD_COME.search(after)) and then is not None and is_act(then.group(1))


def is_subject(before: str, after: str) -> bool:
    """Whether whoever is named may be the one who does what follows."""
    if _POSSESSIVE.search(after):
        return False
    return bool(_first(before) or _SPOKEN_BEFORE.search(before) or _INVERTED.search(before))


def thing_named_after(before: str, after: str, *, article: bool) -> bool:
    """Whether the name stands for something else: a bridge, a portrait, …; `article` when it has one itself."""
    if _AFTER_PERSON.search(after):
        return True
    found = _BEFORE_PERSON.search(before)
    return found is not None and not (article and re.match(r"(?i)the\b", found.group()))
