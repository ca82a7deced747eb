"""What `make` touches in a checkout: environments with names of our own, and never the user's `.venv`."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

ROOT = Path(__file__).resolve().parents[1]
THE_USERS = re.compile(r"(?<!\\)\.venv(?![\w-])")


def test_no_target_names_the_environment_of_the_user() -> None:
    targets = re.findall(r"^([a-z][a-z0-9-]*):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"demo", "test", "clean", "lint", "hooks", "project"} <= set(targets)
    command = ["make", "--dry-run", "--always-make", "demo", "lint", "hooks", "clean", "project", "NAME=support_bot"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    shown += re.sub("^#.*$", "", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE)
    assert ".venv-amb/bin/amb demo" in shown
    assert THE_USERS.findall(shown) == []
    assert not [file.name for file in (ROOT / ".ci").iterdir() if THE_USERS.search(file.read_text("utf-8"))]


def test_a_project_is_set_up_beside_the_environment_that_the_user_may_have_made_there(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    project = tmp_path / "examples/projects/tiny"
    (project / ".venv").mkdir(parents=True)
    (project / ".venv/mine").touch()
    fences = "```bash\ntest ! -e .venv && mkdir .venv\ntouch .venv/ours\n```\n\n```bash\nexit 3\n```\n"
    (project / "README.md").write_text(fences, "utf-8")
    subprocess.run(["make", "project", "NAME=tiny"], cwd=tmp_path, capture_output=True, check=True)
    assert [file.name for file in (project / ".venv").iterdir()] == ["mine"]
    assert [file.name for file in (project / ".venv-amb").iterdir()] == ["ours"]
