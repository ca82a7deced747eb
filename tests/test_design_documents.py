"""The page from the design documents to the code names what is there, in English and Chinese alike."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

from amb_core.errors import MissingExtra

DOCS = Path(__file__).resolve().parents[1] / "docs"
ENGLISH, CHINESE = ((DOCS / place / "design-documents.md").read_text("utf-8") for place in ("", "zh"))
NAME = re.compile(r"`(amb_\w+(?:\.\w+)+)`")


def is_there(name: str) -> bool:
    parts = name.split(".")
    found: object = importlib.import_module(parts[0])
    for part in parts[1:]:
        try:
            if isinstance(found, ModuleType) and not hasattr(found, part):
                importlib.import_module(f"{found.__name__}.{part}")
            found = getattr(found, part)
        except MissingExtra:  # a framework that is not installed: the package names it
            return isinstance(found, ModuleType) and part in found.__all__
        except ModuleNotFoundError as error:
            return not str(error.name).startswith("amb_")  # of a framework, where the name is ours
        except AttributeError:
            return False
    return True


def test_every_public_name_on_the_page_is_there() -> None:
    names = NAME.findall(ENGLISH)
    assert len(names) > 100
    assert [name for name in names if not is_there(name)] == []


def test_both_languages_have_the_same_rows() -> None:
    rows = [[NAME.findall(line) for line in page.splitlines() if line.startswith("| ")] for page in (ENGLISH, CHINESE)]
    assert rows[0] == rows[1]
