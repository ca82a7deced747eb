"""E-mail addresses, and the addresses of machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv6Address

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction import cue_words as words
from amb_redaction.cues import nearest_cue
from amb_redaction.kinds import Found, RedactionKind
from amb_redaction.plain_view import PlainView

__all__ = ["find_emails", "find_ips"]

_LETTERS = "A-Za-z\u00aa-\u024f\u0370-\u052f"
_LOCAL = re.compile(rf"[{_LETTERS}0-9.!#$%&'*+/=?^_`{{|}}~-]")
_AT = re.compile(
    rf"(?P<at>\s?(?:\[at\]|\(at\)|\{{at\}})\s?|@)(?P<domain>(?:[{_LETTERS}0-9](?:[{_LETTERS}0-9-]{{0,61}}[{_LETTERS}0-9])?"
    rf"(?:\.|\s?(?:\[dot\]|\(dot\))\s?)){{1,6}}(?P<top>xn--[A-Za-z0-9-]{{2,20}}|[{_LETTERS}]{{2,24}}|中国|公司|网络|集团|在线)"
    r"|\[(?:\d{1,3}\.){3}\d{1,3}\])",
    re.IGNORECASE,
)
_LONGEST_LOCAL = 64
_NO_TOP = frozenset("png jpg jpeg gif webp svg bmp ico pdf".split())

_V4 = lazy_pattern(
    r"(?<![A-Za-z0-9.])(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![A-Za-z0-9])(?!\.\d)(?!-[A-Za-z])"
)
_V6 = lazy_pattern(
    r"(?:(?<![A-Za-z0-9_:.])|(?<=[g-zG-Z_\u4e00-\u9fff]:))(?:[0-9A-Fa-f]{1,4}|:):[0-9A-Fa-f:]{1,40}+(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?(?![A-Za-z0-9_.:]*[A-Za-z0-9_])"
)
_SMALL = 20
"""An address of four smaller numbers looks like a version or a section: `1.2.3.4`."""
_PORT = re.compile(r":\d{2,5}(?!\d)|/\d\d?(?![\d/])")
_VERSION_BEFORE = re.compile(r"(?:\b[vV]|[A-Za-z]/|[A-Za-z0-9]-|[=~<>^]=\s?|\brev\.?|ver\.?)$")


def find_emails(view: PlainView) -> Iterator[Found]:
    """E-mail addresses, those written `name [at] host [dot] org` too; the user part of `git@host:path` is none."""
    text, done = view.text, 0
    for match in _AT.finditer(text):
        start = _local_start(text, match.start(), done)
        repository = text[start : match.start()] == "git" and text[match.end() : match.end() + 1] == ":"
        top = (match["top"] or "").lower()
        if start == match.start() or repository or top in _NO_TOP:
            continue
        done = match.end()
        yield Found(RedactionKind.EMAIL, start, match.end())


def _local_start(text: str, at: int, done: int) -> int:
    """Where the part before the @ begins; `at` if there is none."""
    floor = max(done, at - _LONGEST_LOCAL)
    if at > floor and text[at - 1] == '"':
        opened = text.rfind('"', floor, at - 1)
        return opened if opened >= 0 else at
    start = at
    while start > floor and _LOCAL.match(text, start - 1):
        start -= 1
    while start < at and text[start] in ".!#$%&'*/=?^`{|}~-":
        start += 1
    cut = max(text.rfind(mark, start, at) for mark in "=/'`|&?{}")
    return max(start, cut + 1)


def find_ips(view: PlainView) -> Iterator[Found]:
    """Addresses of machines, private ones too; what is written like a version only beside a word for an address."""
    text = view.text
    for match in _V4.finditer(text):
        if _is_address(text, match):
            yield Found(RedactionKind.IP, match.start(), match.end())
    for match in _V6.finditer(text):
        start, end = match.start(), match.end()
        while end > start and text[end - 1] == ":" and text[end - 2] != ":":
            end -= 1
        if _is_v6(text, start, end):
            yield Found(RedactionKind.IP, start, end)


def _is_address(text: str, match: re.Match[str]) -> bool:
    if _VERSION_BEFORE.search(text[max(0, match.start() - 8) : match.start()]):
        return False
    if text[match.start() - 2 : match.start()] == "//" or _PORT.match(text, match.end()):
        return True
    cue = nearest_cue(text, match.start(), ip=words.IP_CUES, version=words.VERSION_CUES)
    looks_like_version = all(int(part) <= _SMALL for part in match.group().split("."))
    return cue == "ip" or (cue != "version" and not looks_like_version)


def _is_v6(text: str, start: int, end: int) -> bool:
    address = text[start:end]
    groups = [group for group in address.split(":") if group]
    try:
        IPv6Address(address)
    except ValueError:
        return False
    if not any(character.isdigit() for character in address):
        return False
    return (
        len(groups) >= 3
        or address.lower().startswith("fe80:")
        or nearest_cue(text, start, ip=words.IP_CUES, version=words.VERSION_CUES) == "ip"
    )
