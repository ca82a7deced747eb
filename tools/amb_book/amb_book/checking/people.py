"""The dead who act, under their own or another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.draft import QUOTED
from amb_book.checking.findings import Finding
from amb_book.checking.hearsay import reported_doings
from amb_book.checking.name_index import Named
from amb_book.checking.scene import Scene
from amb_book.entities import Entity

__all__ = ["the_dead"]


def the_dead(scene: Scene) -> Iterator[Finding]:
    """Somebody who is dead speaks or acts."""
    for number in range(len(scene.draft.sentences)):
        if scene.frames.elsewhere(number):
            continue
        seen: set[str] = set()
        for named in [*scene.doers(number), *reported_doings(scene, number)]:
            entity = _only(scene, named)
            if entity is not None and scene.known.state(entity) == "dead" and entity.id not in seen:
                seen.add(entity.id)
                yield _finding(scene, number, named, entity)


def _finding(scene: Scene, number: int, named: Named, entity: Entity) -> Finding:
    fact = scene.known.status(entity)
    assert fact is not None
    speaks = QUOTED in scene.draft.sentences[number].told and not named.spoken
    english, chinese = ("speaks", "说话") if speaks else ("acts", "在行动")
    other = ("", "") if named.own else (f" under the name {named.text!r}", f"（用的是“{named.text}”这个名字）")
    return scene.finding(
        "dead_acts" if named.own or not _is_alias(named, entity) else "alias_dead",
        number,
        [entity.name],
        (
            f"{entity.name} has been dead since chapter {fact.since} and {english} here{other[0]}.",
            f"{entity.name}自第{fact.since}章起已死，这里却{chinese}{other[1]}。",
        ),
        facts=[fact],
        confidence=0.65 if named.spoken else 0.95 if speaks else 0.88,
    )


def _only(scene: Scene, named: Named) -> Entity | None:
    """Whom a name means: never one of several, of whom somebody lives."""
    if all(scene.known.state(entity) == "dead" for entity in named.entities):
        return named.entities[0]
    return named.sole


def _is_alias(named: Named, entity: Entity) -> bool:
    bare = {re.sub(r"^(?:the|a|an) ", "", alias, flags=re.IGNORECASE) for alias in entity.aliases}
    return named.text in bare - set(entity.name.split())
