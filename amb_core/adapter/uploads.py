"""Files that a user sends inside of a message: they wait in memory until the agent has said what is in them."""

from __future__ import annotations

import base64
import mimetypes
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from amb_core.adapter.chat_messages import calls_of, text_of
from amb_core.adapter.nested_runs import outer_run
from amb_core.adapter.origins import origin_of
from amb_core.adapter.wire_forms import fields_of
from amb_core.attachments import AttachmentType
from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.models import StepResult

__all__ = ["Uploads"]

_DATA_URL = re.compile(r"data:(?P<type>[\w.+-]+/[\w.+-]+)(?:;[\w.+=-]+)*;base64,(?P<data>.+)", re.DOTALL)
_DEEPEST = 3


class Uploads:
    """Attaches what user messages bring, each file once, and closes its step by the agent's next words. Thread-safe.

    Inside of a step of `run_task` that closes it. A file that is too large for memory stays in its message alone.
    """

    def __init__(self, bank: MemoryBank, *, attempt: Callable[[str, Callable[[], None]], None]) -> None:
        self._bank, self._attempt = bank, attempt
        self._known: set[tuple[str, int]] = set()
        self._lock = CallLock()
        self._at = -1  # the last message that brought a file

    def follow(self, messages: Sequence[Mapping[str, Any]], *, start: int) -> None:
        """Attach the files of a transcript that are new, and take what the agent says behind them as what they show.

        Messages before the place `start` were looked at.
        """
        with self._lock:
            self._at = self._at if self._at < start else -1
            for at in range(start, len(messages)):
                message = messages[at]
                if message["role"] == "user" and not isinstance(message.get("content"), str | None):
                    self._at = at if self._attach(message) else self._at
            last = self._at
        if last < 0 or outer_run() is not None or not self._bank.host.waiting:
            return
        said = (message for message in messages[last + 1 :] if message["role"] == "assistant" and not calls_of(message))
        text = next(filter(str.strip, (text_of(message.get("content")) for message in said)), "")
        if text:
            self._attempt("keep what a file shows", partial(self._close, text))

    def _attach(self, message: Mapping[str, Any]) -> bool:
        """Attach the files of one message; whether it has any."""
        files = list(_files_in(message.get("content"), _DEEPEST))
        for kind, data in files:
            if (kind, hash(data)) not in self._known:
                self._known.add((kind, hash(data)))
                self._attempt("attach a file", partial(self._put, kind, data))
        return bool(files)

    def _put(self, kind: str, text: str) -> None:
        try:
            data = base64.b64decode(text, validate=True)
        except ValueError:
            return
        if len(data) > self._bank.settings.max_attachment_bytes:
            return
        form = AttachmentType.IMAGE if kind.startswith("image/") else AttachmentType.DOCUMENT
        with tempfile.TemporaryDirectory(prefix="amb-upload-") as folder:
            file = Path(folder) / f"upload{mimetypes.guess_extension(kind) or ''}"
            file.write_bytes(data)
            self._bank.attach(file, type=form)

    def _close(self, text: str) -> None:
        pending = self._bank.plan().pending
        if pending is not None and pending.attachment_ids:
            self._bank.host.finish_step(StepResult(text=text))


def _files_in(part: object, deep: int) -> Iterator[tuple[str, str]]:
    """Media type and base64 of the files in the content of a message."""
    if isinstance(part, str):
        found = _DATA_URL.fullmatch(part)
        yield from [(found["type"], found["data"])] if found else ()
    elif isinstance(part, list | tuple):
        for value in part if deep else ():
            yield from _files_in(value, deep - 1)
    elif theirs := origin_of(part) if isinstance(part, Mapping) and part.get("type") == "file" else None:
        yield from _files_in(fields_of(theirs), deep)  # a document, as its provider writes it
    else:
        fields = fields_of(part)
        kind, data = fields.get("media_type") or fields.get("mime_type"), fields.get("data")
        if isinstance(kind, str) and isinstance(data, str):
            yield kind, data
        for value in fields.values() if deep and data is None else ():
            yield from _files_in(value, deep - 1)
