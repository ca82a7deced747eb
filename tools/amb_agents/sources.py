"""Whose word a text is: the document it came from, and the site that counts as one witness.

Two addresses of one page are one document, the pages of one site one witness. A tool that answers questions is no
document: asking it twice brings nothing new. What one call brought is one source, whatever addresses stand in it,
unless its layout is that of a list of search hits: then each hit is the word of the page it quotes.
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

from amb_agents.urls import canonical_url
from amb_core.models import InteractionEntry, Passage
from amb_core.reading.layout import Layout, detect_layout, prose_spans
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import remembered

__all__ = [
    "SourceIdentity",
    "SourceSpan",
    "asked_for",
    "identify_source",
    "passages_in",
    "prose_of",
    "read_sources",
]

_URL = lazy_pattern(r"(?:https?:)?//[^\s<>\"'`|\\^{}，。；、（）【】《》「」]+", re.IGNORECASE)
_FULL_URL = lazy_pattern(r"(?:view-source:)?(?:https?:)?//[^\s/]\S*", re.IGNORECASE)
_WITHOUT_SCHEME = lazy_pattern(
    r"(?:www\.[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}(?::\d+)?/)\S*", re.IGNORECASE
)
_FILE_URL = lazy_pattern(r"file:(?://(?:localhost)?)?(?=/)", re.IGNORECASE)
_PLACE = lazy_pattern(
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
    """A canonical `document` and the `site` that counts as one witness; an empty site is nobody's word.

    Without `counts` it is held against others, but is no witness: it may say again what a page says that it names.
    """

    document: str
    site: str
    counts: bool = True

    @property
    def is_witness(self) -> bool:
        """Whether it is somebody's word that counts beside the words of others."""
        return self.counts and bool(self.site)


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
        whole, hits = _quoted(text, call)
        if not hits:
            return whole
        named = list(dict.fromkeys(page for _, _, page in hits))
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
    whole, hits = _quoted(text, call) if call.site else (call, [])
    if not hits:
        return (SourceSpan(0, len(text), identify_source(metadata) if named else whole),)
    nobody = SourceIdentity(call.document, "")
    spans, at = [], 0
    for start, end, identity in hits:
        if start > at:
            spans.append(SourceSpan(at, start, nobody))
        spans.append(SourceSpan(start, end, identity if identity.site else nobody))
        at = end
    return (*spans, SourceSpan(at, len(text), nobody)) if at < len(text) else tuple(spans)


