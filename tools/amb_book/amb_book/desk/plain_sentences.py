"""The author's plain sentences as drafts of statements: one frame a sentence, for the author to correct and confirm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from amb_book.desk.read_off import Extracted
from amb_book.desk.tasks import Turn
from amb_book.statements import parsed
from amb_core.errors import InvalidInput
from amb_core.text import detect_language
from amb_values import sentences

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["PlainSentences"]

_SURE, _GUESSED = 0.6, 0.3
"""How sure a draft is that a frame fits, and one that only keeps the sentence."""
_LONGEST = 300
_MOST = 200
"""Characters of a sentence, and sentences of a talk that are read."""
_TALK = re.compile(
    r"[?？]|\b(?:maybe|perhaps|should|could|might|would|let's|want|wish|think|suppose|please|if|I|we|you|try|how|what)\b"
    r"|也许|可能|应该|要不|如果|假如|希望|想要?|打算|能不能|可以|不如|吧|吗|呢|请|怎么|什么|为什么|我|咱|你|您",
    re.IGNORECASE,
)
"""What is talk about the book and states nothing of it."""
_TELLS = re.compile(r"[了着过说道“”「」]")
"""What tells an event in Chinese, and not how somebody is."""
_CORRECTS = re.compile(
    r"^(?:(?:no|wait|actually|correction|sorry|rather|instead|now|I (?:meant|mean|misspoke)|(?:scratch|strike) that"
    r"|my mistake|make (?:it|that))\b[\s,.:;–—-]*|(?:不对?|不是|我?[说记写弄]?错了|(?:更正|纠正|订正|修正|改)一?下?"
    r"|改成|改为|其实|对了|另外)[，,：:\s]+)+",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"^(?:(?:(?:应[该当]?)?[是为]|(?=[\d〇一二三四五六七八九十百千两]+岁))(?P<zh>[^，。了的着过]{1,12}?)岁?"
    r"|(?:(?:he|she|it) is )?(?P<en>[A-Za-z0-9'’-]+(?: [A-Z][\w'’-]*){0,3})(?: years old)?)[。.!！]?$",
)
"""A correction that gives only the right value: "应该是四十五岁", "I meant forty-five"."""
_NUMBERED = re.compile(
    r"\d+|[〇一二三四五六七八九十百千两]+|(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?|[a-z]+teen|ten|eleven|twelve)"
)
_PRONOUN = re.compile(r"^(?:(?:he|she|it)\b|[他她它])", re.IGNORECASE)
_THE = r"(?:the |a |an |his |her |their )?"
_NAME = r"(?P<s>(?:the )?[A-Z][\w'’-]*(?: (?:(?:of|the|de|von|van) )?[A-Z][\w'’-]*){0,4})"
_THING = r"(?P<o>[^,.;!]{2,80})"
_PERSON = r"(?P<o>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3})"
_KIN = r"father|mother|brother|sister|son|daughter|wife|husband|uncle|aunt|teacher|master|friend|enemy|ally|rival"
_ROLE = r"disciple|member|leader|head|captain|servant|soldier|master|lord|king|queen|elder|apprentice|heir"
_STATES = r"dead|alive|missing|wounded|imprisoned|ill|exiled|destroyed|asleep|cursed"
_ENGLISH = tuple(
    (kind, re.compile(rf"^{_NAME} {form}$"))
    for kind, form in (
        ("age", r"is (?:now )?(?P<o>\d{1,5}|[a-z]+(?:-[a-z]+)?) years old"),
        ("age", rf"is (?:now )?(?P<o>{_NUMBERED.pattern})"),
        ("LIVES_AT", rf"(?:lives|dwells|resides) (?:in|at|on|near) {_THING}"),
        ("status", rf"is (?:now |already )?(?P<o>{_STATES})"),
        ("died", r"(?P<o>died|is no more)\b.*"),
        ("role", rf"is (?:a|an|the) (?P<r>{_ROLE}) (?:of|in) {_THING}"),
        ("kin", rf"is {_PERSON}['’]s (?P<r>{_KIN})"),
        ("IS_AT", rf"is (?:now )?(?:in|at|on) {_THING}"),
        ("OWNS", rf"(?:owns|has|carries|wields|holds|keeps) {_THE}{_THING}"),
        ("MARRIED_TO", rf"is married to {_PERSON}"),
        ("MEMBER_OF", rf"(?:joined|belongs to) {_THE}{_THING}"),
        ("KNOWS_SECRET", rf"knows the secret of {_THING}"),
        ("HAS_ABILITY", rf"can {_THING}"),
        ("BORN_IN", rf"was born (?:in|at|on) {_THING}"),
        ("verb", rf"(?P<r>loves|hates|serves|fears|trusts|betrayed|killed|leads|follows|knows|married) {_PERSON}"),
        ("is", rf"is (?:a|an) {_THING}"),
    )
)
_OWNED = re.compile(rf"^(?P<o>The [a-z][\w'’ -]{{1,60}}) belongs to {_NAME}$")
_HAN = r"[\u4e00-\u9fffA-Za-z·]"
_ZH_NAME = rf"(?P<s>(?![是应为]){_HAN}{{2,6}}?)"
_ZH_THING = r"(?P<o>[^，。；！\s]{1,30})"
_ZH_KIN = "父亲|母亲|哥哥|弟弟|姐姐|妹妹|儿子|女儿|妻子|丈夫|师父|徒弟|师兄|师弟|师姐|师妹|朋友|敌人|仇人|盟友|对手"
_ZH_ROLE = "弟子|成员|掌门|长老|门主|宗主|首领|队长|仆人|士兵|将军|国王|女王|王子|公主|继承人"
_CHINESE = tuple(
    (kind, re.compile(rf"^{_ZH_NAME}{form}$"))
    for kind, form in (
        ("年龄", r"(?:今年|现年|现在)?(?P<o>[\d〇一二三四五六七八九十百千两]{1,6})岁了?"),
        ("LIVES_AT", rf"(?:居?住在|家住|定居在?){_ZH_THING}"),
        ("status", r"(?:已经?|现在)?(?P<o>死亡|活着|失踪|受伤|重伤|被囚|生病|流放|毁坏|昏迷)了?"),
        ("died", r"(?P<o>已?经?死了|已死|去世了?|身亡|阵亡)"),
        ("role", rf"是{_ZH_THING}的(?P<r>{_ZH_ROLE})"),
        ("kin", rf"是{_ZH_THING}的(?P<r>{_ZH_KIN})"),
        ("OWNS", rf"(?:拥有|持有|佩戴|带着|有)(?:一?[把柄件枚块本个支])?{_ZH_THING}"),
        ("IS_AT", rf"(?:现在|如今|正)?在{_ZH_THING}"),
        ("MEMBER_OF", rf"(?:加入|拜入|投奔)了?{_ZH_THING}"),
        ("KNOWS_SECRET", rf"知道{_ZH_THING}的秘密"),
        ("HAS_ABILITY", r"(?:会|精通|擅长|学会了)(?P<o>[^，。；！\s]{1,20}(?:术|功|法|拳|诀|掌|阵|技|艺))"),
        ("BORN_IN", rf"(?:出生[于在]|生于){_ZH_THING}"),
        ("verb", rf"(?P<r>爱着?|恨着?|效忠于?|害怕|信任|背叛了|杀了|率领|跟随|认识|娶了|嫁给了?){_ZH_THING}"),
        ("身份", rf"是(?:一?[个名位只座把])?{_ZH_THING}"),
    )
)
_ZH_OWNED = re.compile(rf"^(?P<o>[^，。；！\s]{{2,20}}?)(?:属于|归){_ZH_NAME}(?:所有)?$")
_ZH_KIN_IS = re.compile(rf"^(?P<o>{_HAN}{{2,6}}?)的(?P<r>{_ZH_KIN})是{_ZH_NAME}$")
_ZH_FRAMES = (("OWNS", _ZH_OWNED), ("kin", _ZH_KIN_IS), *_CHINESE)
_RELATIONS = {
    "father": "PARENT_OF", "mother": "PARENT_OF", "父亲": "PARENT_OF", "母亲": "PARENT_OF",
    "son": "CHILD_OF", "daughter": "CHILD_OF", "儿子": "CHILD_OF", "女儿": "CHILD_OF",
    **dict.fromkeys(("wife", "husband", "married", "妻子", "丈夫", "娶了", "嫁给"), "MARRIED_TO"),
    **dict.fromkeys(("brother", "sister", "哥哥", "弟弟", "姐姐", "妹妹"), "SIBLING_OF"),
    **dict.fromkeys(("teacher", "master", "师父"), "MENTOR_OF"), "徒弟": "DISCIPLE_OF",
    **dict.fromkeys(("ally", "盟友"), "ALLY_OF"),
    **dict.fromkeys(("enemy", "rival", "敌人", "仇人", "对手"), "ENEMY_OF"),
    **dict.fromkeys(("friend", "朋友"), "FRIEND_OF"),
    "爱": "LOVES", "恨": "HATES", "效忠": "SERVES", "害怕": "FEARS", "信任": "TRUSTS", "背叛": "BETRAYED",
    "杀": "KILLED", "率领": "LEADS", "跟随": "FOLLOWS", "认识": "KNOWS",
}  # fmt: skip


class PlainSentences:
    """Drafts of what the author's sentences say of somebody, each with its sentence; what fits no frame stays a note.

    Only whole sentences that begin with a name are read, and none that asks, wishes or talks about the writing. A later
    sentence on the same point takes the place of an earlier one, as with all that is read off a talk.
    A sentence in the past tells the story and is left to the form.
    """

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> list[Extracted]:
        """The drafts, in the order in which they were said."""
        found: list[Extracted] = []
        drafts: list[Mapping[str, Any]] = []
        last = "", ""
        for turn in turns:
            if turn.role == "author" and not turn.command:
                for sentence in _sentences(turn.text):
                    whole = _whole(sentence, *last)
                    for draft, sure in _drafts(whole, story):
                        if (
                            found
                            and draft.get("object")
                            and _CORRECTS.match(sentence)
                            and _ends_alike(draft, drafts[-1])
                        ):
                            found.pop()  # "No, she loves him": the other relation of the two does not hold
                        last = whole, _value_of(draft)
                        drafts.append(draft)
                        with suppress(InvalidInput):
                            [statement] = parsed([draft])
                            found.append(Extracted(statement, evidence=sentence, confidence=sure, turn=turn.number))
        return found


def _sentences(text: str) -> Iterator[str]:
    lines = (line for line in text.splitlines() if line.strip()[:1] not in ("{", "[", "`", "#"))
    told = [each.strip() for line in lines for each in sentences(line) if each.strip()]
    plain = ((each, _CORRECTS.sub("", each)) for each in told[:_MOST] if len(each) <= _LONGEST)
    yield from (each for each, said in plain if not _TALK.search(said) or (said[0] == "应" and _VALUE.match(said)))


def _value_of(draft: Mapping[str, Any]) -> str:
    """What a draft says of its subject: the object, or the property."""
    properties = draft.get("properties") or {}
    return str(draft.get("object") or next(iter(properties.values()), ""))


def _ends_alike(draft: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two drafts relate the same two."""
    return all(draft.get(end) == other.get(end) for end in ("subject", "object"))


