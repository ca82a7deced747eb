"""Which internet addresses are of the public web: everything the registries set aside for other uses is not."""

from __future__ import annotations

import ipaddress

__all__ = ["not_public"]

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
