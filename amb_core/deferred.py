"""Public names of a package that are loaded when somebody first uses them, with a hint where an extra is missing."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["deferred"]


def deferred(
    package: str,
    homes: Mapping[str, str],
    *,
    needs: str = "",
    extra: str = "",
    modules: tuple[str, ...] = (),
    renamed: Mapping[str, str] | None = None,
    own_modules: bool = False,
) -> Callable[[str], Any]:
    """The `__getattr__` of a package: `homes` says in which of its modules each name is, or after a colon which entry
    point of `amb.extras` brings it.

    When a module cannot be loaded for want of one of `modules` (or of a part of it), MissingExtra says that `needs`
    comes with `extra`. `renamed` are old names of what the package exports by new ones; using one gives a
    DeprecationWarning. With `own_modules` the package's modules are its attributes before anybody has imported them.
    """

    def load(name: str) -> Any:
        if renamed is not None and name in renamed:
            new = renamed[name]
            warnings.warn(f"{package}.{name} is called {new} now", DeprecationWarning, stacklevel=2)
            return getattr(sys.modules[package], new)
        if name not in homes:
            if own_modules and not name.startswith("_") and _is_there(f"{package}.{name}"):
                return importlib.import_module(f"{package}.{name}")
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name].startswith(":"):
            from amb_core.registry import find_extra

            return find_extra(homes[name][1:])
        try:
            found = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        except ModuleNotFoundError as error:
            if any(_is_part(error.name or "", module) for module in modules):
                from amb_core.errors import MissingExtra

                raise MissingExtra(needs, extra=extra) from error
            raise
        setattr(sys.modules[package], name, found)
        return found

    return load


def _is_part(missing: str, module: str) -> bool:
    """Whether a module that is missing is this one, a part of it, or the package that it is a part of."""
    return missing == module or missing.startswith(f"{module}.") or module.startswith(f"{missing}.")


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
