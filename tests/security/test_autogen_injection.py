"""Hostile tool outputs through AutoGen: the agent's request keeps its messages, and the block its structure."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("autogen_core", reason="AutoGen is not installed: make test-frameworks")
from autogen_core import FunctionCall
from autogen_core.models import (
    AssistantMessage,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    LLMMessage,
    UserMessage,
)

from amb_autogen import AMBContext

pytestmark = pytest.mark.autogen
HERE = Path(__file__).parent
READER = SimpleNamespace(**runpy.run_path(str(HERE / "obedience.py")))
STORY = SimpleNamespace(**runpy.run_path(str(HERE / "story.py")))
CASES = [pytest.param("zh" if name.startswith("zh-") else "en", text, id=name) for name, _, _, text in STORY.ATTACKS]


async def request(language: str, outputs: list[str]) -> list[LLMMessage]:
    """What the model gets after tool calls with these outputs."""
    with STORY.begun(language, prompt_budget_tokens=1_100, block_tokens=500, keep_last=1) as bank:
        context = AMBContext(bank, agent="reader")
        await context.add_message(UserMessage(content="Go on.", source="user"))
        for number, output in enumerate(outputs):
            call = FunctionCall(id=f"c{number}", name="read", arguments="{}")
            await context.add_message(AssistantMessage(content=[call], source="reader"))
            result = FunctionExecutionResult(call_id=f"c{number}", name="read", content=output, is_error=False)
            await context.add_message(FunctionExecutionResultMessage(content=[result]))
        return await context.get_messages()


@pytest.mark.parametrize(("language", "text"), CASES)
async def test_a_request_after_a_hostile_result_has_the_same_messages_and_one_clean_block(
    language: str, text: str
) -> None:
    filler = [" ".join(f"{word}{number}" for word in ("tide", "quay", "rope") * 60) for number in range(3)]
    made = await request(language, [STORY.framed(text, language), *filler])
    harmless = await request(language, [" ".join(STORY.FRAME[language]), *filler])
    assert [message.type for message in made] == [message.type for message in harmless]
    assert READER.orders(str(made[-1].content)) == []
    ours = [m.content for m in made[:-1] if isinstance(m, UserMessage) and m.source == "amb"]
    assert not [content for content in ours if READER.structure(str(content))]
