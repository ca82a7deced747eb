"""The notebook runs as it stands, prints what is stored in it, and says the same in both languages.

`python tests/test_notebook.py` stores what its cells print now.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NOTEBOOKS = [EXAMPLES / "first_look.ipynb", EXAMPLES / "first_look.zh.ipynb"]
LONGEST_CELL = 18
Notebook = dict[str, Any]


def read(path: Path) -> Notebook:
    """A notebook as its JSON says it."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def code_of(notebook: Notebook) -> list[str]:
    """What its code cells hold, in order."""
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def stored_in(notebook: Notebook) -> list[str]:
    """What its code cells are said to have printed, in order."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return ["".join(line for output in cell["outputs"] for line in output["text"]) for cell in cells]


def printed_by(notebook: Notebook) -> list[str]:
    """What its code cells print when they run one after another in the folder where we are."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for code in code_of(notebook):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(code, "notebook", "exec"), namespace)
        printed.append(out.getvalue())
    return printed


@pytest.mark.slow
def test_the_notebook_prints_what_is_stored_in_it_and_writes_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = read(NOTEBOOKS[0])
    assert printed_by(notebook) == stored_in(notebook), "python tests/test_notebook.py stores what is printed now"
    pages = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.glob("*/*.html")}
    assert set(pages) == {"memory.html", "replay.html"}
    assert all("SR-7731" in page for page in pages.values())


def test_both_languages_have_the_same_cells() -> None:
    english, chinese = map(read, NOTEBOOKS)
    assert code_of(english) == code_of(chinese)
    assert stored_in(english) == stored_in(chinese)
    kinds = [[cell["cell_type"] for cell in notebook["cells"]] for notebook in (english, chinese)]
    assert kinds[0] == kinds[1]


def test_cells_are_short_and_the_words_between_them_lead_to_pages_that_exist() -> None:
    for path in NOTEBOOKS:
        notebook = read(path)
        assert max(code.count("\n") + 1 for code in code_of(notebook)) <= LONGEST_CELL
        words = "".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
        links = [link.partition(")")[0] for link in words.split("](")[1:]]
        assert len(links) >= 3
        assert not [link for link in links if not (EXAMPLES / link.partition("#")[0]).is_file()]


def _store_outputs() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        printed = printed_by(read(NOTEBOOKS[0]))
    for path in NOTEBOOKS:
        notebook = read(path)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, text) in enumerate(zip(cells, printed, strict=True), 1):
            lines = text.splitlines(keepends=True)
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
            cell["execution_count"] = number
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in [name for name in os.environ if name.startswith("AMB_")]:
        del os.environ[name]
    _store_outputs()
