"""A file that is written whole or not at all: what was there before stays until the new one is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["part_of", "write_file"]


@contextmanager
def write_file(target: Path, *, prefix: str = "") -> Iterator[Path]:
    """The path to write under until the block ends, beside the target: its name with `prefix` before and `.part` after.

    The file takes the target's place at the end. After an error, which goes on to the caller, it is removed.
    """
    partial = part_of(target, prefix=prefix)
    try:
        yield partial
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):  # the place may be impossible altogether
            partial.unlink(missing_ok=True)
        raise


def part_of(target: Path, *, prefix: str = "") -> Path:
    """Where a file is while it is written."""
    return target.with_name(f"{prefix}{target.name}.part")
