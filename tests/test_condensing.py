"""A transcript stays within its budget, keeps its pairs, and changes as rarely as it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.condenser import CondensedTranscript, Condenser, Limits, Reference, TranscriptItem
from amb_core.settings import Settings
from amb_core.text import estimate_tokens

LIMITS = Limits(high=2_000, low=1_000, keep_last=2, max_raw_tokens=400)
START = [TranscriptItem("system", "You are an agent. " * 20), TranscriptItem("user", "Find it. " * 20)]


def _in_memory(item: TranscriptItem) -> Reference:
    number = item.call_ids[0].lstrip("c")
    return Reference((f"n{number}",), (f"topic {number}",))


def _not_in_memory(item: TranscriptItem) -> None:
    """Memory took nothing."""


def _condenser(limits: Limits = LIMITS, reference: Callable[..., Reference | None] = _in_memory) -> Condenser:
    return Condenser(limits, reference=reference)


def _turn(number: int, words: int = 250, *, parallel: int = 1, tool: str = "search") -> list[TranscriptItem]:
    ids = tuple(f"c{number}{'abc'[n] if parallel > 1 else ''}" for n in range(parallel))
    results = [TranscriptItem("result", f"result {name} " + "word " * words, (name,), tool) for name in ids]
    return [TranscriptItem("call", f"search {number}", ids), *results]


def _seen(items: Sequence[TranscriptItem], outcome: CondensedTranscript) -> list[str]:
    """The texts a model would see, in order, the index in its place."""
    texts: list[str] = []
    for at, (item, action) in enumerate(zip(items, outcome.actions, strict=True)):
        if outcome.index and at == outcome.index_at:
            texts.append(outcome.index)
        if action.kind != "drop":
            texts.append(item.text if action.kind == "keep" else action.text)
    return texts


def _transcript(turns: int, **fields: int) -> list[TranscriptItem]:
    return [*START, *(item for number in range(1, turns + 1) for item in _turn(number, **fields))]


def test_a_short_transcript_is_left_alone() -> None:
    outcome = _condenser().condense(_transcript(2))
    assert {action.kind for action in outcome.actions} == {"keep"}
    assert outcome.index == ""
    assert outcome.tokens == outcome.raw_tokens


@pytest.mark.slow
def test_two_hundred_calls_stay_within_the_budget() -> None:
    condenser, items = _condenser(), list(START)
    for number in range(1, 201):
        items += _turn(number)
        outcome = condenser.condense(items)
        assert outcome.tokens <= LIMITS.high
        assert outcome.tokens == pytest.approx(sum(map(estimate_tokens, _seen(items, outcome))), rel=0.2)
    assert outcome.raw_tokens > 40_000


def test_the_oldest_results_give_way_first_and_the_newest_stay_raw() -> None:
    items = _transcript(9)
    actions = _condenser().condense(items).actions
    assert actions[3].text == "Kept in memory as [n1] topic 1 (deep_retrieval reopens it)."
    assert [action.kind for action in actions[-4:]] == ["keep"] * 4
    kinds = [action.kind for action in actions[3::2]]
    assert kinds == sorted(kinds, reverse=True)


def test_references_alone_do_not_grow_for_ever() -> None:
    items = _transcript(100)
    outcome = _condenser().condense(items)
    dropped = [item for item, action in zip(items, outcome.actions, strict=True) if action.kind == "drop"]
    assert len(dropped) > 150
    assert outcome.index_at == 2
    assert f"no longer shown: {len(dropped) // 2} (search ×{len(dropped) // 2})" in outcome.index


def test_between_condensations_the_prefix_is_byte_stable() -> None:
    condenser, items, before, changes = _condenser(), list(START), list[str](), 0
    for number in range(1, 101):
        items += _turn(number)
        seen = _seen(items, condenser.condense(items))
        changes += seen[: len(before)] != before
        before = seen
    assert changes <= 40


def test_asking_twice_changes_nothing() -> None:
    condenser, items = _condenser(), _transcript(30)
    assert condenser.condense(items) == condenser.condense(items)


@pytest.mark.parametrize("parallel", [1, 2, 3])
@pytest.mark.parametrize("turns", [5, 12, 60])
def test_a_call_and_its_results_are_never_separated(turns: int, parallel: int) -> None:
    items = _transcript(turns, parallel=parallel)
    actions = _condenser().condense(items).actions
    size = parallel + 1
    for start in range(2, len(items), size):
        dropped = {action.kind == "drop" for action in actions[start : start + size]}
        assert len(dropped) == 1


def test_system_and_first_user_message_are_untouched_however_long() -> None:
    items = [TranscriptItem("system", "rule " * 3_000), TranscriptItem("user", "ask " * 3_000), *_turn(1), *_turn(2)]
    actions = _condenser().condense([*items, *_turn(3), *_turn(4)]).actions
    assert [action.kind for action in actions[:2]] == ["keep", "keep"]


def test_one_huge_result_keeps_head_tail_and_reference() -> None:
    huge = TranscriptItem("result", "HEAD " + "x y z " * 20_000 + "TAIL", ("c1",), "read")
    outcome = _condenser().condense([*START, TranscriptItem("call", "read", ("c1",)), huge])
    text = outcome.actions[-1].text
    assert text.startswith("HEAD")
    assert text.endswith("TAIL")
    assert "[n1]" in text
    assert estimate_tokens(text) <= LIMITS.max_raw_tokens


def test_many_parallel_results_share_what_room_there_is() -> None:
    ids = tuple(f"c{n}" for n in range(20))
    results = [TranscriptItem("result", "word " * 390, (name,), "search") for name in ids]
    outcome = _condenser().condense([*START, TranscriptItem("call", "search", ids), *results])
    assert outcome.tokens <= LIMITS.high
    assert "drop" not in {action.kind for action in outcome.actions}


def test_what_memory_could_not_take_keeps_its_ends_and_is_counted_when_dropped() -> None:
    condenser, items = _condenser(reference=_not_in_memory), _transcript(8)
    text = condenser.condense(items).actions[3].text
    assert text.startswith("result c1 word")
    assert "not in memory" in text
    outcome = condenser.condense([*items, *_transcript(60)[18:]])
    assert outcome.tokens <= LIMITS.high
    assert "of the results could not be stored" in outcome.index


def test_the_newest_deep_retrieval_stays_whole_and_an_older_one_gives_way() -> None:
    condenser = _condenser()
    items = [*_transcript(6), *_turn(7, 600, tool="deep_retrieval")]
    assert condenser.condense(items).actions[-1].kind == "keep"
    later = condenser.condense([*items, *_turn(8), *_turn(9), *_turn(10), *_turn(11)])
    assert later.actions[len(items) - 1].kind != "keep"


def test_call_ids_that_come_again_are_told_apart() -> None:
    items = list(START)
    for number in range(30):
        items += [TranscriptItem("call", f"go {number}", ("call_0",))]
        items += [TranscriptItem("result", f"answer {number} " + "word " * 250, ("call_0",), "go")]
    seen = _seen(items, condensed := _condenser().condense(items))
    assert condensed.tokens <= LIMITS.high
    assert seen[-1].startswith("answer 29")
    assert seen[-2] == "go 29"


def test_long_old_talk_is_shortened_but_the_last_word_of_the_user_is_not() -> None:
    talk = [TranscriptItem("assistant" if n % 2 else "user", f"say {n} " + "word " * 300) for n in range(10)]
    items = [*START, *talk, TranscriptItem("user", "final " * 300)]
    outcome = _condenser().condense(items)
    assert outcome.actions[2].kind == "replace"
    assert outcome.actions[-1].kind == "keep"


def test_a_transcript_that_starts_in_the_middle_is_bearable() -> None:
    orphan = TranscriptItem("result", "word " * 390, ("gone",), "search")
    unanswered = TranscriptItem("call", "search", ("never",))
    outcome = _condenser().condense([orphan, unanswered, *_transcript(20)])
    assert outcome.tokens <= LIMITS.high


def test_limits_follow_the_settings() -> None:
    limits = Limits.of(Settings(prompt_budget_tokens=10_000, high_water=0.8, low_water=0.5, block_tokens=1_000))
    assert (limits.high, limits.low) == (7_000, 4_000)
    tight = Limits.of(Settings(prompt_budget_tokens=1_000, block_tokens=5_000))
    assert 1 <= tight.low <= tight.high


def test_a_chinese_transcript_gets_chinese_references() -> None:
    condenser = Condenser(LIMITS, reference=_in_memory, language="zh")
    items = [*START, *(item for n in range(9) for item in _turn(n))]
    assert "已存入记忆：[n0]" in condenser.condense(items).actions[3].text


SIZES = st.lists(st.tuples(st.integers(0, 900), st.integers(1, 3)), min_size=1, max_size=25)


@pytest.mark.slow
@given(SIZES, st.booleans())
def test_any_growing_transcript_stays_paired_and_bounded(sizes: list[tuple[int, int]], stored: bool) -> None:
    condenser, items = _condenser(reference=_in_memory if stored else _not_in_memory), list(START)
    for number, (words, parallel) in enumerate(sizes):
        items += _turn(number, words, parallel=parallel)
        outcome = condenser.condense(items)
        assert outcome.tokens <= LIMITS.high
        by_fate: dict[bool, set[str]] = {True: set(), False: set()}
        for item, action in zip(items, outcome.actions, strict=True):
            by_fate[action.kind == "drop"].update(item.call_ids)
        assert not by_fate[True] & by_fate[False]
