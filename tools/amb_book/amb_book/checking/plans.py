"""Steps of the plan that have not begun, told as things of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from amb_book.checking.deeds import deeds
from amb_book.checking.draft import Sentence
from amb_book.checking.findings import Evidence, Finding
from amb_book.checking.retrospect import looks_back, only_planned, only_said, staged
from amb_book.checking.scene import Scene
from amb_book.checking.text_overlap import terms
from amb_book.plan import PlanGraph, PlanPart

__all__ = ["told_as_past"]


def told_as_past(scene: Scene, plan: PlanGraph) -> Iterator[Finding]:
    """A pending step that a draft looks back upon."""
    parts = plan.parts("step")
    if not any(step.status == "Pending" for step in parts):
        return
    steps: list[tuple[PlanPart, list[_Clause]]] = []
    for number, sentence in enumerate(scene.draft.sentences):
        if not looks_back(sentence) or only_said(sentence):
            continue
        if staged(scene.draft.sentences, number, begins=scene.frames.begins[number]) or _taken_back(scene, number):
            continue
        if scene.frames.imagined(number):
            continue
        steps = steps or [(step, _clauses(scene, step)) for step in parts]
        told = _told(scene, number)
        by_title = next((step for step, _ in steps if step.status == "Pending" and _after_title(step, sentence)), None)
        if by_title is not None:
            yield _finding(scene, number, by_title)
            continue
        fits = [
            (max(each.share(told.content) for each in clauses), step)
            for step, clauses in steps
            if any(each.said(told) and _done(each, sentence) for each in clauses)
        ]
        step = max(fits, key=lambda each: each[0])[1] if fits else None
        if step is not None and step.status == "Pending" and _is_about(scene, number, step):
            yield _finding(scene, number, step)


_OF_OLD = {
    "en": re.compile(
        r"\b(?:(?:years|generations|centuries) (?:ago|before|since)|the year (?:I|he|she|they) (?:was|were)|"
        r"grandfather|before (?:I|he|she) was born|long ago|hundred|in another (?:war|life|time|city|town|country)|"
        r"once, |another \w+|the old (?:king|queen|duke)|first "
        r"time)\b"
    ),
    "zh": re.compile(
        r"[十百]+年前|先祖|祖上|前代|老一辈|(?<!自)从前(?![山门面院边后头排厅殿街])|当年|早年|上一回|上回|"
        "前朝|另一[场座个次]"
    ),
}


def _is_about(scene: Scene, number: int, step: PlanPart) -> bool:
    """Whether those around a sentence are those of the step, and it tells nothing of older times."""
    sentence = scene.draft.sentences[number]
    if _OF_OLD[sentence.language].search(sentence.text):
        return False
    wanted = scene.index.named(step.text)
    if not wanted:
        return True
    first = wanted[0].entities[0]
    here = [entity.id for each in scene.names[number] for entity in each.entities if entity.kind == "character"]
    # Somebody else did it when the sentence names people, and neither names the one whose step it is nor may mean them.
    return first.kind != "character" or not here or first.id in here or _PRONOUN.search(sentence.text) is not None


_UNTRUE = {
    "en": re.compile(
        r"^\W*(?:No\b|Not yet|Nonsense|Liar|Wrong)|\b(?:liar|lying|a lie|dreaming|wishful|nothing of the (?:kind|sort)|"
        r"not true|wrong end|rumou?r\w*|it had not|not happened|rubbish|humbug|bosh|a hoax|safe and sound|"
        r"still (?:stands|standing|there))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"骗|谎|梦|醒|胡说|瞎说|哪有|还没|尚未|没有的事|假的|放屁|胡扯|哪里的话|好端端|好好地?的?[停泊立站在]|没有如果|"
        r"我可没有|没见过|吹牛"
    ),
}
_DENIED = {
    "en": re.compile(r"\b(?:woke|only a|might be|admitted|(?:he|she) had not|ha(?:s|ve) not)\b"),
    "zh": re.compile(r"并没有|其实"),
}


def _taken_back(scene: Scene, number: int) -> bool:
    """Whether what follows says that it did not happen."""
    following = scene.draft.sentences[number + 1 : number + 12]
    return any(_UNTRUE[each.language].search(each.text) for each in following) or any(
        _DENIED[each.language].search(each.text) for each in following[:2]
    )


def _after_title(step: PlanPart, sentence: Sentence) -> bool:
    """Whether a sentence looks back on a step by its title: since the coronation."""
    title = re.sub(r"^(?:the|a|an)\s+", "", step.title, flags=re.IGNORECASE)
    if sentence.language == "en":
        said = rf"(?i:\b(?:since|ever since|after)\s+(?:the|his|her|their)\s+{re.escape(title)}\b)"
    else:
        said = rf"{re.escape(title)}(?:之后|以后|过后|那[天日夜晚]|才[^，。]{{1,3}}[天日月]|已有)"
    found = re.search(said, sentence.text) if len(title) > 1 else None
    return found is not None and not only_planned(sentence.text, language=sentence.language)


def _finding(scene: Scene, number: int, step: PlanPart) -> Finding:
    finding = scene.finding(
        "plan_as_past",
        number,
        [step.title],
        (
            f"the step {step.title!r} of the plan is still pending; here it has happened.",
            f"规划中的“{step.title}”尚未发生，这里却当成已经发生的事。",
        ),
        facts=[],
        confidence=0.78,
    )
    return replace(finding, evidence=(Evidence(f"{step.title} ({step.id}) is {step.status}: {step.text}"),))


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of a step: whom and what it names, by id, what it says besides, and the deeds it tells."""

    names: frozenset[str]
    content: frozenset[str]
    deeds: frozenset[str]

    def share(self, told: frozenset[str]) -> float:
        """How much of it is told, in [0, 1]."""
        return len(self.content & told) / len(self.content)

    def said(self, told: _Told) -> bool:
        """Whether a sentence says the same: its deed of those it names, or enough of it in the same words."""
        shared = self.content & told.content
        share = self.share(told.content)
        if share >= 0.5 and len(shared) >= 3:
            return True
        here = self.names & told.names
        if not here:
            return False
        if self._is_deed_of(told, here):
            return True
        if len(shared) >= 3 and share >= 0.3:
            return True
        if len(here) >= 2 and (share >= 0.2 or self._in_other_words(told.content)):
            return True
        return share >= 0.3 and len(shared) >= 2

    def _is_deed_of(self, told: _Told, here: frozenset[str]) -> bool:
        """Whether a sentence tells the deed of the clause, of those it names and of nobody else."""
        same = self.deeds & told.deeds.keys()
        if not same or not any(told.deeds[deed] <= self.names for deed in same):
            return False
        if not same.isdisjoint(_ONCE) or len(here) >= 2:
            return True
        if len(self.names) >= 2:
            return told.somebody and any(told.deeds[deed] & self.names for deed in same)
        besides = frozenset(each for each in self.content if not deeds(each))
        return not besides or bool(besides & told.content)

    def _in_other_words(self, told: frozenset[str]) -> bool:
        """Whether the characters of a Chinese clause stand in a sentence, whatever words they form there."""
        han = frozenset(each for each in "".join(self.content) if each > "\u3400")
        return len(han) >= 4 and len(han & frozenset("".join(told))) / len(han) >= 0.35