def _whole(sentence: str, before: str, value: str) -> str:
    """A correction that gives only the right value, or says he, in the words of the sentence `before` it."""
    plain = _CORRECTS.sub("", sentence)
    bare = _VALUE.match(plain)
    right = bare and (bare["zh"] or bare["en"])
    if not before or (plain == sentence and not (bare and bare["zh"] and plain[0] == "应")):
        return sentence
    old = _NUMBERED.fullmatch(value) is not None
    if right and value and old == (_NUMBERED.fullmatch(right) is not None) and (old or _like(right, value)):
        return _CORRECTS.sub("", before).replace(value, right)
    subject = re.match(
        rf"{_NAME}(?= )|{_ZH_NAME.replace('?P<s>', '')}(?=今年|现年|住|在|是|有|[爱恨])", _CORRECTS.sub("", before)
    )
    return _PRONOUN.sub(subject[0], plain) if subject else sentence


def _like(right: str, value: str) -> bool:
    """Whether two values are names both, or words in Chinese both."""
    return right[0].isupper() and value[0].isupper() if right.isascii() else not value.isascii()


def _drafts(sentence: str, story: Story) -> Iterator[tuple[Mapping[str, Any], float]]:
    """What a sentence says, clause by clause in Chinese, where a later clause goes on with the first one's subject."""
    plain = _CORRECTS.sub("", sentence).strip(" .。!！")
    if detect_language(plain) != "zh":
        plain = plain[:1].upper() + plain[1:]
        frames = ((kind, form.match(plain)) for kind, form in (("OWNS", _OWNED), *_ENGLISH))
        said = next(((kind, match) for kind, match in frames if match is not None), None)
        subject = re.match(rf"{_NAME} (?:is|has|can|cannot|[a-z]{{2,}}s)\b", plain)
        if said is not None:
            yield _statement(*said), _SURE
        elif subject is not None and story.facts.resolve(subject["s"]):
            yield {"entity": subject["s"], "kind": "character", "properties": {"note": sentence}}, _GUESSED
        return
    subject_name = ""
    for clause in re.split(r"[，；]", plain):
        told = clause if not subject_name or _known(clause, story) else f"{subject_name}{clause}"
        frames = ((kind, _matched(form, told, subject_name or _known(told, story))) for kind, form in _ZH_FRAMES)
        said = next(((kind, match) for kind, match in frames if match is not None), None)
        if said is not None:
            subject_name = subject_name or said[1]["s"]
            yield _statement(*said), _SURE
        elif (name := _known(clause, story)) and not _TELLS.search(clause):
            subject_name = name
            yield {"entity": name, "kind": "character", "properties": {"设定": clause}}, _GUESSED


