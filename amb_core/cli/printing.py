"""What the command prints: nothing in it steers the terminal."""

from __future__ import annotations

from typing import TextIO

__all__ = ["say"]


def say(text: str, *, file: TextIO | None = None) -> None:
    """Print what may hold words of sources or names of files: nothing in it steers the terminal."""
    from amb_core.rendering import visible

    print(visible(text), file=file, flush=True)
