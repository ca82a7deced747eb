"""What holds in each chapter, against a model that tells the story anew: ends, undoing, chapters put between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from amb_book import Story

WHO, THING, CHAPTER = st.sampled_from(["Mara", "Joss", "林月"]), st.sampled_from(["bell", "照夜灯"]), st.integers(1, 6)
RELATIONS = {"IS_AT": st.sampled_from(["Harrow", "听潮阁"]), "OWNS": THING, "LOVES": WHO}
SAID = st.one_of(
    *(
        st.builds(dict, subject=WHO, relation=st.just(kind), object=of, until=st.booleans())
        for kind, of in RELATIONS.items()
    ),
    st.builds(lambda who: {"entity": who, "kind": "character"}, WHO),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("settle"), CHAPTER, st.lists(SAID, min_size=1, max_size=3)),
        st.tuples(st.just("undo"), st.integers(1, 5), st.just([])),
    ),
    min_size=2,
    max_size=10,
)


@dataclass(frozen=True)
class Said:
    settlement: str
    chapter: int
    statement: dict[str, Any]


def model(story: list[Said], at: int) -> tuple[set[tuple[str, ...]], dict[str, int]]:
    """What holds in a chapter, and who is known since when, by telling all of it in order."""
    holds: dict[tuple[str, ...], tuple[str, ...]] = {}
    known: dict[str, int] = {}
    for each in sorted((each for each in story if each.chapter <= at), key=lambda each: each.chapter):
        told = each.statement
        for name in (told.get("entity"), told.get("subject"), told.get("object")):
            known.setdefault(name, each.chapter) if name else None
        if "entity" in told:
            continue
        fact = (told["subject"], told["relation"], told["object"])
        slot = {"IS_AT": fact[:2], "OWNS": fact[1:]}.get(fact[1], fact)
        if not told["until"]:
            holds[slot] = fact
        elif holds.get(slot) == fact:
            del holds[slot]
    return set(holds.values()), known


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_each_chapter_knows_what_the_story_up_to_it_says(steps):
    told: list[Said] = []
    with Story(None) as story:
        for number, (step, chapter, statements) in enumerate(steps):
            ids = list(dict.fromkeys(each.settlement for each in told))
            if step == "settle":
                story.settle(chapter=chapter, statements=statements, id=f"s{number}", replace=True)
                told += [Said(f"s{number}", chapter, each) for each in statements]
            elif step == "undo" and ids:
                story.undo(ids[chapter % len(ids)])
                told = [each for each in told if each.settlement != ids[chapter % len(ids)]]
        for at in range(story.facts.last_chapter + 1):
            facts = [(fact.subject, fact.relation, fact.object) for fact in story.facts.facts(at=at)]
            known = {entity.name: entity.since for entity in story.facts.entities(at=at)}
            assert len(facts) == len(set(facts))
            assert (set(facts), known) == model(told, at)
