"""What happens where AutoGen is not installed; asked of a fresh interpreter in which it cannot be imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules.update(autogen_core=None, autogen_agentchat=None)\n"


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN + code], capture_output=True, text=True)


def test_importing_the_integration_needs_no_autogen() -> None:
    ran = _run("import amb_autogen; print(*amb_autogen.__all__)")
    assert ran.returncode == 0, ran.stderr
    assert "with_memory" in ran.stdout


@pytest.mark.parametrize("name", ["AMBContext", "attach", "detach", "memory_tools", "summary_formatter", "with_memory"])
def test_using_it_says_what_to_install(name: str) -> None:
    ran = _run(f"from amb_autogen import {name}")
    assert ran.returncode == 1
    assert ran.stderr.endswith('MissingExtra: AutoGen is not installed. Run: pip install "amb[autogen]"\n')


def test_a_name_it_does_not_have_is_an_ordinary_error() -> None:
    assert (
        "AttributeError: module 'amb_autogen' has no attribute 'AMBMagic'"
        in _run("import amb_autogen; amb_autogen.AMBMagic").stderr
    )
