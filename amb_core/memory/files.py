"""The bank's own folder for attachments, made when the first one comes."""

from __future__ import annotations

import tempfile
from functools import cached_property
from pathlib import Path

from amb_core.models import Attachment, AttachmentContent, AttachmentType
from amb_core.settings import Settings
from amb_core.stores.attachment_files import AttachmentFiles

__all__ = ["BankFiles"]


class BankFiles:
    """Attachments of one bank: beside its SQLite file, in `Settings.storage_dir`, or in a private temporary folder."""

    def __init__(self, settings: Settings, *, store_url: str | None) -> None:
        self._settings = settings
        self._store_url = store_url or ""
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    @cached_property
    def _folders(self) -> AttachmentFiles:
        storage, temp = self._settings.storage_dir, self._settings.temp_dir
        if storage is None and self._store_url.startswith("sqlite:///"):
            storage = Path(self._store_url.removeprefix("sqlite:///") + ".files")
        if storage is None or temp is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="amb-")
            storage = storage or Path(self._scratch.name) / "storage"
            temp = temp or Path(self._scratch.name) / "temp"
        return AttachmentFiles(storage, temp, max_bytes=self._settings.max_attachment_bytes)

    def receive(self, doc_id: str, path: Path, *, type: AttachmentType) -> Path:
        """Copy a file into temporary storage; returns where it is now."""
        return self._folders.receive(doc_id, path, type=type)

    def keep(self, attachment: Attachment) -> Attachment:
        """Move a waiting attachment's file to permanent storage."""
        return attachment.model_copy(update={"content": str(self._folders.keep(Path(attachment.content)))})

    def adopt(self, attachment: Attachment, *, doc_id: str) -> Attachment:
        """Copy a file a tool returned straight into permanent storage."""
        return self.keep(
            attachment.model_copy(
                update={"content": str(self.receive(doc_id, Path(attachment.content), type=attachment.type))}
            )
        )

    def read(self, attachment: Attachment) -> AttachmentContent:
        """The attachment with what is in its file."""
        return self._folders.read(attachment)

    def remove(self, attachment: Attachment) -> None:
        """Delete an attachment's file; a missing one is no error."""
        self._folders.remove(Path(attachment.content))

    def discard(self, doc_id: str) -> None:
        """Delete what is temporary, and the private folder if there is one."""
        if "_folders" in self.__dict__:
            self._folders.discard(doc_id)
        if self._scratch is not None:
            self._scratch.cleanup()
