"""A page of the docs is read in a few minutes: 1,500 words at most, without code and figures; and the pages are few."""

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
MOST_PAGES, MOST_IN_ALL = 30, 35_000
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


@pytest.mark.parametrize("folder", [ROOT / "docs", ROOT / "docs" / "zh"], ids=["English", "Chinese"])
def test_the_pages_of_a_language_can_be_read_in_a_day(folder: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in folder.glob("*.md")]
    assert len(pages) <= MOST_PAGES
    assert sum(words_in(text, chinese=folder.name == "zh") for text in pages) <= MOST_IN_ALL


def test_code_figures_and_addresses_are_no_words() -> None:
    text = "Two words `x = 1` [a link](page.md#there) 12.5 %\n\n```python\nno = 'word'\n```\n<!-- nor this -->\n"
    assert words_in(text, chinese=False) == 5
    assert words_in("记忆库是记忆", chinese=True) == 4
    assert words_in("| bank | 记忆库 |", chinese=False) == 1
