"""The forms in which providers write transcripts: what one promises, OpenAI chat, and which form a list is of.

The forms of other providers are in a package of their own, `amb_wire_forms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, Protocol

from amb_core.adapter.origins import origin_of
from amb_core.errors import InvalidParameter, WireFormUnknown
from amb_core.registry import registered

__all__ = [
    "ANSWERED_INSIDE",
    "CHAT",
    "ChatForm",
    "ChatMessage",
    "Fields",
    "WireForm",
    "WireFormName",
    "WireTranscript",
    "detect_form",
    "fields_of",
    "forms_of",
    "goes_on",
    "read_transcript",
    "wire_forms",
]

Fields = Mapping[str, Any]
ChatMessage = dict[str, Any]
ANSWERED_INSIDE = "answered_inside"
"""Key of an OpenAI-style message: calls with their results that stand inside the one message it was made from."""


class WireForm(Protocol):
    """One way in which providers write a transcript: a list of messages or items, dicts or objects of an SDK.

    `read` gives OpenAI-style messages that remember what they were made from. `write` gives the list that these stand
    for now: what did not change as the very same objects, what is new in this form. Neither changes its input.

    One that also has `begin` is read on where a transcript has grown: `begin()` gives what makes OpenAI-style messages
    of some items after others, or None where these join an item before them.
    """

    @property
    def name(self) -> str:
        """What people call the form: the value of `form=`."""
        ...

    def is_own(self, item: Fields) -> bool:
        """Whether an item can be of this form alone."""
        ...

    def allows(self, item: Fields) -> bool:
        """Whether an item may stand in a list of this form."""
        ...

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """The items as OpenAI-style messages."""
        ...

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The items for what is left of the messages of `read`, and for new ones."""
        ...


def fields_of(item: Any) -> Fields:
    """What an item has in it, one level deep; empty for what is neither a mapping nor an object of an SDK."""
    if isinstance(item, Mapping):
        return item
    names = getattr(type(item), "model_fields", None)
    if names is None:
        return item.model_dump(exclude_none=True) if hasattr(item, "model_dump") else {}
    named = {name: getattr(item, name) for name in (*names, *(getattr(item, "model_extra", None) or ()))}
    return {name: value for name, value in named.items() if value is not None}


# --- OpenAI chat, in which AMB works itself ---------------------------------------------------------------------------

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function", "marker"})
_KEYS = ("tool_calls", "tool_call_id", "function_call", "reasoning_content", "refusal", "audio")
_FOREIGN = ("tool_use", "tool_result", "tool-", "tool_call", "toolUse", "function", "input_text", "output_text")


class ChatForm:
    """Messages with a `role`, `tool_calls` of the assistant, and results with the role `tool`."""

    name = "openai-chat"

    def is_own(self, item: Fields) -> bool:
        """Whether the item has a role or a key that no other form has."""
        if origin_of(item) is not None or item.get("role") in ("tool", "marker"):
            return True
        if item.get("role") == "function" and "parts" not in item:
            return True
        return "role" in item and (
            any(item.get(key) is not None for key in _KEYS) or any(kind == "image_url" for kind in _kinds(item))
        )

    def allows(self, item: Fields) -> bool:
        """Whether the item is a message with one of the roles, and tells of tools in no other way than a chat does."""
        if origin_of(item) is not None:
            return True
        if item.get("role") not in _ROLES or "parts" in item or str(item.get("type", "message")) != "message":
            return False
        return self.is_own(item) or not any(kind is None or kind.startswith(_FOREIGN) for kind in _kinds(item))

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """The items themselves."""
        return list(items)

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The messages themselves."""
        return list(chat)


def _kinds(item: Fields) -> list[str | None]:
    """The types of the parts of a message; None for a part without one."""
    content = item.get("content")
    parts = content if isinstance(content, list | tuple) else ()
    named = [fields_of(part).get("type") for part in parts if not isinstance(part, str)]
    return [kind if isinstance(kind, str) else None for kind in named]


# --- a transcript in any form -----------------------------------------------------------------------------------------

WireFormName = Literal["openai-chat", "openai-responses", "anthropic", "gemini", "langchain"]
CHAT = ChatForm()
_SHOWN_KEYS, _SHOWN = 6, 24


@cache
def wire_forms() -> Mapping[str, WireForm]:
    """Every form by its name: OpenAI chat, and those that entry points `amb.wire_forms` bring."""
    brought = (point.load()() for point in registered("amb.wire_forms").values())
    return MappingProxyType({form.name: form for form in (CHAT, *brought)})


@dataclass(frozen=True, slots=True)
class WireTranscript:
    """A transcript as OpenAI-style messages in `chat`, with the form it came in."""

    form: WireForm
    chat: list[Any]

    @property
    def with_answers(self) -> list[Any]:
        """The messages in which memory looks for results: also those that stand inside a message of the model."""
        inside = ((told, told.get(ANSWERED_INSIDE, ()) if isinstance(told, Mapping) else ()) for told in self.chat)
        return [message for told, answers in inside for message in (told, *answers)]

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The list in the form it came in, for what was made of `chat`."""
        return self.form.write(chat)


