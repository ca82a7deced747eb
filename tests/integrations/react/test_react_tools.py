"""What may be given to the agent as a tool, and what becomes of its files and its spans."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from amb_chat import ScriptedChatModel
from amb_core import Attachment, AttachmentType, MemoryBank, Tool
from amb_core.attachments import AttachmentContent
from amb_core.chat_io import ChatReply, ToolCall
from amb_react import ReActAgent, ReActRun

FACT = "The tower of Birkdale is 44 metres high."
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank("How high is the tower of Birkdale?") as opened:
        yield opened


def run(bank: MemoryBank, tool: Any, name: str = "look", **arguments: Any) -> tuple[ReActRun, ScriptedChatModel]:
    call = ChatReply("", (ToolCall("", name, json.dumps(arguments)),), "tool_calls")
    chat = ScriptedChatModel([call, "Done.", "44 [n1]"])
    return ReActAgent(bank, chat, [tool]).run(), chat


def result(chat: ScriptedChatModel) -> str:
    return next(str(message["content"]) for message in chat.requests[1].messages if message["role"] == "tool")


@dataclass
class Rich:
    """A tool as amb_tools has them: `run` gives more than its call."""

    text: str
    source: str | None = None
    attachments: tuple[Attachment, ...] = ()
    contents: tuple[AttachmentContent, ...] = ()
    is_error: bool = False
    name: str = "look"
    description: str = "Look."
    parameters: Any = None

    def __post_init__(self) -> None:
        self.parameters = {"type": "object", "properties": {}}

    def run(self) -> Rich:
        return self

    def __call__(self) -> str:
        return self.text


@pytest.mark.parametrize(("value", "shown"), [
    ({"height": 44, "单位": "米"}, '{"height": 44, "单位": "米"}'),
    (None, "(no output)"),
    ("", "(no output)"),
    (44, "44"),
])  # fmt: skip
def test_what_is_no_text_is_shown_as_json(bank: MemoryBank, value: object, shown: str) -> None:
    def look() -> object:
        """Look."""
        return value

    assert result(run(bank, look)[1]) == shown


def test_source_and_files_of_a_rich_result_are_kept(bank: MemoryBank, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("The whole page.", encoding="utf-8")
    page = Attachment(id="p", type=AttachmentType.DOCUMENT, content=str(file))
    done, _ = run(bank, Rich(FACT, source="https://tower.example", attachments=(page,)))
    assert done.sources["n1"].source == "https://tower.example"
    (entry,) = bank.host.deep_retrieval("n1")
    assert [content.file_content for content in entry.attachments] == ["The whole page."]


def test_an_image_a_tool_opens_is_shown_in_the_next_request_only(bank: MemoryBank) -> None:
    image = AttachmentContent(
        id="a1",
        type=AttachmentType.IMAGE,
        content="x.png",
        media_type="image/png",
        file_content=PIXEL,
        encoding="base64",
    )
    _, chat = run(bank, Rich(FACT, contents=(image,)))
    shown = [f"base64,{PIXEL}" in str(request.messages) for request in chat.requests]
    assert shown == [False, True, False]


def test_a_deep_retrieval_of_ones_own_takes_the_place_of_ours(bank: MemoryBank) -> None:
    mine = Tool("deep_retrieval", "Mine.", {"type": "object", "properties": {}}, lambda: FACT)
    _, chat = run(bank, mine, "deep_retrieval")
    assert [tool["function"]["description"] for tool in chat.requests[0].tools] == ["Mine."]
    assert FACT not in [entry.text for entry in bank.snapshot().results]


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    if not isinstance(trace.get_tracer_provider(), TracerProvider):
        trace.set_tracer_provider(TracerProvider())
    provider = trace.get_tracer_provider()
    assert isinstance(provider, TracerProvider)
    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()
