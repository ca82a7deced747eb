"""What SQLite leaves of moved rows in the free space of pages: copies that deleting the row does not overwrite.

When a page is split or joined with another, its rows move, and the bytes where they stood stay until something else is
written there. `PRAGMA secure_delete` overwrites only the place a row has when it is deleted. About one deleted text in
a thousand is left so, in files that are written to for long; rewriting the file (`VACUUM`) removes it.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["holds_residue"]

_TABLE_LEAF = 13
_FILE_HEADER = 100


def holds_residue(image: bytes, beginnings: Iterable[bytes]) -> bool:
    """Whether the free space of a database (its bytes) holds a row that begins so: its columns one after the other.

    What is overwritten of such a copy is its end: new rows are laid into free space from there.
    """
    free = _free_space(image)
    return any(beginning in free for beginning in beginnings)


def _free_space(image: bytes) -> bytes:
    """The bytes between the list of rows and the rows, of all pages with rows of tables, where they are not blank."""
    size = int.from_bytes(image[16:18], "big")
    size = 65_536 if size == 1 else size
    found: list[bytes] = []
    for page in range(0, len(image), size):
        head = page if page else _FILE_HEADER
        if image[head] != _TABLE_LEAF:
            continue
        count = int.from_bytes(image[head + 3 : head + 5], "big")
        rows = int.from_bytes(image[head + 5 : head + 7], "big") or 65_536
        free = image[head + 8 + 2 * count : page + rows].strip(b"\0")
        if free:
            found.append(free)
    return b"\0".join(found)
