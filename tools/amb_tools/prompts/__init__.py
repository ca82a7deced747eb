"""The prompt of the model that reads pages, in two languages; static, so that providers cache it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from amb_core.text import Language

__all__ = ["visit_prompt"]


@cache
def visit_prompt(language: Language) -> str:
    """The system prompt for reading a page, without a line break at its end."""
    return (files(__name__) / language / "visit.md").read_text(encoding="utf-8").rstrip("\n")
