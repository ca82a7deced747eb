"""Plain ways to keep a request within a bound: each fits, keeps calls with their results, and does what it says."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from amb_core.text import estimate_tokens
from amb_core.text.tokens import message_tokens
from amb_replay import Trace
from amb_replay.bounded_arms import BOUNDED_ARMS, WindowWithPassages, clear_tool_uses, masked, window

Orders = Callable[..., Trace]
Message = dict[str, Any]
ARMS = pytest.mark.parametrize("name", BOUNDED_ARMS)


def size(messages: Sequence[Any], count: Callable[[str], int] = estimate_tokens) -> int:
    return sum(message_tokens(message, count=count) for message in messages)


def called(*ids: str, arguments: str = "{}", text: str | None = None) -> Message:
    """A message that makes calls with these ids."""
    calls = [{"id": one, "type": "function", "function": {"name": "read", "arguments": arguments}} for one in ids]
    return {"role": "assistant", "content": text, "tool_calls": calls}


def result(number: str, text: str) -> Message:
    return {"role": "tool", "tool_call_id": number, "content": text}


def run(seed: int, *, steps: int = 9) -> list[Message]:
    """A made-up run: parallel and mixed calls, large results and arguments, words between, English and Chinese."""
    draw = random.Random(seed)
    words = draw.choice(["the jar of shelf {n} holds item_{n} and rests. ", "第{n}个架子上的罐子里是item_{n}。"])

    def text(most: int) -> str:
        return "".join(words.format(n=draw.randrange(999)) for _ in range(draw.randrange(1, most)))

    told: list[Message] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text(8)}]
    for number in range(steps):
        ids = [f"{number}-{part}" for part in range(draw.choice([1, 1, 1, 3]))]
        written = json.dumps({"page": text(draw.choice([3, 3, 60]))}, ensure_ascii=False)
        mixed = len(ids) > 1 and draw.random() < 0.5
        told += [called(one, arguments=written) for one in ids] if mixed else [called(*ids, arguments=written)]
        told += [result(one, text(draw.choice([4, 30, 120]))) for one in draw.sample(ids, len(ids))]
        if draw.random() < 0.3:
            told += [{"role": "assistant", "content": text(5)}, {"role": "user", "content": text(4)}]
    return [*told, {"role": "assistant", "content": "done"}]


def requests(name: str, messages: Sequence[Message], bound: int, count: Callable[[str], int] = estimate_tokens) -> Any:
    """Every request of a run with what the arm makes of it."""
    prepare = BOUNDED_ARMS[name]()
    for at in range(1, len(messages)):
        if messages[at]["role"] == "assistant":
            yield messages[:at], list(prepare(messages[:at], bound, count))


@ARMS
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "count", [estimate_tokens, lambda text: -(-len(text.encode()) // 2)], ids=["estimate", "exact"]
)
def test_every_request_fits_the_bound_by_the_count_and_one_that_fits_is_sent_whole(
    name: str, seed: int, count: Callable[[str], int]
) -> None:
    bound, cut = 1_500, 0
    for before, made in requests(name, run(seed), bound, count):
        assert size(made, count) <= bound
        if size(before, count) <= bound and not cut:
            assert made == before
        cut += size(before, count) > bound
    assert cut > 4


@ARMS
@pytest.mark.parametrize("seed", range(4))
def test_calls_and_results_stay_together_in_order_and_the_pinned_and_newest_messages_stay(name: str, seed: int) -> None:
    for before, made in requests(name, run(seed), 900):
        assert waiting(made) <= waiting(before)
        named = [each for each in made if each["role"] == "tool" or each.get("tool_calls")]
        places = [next(at for at, one in enumerate(before) if _same(one, each)) for each in named]
        assert places == sorted(places)
        assert [each["role"] for each in made[:2]] == ["system", "user"]
        newest = [each for each in made if "<memory>" not in str(each["content"])][-1]
        assert _same(newest, before[-1])
        for each in made:
            for one in each.get("tool_calls") or ():
                json.loads(one["function"]["arguments"])


def waiting(messages: Sequence[Message]) -> set[str]:
    """Calls that no result answers, and results that no call asked for."""
    asked = {one["id"] for each in messages for one in each.get("tool_calls") or ()}
    return asked ^ {each["tool_call_id"] for each in messages if each["role"] == "tool"}


def _same(one: Message, other: Message) -> bool:
    """Whether two messages are one message, perhaps shortened."""
    if one["role"] != other["role"] or one.get("tool_call_id") != other.get("tool_call_id"):
        return False
    ids = [[call["id"] for call in each.get("tool_calls") or ()] for each in (one, other)]
    return ids[0] == ids[1] and (
        bool(ids[0]) or one["role"] == "tool" or str(one["content"])[:3] == str(other["content"])[:3]
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_steady_window_changes_only_where_it_is_cut(seed: int) -> None:
    made = [shown for _, shown in requests("append-only", run(seed, steps=24), 4_000)]
    steady = [later[: len(earlier)] == earlier for earlier, later in pairwise(made)]
    cuts = steady.count(False)
    assert 0 < cuts <= len(made) // 3
    after = [later for (_, later), same in zip(pairwise(made), steady, strict=True) if not same]
    assert min(map(size, after)) < 0.8 * 4_000


def test_what_left_is_found_again_among_the_passages(orders: Orders) -> None:
    messages = [*orders(20).messages[:-3], {"role": "user", "content": "Which payment has order W-90003?"}]
    found = WindowWithPassages()(messages, 1_500, estimate_tokens)
    assert "card_7003" in str(found[-1])
    assert "card_7003" not in str(window(messages, 1_500, estimate_tokens))
    body = size(found[:-1])
    assert body <= 0.6 * 1_500
    assert size(found) > 1_200


def test_cleared_and_masked_results_keep_their_place(orders: Orders) -> None:
    messages = orders(14).messages[:-3]
    cleared = clear_tool_uses(messages, size(messages) - 1, estimate_tokens)
    shown = [each["content"] for each in cleared if each["role"] == "tool"]
    assert (len(cleared), shown[:11]) == (len(messages), ["[cleared]"] * 11)
    assert all("card_" in text for text in shown[11:])
    hidden = masked(messages, size(messages) - 1, estimate_tokens)
    lines = [each["content"] for each in hidden if each["role"] == "tool"]
    assert (len(hidden), len({*lines} & {lines[0]}), "card_7001" in lines[1]) == (len(messages), 1, True)
    assert "left out" in lines[0]
    assert "left out" not in lines[1]
