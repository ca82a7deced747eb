"""A bank as a JSON file: written atomically, read back only when it is whole."""

from __future__ import annotations

import errno
import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from amb_core.errors import InvalidExport, StoreError
from amb_core.memory.wholeness import damage
from amb_core.models import BankSnapshot

__all__ = ["read_snapshot", "write_snapshot"]

_FORMAT = "amb-task-memory"
_VERSION = 1
_SHOWN = 300
"""Characters of a path or of what is wrong that an error repeats."""


def write_snapshot(snapshot: BankSnapshot, path: str | Path) -> Path:
    """Write the snapshot beside `path` and move it there; StoreError when the disk will not take it."""
    target = Path(path)
    partial = target.with_name(f".{target.name}.part")
    data = snapshot.model_dump(mode="json")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        except UnicodeEncodeError:  # lone surrogates survive as \\uXXXX escapes
            partial.write_text(json.dumps(data, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
        os.replace(partial, target)
    except OSError as error:
        with suppress(OSError):  # the place may be impossible altogether
            partial.unlink(missing_ok=True)
        raise StoreError(
            f"{str(target)[:_SHOWN]} cannot be written ({error.strerror or error}); choose another place"
        ) from error
    return target


def read_snapshot(path: str | Path) -> BankSnapshot:
    """Read a file `write_snapshot` made; InvalidExport says what is wrong with any other."""
    source = Path(path)
    try:
        data = json.loads(_text_of(source))
    except FileNotFoundError:
        raise InvalidExport(f"there is no file {source}; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidExport(f"{source} cannot be read as text ({type(error).__name__}); is it a memory file?") from None
    except (ValueError, RecursionError):  # numbers of thousands of digits are a plain ValueError
        raise InvalidExport(f"{source} is torn or no JSON; export the bank again") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise InvalidExport(f"{source} is no AMB memory file (its format is not {_FORMAT!r})")
    version = data.get("version")
    if type(version) is not int or not 1 <= version <= _VERSION:  # True is an int, too
        raise InvalidExport(f"{source} has version {version!r}; this AMB reads up to {_VERSION}. Upgrade AMB.")
    try:
        snapshot = BankSnapshot.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:_SHOWN]
        raise InvalidExport(f"{source} is damaged at {where}: {first['msg']}; export the bank again") from None
    broken = damage(snapshot)
    if broken:
        raise InvalidExport(f"{source} is damaged: {broken[:_SHOWN]}; export the bank again")
    return snapshot


def _text_of(path: Path) -> str:
    """What is in a regular file; pipes and devices, which would block or never end, are not read from."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return file.read().decode("utf-8")
