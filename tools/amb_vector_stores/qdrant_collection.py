"""Opening Qdrant, in a folder or on a server: the collection, what went wrong, and rows that cannot be read back."""

from __future__ import annotations

import base64
import json
import logging
import os
import pickle
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qs, urlsplit

from amb_core.errors import (
    AmbError,
    InvalidParameter,
    MissingExtra,
    StoreCorrupt,
    StoreError,
    StoreLocked,
    StoreUnreachable,
)
from amb_core.stores.sqlite_schema import translated
from amb_core.stores.store_folder import folder_errors, make_folder
from amb_vector_stores.points import frame_of, name_of, point_id, salvaged_frame, text_of

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import PointStruct

__all__ = [
    "checked_collection",
    "connect",
    "create_collection",
    "environment_key",
    "make_qdrant_folder",
    "open_folder",
    "qdrant_errors",
    "server_of",
    "storage_files",
    "vacuum_folder",
]

_log = logging.getLogger("amb.stores")
_OURS = {"lock", ".lock", "meta.json", "meta.json.tmp", "collection", "files"}
_HOST = re.compile(r"[\w.-]+|[0-9a-f:.]+(?:%\w+)?")
_COLLECTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_STRANGE = "answers, but not as a Qdrant server does; check the address and its prefix."
_UNREADABLE = (pickle.UnpicklingError, EOFError, LookupError, AttributeError, ImportError, TypeError, ValueError)
"""What unpickling damaged bytes and looking into the result ends with."""


# --- addresses --------------------------------------------------------------------------------------------------------


def server_of(url: str) -> tuple[str, str]:
    """The address in `qdrant+http://host:port/prefix?collection=name`, and the collection (`amb` by default)."""
    try:
        parts = urlsplit(url.removeprefix("qdrant+"))
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    asked = parse_qs(parts.query, keep_blank_values=True)
    if parts.username is not None or parts.password is not None:
        raise InvalidParameter("the address of a Qdrant server holds no key; put it into QDRANT_API_KEY.")
    named = parts.scheme in ("http", "https") and host and _HOST.fullmatch(host)
    if not named or not host or parts.fragment or set(asked) - {"collection"}:
        raise InvalidParameter(f"{url!r} is no address of a Qdrant server; write qdrant+http://host:6333.")
    shown = f"[{host}]" if ":" in host else host
    collection = asked.get("collection", ["amb"])[-1]
    return f"{parts.scheme}://{shown}:{port or 6333}{parts.path.rstrip('/')}", checked_collection(collection)


def checked_collection(name: str) -> str:
    """The name itself; InvalidParameter for one that is no plain word."""
    if not _COLLECTION.fullmatch(name):
        raise InvalidParameter(f"{name!r} names no collection; use up to 100 letters, digits, '.', '-' and '_'.")
    return name


def connect(address: str, *, key: str | None, timeout: float) -> QdrantClient:
    """A client of a server; nothing is asked yet."""
    client = _client_class()
    with qdrant_errors(address):
        return client(url=address, api_key=key, timeout=max(1, round(timeout)), check_compatibility=False)


# --- folders ----------------------------------------------------------------------------------------------------------


def make_qdrant_folder(folder: Path) -> None:
    """Make the folder; one with other files in it is left alone."""
    _client_class()
    with folder_errors(folder):
        make_folder(folder, is_ours=_OURS.__contains__, mark="meta.json")


def open_folder(
    folder: Path, collection: str, *, synchronous: Literal["NORMAL", "FULL"], timeout: float
) -> QdrantClient:
    """The embedded engine on a folder, with its collection; damaged rows are set right first, where that is needed."""
    client_class = _client_class()
    with qdrant_errors(str(folder)):
        _check_list_of_collections(folder)
        try:
            client = client_class(path=str(folder), force_disable_check_same_thread=True)
        except _UNREADABLE:
            for file in storage_files(folder):
                _mend(file)
            client = client_class(path=str(folder), force_disable_check_same_thread=True)
        try:
            if not client.collection_exists(collection):
                create_collection(client, collection)
            _tune(client, collection, synchronous, timeout)
        except BaseException:
            client.close()
            raise
    return client


def create_collection(client: QdrantClient, collection: str) -> None:
    """A collection of points without vectors but for the words of texts; vectors are added when the first one comes."""
    from qdrant_client import models

    words = models.SparseVectorParams(modifier=models.Modifier.IDF)
    client.create_collection(collection, vectors_config={}, sparse_vectors_config={"words": words})


def storage_files(folder: Path) -> list[Path]:
    """The SQLite files the embedded engine keeps its points in."""
    return sorted(folder.glob("collection/*/storage.sqlite"))


def vacuum_folder(folder: Path) -> None:
    """Rewrite the files of a folder without what was deleted from them; the engine may have them open, but idle."""
    for file in storage_files(folder):
        with qdrant_errors(str(folder)), closing(sqlite3.connect(file, timeout=5.0, isolation_level=None)) as database:
            database.execute("VACUUM")
            if database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise StoreLocked(f"{file} is being read by another process; close it there and scrub again.")


def _tune(client: QdrantClient, collection: str, synchronous: str, timeout: float) -> None:
    """Have a commit of the embedded engine cost one wait for the disk, or none, and overwrite what it deletes.

    It commits every point by itself and has no option for this; without it a write takes some fifty times longer.
    """
    database = client._client.collections[collection].storage.storage  # type: ignore[attr-defined]
    database.execute("PRAGMA journal_mode = WAL").fetchall()
    database.execute(f"PRAGMA synchronous = {synchronous}")
    database.execute(f"PRAGMA busy_timeout = {round(1_000 * timeout)}").fetchall()
    database.execute("PRAGMA secure_delete = ON").fetchall()


