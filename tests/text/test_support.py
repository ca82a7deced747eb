"""Whether a quote stands in a text, white space aside."""

from hypothesis import given
from hypothesis import strategies as st

from amb_core.text import find_quote


@given(st.text())
def test_every_text_that_is_not_blank_quotes_itself(text: str) -> None:
    assert (find_quote(text, text) is not None) == bool(text.split())


def test_a_quote_is_found_where_it_stands_however_its_lines_are_broken() -> None:
    text = "It says:\nThe pier  is\n80 metres long. 栈桥长八十米。"
    assert find_quote("The pier is 80 metres long.", text) == (9, 37)
    assert find_quote("栈桥长八十米。", text) == (38, 45)
    assert find_quote("The pier is 90 metres long.", text) is None
