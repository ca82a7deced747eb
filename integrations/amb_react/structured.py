"""One JSON object as a whole turn: thought, action, and what the newest results say, which goes into memory at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from amb_agents.prompted.shapes import StatementShape
from amb_chat.structured_chat import StructuredChat
from amb_core import ToolResult
from amb_core.agent_io import ReadingRequest
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.models import EXTRACTION
from amb_core.usage import Ledger, accounting
from amb_react.protocol import Message, Move, as_text
from amb_readers.prompted_reader import borne_out

__all__ = ["TurnShape", "as_objects", "ask_turn", "extractions", "turn_of"]


class TurnShape(BaseModel):
    """What a model answers: a call or an answer, and beside it what it read in the newest results."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    thought: Annotated[str, Field(max_length=2_000)] = ""
    extracted: Annotated[list[StatementShape], Field(max_length=8)] = []
    tool: Annotated[str, Field(max_length=200)] = ""
    arguments: Annotated[str, Field(max_length=8_000)] = ""
    answer: Annotated[str, Field(max_length=16_000)] = ""

    @field_validator("arguments", mode="before")
    @classmethod
    def _as_text(cls, given: Any) -> Any:
        """Arguments as their JSON; a model may write the object itself."""
        return json.dumps(given, ensure_ascii=False) if isinstance(given, Mapping) else given

    def problem(self) -> str | None:
        """What is wrong with a turn that does nothing, or two things at once."""
        if bool(self.tool.strip()) == bool(self.answer.strip()):
            return "give either `tool` with its `arguments`, or `answer`"
        return None


def ask_turn(chat: StructuredChat, request: ChatRequest) -> ChatReply:
    """A turn as a reply with its JSON for text, repaired once; ModelAnswerInvalid where that does not help."""
    with accounting(Ledger()) as spent:
        said = chat.ask(
            request.messages,
            TurnShape,
            purpose=request.purpose,
            temperature=request.temperature,
            max_output_tokens=request.max_output_tokens,
            check=TurnShape.problem,
        )
    return ChatReply(said.model_dump_json(), usage=spent.total)


def turn_of(reply: ChatReply) -> Move:
    """The move that a turn makes."""
    said = TurnShape.model_validate_json(reply.text)
    if said.answer.strip():
        return Move(answer=said.answer.strip(), tagged=True, extracted=tuple(said.extracted))
    call = ToolCall("", said.tool.strip(), said.arguments or "{}")
    return Move(thought=said.thought, calls=(call,), tagged=True, extracted=tuple(said.extracted))


def as_objects(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """The messages of a transcript, each call as the object it was made with."""
    return as_text(messages, calls=_object)


def _object(thought: str, calls: Sequence[tuple[str, str]]) -> str:
    told = [{"thought": thought, "extracted": [], "tool": name, "arguments": given} for name, given in calls]
    return "\n".join(json.dumps({**each, "answer": ""}, ensure_ascii=False) for each in told)


def extractions(said: Sequence[StatementShape], results: Sequence[ToolResult]) -> list[ToolResult]:
    """What of statements the results bear out, by the check of the Reader: a line for each, with its words and source.

    A statement is of the newest result that bears it out; the others are left out.
    """
    found: dict[str, ToolResult] = {}
    for result in reversed(results):
        for each in borne_out(said, ReadingRequest(text=result.output)):
            line = f"{each.subject} · {each.attribute}: {each.value}{f' ({each.time})' if each.time else ''}"
            if each.modality != "said" or each.polarity != "affirmed":
                line += f" [{each.modality if each.modality != 'said' else each.polarity}]"
            given = ", ".join(f"{name}={value!r}" for name, value in result.arguments.items())
            found.setdefault(
                line,
                ToolResult(
                    tool=EXTRACTION,
                    arguments={"quote": each.text},
                    output=f"{line} — “{' '.join(each.text.split())}”",
                    source=result.source or f"{result.tool}({given})",
                    run=result.run,
                ),
            )
    return list(found.values())
