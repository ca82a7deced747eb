"""Token estimates: near enough to budget with, never zero for a text, and prefixes that keep a budget."""

import pytest

from amb_core.text import clip_tokens, estimate_lines, estimate_tokens

# Counted with the o200k vocabulary.
COUNTED = [
    ("The quick brown fox jumps over the lazy dog. It was a bright cold day in April.", 19),
    ("今天天气很好，我们一起去公园散步，然后在湖边喝茶聊天。", 20),
    ("def add(first: int, second: int) -> int:\n    return first + second\n", 18),
    ('{"name": "battery", "cycles": 3000, "chemistry": "LFP", "safe": true}', 24),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_the_estimate_is_a_little_above_the_counted_tokens(text: str, tokens: int) -> None:
    assert tokens <= estimate_tokens(text) <= 1.3 * tokens


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0


@pytest.mark.parametrize("text", [" ", "\n", "\0", "\ud800", "a", "。", "\u202e", "😀"])
def test_any_character_costs_at_least_one_token(text: str) -> None:
    assert estimate_tokens(text) >= 1


def test_the_parts_cost_about_as_much_as_the_whole() -> None:
    paragraphs = [
        "Lithium cells age with every cycle.",
        "电池每次循环都会老化。",
        "See section 3.2 for the measurements.",
    ]
    whole = estimate_tokens("\n\n".join(paragraphs))
    assert abs(sum(map(estimate_tokens, paragraphs)) - whole) <= 3


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 9, 40, 1_000])
@pytest.mark.parametrize("text", [COUNTED[0][0], COUNTED[1][0], "x" * 500, "a b " * 200])
def test_a_clipped_text_is_a_prefix_within_the_budget(text: str, budget: int) -> None:
    clipped = clip_tokens(text, budget)
    assert text.startswith(clipped)
    assert estimate_tokens(clipped) <= budget


def test_clipping_stops_between_words() -> None:
    assert clip_tokens("Hello world, this is a short text.", 3) == "Hello world"


def test_a_text_within_the_budget_comes_back_whole() -> None:
    text = "Trailing white space stays. \n"
    assert clip_tokens(text, 50) == text


def test_clipping_chinese_uses_the_budget() -> None:
    assert len(clip_tokens("今天天气很好我们去公园散步" * 20, 50)) >= 45


@pytest.mark.parametrize(
    "first", ["<memory>", "[n3] A title · source: a.org", "电池每次循环都会老化。", "ends in é", "x  "]
)
@pytest.mark.parametrize("second", ["   indented", " one space", "(a mark)", "  ", "12,400 ducks", "老化", "Zürich"])
def test_lines_priced_one_by_one_cost_what_they_cost_together(first: str, second: str) -> None:
    lines = [first, second, first, second]
    assert estimate_lines(lines) == estimate_tokens("\n".join(lines))
