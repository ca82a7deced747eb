"""The contract of an integration: subclass `IntegrationContract` and say how your framework runs a scripted agent.

Every tool call is scripted, so nothing leaves the machine. A driver hands back the requests the model got as plain
OpenAI-style messages; for a framework that writes its transcript as text, messages of role user and assistant will do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar, Literal

import pytest

from amb_contracts.integration_story import (
    AgentDriver,
    Call,
    Request,
    Scenario,
    Trace,
    fact,
    keeper_tools,
    long_task,
    page,
    task,
)
from amb_contracts.integration_users import UsersContract
from amb_core.adapter import TokenCounter, strip_blocks, text_of
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.errors import StoreError
from amb_core.rendering import has_block
from amb_core.settings import Settings
from amb_core.stores import InMemoryStore
from amb_core.text import Language

__all__ = ["AgentDriver", "IntegrationContract", "Request", "Trace"]


class _BreakableStore(InMemoryStore):
    """A store whose writes fail once it is broken."""

    broken = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self.broken:
            raise StoreError("the disk is gone")
        with super().transaction():
            yield


_BUDGET = 8_000
"""The bound of a request where a test does not name another: a fourth of what the long run brings."""


_Inject = Literal["missing", "always"]


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the long runs: when a request gets a block, in which language, within how many tokens."""

    inject: _Inject
    language: Language
    budget: int = _BUDGET


_FEW, _EACH, _LARGE = _Kind("missing", "en"), _Kind("always", "zh"), _Kind("missing", "zh", 20_000)
"""A small budget is filled anew at every call; a large one is left as it is for many. A language is no host's affair:
both are in the three runs, not each in every one."""
_KINDS = [pytest.param(kind, id=f"{kind.inject}-{kind.language}-{kind.budget}") for kind in (_FEW, _EACH, _LARGE)]


def _bank(inject: _Inject, language: Language = "en", *, budget: int = _BUDGET, **options: Any) -> MemoryBank:
    settings = Settings(inject=inject, prompt_budget_tokens=budget)
    return MemoryBank(task(language), settings=settings, clock=ManualClock(1e9, step=1), **options)


def _script(*turns: Sequence[Call], quoted: str = "", chars: int | None = None) -> Scenario:
    return Scenario(task(), tuple(map(tuple, turns)), keeper_tools(quoted=quoted, chars=chars))


def _fetch(number: int) -> Call:
    return Call("fetch", {"number": number}, f"call-{number}")


def _blocks(request: Request) -> list[str]:
    texts = [text_of(message.get("content")) for message in request.messages]
    return [text for text in texts if has_block(text)]


def _plain(request: Request) -> list[dict[str, Any]]:
    return strip_blocks(dict(message) for message in request.messages)


def _tokens(request: Request) -> int:
    return sum(map(TokenCounter().message, request.messages))


def _pairs_of_users(request: Request) -> int:
    """How often a message of the user follows another one."""
    roles = [message["role"] for message in request.messages]
    return sum(pair == ("user", "user") for pair in pairwise(roles))


def _assert_paired(trace: Trace) -> None:
    """A turn that calls tools is followed at once by one result for each of its calls, and no result stands alone."""
    for number, request in enumerate(trace.requests):
        waiting: list[str] = []
        for message in request.messages:
            if message["role"] == "tool":
                assert message["tool_call_id"] in waiting, f"request {number} has a result nobody asked for"
                waiting.remove(message["tool_call_id"])
            else:
                assert not waiting, f"request {number} has calls without a result: {waiting}"
                waiting = [call["id"] for call in message.get("tool_calls") or ()]
        assert not waiting, f"request {number} ends with calls without a result: {waiting}"


