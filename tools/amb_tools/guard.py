"""Decides which URLs may be fetched, and at which checked address; the connection is made to that address only.

A URL comes from a model or from a page, so it may be made to reach what only this machine can reach. Names are
resolved once, here, and what was checked is what is connected to: a name that answers differently the next time
changes nothing.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import quote, urljoin, urlsplit

from amb_core import InvalidParameter
from amb_tools.hosts import canonical_host, is_address, local_name
from amb_tools.tool_errors import AddressRefused, FetchFailed

__all__ = ["AddressGuard", "HostTable", "Location", "Resolver", "SystemResolver", "Target", "not_public"]

_DEFAULT_PORT: dict[str, int] = {"http": 80, "https": 443}
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\\]")
_MAX_URL = 4_000
_IN_PATH = "/%:@!$&'()*+,;=~-._"
_IN_QUERY = _IN_PATH + "?"


class Resolver(Protocol):
    """Finds the addresses of a host name."""

    def resolve(self, host: str, port: int) -> list[str]:
        """Its addresses as text, best first; an empty list when there are none."""
        ...


class SystemResolver:
    """Asks the system, as every program does."""

    def resolve(self, host: str, port: int) -> list[str]:
        """The addresses the system knows; an empty list when the name is not known."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return []
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class HostTable:
    """Names with addresses given by hand, like a hosts file; other names are left to `otherwise` (default: unknown)."""

    def __init__(self, names: Mapping[str, str | Collection[str]], *, otherwise: Resolver | None = None) -> None:
        self._names = {
            name.lower(): [addresses] if isinstance(addresses, str) else list(addresses)
            for name, addresses in names.items()
        }
        self._otherwise = otherwise

    def resolve(self, host: str, port: int) -> list[str]:
        """The addresses in the table."""
        if host in self._names:
            return self._names[host]
        return self._otherwise.resolve(host, port) if self._otherwise else []


@dataclass(frozen=True, slots=True)
class Location:
    """A URL in canonical form: `path` begins with a slash, is percent-encoded and has the query with it."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and, where it is not the usual one, port."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def netloc(self) -> str:
        """Host and, where it is not the usual one, port, as the Host header has them."""
        return self._shown_host if self.port == _DEFAULT_PORT[self.scheme] else self.endpoint

    @property
    def endpoint(self) -> str:
        """Host and port, as an allow-list has them."""
        return f"{self._shown_host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole URL."""
        return self.origin + self.path

    @property
    def _shown_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


@dataclass(frozen=True, slots=True)
class Target:
    """A location that may be fetched, and the checked addresses to connect to; `listed`: it is on the allow-list."""

    location: Location
    addresses: tuple[str, ...]
    listed: bool = False


class AddressGuard:
    """Lets public http and https addresses through, on the usual ports; `allow` lists exceptions as `host:port`.

    The allow-list is for tests and intranets: what is on it may be anywhere, on that port only. A redirect may lead
    from the public web to the public web only, and from a listed place to a listed or a public one.
    """

    def __init__(
        self,
        *,
        allow: Collection[str] = (),
        ports: Collection[int] = (80, 443, 8080, 8443),
        resolver: Resolver | None = None,
    ) -> None:
        if isinstance(allow, str):
            raise InvalidParameter(f'allow is a list; write allow=["{allow}"].')
        self._allow = frozenset(map(_endpoint, allow))
        self._ports = frozenset(ports)
        self._resolver = resolver or SystemResolver()

    def locate(self, url: str, *, seen_from: Location | None = None) -> Location:
        """The canonical location of a URL, checked for everything that shows without asking DNS.

        `seen_from` makes a relative URL absolute.
        """
        text = url.strip()
        if len(text) > _MAX_URL or _FORBIDDEN.search(text):
            raise AddressRefused(
                f"{text[:80]!r} is too long for a URL or has characters that no URL has; check the link."
            )
        try:
            parts = urlsplit(urljoin(seen_from.url, text) if seen_from else text)
            port = parts.port
        except ValueError:
            raise AddressRefused(f"{text[:80]!r} is no URL; write it as https://host/path.") from None
        scheme: Literal["http", "https"]
        if parts.scheme.lower() == "http":
            scheme = "http"
        elif parts.scheme.lower() == "https":
            scheme = "https"
        else:
            raise AddressRefused(f"{text[:80]!r} is no web address; only http:// and https:// can be fetched.")
        if "@" in parts.netloc:
            raise AddressRefused(f"{text[:80]!r} has a user name in front of the host; leave it out.")
        host = canonical_host(_raw_host(parts.netloc))
        path = _without_dots(quote(parts.path or "/", safe=_IN_PATH))
        query = f"?{quote(parts.query, safe=_IN_QUERY)}" if parts.query else ""
        location = Location(scheme, host, _DEFAULT_PORT[scheme] if port is None else port, path + query)
        self._check_form(location)
        return location

    def check(self, location: Location, *, came_from: Target | None = None) -> Target:
        """The addresses that may be connected to; AddressRefused if any of them may not, FetchFailed if there are none.

        `came_from` is where a redirect was met.
        """
        listed = self._listed(location)
        host = location.host
        addresses = [host] if is_address(host) else self._resolver.resolve(host, location.port)
        if not addresses:
            raise FetchFailed(f"{host} is not known to DNS; check how the host is written.")
        kinds = [kind for address in addresses if (kind := _kind(address))]
        if kinds and not listed:
            raise AddressRefused(
                f"{host} is at an address that is not of the public web ({kinds[0]}); it is not fetched."
            )
        if kinds and came_from is not None and not came_from.listed:
            raise AddressRefused(f"a redirect leads from the public web to {location.endpoint}; it is not followed.")
        return Target(location, tuple(addresses), listed=listed)

    def check_literal(self, location: Location) -> None:
        """Refuse a host that is written as an address that is not public; for whoever has others fetch it."""
        if is_address(location.host) and not self._listed(location) and (kind := _kind(location.host)):
            raise AddressRefused(f"{location.host} is at an address that is not of the public web ({kind}).")

    def _check_form(self, location: Location) -> None:
        if self._listed(location):
            return
        if location.port not in self._ports:
            raise AddressRefused(
                f"port {location.port} of {location.host} is not allowed; web pages are on 80 and 443."
            )
        reason = local_name(location.host)
        if reason is not None:
            raise AddressRefused(f"{location.host} is not fetched: {reason}.")

    def _listed(self, location: Location) -> bool:
        return location.endpoint in self._allow


