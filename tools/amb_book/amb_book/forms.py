"""A form for what no rule reads: whom a text names, what holds of them, and places for what became true in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from amb_book.cast import NameCensus
from amb_book.entities import HAS_STATUS, Entity
from amb_core.rendering import Language
from amb_values import name_key, sentence_spans

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["FormRow", "filled_in", "form_rows", "place_line", "slot_of_statement", "with_value"]

_MOST, _MOST_NAMED = 60, 30
_MOST_CHARS = 200_000
_EVIDENCE_CHARS = 300


@dataclass(frozen=True, slots=True)
class FormRow:
    """One place to fill in: a statement that lacks one value, what `holds` so far, and the sentence that names it."""

    statement: Mapping[str, JsonValue]
    holds: str = ""
    evidence: str = ""


def form_rows(story: Story, texts: Iterable[str], *, chapter: int, plan: bool = False) -> tuple[FormRow, ...]:
    """The places for a chapter: state and whereabouts of each person named, owners of things, open hooks, new names.

    Those named first come first: at most 60 rows, of 30 entities and 30 new names. Of a text of more than 200,000
    characters the end is looked through. With `plan`, the steps that are in progress or next are among them: what
    happened moves the plan.
    """
    text = "\n\n".join(each for each in texts if each.strip())[-_MOST_CHARS:]
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    found: dict[tuple[str, str], FormRow] = {}
    of_plan = _of_plan(story) if plan else ()
    for row in (*_of_known(story, text, sentences, chapter), *of_plan, *_of_new(story, text, sentences)):
        found.setdefault(slot_of_statement(row.statement, story), row)
    return tuple(found.values())[:_MOST]


def slot_of_statement(statement: Mapping[str, Any], story: Story) -> tuple[str, str]:
    """What a statement is the value of: two with the same slot cannot both be filled in."""

    def who(name: object) -> str:
        found = story.facts.resolve(str(name))
        return found[0].id if len(found) == 1 else name_key(str(name))

    status = statement.get("status")
    if isinstance(status, Mapping) and "of" in status:
        return "status", who(status["of"])
    if "subject" in statement:
        relation = str(statement.get("relation"))
        return relation, who(statement.get("object" if relation == "OWNS" else "subject"))
    name = next((each for each in ("hook", "entity", "plan", "lore") if each in statement), "")
    return name, who(statement.get(name, ""))


def filled_in(rows: Iterable[Any]) -> list[Any]:
    """The statements of rows that come back, and plain statements as they are; rows without a value are left out."""
    found = []
    for row in rows:
        if not (isinstance(row, Mapping) and "statement" in row and "holds" in row):
            found.append(row)
        elif "" not in _values(row["statement"]):
            found.append({**row["statement"], "evidence": row.get("evidence", "")})
    return found


def with_value(statement: Mapping[str, Any], value: str) -> dict[str, Any]:
    """The statement of a row with a value in its empty place."""
    return {
        name: with_value(told, value) if isinstance(told, Mapping) else told if told != "" else value
        for name, told in statement.items()
    }


def place_line(statement: Mapping[str, Any], holds: str, language: Language) -> str:
    """What a row asks for, and what holds so far, as in `Lin Yue is at: (the Harbour)`."""
    kind = str(statement.get("relation") or next(iter(statement)))
    names = [statement["title"]] if kind == "plan" else [each for each in _values(statement) if each not in ("", kind)]
    return _PLACES[language][kind].format(name=names[0] if names else "") + (f" ({holds})" if holds else "")


_PLACES: dict[Language, dict[str, str]] = {
    "en": {
        "status": "the state of {name}:",
        "IS_AT": "{name} is at:",
        "OWNS": "{name} belongs to:",
        "hook": "{name} (Unresolved or Resolved):",
        "plan": "planned: {name} (Pending, InProgress or Completed):",
        "entity": "{name} is new, and is a (character, location, item, faction, ability or thing):",
    },
    "zh": {
        "status": "{name}的状态：",
        "IS_AT": "{name}在：",
        "OWNS": "{name}属于：",
        "hook": "{name}（Unresolved 未解或 Resolved 已解）：",
        "plan": "规划：{name}（Pending 待完成、InProgress 进行中或 Completed 已完成）：",
        "entity": "新出现的{name}是（character、location、item、faction、ability 或 thing）：",
    },
}


def _values(statement: Mapping[str, Any]) -> list[Any]:
    return [each for value in statement.values() for each in (value.values() if isinstance(value, dict) else [value])]


def _of_plan(story: Story) -> Iterator[FormRow]:
    """The step each storyline is at, and the next one."""
    for line in story.plan.positions():
        for step, title in ((line.step, line.step_title), (line.next_step, line.next_title)):
            if step:
                yield FormRow({"plan": step, "title": title, "status": ""}, story.plan.part(step).status)


def _of_known(story: Story, text: str, sentences: Sequence[str], chapter: int) -> Iterator[FormRow]:
    named = {each.sole: each for each in story.facts.mentions(text, at=chapter) if each.sole is not None}
    for entity, mention in sorted(named.items(), key=lambda each: each[1].start)[:_MOST_NAMED]:
        yield from _of_entity(story, entity, _sentence_of(mention.text, sentences), chapter)


def _of_entity(story: Story, entity: Entity, evidence: str, chapter: int) -> Iterator[FormRow]:
    name = entity.name
    told = story.facts.about(entity.id, at=chapter)
    if entity.kind == "character":
        yield FormRow({"status": {"of": name, "is": ""}}, told.status, evidence)
        yield FormRow({"subject": name, "relation": "IS_AT", "object": ""}, told.place, evidence)
    elif entity.kind == "item":
        owners = [each.subject for each in told.facts if each.relation == "OWNS" and each.object == name]
        yield FormRow({"subject": "", "relation": "OWNS", "object": name}, ", ".join(owners), evidence)
    elif entity.kind == "hook":
        state = next((each.object for each in told.facts if each.relation == HAS_STATUS), "")
        if state != "Resolved":
            yield FormRow({"hook": name, "status": ""}, state, evidence)


def _of_new(story: Story, text: str, sentences: Sequence[str]) -> Iterator[FormRow]:
    census = NameCensus()
    census.add(text)
    for each in census.found()[:_MOST_NAMED]:
        if not story.facts.resolve(each.name):
            yield FormRow({"entity": each.name, "kind": ""}, "", _sentence_of(each.name, sentences))


def _sentence_of(name: str, sentences: Sequence[str]) -> str:
    """The last sentence that names somebody."""
    found = next((each for each in reversed(sentences) if name in each), "")
    return " ".join(found.split()) if len(found) <= _EVIDENCE_CHARS else ""
