"""The dead who act, under their own or another name, also in what somebody says of them as of the living."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.draft import QUOTED
from amb_book.checking.findings import Finding
from amb_book.checking.scene import Scene, either
from amb_book.entities import Entity
from amb_book.fact_answers import Mention
from amb_book.name_book import bare

__all__ = ["the_dead"]

_LATELY = re.compile(
    r"\b(?:just now|a (?:minute|moment) ago|minutes? (?:ago|since|back)|hours? (?:ago|since)|this (?:morning|"
    r"evening|"
    r"afternoon|very \w+)|tonight|last night|yesterday|today|right now|at this (?:moment|very)|till \w+ (?:this|"
    r"last)|"
    r"is (?:waiting|coming|asking|downstairs|upstairs|outside|on (?:the|his|her) way|at the \w+|expecting|"
    r"in the \w+)|"
    r"wants (?:you|me|us|to|a|the|it|them|his|her)|sends (?:his|her|you|word)|asks (?:you|if|for|that)|"
    r"(?:he|she) (?:wants|says|thinks|expects|needs|is waiting)|would (?:be obliged|like a word)|"
    r"will (?:see|be down|meet|want|not be long))\b"
    r"|刚才|方才|刚刚|适才|昨夜|昨晚|昨日|昨天|昨儿|今早|今晨|今儿|今日|今天|今晚|正在|正等|等着[你您咱我]|"
    r"[叫让请][你您]|[叫让]我来|刚[从到进回去来把给说]|"
    r"吩咐[我你小奴]|托我|捎话|带话|这就来|在(?:外头|楼下|门口|里屋|前厅)等|还等着"
)
_NOT_SO = re.compile(
    r"\b(?:dead|died|death|dies|buried|funeral|grave|killed|murder\w*|body|corpse|ghost|would have|used to|once|"
    r"always|"
    r"never|if|will says|dream\w*|anniversary|years|remember\w*|memory|like|named|portrait|letter)\b|\?"
    r"|死|亡|葬|坟|墓|祭|忌|灵|尸|鬼|魂|梦|要是|若|如果|生前|当年|从前|那年|遗|记得|像|名|画|信|？|[吗么]"
)
_QUOTE = re.compile(f"{QUOTED}+")


def the_dead(scene: Scene) -> Iterator[Finding]:
    """Somebody who is dead speaks or acts."""
    for number in range(len(scene.draft.sentences)):
        if scene.frames.elsewhere(number):
            continue
        seen: set[str] = set()
        for named in [*scene.doers(number), *_reported_doings(scene, number)]:
            entity = _only(scene, named)
            if entity is not None and scene.known.is_dead(entity) and entity.id not in seen:
                seen.add(entity.id)
                yield _finding(scene, number, named, entity)


def _finding(scene: Scene, number: int, named: Mention, entity: Entity) -> Finding:
    fact = scene.known.status(entity)
    assert fact is not None
    spoken = scene.is_spoken(number, named)
    speaks = QUOTED in scene.draft.sentences[number].told and not spoken
    english, chinese = ("speaks", "说话") if speaks else ("acts", "在行动")
    other = ("", "") if not named.alias else (f" under the name {named.text!r}", f"（用的是“{named.text}”这个名字）")
    return scene.finding(
        "dead_acts" if not named.alias or not _is_alias(named, entity) else "alias_dead",
        number,
        [entity.name],
        (
            f"{entity.name} has been dead since chapter {fact.since} and {english} here{other[0]}.",
            f"{entity.name}自第{fact.since}章起已死，这里却{chinese}{other[1]}。",
        ),
        facts=[fact],
        confidence=0.65 if spoken else 0.95 if speaks else 0.88,
    )


def _only(scene: Scene, named: Mention) -> Entity | None:
    """Whom a name means: never one of several, of whom somebody lives."""
    if all(scene.known.is_dead(entity) for entity in named.entities):
        return named.entities[0]
    return named.sole


def _is_alias(named: Mention, entity: Entity) -> bool:
    return bare(named.text) in set(map(bare, entity.aliases)) - set(entity.name.split())


def _reported_doings(scene: Scene, number: int) -> Iterator[Mention]:
    """Those of whom somebody in a sentence says what they do now, or did today."""
    sentence = scene.draft.sentences[number]
    grammar = either(sentence)
    said = "".join(sentence.text[one.start() : one.end()] for one in _QUOTE.finditer(sentence.told))
    if _NOT_SO.search(said):
        return
    for each in scene.names[number]:
        start, end = each.start - sentence.start, each.end - sentence.start
        quote = next((one for one in _QUOTE.finditer(sentence.told) if one.start() <= start < one.end()), None)
        if quote is None or not any(one.kind == "character" for one in each.entities):
            continue
        before, after = sentence.text[quote.start() : start], sentence.text[end : quote.end()]
        if grammar.is_subject(before, after) and _LATELY.search(said):
            yield each
