"""What may be fetched, told from the URL and from what its name resolves to; nothing is connected to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core import InvalidParameter
from amb_tools import AddressGuard, AddressRefused, FetchFailed, HostTable

PUBLIC = "93.184.215.14"
LOOPBACK = (
    "http://127.0.0.1/ http://127.1/ http://127.0.1/ http://2130706433/ http://0x7f000001/ http://0x7f.0.0.1/ "
    "http://0177.0.0.1/ http://017700000001/ http://127.0.0.1./ http://127.255.255.254/ http://[::1]/ "
    "http://[0:0:0:0:0:0:0:1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ "
    "http://[64:ff9b::7f00:1]/ http://[64:ff9b:1::7f00:1]/ http://[2002:7f00:1::]/ http://[2001:0:1::]/ "
    "http://localhost/ http://LOCALHOST/ http://localhost./ http://a.localhost/ http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ "
    "http://①②⑦.⓪.⓪.①/ http://１２７.０.０.１/ http://127。0。0。1/ http://0/ http://0.0.0.0/ http://[::]/ "
    "http://[2606:4700::5efe:7f00:1]/ http://[fe80::1%25lo]/"
).split()
PRIVATE = (
    "http://10.1.2.3/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/ http://169.254.169.254/ "
    "http://100.64.0.1/ http://100.100.100.200/ http://168.63.129.16/ http://224.0.0.1/ http://240.0.0.1/ "
    "http://255.255.255.255/ http://192.0.2.1/ http://198.18.0.1/ http://192.88.99.1/ http://[fc00::1]/ "
    "http://[fd00:ec2::254]/ http://[fe80::1]/ http://[ff02::1]/ http://[2001:db8::1]/ http://[4000::1]/"
).split()
NAMES = (
    "http://metadata.google.internal/ http://metadata/ http://metadata.goog/ http://instance-data/ http://router/ "
    "http://printer.local/ http://nas.lan/ http://wiki.corp/ http://db.internal/ http://x.svc.cluster.local/"
).split()
TRICKS = [
    *("file:///etc/passwd", "ftp://example.com/", "gopher://example.com/", "data:text/html,hi", "javascript:alert(1)"),
    *("//example.com/", "example.com", "", "http://", "http:///etc", "http://example.com..", "http://.example.com/"),
    *("http://user@127.0.0.1/", "http://example.com@127.0.0.1/", "http://user:secret@example.com/"),
    *("http://127.0.0.1:80\\@example.com/", "http://example.com\\.evil.com/", "http://exam\nple.com/"),
    *("http://example.com:22/", "http://example.com:0/", "http://example.com:99999/", "http://example.com:x/"),
    *("http://%6c%6fcalhost/", "http://exa mple.com/", "http://[::1", "http://[1.2.3.4]/", "http://a..b.com/"),
    "http://example.com/" + "a" * 5_000,
]
IMITATIONS = ["http://еxample.com/", "http://аррӏе.com/", "http://xn--80ak6aa92e.com/", "http://gооgle.com/"]


@pytest.fixture
def guard() -> AddressGuard:
    names = {"example.com": PUBLIC, "xn--fsqu00a.xn--fiqs8s": PUBLIC, "xn--80aa1agjdchjh2p.xn--p1ai": PUBLIC}
    traps = {"trap.com": "127.0.0.1", "half.com": [PUBLIC, "10.0.0.1"], "six.com": "::1", "odd.com": "no address"}
    return AddressGuard(resolver=HostTable(names | traps))


@pytest.mark.parametrize("url", [*LOOPBACK, *PRIVATE, *NAMES, *TRICKS, *IMITATIONS])
def test_what_is_not_plainly_of_the_public_web_is_refused(url: str, guard: AddressGuard) -> None:
    with pytest.raises(AddressRefused):
        guard.check(guard.locate(url))


@pytest.mark.parametrize("name", ["trap.com", "half.com", "six.com", "odd.com"])
def test_a_name_is_refused_when_any_of_its_addresses_is_not_public(name: str, guard: AddressGuard) -> None:
    with pytest.raises(AddressRefused, match="not of the public web"):
        guard.check(guard.locate(f"https://{name}/"))


def test_a_name_that_nobody_knows_is_no_refusal(guard: AddressGuard) -> None:
    with pytest.raises(FetchFailed, match="not known to DNS"):
        guard.check(guard.locate("https://nowhere.com/"))


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://example.com", "http://example.com/"),
        (" HTTPS://Example.COM.:443/a b?q=ü 1#part ", "https://example.com/a%20b?q=%C3%BC%201"),
        ("http://example.com:8080/%7Ex?a=%26", "http://example.com:8080/%7Ex?a=%26"),
        ("http://例子.中国/页", "http://xn--fsqu00a.xn--fiqs8s/%E9%A1%B5"),
        ("http://例子。中国/", "http://xn--fsqu00a.xn--fiqs8s/"),
        ("http://93.184.215.14/", "http://93.184.215.14/"),
        ("http://[2606:2800:21f:CB07::1]/", "http://[2606:2800:21f:cb07::1]/"),
    ],
)
def test_public_addresses_pass_in_one_canonical_form(url: str, canonical: str, guard: AddressGuard) -> None:
    assert guard.check(guard.locate(url)).location.url == canonical


def test_a_name_in_its_own_alphabet_imitates_nobody(guard: AddressGuard) -> None:
    assert guard.locate("http://сахар.рф/").host == "xn--80aa2cbv.xn--p1ai"


def test_the_allow_list_holds_for_one_spelling_and_one_port() -> None:
    guard = AddressGuard(
        allow=["127.0.0.1:8000", "[::1]:8001", "wiki.corp:80"], resolver=HostTable({"wiki.corp": "10.0.0.9"})
    )
    for url in ("http://127.0.0.1:8000/x", "http://[::1]:8001/", "http://wiki.corp/"):
        assert guard.check(guard.locate(url)).listed
    for url in ("http://127.0.0.1/", "http://127.0.0.1:8001/", "http://localhost:8000/", "http://0x7f000001:8000/"):
        with pytest.raises(AddressRefused):
            guard.check(guard.locate(url))


@pytest.mark.parametrize("entry", ["127.0.0.1", "example.com:", "example.com:x", "example.com:0", ":80"])
def test_an_allow_list_that_allows_nothing_clear_is_refused(entry: str) -> None:
    with pytest.raises((InvalidParameter, AddressRefused)):
        AddressGuard(allow=[entry])


def test_one_string_is_no_allow_list() -> None:
    with pytest.raises(InvalidParameter, match="list"):
        AddressGuard(allow="127.0.0.1:8000")


@given(
    st.lists(
        st.sampled_from(
            ["http://", "https:", "//", "/", "\\", "@", ":", "[", "]", "%", "?", "#", ".", "。", "127", "0x7f", "\t",
             " ", "localhost", "example.com", "::1", "ffff:", "80", "8080", "xn--", "а", "①", "\u200b", "u", "10.0.0.1"]
        ),
        max_size=8,
    ).map("".join)
)  # fmt: skip
def test_whatever_is_put_together_only_the_one_known_public_host_gets_through(text: str) -> None:
    guard = AddressGuard(resolver=HostTable({"example.com": PUBLIC, "localhost": "127.0.0.1"}))
    try:
        target = guard.check(guard.locate(text))
    except (AddressRefused, FetchFailed):
        return
    assert (target.location.host, target.addresses) == ("example.com", (PUBLIC,))
    assert guard.locate(target.location.url) == target.location


@pytest.mark.parametrize(("path", "asked"), [
    ("", "/"), ("/a/../b", "/b"), ("/a/./b/", "/a/b/"), ("/../..", "/"), ("/a/b/..", "/a/"), ("/a//b", "/a//b"),
    ("/a/%2e%2E/b", "/b"), ("/a...b/..c", "/a...b/..c"), ("/a/b?x=../..", "/a/b?x=../.."),
])  # fmt: skip
def test_a_path_is_asked_for_as_browsers_do(path: str, asked: str) -> None:
    assert AddressGuard().locate(f"http://example.com{path}").path == asked
