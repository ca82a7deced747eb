"""A transcript stays within its bound, keeps its pairs, and loses something as rarely as pays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core import ContextAdapter, MemoryBank
from amb_core.adapter.condenser import (
    CondensedTranscript,
    Condenser,
    TranscriptItem,
    level_of,
)
from amb_core.adapter.request_limits import RequestLimits
from amb_core.rendering import Language, Reference
from amb_core.settings import Settings

SMALL = RequestLimits.of(Settings(prompt_budget_tokens=4_000, block_tokens=800))
LARGE = RequestLimits.of(Settings(prompt_budget_tokens=32_000))
START = [TranscriptItem("system", "You are an agent. " * 20), TranscriptItem("user", "Find it. " * 20)]


def _in_memory(item: TranscriptItem) -> Reference:
    number = item.call_ids[0].lstrip("c")
    return Reference((f"n{number}",), (f"topic {number}",))


def _not_in_memory(item: TranscriptItem) -> None:
    """Memory took nothing."""


def _condenser(limits: RequestLimits = SMALL, *, stored: bool = True, language: Language = "en") -> Condenser:
    return Condenser(limits, reference=_in_memory if stored else _not_in_memory, language=language)


def _turn(number: int, words: int = 250, *, parallel: int = 1, tool: str = "search") -> list[TranscriptItem]:
    ids = tuple(f"c{number}{'abc'[n] if parallel > 1 else ''}" for n in range(parallel))
    results = [TranscriptItem("result", f"result {name} " + "word " * words, (name,), tool) for name in ids]
    return [TranscriptItem("call", f"search {number}", ids), *results]


def _transcript(turns: int, words: int = 250, *, parallel: int = 1) -> list[TranscriptItem]:
    return [*START, *(item for number in range(1, turns + 1) for item in _turn(number, words, parallel=parallel))]


def _kinds(outcome: CondensedTranscript) -> list[str]:
    return [action.kind for action in outcome.actions]


def _kept(items: Sequence[TranscriptItem], outcome: CondensedTranscript) -> list[str]:
    """The texts that stay, with what they may have where they are shortened."""
    pairs = zip(items, outcome.actions, strict=True)
    return [f"{action.tokens} {item.text}" for item, action in pairs if action.kind != "drop"]


def test_a_short_transcript_is_left_alone() -> None:
    outcome = _condenser().condense(_transcript(2))
    assert set(_kinds(outcome)) == {"keep"}
    assert (outcome.index, outcome.cut) == ("", False)
    assert outcome.tokens == outcome.raw_tokens


@pytest.mark.slow
@pytest.mark.parametrize("limits", [SMALL, LARGE])
def test_two_hundred_calls_stay_within_the_bound(limits: RequestLimits) -> None:
    condenser, items = _condenser(limits), list(START)
    for number in range(1, 101):
        items += _turn(number, 500)
        outcome = condenser.condense(items)
        assert outcome.tokens + limits.block <= limits.fill
    assert outcome.raw_tokens > 40_000


def test_the_oldest_turns_leave_and_the_newest_fill_the_request() -> None:
    outcome = _condenser().condense(_transcript(20))
    kinds = _kinds(outcome)
    assert kinds[:2] == ["keep", "keep"]
    assert kinds[2:] == sorted(kinds[2:])
    assert SMALL.fill - SMALL.block - 300 < outcome.tokens <= SMALL.fill - SMALL.block


def test_what_left_is_counted_and_named() -> None:
    outcome = _condenser().condense(_transcript(100))
    dropped = _kinds(outcome).count("drop")
    assert dropped > 150
    assert outcome.index_at == 2
    assert f"no longer shown: {dropped // 2} (search ×{dropped // 2})" in outcome.index
    assert "[n1]" in outcome.index


@pytest.mark.slow
def test_between_two_cuts_of_a_large_budget_nothing_changes() -> None:
    condenser, items, before, changes = _condenser(LARGE), list(START), list[str](), 0
    for number in range(1, 101):
        items += _turn(number, 500)
        seen = _kept(items, condenser.condense(items))
        changes += seen[: len(before)] != before
        before = seen
    assert 1 <= changes <= 6


def test_a_cut_waits_until_it_is_paid_back_within_half_as_many_calls_as_were_made() -> None:
    few = [*START, *_turn(1, 9_000), *_turn(2, 4_000), *_turn(3, 5_000)]
    many = [*START, *(item for n in range(1, 95) for item in _turn(n, 200))]
    assert LARGE.soft < _condenser(LARGE).condense(few).tokens
    assert not _condenser(LARGE).condense(few).cut
    assert _condenser(LARGE).condense(many).cut


def test_a_cut_waits_while_a_large_result_would_be_read_anew() -> None:
    condenser, items = _condenser(LARGE), [*_transcript(13, 1_000), *_turn(14, 4_400)]
    cuts = [condenser.condense(items).cut]
    for number in (15, 16):
        items += _turn(number, 1_000)
        outcome = condenser.condense(items)
        cuts.append(outcome.cut)
        assert outcome.raw_tokens > LARGE.soft
    assert cuts == [False, False, True]


def test_a_cut_leaves_the_low_mark_and_the_newest_two() -> None:
    outcome = _condenser(LARGE).condense(_transcript(80))
    assert outcome.tokens <= LARGE.low + 100
    large = [*_transcript(80), *_turn(81, 4_000), *_turn(82, 4_000)]
    assert _kinds(_condenser(LARGE).condense(large))[-4:] == ["keep"] * 4


def test_what_memory_has_in_a_transcript_counts() -> None:
    items = [*START, *_turn(1, 6_000), *_turn(2, 6_000), *_turn(3, 6_000)]
    assert not _condenser(LARGE).condense(items, standing=1_200).cut
    assert _condenser(LARGE).condense(items, standing=9_000).cut


def test_asking_twice_changes_nothing() -> None:
    condenser, items = _condenser(), _transcript(30)
    first, again = condenser.condense(items), condenser.condense(items)
    assert (first.actions, first.index) == (again.actions, again.index)
    assert not again.cut


@pytest.mark.parametrize("parallel", [1, 2, 3])
@pytest.mark.parametrize("turns", [5, 12, 60])
def test_a_call_and_its_results_are_never_separated(turns: int, parallel: int) -> None:
    items = _transcript(turns, parallel=parallel)
    actions = _condenser().condense(items).actions
    size = parallel + 1
    for start in range(2, len(items), size):
        dropped = {action.kind == "drop" for action in actions[start : start + size]}
        assert len(dropped) == 1


def test_system_messages_are_shortened_last_of_all() -> None:
    rules, ask = TranscriptItem("system", "rule " * 2_000), TranscriptItem("user", "ask " * 3_000)
    outcome = _condenser().condense([rules, ask, *_turn(1), *_turn(2)])
    assert _kinds(outcome)[:2] == ["keep", "shorten"]
    huge = TranscriptItem("system", "rule " * 9_000)
    outcome = _condenser().condense([huge, ask, *_turn(1)])
    assert _kinds(outcome)[0] == "shorten"
    assert outcome.tokens + SMALL.block <= SMALL.budget


def test_what_is_too_large_is_shortened_and_the_rest_stays_whole() -> None:
    huge = TranscriptItem("result", "x y z " * 20_000, ("c1",), "read")
    items = [*START, TranscriptItem("call", "read", ("c1",)), huge, *_turn(2)]
    outcome = _condenser().condense(items)
    assert _kinds(outcome) == ["keep", "keep", "keep", "shorten", "keep", "keep"]
    assert outcome.tokens + SMALL.block <= SMALL.budget


def test_arguments_of_a_call_are_shortened_but_not_in_a_turn_that_is_signed() -> None:
    items = [*START, *_turn(1), TranscriptItem("call", "x " * 40_000, ("w",)), TranscriptItem("result", "ok", ("w",))]
    assert _kinds(_condenser().condense(items))[-2:] == ["shorten", "keep"]
    signed = TranscriptItem("call", "x " * 40_000, ("w",), signed=True)
    assert _kinds(_condenser().condense([*items[:-2], signed, items[-1]]))[-4:] == ["keep", "keep", "drop", "drop"]


def test_many_parallel_results_share_what_room_there_is() -> None:
    ids = tuple(f"c{n}" for n in range(20))
    results = [TranscriptItem("result", "word " * 390, (name,), "search") for name in ids]
    outcome = _condenser().condense([*START, TranscriptItem("call", "search", ids), *results])
    assert outcome.tokens + SMALL.block <= SMALL.budget
    assert "drop" not in _kinds(outcome)


def test_what_memory_could_not_take_is_counted_when_it_leaves() -> None:
    outcome = _condenser(stored=False).condense(_transcript(60))
    assert "of the results could not be stored" in outcome.index


def test_short_words_of_the_user_stay_when_the_turns_around_them_leave() -> None:
    items = list(START)
    for number in range(1, 20):
        items += [*_turn(number), TranscriptItem("user", f"No more than {number} pounds, please.")]
    outcome = _condenser().condense(items)
    assert "No more than 3 pounds" in str(_kept(items, outcome))
    assert "result c3 " not in str(_kept(items, outcome))


def test_long_talk_leaves_from_the_oldest_on_and_the_last_word_of_the_user_stays() -> None:
    talk = [TranscriptItem("assistant" if n % 2 else "user", f"say {n} " + "word " * 300) for n in range(30)]
    items = [*START, *talk, TranscriptItem("user", "final " * 300)]
    outcome = _condenser().condense(items)
    assert _kinds(outcome)[2] == "drop"
    assert _kinds(outcome)[-1] == "keep"
    assert "earlier messages are no longer shown" in outcome.index


def test_call_ids_that_come_again_are_told_apart() -> None:
    items = list(START)
    for number in range(30):
        items += [TranscriptItem("call", f"go {number}", ("call_0",))]
        items += [TranscriptItem("result", f"answer {number} " + "word " * 250, ("call_0",), "go")]
    kept = _kept(items, _condenser().condense(items))
    assert kept[-2:] == [f"0 {items[-2].text}", f"0 {items[-1].text}"]


def test_a_transcript_that_starts_in_the_middle_is_bearable() -> None:
    orphan = TranscriptItem("result", "word " * 390, ("gone",), "search")
    unanswered = TranscriptItem("call", "search", ("never",))
    outcome = _condenser().condense([orphan, unanswered, *_transcript(20)])
    assert outcome.tokens + SMALL.block <= SMALL.budget


def test_limits_follow_the_settings_and_the_window_of_the_model() -> None:
    assert (LARGE.budget, LARGE.block, LARGE.is_steady) == (32_000, 1_200, True)
    small = RequestLimits.of(Settings(), window_tokens=8_192)
    assert (small.budget, small.block, small.is_steady) == (4_096, 819, False)
    assert RequestLimits.of(Settings(prompt_budget_tokens=9_000), window_tokens=8_192).budget == 9_000
    tight = RequestLimits.of(Settings(prompt_budget_tokens=1_000, block_tokens=5_000))
    assert tight.block <= 500


def test_what_goes_with_a_request_leaves_less_room() -> None:
    beside = LARGE.beside(20_000)
    assert beside.budget + 20_000 <= LARGE.budget
    assert beside.taken == 20_000
    assert beside.fill + 20_000 <= LARGE.fill
    assert LARGE.beside(4_000, spared=4_000).fill == LARGE.fill


def test_a_chinese_transcript_gets_a_chinese_index() -> None:
    assert "不再显示的早先工具调用" in _condenser(language="zh").condense(_transcript(20)).index


@given(st.lists(st.integers(1, 500), max_size=20), st.integers(1, 3_000), st.integers(1, 60))
def test_the_largest_are_levelled_first(costs: list[int], over: int, least: int) -> None:
    size = level_of(costs, over, least=least)
    saved = sum(max(cost - (size or least), 0) for cost in costs)
    assert size is None or (size >= least and saved >= over)


SIZES = st.lists(st.tuples(st.integers(0, 2_900), st.integers(1, 3)), min_size=1, max_size=25)


@pytest.mark.slow
@given(SIZES, st.booleans())
def test_any_growing_transcript_stays_paired_and_bounded(sizes: list[tuple[int, int]], stored: bool) -> None:
    condenser, items = _condenser(stored=stored), list(START)
    for number, (words, parallel) in enumerate(sizes):
        items += _turn(number, words, parallel=parallel)
        outcome = condenser.condense(items)
        assert outcome.tokens + SMALL.block <= SMALL.budget
        by_fate: dict[bool, set[str]] = {True: set(), False: set()}
        for item, action in zip(items, outcome.actions, strict=True):
            by_fate[action.kind == "drop"].update(item.call_ids)
        assert not by_fate[True] & by_fate[False]


def test_an_empty_result_that_left_is_not_told_as_lost() -> None:
    adapter = ContextAdapter(MemoryBank("Help", settings=Settings(prompt_budget_tokens=2_000)))
    messages: list[dict[str, object]] = [{"role": "user", "content": "Help"}]
    for number in range(12):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "find", "arguments": f"[{number}]"}}
        found = "" if number == 2 else f"Depot {number} is in Leeds and has {number + 3} drivers. " * 30
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": found},
        ]
        request = str(adapter.next_request(messages))
    assert "no longer shown" in request
    assert "could not be stored" not in request
