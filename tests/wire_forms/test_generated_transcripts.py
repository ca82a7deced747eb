"""A thousand generated transcripts in each wire form: nothing signed altered, no pair torn apart, no result missed."""

from __future__ import annotations

import copy
import os
import runpy
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from amb_core import ManualClock, MemoryBank, Settings
from amb_core.adapter import ContextAdapter, TokenCounter
from amb_core.adapter.chat_messages import tool_results_of
from amb_core.adapter.wire_forms import detect_form, read_transcript
from amb_core.rendering import has_block

GENERATED = runpy.run_path(str(Path(__file__).with_name("transcripts.py")))
story, WRITERS, signed_in, asked_in = itemgetter("story", "WRITERS", "signed_in", "asked_in")(GENERATED)
orphans_in, roles_out_of_turn, split_turns = itemgetter("orphans_in", "roles_out_of_turn", "split_turns")(GENERATED)
blocks_in = GENERATED["blocks_in"]
FORMS = list(WRITERS)
IN_TURN = ("anthropic", "gemini")
BUDGET, BLOCK = 2_400, 300
NUMBERS = range(1_000) if os.environ.get("DEEP") else range(0, 1_000, 100)

form_and_number = pytest.mark.parametrize(("form", "numbers"), [pytest.param(form, NUMBERS, id=form) for form in FORMS])


@dataclass(frozen=True, slots=True)
class Prepared:
    """A story's transcript in one form, and what an adapter that was told no form made of it."""

    items: list[Any]
    untouched: bool
    request: list[Any]
    again: list[Any]
    """The request for the same transcript once more."""
    anew: list[Any]
    """What is made of the request itself, as a transcript that begins with it."""
    shown: list[Any]
    """The transcript with a whole block."""


@cache
def _prepared(form: str, numbers: range) -> list[Prepared]:
    """Each story prepared once, for all tests that look at it."""
    settings = Settings(block_tokens=BLOCK, prompt_budget_tokens=BUDGET, max_raw_tokens=400, strict=True)
    made = []
    for number in numbers:
        items = WRITERS[form](story(number))
        before = copy.deepcopy(items)
        with MemoryBank("Which town has a reactor?", settings=settings, clock=ManualClock(1e9, step=1)) as bank:
            adapter = ContextAdapter(bank, sharing=True)
            request, again, shown = adapter.prepare(items), adapter.prepare(items), adapter.enhance_prompt(items)
            adapter.begin_transcript()
            anew = adapter.prepare(request)
        made.append(Prepared(items, items == before, request, again, anew, shown))
    return made


@form_and_number
def test_every_result_is_taken_in_with_its_call(form: str, numbers: range) -> None:
    for number in numbers:
        told = story(number)
        read = read_transcript(WRITERS[form](told))
        results = tool_results_of(read.with_answers, calls={}, run="", agent=None)
        assert read.form.name == form
        found = sorted((one.tool, one.output.replace("\n[image]", "").rstrip()) for one in results)
        wanted = [("code_execution" if c.id.endswith("_9") and form == "gemini" else c.tool, c) for c in told.calls]
        expected = sorted((tool, call.output) for tool, call in wanted)
        assert [tool for tool, _ in found] == [tool for tool, _ in expected], number
        assert all(output in said for (_, said), (_, output) in zip(found, expected, strict=True)), number


@form_and_number
def test_what_is_signed_is_whole_and_stays_with_its_turn(form: str, numbers: range) -> None:
    for one in _prepared(form, numbers):
        items, request = one.items, one.request
        came = iter(signed_in(items))
        assert all(one in came for one in signed_in(request)), "altered, or in another order"
        assert not split_turns(items, request)


@form_and_number
def test_no_call_and_no_result_is_left_alone_and_the_order_holds(form: str, numbers: range) -> None:
    for one in _prepared(form, numbers):
        items, request = one.items, one.request
        assert not orphans_in(items), "the generator is right"
        assert not orphans_in(request)
        asked = [call for item in items for call in asked_in(item)]
        left = iter(asked)
        assert all(call in left for item in request for call in asked_in(item))


@form_and_number
def test_the_request_is_of_the_same_form_with_the_block_in_it(form: str, numbers: range) -> None:
    for one in _prepared(form, numbers):
        items, request, shown = one.items, one.request, one.shown
        assert detect_form(request).name == detect_form(shown).name == form
        assert has_block("\n".join(str(one.get("text") or one.get("content") or "") for one in blocks_in(shown)))
        if form in IN_TURN:
            assert roles_out_of_turn(items) == roles_out_of_turn(request) == roles_out_of_turn(shown) == 0


@form_and_number
@pytest.mark.parametrize("inject", ["missing", pytest.param("always", marks=pytest.mark.nightly)])
def test_where_it_is_joined_no_two_messages_of_the_user_follow_each_other(
    form: str, numbers: range, inject: Any
) -> None:
    """Chat templates of small models raise an error at the second; in the other two forms it is always joined."""
    settings = Settings(prompt_budget_tokens=BUDGET, inject=inject, merge_with_last_user=form not in IN_TURN)
    for number in numbers:
        with MemoryBank("Which town has a reactor?", settings=settings) as bank:
            request = ContextAdapter(bank, sharing=True).prepare(WRITERS[form](story(number)))
        roles = [item.get("role", item.get("type")) for item in request]
        assert ("user", "user") not in pairwise(roles), number


@form_and_number
def test_the_input_stays_as_it_is_and_what_did_not_change_is_the_same_object(form: str, numbers: range) -> None:
    for number in numbers:
        items = WRITERS[form](story(number))
        transcript = read_transcript(items)
        assert all(map(_is, transcript.write(transcript.chat), items))
    assert all(one.untouched for one in _prepared(form, numbers))


@form_and_number
def test_a_request_prepared_again_is_the_same(form: str, numbers: range) -> None:
    for one in _prepared(form, numbers):
        assert one.again == one.request
        assert detect_form(one.anew).name == form


@form_and_number
def test_the_budget_holds_but_for_images_and_what_the_provider_answered_itself(form: str, numbers: range) -> None:
    """Both are whole or gone: a result that the provider wrote into the model's own message is never shortened."""
    count = TokenCounter()
    for one in _prepared(form, numbers):
        chat = read_transcript(one.request).chat
        inside = sum(count.message(answer) for told in chat for answer in told.get("answered_inside", ()))
        assert sum(map(count.message, chat)) - sum(map(count.images, chat)) - inside <= BUDGET


def _is(one: object, other: object) -> bool:
    return one is other