def read_transcript(messages: Iterable[Any], *, form: str | None = None) -> WireTranscript:
    """Read messages or items of any wire form, which is told by their content unless `form` names it.

    Raises WireFormUnknown for a list that is of none of the forms, of several, or not of the one named.
    """
    items = list(messages)
    found = detect_form(items, form=form)
    return WireTranscript(found, found.read(items))


def forms_of(item: Any) -> tuple[frozenset[str], bool, bool]:
    """Which forms an item can alone be of, and whether it may stand in an OpenAI chat, and as a message of one text."""
    fields = fields_of(item)
    if _is_text(fields):  # what other forms have of their own is never a message of one text
        return frozenset([CHAT.name] if CHAT.is_own(fields) else ()), True, True
    own = frozenset(one.name for one in wire_forms().values() if one.is_own(fields))
    return own, CHAT.allows(fields), False


def goes_on(items: Iterable[Any], form: WireForm) -> bool:
    """Whether a list that is of a form can go on with these items: each may stand in it, and is of no other form."""
    for fields in map(fields_of, items):
        if not form.allows(fields) or "made_from" in fields:
            return False
        if form is CHAT and _is_text(fields):
            continue
        if any(other.is_own(fields) for name, other in wire_forms().items() if name != form.name):
            return False
    return True


def detect_form(items: Sequence[Any], *, form: str | None = None) -> WireForm:
    """The form of a list: the one that some item can alone be of, else `form`, else OpenAI chat.

    Raises WireFormUnknown as `read_transcript` does, and InvalidParameter for a name that no form has.
    """
    if form not in (None, CHAT.name) and form not in wire_forms():
        raise InvalidParameter(f"form is one of {', '.join(wire_forms())}, not {form!r}.")
    fields = [fields_of(item) for item in items]
    if any(CHAT.is_own(item) and ("made_from" in item) for item in fields):
        return CHAT  # messages that an integration has read already
    if form in (None, CHAT.name) and all(map(_is_text, fields)) and any(map(CHAT.is_own, fields)):
        return CHAT  # what other forms have of their own is never a message of one text
    signs, forms = dict[str, int](), wire_forms()
    for at, item in enumerate(fields):
        for one in forms.values():
            if one.is_own(item):
                signs.setdefault(one.name, at)
    if len(signs) > 1:
        places = " and ".join(f"message {at} is {name}" for name, at in sorted(signs.items(), key=lambda sign: sign[1]))
        raise WireFormUnknown(f"{places}: pass a list that is of one form throughout. {_advice()}")
    name = form or next(iter(signs), CHAT.name)
    chosen = forms[name]
    for at, item in enumerate(fields):
        if isinstance(items[at], str):
            raise WireFormUnknown(
                f'message {at} is a text without a role: pass [{{"role": "user", "content": "…"}}]. {_advice()}'
            )
        if (signs and name not in signs) or not chosen.allows(item):
            raise WireFormUnknown(f"message {at} {_described(items[at], item)} is not of the form {name}. {_advice()}")
    return chosen


def _is_text(item: Fields) -> bool:
    """Whether an item is a message with a role and one text, if any."""
    return CHAT.allows(item) and "type" not in item and isinstance(item.get("content"), str | None)


def _described(item: Any, fields: Fields) -> str:
    keys = [str(key)[:_SHOWN] for key in list(fields)[:_SHOWN_KEYS]]
    return f"({type(item).__name__} with {', '.join(keys)})" if keys else f"({type(item).__name__})"


def _advice() -> str:
    return (
        f"AMB reads {', '.join(wire_forms())}, as dicts or as objects of their SDKs, each with all its messages in one "
        "form; system text stays outside of the list where the form has it there."
    )
