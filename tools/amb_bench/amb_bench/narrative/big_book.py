"""A made-up book of any size, the same at every run: its facts and plan chapter by chapter, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amb_book import Story

__all__ = ["BigBook"]

_SYLLABLES = "bar dor fen gal hul jor kel lum mor nar pel quin ros sal tor ulm ven wil yor zan".split()
_SURNAMES = "陆沈秦楚燕韩赵魏宋齐梁陈许郑蔡叶孟鲁卫蒋"
_GIVEN = "青云远山秋河星月霜雪长风夜雨松竹梅石玉川"
_WORDS = "the quiet water stood high under grey walls while smoke rose from the old kilns beyond the market".split()
_HEROES = 3
_STEPS, _SHORTS = 20, 10
_STORYLINES = 6
_LEAVES_OPEN = 40

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BigBook:
    """A book of `chapters` chapters with `facts` statements in all, a plan of `steps` steps, and names in both scripts.

    Three heroes are told of in every chapter, so that one of them has thousands of facts; the others come and go.
    """

    chapters: int
    facts: int
    steps: int

    @property
    def hero(self) -> str:
        """Who is in every chapter."""
        return person(0)

    def settle(self, story: Story) -> None:
        """Settle plan and chapters in order, with the text of each."""
        for chapter in range(1, self.chapters + 1):
            self.settle_chapter(story, chapter)
            story.episodes.put_chapter(chapter, self.text(chapter), title=title(chapter), entities=self.names(chapter))

    def settle_chapter(self, story: Story, chapter: int) -> None:
        """Settle one chapter, and before it what is planned from it on."""
        if planned := self.plan_from(chapter):
            story.settle(chapter=chapter, statements=planned, id=f"plan {chapter}")
        rows = [*self.statements(chapter), *self.progress(chapter)]
        story.settle(chapter=chapter, statements=rows, title=title(chapter), id=f"chapter {chapter}")

    def statements(self, chapter: int) -> list[Row]:
        """What becomes fact in a chapter; the heroes are named anew in each."""
        every = self.facts // self.chapters
        heroes = [person(number) for number in range(_HEROES)]
        rows: list[Row] = [{"entity": hero, "kind": "character"} for hero in heroes]
        rows += [{"subject": hero, "relation": "IS_AT", "object": place(chapter + 7)} for hero in heroes]
        rows.append({"hook": hook(chapter), "status": "Unresolved"})
        if chapter > _LEAVES_OPEN and chapter % 4:
            rows.append({"hook": hook(chapter - _LEAVES_OPEN), "status": "Resolved"})
        rows.append({"subject": heroes[0], "relation": "OWNS", "object": thing(chapter)})
        rows.append({"status": {"of": heroes[chapter % _HEROES], "is": ("weary", "wounded", "well")[chapter % 3]}})
        return rows[:every] + [self._row(chapter, number) for number in range(every - len(rows))]

    def plan_from(self, chapter: int) -> list[Row]:
        """What is planned before a chapter is written: outlines of twenty steps each, as far as the book needs them."""
        shorts = max(1, self.steps // _STEPS)
        first, last = ((number * shorts) // self.chapters for number in (chapter - 1, chapter))
        rows: list[Row] = []
        if chapter == 1:
            rows.append({"plan": "book", "kind": "general_outline", "title": "The long way"})
        for short in range(first, last):
            rows += _outline(short)
        return rows

    def progress(self, chapter: int) -> list[Row]:
        """The steps that are done in a chapter, and the one that begins; of what was planned by then."""
        done, now = ((number * self.steps * 9) // (self.chapters * 10) for number in (chapter - 1, chapter))
        planned = (chapter * max(1, self.steps // _STEPS)) // self.chapters * _STEPS
        rows: list[Row] = [{"plan": f"step {step}", "status": "Completed"} for step in range(done, min(now, planned))]
        return [*rows, {"plan": f"step {now}", "status": "InProgress"}] if now < planned else rows

    def names(self, chapter: int) -> list[str]:
        """Whom the text of a chapter names."""
        return [person(number) for number in (0, 1, 2, *self._others(chapter))]

    def text(self, chapter: int, *, paragraphs: int = 12) -> str:
        """The text of a chapter: some three thousand characters in a dozen paragraphs."""
        return "\n\n".join(self._paragraphs(chapter, paragraphs))

    def manuscript(self, characters: int) -> str:
        """The text of as many chapters as that, under headings."""
        pieces: list[str] = []
        size, chapter = 0, 0
        while size < characters:
            chapter += 1
            pieces.append(f"Chapter {chapter}\n\n{self.text(chapter, paragraphs=40)}")
            size += len(pieces[-1].encode()) + 2
        return "\n\n".join(pieces).encode()[:characters].decode(errors="ignore")

    def _others(self, chapter: int) -> list[int]:
        cast = max(12, self.chapters // 4)
        return [_HEROES + (chapter * 7 + number * 13) % cast for number in range(12)]

    def _row(self, chapter: int, number: int) -> Row:
        others = self._others(chapter)
        who, other = person(others[number % 12]), person(others[(number + 5) % 12])
        match number % 6:
            case 0:
                return {"subject": who, "relation": "IS_AT", "object": place(chapter + number)}
            case 1:
                return {"subject": who, "relation": "OWNS", "object": thing(chapter + number)}
            case 2:
                return {"subject": who, "relation": ("KNOWS", "ALLY_OF", "ENEMY_OF")[chapter % 3], "object": other}
            case 3:
                return {"entity": who, "kind": "character", "properties": {"age": 20 + chapter % 50}}
            case 4:
                return {"status": {"of": who, "is": ("well", "ill", "lost", "in hiding")[(chapter + number) % 4]}}
            case _:
                return {"subject": who, "relation": "LEARNT", "object": f"the {_two(chapter % 90)} step"}

    def _paragraphs(self, chapter: int, count: int) -> Iterator[str]:
        names = self.names(chapter)
        for number in range(count):
            one, other = names[number % len(names)], names[(number * 5 + 1) % len(names)]
            turn = (chapter * 3 + number) % len(_WORDS)
            words = " ".join((_WORDS[turn:] + _WORDS[:turn])[: 12 + (chapter + number) % 5])
            there = place(chapter + number)
            yield (
                f"{one} came down to {there}, where {words}. “It is late,” said {other}, and took {thing(chapter)} "
                f"from the wall; {one} had not asked for it. They spoke of {hook(chapter)} until the lamps were lit."
            )


def person(number: int) -> str:
    """A name nobody else has; one in three is Chinese."""
    if number % 3 == 2:
        first, rest = number % len(_SURNAMES), number // 3
        return f"{_SURNAMES[first]}{_GIVEN[rest // 20 % 20]}{_GIVEN[rest % 20]}"
    return f"{_two(number).capitalize()} {_two(number // 7 + 31).capitalize()}ard"


def place(number: int) -> str:
    """One of two hundred places."""
    return f"Port {_two(number % 200).capitalize()}"


def thing(number: int) -> str:
    """One of five hundred things."""
    return f"the lamp of {_two(number % 500).capitalize()}"


def hook(chapter: int) -> str:
    """The riddle of a chapter."""
    return f"the riddle of gate {chapter}"


def title(chapter: int) -> str:
    """The title of a chapter."""
    return f"{_two(chapter).capitalize()} again"


def _two(number: int) -> str:
    return _SYLLABLES[number // 20 % 20] + _SYLLABLES[number % 20] + ("" if number < 400 else _SYLLABLES[number // 400])


def _outline(short: int) -> list[Row]:
    """A short outline with its steps, and the long one around it where it is the first there."""
    around, within = divmod(short, _SHORTS)
    rows: list[Row] = []
    if not within:
        rows.append({"plan": f"long {around}", "kind": "long_outline", "title": f"Part {around + 1}", "within": "book"})
    line = f"storyline {short % _STORYLINES + 1}"
    name = f"short {short}"
    rows.append({"plan": name, "kind": "short_outline", "title": name, "within": f"long {around}", "storyline": line})
    steps = range(short * _STEPS, (short + 1) * _STEPS)
    return [*rows, *({"plan": f"step {n}", "kind": "step", "title": f"Step {n}", "within": name} for n in steps)]
