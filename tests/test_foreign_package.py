"""Another distribution with a package `amb_core` in the same environment: told by name, with what to run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
ABOUT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "another-amb"
version = "7"
[tool.hatch.build.targets.wheel]
packages = ["amb_core"]
"""


def _wheel(source: Path, place: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return next(place.glob("*.whl"))


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """AMB's own wheel, and one of a distribution that also brings `amb_core`."""
    other = tmp_path_factory.mktemp("other")
    (other / "amb_core").mkdir()
    (other / "amb_core" / "__init__.py").write_text('"""Something else."""\n')
    (other / "amb_core" / "errors.py").write_text('"""Errors of something else."""\n')
    (other / "pyproject.toml").write_text(ABOUT)
    places = {"amb": ROOT, "another-amb": other}
    return {name: _wheel(source, tmp_path_factory.mktemp("wheels")) for name, source in places.items()}


def _amb(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`amb` of what is installed in a folder; from the test's environment come only the packages that AMB needs."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-P", "-c", "from amb_start import main; raise SystemExit(main())", *arguments]
    return subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True)


def _install(wheels: list[Path], place: Path) -> Path:
    """Unpacked one after the other, as pip does it."""
    for wheel in wheels:
        ZipFile(wheel).extractall(place)
    return place


def test_a_package_that_has_replaced_ours_is_named_by_every_command(wheels: dict[str, Path], tmp_path: Path) -> None:
    ran = _amb(_install([wheels["amb"], wheels["another-amb"]], tmp_path), "settings")
    assert ran.returncode == 1
    assert "Run: pip uninstall another-amb, then: pip install --force-reinstall --no-deps" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_package_that_ours_has_replaced_is_named_by_the_doctor(wheels: dict[str, Path], tmp_path: Path) -> None:
    site = _install([wheels["another-amb"], wheels["amb"]], tmp_path)
    ran = _amb(site, "doctor")
    assert ran.returncode == 1
    assert "FAIL  package amb_core: " in ran.stdout
    assert "pip uninstall another-amb" in ran.stdout
