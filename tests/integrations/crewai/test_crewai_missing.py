"""What happens where CrewAI is not installed; asked of a fresh interpreter in which it cannot be imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules.update(crewai=None)\n"


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN + code], capture_output=True, text=True)


def test_importing_the_integration_needs_no_crewai() -> None:
    ran = _run("import amb_crewai; print(*amb_crewai.__all__)")
    assert ran.returncode == 0, ran.stderr
    assert "attach" in ran.stdout


@pytest.mark.parametrize("name", ["AMBMemory", "attach", "detach", "memory", "memory_tools"])
def test_using_it_says_what_to_install(name: str) -> None:
    ran = _run(f"from amb_crewai import {name}")
    assert ran.returncode == 1
    assert ran.stderr.endswith('MissingExtra: CrewAI is not installed. Run: pip install "amb[crewai]"\n')


def test_a_name_it_does_not_have_is_an_ordinary_error() -> None:
    ran = _run("import amb_crewai; amb_crewai.AMBMagic")
    assert "AttributeError: module 'amb_crewai' has no attribute 'AMBMagic'" in ran.stderr
