"""Things in the hands of somebody whose they are not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.findings import Finding
from amb_book.checking.holding import GIVES, LENT, LENT_AFTER, MOVED, holder
from amb_book.checking.item_names import ItemNames
from amb_book.checking.naming import Named
from amb_book.checking.scene import Scene
from amb_book.checking.sex import sex_of, sex_of_word
from amb_book.entities import Entity

__all__ = ["others_things"]

_AFTER = 2
"""In how many sentences after one a draft may still say how a thing came to be where it is."""


def others_things(scene: Scene) -> Iterator[Finding]:
    """Somebody uses, wears or gives away what belongs to another, and no handing over was told."""
    items = ItemNames(scene)
    for number in range(len(scene.draft.sentences)):
        if scene.frames.unreal(number):
            continue
        for named in items.named(number):
            found = _in_wrong_hands(scene, items, number, named)
            if found is not None:
                yield found


def _in_wrong_hands(scene: Scene, items: ItemNames, number: int, named: Named) -> Finding | None:
    item = named.sole
    fact = scene.known.owner(item) if item is not None else None
    sentence = scene.draft.sentences[number]
    if item is None or fact is None or scene.doubted(number, named.start - sentence.start):
        return None
    held = holder(scene, number, named)
    if held is None or held.who.name == fact.subject or held.who.kind != "character":
        return None
    sure = held.sure or _always_had(scene, number, named, held.who)
    if not sure and _is_there(scene, number, fact.subject):
        return None
    if _shared(scene, fact.subject, held.who, item) or _handed_over(scene, items, number, named, item):
        return None
    return scene.finding(
        "ownership",
        number,
        [held.who.name, item.name, fact.subject],
        (
            f"{item.name} has been {fact.subject}'s since chapter {fact.since}; here {held.who.name} has it, and "
            "nobody gave it.",
            f"{item.name}自第{fact.since}章起归{fact.subject}，这里却在{held.who.name}手里，没有写到转手。",
        ),
        facts=[fact],
        confidence=0.82 if named.own else 0.7,
    )


def _is_there(scene: Scene, number: int, owner: str) -> bool:
    """Whether the owner is named up to a sentence, and may well have let others handle what is theirs."""
    return any(
        entity.name == owner for other in range(number + 1) for each in scene.names[other] for entity in each.entities
    )


_ALWAYS = {
    "en": re.compile(
        r"(?P<who>\b[Hh]e|\b[Ss]he) had (?:never|not once) (?:let|left|parted|been without|given|put)\b[^.;]{0,12}\b"
        r"(?:it|with|hands?|side)\b"
    ),
    "zh": re.compile(r"(?P<who>[他她])?(?:从来?[未没不]|向来不|从不)[^，。]{0,4}(?:离过?[身手]|离开过)"),
}
"""Words that say that a thing was always with somebody."""


def _always_had(scene: Scene, number: int, named: Named, who: Entity) -> bool:
    """Whether a sentence that names no other says after a thing that who has it has always had it."""
    sentence = scene.draft.sentences[number]
    if any(who not in each.entities for each in scene.told(number, "character")):
        return False
    found = _ALWAYS[sentence.language].search(sentence.told, named.end - sentence.start)
    if found is None:
        return False
    sex = sex_of_word({"he": "man", "she": "woman", "他": "男", "她": "女"}.get((found["who"] or "").casefold(), ""))
    return sex is None or sex_of(scene.known, who) == sex


def _shared(scene: Scene, owner: str, actor: Entity, item: Entity) -> bool:
    """Whether the owner is no single person, one whose things may be anybody's by now, or married to the actor, who has
    not lost the thing to them.
    """
    had = "OWNS", actor.name, item.name
    lost = any((fact.relation, fact.subject, fact.object) == had for fact in scene.known.told(item))
    for entity in scene.known.by_name.get(owner, ()):
        if entity.kind != "character" or scene.known.state(entity) in ("dead", "missing"):
            return True
        married = scene.known.related(entity, "MARRIED_TO")
        if not lost and any(actor.name in (fact.subject, fact.object) for fact in married):
            return True
    return False


def _handed_over(scene: Scene, items: ItemNames, number: int, named: Named, item: Entity) -> bool:
    """Whether the draft tells how the thing came to somebody else."""
    sentences = scene.draft.sentences
    offset = named.start - sentences[number].start
    for other in range(number + 1):
        if not any(item in each.entities and each.start < named.start for each in _mentions(scene, items, other)):
            continue
        text = sentences[other].text if other < number else sentences[other].text[:offset]
        if MOVED[sentences[other].language].search(text):
            return True
    if any(_gives(scene, other, item) for other in range(max(0, number - 3), number + 1)):
        return True
    if any(LENT[each.language].search(each.text) for each in sentences[max(0, number - 1) : number + 1]):
        return True
    return any(LENT_AFTER[each.language].search(each.text) for each in sentences[number + 1 : number + 1 + _AFTER])


def _gives(scene: Scene, number: int, item: Entity) -> bool:
    """Whether the owner of a thing hands something over in a sentence, by whatever name."""
    owner = scene.known.owner(item)
    sentence = scene.draft.sentences[number]
    named = [each for each in scene.told(number, "character") if owner is not None and each.sole is not None]
    return any(
        each.sole is not None
        and owner is not None
        and each.sole.name == owner.subject
        and GIVES[sentence.language].search(sentence.told[each.end - sentence.start :])
        for each in named
    )


def _mentions(scene: Scene, items: ItemNames, number: int) -> list[Named]:
    return [*scene.names[number], *items.named(number)]
