"""One spelling for every way to write the address of a page, and the site that a page belongs to."""

from __future__ import annotations

import posixpath
import re
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["canonical_url", "site_of_host"]

_TRACKING = lazy_pattern(
    r"(?:utm|mtm|pk|hsa|stm|vero|oly)_\w*|[gwmyt]clid|gclsrc|[gw]braid|dclid|fbclid|msclkid|twclid|ttclid|igshid|igsh"
    r"|mc_[ce]id|_g[al]|_hs\w+|spm|scm|ref|ref_?(?:src|url)|referr?er|cmpid|trk|amp|print|output_?type"
    r"|session_?id|phpsessid|jsessionid|sid|nocache|_",
    re.IGNORECASE,
)
_PAGING = lazy_pattern(
    r"page|p|pg|pn|paged|page_?(?:no|num|number|index|size)|start|offset|skip|limit|per_?page|cursor"
    r"|lines?|line_?(?:start|end|no|number|range)|(?:start|end|from|to)_?(?:line|page)",
    re.IGNORECASE,
)
_INDEX = lazy_pattern(r"/(?:index|default|home)\.(?:x?html?|shtml|php\d?|aspx?|jsp|do|cgi)$", re.IGNORECASE)
_PAGE_IN_PATH = lazy_pattern(r"/(?:(?:page|pages|seite|p)[-_/]?\d{1,4}|amp)$", re.IGNORECASE)
_SESSION_IN_PATH = lazy_pattern(r";[^/]*")
_SAME_PAGE_HOSTS = ("www", "m", "mobile", "amp", "touch", "wap")
_SECOND_LEVEL = frozenset(
    "ac co com edu firm gen go gob gouv gov govt gv id ind info ltd me mil ne net nhs nic nom or org plc police sch"
    " school web".split()
)
_MIRRORS = (
    r"(?:web\.|www\.)?archive\.org/(?:web|wayback)/(?:[\d*]+[a-z_]*/)?",
    r"archive\.(?:today|is|ph|fo|li|md|vn)/(?:o/\w+/|\d{4,14}/|newest/)",
    r"r\.jina\.ai/",
    r"12ft\.io/(?:proxy\?q=)?",
    r"webcache\.googleusercontent\.com/search\?(?:.*&)?q=cache:(?:[\w-]{12}:)?",
    r"translate\.google\.[a-z.]+/(?:translate\w*|website)\?(?:.*&)?u=",
    r"(?:www\.)?google\.[a-z.]+/url\?(?:.*&)?(?:q|url)=",
    r"(?:www\.)?google\.[a-z.]+/amp/(?:s/)?",
    r"[\w-]+\.cdn\.ampproject\.org/[cvi]/(?:s/)?",
    r"(?:html\.)?duckduckgo\.com/l/\?(?:.*&)?uddg=",
    r"lm?\.facebook\.com/l\.php\?(?:.*&)?u=",
)
"""How the address of a copy begins that another host serves; the address of the original follows."""
_MIRROR = lazy_pattern(rf"(?P<mirror>{'|'.join(_MIRRORS)})(?P<url>.+)", re.IGNORECASE)
_TRANSLATED = ".translate.goog"
_ALIASES = {"youtu.be": "youtube.com", "redd.it": "reddit.com"}
_DEPTH = 4
"""How many mirrors of mirrors are looked through."""


def canonical_url(address: str, *, paging: bool = False) -> tuple[str, str] | None:
    """The one spelling of a web page's address, without its scheme, and the site it belongs to; None for no address.

    The parts of one document are one address, unless `paging` asks for which part it is.
    """
    address = address.strip().strip("<>\"'").removeprefix("view-source:").replace("\\", "/")
    for _ in range(_DEPTH):
        inner = _original(address)
        if inner is None:
            break
        address = inner
    if "://" not in address:
        address = f"https:{address}" if address.startswith("//") else f"https://{address}"
    try:
        parts = urlsplit(address)
        host, port = _host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    if not host:
        return None
    shown = f"[{host}]" if ":" in host else host
    where = shown if port in (None, 80, 443) else f"{shown}:{port}"
    path = _path(parts.path, paging=paging)
    return f"{where}{path}{_query(parts, path, paging=paging)}", site_of_host(host)


def site_of_host(host: str) -> str:
    """The part of a host name that its owner registered: two labels, or three as in `example.co.uk`.

    It is a rule and no list of public suffixes: all pages of a shared host such as github.io are one site, as are the
    languages of an encyclopedia.
    """
    if _is_ip(host):
        return host
    labels = host.split(".")
    three = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    site = ".".join(labels[-3:] if three else labels[-2:])
    return _ALIASES.get(site, site)


def _original(address: str) -> str | None:
    """The address a known mirror, cache, translation or redirect carries."""
    bare = re.sub(r"^(?:https?:)?//", "", address, flags=re.IGNORECASE)
    if found := _MIRROR.match(bare):
        url = found["url"]
        if "=" in found["mirror"]:
            url = unquote(url.partition("+" if "cache:" in found["mirror"] else "&")[0].partition("&")[0])
        elif re.match(r"https?%3a", url, re.IGNORECASE):
            url = unquote(url)
        return re.sub(r"^(https?):/+", r"\1://", url, flags=re.IGNORECASE)
    host, slash, rest = bare.partition("/")
    if host.lower().endswith(_TRANSLATED):
        name = host[: -len(_TRANSLATED)].replace("--", "\0").replace("-", ".").replace("\0", "-")
        return f"https://{name}{slash}{re.sub(r'[?&]_x_tr_[^#]*', '', rest)}"
    return None


def _host(host: str) -> str:
    """A host in lower case and ASCII, without the labels that name another view of the same page."""
    host = unquote(host).strip(".").lower()
    if _is_ip(host):
        return host
    try:
        host = host.encode("idna").decode()
    except UnicodeError:
        host = host.casefold()
    host = _ALIASES.get(host, host)
    labels = host.split(".")
    site = site_of_host(host).count(".") + 1
    kept = [label for label in labels[:-site] if label not in _SAME_PAGE_HOSTS]
    return ".".join([*kept, *labels[-site:]])


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _path(path: str, *, paging: bool) -> str:
    path = _SESSION_IN_PATH.sub("", unquote(path, errors="surrogateescape"))
    path = posixpath.normpath(re.sub(r"/+", "/", f"/{path}"))
    path = _INDEX.sub("", path)
    path = (path if paging else _PAGE_IN_PATH.sub("", path)).rstrip("/")
    return quote(path, safe="/:@!$&'()*+,;=~-._", errors="surrogateescape")


def _query(parts: SplitResult, path: str, *, paging: bool) -> str:
    """The parameters that may name another page, in order of their names.

    `?p=12` of a bare host is how a blog numbers its articles; everywhere else `p` is the page of one.
    """
    kept = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _TRACKING.fullmatch(name) and (paging or not _PAGING.fullmatch(name) or (name == "p" and not path))
    ]
    if not kept:
        return ""
    return "?" + "&".join(f"{quote(name)}={quote(value)}" for name, value in sorted(kept))
