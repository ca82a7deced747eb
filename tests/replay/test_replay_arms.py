"""What each arm sends, what that costs, and what of later use is in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_chat import Price
from amb_core import Settings
from amb_core.errors import InvalidParameter
from amb_replay import ReplayedRun, Trace, replay_trace, report_of
from amb_replay.replay_arms import ARMS, arms_named
from amb_replay.replay_figures import figures_of
from amb_replay.request_cost import PromptCache, price_named, price_told

Orders = Callable[..., Trace]
TIGHT = Settings(prompt_budget_tokens=700, block_tokens=200)
BOTH = pytest.mark.parametrize("language", ["en", "zh"])


def replayed(trace: Trace, *arms: str, settings: Settings = TIGHT) -> ReplayedRun:
    return replay_trace(trace, settings=settings, arms=arms_named(arms or tuple(ARMS)))


@pytest.mark.slow
@BOTH
def test_every_arm_answers_every_call_and_only_the_whole_transcript_outgrows_the_budget(
    orders: Orders, language: str
) -> None:
    figures = figures_of([replayed(orders(12, language))])
    assert set(figures.arms) == set(ARMS)
    assert figures.calls == 14
    assert {name for name, arm in figures.arms.items() if arm.over} - {"lazy", "masked"} == {"full"}


@pytest.mark.slow
@BOTH
def test_what_fell_out_of_the_window_is_there_for_the_oracle_and_for_everything(orders: Orders, language: str) -> None:
    arms = figures_of([replayed(orders(12, language))]).arms
    far = {name: arm.shares["far"].percent for name, arm in arms.items()}
    assert far["full"] == far["oracle"] == 100.0
    assert far["window"] == far["masked"] == 0.0


def test_an_equal_beginning_is_cached_and_everything_behind_a_change_is_not() -> None:
    cache = PromptCache()
    assert cache.take(["system", "a"], [10, 5], beside=7).cached == 0
    assert cache.take(["system", "a", "b"], [10, 5, 5], beside=7).cached == 22
    assert cache.take(["other!", "a", "b"], [10, 5, 5], beside=7).cached == 7


def test_an_agent_that_fits_its_budget_is_told_that_its_recording_cannot_tell(orders: Orders) -> None:
    report = report_of([replayed(orders(3), settings=Settings(prompt_budget_tokens=8_000))])
    assert report.verdict.outcome == "unclear"
    assert report.verdict.reasons[0].key == "reason.small"


def test_tool_schemas_count_in_every_request(orders: Orders) -> None:
    plain = orders(3)
    schemas = ({"type": "function", "function": {"name": "get_order", "description": "Reads an order. " * 20}},)
    with_tools = Trace(plain.id, plain.messages, tools=schemas)
    first, second = (figures_of([replayed(trace, "full")]).arms["full"].tokens for trace in (plain, with_tools))
    assert second > first + 4 * 60


def test_prices_are_numbers_or_those_of_a_known_model() -> None:
    assert price_told("1.25,0.125,10") == Price(1.25, 10.0, cached=0.125)
    for wrong in ("1,2", "a,b,c", "1,-2,3", "nan,1,1"):
        with pytest.raises(InvalidParameter, match=r"IN,CACHED,OUT|number of 0 or more"):
            price_told(wrong)
    with pytest.raises(InvalidParameter, match="--prices"):
        price_named("a-model-of-nobody")


def test_an_unknown_arm_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InvalidParameter, match="window\\+bm25"):
        arms_named(["windo"])


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": None},
        {"role": "assistant", "content": ["plain", {"type": "text", "text": "part"}], "tool_calls": []},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "a", "custom": {"name": "sh", "input": "ls a_b.py"}}],
        },
        {"role": "assistant", "content": "x", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{"}}]},
        {"role": "assistant", "content": "\ud800 \x00 \u202e", "reasoning_content": "thought of card_7000"},
    ],
)
def test_odd_messages_of_an_agent_are_replayed_by_every_arm(message: dict[str, object], orders: Orders) -> None:
    trace = orders(3)
    run = replayed(Trace("odd", (*trace.messages[:6], message, {"role": "user", "content": "go on"}, message)))
    assert len(run.calls) == 4
