"""Parts of an index as arrays and JSON values, so that they can be kept in a file and taken up again."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

__all__ = ["Packed", "floats", "integers", "strings", "value"]

Packed: TypeAlias = dict[str, Any]
"""Named arrays and JSON values; what a part makes of itself (`packed`) and takes up again (`restore`)."""


def value(packed: Packed, name: str, kind: type) -> Any:
    """The JSON value of that name; ValueError when there is none of that kind."""
    found = packed.get(name)
    if not isinstance(found, kind):
        raise ValueError(f"{name} is missing or of another kind")
    return found


def strings(packed: Packed, name: str) -> list[str]:
    """The list of that name."""
    return cast("list[str]", value(packed, name, list))


def integers(packed: Packed, name: str, dtype: type[np.signedinteger[Any]] = np.int64) -> NDArray[Any]:
    """The whole numbers of that name; ValueError when they are of another type."""
    return _array(packed, name, np.dtype(dtype))


def floats(packed: Packed, name: str) -> NDArray[np.float32]:
    """The float32 array of that name."""
    return _array(packed, name, np.dtype(np.float32))


def _array(packed: Packed, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    found = packed.get(name)
    if not isinstance(found, np.ndarray) or found.dtype != dtype:
        raise ValueError(f"{name} is missing or of another type")
    return found
