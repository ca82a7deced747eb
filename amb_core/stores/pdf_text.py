"""The text of a PDF, bounded in pages, characters and memory."""

from __future__ import annotations

import io

from amb_core.errors import UnreadableSource

__all__ = ["pdf_text"]


def pdf_text(
    data: bytes, *, max_pages: int = 2_000, max_chars: int = 10_000_000, max_stream_bytes: int = 8_000_000
) -> str:
    """The text of the pages in order, parted by blank lines; raises UnreadableSource with the bare reason.

    A file over a limit is refused, never cut silently. `max_stream_bytes` bounds what one compressed stream may unpack
    to: parsed drawing commands take some 20 times their size, so this is what keeps a small file from eating memory.
    """
    from pypdf import Configuration, apply_configuration
    from pypdf.errors import FileNotDecryptedError, LimitReachedError

    limits = Configuration(
        zlib_maximum_output_length=max_stream_bytes,
        lzw_maximum_output_length=max_stream_bytes,
        run_length_maximum_output_length=max_stream_bytes,
        array_based_stream_maximum_output_length=max_stream_bytes,
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
    size = 0
    for page in reader.pages:
        text = page.extract_text().replace("\0", "").strip()
        size += len(text)
        if size > max_chars:
            raise UnreadableSource(f"it has more than {max_chars:,} characters; split it")
        if text:
            pages.append(text)
    if not pages:
        raise UnreadableSource("it has no text (a scan?); run it through text recognition first")
    return "\n\n".join(pages)
