"""A passage that looks back is not checked; the passage after it is."""

from __future__ import annotations

import pytest
from amb_book.checking import ConsistencyChecker
from amb_book.story import Story

LOOKING_BACK = {
    "en": (
        "In her dream Lin Yue walked through an empty hall.",
        "That night Lin Yue dreamt of the harbour. The water was black.",
        "Lin Yue remembered the winter of the siege.",
        "She unfolded the letter. It was in faded ink.",
        "The letter said that all was well.",
        "Lin Yue fell asleep by the fire.",
        "It was only a dream.",
        "The captain spoke of a drill. It was only an exercise.",
        "There was a play on stage that night; the actors sang.",
        "The old portrait hung above the door.",
    ),
    "zh": (
        "林月做了一个梦，梦见空荡荡的大厅。",
        "林月想起了从前的冬天。",
        "信上说一切安好。",
        "林月睡着了。",
        "那年这里有个集市。",
        "墙上挂着一幅画像。",
        "这只是一次演习。",
        "戏台上正唱着戏。",
    ),
}
ACTS = {"en": "Garrod rode through the gate and drew his sword.", "zh": "石坚推开大门，拔出长剑。"}
TOLD = {"en": "Since the coronation the town has been quiet.", "zh": "自从登基大典之后，城里很安静。"}
CASES = [(language, each) for language, told in LOOKING_BACK.items() for each in told]
DRILLS = ("The captain", "这只是")
"""A drill explains what is told as past, and no dead who acts."""


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A book with somebody dead and a step to come, in both languages."""
    story = Story(tmp_path_factory.mktemp("book"))
    for one, dead in (("Lin Yue", "Garrod"), ("林月", "石坚")):
        story.settle(
            chapter=1, statements=[{"entity": one, "kind": "character"}, {"status": {"of": dead, "is": "dead"}}]
        )
    story.plan.add("general_outline", id="g", title="g")
    story.plan.add("long_outline", id="l", title="l", within="g")
    story.plan.add("short_outline", id="o", title="o", within="l")
    for title, text in (("the coronation", "Lin Yue is crowned queen."), ("登基大典", "林月登基为女王。")):
        story.plan.add("step", title=title, text=text, within="o")
    return story


def kinds(story: Story, draft: str) -> set[str]:
    return {each.kind for each in ConsistencyChecker().check(draft, facts=story.facts, plan=story.plan)}


@pytest.mark.parametrize(("language", "before"), CASES)
@pytest.mark.parametrize("between", ["\n\n", "\n"])
def test_a_frame_ends_with_its_passage(story: Story, language: str, before: str, between: str) -> None:
    assert kinds(story, before + between + ACTS[language]) == {"dead_acts"}
    assert kinds(story, before + between + TOLD[language]) == {"plan_as_past"}


@pytest.mark.parametrize(("language", "before"), [each for each in CASES if not each[1].startswith(DRILLS)])
def test_within_its_passage_a_frame_holds(story: Story, language: str, before: str) -> None:
    assert kinds(story, f"{before} {ACTS[language]}") == set()


@pytest.mark.parametrize("draft", ["The letter read:\n\nGarrod rode through the gate.", "信里写道：\n\n石坚推开大门。"])
def test_a_passage_that_ends_in_a_colon_goes_on_in_the_next(story: Story, draft: str) -> None:
    assert kinds(story, draft) == set()
