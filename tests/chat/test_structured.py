"""Structured answers: the strictest format an endpoint understands, one repair, never a torn answer."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from amb_chat import OpenAIChatModel, ScriptedChatModel, StructuredChat, UsageMeter
from amb_chat.retries import RetryPolicy
from amb_chat.structured_chat import answer_schema
from amb_core.errors import InvalidParameter, ModelRefused

Short = Annotated[str, Field(max_length=40)]
ASKED = ({"role": "system", "content": "You judge."}, {"role": "user", "content": "18 or 12?"})


class Verdict(BaseModel):
    value: Annotated[int, Field(ge=0, le=100)]
    reason: Short


GOOD = '{"value": 18, "reason": "两个来源一致"}'


def ask(structured: StructuredChat, **options: Any) -> Verdict:
    return structured.ask(ASKED, Verdict, purpose="test", **options)


@pytest.mark.parametrize(
    ("refused", "learnt"),
    [(set(), "json_schema"), ({"json_schema"}, "json_object"), ({"json_schema", "json_object"}, "text")],
)
def test_what_an_endpoint_refuses_is_asked_of_it_once(server: Any, answer: Any, refused: set[str], learnt: str) -> None:
    pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
    server.refused_formats = refused
    server.answers.extend([answer(text=GOOD), answer(text=GOOD)])
    meter = UsageMeter()
    chat = OpenAIChatModel("small", base_url=server.url, retries=RetryPolicy(attempts=1))
    structured = StructuredChat(chat, meter=meter)
    assert [ask(structured).value, ask(structured).value] == [18, 18]
    assert structured.answer_format == learnt
    total = meter.total
    assert (total.calls, total.calls + total.failed_calls) == (2, len(server.requests))
    assert len(server.requests) == 2 + len(refused)


def test_a_request_refused_for_another_reason_changes_no_format() -> None:
    structured = StructuredChat(ScriptedChatModel(lambda _: ModelRefused("bad key")))
    with pytest.raises(ModelRefused):
        ask(structured)
    assert structured.answer_format == "json_schema"


def test_schemas_are_closed_and_bounded() -> None:
    class Inner(BaseModel):
        name: Short | None = None

    class Outer(BaseModel):
        parts: Annotated[list[Inner], Field(max_length=3)] = []

    schema = answer_schema(Outer)
    assert "$ref" not in json.dumps(schema)
    assert schema["required"] == ["parts"]
    assert schema["properties"]["parts"]["items"]["required"] == ["name"]
    assert schema["properties"]["parts"]["items"]["additionalProperties"] is False


class OpenMap(BaseModel):
    found: dict[str, Short]


class LongText(BaseModel):
    text: str


class LongList(BaseModel):
    items: list[int]


@pytest.mark.parametrize("shape", [OpenMap, LongText, LongList])
def test_a_shape_in_which_a_model_may_lose_its_way_is_refused(shape: type[BaseModel]) -> None:
    with pytest.raises(InvalidParameter):
        answer_schema(shape)
