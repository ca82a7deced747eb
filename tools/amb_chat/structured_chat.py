"""An answer of a given shape from any chat model: the strictest format its endpoint understands, and one repair.

Strict endpoints want every property required, no property beyond them, and no defaults. Every text and every list has
a bound, because a model that has lost its way otherwise writes on until the limit tears the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from amb_chat.replies import encodable
from amb_chat.retries import Rest
from amb_chat.usage_meter import UsageMeter, metered
from amb_core.call_lock import CallLock
from amb_core.chat_io import AnswerFormat, ChatReply, ChatRequest
from amb_core.errors import InvalidParameter, ModelAnswerInvalid, ModelRefused
from amb_core.protocols import ChatModel

__all__ = ["StructuredChat", "answer_schema"]

_Shape = TypeVar("_Shape", bound=BaseModel)
_FORMATS: tuple[AnswerFormat, ...] = ("json_schema", "json_object", "text")
_MORE_OUTPUT = 2
"""How many times the asked-for output a torn answer is given anew: a small model may have lost its way."""
_FOR_THOUGHT = 8_192
"""Tokens it is given at least when nothing of the answer was there yet: a model that thinks has only thought."""
_SHOWN = 1_500
"""Characters of an unusable answer that are shown to the model again."""
_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)


class StructuredChat:
    """Asks one chat model for answers of given shapes; what its endpoint understands is learnt once and remembered.

    `meter` is told the purpose and the cost of every call, of failed ones too, and may allow no more. `rest` says when
    an endpoint that is down is left alone.
    """

    def __init__(self, chat: ChatModel, *, meter: UsageMeter | None = None, rest: Rest | None = None) -> None:
        self.chat = metered(chat, meter=meter)
        self._rest = rest or Rest()
        self._lock = CallLock()
        self._format = 0

    @property
    def answer_format(self) -> AnswerFormat:
        """The strictest format the endpoint has not refused so far."""
        return _FORMATS[self._format]

    def ask(
        self,
        messages: Sequence[Mapping[str, Any]],
        shape: type[_Shape],
        *,
        purpose: str,
        max_output_tokens: int = 2_048,
        temperature: float | None = 0.0,
        check: Callable[[_Shape], str | None] = lambda value: None,
        heard: Callable[[ChatReply], object] | None = None,
    ) -> _Shape:
        """An answer of that shape; `check` may say in words what else is wrong with one.

        `heard` is told the reply that was read, with the probabilities of its tokens where the endpoint gives them.

        An answer that cannot be read is sent back once with what is wrong; one that was torn off gets more room
        instead. ModelAnswerInvalid when that does not help; ModelUnavailable and ModelRefused as `complete` raises
        them.
        """
        request = ChatRequest(
            messages=tuple(messages),
            schema=answer_schema(shape),
            schema_name=shape.__name__,
            temperature=temperature,
            max_output_tokens=max_output_tokens,
            purpose=purpose,
            logprobs=heard is not None,
        )
        reply = self._complete(request)
        value, problem = _read(reply, shape, check)
        if value is None:
            reply = self._complete(_again(request, reply, problem))
            value, problem = _read(reply, shape, check)
        if value is not None and heard is not None:
            heard(reply)
        if value is None:
            raise ModelAnswerInvalid(f"the answer for {purpose} cannot be used, also after a repair: {problem}")
        return value

    def _complete(self, request: ChatRequest) -> ChatReply:
        """One answer in the strictest format the endpoint does not refuse, which is tried first from then on."""
        refused: ModelRefused | None = None
        for at in range(self._format, len(_FORMATS)):
            try:
                with self._rest.call():
                    reply = self.chat.complete(_in_format(request, _FORMATS[at]))
            except ModelRefused as error:
                if not error.malformed:
                    raise
                refused = refused or error
                continue
            with self._lock:
                self._format = max(self._format, at)
            return reply
        assert refused is not None
        raise refused


def _in_format(request: ChatRequest, answer_format: AnswerFormat) -> ChatRequest:
    """The request in a format; where the endpoint does not hold the answer to the schema, the prompt asks for it."""
    if answer_format == "json_schema":
        return replace(request, answer_format=answer_format)
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    asked = {
        "role": "system",
        "content": f"Answer with one JSON object of this JSON schema and nothing else:\n{schema}",
    }
    first, *others = request.messages
    messages = (first, asked, *others) if first.get("role") == "system" else (asked, first, *others)
    return replace(request, messages=messages, answer_format=answer_format)


def _read(reply: ChatReply, shape: type[_Shape], check: Callable[[_Shape], str | None]) -> tuple[_Shape | None, str]:
    """The value in a reply, or what is wrong with it."""
    if reply.finish_reason == "length":
        return None, "it was cut off at the output limit"
    try:
        value = shape.model_validate_json(_json_in(reply.text))
    except ValidationError as error:
        return None, _problems(error)
    problem = check(value)
    return (value, "") if problem is None else (None, problem)


def _json_in(text: str) -> str:
    """The JSON object in an answer, without thoughts, fences and words around it."""
    bare = _THOUGHT.sub("", text).strip()
    fenced = _FENCE.search(bare)
    if fenced:
        bare = fenced[1].strip()
    start, end = bare.find("{"), bare.rfind("}")
    found = bare[start : end + 1] if 0 <= start < end else bare
    if "\\ud" in found.lower():  # perhaps half a character, which pydantic takes for no JSON at all
        with suppress(ValueError, RecursionError):
            return json.dumps(encodable(json.loads(found)))
    return found


def _problems(error: ValidationError) -> str:
    """The first few things wrong, without repeating the answer."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[:3]
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the answer'}: {one['msg']}" for one in found)


