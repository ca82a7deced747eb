"""Whether the file a store has open is still the one under its name: a deleted one would take writes and lose them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, TypeAlias

from amb_core.errors import StoreGone

__all__ = ["Identity", "check_open_file", "check_there", "identity_of"]

Identity: TypeAlias = tuple[int, int] | None
"""Device and number of a file; None where the system has none."""


def identity_of(path: Path) -> Identity:
    """What tells the file of that name from another one that is put in its place."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found.st_ino else None


def check_there(path: Path, identity: Identity) -> None:
    """Raise StoreGone unless the file of that name is the one with this identity."""
    if identity is not None and identity_of(path) != identity:
        raise StoreGone(f"{path} was deleted or replaced while it was open; open the store again.")


def check_open_file(path: Path, file: BinaryIO) -> None:
    """Raise StoreGone unless the open file is the one of that name."""
    found = os.fstat(file.fileno())
    check_there(path, (found.st_dev, found.st_ino) if found.st_ino else None)
