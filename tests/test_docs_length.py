"""A page of the docs is read in a few minutes: at most 1,500 words, without code and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *ROOT.glob("README*.md"),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "zh").glob("*.md")),
]
MOST = 1_500
NOT_PROSE = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)$|<!--.*?-->", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\([^)]*\)")
WORD = re.compile(r"[A-Za-z][\w'’-]*")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def words_in(text: str, *, chinese: bool) -> int:
    """The words of a page without code, comments and addresses; figures are none, inline code and names are one each.

    In a Chinese page three characters count as two words; in an English one they are terms beside a word.
    """
    prose = LINK.sub(r"\g<text>", re.sub(r"`[^`\n]*`", " code ", NOT_PROSE.sub("", text)))
    return len(WORD.findall(prose)) + (len(CHINESE.findall(prose)) * 2 // 3 if chinese else 0)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_can_be_read_in_a_few_minutes(page: Path) -> None:
    chinese = page.parent.name == "zh" or page.stem.endswith(".zh")
    assert words_in(page.read_text(encoding="utf-8"), chinese=chinese) <= MOST


def test_code_figures_and_addresses_are_no_words() -> None:
    text = "Two words `x = 1` [a link](page.md#there) 12.5 %\n\n```python\nno = 'word'\n```\n<!-- nor this -->\n"
    assert words_in(text, chinese=False) == 5
    assert words_in("记忆库是记忆", chinese=True) == 4
    assert words_in("| bank | 记忆库 |", chinese=False) == 1
