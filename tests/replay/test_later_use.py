"""What counts as used later, and when it counts as shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amb_replay import Trace
from amb_replay.later_use import LaterUse, shows, strings_in
from amb_replay.recorded_run import RecordedRun, flatten

Orders = Callable[..., Trace]


def test_strings_are_identifiers_figures_paths_and_names_and_not_plain_words() -> None:
    text = (
        "Ada Moss opened src/app/main.py, read self.load_page at https://a.example/x?y=1, paid 1,250.50 to card_7000."
    )
    assert strings_in(text) == {
        "Ada Moss", "src/app/main.py", "self.load_page", "https://a.example/x?y=1", "1,250.50", "card_7000",
    }  # fmt: skip


def test_what_the_agent_took_from_the_first_result_is_far_and_unsaid(orders: Orders) -> None:
    run = RecordedRun(orders(5))
    refund = run.calls[-2]
    [used] = [one for one in LaterUse(run).at(refund) if not one.is_word]
    assert (used.text, used.near, used.said) == ("card_7000", False, False)
    assert used.sources == (3,)


def test_what_stands_in_the_task_is_not_counted() -> None:
    messages = (
        {"role": "user", "content": "refund card_7000"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "card_7000 and W-90000"},
        {"role": "assistant", "content": "card_7000 is on W-90000"},
    )
    assert [one.text for one in LaterUse(RecordedRun(Trace("t", messages))).at(3)] == ["W-90000"]


SOURCE = "\n".join(
    f"line {n}: the value of key_{n} in the table of settings is val_{n}, as the page of {n} says" for n in range(9)
)
LONG = "3: the value of key_3 in the table of settings is val_3, as the page of 3 says line 4: the"
SHORT = 'name = "x"\nport = 8080\n{"id": "A-17", "seat": "12C"}'


@pytest.mark.parametrize(
    ("made", "wanted", "source", "expected"),
    [
        ("val_3 val_4 val_5", "val_3", SOURCE, False),
        ("…of key_3 in the table of settings is val_3, as the page…", "val_3", SOURCE, False),
        (LONG, "val_3", SOURCE, True),
        ("see: port = 8080.", "8080", SHORT, True),
        ("8080", "8080", SHORT, False),
        ('[{\\"id\\": \\"A-17\\", \\"seat\\": \\"12C\\"}]', "12C", SHORT, True),
        ("port = 80801", "8080", SHORT, False),
    ],
    ids=["bare", "too short", "80 in a row", "whole line", "no line", "whole record, escaped", "inside a longer word"],
)  # fmt: skip
def test_a_string_counts_only_inside_enough_of_its_source(made: str, wanted: str, source: str, expected: bool) -> None:
    assert shows(flatten(made).text, wanted, flatten(source)) is expected