def _again(request: ChatRequest, reply: ChatReply, problem: str) -> ChatRequest:
    """The second request: with more room for a torn answer, with what was wrong for any other."""
    if reply.finish_reason == "length":
        thought = 0 if reply.text.strip() else _FOR_THOUGHT
        return replace(request, max_output_tokens=max(request.max_output_tokens * _MORE_OUTPUT, thought))
    repair = (
        {"role": "assistant", "content": reply.text[:_SHOWN]},
        {"role": "user", "content": f"That cannot be used: {problem}. Answer again, with the JSON object only."},
    )
    return replace(request, messages=(*request.messages, *repair))


_DROPPED = frozenset({"title", "default", "description"})


def answer_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of an answer, with references resolved; InvalidParameter for an open map or an unbounded part."""
    raw = model.model_json_schema()
    found = _closed(raw, raw.get("$defs", {}), model.__name__)
    assert isinstance(found, dict)
    return found


def _closed(part: Any, definitions: Mapping[str, Any], where: str) -> Any:
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _closed(definitions[part["$ref"].rpartition("/")[2]], definitions, where)
    kept = {key: value for key, value in part.items() if key not in _DROPPED and key != "$defs"}
    kind = kept.get("type")
    if kind == "object":
        if "properties" not in kept or kept.get("additionalProperties"):
            raise InvalidParameter(f"{where} is an open map; name its fields")
        properties = {name: _closed(one, definitions, f"{where}.{name}") for name, one in kept["properties"].items()}
        return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    if kind == "array":
        if "maxItems" not in kept:
            raise InvalidParameter(f"{where} is a list without a bound; give it max_length")
        return {**kept, "items": _closed(kept["items"], definitions, f"{where}[]")}
    if kind == "string" and "enum" not in kept and "const" not in kept and "maxLength" not in kept:
        raise InvalidParameter(f"{where} is a text without a bound; give it max_length")
    for key in ("anyOf", "allOf", "oneOf"):
        if key in kept:
            kept[key] = [_closed(one, definitions, where) for one in kept[key]]
    return kept
