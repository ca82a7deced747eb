"""What memory says to a request, and what it is asked for that."""

from __future__ import annotations

from dataclasses import replace

from amb_agents import local_agents
from amb_core import MemoryBank, Settings, StepResult, ToolResult
from amb_core.adapter import ContextAdapter
from amb_core.agent_io import PlanningAnswer, PlanningRequest


class _CountedPlanner:
    """The local planning agent, counted."""

    def __init__(self) -> None:
        self.asked, self._local = 0, local_agents(Settings()).planning

    def plan(self, request: PlanningRequest) -> PlanningAnswer:
        self.asked += 1
        return self._local.plan(request)


def test_a_plan_is_made_anew_only_where_it_may_say_more_than_the_goal() -> None:
    planner = _CountedPlanner()
    with MemoryBank("Find the port", agents=replace(local_agents(Settings()), planning=planner)) as bank:
        adapter = ContextAdapter(bank, inject="missing")
        for number in range(3):
            adapter.absorb([ToolResult(tool="read", output=f"Note {number} says port {8000 + number}.")])
            adapter.prepare([{"role": "user", "content": "Find the port"}])
        assert planner.asked == 1
        bank.host.finish_step(StepResult(text="Done."))
        before = planner.asked
        adapter.absorb([ToolResult(tool="read", output="The last note says port 9000.")])
        adapter.prepare([{"role": "user", "content": "Find the port"}])
        assert planner.asked == before + 1
