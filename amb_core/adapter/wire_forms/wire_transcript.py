"""A transcript in any wire form: which form it is, told by its content, and the way into the adapter and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from amb_core.adapter.wire_forms.chat_form import ChatForm
from amb_core.adapter.wire_forms.wire_form import ANSWERED_INSIDE, Fields, WireForm, fields_of
from amb_core.errors import InvalidParameter, WireFormUnknown
from amb_core.registry import registered

__all__ = ["WireFormName", "WireTranscript", "detect_form", "read_transcript", "wire_forms"]

WireFormName = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
_CHAT = ChatForm()
_SHOWN_KEYS, _SHOWN = 6, 24


@cache
def wire_forms() -> Mapping[str, WireForm]:
    """Every form by its name: OpenAI chat, and those that entry points `amb.wire_forms` bring."""
    brought = (point.load()() for point in registered("amb.wire_forms").values())
    return MappingProxyType({form.name: form for form in (_CHAT, *brought)})


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


def detect_form(items: Sequence[Any], *, form: str | None = None) -> WireForm:
    """The form of a list: the one that some item can alone be of, else `form`, else OpenAI chat.

    Raises WireFormUnknown as `read_transcript` does, and InvalidParameter for a name that no form has.
    """
    forms = wire_forms()
    if form is not None and form not in forms:
        raise InvalidParameter(f"form is one of {', '.join(forms)}, not {form!r}.")
    fields = [fields_of(item) for item in items]
    if any(_CHAT.is_own(item) and ("made_from" in item) for item in fields):
        return _CHAT  # messages that an integration has read already
    if form in (None, _CHAT.name) and all(map(_is_text, fields)) and any(map(_CHAT.is_own, fields)):
        return _CHAT  # what other forms have of their own is never a message of one text
    signs: dict[str, int] = {}
    for at, item in enumerate(fields):
        for one in forms.values():
            if one.is_own(item):
                signs.setdefault(one.name, at)
    if len(signs) > 1:
        places = " and ".join(f"message {at} is {name}" for name, at in sorted(signs.items(), key=lambda sign: sign[1]))
        raise WireFormUnknown(f"{places}: pass a list that is of one form throughout. {_advice()}")
    name = form or next(iter(signs), _CHAT.name)
    chosen = forms[name]
    for at, item in enumerate(fields):
        if (signs and name not in signs) or not chosen.allows(item):
            raise WireFormUnknown(f"message {at} {_described(items[at], item)} is not of the form {name}. {_advice()}")
    return chosen


def _is_text(item: Fields) -> bool:
    """Whether an item is a message with a role and one text, if any."""
    return _CHAT.allows(item) and "type" not in item and isinstance(item.get("content"), str | None)


def _described(item: Any, fields: Fields) -> str:
    keys = [str(key)[:_SHOWN] for key in list(fields)[:_SHOWN_KEYS]]
    return f"({type(item).__name__} with {', '.join(keys)})" if keys else f"({type(item).__name__})"


def _advice() -> str:
    return (
        f"AMB reads {', '.join(wire_forms())}, as dicts or as objects of their SDKs, each with all its messages in one "
        "form; system text stays outside of the list where the form has it there."
    )
