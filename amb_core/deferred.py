"""Public names of a package that are loaded when somebody first uses them, with a hint where an extra is missing."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from amb_core.errors import MissingExtra

__all__ = ["deferred"]


def deferred(
    package: str,
    homes: Mapping[str, str],
    *,
    needs: str = "",
    extra: str = "",
    modules: tuple[str, ...] = (),
    renamed: Mapping[str, str] | None = None,
) -> Callable[[str], Any]:
    """The `__getattr__` of a package: `homes` says in which of its modules each name is.

    When a module cannot be loaded for want of one of `modules` (or of a part of it), MissingExtra says that `needs`
    comes with `extra`. `renamed` are old names of what the package exports by new ones; using one gives a
    DeprecationWarning.
    """

    def load(name: str) -> Any:
        if renamed is not None and name in renamed:
            new = renamed[name]
            warnings.warn(f"{package}.{name} is called {new} now", DeprecationWarning, stacklevel=2)
            return getattr(importlib.import_module(package), new)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] in modules:
                raise MissingExtra(needs, extra=extra) from error
            raise

    return load
