"""A newest result that does not fit: head, tail, what was asked for, and how much was left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.rendering import Language, Reference, condensed_result
from amb_core.text import estimate_tokens

LOG = "\n".join(
    f"2024-05-01 10:{i // 60:02}:{i % 60:02} INFO app.server request {i} done in {i % 9} ms" for i in range(600)
)
NOTED = LOG.replace("request 311 done in 5 ms", "request 311 failed: certificate of pump-7 has expired")


def test_what_was_asked_for_stands_between_head_and_tail_in_order() -> None:
    shown = condensed_result(NOTED, asked="why did the certificate expire?", tokens=300, language="en")
    assert shown.startswith("2024-05-01 10:00:00")
    assert shown.endswith("done in 5 ms")
    assert "certificate of pump-7 has expired" in shown


@pytest.mark.parametrize(("language", "said"), [("en", "left out"), ("zh", "此处省略")])
def test_what_is_left_out_is_counted_and_where_the_whole_is_stands_once(language: Language, said: str) -> None:
    shown = condensed_result(NOTED, asked="certificate", tokens=300, language=language, reference=Reference(("n3",)))
    assert shown.count(said) == 1
    assert shown.count("[n3]") == 1


def test_the_best_hit_is_cut_rather_than_left_out() -> None:
    text = "\n".join(f"line {i} says nothing of note at all" for i in range(200))
    long = text.replace("line 100 says", "line 100 tells of the " + "very " * 60 + "secret drawer and says")
    assert "secret drawer" in condensed_result(long, asked="the secret drawer", tokens=160, language="en")


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
    shown = condensed_result(text, asked="request 7 汉字", tokens=tokens, language=language, reference=reference)
    assert estimate_tokens(shown) <= tokens
