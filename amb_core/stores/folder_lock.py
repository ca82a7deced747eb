"""The lock that keeps a folder to one writer; it ends with its process, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from amb_core.errors import StoreLocked

__all__ = ["FolderLock"]


class FolderLock:
    """Holds a file in a folder; StoreLocked when somebody else, in this process or another, holds it."""

    def __init__(self, folder: Path, *, name: str = "lock") -> None:
        self._handle: int | None = os.open(folder / name, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        if not _taken(self._handle):
            self.release()
            raise StoreLocked(f"{folder} is in use by another process or bank; close it there, then open it again.")

    def release(self) -> None:
        """Let go; calling twice is no error."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _taken(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