def asked_for(metadata: Mapping[str, JsonValue]) -> str:
    """What the call of an entry asked for, folded: its questions, or else all its arguments; "" where nobody asked."""
    arguments = metadata.get("arguments")
    if metadata.get("kind") != "tool" or not isinstance(arguments, Mapping) or not arguments:
        return ""
    asked = [value for name, value in arguments.items() if name.casefold() in _QUESTIONS and isinstance(value, str)]
    told = "\n".join(asked) or json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)
    return " ".join(told.casefold().split())


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
_FIELD = lazy_pattern(
    r"""(?P<q>['"])(?:url|link|href|uri|source_url|page_url|source)(?P=q)\s*:\s*(?P<v>['"])""", re.IGNORECASE
)
_MARK = r"\(?\d{1,3}[.)、:]|\[\d{1,3}\]|[-*•]|#{1,6}"
_ITEM = lazy_pattern(rf"^(?=\s{{0,3}}(?:{_MARK})\s*\S)|(?<=\n)\s*\n", re.MULTILINE)
_ITEM_MARK = lazy_pattern(rf"\s{{0,3}}({_MARK})\s*")
_OWN_LINE = lazy_pattern(
    r"^[\s>#*=\-•\d.()\[\]]*(?:(?P<label>[\w ]{1,20})[:：]\s*)?<?(?P<url>(?:https?:)?//[^\s<>\"'`]+?)>?[\s*=\-)]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LINKED_TITLE = lazy_pattern(r"^[\s>#*\-•\d.()]*\[[^\]\n]+\]\(<?(?P<url>(?:https?:)?//[^\s<>)]+)>?\)", re.MULTILINE)
_FRAME = 300
"""Characters in front of the first hit and behind the last record in which a tool speaks itself."""
_LEADS_IN = (":", "：")
_NEAR = 80


def _quoted(text: str, call: SourceIdentity) -> tuple[SourceIdentity, list[_Hit]]:
    """Whose word a result of a call is as a whole, and, where it is a list of search hits, the hits with their pages.

    A text that names pages is no witness of its own; where each part may be of one page or another, it is nobody's.
    """
    if "//" not in text:
        return call, []
    hits = _hits_of_records(text)
    if hits:
        return call, hits
    hits, is_clear = _hits_of_blocks(text)
    return SourceIdentity(call.document, call.site if is_clear else "", counts=not _URL.search(text)), hits


def _hits_of_records(text: str) -> list[_Hit]:
    """Records with an address among their fields, from their opening brace to the next one's.

    They fill the text: an example between paragraphs is no hit. Sentences behind the last one, such as a tool's word
    that it has cut its output, are not the page's.
    """
    first = re.search(r"""\{\s*(['"])""", text)
    found: list[tuple[int, SourceIdentity]] = []
    for field in _FIELD.finditer(text) if first else ():
        start = text.rfind("{", 0, field.start())
        url = text[field.end() : text.find(field["v"], field.end())].replace("\\/", "/")
        is_key = first is not None and field["q"] == first[1]  # the other kind of quote stands inside of a text
        if is_key and _is_address(url) and start > (found[-1][0] if found else -1):
            found.append((start, _identity(url)))
    if not found or not (first and _fill(text, first.start())):
        return []
    last = found[-1][0]
    behind = next((left for left, right in prose_spans(text, last) if right == len(text)), len(text))
    starts = [*(start for start, _ in found), behind if "}" not in text[behind:] else len(text)]
    return [(start, end, page) for (start, page), end in zip(found, starts[1:], strict=True) if start < end]


def _fill(text: str, start: int) -> bool:
    """Whether data from `start` on are the whole of a text but for what a tool says around them."""
    is_data = detect_layout(text) in (Layout.JSON, Layout.JSON_LINES)
    return is_data or (start <= _FRAME and len(text) - text.rfind("}") <= _FRAME)


def _hits_of_blocks(text: str) -> tuple[list[_Hit], bool]:
    """Items and paragraphs with the page they name, where that is how the whole text is laid out, and whether it is
    clear whose word the text is.

    Hits have their address at one place: on a line of its own or as a linked title where they begin, on a line of its
    own where they end, or anywhere in each of them. What is between two such places is carried by the hit; an address
    elsewhere is a link, as any document has.
    """
    blocks = list(_blocks(text))
    heads = {at: head for at, (start, end) in enumerate(blocks) if (head := _head(text[start:end]))}
    if not heads:
        return _named_inside(text, blocks)
    first, last = next(iter(heads)), next(reversed(heads))
    alone = all(_OWN_LINE.fullmatch(text[blocks[at][0] : blocks[at][1]].strip()) for at in heads)
    is_below = alone and first > 0
    is_list = len({head[0] for head in heads.values()}) == 1 and (
        last == len(blocks) - 1 if is_below else blocks[first][0] <= _FRAME
    )
    if not is_list or not _are_of_several(heads[first][0], [head[1] for head in heads.values()]):
        return [], False
    whose: list[SourceIdentity | None] = [heads[at][1] if at in heads else None for at in range(len(blocks))]
    carried: SourceIdentity | None = None
    for at in reversed(range(len(blocks))) if is_below else range(len(blocks)):
        carried = whose[at] = whose[at] or carried
    return [(start, end, page) for (start, end), page in zip(blocks, whose, strict=True) if page], True


def _named_inside(text: str, blocks: Sequence[tuple[int, int]]) -> tuple[list[_Hit], bool]:
    """Hits that name their page in a sentence: each of them does, but for what a tool says before and behind them."""
    pages = [{_identity(_trimmed(found[0])) for found in _URL.finditer(text[start:end])} for start, end in blocks]
    left = 1 if not pages[0] and len(pages) > 1 else 0
    right = len(pages) - 1 if not pages[-1] and len(pages) - left > 1 else len(pages)
    if not all(pages[left:right]):
        return [], True
    if any(len(one) > 1 for one in pages) or not _are_of_several("", [next(iter(one)) for one in pages[left:right]]):
        return [], False
    return [(*block, next(iter(one))) for block, one in zip(blocks, pages, strict=True) if one], True


def _are_of_several(form: str, pages: Sequence[SourceIdentity]) -> bool:
    """Whether addresses are those of search hits: entries of a change log link to pages of one site."""
    return form.startswith("line") or len(set(pages)) == 1 or len({page.site for page in pages}) > 1


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs and list items, blank ones left out."""
    cuts = sorted({0, len(text), *(found.start() for found in _ITEM.finditer(text))})
    return ((start, end) for start, end in pairwise(cuts) if text[start:end].strip())


def _head(block: str) -> tuple[str, SourceIdentity] | None:
    """How and which page a block names as its own; None where it does not. Of several pages none is the one."""
    mark = _ITEM_MARK.match(block.lstrip("\n"))
    numbered = re.sub(r"\d+", "1", mark[1]) if mark else ""
    titles = [one for one in _LINKED_TITLE.finditer(block) if not _is_led_in(block, one.start())]
    linked = {one.start("url") for one in titles}
    lines = [one for one in _OWN_LINE.finditer(block) if not _is_led_in(block, one.start())]
    lines = [one for one in lines if one.start("url") not in linked]
    found = titles if titles and not (lines and lines[0].start() < titles[0].start()) else lines
    if not found:
        return None
    pages = {_identity(_trimmed(one["url"])) for one in found}
    above = "" if numbered else str(block[: found[0].start("url")].strip().count("\n"))
    label = "title" if found is titles else f"line {(found[0]['label'] or '').strip().casefold()}"
    return f"{label} {numbered} {above}", pages.pop() if len(pages) == 1 else SourceIdentity("", "")


def _is_led_in(block: str, at: int) -> bool:
    """Whether the line above ends as one that leads in what follows: then that is an example and no address of it."""
    return block[max(0, at - _NEAR) : at].rstrip().endswith(_LEADS_IN)


def _trimmed(url: str) -> str:
    """An address without the punctuation of the sentence it stands in."""
    url = url.rstrip(".,;:!?*_")
    while url.endswith((")", "]")) and url.count(url[-1]) > url.count("(" if url[-1] == ")" else "["):
        url = url[:-1].rstrip(".,;:!?*_")
    return url


# --- the prose of an entry -------------------------------------------------------------------------------------------


def prose_of(entry: InteractionEntry) -> tuple[SourceSpan, ...]:
    """The prose of an entry by source, in order; machine data are left out."""
    prose = prose_spans(entry.text)
    sources = read_sources(entry.metadata, entry.text) if prose else ()
    return tuple(
        SourceSpan(max(start, source.start), min(end, source.end), source.identity)
        for start, end in prose
        for source in sources
        if source.start < end and start < source.end
    )


def passages_in(
    entry: InteractionEntry, prose: Sequence[SourceSpan], spans: Iterable[tuple[int, int]]
) -> tuple[Passage, ...]:
    """The prose under some spans of an entry; `prose` is what `prose_of` says of it."""
    asked = asked_for(entry.metadata)
    return tuple(
        [
            Passage(
                text=entry.text[max(start, one.start) : min(end, one.end)],
                document=one.identity.document,
                site=one.identity.site,
                asked=asked,
            )
            for start, end in spans
            for one in prose
            if one.start < end and start < one.end
        ]
    )
