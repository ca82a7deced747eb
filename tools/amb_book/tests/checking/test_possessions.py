"""A thing that is somebody's no longer is not used by them, unless the draft tells how it came back."""

from __future__ import annotations

import time

import pytest

from amb_book import ConsistencyChecker, Story

SETTLED = [
    {"entity": "Corvin", "kind": "character"},
    {"entity": "Mira", "kind": "character"},
    {"subject": "Corvin", "relation": "OWNS", "object": "Night Sword"},
    {"entity": "林月", "kind": "character"},
    {"subject": "林月", "relation": "OWNS", "object": "寒霜剑"},
    {"subject": "Mira", "relation": "IS_AT", "object": "the Tower"},
    {"status": {"of": "Mira", "is": "imprisoned"}},
]
LOST = [
    {"subject": "Mira", "relation": "OWNS", "object": "Night Sword"},
    {"subject": "林月", "relation": "OWNS", "object": "寒霜剑", "until": True},
]


@pytest.fixture(scope="module")
def story():
    with Story(None) as made:
        made.settle(chapter=1, statements=SETTLED)
        made.settle(chapter=2, statements=LOST)
        yield made


@pytest.mark.parametrize(
    ("draft", "found"),
    [
        ("Corvin drew the Night Sword and struck.", ["Corvin", "Night Sword"]),
        ("林月拔出寒霜剑，刺向敌人。", ["林月", "寒霜剑"]),
        ("Corvin took the Night Sword back from her. Corvin drew the Night Sword.", []),
        ("林月夺回了寒霜剑。林月拔出寒霜剑。", []),
        ("Corvin could not have drawn the Night Sword.", []),
        ("“Corvin drew the Night Sword,” said the guard.", []),
    ],
)
def test_who_uses_what_is_theirs_no_longer_is_found(story, draft, found):
    told = [each for each in ConsistencyChecker().check(draft, facts=story.facts) if each.kind == "ownership"]
    assert [name for each in told for name in each.entities] == found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("unit", ["IV. ", "Mira drank in the market. ", "Corvin drew the Night Sword. "])
def test_the_time_of_a_check_goes_with_the_length_of_the_draft(story, unit):
    def spent(times):
        before = time.process_time()
        ConsistencyChecker().check(unit * times, facts=story.facts)
        return time.process_time() - before

    spent(100)
    assert spent(1_600) < 12 * max(spent(400), 0.005)