def _known(clause: str, story: Story) -> str:
    """The longest name of the book that a clause begins with; "" for none."""
    return next((clause[:size] for size in range(8, 1, -1) if story.facts.resolve(clause[:size])), "")


def _matched(form: re.Pattern[str], told: str, name: str) -> re.Match[str] | None:
    """A frame that fits, with the subject that is known."""
    match = form.match(told)
    fits = (
        match is not None
        and (not name or name in (match["s"], match["o"]))
        and not _TELLS.search(match["o"].removesuffix("了"))
    )
    return match if fits else None


def _statement(kind: str, match: re.Match[str]) -> Mapping[str, Any]:
    subject, value = match["s"], match["o"].strip().removeprefix("The ")
    role = match.groupdict().get("r") or ""
    if kind in ("age", "年龄", "is", "身份"):
        entity = {"entity": subject, "kind": "character"}
        return {**entity, "properties": {kind: int(value) if value.isdecimal() else value}}
    if kind in ("status", "died"):
        return {"status": {"of": subject, "is": "dead" if kind == "died" or value == "死亡" else value}}
    relation = {"role": "MEMBER_OF", "kin": _relation(role), "verb": _relation(role)}.get(kind, kind)
    properties = {"properties": {"role": role}} if kind in ("role", "kin") else {}
    return {"subject": subject, "relation": relation, "object": value, **properties}


def _relation(word: str) -> str:
    stem = word.removesuffix("着").removesuffix("于") if word not in _RELATIONS else word
    stem = stem if stem in _RELATIONS else stem.removesuffix("了")
    return _RELATIONS.get(stem, stem.upper() if stem.isascii() else "KNOWS")
