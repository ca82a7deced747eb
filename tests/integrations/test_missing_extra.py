"""What happens where no framework is installed; asked of fresh interpreters in which none can be imported."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from operator import itemgetter
from pathlib import Path

import pytest

from amb_core.install_command import install_command

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS, ABOUT = itemgetter("FRAMEWORKS", "ABOUT")(runpy.run_path(str(ROOT / "tests" / "frameworks.py")))
MODULES = sorted({module for framework in FRAMEWORKS.values() for module in framework.modules})
HIDDEN = f"""
import sys
for name in {MODULES}:
    sys.modules[name] = None
"""
SAYS = {
    f"amb_{name}": f"{framework.title} is not installed. Run: {install_command(framework.extra)}"
    for name, framework in FRAMEWORKS.items()
}
ALSO = {"amb_crewai": ("AMBMemory", "memory"), "amb_langgraph": ("AMBMiddleware", "AMBSupervisor")}
"""Names besides the verbs that all have."""
EACH_PACKAGE = """
import importlib, json, traceback
from amb_core import MissingExtra
told = {}
for name in sys.argv[1:]:
    package, said = importlib.import_module(name), {}
    for export in [*package.__all__, "AMBMagic"]:
        try:
            exec(f"from {name} import {export}" if export != "AMBMagic" else f"package.{export}")
        except (MissingExtra, AttributeError) as error:
            said[export] = "".join(traceback.format_exception_only(error)).rpartition("amb_core.errors.")[2]
    told[name] = said
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, str]]:
    """What each name of each package says when it is imported where no framework is; "AMBMagic" is none."""
    program = [sys.executable, "-c", HIDDEN + EACH_PACKAGE, *SAYS]
    ran = subprocess.run(program, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


@pytest.mark.parametrize("package", SAYS)
def test_importing_needs_no_framework_and_the_first_use_says_in_one_line_what_to_install(
    package: str, told: dict[str, dict[str, str]]
) -> None:
    said = {name: text for name, text in told[package].items() if name != "AMBMagic"}
    assert set(said.values()) == {f"MissingExtra: {SAYS[package]}\n"}
    assert {"attach", "detach", "memory_tools", *ALSO.get(package, ())} <= set(said)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_what_it_tells_to_install_is_an_extra_of_amb(name: str) -> None:
    assert FRAMEWORKS[name].extra in ABOUT["project"]["optional-dependencies"]


@pytest.mark.slow
def test_a_program_that_uses_a_package_without_its_framework_ends_with_that_line() -> None:
    program = [sys.executable, "-c", f"{HIDDEN}from amb_crewai import attach"]
    ran = subprocess.run(program, capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr.endswith(f"MissingExtra: {SAYS['amb_crewai']}\n")


@pytest.mark.parametrize("package", SAYS)
def test_a_name_it_does_not_have_is_an_ordinary_error(package: str, told: dict[str, dict[str, str]]) -> None:
    assert told[package]["AMBMagic"] == f"AttributeError: module '{package}' has no attribute 'AMBMagic'\n"
