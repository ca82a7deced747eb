"""A framework's own messages go through the adapter and come back as the same objects wherever nothing changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from amb_contracts.integration_story import page, task
from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.adapter import made_from, origin_of, parts_written_back, written_back
from amb_core.rendering import has_block


@dataclass(frozen=True, eq=False)
class Said:
    """A message of a framework, with as many texts as it likes."""

    role: str
    texts: tuple[str, ...]


def _told(message: Said) -> list[dict[str, Any]]:
    return made_from(message, *({"role": message.role, "content": text} for text in message.texts))


def _changed(message: Said, left: Sequence[Mapping[str, Any]]) -> Said:
    return replace(message, texts=tuple(told["content"] for told in left))


def _new(told: Mapping[str, Any]) -> Said:
    return Said(told["role"], (told["content"],))


def _back(chat: Sequence[Mapping[str, Any]]) -> list[Said]:
    return written_back(chat, changed=_changed, new=_new)


def test_what_did_not_change_comes_back_as_the_same_object() -> None:
    messages = [Said("user", ("a", "b")), Said("assistant", ("c",))]
    chat = [told for message in messages for told in _told(message)]
    assert [origin_of(told) for told in chat] == [messages[0], messages[0], messages[1]]
    assert all(one is other for one, other in zip(_back(chat), messages, strict=True))


def test_a_message_told_in_several_is_one_again_with_what_is_left_of_it() -> None:
    first, second = Said("user", ("a", "b")), Said("user", ("c",))
    chat = [{**told, "content": told["content"].upper()} for told in _told(first)] + _told(second)
    written = _back(chat)
    assert written[0].texts == ("A", "B")
    assert written[1] is second
    assert _back(_told(first)[1:])[0].texts == ("b",)


def test_the_block_is_a_new_message_and_the_others_stay_as_they_are() -> None:
    message = Said("user", (task(),))
    with MemoryBank(task()) as bank:
        written = _back(ContextAdapter(bank, inject="always").prepare(_told(message)))
    assert written[0] is message
    assert has_block(written[1].texts[0])


def test_parts_keep_their_own_form_and_what_is_new_is_made() -> None:
    text, image = object(), object()
    content = [
        *made_from(text, {"type": "text", "text": "hello"}),
        *made_from(image, {"type": "image_url"}),
        "more",
        {"type": "image_url", "image_url": {"url": "data:x"}},
    ]
    parts = parts_written_back(content, text=lambda said: said, image=lambda url: None)
    assert parts == [text, image, "more"]
    changed = [{**content[0], "text": "bye"}]  # type: ignore[dict-item]
    assert parts_written_back(changed, text=str.upper, image=lambda url: None) == ["BYE"]


def test_a_marker_is_never_shortened_dropped_or_added_to() -> None:
    with MemoryBank(task(), settings=Settings(prompt_budget_tokens=600, block_tokens=200)) as bank:
        adapter = ContextAdapter(bank, placement="system", inject="always")
        talk = [Said("marker", (page(0),)), *(Said("user", (page(number),)) for number in range(1, 9))]
        written = _back(adapter.prepare([told for message in talk for told in _told(message)]))
    assert [message for message in written if message.role == "marker"] == talk[:1]
    assert has_block(written[0].texts[0])


@pytest.mark.slow
def test_the_newest_result_stands_whole_although_it_left_a_longer_transcript() -> None:
    def turn(number: int) -> list[dict[str, Any]]:
        call = {"id": f"c{number}", "function": {"name": "fetch", "arguments": "{}"}}
        result = {"role": "tool", "tool_call_id": f"c{number}", "content": page(number)}
        return [{"role": "assistant", "content": "", "tool_calls": [call]}, result]

    with MemoryBank(task(), settings=Settings(prompt_budget_tokens=12_000)) as bank:
        adapter = ContextAdapter(bank)
        begun = [{"role": "user", "content": task()}, *turn(0)]
        long = [*begun, *(message for number in range(1, 12) for message in turn(number))]
        adapter.intercept_context(long)
        assert page(0) not in str(adapter.condense(long))
        assert adapter.condense(begun)[1:] == begun[1:]
