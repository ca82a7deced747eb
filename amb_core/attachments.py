"""The files of entries, and what is in them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from amb_core.frozen import Frozen

__all__ = ["Attachment", "AttachmentContent", "AttachmentType"]


class AttachmentType(StrEnum):
    """What kind of file an attachment is."""

    IMAGE = "image"
    DOCUMENT = "document"
    CODE = "code"


class Attachment(Frozen):
    """A file that belongs to an entry; `content` is its path, never its bytes."""

    id: str
    type: AttachmentType
    content: str
    media_type: str = ""


class AttachmentContent(Frozen):
    """An attachment with what is in the file: base64 for images, text for code and documents.

    `encoding` says how `file_content` is to be read; `problem` is set instead when the file could not be read.
    """

    id: str
    type: AttachmentType
    content: str
    media_type: str = ""
    file_content: str = ""
    encoding: Literal["text", "base64"] = "text"
    problem: str | None = None
