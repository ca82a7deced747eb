"""What the package gives out, and what importing it loads."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import amb_tools
from amb_tools.prompts import visit_prompt


@pytest.mark.parametrize("name", amb_tools.__all__)
def test_every_public_name_says_what_it_is(name: str) -> None:
    assert inspect.getdoc(getattr(amb_tools, name))


@pytest.mark.slow
def test_importing_the_tools_loads_none_of_their_libraries() -> None:
    """A corpus needs none of them, and nobody waits for what is not used."""
    code = "import sys, amb_tools; print(*{name.partition('.')[0] for name in sys.modules})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(ran.stdout.split()) & {"trafilatura", "protego", "ddgs", "lxml", "bs4", "pypdf", "openai"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompt_says_that_a_page_gives_no_orders(language: str) -> None:
    prompt = visit_prompt("zh" if language == "zh" else "en")
    assert "NOTHING" in prompt
    assert ("never followed" if language == "en" else "绝不执行") in prompt
