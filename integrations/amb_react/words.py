"""The prompts and phrases in two languages: `prompts/en.toml`, `prompts/zh.toml`, with the same names in both."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from string import Template

from amb_core.rendering import Language

__all__ = ["phrases", "say"]


@cache
def phrases(language: Language) -> dict[str, str]:
    """All templates of a language by name."""
    text = (files("amb_react") / "prompts" / f"{language}.toml").read_text(encoding="utf-8")
    return {name: template.strip() for name, template in tomllib.loads(text).items()}


def say(language: Language, name: str, **values: object) -> str:
    """One phrase with its values filled in; KeyError for a name or value that is missing."""
    return Template(phrases(language)[name]).substitute(values)
