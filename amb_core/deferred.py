"""Public names of a package that are loaded when somebody first uses them, with a hint where an extra is missing."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["LeftPackages", "deferred"]


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
    """The `__getattr__` of a package: `homes` says in which of its modules each name is.

    A home `/name` is another package, and `:name` an entry point of `amb.extras`.
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
            home = homes[name][1:] if homes[name].startswith("/") else f"{package}.{homes[name]}"
            found = getattr(importlib.import_module(home), name)
        except ModuleNotFoundError as error:
            if any(_is_part(error.name or "", module) for module in modules):
                from amb_core.errors import MissingExtra

                raise MissingExtra(needs, extra=extra) from error
            raise
        setattr(sys.modules[package], name, found)
        return found

    return load


class LeftPackages:
    """Finds packages that left another one by their old names, so that `from package.old import X` works and warns.

    `homes` says by old name, as in `amb_core.team`, what the package or module is called now; so do its modules.
    """

    def __init__(self, homes: Mapping[str, str]) -> None:
        self._homes = homes

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """What the import system asks of whatever stands in `sys.meta_path`."""
        return ModuleSpec(name, self, is_package=True) if self._home(name) else None  # type: ignore[arg-type]

    def _home(self, name: str) -> str:
        """What a module of an old name is called now; "" for one that did not leave."""
        old = next((old for old in self._homes if f"{name}.".startswith(f"{old}.")), None)
        return "" if old is None else self._homes[old] + name[len(old) :]

    def create_module(self, spec: ModuleSpec) -> None:
        """None: a module as any other."""

    def exec_module(self, module: ModuleType) -> None:
        """Give the module the names of the package that it is now."""
        home = self._home(module.__name__)

        def load(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            warnings.warn(f"{module.__name__} is called {home} now", DeprecationWarning, stacklevel=2)
            return getattr(importlib.import_module(home), name)

        vars(module)["__getattr__"] = load


def _is_part(missing: str, module: str) -> bool:
    """Whether a module that is missing is this one, a part of it, or the package that it is a part of."""
    return missing == module or missing.startswith(f"{module}.") or module.startswith(f"{missing}.")


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
