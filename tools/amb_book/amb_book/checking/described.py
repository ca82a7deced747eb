"""People whom a draft names only by what they are to others: his grandfather, 她师父, the man who taught her."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from amb_book.checking import roles
from amb_book.checking.english_words import is_act
from amb_book.checking.naming import Named
from amb_book.checking.scene import Scene, either
from amb_book.checking.sex import sex_of, sex_of_word
from amb_book.entities import Entity

__all__ = ["actors", "kin_of"]

_KIN = {
    "en": re.compile(
        r"(?:\b(?P<pronoun>[Hh]is|[Hh]er)\s+|(?<=['’]s )|(?<=s['’] ))"
        r"(?:(?:old|own|dear|poor|little|elder|older|younger|twin|only|young|big|beloved|first) ){0,2}"
        rf"(?P<word>{roles.ENGLISH})\b(?!['’]s\b|-)(?! of\b)"
    ),
    "zh": re.compile(
        r"(?:(?P<pronoun>[他她](?:自己)?的?|自己的?)|(?<=的)|(?<=[\u3400-\u9fff])|(?:^|(?<=[，。！？；：”\s])))"
        rf"(?:老|亲|那个?)?(?P<word>{roles.CHINESE}|兄弟|姐妹|姊妹|弟兄)(?!们|的|[子儿])"
    ),
}
_KIN_OF = re.compile(
    rf"\b(?:the|a) (?:old |elder |younger |only )?(?P<word>{roles.ENGLISH}) of (?:the )?$", re.IGNORECASE
)
_BARE_ZH = re.compile(
    r"^(?:爷爷|祖父|奶奶|祖母|外公|外婆|父亲|爹爹?|母亲|娘亲|爸爸|妈妈|师父|师尊|恩师|父王|母后|父皇|母妃|丈夫|妻子|"
    r"岳父|岳母)$"
)
"""Kin of whom one speaks without saying whose."""
_STANDS_ALONE = re.compile(r"(?:^|[，。！？；：”\s]|[边旁里上下中前后外侧面着了]的|这时|只见|却见|原来|忽然)$")
_WHO_DID = {
    "en": re.compile(
        r"\b[Tt]he (?:\w+ )?(?:man|woman|one|person|teacher|master|engineer|soldier) (?:who|that) (?:had )?(?:once |"
        r"first )?"
        r"(?P<verb>taught|trained|schooled|raised|fathered|borne|bore|married|wed|mothered|brought up) (?P<whom>her|"
        r"him|$)"
    ),
    "zh": re.compile(
        r"(?:当年|从前|亲手|一手)?(?P<verb>教|生|养|带|娶|嫁)(?:会|过|给|大|下)*了?(?P<whom>[他她]|"
        r"$)[^，。的]{0,8}的(?:那个?)?"
        r"(?:人|男人|女人|老人|汉子|妇人)"
    ),
}
_DID = {
    **dict.fromkeys("taught trained schooled 教 带".split(), "teacher"),
    **dict.fromkeys("raised fathered borne bore mothered 生 养".split(), "parent"),
    "brought up": "parent",
    **dict.fromkeys("married wed 娶 嫁".split(), "spouse"),
}
_HEAD = {
    "en": re.compile(rf"^(?:['’]s?)? (?:old |young |former )?{roles.HEADS_EN}\b(?!['’]s)"),
    "zh": re.compile(rf"^的?(?:那位|那个|这位)?(?:{roles.HEADS_ZH}|当家)的?(?!们)"),
}
_HEAD_OF = re.compile(rf"\b[Tt]he (?:old |young )?{roles.HEADS_EN} of (?:the )?$")
_ABED = {
    "en": re.compile(
        r"\b[Tt]he (?:\w+ )?(?:man|woman|boy|girl|figure|patient|sleeper|child|body) (?:in|on|under) the (?:\w+ ){0,2}"
        r"(?:bed|cot|bunk|couch|pallet|stretcher|litter|table|mattress|sheets?|blankets?)\b"
    ),
    "zh": re.compile(
        r"(?:龙|病|卧|凤|床|竹|软|木|锦|暖)?(?:床|榻|炕|担架)上的?那?个?(?:人|病人|男人|女人|老人|伤者|伤员|年轻人|"
        r"少年|孩子|姑娘|天子)"
    ),
}
_RELATIONS: dict[str, tuple[tuple[str, bool], ...]] = {
    "parent": (("PARENT_OF", True), ("CHILD_OF", False)),
    "child": (("PARENT_OF", False), ("CHILD_OF", True)),
    "sibling": (("SIBLING_OF", True), ("SIBLING_OF", False)),
    "spouse": (("MARRIED_TO", True), ("MARRIED_TO", False)),
    "teacher": (("STUDENT_OF", False), ("TEACHER_OF", True)),
    "pupil": (("STUDENT_OF", True), ("TEACHER_OF", False)),
    "grandparent": (("GRANDPARENT_OF", True),),
    "grandchild": (("GRANDPARENT_OF", False),),
}
"""The relations that say a role, and whether whoever has it is their subject."""
_SIBLINGS = ("兄弟", "姐妹", "姊妹", "弟兄")
_GRANDCHILD = ("grandson_of", "granddaughter_of", "grandchild_of")
_NEAR = 6
"""How many sentences back the one whose kin it is may be named."""


def actors(scene: Scene, number: int) -> list[tuple[Named, bool]]:
    """Those who act or speak in a sentence, by name or by a description, and whether they speak."""
    return [*scene.doers(number), *_described_doers(scene, number)]


def _described_doers(scene: Scene, number: int) -> Iterator[tuple[Named, bool]]:
    """Those who act or speak in a sentence and are named only by a description that fits one person of the book."""
    sentence = scene.draft.sentences[number]
    grammar = either(sentence)
    for start, end, found in _described(scene, number):
        entity = _one(found)
        if entity is None or _is_named(scene, number, start, end):
            continue
        before, after = sentence.told[:start], sentence.told[end:]
        speaks = bool(grammar.speaks(before, after))
        if speaks or grammar.acts(before, after) or (_RELATIVE.search(sentence.told[start:end]) and _goes_on(after)):
            where = sentence.start
            yield Named(where + start, where + end, sentence.text[start:end], (entity,), True), speaks


def _one(people: Iterable[Entity]) -> Entity | None:
    found = {each.id: each for each in people if each.kind == "character"}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_named(scene: Scene, number: int, start: int, end: int) -> bool:
    """Whether a name follows or stands in a description: his brother Tom is named by that."""
    offset = scene.draft.sentences[number].start
    return any(
        offset + start < each.start <= offset + end + 2 and any(one.kind == "character" for one in each.entities)
        for each in scene.names[number]
        if each.start >= offset + start
    )


_RELATIVE = re.compile(r"^[Tt]he .*\b(?:who|that)\b")


def _goes_on(after: str) -> bool:
    """Whether a main verb follows a relative clause: the man who taught her everything she knew laughed."""
    clause = re.split(r"[.;:!?“”\"]", after)[0]
    words = re.findall(r"[\w’']+", clause)
    return any(
        is_act(word)
        and words[place - 1].casefold() not in ("she", "he", "it", "they", "i", "we", "had", "was", "been", "who")
        for place, word in enumerate(words)
        if place
    )


def _described(scene: Scene, number: int) -> Iterator[tuple[int, int, list[Entity]]]:
    """Descriptions in the narration of a sentence as (start, end, whom each may mean)."""
    sentence = scene.draft.sentences[number]
    told, language = sentence.told, sentence.language
    for found in _KIN[language].finditer(told):
        word, pronoun = found.group("word"), found.group("pronoun")
        start, owner = _owner(scene, number, found.start(), word, pronoun)
        if owner is not None:
            yield start, found.end(), list(kin_of(scene, owner, word))
    for found in _WHO_DID[language].finditer(told):
        owner = _whom(scene, number, found)
        if owner is not None:
            yield found.start(), found.end(), list(_related(scene, owner, _DID[found.group("verb")]))
    for named in scene.told(number):
        yield from _by_name(scene, number, named)
    for found in _ABED[language].finditer(told):
        yield found.start(), found.end(), _senseless(scene, number)


def _by_name(scene: Scene, number: int, named: Named) -> Iterator[tuple[int, int, list[Entity]]]:
    """What is said of the head of a group, or of the kin of somebody, whose name stands there."""
    sentence, entity = scene.draft.sentences[number], named.sole
    if entity is None:
        return
    before, after = scene.around(sentence, named)
    start, end = named.start - sentence.start, named.end - sentence.start
    if entity.kind == "character":
        of = _KIN_OF.search(before)
        if of is not None:
            yield of.start(), end, list(kin_of(scene, entity, of.group("word")))
    elif entity.kind == "faction":
        heads = [
            each for fact in scene.known.related(entity, "LEADS") for each in scene.known.by_name.get(fact.subject, ())
        ]
        head, of = _HEAD[sentence.language].search(after), _HEAD_OF.search(before)
        if of is not None:
            yield of.start(), end, heads
        elif head is not None:
            article = re.search(r"\b[Tt]he $", before)
            yield article.start() if article else start, end + head.end(), heads


def _owner(scene: Scene, number: int, start: int, word: str, pronoun: str | None) -> tuple[int, Entity | None]:
    """Where the description begins, and whose kin it is."""
    sentence = scene.draft.sentences[number]
    here = sentence.start + start
    if pronoun is None:
        for each in scene.names[number]:
            gap = scene.draft.text[each.end : here] if each.end <= here else "?"
            if gap in ("", "的", "'s ", "’s ", "' ", "’ ") and any(one.kind == "character" for one in each.entities):
                # 公主的生母, Mila's brother
                begin = each.start - sentence.start
                article = re.search(r"\b[Tt]he $", sentence.told[:begin])
                return article.start() if article else begin, each.sole
        if sentence.language == "en" or not _BARE_ZH.search(word) or not _STANDS_ALONE.search(sentence.told[:start]):
            return start, None
    return start, _nearest(scene, number, here, pronoun or "")


def _nearest(scene: Scene, number: int, here: int, pronoun: str) -> Entity | None:
    """Whom a possessive stands for: the only person named last before it."""
    sex = "f" if re.match(r"[Hh]er|她", pronoun) else "m" if re.match(r"[Hh]is|他", pronoun) else None
    for other in range(number, max(-1, number - _NEAR - 1), -1):
        people = {
            each.sole.id: each.sole
            for each in scene.told(other, "character")
            if each.end <= here and each.sole is not None
        }
        sexes = {key: sex_of(scene.known, each) for key, each in people.items()}
        sure = [each for key, each in people.items() if sex is not None and sexes[key] == sex]
        fit = sure or [each for key, each in people.items() if sex is None or sexes[key] is None]
        if fit:
            return fit[0] if len(fit) == 1 else None
    return None


def _whom(scene: Scene, number: int, found: re.Match[str]) -> Entity | None:
    sentence = scene.draft.sentences[number]
    if found.group("whom"):
        return _nearest(scene, number, sentence.start + found.start(), found.group("whom"))
    return None


def kin_of(scene: Scene, person: Entity, word: str) -> Iterator[Entity]:
    """Those who are to somebody what a word for kin says, as far as it is settled."""
    sex = sex_of_word(word)
    for each in _related(scene, person, "sibling" if word in _SIBLINGS else roles.role_of(word)):
        if sex is None or sex_of(scene.known, each) in (sex, None):
            yield each


def _related(scene: Scene, person: Entity, role: str) -> Iterator[Entity]:
    """Who stands to somebody in a role, by what is settled or follows from it: a wife's child, a parent's child."""
    found = list(_settled(scene, person, role))
    if not found and role in _FOLLOWS:
        first, then = _FOLLOWS[role]
        found = [each for one in _settled(scene, person, first) for each in _settled(scene, one, then)]
    yield from (each for each in found if each.id != person.id)


_FOLLOWS = {
    "child": ("spouse", "child"),
    "parent": ("parent", "spouse"),
    "sibling": ("parent", "child"),
    "grandparent": ("parent", "parent"),
    "grandchild": ("child", "child"),
}


def _settled(scene: Scene, person: Entity, role: str) -> Iterator[Entity]:
    names: list[str] = []
    for relation, subject in _RELATIONS.get(role, ()):
        for fact in scene.known.related(person, relation):
            other, one = (fact.subject, fact.object) if subject else (fact.object, fact.subject)
            names += [other] if one == person.name else []
    if role == "grandparent":
        names += [fact.object for fact in scene.known.properties(person) if fact.attribute in _GRANDCHILD]
    for name in names:
        yield from (each for each in scene.known.by_name.get(name, ()) if each.kind == "character")


def _senseless(scene: Scene, number: int) -> list[Entity]:
    """Those who lie senseless, when the book knows of a single one."""
    people = [each for each in scene.known.entities if each.kind == "character"]
    if len(people) > _FEW:
        return []
    return [each for each in people if scene.known.state(each) == "senseless"]


_FEW = 120
"""In a book of more people than this nobody is looked for by their state alone."""