def _check_list_of_collections(folder: Path) -> None:
    """Remove a list of collections that was cut off while the folder was being made; any other damage is told."""
    file = folder / "meta.json"
    if not file.exists():
        return
    try:
        known = json.loads(file.read_bytes())["collections"]
    except (ValueError, LookupError, TypeError):
        known = None
    if known is None and storage_files(folder):
        raise StoreCorrupt(f"{file} cannot be read back; restore the folder from a backup.")
    if known is None:
        file.unlink()


def _mend(file: Path) -> None:
    """Put a point that only says what it was in the place of every row that cannot be read back.

    A row that does not even tell that is moved to the table `unreadable` of the same file.
    """
    with closing(sqlite3.connect(file, timeout=5.0)) as database, database:
        for key, raw in database.execute("SELECT id, point FROM points").fetchall():
            if _readable(raw):
                continue
            replacement = _stand_in(raw)
            if replacement is None or _key(replacement.id) != key:
                _log.warning("%s: a row that cannot be read back was set aside in the table `unreadable`", file)
                database.execute("CREATE TABLE IF NOT EXISTS unreadable (id, point)")
                database.execute("INSERT INTO unreadable SELECT id, point FROM points WHERE id = ?", (key,))
                database.execute("DELETE FROM points WHERE id = ?", (key,))
            else:
                database.execute("UPDATE points SET point = ? WHERE id = ?", (pickle.dumps(replacement), key))


def _readable(raw: bytes) -> bool:
    try:
        point = pickle.loads(raw)
        return isinstance(point.id, str) and isinstance(point.payload, dict) and isinstance(point.vector, dict)
    except _UNREADABLE:
        return False


def _stand_in(raw: bytes) -> PointStruct | None:
    """A point that says which record was here; None when the bytes do not tell."""
    from qdrant_client import models

    found = salvaged_frame(raw)
    if found is None:
        return None
    namespace, key = text_of(found[1]), text_of(found[2])
    frame = frame_of("record", namespace, key)
    names = {"namespace": name_of(namespace), "id": name_of(key)}
    payload = {"kind": "record", "frame": frame, **names, "place": 0, "data": "", "crc": -1, "expires_at": None}
    return models.PointStruct(id=point_id(frame), vector={}, payload=payload)


def _key(point: object) -> str:
    """The key under which the embedded engine stores a point."""
    return base64.b64encode(pickle.dumps(point, protocol=4)).decode()


# --- errors -----------------------------------------------------------------------------------------------------------


def _client_class() -> type[QdrantClient]:
    try:
        from qdrant_client import QdrantClient
    except ImportError:
        raise MissingExtra("qdrant-client", extra="qdrant") from None
    return QdrantClient


@contextmanager
def qdrant_errors(place: str) -> Iterator[None]:
    """Any error of the engine inside as a StoreError that says what it means for the user."""
    _client_class()
    from qdrant_client.common.client_exceptions import QdrantException
    from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

    with folder_errors(place):
        try:
            yield
        except (AmbError, OSError):
            raise
        except UnexpectedResponse as error:
            raise _refusal(error.status_code, str(error), place) from error
        except ResponseHandlingException as error:
            if not any(kind.__name__ == "TransportError" for kind in type(error.source).__mro__):  # of httpx
                raise StoreError(f"{place} {_STRANGE}") from error
            if _names_nobody(error.source):
                raise StoreError(f"{place}: there is no host of this name; check the address.") from error
            reason = type(error.source).__name__
            text = f"{place} does not answer ({reason}); start the Qdrant server, or check the address."
            raise StoreUnreachable(text) from error
        except sqlite3.Error as error:
            raise translated(error, Path(place)) from error
        except (RuntimeError, ApiException, QdrantException, ValueError, AssertionError) as error:
            raise _local_error(error, place) from error


def _names_nobody(error: BaseException | None) -> bool:
    """Whether what failed is the look-up of a host that does not exist; a look-up that got no answer may work later."""
    while error is not None and not isinstance(error, socket.gaierror):
        error = error.__cause__ or error.__context__
    return error is not None and error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None))


def _refusal(status: int | None, text: str, place: str) -> StoreError:
    said, told = " ".join(text.split())[:200], f"{place}: the Qdrant server"
    if status in (401, 403):
        return StoreError(f"{told} refuses the key; put the right one into QDRANT_API_KEY.")
    if status == 413:
        return StoreError(f"{told} takes no request of this size; raise service.max_request_size_mb there.")
    if status == 429 or (status or 0) >= 500:
        return StoreUnreachable(f"{told} cannot do its work now ({said}); try again in a moment.")
    return StoreError(f"{told} refuses ({said}); check the collection and the server's version.")


def _local_error(error: Exception, place: str) -> StoreError:
    if isinstance(error, RuntimeError) and "already accessed" in str(error):
        return StoreLocked(f"{place} is in use by another program; close it there, then open it again.")
    if place.startswith("http"):
        return StoreError(f"{place} {_STRANGE}")
    return StoreError(f"{place}: the engine refuses ({str(error)[:200]}); open the store again.")


def environment_key() -> str | None:
    """The key of a Qdrant server, from the environment."""
    return os.environ.get("QDRANT_API_KEY") or os.environ.get("QDRANT_KEY") or None
