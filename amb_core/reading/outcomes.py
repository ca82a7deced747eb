"""Whether a result of a call brought something: a value, or only word that the call failed or has nothing new."""

from __future__ import annotations

import re

__all__ = ["brought_value", "has_failed"]

_ERRORS = ("error:", "error ", "traceback", "错误：", "错误:")
_HEAD = 400
_FAILURE = re.compile(
    r"\s*(?:[\w.]*(?:Error|Exception)\b|HTTP(?:/[\d.]+)?[ :]+(?:error )?[45]\d\d\b"
    r"|\{\s*[\"'](?:error|errors|错误)[\"']\s*:\s*(?!null\b|false\b|None\b|False\b|\[\s*\]|\{\s*\}|\"\"|'')\S)",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\s*(?:null|none|undefined|nil|[\[\]{}()\"'\s—-]*)\s*", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\s*(?:\[[^\]\n\[{}\"',:;=|\\/]*\s[^\]\n\[{}\"',:;=|\\/]*\]|<[^<>\n=/]*\s[^<>\n=/]*>)\s*")
"""Words in brackets and nothing else, as a host puts in place of a result."""


def has_failed(output: str) -> bool:
    """Whether a result says by its first word that it is an error."""
    return output[:_HEAD].lstrip().lower().startswith(_ERRORS)


def brought_value(output: str) -> bool:
    """Whether a result is a state of what was asked for, and no error, nothing, or a placeholder for a result."""
    head = output[:_HEAD]
    if has_failed(head) or _FAILURE.match(head):
        return False
    return len(output) > _HEAD or not (_NOTHING.fullmatch(output) or _PLACEHOLDER.fullmatch(output))
