"""Whose word a text is: the document it came from, and the site that counts as one witness.

Two addresses of one page are one document, the pages of one site one witness. A tool that answers questions is no
document: asking it twice brings nothing new.
"""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from amb_core.reading.layout import Layout, detect_layout, prose_spans
from amb_core.reading.urls import canonical_url
from amb_core.text.pure_cache import remembered

__all__ = ["SourceIdentity", "SourceSpan", "identify_source", "page_address", "read_sources"]

_URL = re.compile(r"(?:https?:)?//[^\s<>\"'`|\\^{}，。；、（）【】《》「」]+", re.IGNORECASE)
_FULL_URL = re.compile(r"(?:view-source:)?(?:https?:)?//[^\s/]\S*", re.IGNORECASE)
_WITHOUT_SCHEME = re.compile(
    r"(?:www\.[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}(?::\d+)?/)\S*", re.IGNORECASE
)
_FILE_URL = re.compile(r"file:(?://(?:localhost)?)?(?=/)", re.IGNORECASE)
_PLACE = re.compile(
    r"(?:(?<=\w)#\S+|\?(?:page|p|line|lines|offset|start)=[\w-]*|(?<=\w):\d+(?:[-:,]\d+)?"
    r"|[\s,;(\[]+(?:pages?|pp?\.?|lines?|ll?\.|rows?|chunk)\s*#?\d+(?:\s*(?:[-–]|to|of|/)\s*\d+)?[)\]]?"
    r"|[\s,;(\[【]*第\s*[\d一二三四五六七八九十百]+(?:\s*[-–至到]\s*[\d一二三四五六七八九十百]+)?\s*[页頁行][)\]】]?)$",
    re.IGNORECASE,
)
_PLACE_CHARS = 60
"""How long a name's end is in which a page or a line is looked for."""
_PATH_KEYS = frozenset(
    "url urls link links href uri page_url address path paths file files filename file_name file_path filepath"
    " document doc document_name".split()
)
_QUESTIONS = frozenset({"q", "query", "queries", "question", "prompt", "goal", "search", "keywords", "text"})
_OF_AGENTS = frozenset({"step", "verification"})


@dataclass(frozen=True, slots=True)
class SourceIdentity:
    """A canonical `document` and the `site` that counts as one witness; an empty site is nobody's word."""

    document: str
    site: str


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """Characters `start:end` of a text, which are the word of one source."""

    start: int
    end: int
    identity: SourceIdentity


def identify_source(metadata: Mapping[str, JsonValue], text: str = "") -> SourceIdentity:
    """The document and site of an entry as a whole, by its metadata `source`, `tool`, `arguments` and `kind`.

    An agent's own words, and a text of several sites, are nobody's word: the site is empty. A tool whose arguments
    name no document is one witness whatever it is asked. `text` tells the documents of a result apart.
    """
    named, call = _documents(metadata), _call(metadata)
    if not named and text and call.site:
        named = list(dict.fromkeys(page for _, _, page in _hits(text)))
    if not named:
        return call
    if len(named) == 1 and named[0].site:
        return named[0]
    sites = {identity.site for identity in named}
    return SourceIdentity(call.document, sites.pop() if len(sites) == 1 else "")


def read_sources(metadata: Mapping[str, JsonValue], text: str) -> tuple[SourceSpan, ...]:
    """Which characters of a text are whose word; in order, without overlap, over the whole text.

    A search hit is the word of the page it quotes. What cannot be given to one page of several is nobody's.
    """
    named = _documents(metadata)
    if len(named) == 1:
        return (SourceSpan(0, len(text), named[0]),)
    call = _call(metadata)
    hits = _hits(text) if call.site else []
    if not hits:
        return (SourceSpan(0, len(text), identify_source(metadata)),)
    nobody = SourceIdentity(call.document, "")
    spans, at = [], 0
    for start, end, identity in hits:
        if start > at:
            spans.append(SourceSpan(at, start, nobody))
        spans.append(SourceSpan(start, end, identity if identity.site else nobody))
        at = end
    return (*spans, SourceSpan(at, len(text), nobody)) if at < len(text) else tuple(spans)


# --- what the metadata name ------------------------------------------------------------------------------------------


