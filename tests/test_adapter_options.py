"""What cannot be an option of an adapter is refused when it is made, with what it takes."""

from __future__ import annotations

from typing import Any

import pytest

from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Settings


@pytest.mark.parametrize("memory", ["Which town has a reactor?", 7, None, lambda scope: "a bank"])
def test_what_is_no_memory_is_refused(memory: Any) -> None:
    with pytest.raises(InvalidParameter, match="memory is a MemoryBank, or a function of a Scope"):
        ContextAdapter(memory)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"count_tokens": 3}, "count_tokens is a function that counts a text, or .* name, not int"),
        ({"inject": "now"}, "inject takes auto, missing, always or never, not 'now'"),
        ({"placement": "top"}, "placement takes tail, user_prefix or system, not 'top'"),
    ],
)
def test_what_an_option_does_not_take_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        ContextAdapter(MemoryBank("Which town has a reactor?"), **options)


def test_inject_takes_what_the_setting_takes() -> None:
    bank = MemoryBank("Which town has a reactor?", settings=Settings(inject="never"))
    assert ContextAdapter(bank).inject == "never"
    assert ContextAdapter(bank, inject="auto").inject is None
