"""The agent frameworks, as their folders say: each `integrations/amb_*/__init__.py` tells `deferred` extra and modules.

Tests read this with `runpy`, as they are no package. The Makefile and `.ci` ask it as a program, with any Python:
`python tests/frameworks.py extras|groups|marks|types [2|3|EXTRA]` for
all of them, for those that are tested with openai 2 or openai 3, or for one.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ABOUT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework: its name for people, the extra that brings it, and its modules, of which the first tells most."""

    title: str
    extra: str
    modules: tuple[str, ...]


def _home() -> Path:
    """Where the folders of the integrations are: in a checkout, or beside an installed AMB."""
    if (ROOT / "integrations").is_dir():
        return ROOT / "integrations"
    core = importlib.util.find_spec("amb_core")
    assert core, "AMB is not installed"
    assert core.origin
    return Path(core.origin).parents[1]


def _framework(package: Path) -> Framework | None:
    """What the call of `deferred` in a package says; None for one that needs no framework, or attaches to none."""
    text = package.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if '"attach"' in text else ():
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "deferred":
            said = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            return Framework(said["needs"], said["extra"], said["modules"]) if "extra" in said else None
    return None


FRAMEWORKS = {
    file.parent.name.removeprefix("amb_"): framework
    for file in sorted(_home().glob("amb_*/__init__.py"))
    if (framework := _framework(file))
}
"""By the name after `amb_`, which is also the marker of its tests."""


def chosen(which: str) -> list[str]:
    """The frameworks that are tested with openai "2" or "3", or the one with an extra of this name; all for ""."""
    extras = {framework.extra for framework in FRAMEWORKS.values()}
    table: dict[str, list[str]] = ABOUT["tool"]["amb-frameworks"]
    only_2, also_2 = set(table["only-with-openai-2"]), set(table["also-with-openai-2"])
    wanted = {"": extras, "2": only_2 | also_2, "3": extras - only_2}.get(which, {which})
    return [name for name, framework in FRAMEWORKS.items() if framework.extra in wanted]


def marks_for(names: Iterable[str], text: str = "") -> list[Any]:
    """The marks of what needs these frameworks; `text` may say "Pydantic AI 2.54 or newer"."""
    import pytest

    marks = []
    for name in names:
        framework = FRAMEWORKS[name]
        missing = not _is_there(framework.modules[0]) or _is_too_old(framework, text)
        reason = f"{framework.title} is not installed, or older than this needs: make test-frameworks"
        marks += [getattr(pytest.mark, name), pytest.mark.skipif(missing, reason=reason)]
    return marks


def _is_there(module: str) -> bool:
    """Whether a module can be found; one of a namespace package (`google.adk`) may lack the package as well."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _is_too_old(framework: Framework, text: str) -> bool:
    """Whether what is installed is older than a text asks for."""
    asked = re.search(rf"{framework.title} (\d+)\.(\d+) or newer", text)
    if not asked:
        return False
    requirement = ABOUT["project"]["optional-dependencies"][framework.extra][0]
    here = version(re.split(r"[^\w.-]", requirement)[0]).split(".")
    return (int(here[0]), int(here[1])) < (int(asked[1]), int(asked[2]))


def _main(what: str, which: str = "") -> None:
    names = chosen(which)
    if what == "extras":
        print(",".join(FRAMEWORKS[name].extra for name in names))
    elif what == "groups":
        extras = [FRAMEWORKS[name].extra for name in names]
        print(*(f"--group {extra}" for extra in extras if extra in ABOUT["dependency-groups"]))
    elif what == "marks":
        print(" or ".join(names))
    elif what == "types":  # what can be type-checked with openai 2 alone
        only = [name for name in names if name not in chosen("3")]
        files = [f for name in only for f in (ROOT / "examples").glob(f"{name}_*.py")]
        print(*(f"integrations/amb_{name}" for name in only), *(f"examples/{file.name}" for file in sorted(files)))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    _main(*sys.argv[1:])
