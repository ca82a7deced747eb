"""What was read off a conversation, with its place in it; of what was said again or otherwise, the last word."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from amb_book.statements import (
    EntityStatement,
    HookStatement,
    LoreStatement,
    RelationStatement,
    Statement,
    StatusStatement,
)
from amb_book.timeline import ONE_PER_OBJECT, ONE_PER_SUBJECT, SYMMETRIC

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["Extracted", "ReadOff", "last_words"]

Key = tuple[str, ...]
_ONE_HOME = frozenset({"LIVES_AT"})


@dataclass(frozen=True, slots=True)
class Extracted:
    """A statement that was read off a conversation: where it was said, and how sure that is in [0, 1].

    `turn` is the number of the turn it stands in, 0 when that is not known.
    """

    statement: Statement
    evidence: str = ""
    confidence: float = 1.0
    turn: int = 0


class ReadOff(list[Extracted]):
    """What was read off, what failed, and which turns were too much to be read; any extractor may return it.

    `dropped` is how many statements of a model were left out, for what they quote does not bear them out. `draft` is
    the text of the chapter that was agreed, "" for none, None where nobody looked for it. `withdrawn`
    are decisions that were taken back later in the talk.
    """

    def __init__(
        self,
        found: Iterable[Extracted] = (),
        *,
        problems: Iterable[str] = (),
        unread: Iterable[int] = (),
        dropped: int = 0,
        draft: str | None = None,
        withdrawn: Iterable[str] = (),
    ) -> None:
        super().__init__(found)
        self.problems = tuple(dict.fromkeys(problems))
        self.unread = tuple(sorted(set(unread)))
        self.dropped, self.draft = dropped, draft
        self.withdrawn = tuple(withdrawn)


def last_words(found: Iterable[Extracted], *, story: Story, chapter: int) -> list[Extracted]:
    """What was said last of everything, in the order of the turns; what ends in the talk that began in it is left out.

    One thing said several times is told once, as it was found first and where it was said last. What has no place
    counts as said at the end.
    """
    once: dict[str, Extracted] = {}
    for each in found:
        known = once.get(_told(each.statement), each)
        later = max(each.turn, known.turn) if each.turn and known.turn else 0
        once[_told(each.statement)] = replace(known, turn=later)
    talk = _Talk(story, chapter)
    kept: list[Extracted] = []
    for each in sorted(once.values(), key=lambda each: (not each.turn, each.turn))[::-1]:
        kept += talk.taken(each)
    return [each for each in kept[::-1] if id(each) not in talk.void]


class _Talk:
    """What was told since, when a conversation is gone through from its end."""

    def __init__(self, story: Story, chapter: int) -> None:
        self._story, self._chapter = story, chapter
        self._said: set[Key] = set()
        self._ended: dict[Key, Extracted] = {}
        self.void: set[int] = set()

    def taken(self, each: Extracted) -> list[Extracted]:
        """What of a statement nothing later takes the place of."""
        statement = each.statement
        points = self._points(statement)
        left = {name for name, keys in points.items() if not keys & self._said}
        if points and not left:
            self._withdraw(points)
            return []
        self._said.update(*points.values())
        ends = isinstance(statement, RelationStatement | StatusStatement) and statement.until
        if ends and not self._holds(statement):
            self._ended.update(dict.fromkeys(next(iter(points.values())), each))
        if isinstance(statement, EntityStatement) and left != points.keys():
            fields = {name: value for name, value in statement.properties.items() if name in left}
            return [replace(each, statement=statement.model_copy(update={"properties": fields}))]
        return [each]

    def _withdraw(self, points: Mapping[str, frozenset[Key]]) -> None:
        self.void.update(id(self._ended[key]) for keys in points.values() for key in keys if key in self._ended)

    def _who(self, name: str) -> str:
        known = self._story.facts.resolve(name)
        return known[0].id if len(known) == 1 else " ".join(name.casefold().split())

    def _holds(self, statement: Statement) -> bool:
        """Whether the book says what a statement ends."""
        if isinstance(statement, StatusStatement):
            who = self._story.facts.resolve(statement.status.of)
            return len(who) == 1 and self._story.facts.about(who[0].id).status == statement.status.is_
        if not isinstance(statement, RelationStatement):
            return False
        ends = [self._story.facts.resolve(name) for name in (statement.subject, statement.object)]
        if any(len(each) != 1 for each in ends):
            return False
        facts = self._story.facts.facts(
            relation=statement.relation, subject=ends[0][0].id, object=ends[1][0].id, at=self._chapter
        )
        return bool(facts)

    def _points(self, statement: Statement) -> dict[str, frozenset[Key]]:
        """What a statement says, point by point, each with the keys a later word for it has in common with it."""
        match statement:
            case EntityStatement():
                who = self._who(statement.entity)
                told: dict[str, frozenset[Key]] = {
                    name: frozenset({("has", who, name)}) for name in statement.properties
                }
                return told | {f" {name}": frozenset({("called", who, name)}) for name in statement.aliases}
            case RelationStatement():
                return {"relation": self._of_relation(statement)}
            case StatusStatement():
                who, state = self._who(statement.status.of), statement.status.is_
                now = frozenset() if statement.until else frozenset({("status", who)})
                return {"status": frozenset({("status", who, state), *now})}
            case HookStatement():
                hook = self._who(statement.hook)
                text = {"text": frozenset({("text", hook)})} if statement.text else {}
                return {"status": frozenset({("hook", hook)}), **text}
            case LoreStatement():
                return {"lore": frozenset({("lore", statement.lore)})}
            case _:
                names = statement.model_fields_set - {"plan", "evidence"}
                return {name: frozenset({("plan", statement.plan, name)}) for name in names}

    def _of_relation(self, statement: RelationStatement) -> frozenset[Key]:
        """The fact itself and, where only one may hold, what it is one of."""
        relation = statement.relation
        subject, target = self._who(statement.subject), self._who(statement.object)
        ends = sorted((subject, target)) if relation in SYMMETRIC else [subject, target]
        keys: set[Key] = {(relation, *ends)}
        if relation in ONE_PER_SUBJECT | _ONE_HOME and not statement.until:
            keys.add((relation, subject))
        if relation in ONE_PER_OBJECT and not statement.until:
            keys.add((relation, target))
        return frozenset(keys)


def _told(statement: Statement) -> str:
    """What two statements of the same have in common, but for whose words they are."""
    return json.dumps({**statement.plain(), "evidence": ""}, sort_keys=True)
