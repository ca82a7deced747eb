"""The index of a large namespace, kept in a file beside its store so that opening it again is quick.

The file is never trusted further than the records it was made from: it holds a checksum of every one of them. Those
that differ or are new are indexed anew; a file that is torn, of another version of the text processing, or of records
in another order is not used at all.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import numpy as np

from amb_core.longterm.record_index import RecordIndex
from amb_core.retrieval import Packed
from amb_core.retrieval.index_arrays import strings
from amb_core.retrieval.index_file import read_index, recipe, write_index

__all__ = ["KeptRecordIndex", "KeptRecords", "checksums"]

_log = logging.getLogger("amb.longterm")
_NAMES = ("record_index", "loaded_namespaces", "replacement", "change_words")
_FILES = [Path(__file__).parent / f"{name}.py" for name in _NAMES]
_OWN = "sums"


def checksums(rows: Iterable[tuple[bytes, bytes, bytes]], *, namespace: str) -> dict[str, int]:
    """A checksum of each record of one stored namespace by id, in order, from a store's rows (namespace, id, data)."""
    within = namespace.encode("utf-8", "surrogatepass")
    return {
        name.decode("utf-8", "surrogatepass"): crc32(data, crc32(name)) for own, name, data in rows if own == within
    }


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """What a file holds of a namespace: the parts of the index as they were packed, and what else was kept with it.

    `ids` are the records it was made of, in order; `changed` are ids to be put into the index anew, in order, because
    the record is new or differs; `gone` are ids to be removed from it.
    """

    parts: Mapping[str, Packed]
    ids: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]


class KeptRecordIndex:
    """The file of one namespace; `path` is best made by `beside`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, store: Path, *, namespace: str) -> KeptRecordIndex:
        """The file of a namespace of the store in a file; two namespaces never share one."""
        digest = sha256(namespace.encode("utf-8", "surrogatepass")).hexdigest()
        return cls(store.with_name(f"{store.name}.{digest[:24]}.index"))

    def write(self, index: RecordIndex, *, sums: Mapping[str, int], also: Mapping[str, Packed] | None = None) -> bool:
        """Keep an index of exactly the records that `sums` has checksums of, in order; False when it was not kept.

        That costs time at the next opening, nothing else; an old file is removed then.
        """
        if list(index) != list(sums):
            self.drop()
            return False
        own: Packed = {"ids": list(sums), "sums": np.array(list(sums.values()), dtype="<u4")}
        try:
            write_index(self.path, {"recipe": recipe(*_FILES)}, {_OWN: own, **index.packed(), **(also or {})})
        except (OSError, UnicodeError) as error:
            _log.warning("an index was not kept (%s); the next opening makes it anew", type(error).__name__)
            with suppress(OSError):
                self.drop()
            return False
        return True

    def read(self, *, sums: Mapping[str, int]) -> KeptRecords | None:
        """What is kept, held against the records as they are (`sums`, in the order of the store).

        None when there is no file of this version, or not of these records in this order: the index is then to be
        made from the records.
        """
        kept = read_index(self.path)
        if kept is None or kept.header.get("recipe") != recipe(*_FILES) or _OWN not in kept.parts:
            return None
        own = kept.parts.pop(_OWN)
        try:
            before = dict(zip(strings(own, "ids"), own["sums"].tolist(), strict=True))
        except (ValueError, KeyError, AttributeError):
            return None
        order = [name for name in before if name in sums]
        new = [name for name in sums if name not in before]
        if [*order, *new] != list(sums):
            return None
        changed = [name for name, value in sums.items() if before.get(name) != value]
        return KeptRecords(
            parts=kept.parts,
            ids=tuple(before),
            changed=tuple(changed),
            gone=tuple(name for name in before if name not in sums),
        )

    def drop(self) -> None:
        """Remove the file, with every word in it; none is no error."""
        for path in (self.path, self.path.with_name(f"{self.path.name}.part")):
            path.unlink(missing_ok=True)
