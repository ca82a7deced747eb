"""The prompts of the core, in two languages, one file for each question; static, so that providers cache them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from amb_core.text.language import Language

__all__ = ["ROLES", "prompt"]

ROLES = ("classification", "structure", "analysis", "integration", "planning")


@cache
def prompt(role: str, language: Language, *, package: str = "amb_agents.prompts") -> str:
    """The system prompt of a role, without a line break at its end; `package` holds the folders `en` and `zh`."""
    return (files(package) / language / f"{role}.md").read_text(encoding="utf-8").rstrip("\n")
