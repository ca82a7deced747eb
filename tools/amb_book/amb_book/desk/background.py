"""What the book's memory has for a message: position, facts, plan, lore, hooks and passages, as of where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from amb_book.desk.desk_words import chapter_in
from amb_book.desk.tasks import Task
from amb_book.entities import Entity
from amb_book.fact_answers import Fact
from amb_book.plan import PlanPart
from amb_book.position import Position
from amb_core.rendering import Language
from amb_core.text import clip_tokens, estimate_tokens, index_tokens
from amb_core.text.pure_cache import remembered

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["BROAD", "NARROW", "Breadth", "Source", "SourceKind", "background", "fact_line", "last_chapters", "scene_of"]

SourceKind = Literal["position", "fact", "plan", "hook", "lore", "passage", "chapter"]
_FACTS_EACH = 10
_STEPS_EACH = 3


@dataclass(frozen=True, slots=True)
class Source:
    """One thing the memory has: its kind, id and text; `chapter` is where it is from, None for plan and lore.

    `why` says what led to it: the name in the message, or how well it fits in [0, 1].
    """

    kind: SourceKind
    id: str
    text: str
    chapter: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Breadth:
    """How much is looked for: for a new or restarted task broadly, for a message of one that goes on narrowly."""

    entities: int
    lore: int
    passages: int
    hooks: int
    whole_plan: bool


BROAD = Breadth(entities=6, lore=4, passages=3, hooks=5, whole_plan=True)
NARROW = Breadth(entities=3, lore=2, passages=2, hooks=2, whole_plan=False)


def background(story: Story, query: str, *, breadth: Breadth, scene: str = "") -> list[Source]:
    """What bears on a query, the most telling of each kind first; nothing settled later than the position is in it.

    Lore is looked for by the `scene` that is to be written, too, and by those who are in it. Everything of kind `plan`
    is planned and has not happened.
    """
    position = story.position()
    at = position.chapter
    passages = _passages(story, query, breadth.passages, at)
    entities = _entities(story, query, passages, at)[: breadth.entities]
    named = {entity.name for entity, _ in entities}
    found = [
        *_told_position(position),
        *(source for entity, why in entities for source in _facts(story, entity, why, at)),
        *_plan(story, query, whole=breadth.whole_plan),
        *_hooks(story, query, named, at, spoken_of=not breadth.whole_plan)[: breadth.hooks],
        *_lore(story, query, scene, named, breadth.lore),
        *passages,
    ]
    return list({(source.kind, source.id): source for source in reversed(found)}.values())[::-1]


def _told_position(position: Position) -> Iterator[Source]:
    title = f" “{position.chapter_title}”" if position.chapter_title else ""
    yield Source("position", "position", f"{position.chapter}{title}", position.chapter)
    for line in position.storylines:
        parts = (line.outline_title, line.step_title, line.next_title)
        text = f"{line.storyline}: {' › '.join(part for part in parts if part)} ({line.completed}/{line.steps})"
        yield Source("plan", f"storyline:{line.storyline}", text, why="position")


def _entities(story: Story, query: str, passages: Sequence[Source], at: int) -> list[tuple[Entity, str]]:
    """Who and what the query names, then who is in the passages that fit it; hooks are told by themselves."""
    found: dict[str, tuple[Entity, str]] = {}
    for text, why in ((query, ""), *((each.text, each.id) for each in passages)):
        for mention in story.facts.mentions(text, at=at):
            for entity in (each for each in mention.entities if each.kind != "hook"):
                found.setdefault(entity.id, (entity, why or mention.text))
    return list(found.values())


def _facts(story: Story, entity: Entity, why: str, at: int) -> Iterator[Source]:
    """What holds of an entity, its own facts and the newest first."""
    told = story.facts.about(entity.id, at=at)
    also = f" ({', '.join(told.entity.aliases)})" if told.entity.aliases else ""
    yield Source("fact", entity.id, f"{entity.name}{also}: {entity.kind}", entity.since, why)
    own_first = sorted(told.facts, key=lambda fact: (fact.subject != entity.name, -fact.since))
    for fact in [each for each in own_first if each.until is None or each.until > at][:_FACTS_EACH]:
        yield Source("fact", fact.id, fact_line(fact), fact.since, why)


def fact_line(fact: Fact) -> str:
    """A fact as a line without its chapter, which is told beside it."""
    what = f"{fact.attribute} = " if fact.attribute else f"{fact.relation} "
    told = ", ".join([*filter(None, (fact.time,)), *(f"{name}: {value}" for name, value in fact.properties.items())])
    return f"{fact.subject} {what}{fact.object}" + (f" ({told})" if told else "")


def _plan(story: Story, query: str, *, whole: bool) -> list[Source]:
    """Outlines in progress and those around them, what comes next, and parts that the query speaks of."""
    parts = story.plan.parts()
    if not parts:
        return []
    by_id = {part.id: part for part in parts}
    chosen: dict[str, Source] = {}
    if whole:
        begun = [part for part in parts if part.status == "InProgress"]
        _take(chosen, (each for part in begun for each in reversed(_with_parents(part, by_id))), "InProgress")
        _take(chosen, _next_steps(story.plan.upcoming()), "next")
    _take(chosen, _spoken_of(query, parts)[: 4 if whole else 2], "words")
    return list(chosen.values())


def _take(chosen: dict[str, Source], parts: Iterable[PlanPart], why: str) -> None:
    for part in parts:
        text = f"{part.title}: {part.text}" if part.text else part.title
        line = f", {part.storyline}" if part.storyline else ""
        chosen.setdefault(part.id, Source("plan", part.id, f"[{part.kind}, {part.status}{line}] {text}", why=why))


def _next_steps(upcoming: Sequence[PlanPart]) -> list[PlanPart]:
    """The first steps of every storyline."""
    counted: Counter[str] = Counter()
    chosen = []
    for step in upcoming:
        counted[step.storyline] += 1
        if counted[step.storyline] <= _STEPS_EACH:
            chosen.append(step)
    return chosen


def _with_parents(part: PlanPart, by_id: dict[str, PlanPart]) -> list[PlanPart]:
    around = [part]
    while around[-1].within in by_id:
        around.append(by_id[around[-1].within])
    return around


def _spoken_of(query: str, parts: Sequence[PlanPart]) -> list[PlanPart]:
    """The parts that share most words with a query, if they share two or a whole title."""
    wanted = set(index_tokens(query))
    scored = []
    for place, part in enumerate(parts):
        title = _words(part.title)
        shared = wanted & (title | _words(part.text))
        if len(shared) > 1 or (title and title <= wanted):
            scored.append((-len(shared), place, part))
    return [part for _, _, part in sorted(scored, key=lambda each: each[:2])]


def _hooks(story: Story, query: str, named: set[str], at: int, *, spoken_of: bool) -> list[Source]:
    """The hooks nobody resolved yet: those the query speaks of first, then, unless only they are wanted, the oldest."""
    wanted = set(index_tokens(query)) | {word for name in named for word in index_tokens(name)}
    open_hooks = story.facts.hooks("Unresolved", at=at)
    shared = {hook.name: len(wanted & _words(f"{hook.name} {hook.text}")) for hook in open_hooks}
    ranked = sorted(open_hooks, key=lambda hook: (-shared[hook.name], hook.laid))
    return [
        Source("hook", hook.name, f"{hook.name}: {hook.text}" if hook.text else hook.name, hook.laid)
        for hook in ranked
        if shared[hook.name] or not spoken_of
    ]


def _lore(story: Story, query: str, scene: str, named: set[str], k: int) -> list[Source]:
    """The entries that query, scene or the names in them name; then those that fit the query, and as many the scene."""
    found = {entry.key: entry for entry in story.lore.named_in("\n".join([query, scene, *sorted(named)]))[:k]}
    for text in filter(str.strip, (query, scene)):
        found.update({entry.key: entry for entry in story.lore.search(text, k=k) if entry.key not in found})
    most = k * 2 if scene else k
    return [
        Source("lore", entry.key, f"{entry.key}: {entry.text}", why=f"{entry.score:.2f}")
        for entry in list(found.values())[:most]
    ]


def _passages(story: Story, query: str, k: int, at: int) -> list[Source]:
    """Text of chapters up to the position; of a book that is only text so far, all of it."""
    until = at or max(story.episodes.chapters(), default=0)
    if not until or not query.strip():
        return []
    found = story.episodes.search(query, k=k, at=until)
    return [
        Source("passage", f"{each.chapter}.{each.place}", each.text, each.chapter, f"{each.score:.2f}")
        for each in found
    ]


@remembered(most=20_000, longest=2_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(index_tokens(text))


_MOST_CHAPTERS = 5
_NEWEST_SHARE = 0.6
_LEAST_TOKENS = 60
_LEFT_OUT: dict[Language, str] = {
    "en": "[{chars} characters before this are left out]",
    "zh": "[此前的 {chars} 字略去]",
}


def last_chapters(story: Story, task: Task, *, budget_tokens: int) -> list[Source]:
    """The five chapters before the one a task is about, in their order: of the last one the most, of each the end.

    None for a task that is about no chapter. What is left out of one is told at its beginning.
    """
    if task.kind != "chapter" or budget_tokens <= 0:
        return []
    there = story.episodes.chapters()
    writing = chapter_in(task.title) or max([story.facts.last_chapter, *there], default=0) + 1
    numbers = [number for number in there if writing - _MOST_CHAPTERS <= number < writing][::-1]
    found: list[Source] = []
    left = budget_tokens
    for place, number in enumerate(numbers):
        room = int(left * _NEWEST_SHARE) if place == 0 and len(numbers) > 1 else left // (len(numbers) - place)
        if room < _LEAST_TOKENS:
            break
        text = _end_of(story.episodes.text(number), room, task.language)
        left -= estimate_tokens(text)
        found.insert(0, Source("chapter", f"chapter {number}", text, number, "before"))
    return found


def scene_of(story: Story, task: Task) -> str:
    """What the scene that is written next is about: where each storyline stands in the plan, and what comes next."""
    if task.kind != "chapter":
        return ""
    return "\n".join(_planned(story))


def _planned(story: Story) -> Iterator[str]:
    for line in story.plan.positions():
        for name in (line.step, line.next_step):
            if name:
                part = story.plan.part(name)
                yield f"{part.title}: {part.text}" if part.text else part.title


def _end_of(text: str, most: int, language: Language) -> str:
    """A text, or as much of its end as fits, from the beginning of a line where there is one."""
    if estimate_tokens(text) <= most:
        return text
    end = clip_tokens(text[::-1], most)[::-1]
    line = end.find("\n")
    end = end[line + 1 :] if 0 <= line < len(end) // 2 else end
    return f"{_LEFT_OUT[language].format(chars=len(text) - len(end))}\n{end.strip()}"
