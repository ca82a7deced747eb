"""The old place of `amb_tools.hotpotqa`; the names are still found here, with a warning."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    found = getattr(import_module("amb_tools.hotpotqa"), name)
    warnings.warn(f"{__name__}.{name} is in amb_tools.hotpotqa now", DeprecationWarning, stacklevel=2)
    return found
