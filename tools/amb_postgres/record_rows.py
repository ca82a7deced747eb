"""A record as a row of a table, and a row as a record."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import JsonValue

from amb_core.protocols import Record
from amb_core.stores.record_codec import checked_record, decode, encode
from amb_postgres.postgres_address import stored_text, text_of_stored

__all__ = ["Row", "record_of", "row_of", "written"]

Row: TypeAlias = tuple[Any, ...]


def _data(data: dict[str, JsonValue]) -> str:
    """The data as JSON text; with a lone surrogate in it, escaped behind a backslash, with which no JSON begins."""
    text = encode(data)
    return text if isinstance(text, str) else "\\" + stored_text(text.decode("utf-8", "surrogatepass"))


def _read(stored: str) -> dict[str, JsonValue]:
    text = text_of_stored(stored[1:]) if stored.startswith("\\") else stored
    return decode(text.encode("utf-8", "surrogatepass"))


def written(name: str, value: str) -> tuple[str, str]:
    """How a member with that value may stand in the stored data, of which another part may have been escaped."""
    member = encode({name: value})[1:-1]
    text = member if isinstance(member, str) else member.decode("utf-8", "surrogatepass")
    escaped = stored_text(text)
    return (text if isinstance(member, str) else escaped), escaped


def row_of(record: Record) -> tuple[str, str, str, float, float, float | None]:
    """Namespace, id, data, created, updated, expires; InvalidParameter when the record is not JSON."""
    data = _data(checked_record(record))
    return (
        *(stored_text(record.namespace), stored_text(record.id), data),
        *(record.created_at, record.updated_at, record.expires_at),
    )


def record_of(row: Row) -> Record | None:
    """The record of a row that begins with these columns; None when its data cannot be read back."""
    namespace, key, data, created_at, updated_at, expires_at = row[:6]
    try:
        read = _read(data)
    except ValueError:
        return None
    return Record(text_of_stored(namespace), text_of_stored(key), read, created_at, updated_at, expires_at)
