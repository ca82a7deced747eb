"""Records by id that may still be as they were stored, and are read when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, TypeVar

from pydantic import ValidationError

from amb_core.models import Frozen
from amb_core.stores.record_codec import decode

__all__ = ["Records", "parsed"]

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