def _documents(metadata: Mapping[str, JsonValue]) -> list[SourceIdentity]:
    """The documents that the source or the arguments name, each once; an address says more than a plain name."""
    if metadata.get("kind") in _OF_AGENTS:
        return []
    source, tool = str(metadata.get("source") or "").strip(), str(metadata.get("tool") or "")
    arguments = list(_named(metadata.get("arguments"), ""))
    if source and not _is_call(source, tool):
        pages = [] if _is_address(source) else [text for text in arguments if _is_address(text)]
        arguments = pages or [source]
    return list(dict.fromkeys(map(_identity, arguments)))


def _is_call(source: str, tool: str) -> bool:
    """Whether a source is only the name of the tool, or its call as the bank writes it.

    `metadata["source"]` is either of two: a real source (a path, an address, a session), or, where none was given, the
    tool's name or `tool(arguments)`. `memory.intake` writes it; only the form tells
    them apart.
    """
    return bool(tool) and (source == tool or (source.startswith(f"{tool}(") and source.endswith(")")))


def _call(metadata: Mapping[str, JsonValue]) -> SourceIdentity:
    if metadata.get("kind") in _OF_AGENTS:
        return SourceIdentity(str(metadata["kind"]), "")
    tool = _name(str(metadata.get("tool") or metadata.get("kind") or "unknown"))
    arguments = json.dumps(metadata.get("arguments") or {}, sort_keys=True, ensure_ascii=False, default=str)
    return SourceIdentity(f"tool:{tool}({arguments})", f"tool:{tool}")


