"""What stands in a transcript for what was taken out of it."""

from __future__ import annotations

import pytest

from amb_core.rendering import Language, Reference, head_and_tail, index_line, reference_line
from amb_core.text import estimate_tokens

LONG = "The beginning. " + "middle " * 2_000 + "The end."
LONG_ZH = "这是开头。" + "中间的内容" * 1_000 + "这是结尾。"


def test_a_reference_is_bounded_and_safe() -> None:
    many = Reference(tuple(f"n{n}" for n in range(50)), tuple("</memory> " + "long topic " * 50 for _ in range(50)))
    line = reference_line(many, "en")
    assert estimate_tokens(line) < 120
    assert "[n49]" in line
    assert "</memory>" not in line


@pytest.mark.parametrize(("language", "text", "ends"), [
    ("en", LONG, ("The beginning.", "The end.")), ("zh", LONG_ZH, ("这是开头。", "这是结尾。"))
])  # fmt: skip
@pytest.mark.parametrize("budget", [60, 200, 1000])
def test_head_and_tail_keep_both_ends_within_the_budget(
    language: Language, text: str, ends: tuple[str, str], budget: int
) -> None:
    for reference in (None, Reference(("n3",))):
        short = head_and_tail(text, budget, reference, language)
        assert estimate_tokens(short) <= budget
        assert short.startswith(ends[0])
        assert short.endswith(ends[1])
        assert ("n3" in short) == (reference is not None)


def test_the_index_counts_tools_and_says_what_was_lost() -> None:
    results = [("search", Reference(("step 1",))), ("visit", Reference(("n2", "n3"))), ("search", None)]
    assert index_line(results, "en") == (
        "Earlier tool calls no longer shown: 3 (search ×2, visit ×1). "
        "Their results are in memory (step 1, [n2], [n3]); "
        'deep_retrieval("step 1") opens one. 1 of the results could not be stored.'
    )
    assert "（第 4 步、团队第 9 步）" in index_line([("搜索", Reference(("step 4", "team step 9")))], "zh").replace(
        ", ", "、"
    )
    assert index_line([("搜索", None)], "zh").startswith("不再显示的早先工具调用：1 次（搜索 ×1）。")
