"""The projects and the notebook of examples/ each start with one command and show their point, without a key."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from operator import itemgetter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = ROOT / "examples" / "projects"
NOTEBOOK = ROOT / "examples" / "first_look.ipynb"
PRINTS = re.compile(r"^# Prints: (.+)$", re.MULTILINE)
COMMAND = re.compile(r"^python (main\.py.*)$", re.MULTILINE)
FOLDERS = {
    "AMB_BANKS": "sqlite:///{}/memories/",
    "BOT_FOLDER": "{}",
    "BOOK_FOLDER": "{}/book",
    "CODING_FOLDER": "{}/work",
}
FRAMEWORKS, marks_for = itemgetter("FRAMEWORKS", "marks_for")(
    runpy.run_path(str(Path(__file__).with_name("frameworks.py")))
)
MOST_LINES = 150
pytestmark = pytest.mark.slow


def _with_marks(project: Path) -> object:
    needed = [name for name in FRAMEWORKS if project.name.startswith(f"{name}_")]
    return pytest.param(project, id=project.name, marks=marks_for(needed, (project / "main.py").read_text("utf-8")))


def _ran(command: list[str], folder: Path) -> str:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("AMB_", "LLM_", "OPENAI_"))
    }
    environment |= {name: place.format(folder) for name, place in FOLDERS.items()}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "integrations", ROOT / "tools")))
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("project", [_with_marks(each) for each in sorted(PROJECTS.iterdir()) if each.is_dir()])
def test_the_command_of_a_project_shows_its_point(project: Path, tmp_path: Path) -> None:
    pages = [(project / name).read_text("utf-8") for name in ("README.md", "README.zh.md")]
    commands = {found[1] for page in pages if (found := COMMAND.search(page))}
    assert len(commands) == 1, "both pages begin with the same command"
    text = (project / "main.py").read_text("utf-8")
    assert text.count("\n") <= MOST_LINES
    name, *arguments = commands.pop().split()
    said = _ran([sys.executable, str(project / name), *arguments], tmp_path)
    assert PRINTS.findall(text)[-1] in said


def test_one_customer_of_the_support_bot_is_not_told_of_another(tmp_path: Path) -> None:
    said = _ran([sys.executable, str(PROJECTS / "support_bot" / "main.py"), "--try"], tmp_path)
    ann, _, ben = said.partition("ben: ")
    assert "I remember: - My boiler is an Aqua 300" in ann
    assert "Aqua" not in ben


def test_the_cells_of_the_notebook_run_one_after_the_other(tmp_path: Path) -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert not [cell for cell in cells if cell.get("outputs")], "outputs in the file can go stale"
    said = _ran([sys.executable, "-c", "\n\n".join(code)], tmp_path)
    assert "window   requests over the bound:  0   of what the refund needed: 0 of 2" in said
    assert "amb      requests over the bound:  0   of what the refund needed: 2 of 2" in said
    assert "W-9005" in said.partition("<memory>")[2]