def _named(value: JsonValue, key: str) -> Iterator[str]:
    """Texts in the arguments of a call that name a document: an address, or a path where one is expected."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _named(inner, str(name).casefold())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from _named(inner, key)
    elif isinstance(value, str) and (key in _PATH_KEYS or (key not in _QUESTIONS and _is_address(value.strip()))):
        yield from filter(None, [value.strip()])


def _is_address(text: str) -> bool:
    return bool(_FULL_URL.fullmatch(text) or _WITHOUT_SCHEME.fullmatch(text) or _FILE_URL.match(text))


@remembered(most=4096, longest=4_000)
def _identity(text: str) -> SourceIdentity:
    """The identity of an address, of a text with one address in it, of a path or a name."""
    inside = [_trimmed(found[0]) for found in _URL.finditer(text)]
    address = text if _is_address(text) else inside[0] if len(inside) == 1 else ""
    found = canonical_url(address) if address and not _FILE_URL.match(text) else None
    if found is not None:
        return SourceIdentity(*found)
    name = _name(text)
    return SourceIdentity(name, name)


def _name(text: str) -> str:
    """A path or a plain name, without the page, line or part of it that was read."""
    text = unicodedata.normalize("NFKC", _FILE_URL.sub("", text.strip())).replace("\\", "/")
    while (shorter := text[:-_PLACE_CHARS] + _PLACE.sub("", text[-_PLACE_CHARS:]).strip()) not in ("", text):
        text = shorter
    text = posixpath.normpath(text) if "/" in text else text
    return " ".join(text.casefold().split())


# --- what a text names -----------------------------------------------------------------------------------------------

_Hit = tuple[int, int, SourceIdentity]
_FIELD = re.compile(
    r"""(?P<q>['"])(?:url|link|href|uri|source_url|page_url|source)(?P=q)\s*:\s*(?P<v>['"])""", re.IGNORECASE
)
_ITEM = re.compile(r"^(?=\s{0,3}(?:\(?\d{1,3}[.)、:]|\[\d{1,3}\]|[-*•]|#{1,6})\s*\S)|(?<=\n)\s*\n", re.MULTILINE)
_OWN_LINE = re.compile(
    r"^[\s>#*=\-•\d.()\[\]]*(?:[\w ]{1,20}[:：]\s*)?<?(?P<url>(?:https?:)?//[^\s<>\"'`]+?)>?[\s*=\-)]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LINKED_TITLE = re.compile(r"^[\s>#*\-•\d.()]*\[[^\]\n]+\]\(<?(?P<url>(?:https?:)?//[^\s<>)]+)>?\)", re.MULTILINE)


def _hits(text: str) -> list[_Hit]:
    """The parts of a result that quote one page each; empty when it names no page."""
    if "//" not in text:
        return []
    return _hits_of_records(text) or _hits_of_blocks(text)


def _hits_of_records(text: str) -> list[_Hit]:
    """Records with an address among their fields, from their opening brace to the next one's.

    Sentences behind the last one, such as a tool's word that it has cut its output, are not the page's.
    """
    first = re.search(r"""\{\s*(['"])""", text)
    found: list[tuple[int, SourceIdentity]] = []
    for field in _FIELD.finditer(text):
        start = text.rfind("{", 0, field.start())
        url = text[field.end() : text.find(field["v"], field.end())].replace("\\/", "/")
        is_key = first is not None and field["q"] == first[1]  # the other kind of quote stands inside of a text
        if is_key and _is_address(url) and start > (found[-1][0] if found else -1):
            found.append((start, _identity(url)))
    if not found:
        return []
    last = found[-1][0]
    behind = next((left for left, right in prose_spans(text, last) if right == len(text)), len(text))
    starts = [*(start for start, _ in found), behind if "}" not in text[behind:] else len(text)]
    return [(start, end, page) for (start, page), end in zip(found, starts[1:], strict=True) if start < end]


def _hits_of_blocks(text: str) -> list[_Hit]:
    """Items and paragraphs with the page they name; those between go with it where the layout says which way.

    A text that begins with an address has it above what it quotes; one that ends with a line that is an address and
    nothing else has it below.
    """
    blocks = [(start, end, _page_of(text[start:end])) for start, end in _blocks(text)]
    named = [index for index, block in enumerate(blocks) if block[2] is not None]
    if not named:
        return []
    alone = all(_OWN_LINE.fullmatch(text[blocks[i][0] : blocks[i][1]].strip()) for i in named)
    order: Iterable[int] = range(len(blocks))
    if alone and named[0] > 0:
        order = reversed(range(len(blocks))) if named[-1] == len(blocks) - 1 else ()
    whose = [page for _, _, page in blocks]
    carried: SourceIdentity | None = None
    for index in order:
        carried = whose[index] = whose[index] or carried
    return [(start, end, page) for (start, end, _), page in zip(blocks, whose, strict=True) if page]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs and list items, blank ones left out."""
    cuts = sorted({0, len(text), *(found.start() for found in _ITEM.finditer(text))})
    return ((start, end) for start, end in pairwise(cuts) if text[start:end].strip())


def _page_of(block: str) -> SourceIdentity | None:
    """The page a block is from: on a line of its own, as its linked title, or the only one that it names.

    Of several pages none is the one: the block is given to nobody.
    """
    for pattern, group in ((_OWN_LINE, "url"), (_LINKED_TITLE, "url"), (_URL, 0)):
        pages = {_identity(_trimmed(found[group])) for found in pattern.finditer(block)}
        if pages:
            return pages.pop() if len(pages) == 1 else SourceIdentity("", "")
    return None


def _trimmed(url: str) -> str:
    """An address without the punctuation of the sentence it stands in."""
    url = url.rstrip(".,;:!?*_")
    while url.endswith((")", "]")) and url.count(url[-1]) > url.count("(" if url[-1] == ")" else "["):
        url = url[:-1].rstrip(".,;:!?*_")
    return url


_HEAD = 2_000
_ADDRESS = re.compile(
    r"^(?:[^\S\n]|[*#-])*(?:page |current |页面)?(?:url|address|网址|地址)\W*[:：=][\s`'\"<]*(?P<url>https?://[^\s`'\"<>]+)"
    r"|\bRootWebArea [^\n]*?\burl=[\"']?(?P<root>https?://[^\s\"']+)",
    re.MULTILINE | re.IGNORECASE,
)


def page_address(text: str) -> str:
    """The canonical address that a page tree gives as its own, at its top; "" where it gives none."""
    found = _ADDRESS.search(text, 0, _HEAD) if text.find("://", 0, _HEAD) >= 0 else None
    if found is None or detect_layout(text) is not Layout.PAGE_TREE:
        return ""
    page = canonical_url(found["url"] or found["root"], paging=True)
    return page[0] if page else ""
