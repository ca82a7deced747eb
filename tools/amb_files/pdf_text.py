"""The text of a PDF, bounded in pages, characters and memory."""

from __future__ import annotations

import io

from amb_core.errors import UnreadableSource

__all__ = ["pdf_text"]


_STREAM_BYTES = 5_000_000
_ALL_PAGES_BYTES = 60_000_000


def pdf_text(data: bytes, *, max_pages: int = 2_000, max_chars: int = 10_000_000) -> str:
    """The text of the pages in order, parted by blank lines; raises UnreadableSource with the bare reason.

    A file over a limit is refused, never cut silently. What streams unpack to is limited too, to 5 MB each and 60 MB in
    all: parsed drawing commands take fifty times their size, and seconds a megabyte.
    """
    from pypdf import Configuration, apply_configuration
    from pypdf.errors import FileNotDecryptedError, LimitReachedError

    limits = Configuration(
        zlib_maximum_output_length=_STREAM_BYTES,
        lzw_maximum_output_length=_STREAM_BYTES,
        run_length_maximum_output_length=_STREAM_BYTES,
        array_based_stream_maximum_output_length=_STREAM_BYTES,
        xform_maximum_invocations_per_extraction=500,
    )
    try:
        with apply_configuration(limits):
            return _joined_pages(data, max_pages=max_pages, max_chars=max_chars)
    except UnreadableSource:
        raise
    except FileNotDecryptedError:
        raise UnreadableSource("it is protected by a password; save a copy without one") from None
    except LimitReachedError:
        raise UnreadableSource("a part of it unpacks to more than AMB reads; save it as text") from None
    except Exception as error:  # noqa: BLE001  a damaged PDF makes the parser raise almost anything
        raise UnreadableSource(f"it is damaged ({type(error).__name__}: {error}); save it again or as text") from None


def _joined_pages(data: bytes, *, max_pages: int, max_chars: int) -> str:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        reader.decrypt("")
    count = len(reader.pages)
    if count > max_pages:
        raise UnreadableSource(f"it has {count} pages, over the limit of {max_pages}; split it")
    pages: list[str] = []
    size = unpacked = 0
    for page in reader.pages:
        content = page.get_contents()
        unpacked += 0 if content is None else len(content.get_data())
        if unpacked > _ALL_PAGES_BYTES:
            raise UnreadableSource("its drawing commands unpack to more than AMB reads; save it as text or split it")
        text = page.extract_text().replace("\0", "").strip()
        size += len(text)
        if size > max_chars:
            raise UnreadableSource(f"it has more than {max_chars:,} characters; split it")
        if text:
            pages.append(text)
    if not pages:
        raise UnreadableSource("it has no text (a scan?); run it through text recognition first")
    return "\n\n".join(pages)