def _kind(address: str) -> str | None:
    try:
        return not_public(address)
    except ValueError:
        return "malformed"


def _without_dots(path: str) -> str:
    """The path as browsers ask for it: `/a/../b` is `/b`, also where robots.txt is asked."""
    parts = path.split("/")[1:]
    plain = [part.lower().replace("%2e", ".") for part in parts]
    kept: list[str] = []
    for part, step in zip(parts, plain, strict=True):
        if step == "..":
            kept = kept[:-1]
        elif step != ".":
            kept.append(part)
    return "/" + "/".join([*kept, ""] if plain[-1] in (".", "..") else kept)


def _raw_host(netloc: str) -> str:
    """The host as written, brackets included; `urlsplit` has already checked the port."""
    if netloc.startswith("["):
        return netloc[: netloc.find("]") + 1] or netloc
    return netloc.split(":", 1)[0]


def _endpoint(entry: str) -> str:
    """An entry of the allow-list in canonical form."""
    host, colon, port = entry.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
        raise InvalidParameter(
            f"{entry!r} is no place to allow; write host:port, such as 127.0.0.1:8000 or [::1]:8000."
        )
    canonical = canonical_host(host)
    return f"[{canonical}]:{int(port)}" if ":" in canonical else f"{canonical}:{int(port)}"


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# The special-purpose registries, written out: what the standard library takes for global differs between releases.
_SET_ASIDE = tuple(
    (ipaddress.ip_network(network), kind)
    for kind, networks in (
        ("cloud metadata", "168.63.129.16/32 169.254.169.254/32 169.254.170.2/32 100.100.100.200/32 192.0.0.192/32"),
        ("cloud metadata", "fd00:ec2::254/128 fd20:ce::254/128"),
        ("loopback", "127.0.0.0/8 ::1/128"),
        ("unspecified", "0.0.0.0/8 ::/128"),
        ("private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10"),
        ("shared carrier", "100.64.0.0/10"),
        ("link-local", "169.254.0.0/16 fe80::/10"),
        ("multicast", "224.0.0.0/4 ff00::/8"),
        ("documentation", "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20"),
        ("benchmarking", "198.18.0.0/15 2001:2::/48"),
        ("IPv4 in IPv6", "::ffff:0:0/96 ::ffff:0:0:0/96 ::/96"),
        ("NAT64", "64:ff9b::/96 64:ff9b:1::/48"),
        ("6to4", "192.88.99.0/24 2002::/16"),
        ("Teredo", "2001::/32"),
        ("reserved", "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.175.48.0/24 240.0.0.0/4"),
        ("reserved", "100::/64 2001::/23 5f00::/16"),
    )
    for network in networks.split()
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_ISATAP = (0x00005EFE, 0x02005EFE)
"""The upper half of the interface part of an IPv6 address that carries an IPv4 one in its last 32 bits."""


def not_public(address: str) -> str | None:
    """What kind of address outside the public web this one is; None for a public one, ValueError for no address."""
    parsed: _Address = ipaddress.ip_address(address)
    for network, kind in _SET_ASIDE:
        if parsed.version == network.version and parsed in network:
            return kind
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed not in _GLOBAL_V6 or parsed.scope_id is not None:
            return "reserved"
        if (int(parsed) >> 32) & 0xFFFFFFFF in _ISATAP:
            return "IPv4 in IPv6"
    return None if parsed.is_global else "reserved"
