"""A transcript that fits is whole; one that does not is cut once and then stands still, within its bound, in pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.adapter.request_budget import RequestBudget
from amb_core.adapter.transcript_trimmer import KEEP, TranscriptTrimmer, TrimmedTranscript
from amb_core.adapter.transcript_turns import TranscriptItem, turns_of
from amb_core.rendering import Language, Reference
from amb_core.settings import Settings

SMALL = RequestBudget.of(Settings(prompt_budget_tokens=4_000))
LARGE = RequestBudget.of(Settings(prompt_budget_tokens=32_000))
BUDGETS = pytest.mark.parametrize("budget", [SMALL, LARGE])
START = [TranscriptItem("system", "You are an agent. " * 20), TranscriptItem("user", "Find it. " * 20)]


def _in_memory(item: TranscriptItem) -> Reference:
    number = item.call_ids[0].lstrip("c")
    return Reference((f"n{number}",), (f"topic {number}",))


def _not_in_memory(item: TranscriptItem) -> None:
    """Memory took nothing."""


class _Trimmer:
    """A trimmer of one budget."""

    def __init__(self, budget: RequestBudget = SMALL, *, stored: bool = True, language: Language = "en") -> None:
        reference = _in_memory if stored else _not_in_memory
        self.budget, self._trimmer = budget, TranscriptTrimmer(reference=reference, language=lambda: language)

    def trim(self, items: Sequence[TranscriptItem], *, standing: int = 0) -> TrimmedTranscript:
        return self._trimmer.trim(items, self.budget, standing=standing)


def _turn(number: int, words: int = 250, *, parallel: int = 1, tool: str = "search") -> list[TranscriptItem]:
    ids = tuple(f"c{number}{'abcd'[n] if parallel > 1 else ''}" for n in range(parallel))
    results = [TranscriptItem("result", f"result {name} " + "word " * words, (name,), tool) for name in ids]
    return [TranscriptItem("call", f"search {number}", ids), *results]


def _transcript(turns: int, words: int = 250, *, parallel: int = 1) -> list[TranscriptItem]:
    return [*START, *(item for number in range(1, turns + 1) for item in _turn(number, words, parallel=parallel))]


def _kinds(trimmed: TrimmedTranscript) -> list[str]:
    return [action.kind for action in trimmed.actions]


def _kept(items: Sequence[TranscriptItem], trimmed: TrimmedTranscript) -> list[str]:
    """The texts that stay, with what they may have where they are shortened."""
    pairs = zip(items, trimmed.actions, strict=True)
    return [f"{action.tokens} {item.text}" for item, action in pairs if action.kind != "drop"]


def _is_paired(items: Sequence[TranscriptItem], trimmed: TrimmedTranscript) -> None:
    by_fate: dict[bool, set[str]] = {True: set(), False: set()}
    for item, action in zip(items, trimmed.actions, strict=True):
        by_fate[action.kind == "drop"].update(item.call_ids)
    assert not by_fate[True] & by_fate[False]


@BUDGETS
def test_what_fits_is_sent_as_it_is(budget: RequestBudget) -> None:
    trimmer, items = _Trimmer(budget), list(START)
    for number in range(1, 200):
        items += _turn(number, 400)
        trimmed = trimmer.trim(items)
        if trimmed.raw_tokens > budget.fill:
            break
        assert set(_kinds(trimmed)) == {"keep"}
        assert (trimmed.index, trimmed.cut) == ("", False)
        assert trimmed.tokens == trimmed.raw_tokens
    assert trimmed.cut


@BUDGETS
def test_two_hundred_calls_stay_within_the_bound_and_between_two_cuts_nothing_changes(budget: RequestBudget) -> None:
    trimmer, items, before, cuts = _Trimmer(budget), list(START), list[str](), 0
    for number in range(1, 101):
        items += _turn(number, 500)
        trimmed = trimmer.trim(items)
        seen = [trimmed.index, *_kept(items, trimmed)]
        cuts += trimmed.cut
        assert trimmed.tokens <= budget.total
        assert trimmed.cut or seen[: len(before)] == before
        before = seen
    assert trimmed.raw_tokens > 25_000
    assert 0 < cuts <= (50 if budget is SMALL else 4)


@BUDGETS
def test_the_room_is_used(budget: RequestBudget) -> None:
    trimmer, items, used = _Trimmer(budget), list(START), list[float]()
    for number in range(1, 161):
        items += _turn(number, 250)
        trimmed = trimmer.trim(items)
        if trimmed.raw_tokens > budget.fill:
            used.append((trimmed.tokens + budget.block) / budget.fill)
    assert sum(used) / len(used) > 0.8


def test_what_left_is_counted_and_named() -> None:
    trimmed = _Trimmer().trim(_transcript(100))
    dropped = _kinds(trimmed).count("drop")
    assert dropped > 150
    assert trimmed.index_at == 2
    assert f"no longer shown: {dropped // 2} (search ×{dropped // 2})" in trimmed.index
    assert "[n1]" in trimmed.index


def test_the_newest_two_turns_stay_with_all_of_their_results() -> None:
    items = [*_transcript(80, 100), *_turn(81, 300, parallel=4), *_turn(82, 300, parallel=4)]
    assert _kinds(_Trimmer().trim(items))[-10:] == ["keep"] * 10


def test_calls_of_a_tool_that_is_to_stay_stay_while_half_of_the_room_is_enough() -> None:
    trimmer = _Trimmer(RequestBudget.of(Settings(prompt_budget_tokens=4_000, keep_tools="Edit, mcp__db__*")))
    edits = {1: "Edit", 2: "mcp__db__write", 3: "Read"}
    items = [*START, *(one for number in range(1, 40) for one in _turn(number, 150, tool=edits.get(number, "Read")))]
    trimmed = trimmer.trim(items)
    stay = {one.tool for one, action in zip(items, trimmed.actions, strict=True) if action is KEEP and one.tool}
    assert stay == {"Edit", "mcp__db__write", "Read"}
    assert "result c3 " not in " ".join(_kept(items, trimmed))
    edited = [*START, *(one for number in range(1, 60) for one in _turn(number, 150, tool="Edit"))]
    trimmed = trimmer.trim(edited)
    assert trimmed.tokens <= 4_000
    _is_paired(edited, trimmed)
    assert "result c59 " in " ".join(_kept(edited, trimmed))
    assert "result c1 " not in " ".join(_kept(edited, trimmed))


def test_after_a_large_turn_what_fits_beside_it_is_put_back() -> None:
    items = [*_transcript(10, 150), *_turn(11, 2_500), *_transcript(3, 150)[2:]]
    trimmed = _Trimmer().trim(items)
    assert trimmed.tokens > 0.6 * SMALL.high
    assert _kinds(trimmed)[2:].count("keep") > 6


@BUDGETS
def test_three_results_that_fill_the_bound_do_not_move_what_comes_behind_them(budget: RequestBudget) -> None:
    words = budget.fill // 3
    items = [*START, *_turn(1, words), *_turn(2, words), *_turn(3, words)]
    trimmer, before, changes = _Trimmer(budget), list[str](), 0
    for number in range(4, 34):
        items += [TranscriptItem("assistant", f"Step {number} is done."), TranscriptItem("user", "Go on.")]
        seen = _kept(items, trimmer.trim(items))
        changes += seen[: len(before)] != before
        before = seen
    assert changes <= 3


@BUDGETS
def test_newest_results_that_fill_the_bound_by_themselves_are_shortened_once(budget: RequestBudget) -> None:
    items = [*START, *_turn(1, budget.fill), *_turn(2, budget.fill)]
    trimmer, before, changes, forms = _Trimmer(budget), list[str](), 0, list[tuple[object, ...]]()
    for number in range(3, 9):
        items += [TranscriptItem("assistant", f"Chapter {number} is written. " * 4)]
        trimmed = trimmer.trim(items)
        seen = _kept(items, trimmed)
        changes += seen[: len(before)] != before
        before = seen
        forms.append(trimmed.actions[2:6])
        assert trimmed.tokens <= budget.fill
    assert changes <= 1
    assert len(set(forms)) == 1
    assert "shorten" in _kinds(trimmed)


def test_a_host_that_shortens_its_transcript_until_it_fits_gets_all_of_it() -> None:
    trimmer, items = _Trimmer(), _transcript(30)
    assert trimmer.trim(items).index
    assert set(_kinds(trimmer.trim([*START, *items[-8:]]))) == {"keep"}


EDITS = {
    "cleared": lambda item: TranscriptItem(item.kind, "[cleared]", item.call_ids, item.tool),
    "emptied": lambda item: TranscriptItem(item.kind, "", item.call_ids, item.tool),
    "longer": lambda item: TranscriptItem(item.kind, item.text + "\n", item.call_ids, item.tool),
}


@pytest.mark.parametrize("edit", list(EDITS.values()), ids=list(EDITS))
@pytest.mark.parametrize("place", range(2, 12))
def test_an_old_item_that_was_edited_leaves_with_its_turn(
    edit: Callable[[TranscriptItem], TranscriptItem], place: int
) -> None:
    trimmer, items = _Trimmer(), _transcript(30)
    assert _kinds(trimmer.trim(items))[place] == "drop"
    items[place] = edit(items[place])
    for number in range(31, 40):
        items += _turn(number)
        _is_paired(items, trimmer.trim(items))


def test_a_question_and_its_answer_stay_or_leave_together() -> None:
    items = [TranscriptItem("system", "You are an agent.")]
    trimmer = _Trimmer()
    for number in range(1, 40):
        items += [TranscriptItem("user", f"What is class {number}?"), *_turn(number, 200)]
        items += [TranscriptItem("assistant", f"Class {number} is RC-{number}. " + "Reason. " * number)]
        kinds = _kinds(trimmer.trim(items))
        for turn in turns_of(items):
            assert len({kinds[at] == "drop" for at in turn.places}) == 1
    said = str(_kept(items, trimmer.trim(items)))
    assert "result c5 " not in said
    assert said.count("What is class") == said.count("is RC-")
    assert said.count("is RC-") > 5


@pytest.mark.parametrize("parallel", [1, 2, 3])
@pytest.mark.parametrize("turns", [5, 12, 60])
def test_a_call_and_its_results_are_never_separated(turns: int, parallel: int) -> None:
    items = _transcript(turns, parallel=parallel)
    actions = _Trimmer().trim(items).actions
    size = parallel + 1
    for start in range(2, len(items), size):
        dropped = {action.kind == "drop" for action in actions[start : start + size]}
        assert len(dropped) == 1


def test_system_messages_are_shortened_last_of_all() -> None:
    rules, ask = TranscriptItem("system", "rule " * 2_000), TranscriptItem("user", "ask " * 3_000)
    trimmed = _Trimmer().trim([rules, ask, *_turn(1), *_turn(2)])
    assert _kinds(trimmed)[:2] == ["keep", "shorten"]
    huge = TranscriptItem("system", "rule " * 9_000)
    trimmed = _Trimmer().trim([huge, ask, *_turn(1)])
    assert _kinds(trimmed)[0] == "shorten"
    assert trimmed.tokens <= SMALL.total


def test_what_is_too_large_is_shortened_and_the_rest_stays_whole() -> None:
    huge = TranscriptItem("result", "x y z " * 20_000, ("c1",), "read")
    items = [*START, TranscriptItem("call", "read", ("c1",)), huge, *_turn(2)]
    trimmed = _Trimmer().trim(items)
    assert _kinds(trimmed) == ["keep", "keep", "keep", "shorten", "keep", "keep"]
    assert trimmed.tokens <= SMALL.total


def test_arguments_of_a_call_are_shortened_but_not_in_a_turn_that_is_signed() -> None:
    items = [*START, *_turn(1), TranscriptItem("call", "x " * 40_000, ("w",)), TranscriptItem("result", "ok", ("w",))]
    assert _kinds(_Trimmer().trim(items))[-2:] == ["shorten", "keep"]
    signed = TranscriptItem("call", "x " * 40_000, ("w",), signed=True)
    assert _kinds(_Trimmer().trim([*items[:-2], signed, items[-1]]))[-4:] == ["keep", "keep", "drop", "drop"]


def test_many_parallel_results_share_what_room_there_is() -> None:
    ids = tuple(f"c{n}" for n in range(20))
    results = [TranscriptItem("result", "word " * 390, (name,), "search") for name in ids]
    trimmed = _Trimmer().trim([*START, TranscriptItem("call", "search", ids), *results])
    assert trimmed.tokens <= SMALL.total
    assert "drop" not in _kinds(trimmed)


def test_short_words_of_the_user_stay_when_the_turns_around_them_leave() -> None:
    items = list(START)
    for number in range(1, 20):
        items += [*_turn(number), TranscriptItem("user", f"No more than {number} pounds, please.")]
    trimmed = _Trimmer().trim(items)
    assert "No more than 3 pounds" in str(_kept(items, trimmed))
    assert "result c3 " not in str(_kept(items, trimmed))


def test_long_talk_leaves_from_the_oldest_on_and_the_last_word_of_the_user_stays() -> None:
    talk = [TranscriptItem("assistant" if n % 2 else "user", f"say {n} " + "word " * 300) for n in range(30)]
    items = [*START, *talk, TranscriptItem("user", "final " * 300)]
    trimmed = _Trimmer().trim(items)
    assert _kinds(trimmed)[3:5] == ["drop", "drop"]
    assert _kinds(trimmed)[-1] == "keep"
    assert "earlier messages are no longer shown" in trimmed.index


def test_call_ids_that_come_again_are_told_apart() -> None:
    items = list(START)
    for number in range(30):
        items += [TranscriptItem("call", f"go {number}", ("call_0",))]
        items += [TranscriptItem("result", f"answer {number} " + "word " * 250, ("call_0",), "go")]
    kept = _kept(items, _Trimmer().trim(items))
    assert kept[-2:] == [f"0 {items[-2].text}", f"0 {items[-1].text}"]


@BUDGETS
def test_results_that_the_talk_went_on_from_leave_room_for_it(budget: RequestBudget) -> None:
    share = budget.total // 20
    items = [*START, *_turn(1, 2 * budget.total), *_turn(2, 2 * budget.total)]
    for number in range(8):
        items += [TranscriptItem("user", f"question {number} " + "word " * (share // 2))]
        items += [TranscriptItem("assistant", f"answer {number} " + "word " * (share // 2))]
    kept = [text.partition(" word")[0] for text in _kept(items, _Trimmer(budget).trim(items))]
    talk = [text for text in kept if "question" in text or "answer" in text]
    assert talk[-4:] == [f"0 {kind} {number}" for number in (6, 7) for kind in ("question", "answer")], talk


def test_the_budget_follows_the_settings_and_the_window_of_the_model() -> None:
    assert (LARGE.total, LARGE.fill, LARGE.block, LARGE.high, LARGE.low) == (32_000, 32_000, 3_200, 28_800, 19_200)
    small = RequestBudget.of(Settings(), window_tokens=8_192)
    assert (small.total, small.fill, small.block, small.tail) == (4_096, 4_096, 1_638, 819)
    assert RequestBudget.of(Settings(prompt_budget_tokens=4_000, prefer="cache")).tail == 0
    assert RequestBudget.of(Settings(prefer="recall")).tail == 6_400
    assert RequestBudget.of(Settings(prompt_budget_tokens=9_000), window_tokens=8_192).total == 9_000
    assert RequestBudget.of(Settings(prompt_budget_tokens=1_000, block_tokens=5_000)).block <= 500
    marks = RequestBudget.of(Settings(prompt_budget_tokens=10_000, block_tokens=1_000, high_water=0.6, low_water=0.3))
    assert (marks.high, marks.low) == (5_000, 3_000)


def test_what_goes_with_a_request_leaves_less_room() -> None:
    less = LARGE.less(20_000)
    assert less.total + 20_000 <= LARGE.total
    assert less.taken == 20_000
    assert less.high + less.block <= less.fill <= less.total
    roomy = RequestBudget.of(Settings(high_water=0.8))
    assert roomy.less(4_000, exempt=4_000).fill == roomy.fill


SIZES = st.lists(st.tuples(st.integers(0, 2_900), st.integers(1, 3)), min_size=1, max_size=25)


@pytest.mark.slow
@given(SIZES, st.booleans())
def test_any_growing_transcript_stays_paired_and_bounded(sizes: list[tuple[int, int]], stored: bool) -> None:
    trimmer, items = _Trimmer(stored=stored), list(START)
    for number, (words, parallel) in enumerate(sizes):
        items += _turn(number, words, parallel=parallel)
        trimmed = trimmer.trim(items)
        assert trimmed.tokens <= SMALL.total
        _is_paired(items, trimmed)
