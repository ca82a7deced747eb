"""A page's Python can be copied: it uses no name that the page does not show."""

from __future__ import annotations

import builtins
import re
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = re.compile(r"<!--.*?-->", re.DOTALL)
FENCE = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    *ROOT.glob("README*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("docs/zh/*.md"),
    *ROOT.glob("tools/*/README*.md"),
]
APART = "<!-- a program of its own -->"
SHOWN = {
    f"{page.relative_to(ROOT).as_posix()}-{number}": "\n".join(FENCE.findall(HIDDEN.sub("", program)))
    for page in PAGES
    for number, program in enumerate(page.read_text("utf-8").split(APART))
}
GIVEN = {*dir(builtins), "__name__", "__file__"}


def used(table: symtable.SymbolTable) -> Iterator[str]:
    """The global names that some code uses."""
    top = table.get_type() == "module"
    yield from (each.get_name() for each in table.get_symbols() if each.is_referenced() and (top or each.is_global()))
    for inside in table.get_children():
        yield from used(inside)


@pytest.mark.parametrize("page", [page for page, code in SHOWN.items() if code])
def test_a_page_uses_no_name_that_it_does_not_show(page: str) -> None:
    table = symtable.symtable(SHOWN[page], page, "exec")
    defined = {each.get_name() for each in table.get_symbols() if each.is_assigned() or each.is_imported()}
    defined |= {each.get_name() for each in table.get_symbols() if each.is_namespace()}
    assert not set(used(table)) - defined - GIVEN
