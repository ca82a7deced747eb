"""A newest result that does not fit: its ends stay, and what was asked for is in the request all the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.rendering import Language, Reference, condensed_result, head_and_tail
from amb_core.text import estimate_tokens

LOG = "\n".join(
    f"2024-05-01 10:{i // 60:02}:{i % 60:02} INFO app.server request {i} done in {i % 9} ms" for i in range(600)
)
NOTED = LOG.replace("request 311 done in 5 ms", "request 311 failed: certificate of pump-7 has expired")


@pytest.mark.parametrize("budget", [1_500, 4_000])
def test_what_was_asked_for_is_in_the_request(budget: int) -> None:
    asked = "Why did the certificate expire?"
    call = {"id": "c1", "type": "function", "function": {"name": "read_log", "arguments": "{}"}}
    adapter = ContextAdapter(MemoryBank(asked, settings=Settings(prompt_budget_tokens=budget)))
    result = {"role": "tool", "tool_call_id": "c1", "content": NOTED}
    request = adapter.next_request(
        [{"role": "user", "content": asked}, {"role": "assistant", "tool_calls": [call]}, result]
    )
    assert "certificate of pump-7 has expired" in str(request)
    shown = next(message["content"] for message in request if message["role"] == "tool")
    assert shown.startswith("2024-05-01 10:00:00")
    assert shown.endswith("done in 5 ms")


@pytest.mark.parametrize("budget", [1_500, 4_000])
def test_what_was_pasted_with_a_question_answers_it(budget: int) -> None:
    adapter = ContextAdapter(MemoryBank("Help with logs", settings=Settings(prompt_budget_tokens=budget)))
    said = f"Here is my log:\n{NOTED}\n\nWhy did the certificate expire?"
    assert "certificate of pump-7 has expired" in str(adapter.next_request([{"role": "user", "content": said}]))


def test_the_old_name_says_what_it_is_now() -> None:
    with pytest.warns(DeprecationWarning, match="head_and_tail"):
        assert condensed_result(LOG, asked="x", tokens=90, language="en") == head_and_tail(LOG, 90, None, "en")


@pytest.mark.slow
@given(
    text=st.text(max_size=800)
    | st.sampled_from([LOG, "x" * 5_000, "汉字。" * 900, '{"a": [1, 2]}, ' * 400, "\n" * 900 + "x"]),
    tokens=st.integers(4, 400),
    language=st.sampled_from(["en", "zh"]),
    kept=st.booleans(),
)
def test_it_never_costs_more_than_asked_for(text: str, tokens: int, language: Language, kept: bool) -> None:
    reference = Reference(("n1", "n2")) if kept else None
    assert estimate_tokens(head_and_tail(text, tokens, reference, language)) <= tokens
