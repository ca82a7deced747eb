"""One HTML file out of pieces: styles, scripts, words and data, with a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import threading
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Literal

from amb_core.errors import InvalidParameter, StoreError
from amb_core.file_writer import write_file
from amb_core.text import detect_language
from amb_inspector.payload import json_for_html

__all__ = ["PageLanguage", "checked_language", "one_file", "shared_script", "shared_style", "words", "write_text"]

PageLanguage = Literal["auto", "en", "zh"]
_TITLE_CHARS = 120
_SHARED_STYLES = ("styles/shared.css",)
_SHARED_SCRIPTS = ("scripts/dom.js",)


def checked_language(language: PageLanguage) -> PageLanguage:
    """The language of a page; InvalidParameter for one that no page has."""
    if language not in ("auto", "en", "zh"):
        raise InvalidParameter(f"{language!r} is no language of the page. Use 'auto', 'en' or 'zh'.")
    return language


def one_file(
    payload: dict[str, Any],
    *,
    title: str,
    about: str,
    language: PageLanguage,
    wording: str,
    styles: Sequence[str],
    scripts: Sequence[str],
) -> str:
    """The page as text, with the look and the helpers of all pages before its own `styles` and `scripts`.

    These are pieces of the template, by path, in order, and `wording` the folder of its words; a piece of another
    package's folder `template` is named as `PACKAGE:PATH`. Without a `title` there is what the page is `about`. With
    "auto" the page speaks the language of the browser, and that of `about` where this is neither English nor Chinese.
    Raises InvalidParameter for an unknown language.
    """
    wanted = checked_language(language)
    shown = detect_language(about) if wanted == "auto" else wanted
    style = "\n".join(map(_piece, (*_SHARED_STYLES, *styles)))
    script = "\n".join(map(_piece, (*_SHARED_SCRIPTS, *scripts)))
    page = {"language": shown, "auto": wanted == "auto", "title": title}
    return Template(_piece("page.html")).substitute(
        language="zh-CN" if shown == "zh" else "en",
        title=html.escape(_one_line(title or about)),
        policy=_content_policy(style, script),
        style=style,
        script=script,
        data=json_for_html({**payload, "strings": words(wording), "page": page}),
    )


def shared_style() -> str:
    """The style sheet of all of AMB's pages, for a page that is served: colours, type, controls, tables, the frame."""
    return "\n".join(map(_piece, _SHARED_STYLES))


def shared_script() -> str:
    """The script of all of AMB's pages, for a page that is served: text becomes text nodes and nothing else."""
    return "\n".join(map(_piece, _SHARED_SCRIPTS))


@cache
def words(folder: str) -> dict[str, Any]:
    """The words of a page in both languages."""
    return {language: json.loads(_piece(f"{folder}/{language}.json")) for language in ("en", "zh")}


def write_text(page: str, path: str | os.PathLike[str]) -> Path:
    """Write a page as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it; a page that was
    there before is then unchanged.
    """
    target = Path(path)
    if not target.name or "\0" in target.name or target.is_dir():
        raise InvalidParameter(f"{str(target)!r} names no file. Pass the path of the page, such as 'page.html'.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with write_file(target, prefix=f".{os.getpid()}-{threading.get_ident()}-") as partial:
            partial.write_bytes(page.encode("utf-8"))
    except OSError as error:
        raise StoreError(f"{target} cannot be written ({error.strerror or error}); choose another place") from error
    return target


@cache
def _piece(name: str) -> str:
    package, _, path = name.rpartition(":")
    return resources.files(package or "amb_inspector").joinpath("template", path).read_text(encoding="utf-8")


def _content_policy(style: str, script: str) -> str:
    """Allows exactly this style and this script, and no other source of anything; HTML from text is refused too."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash_source(script)}",
            f"style-src {_hash_source(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _one_line(text: str) -> str:
    """The start of the text without line breaks and without characters that cannot be seen or written."""
    unseen = ("Cc", "Cf", "Cs")
    start = (" " if unicodedata.category(char) in unseen else char for char in text[: 4 * _TITLE_CHARS])
    line = " ".join("".join(start).split())
    return line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1].rstrip() + "…"
