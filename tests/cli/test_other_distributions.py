"""Commands of other distributions: found where one is installed, and what to install where one is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from amb_cli import main

ROOT = Path(__file__).resolve().parents[2]


def amb(*arguments: str, path: Path) -> subprocess.CompletedProcess[str]:
    """`amb` in a fresh interpreter that finds packages in `path` first."""
    environment = {**os.environ, "PYTHONPATH": str(path)}
    command = [sys.executable, "-m", "amb_cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=path)


@pytest.mark.slow
def test_a_command_of_a_distribution_that_is_not_installed_says_in_one_line_what_to_install(tmp_path: Path) -> None:
    """Asked in a checkout that has one more distribution."""
    (tmp_path / "amb_core").symlink_to(ROOT / "amb_core")
    zoo = tmp_path / "tools" / "amb_zoo"
    zoo.mkdir(parents=True)
    (zoo / "pyproject.toml").write_text('[project]\n[project.entry-points."amb.commands"]\nzoo = "amb_zoo:add_to"\n')
    ran = amb("zoo", "--open", "gate", path=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"amb: `amb zoo` is a package of its own. Run: pip install {zoo}\n"


@pytest.mark.slow
def test_another_distribution_brings_a_command_with_one_module_and_one_entry_point(tmp_path: Path) -> None:
    about = tmp_path / "zoo-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: zoo\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[amb.commands]\nzoo = zoo:add_to\n")
    module = "def add_to(commands):\n    commands.add_parser('zoo', help='count').set_defaults(command=lambda _: 7)\n"
    (tmp_path / "zoo.py").write_text(module)
    assert amb("zoo", path=tmp_path).returncode == 7
    assert "zoo" in amb("--help", path=tmp_path).stdout


def test_a_command_that_nobody_brings_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["whistle"])
    assert "invalid choice: 'whistle'" in capsys.readouterr().err


def test_a_command_that_is_mistyped_is_told_which_one_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rnu"])
    assert "Did you mean run?" in capsys.readouterr().err
