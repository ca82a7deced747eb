"""What happens where LangChain is not installed; asked of a fresh interpreter in which it cannot be imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules.update(langchain=None, langchain_core=None, langgraph=None)\n"


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN + code], capture_output=True, text=True)


def test_importing_the_integration_needs_no_langchain() -> None:
    ran = _run("import amb_langgraph; print(*amb_langgraph.__all__)")
    assert ran.returncode == 0, ran.stderr
    assert "AMBMiddleware" in ran.stdout


@pytest.mark.parametrize("name", ["AMBMiddleware", "attach", "detach", "memory_tools"])
def test_using_it_says_what_to_install(name: str) -> None:
    ran = _run(f"from amb_langgraph import {name}")
    assert ran.returncode == 1
    assert ran.stderr.endswith('MissingExtra: LangChain is not installed. Run: pip install "amb[langgraph]"\n')


def test_a_name_it_does_not_have_is_an_ordinary_error() -> None:
    said = _run("import amb_langgraph; amb_langgraph.AMBMagic").stderr
    assert "AttributeError: module 'amb_langgraph' has no attribute 'AMBMagic'" in said
