"""The prompts of the models an author writes with, in two languages; static, so that providers cache them."""

from __future__ import annotations

from amb_agents.prompts import prompt
from amb_core.rendering import Language

__all__ = ["book_prompt"]


def book_prompt(role: str, language: Language) -> str:
    """The system prompt of a role, without a line break at its end."""
    return prompt(role, language, package=__name__)
