"""A bank's records as they are stored, byte by byte; each is read when somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast, runtime_checkable
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from amb_core.errors import StoreCorrupt
from amb_core.memory.change_set import KINDS, ChangeSet, Counters
from amb_core.models import Frozen
from amb_core.retrieval import Packed
from amb_core.stores.record_codec import decode

__all__ = ["PREFIX", "Records", "RowStore", "StoredRows", "parsed"]

PREFIX = "task/"
"""What the namespaces of a bank's records begin with; the kind follows."""


@runtime_checkable
class RowStore(Protocol):
    """A store in a file that can also give out its records as they are stored."""

    @property
    def path(self) -> Path: ...

    def rows(self, prefix: str) -> Sequence[tuple[bytes, bytes, bytes]]:
        """Namespace, id and data of every record whose namespace begins so, in insertion order, as they are stored."""
        ...


@dataclass(frozen=True, slots=True)
class StoredRows:
    """A bank's records as they are stored, by kind and id, with a checksum each."""

    raw: dict[str, dict[str, bytes]] = field(default_factory=dict)
    sums: dict[str, NDArray[np.uint32]] = field(default_factory=dict)

    @classmethod
    def of(cls, store: RowStore) -> StoredRows:
        """Read all of them."""
        found: dict[bytes, tuple[list[bytes], list[bytes]]] = {(PREFIX + kind).encode(): ([], []) for kind in KINDS}
        for namespace, name, data in store.rows(PREFIX):
            if namespace in found:
                names, values = found[namespace]
                names.append(name)
                values.append(data)
        rows = cls()
        for kind in KINDS:
            names, values = found[(PREFIX + kind).encode()]
            rows.raw[kind] = dict(zip(map(_text, names), values, strict=True))
            rows.sums[kind] = np.array(list(map(crc32, values, map(crc32, names))), dtype="<u4")
        return rows

    def packed(self) -> dict[str, Packed]:
        """The ids and checksums."""
        # Ids as one text: they are looked at only when something has changed.
        return {
            f"rows/{kind}": {
                "ids": np.frombuffer("\n".join(raw).encode("utf-8", "surrogatepass"), dtype=np.uint8),
                "sums": self.sums[kind],
            }
            for kind, raw in self.raw.items()
        }

    def parsed(self, kinds: Iterable[str]) -> ChangeSet:
        """The records of some kinds, in order; an unreadable one is a StoreCorrupt that names it."""
        changes = ChangeSet(last={})
        for kind in kinds:
            model = KINDS[kind].model
            for name, data in self.raw[kind].items():
                try:
                    changes.put(parsed(model, data))
                except ValidationError as error:
                    raise StoreCorrupt(f"stored {kind} {name!r} is not valid: {error.errors()[0]['msg']}") from None
                except ValueError:
                    raise StoreCorrupt(
                        f"stored {kind} {name!r} cannot be read; restore the file from a backup"
                    ) from None
        counters = changes.puts.get(("counters", "-"))
        changes.last = dict(counters.last) if isinstance(counters, Counters) else {}
        return changes

    @staticmethod
    def ids(kept: Mapping[str, Packed], kind: str) -> list[str]:
        """The ids of a kind that were kept."""
        joined = bytes(kept[f"rows/{kind}"]["ids"]).decode("utf-8", "surrogatepass")
        return joined.split("\n") if joined else []

    def changed(self, kept: Mapping[str, Packed], kind: str) -> tuple[set[str], set[str]]:
        """Ids of a kind that are new or differ from those `kept`, and ids that are no longer there."""
        before = dict(zip(self.ids(kept, kind), self._sums(kept, kind).tolist(), strict=True))
        now = dict(zip(self.raw[kind], self.sums[kind].tolist(), strict=True))
        return {name for name, crc in now.items() if before.get(name) != crc}, before.keys() - now.keys()

    def equal(self, kept: Mapping[str, Packed]) -> bool:
        """Whether the rows are those that were kept, all of them and no others."""
        return all(np.array_equal(sums, self._sums(kept, kind)) for kind, sums in self.sums.items())

    @staticmethod
    def _sums(kept: Mapping[str, Packed], kind: str) -> NDArray[np.uint32]:
        return cast("NDArray[np.uint32]", kept[f"rows/{kind}"]["sums"])


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise StoreCorrupt(f"the id {raw[:40]!r} cannot be read; restore the file from a backup") from None


Kind = TypeVar("Kind", bound=Frozen)


def parsed(model: type[Kind], raw: bytes) -> Kind:
    """The record that was stored as these bytes; ValueError when there is no such record in them."""
    try:
        return model.model_validate_json(raw)
    except ValidationError:  # a lone surrogate, or a record that is really broken
        return model.model_validate(decode(raw), strict=False)


class Records(MutableMapping[str, Kind]):
    """A dictionary of records; what `restore` put there is read at the first look at it."""

    def __init__(self, model: type[Kind]) -> None:
        self._model = model
        self._items: dict[str, Any] = {}

    def restore(self, raw: Mapping[str, bytes]) -> None:
        """Hold these stored records and no others; they must have been found whole before."""
        self._items = dict(raw)

    def __getitem__(self, key: str) -> Kind:
        item = self._items[key]
        if type(item) is bytes:
            item = self._items[key] = parsed(self._model, item)
        return item  # type: ignore[no-any-return]

    def __setitem__(self, key: str, record: Kind) -> None:
        self._items[key] = record

    def __delitem__(self, key: str) -> None:
        del self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._items)

    def __len__(self) -> int:
        return len(self._items)
