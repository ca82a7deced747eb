"""Whatever stands where a provider or host may put it, a run goes on, and what fits is passed on as it came."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.adapter.chat_messages import calls_of
from amb_core.errors import WireFormUnknown


def _nested(depth: int, *, lists: bool) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


ODD: dict[str, Any] = {
    "null": None,
    "a number": 3.5,
    "no number": float("nan"),
    "true": True,
    "blanks": " \n",
    "nothing": "",
    "an empty list": [],
    "an empty object": {},
    "nulls": [None],
    "texts": ["x", "y"],
    "deep objects": _nested(3_000, lists=False),
    "deep lists": _nested(400, lists=True),
    "deep text": '{"a":' * 3_000 + "1" + "}" * 3_000,
    "half a character": "\ud800x\udfff",
    "a zero byte": "a\0b",
    "bytes": b"\xff\x00",
    "keys of two kinds": {1: "a", "b": 2},
    "digits": "9" * 6_000,
}
_TREES = "oak elm ash fir yew bay fig".split()


def _leaf(n: int) -> str:
    return f"Leaf {n}. " + " ".join(f"{_TREES[k * n % 7]} at {k * n % 83} m" for k in range(40))


def _chat(n: int) -> list[Any]:
    call = {"id": f"call_{n}", "type": "function", "function": {"name": "read", "arguments": json.dumps({"n": n})}}
    result = {"role": "tool", "tool_call_id": f"call_{n}", "name": "read", "content": _leaf(n)}
    return [{"role": "assistant", "content": f"I read {n}.", "tool_calls": [call]}, result]


def _anthropic(n: int) -> list[Any]:
    use = {"type": "tool_use", "id": f"toolu_{n}", "name": "read", "input": {"n": n}}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": [{"type": "text", "text": _leaf(n)}]}
    return [
        {"role": "assistant", "content": [{"type": "text", "text": "So."}, use]},
        {"role": "user", "content": [result]},
    ]


def _responses(n: int) -> list[Any]:
    call = {"type": "function_call", "id": f"fc_{n}", "call_id": f"call_{n}", "name": "read", "arguments": '{"n": 1}'}
    return [call, {"type": "function_call_output", "call_id": f"call_{n}", "output": _leaf(n)}]


def _gemini(n: int) -> list[Any]:
    call, result = {"name": "read", "args": {"n": n}}, {"name": "read", "response": {"output": _leaf(n)}}
    return [
        {"role": "model", "parts": [{"text": "So."}, {"functionCall": call}]},
        {"role": "user", "parts": [{"functionResponse": result}]},
    ]


MAKERS = {"openai-chat": _chat, "anthropic": _anthropic, "openai-responses": _responses, "gemini": _gemini}
REFUSED = ("role", "type", "parts")
"""Where every provider refuses what is odd: then the list is of no form, and AMB says so."""


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*at, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*at, key))


def _put(talk: Any, place: tuple[Any, ...], value: Any) -> None:
    *inner, last = place
    for key in inner:
        talk = talk[key]
    talk[last] = value


def _is_as_it_came(request: list[Any], talk: list[Any], form: str) -> bool:
    """Whether the request has all of the talk; messages of OpenAI chat are copied, what is in them is not."""
    pairs = list(zip(request, talk, strict=False))
    if form != "openai-chat":
        return all(one is came for one, came in pairs)
    return all(one.get(key) is value for one, came in pairs for key, value in came.items())


@pytest.mark.parametrize("form", MAKERS)
def test_an_odd_value_anywhere_stops_no_run_and_is_passed_on(form: str, tmp_path: Path) -> None:
    told = {"parts": [{"text": "Go."}]} if form == "gemini" else {"content": "Go."}
    asked: dict[str, Any] = {"role": "user", **told}
    rnd = random.Random(40)
    for trial in range(60 if os.environ.get("DEEP") else 20):
        talk = [asked, *(one for n in range(6) for one in MAKERS[form](n)), dict(asked)]
        places = [at for at in _places(talk) if len(at) > 1 and at[-1] not in REFUSED and not isinstance(at[-1], int)]
        place, name, budget = rnd.choice(places), rnd.choice(list(ODD)), rnd.choice([900, 100_000])
        _put(talk, place, ODD[name])
        store = f"sqlite:///{tmp_path}/{form}{trial}.db" if trial % 10 == 0 else "memory://"
        with MemoryBank("Go.", store=store, settings=Settings(prompt_budget_tokens=budget)) as bank:
            adapter = ContextAdapter(bank, form=form)  # type: ignore[arg-type]
            try:
                request = adapter.next_request(talk)
            except WireFormUnknown:
                assert place[-1] == "content", (name, place)  # what no provider takes for a message's content
                continue
            assert not adapter.failures.keys() - {"send a message whole"}, (name, place)
            assert budget == 900 or (len(request) >= len(talk) and _is_as_it_came(request, talk, form)), (name, place)


def test_calls_and_results_without_ids_stay_in_one_turn() -> None:
    """As some servers write them: the result names its tool, or nothing at all."""
    for named in ({"tool_name": "read"}, {"name": "read"}, {}):
        talk: list[Any] = [{"role": "user", "content": "Go."}]
        adapter = ContextAdapter(MemoryBank("Go.", settings=Settings(prompt_budget_tokens=900)))
        for n in range(12):
            call = {"function": {"name": "read", "arguments": {"n": n}}}
            talk += [
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "content": _leaf(n), **named},
            ]
            request = adapter.next_request(talk)
            roles = [one["role"] for one in request if one["role"] == "tool" or calls_of(one)]
            assert roles == ["assistant", "tool"] * (len(roles) // 2)
        assert len(roles) < 24, "some turns left"
        assert adapter.bank.size.entries == 12


def test_one_call_with_two_results_stays_one_turn() -> None:
    """A pending result and the final one under one id leave together."""
    talk: list[Any] = [{"role": "user", "content": "Go."}]
    adapter = ContextAdapter(MemoryBank("Go.", settings=Settings(prompt_budget_tokens=900)))
    for n in range(12):
        talk += _chat(n)
        talk.append({"role": "tool", "tool_call_id": f"call_{n}", "content": f"Final: {_leaf(n + 50)}"})
        request = adapter.next_request(talk)
        asked = {name for one in request for name in calls_of(one)}
        assert all(one["tool_call_id"] in asked for one in request if one["role"] == "tool")


def test_a_result_without_an_id_answers_the_call_before_it_each_time_the_talk_is_given() -> None:
    talk: list[Any] = [{"role": "user", "content": "Go."}]
    adapter = ContextAdapter(MemoryBank("Go.", settings=Settings(keep="results")))
    for n in range(6):
        call, result = _chat(n)
        talk += [call, {"role": "tool", "content": result["content"]}]
        adapter.next_request(json.loads(json.dumps(talk)))
    assert adapter.bank.size.entries == 6
