"""The page says the same in English and Chinese, and has words for everything it asks for."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest
from amb_book.checking import KINDS
from amb_book.desk.background import SourceKind
from amb_book.statements import EntityKind, PlanKind, PlanStatus

PAGE = (
    Path(getattr(find_spec("amb_book.studio"), "origin", None) or "").parent / "page"
)  # not imported: it needs the extra
WORDS = {name: json.loads((PAGE / "words" / f"{name}.json").read_text(encoding="utf-8")) for name in ("en", "zh")}


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_both_languages_have_the_same_words_with_the_same_places() -> None:
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    assert [key for key in WORDS["en"] if places(WORDS["en"][key]) != places(WORDS["zh"][key])] == []
    assert [key for key, text in {**WORDS["en"], **WORDS["zh"]}.items() if not text.strip()] == []


def test_every_word_the_page_asks_for_is_there() -> None:
    scripts = "\n".join(file.read_text(encoding="utf-8") for file in (PAGE / "scripts").glob("*.js"))
    page = (PAGE / "studio.html").read_text(encoding="utf-8")
    asked = set(re.findall(r'\bt\("([a-z.]+)"', scripts)) | set(
        re.findall(r'data-(?:t|label|placeholder)="([a-z.]+)"', page)
    )
    assert len(asked) > 80
    assert asked - WORDS["en"].keys() == set()


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("kind", get_args(EntityKind)),
        ("plan", get_args(PlanKind)),
        ("status", get_args(PlanStatus)),
        ("finding", KINDS),
        ("source", get_args(SourceKind)),
    ],
)
def test_what_the_book_calls_things_has_a_name_on_the_page(group: str, names: tuple[str, ...]) -> None:
    for words in WORDS.values():
        assert [name for name in names if f"{group}.{name}" not in words] == []
