"""What is public is listed in `public_names.json`, and nothing goes from it or comes to it unseen: docs/settings.md.

After a change that is meant, `python tests/test_frozen_names.py` writes the list anew; the old name of one that went is
kept, as the policy says.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import amb_core

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "public_names.json"
PATTERNS = (
    "amb_core/__init__.py",
    "amb_core/*/__init__.py",
    "integrations/amb_*/__init__.py",
    "tools/amb_*/__init__.py",
)
BOOK = "tools/amb_book/amb_book/__init__.py"


def _exported(file: Path) -> list[str]:
    """The names of `__all__` as it stands in a file; nothing is imported, for some need a framework."""
    for node in ast.parse(file.read_text("utf-8")).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id == "__all__" and isinstance(value, ast.List | ast.Tuple):
            return sorted(ast.literal_eval(value))
    return []


def _packages() -> Iterator[tuple[str, list[str]]]:
    for file in sorted(file for pattern in (*PATTERNS, BOOK) for file in ROOT.glob(pattern)):
        parts = [part for part in file.parent.relative_to(ROOT).parts if part not in {"integrations", "tools"}]
        package = ".".join(parts).removeprefix("amb_book.")
        names = sorted(amb_core.__all__) if package == "amb_core" else _exported(file)
        if names:
            yield package, names


def test_no_public_name_goes_or_comes_without_the_list() -> None:
    listed, found = json.loads(LIST.read_text("utf-8")), dict(_packages())
    gone = {package: missing for package in listed if (missing := set(listed[package]) - set(found.get(package, [])))}
    come = {package: new for package in found if (new := set(found[package]) - set(listed.get(package, [])))}
    assert not gone, "keep the old name with a warning (docs/settings.md)"
    assert not come, "add them: python tests/test_frozen_names.py"


def test_the_list_covers_the_core_and_every_integration() -> None:
    listed = json.loads(LIST.read_text("utf-8"))
    assert {"amb_core", "amb_core.stores", "amb_longterm", "amb_team", "amb_book"} <= set(listed)
    assert {folder.name for folder in (ROOT / "integrations").glob("amb_*")} <= set(listed)


if __name__ == "__main__":
    LIST.write_text(json.dumps(dict(_packages()), indent=0) + "\n", "utf-8")