class IntegrationContract(UsersContract):
    """What every integration promises, one sentence a test; set `driver` to yours.

    All of it holds where a request gets a block only for what it does not hold (`missing`) and where each gets one
    (`always`).
    """

    driver: ClassVar[AgentDriver]

    @pytest.fixture(params=["missing", "always"])
    def inject(self, request: pytest.FixtureRequest) -> _Inject:
        """When a request gets a block."""
        mode: _Inject = request.param
        return mode

    @pytest.fixture(params=_KINDS)
    def kind(self, request: pytest.FixtureRequest) -> _Kind:
        """Which long run is looked at."""
        chosen: _Kind = request.param
        return chosen

    @classmethod
    @cache
    def long_run(cls, kind: _Kind) -> tuple[Trace, MemoryBank]:
        """The run over twenty pages, done once for all tests that look at it."""
        bank = _bank(kind.inject, kind.language, budget=kind.budget)
        return cls.driver.run(long_task(kind.language), bank=bank), bank

    @classmethod
    @cache
    def _bare_run(cls, language: Language) -> Trace:
        """Runs without memory."""
        return cls.driver.run(long_task(language), bank=None)

    # --- twenty calls of five thousand characters ---------------------------------------------------------------------

    def test_what_a_call_returned_is_in_the_next_request(self, kind: _Kind) -> None:
        """Raw or in the block; in the block in any case where each request gets one."""
        trace, _ = self.long_run(kind)
        for number, request in enumerate(trace.requests[1:]):
            assert fact(number, kind.language) in (request.text if kind.inject == "missing" else _blocks(request)[0])

    def test_no_request_is_over_the_budget(self, kind: _Kind) -> None:
        trace, _ = self.long_run(kind)
        assert max(map(_tokens, trace.requests)) <= kind.budget
        bare = self._bare_run("en")
        carried = sum(len(page(number, "en")) for number in range(20))
        assert len(bare.requests[-1].text) >= carried, "the run without AMB must carry all pages"
        assert _tokens(bare.requests[-1]) > 3 * _BUDGET

    def test_the_agent_takes_all_its_turns_and_answers(self, kind: _Kind) -> None:
        trace, _ = self.long_run(kind)
        assert len(trace.requests) == 21
        assert trace.answer == long_task(kind.language).answer

    def test_calls_and_their_results_stay_together(self, kind: _Kind) -> None:
        trace, _ = self.long_run(kind)
        _assert_paired(trace)

    @pytest.mark.parametrize("kind", [_FEW, _EACH], ids=["missing", "always"])
    def test_a_request_has_a_block_or_where_nothing_is_missing_none(self, kind: _Kind) -> None:
        """What was said at a cut stands, and a small one may follow at the end; none says what another one says."""
        trace, _ = self.long_run(kind)
        blocks = [_blocks(request) for request in trace.requests]
        assert [len(each) for each in blocks] == [request.text.count("<memory>") for request in trace.requests]
        assert all(len(each) == 1 if kind is _EACH else len(each) <= 2 for each in blocks)
        assert all(len({*each}) == len(each) for each in blocks)
        assert [bool(each) for each in blocks] == sorted(bool(each) for each in blocks)
        assert blocks[-1]

    @pytest.mark.parametrize("kind", [_FEW, _LARGE], ids=["small", "large"])
    def test_nothing_is_missing_before_something_left(self, kind: _Kind) -> None:
        trace, _ = self.long_run(kind)
        blocks = [bool(_blocks(request)) for request in trace.requests]
        assert blocks == sorted(blocks)
        assert not any(blocks[:3])
        assert blocks[-1]

    def test_memory_holds_each_result_once_as_it_came(self, kind: _Kind) -> None:
        _, bank = self.long_run(kind)
        entries = bank.snapshot().results
        assert [entry.text for entry in entries] == [page(number, kind.language) for number in range(20)]
        calls = [(entry.metadata["tool"], entry.metadata["arguments"]) for entry in entries]
        assert calls == [("fetch", {"number": number}) for number in range(20)]

    def test_the_system_message_and_the_task_never_change(self, kind: _Kind) -> None:
        trace, _ = self.long_run(kind)
        scenario = long_task(kind.language)
        for request in trace.requests:
            plain = _plain(request)
            assert sum(text_of(message["content"]).count(scenario.system) for message in plain) == 1
            first = next(message for message in plain if scenario.task in text_of(message["content"]))
            assert first == next(m for m in _plain(trace.requests[0]) if scenario.task in text_of(m["content"]))

    @pytest.mark.parametrize(("mode", "budget", "most"), [("always", _BUDGET, 10), ("missing", 20_000, 4)])
    def test_what_stands_before_the_block_changes_only_when_something_is_condensed(
        self, mode: _Inject, budget: int, most: int
    ) -> None:
        """A provider's prefix cache hits as long as each request begins with the one before it.

        What was missing stands where it was put until then; in a small budget it is chosen anew at every call.
        """
        budget, most = getattr(self.driver, "steady", {}).get(mode, (budget, most))
        trace, _ = self.long_run(_Kind(mode, "zh", budget))
        sent = [list(r.messages) if mode == "missing" else _plain(r) for r in trace.requests]
        sizes = [sum(map(TokenCounter().message, messages)) for messages in sent]
        changed = [n for n in range(1, 21) if sent[n][: len(sent[n - 1])] != sent[n - 1]]
        assert len(changed) <= most
        assert all(sizes[number] < 1.05 * sizes[number - 1] for number in changed)

    def test_the_model_is_offered_the_agents_tools_and_deep_retrieval(self, kind: _Kind) -> None:
        trace, _ = self.long_run(kind)
        bare = self.driver.run(_script(), bank=None)
        for request in trace.requests:
            assert set(request.tools) == {*bare.requests[0].tools, "deep_retrieval"}

    @pytest.mark.parametrize("kind", [_FEW, _EACH], ids=["missing", "always"])
    def test_each_block_is_on_record(self, kind: _Kind) -> None:
        trace, bank = self.long_run(kind)
        injections = bank.snapshot().injections
        told = ["\n\n".join(_blocks(request)) for request in trace.requests]
        assert [injection.block for injection in injections] == [block for block in told if block]
        assert injections[-1].raw_tokens > 3 * injections[-1].prompt_tokens

    def test_where_the_setting_says_so_no_two_user_messages_follow_each_other(self, inject: _Inject) -> None:
        """Chat templates of small models raise an error at the second; a framework's own pairs are its own."""
        settings = Settings(inject=inject, prompt_budget_tokens=_BUDGET, merge_with_last_user=True)
        trace = self.driver.run(long_task(), bank=MemoryBank(task(), settings=settings))
        if not getattr(self.driver, "joins_users", False):
            own = max(map(_pairs_of_users, self._bare_run("en").requests))
            assert max(map(_pairs_of_users, trace.requests)) <= own
        assert trace.requests[-1].text.count("<memory>") == 1
        assert max(map(_tokens, trace.requests)) <= _BUDGET

    # --- odd calls ----------------------------------------------------------------------------------------------------

    def test_deep_retrieval_opens_a_source_and_is_not_taken_in(self) -> None:
        bank = _bank("missing")
        opened = Call("deep_retrieval", {"node_id": "n1"}, "call-d")
        trace = self.driver.run(_script([_fetch(0)], [opened]), bank=bank)
        answered = "\n".join(text_of(message["content"]) for message in _plain(trace.requests[2])[-2:])
        assert page(0)[:400] in answered.replace("\n  ", "\n")
        assert len(bank.snapshot().results) == 1

    def test_parallel_calls_are_each_taken_in_and_stay_together(self, inject: _Inject) -> None:
        bank = _bank(inject)
        turns = [[_fetch(3 * turn + number) for number in range(3)] for turn in range(3)]
        trace = self.driver.run(_script(*turns), bank=bank)
        _assert_paired(trace)
        assert sorted(entry.text for entry in bank.snapshot().results) == sorted(map(page, range(9)))
        assert max(map(_tokens, trace.requests)) <= _BUDGET

    @pytest.mark.parametrize(("tool", "seen"), [("broken", "mast of station 4"), ("reading", "1004"), ("silent", "")])
    def test_a_tool_that_fails_or_returns_no_text_leaves_the_run_intact(self, tool: str, seen: str) -> None:
        trace = self.driver.run(_script([Call(tool, {"number": 4}, "call-4")], [_fetch(0)]), bank=_bank("always"))
        _assert_paired(trace)
        assert len(trace.requests) == 3
        assert trace.answer == "All log books are read."
        if getattr(self.driver, "shows_errors", True) or tool != "broken":
            assert seen in trace.requests[1].text

    def test_a_result_that_does_not_bear_on_the_task_is_in_the_next_request(self, inject: _Inject) -> None:
        """Raw or in the block; in the block in any case where each request gets one."""
        calls = [[Call("reading", {"number": number}, f"call-r{number}")] for number in range(3)]
        trace = self.driver.run(_script(*calls), bank=_bank(inject))
        where = [request.text if inject == "missing" else _blocks(request)[0] for request in trace.requests]
        assert ["100" in text for text in where] == [False, True, True, True]
        assert "1002" in where[3]

    def test_a_page_is_shown_whole_while_it_is_new_whatever_the_task(self, inject: _Inject) -> None:
        bank = MemoryBank("Prepare the inspection.", settings=Settings(inject=inject), clock=ManualClock(1e9, step=1))
        scenario = replace(_script(*([_fetch(number)] for number in range(4))), task="Prepare the inspection.")
        trace = self.driver.run(scenario, bank=bank)
        assert [n for n in range(4) if fact(n) not in trace.requests[n + 1].text] == []

    def test_the_same_call_made_again_is_kept_once(self) -> None:
        bank = _bank("missing")
        trace = self.driver.run(_script([_fetch(0)], [_fetch(0)], [_fetch(1)]), bank=bank)
        _assert_paired(trace)
        assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]
        assert trace.answer == "All log books are read."

    def test_a_block_that_a_tool_repeats_is_neither_shown_twice_nor_taken_in(self, inject: _Inject) -> None:
        bank = _bank(inject)
        bank.read(page(7), source="log")
        scenario = _script([Call("quote", {"number": 1}, "call-q")], quoted=bank.host.enhance().text)
        trace = self.driver.run(scenario, bank=bank)
        blocks = [_blocks(request) for request in trace.requests]
        assert all(0 < len(each) <= 2 and len({*each}) == len(each) for each in blocks)
        assert bank.snapshot().results[-1].text == "Remark 1: the fog horn was silent."

    def test_one_huge_result_does_not_break_the_budget(self, inject: _Inject) -> None:
        trace = self.driver.run(_script([_fetch(0)], chars=60_000), bank=_bank(inject))
        assert _tokens(trace.requests[1]) <= _BUDGET
        assert fact(0) in (trace.requests[1].text if inject == "missing" else _blocks(trace.requests[1])[0])

    def test_one_call_with_huge_arguments_does_not_break_the_budget(self) -> None:
        """Seen by drivers that hand back the arguments of calls."""

        def save(text: str) -> str:
            """Save a text.

            Args:
                text: What to save.
            """
            return f"{len(text)} characters are saved."

        written = " ".join(page(number) for number in range(12))
        script = _script([Call("save", {"text": written}, "call-s")], [_fetch(0)])
        trace = self.driver.run(replace(script, tools=(*script.tools, save)), bank=_bank("always"))
        _assert_paired(trace)
        assert trace.answer == "All log books are read."
        assert max(map(_tokens, trace.requests)) <= _BUDGET

    # --- when memory fails ------------------------------------------------------------------------------------------

    def _assert_intact(self, trace: Trace) -> None:
        _assert_paired(trace)
        assert len(trace.requests) == 21
        assert trace.answer == "All log books are read."
        assert max(map(_tokens, trace.requests)) <= _BUDGET

    def test_a_closed_bank_leaves_the_run_intact(self) -> None:
        bank = _bank("always")
        bank.close()
        self._assert_intact(self.driver.run(long_task(), bank=bank))

    def test_a_store_that_fails_leaves_the_run_intact(self) -> None:
        store = _BreakableStore()
        bank = _bank("missing", store=store)
        store.broken = True
        self._assert_intact(self.driver.run(long_task(), bank=bank))
        assert not bank.snapshot().results

    # --- whose a bank is --------------------------------------------------------------------------------------------

    @pytest.mark.parametrize("asked", ["Which lamps are lit at night?", task()])
    def test_two_users_on_one_bank_are_refused_before_anything_is_sent(self, asked: str) -> None:
        bank = _bank("missing")
        self.driver.run(_script([_fetch(0)]), bank=bank)
        before = bank.snapshot()
        stranger = replace(_script([_fetch(1)]), task=asked, user="bob")
        with pytest.raises(Exception, match="holds the memory of another"):
            self.driver.run(stranger, bank=bank)
        assert bank.snapshot() == before, "nothing was sent, which would be on record, and nothing taken in"

    def test_the_same_user_may_go_on(self) -> None:
        bank = _bank("missing")
        second = replace(_script([_fetch(1)]), task="And which lamps are lit at night?")
        trace = self.driver.go_on(_script([_fetch(0)]), second, bank=bank)
        assert trace.answer == "All log books are read."
        assert [entry.text for entry in bank.snapshot().results] == [page(0), page(1)]

    # --- side by side, and off again --------------------------------------------------------------------------------

    def test_two_agents_with_two_banks_at_once_never_mix(self) -> None:
        banks = [_bank("always"), _bank("always")]
        scripts = [_script(*([_fetch(2 * turn + odd)] for turn in range(4))) for odd in range(2)]
        with ThreadPoolExecutor(2) as pool:
            traces = list(pool.map(lambda script, bank: self.driver.run(script, bank=bank), scripts, banks))
        for odd, (trace, bank) in enumerate(zip(traces, banks, strict=True)):
            assert [entry.text for entry in bank.snapshot().results] == [page(2 * turn + odd) for turn in range(4)]
            others = [fact(2 * turn + 1 - odd) for turn in range(4)]
            assert not [text for text in others if any(text in request.text for request in trace.requests)]

    def test_after_detaching_the_framework_is_as_it_was(self) -> None:
        first, second = _script([_fetch(0)], [_fetch(1)]), _script([_fetch(2)])
        without = self.driver.run_after_detaching(first, second, bank=None)
        after = self.driver.run_after_detaching(first, second, bank=_bank("always"))
        assert json.dumps([r.tools for r in after.requests]) == json.dumps([r.tools for r in without.requests])
        assert after == without
