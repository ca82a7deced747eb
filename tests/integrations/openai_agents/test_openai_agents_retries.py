"""A run that ended without an answer is begun again, and one that is still at work by nobody else."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from amb_core import MemoryBank, ScopeMixed

pytest.importorskip("agents.run", reason="the OpenAI Agents SDK is not installed: make test-frameworks")
pytestmark = pytest.mark.openai_agents

from agents import (  # noqa: E402
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    Usage,
    function_tool,
    set_trace_processors,
)
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText  # noqa: E402

from amb_openai_agents import attach, run_options  # noqa: E402

QUESTION = "Which lamp is on line 2?"


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Python collects no garbage meanwhile, which would end what a failed run has left, and is not asked to."""
    asked: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        asked.append(phase)

    set_trace_processors([])  # traces go nowhere
    gc.disable()
    gc.callbacks.append(note)
    yield
    gc.callbacks.remove(note)
    gc.enable()
    assert not asked


class Broken(Model):
    """Looks, then answers, unless it is `broken`; `entered` is set while it waits for ever."""

    def __init__(self, broken: str) -> None:
        self.broken, self.calls, self.entered = broken, 0, asyncio.Event()

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **asked: Any) -> ModelResponse:
        self.calls += 1
        if len(input) > 1 and self.broken == "model":
            raise RuntimeError("the model is gone")
        if len(input) > 1 and self.broken == "waits":
            self.entered.set()
            await asyncio.sleep(30)
        if len(input) == 1 or self.broken == "turns":
            call: Any = ResponseFunctionToolCall(
                call_id=f"c{self.calls}", name="look", arguments="{}", type="function_call"
            )
        else:
            text = ResponseOutputText(text="The red one.", type="output_text", annotations=[])
            call = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[call], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **asked: Any) -> Any:
        raise AssertionError("nobody streams here")


def agent_of(model: Model) -> Agent[Any]:
    @function_tool(failure_error_function=None)
    def look() -> str:
        """Look at the lamps."""
        if getattr(model, "broken", "") == "tool":
            raise ValueError("it is dark")
        return "A red lamp."

    return Agent(name="keeper", model=model, tools=[look])


@pytest.mark.parametrize("attached", [True, False])
@pytest.mark.parametrize("broken", ["model", "tool", "turns", "waits"])
@pytest.mark.parametrize("traced", [True, False])
async def test_a_run_that_failed_is_begun_again(broken: str, attached: bool, traced: bool) -> None:
    model, bank = Broken(broken), MemoryBank(QUESTION)
    agent = agent_of(model)
    config: Any = RunConfig(tracing_disabled=not traced, trace_include_sensitive_data=False)
    if attached:
        attach(agent, bank)
        options: dict[str, Any] = {"run_config": config}
    else:
        options = run_options(bank, run_config=config)
    with pytest.raises(Exception):  # noqa: B017, PT011 - each way of failing has an error of its own
        await asyncio.wait_for(Runner.run(agent, QUESTION, max_turns=3, **options), 1)
    model.broken = ""
    assert (await Runner.run(agent, QUESTION, **options)).final_output == "The red one."
    with pytest.raises(ScopeMixed):  # it has its answer now
        await Runner.run(agent, QUESTION, **options)


async def test_the_same_question_of_somebody_else_is_refused_while_a_run_is_at_work() -> None:
    model = Broken("waits")
    agent = agent_of(model)
    attach(agent, MemoryBank(QUESTION))
    first = asyncio.create_task(Runner.run(agent, QUESTION))
    await model.entered.wait()
    with pytest.raises(ScopeMixed):
        await Runner.run(agent, QUESTION)
    first.cancel()