_ONCE = frozenset(("crown", "wed", "born", "resign", "sentence"))
"""What is done to somebody once, so that it needs no second name to be known again."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What a sentence tells: its words, whom and what it names, by id, its deeds with the people beside each, and
    whether a pronoun stands for somebody besides.
    """

    content: frozenset[str]
    names: frozenset[str]
    deeds: Mapping[str, frozenset[str]]
    somebody: bool


def _told(scene: Scene, number: int) -> _Told:
    sentence = scene.draft.sentences[number]
    told: dict[str, frozenset[str]] = {}
    for start, piece in _pieces(sentence):
        begin = sentence.start + start
        people = frozenset(
            entity.id
            for each in scene.names[number]
            if begin <= each.start < begin + len(piece)
            for entity in each.entities
            if entity.kind == "character"
        )
        for deed in deeds(piece):
            told[deed] = told.get(deed, frozenset()) | people
    return _Told(terms(sentence.text), scene.ids(number), told, _PRONOUN.search(sentence.text) is not None)


_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Ww]e|I|[Yy]ou)\b|[他她我咱你]")


def _pieces(sentence: Sentence) -> list[tuple[int, str]]:
    """The parts of a sentence between commas and the like, each with its place."""
    return [
        (found.start(), found.group())
        for found in re.finditer(r"[^,;，；。：]+", sentence.text)
        if found.group().strip()
    ]


def _clauses(scene: Scene, step: PlanPart) -> list[_Clause]:
    found = []
    for piece in (step.title, *re.split(r"[;.；。]", step.text)):
        if step.text and piece == step.title:
            continue
        named, rest = scene.without_names(piece)
        content = terms(rest)
        if content:
            names = frozenset(entity.id for each in named for entity in each.entities)
            found.append(_Clause(names, content, deeds(piece)))
    return found


def _done(clause: _Clause, sentence: Sentence) -> bool:
    """Whether the part of a sentence that tells a step, with what leads up to it, tells it as no plan or wish."""
    pieces = [piece for _, piece in _pieces(sentence)]
    hits = [place for place, piece in enumerate(pieces) if clause.content & terms(piece) or clause.deeds & deeds(piece)]
    near = pieces[max(0, hits[0] - 1) : hits[-1] + 1] if hits else pieces
    return not only_planned(" , ".join(near), language=sentence.language)
