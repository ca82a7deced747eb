"""The host of a URL in its one canonical form; spellings that are made to be taken for another host are refused."""

from __future__ import annotations

import ipaddress
import re
import unicodedata

from amb_tools.tool_errors import AddressRefused

__all__ = ["canonical_host", "is_address", "local_name"]

_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_DOTS = str.maketrans("。．｡․", "....")
_LOCAL_ENDINGS = (
    *("localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa"),
    *("test", "invalid", "example", "onion", "svc", "cluster"),
)
_METADATA_NAMES = frozenset(("metadata.goog", "metadata.google.internal", "instance-data.ec2.internal"))
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_LATIN_TWINS = frozenset("асԁеһіјӏкмоԛрѕтухүѵԝгпьвзαβγεηικνορτυχωаոսօ")
"""Letters of other scripts that a reader takes for Latin ones."""


def canonical_host(raw: str) -> str:
    """The host in small ASCII letters without a final dot, an address as the standard writes it; or AddressRefused."""
    if raw.startswith("["):
        return _ipv6(raw)
    host = unicodedata.normalize("NFKC", raw.translate(_DOTS)).translate(_DOTS).lower()
    host = host.removesuffix(".")
    parts = host.split(".")
    latin = parts[-1].isascii() and not parts[-1].startswith("xn--")
    labels = [_ascii_label(part, under_latin=latin) for part in parts]
    if len(".".join(labels)) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise AddressRefused(f"{raw[:80]!r} is no host name; write it as a browser shows it, such as example.com.")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(".".join(labels))
    return ".".join(labels)


def is_address(host: str) -> bool:
    """Whether a canonical host is an internet address rather than a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def local_name(host: str) -> str | None:
    """Why a canonical host name cannot be of the public web; None when it can."""
    if is_address(host):
        return None
    if host in _METADATA_NAMES:
        return "it names a cloud's metadata service"
    if "." not in host:
        return "a name without a dot is one of a local network"
    ending = host.rsplit(".", 1)[-1]
    return f"names under .{ending} are not of the public web" if ending in _LOCAL_ENDINGS else None


def _ipv4(host: str) -> str:
    """A host that ends in a number is an address, and only four plain decimal numbers are one way to write it."""
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise AddressRefused(
            f"{host[:80]!r} is an unusual way to write an address; write four decimal numbers, such as 93.184.215.14."
        ) from None


def _ipv6(raw: str) -> str:
    inside = raw.removeprefix("[").removesuffix("]")
    try:
        if not raw.endswith("]") or "%" in inside:
            raise ValueError(raw)
        return str(ipaddress.IPv6Address(inside))
    except ValueError:
        raise AddressRefused(f"{raw[:80]!r} is no address that can be fetched; check what is in brackets.") from None


def _ascii_label(label: str, *, under_latin: bool) -> str:
    """One part of a name; letters beyond ASCII in the form DNS knows, unless they imitate others."""
    if len(label) > 63:
        raise AddressRefused(f"{label[:80]!r} is too long for a part of a host name; check how it is written.")
    shown = label
    if label.startswith("xn--"):
        try:
            shown = label.encode("ascii").decode("idna")
        except UnicodeError:
            raise AddressRefused(f"{label[:80]!r} is a broken international name; check how it is written.") from None
    if shown.isascii():
        return shown
    if _imitates(shown, under_latin=under_latin):
        raise AddressRefused(
            f"{label[:80]!r} mixes alphabets or looks like another name; it may imitate a known site. Check the link."
        )
    try:
        return shown.encode("idna").decode("ascii")
    except UnicodeError:
        raise AddressRefused(f"{label[:80]!r} cannot be part of a host name; check how it is written.") from None


def _imitates(label: str, *, under_latin: bool) -> bool:
    """Whether a label mixes alphabets or, where the country's own ending does not vouch for it, reads as Latin."""
    letters = [char for char in label if char.isalpha()]
    names = [unicodedata.name(char, "") for char in letters]
    scripts = {script for script in _SCRIPTS for name in names if name.startswith(script)}
    foreign = [char for char in letters if not char.isascii()]
    return len(scripts) > 1 or (under_latin and bool(foreign) and all(char in _LATIN_TWINS for char in letters))
