"""What a provider says a request had in tokens keeps the next ones within the bound, by the provider's own count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen

from amb_core.adapter.wire_forms import read_transcript
from amb_core.text.exact_tokens import exact_counter
from amb_core.text.tokens import request_tokens
from amb_proxy.bodies import body_form

pytest.importorskip("quicktok")
pytestmark = pytest.mark.slow

BUDGET, CALLS = 6_000, 14
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "zh" / "longterm.md").read_text("utf-8")


def chinese(number: int) -> str:
    """What the tool returns: Chinese, which cl100k makes many more tokens of than o200k."""
    return f"第{number}页\n{PAGE[number * 300 : number * 300 + 1_500]}"


def by_gpt_4(seen: Seen) -> int:
    """The tokens of a request as GPT-4 counts them, tools and instructions with it."""
    form = body_form(seen.path)
    assert form is not None
    chat = read_transcript(form.messages(seen.body), form=form.name).chat
    return request_tokens(chat, beside=[form.beside(seen.body)], count=exact_counter("cl100k"))


def sizes(agent: Callable[..., Any], another_gateway: Any, answer: Callable[[Seen], Say], *, tells: bool) -> list[int]:
    """What GPT-4 counts of each request that the provider gets."""
    found: list[int] = []

    def counted(seen: Seen) -> Say:
        found.append(by_gpt_4(seen))
        return replace(answer(seen), prompt_tokens=found[-1] if tells else 0)

    with ProviderServer(counted) as provider, another_gateway(provider.url) as gateway:
        agent(gateway.url, talk="usage", page=chinese)
    return found


@pytest.mark.sampled(3)
def test_by_the_count_of_gpt_4_no_request_is_above_the_bound_where_it_is_told(
    each_agent: Callable[..., Any], reader: Callable[[int], Callable[[Seen], Say]], another_gateway: Any
) -> None:
    untold = max(sizes(each_agent, another_gateway, reader(CALLS), tells=False))
    told = sizes(each_agent, another_gateway, reader(CALLS), tells=True)
    assert len(told) == CALLS + 1
    assert 0.7 * BUDGET < max(told) <= BUDGET
    assert max(told) < untold
