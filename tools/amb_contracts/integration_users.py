"""The integration contract about users: whose a memory is, what is asked next, what a restart keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from amb_contracts.integration_story import AgentDriver, Scenario, fact, page, read_pages, task
from amb_core import LongTermMemory
from amb_core.adapter import TokenCounter
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.scope import Scope
from amb_core.settings import Settings

__all__ = ["UsersContract"]

_SETTINGS = Settings(prompt_budget_tokens=8_000)
_KNOWN = "Heights of waves always in metres."
_NEXT = "Now tell me which ferry leaves Thurso first on a winter morning?"


def _reads(*numbers: int, user: str = "ann", asked: str = "") -> Scenario:
    return replace(read_pages(*numbers), user=user, task=asked or task())


def _more_tools(count: int) -> tuple[Callable[..., Any], ...]:
    def made(number: int) -> Callable[..., str]:
        def gauge(number: int) -> str:
            """Read a gauge of a lighthouse, such as its lamp, its bell or its barometer.

            Args:
                number: Which lighthouse, from 0.
            """
            return f"Gauge {number} is at rest."

        gauge.__name__ = gauge.__qualname__ = f"gauge_{number}"
        return gauge

    return tuple(made(number) for number in range(count))


class UsersContract:
    """What every integration promises about users, threads, restarts and questions that change."""

    driver: ClassVar[AgentDriver]

    def test_two_users_with_two_threads_each_never_see_one_another(self, tmp_path: Path) -> None:
        users = [f"{user}-{thread}" for user in ("ann", "ben") for thread in (1, 2)]
        banks = [MemoryBank(task(), store=f"sqlite:///{tmp_path}/{user}.db", settings=_SETTINGS) for user in users]
        for number, (user, bank) in enumerate(zip(users, banks, strict=True)):
            trace = self.driver.run(_reads(number, user=user), bank=bank)
            others = [fact(other) for other in range(4) if other != number]
            assert not [text for text in others for request in trace.requests if text in request.text]
        for number, bank in enumerate(banks):
            assert [entry.text for entry in bank.snapshot().results] == [page(number)]
            bank.close()

    def test_what_was_found_is_told_after_a_restart(self, tmp_path: Path) -> None:
        store, settings = f"sqlite:///{tmp_path}/task.db", Settings(prompt_budget_tokens=8_000, inject="always")
        with MemoryBank(task(), store=store, settings=settings) as bank:
            self.driver.run(_reads(0), bank=bank)
        with MemoryBank.resume(store, settings=settings) as again:
            trace = self.driver.run(_reads(1), bank=again)
            assert [entry.text for entry in again.snapshot().results] == [page(0), page(1)]
        assert fact(0) in trace.requests[0].text

    def test_what_is_known_of_the_user_stands_once_in_each_request(self) -> None:
        """Whole, from long-term memory, also after results have left the request; nobody else's does."""
        if not getattr(self.driver, "takes_options", True):
            pytest.skip("this driver gives a memory no options")
        with LongTermMemory(clock=ManualClock(1e9, step=1)) as memories:
            memories.write(_KNOWN, namespace="user_profile/ann", metadata={"type": "user-profile", "source": "user"})
            memories.write("Heights in fathoms, please.", namespace="user_profile/ben")
            bank = MemoryBank(task(), settings=_SETTINGS)
            scenario = replace(_reads(*range(6)), options={"memories": memories, "scope": Scope(user="ann")})
            trace = self.driver.run(scenario, bank=bank)
        assert trace.answer == "All log books are read."
        assert [request.text.count(_KNOWN) for request in trace.requests] == [1] * len(trace.requests)
        assert not any("fathoms" in request.text for request in trace.requests)
        assert max(sum(map(TokenCounter().message, request.messages)) for request in trace.requests) <= 8_000

    def test_a_new_question_is_the_goal_and_the_one_before_is_kept(self) -> None:
        bank = MemoryBank(task(), settings=_SETTINGS)
        trace = self.driver.go_on(_reads(0), _reads(1, asked=_NEXT), bank=bank)
        assert trace.answer == "All log books are read."
        if getattr(self.driver, "follows_talk", True):
            assert bank.insight.task_goal == _NEXT
            assert [doc.task_goal for doc in bank.insight.earlier] == [task()]
        else:
            assert bank.insight.task_goal == task()

    def test_forty_tools_leave_room_for_what_is_read(self) -> None:
        """Some frameworks write them into the prompt, where they take 5,000 tokens."""
        bank = MemoryBank(task(), settings=Settings(prompt_budget_tokens=16_000))
        scenario = _reads(0, 1, 2)
        trace = self.driver.run(replace(scenario, tools=(*scenario.tools, *_more_tools(35))), bank=bank)
        assert trace.answer == "All log books are read."
        for number, request in enumerate(trace.requests[1:]):
            assert fact(number) in request.text
        assert max(sum(map(TokenCounter().message, request.messages)) for request in trace.requests) <= 16_000
