"""Which network addresses a download may lead to."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL = ipaddress.ip_network("2000::/3")  # all that is given out of IPv6 to reach each other by
_PROTOCOLS = ipaddress.ip_network("192.0.0.0/24")  # among them a cloud's metadata
_COMPATIBLE = ipaddress.ip_network("::/96")  # the old way; `::` and `::1` are in it, too

_METADATA = tuple(
    ipaddress.ip_network(network)
    for network in (
        "169.254.0.0/16",  # link-local: most clouds, and containers' credentials
        "100.100.100.200/32",
        "168.63.129.16/32",
        "192.0.0.192/32",
        "fd00:ec2::/32",
        "fd20:ce::/32",
        "fe80::/10",
    )
)


def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host name; a number in any notation is its own. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in found))


def is_public(address: str) -> bool:
    """Whether an address is on the open internet: not this machine, not a private network."""
    ip = _carried(ipaddress.ip_address(address.partition("%")[0]))
    allotted = ip in _GLOBAL if isinstance(ip, IPv6Address) else ip not in _PROTOCOLS
    return allotted and ip.is_global and not ip.is_multicast


def is_metadata(address: str) -> bool:
    """Whether a cloud answers there with the keys of the machine that asks: never to be fetched."""
    ip = _carried(ipaddress.ip_address(address.partition("%")[0]))
    return any(ip in network for network in _METADATA if network.version == ip.version)


def _carried(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64 or ip in _COMPATIBLE:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else ip)
