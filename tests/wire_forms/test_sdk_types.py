"""What is written back is what the providers' own SDKs take; needs openai, anthropic and google-genai (any of them)."""

from __future__ import annotations

import os
import runpy
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.adapter.wire_forms import detect_form

GENERATED = runpy.run_path(str(Path(__file__).with_name("transcripts.py")))
story, WRITERS = itemgetter("story", "WRITERS")(GENERATED)
NUMBERS = range(0, 1_000, 20 if os.environ.get("DEEP") else 125)
SETTINGS = Settings(block_tokens=300, prompt_budget_tokens=2_400, max_raw_tokens=300, strict=True)


def _prepare(items: list[Any]) -> list[Any]:
    with MemoryBank("Which town has a reactor?", settings=SETTINGS) as bank:
        return ContextAdapter(bank).prepare(items)


def _type(module: str, name: str) -> Any:
    pydantic = pytest.importorskip("pydantic")
    return pydantic.TypeAdapter(list[getattr(pytest.importorskip(module), name)])  # type: ignore[misc]


def _walk(value: Any) -> None:
    """Look at everything: pydantic checks what a type calls Iterable only when it is asked for."""
    if isinstance(value, dict):
        value = value.values()
    if not isinstance(value, str | bytes) and hasattr(value, "__iter__"):
        for one in value:
            _walk(one)


@pytest.mark.slow
@pytest.mark.parametrize(("form", "module", "name"), [
    ("openai-chat", "openai.types.chat", "ChatCompletionMessageParam"),
    ("openai-responses", "openai.types.responses", "ResponseInputItemParam"),
    ("anthropic", "anthropic.types.beta", "BetaMessageParam"),
    ("gemini", "google.genai.types", "Content"),
])  # fmt: skip
def test_the_sdk_of_the_provider_takes_what_is_written_back(form: str, module: str, name: str) -> None:
    check = _type(module, name)
    for number in NUMBERS:
        items = WRITERS[form](story(number))
        _walk(check.validate_python(items))
        _walk(check.validate_python(_prepare(items)))


def test_objects_of_anthropic_come_back_as_the_same_objects() -> None:
    types = pytest.importorskip("anthropic.types")
    block = types.ToolUseBlock(type="tool_use", id="t1", name="look", input={"at": 1})
    thought = types.ThinkingBlock(type="thinking", thinking="Hm.", signature="EqMB")
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "Oakmere."}
    items = [{"role": "user", "content": "?"}, {"role": "assistant", "content": [thought, block]}]
    request = _prepare([*items, {"role": "user", "content": [result]}])
    assert request[1] is items[1]
    assert request[2]["content"][0] is result


def test_objects_of_openai_come_back_as_the_same_objects() -> None:
    types = pytest.importorskip("openai.types.responses")
    call = types.ResponseFunctionToolCall(type="function_call", call_id="c1", name="look", arguments="{}")
    reasoning = types.ResponseReasoningItem(type="reasoning", id="rs_1", summary=[], encrypted_content="gA")
    items = [{"role": "user", "content": "?"}, reasoning, call]
    request = _prepare([*items, {"type": "function_call_output", "call_id": "c1", "output": "Oakmere. " * 2_000}])
    assert all(one is other for one, other in zip(request, items, strict=False))
    assert len(request[3]["output"]) < 4_000


def test_objects_of_gemini_stay_objects_where_their_text_is_shortened_and_the_block_joined() -> None:
    types = pytest.importorskip("google.genai.types")
    call = types.Part(function_call=types.FunctionCall(name="look", args={"at": 1}), thought_signature=b"\x01\xff")
    answer = types.Part.from_function_response(name="look", response={"output": "Oakmere. " * 2_000})
    items = [types.Content(role="user", parts=[types.Part(text="?")]), types.Content(role="model", parts=[call])]
    items.append(types.Content(role="user", parts=[answer]))
    request = _prepare(items)
    assert detect_form(request).name == "gemini"
    assert request[1] is items[1]
    assert all(isinstance(part, types.Part) for part in request[2].parts)
    assert len(request[2].parts[0].function_response.response["output"]) < 4_000
    assert request[2].model_dump_json(exclude_none=True)
