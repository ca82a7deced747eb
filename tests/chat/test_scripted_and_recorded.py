"""Chat models without an endpoint: scripted ones, and ones that replay a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from amb_chat import RecordingChatModel, ScriptedChatModel
from amb_contracts.chat_model import ChatModelContract
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.errors import InvalidInput, ModelRefused, UnreadableSource


def asked(text: str) -> ChatRequest:
    return ChatRequest(messages=({"role": "user", "content": text},))


class TestScriptedChatModel(ChatModelContract):
    @pytest.fixture
    def chat(self) -> ScriptedChatModel:
        return ScriptedChatModel(lambda request: "It is noon.")


class TestRecordingChatModel(ChatModelContract):
    @pytest.fixture
    def chat(self, tmp_path: Path) -> RecordingChatModel:
        return RecordingChatModel(tmp_path / "calls.jsonl", chat=ScriptedChatModel(lambda request: "noon"))


def test_a_record_is_replayed_as_it_was(tmp_path: Path) -> None:
    call = ChatReply(text="", tool_calls=(ToolCall("c1", "search", "{}"),), finish_reason="tool_calls")
    script = ["一\u2028二\x85三\f四", call, "three"]  # str.splitlines takes these for ends of lines
    recording = RecordingChatModel(tmp_path / "calls.jsonl", chat=ScriptedChatModel(script))
    told = [recording.complete(asked(text)) for text in ("你好", "b", "你好")]
    replayed = RecordingChatModel(tmp_path / "calls.jsonl")
    assert replayed.model == "scripted"
    assert replayed.complete(asked("b")) == told[1]
    assert [replayed.complete(asked("你好")) for _ in range(2)] == [told[0], told[2]]


def test_a_changed_request_fails_with_the_difference(tmp_path: Path) -> None:
    RecordingChatModel(tmp_path / "r.jsonl", chat=ScriptedChatModel(["x"])).complete(asked("the old words"))
    with pytest.raises(ModelRefused, match="record it anew") as caught:
        RecordingChatModel(tmp_path / "r.jsonl").complete(asked("the new words"))
    assert "-" in str(caught.value)
    assert "the old words" in str(caught.value)
    assert "the new words" in str(caught.value)


def test_a_record_that_has_been_used_up_says_so(tmp_path: Path) -> None:
    RecordingChatModel(tmp_path / "r.jsonl", chat=ScriptedChatModel(["x"])).complete(asked("a"))
    replayed = RecordingChatModel(tmp_path / "r.jsonl")
    replayed.complete(asked("a"))
    with pytest.raises(ModelRefused, match="no further answer"):
        replayed.complete(asked("a"))


def test_an_existing_record_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("")
    with pytest.raises(InvalidInput, match="delete it"):
        RecordingChatModel(tmp_path / "r.jsonl", chat=ScriptedChatModel([]))


@pytest.mark.parametrize("content", ["no json", '{"a": 1}', "[]"])
def test_what_is_no_record_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "r.jsonl").write_text(content)
    with pytest.raises(UnreadableSource):
        RecordingChatModel(tmp_path / "r.jsonl")
