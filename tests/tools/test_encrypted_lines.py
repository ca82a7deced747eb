"""https: the certificate is checked for the name of the URL, although the connection goes to a checked address."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trafilatura", reason='needs pip install "amb[tools]"')
if shutil.which("openssl") is None:
    pytest.skip("needs the openssl command to make a certificate", allow_module_level=True)

from amb_tools import AddressGuard, FetchFailed, HostTable, PageFetcher


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate and its key for shop.corp, in one file."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=shop.corp",
         "-addext", "subjectAltName=DNS:shop.corp", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    both = folder / "both.pem"
    both.write_bytes((folder / "key.pem").read_bytes() + (folder / "cert.pem").read_bytes())
    return both


@pytest.fixture
def secure(site: Any, certificate: Path) -> Iterator[Any]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    named: list[str | None] = []
    context.sni_callback = lambda line, name, _: named.append(name)
    site.server.socket = context.wrap_socket(site.server.socket, server_side=True)
    site.named = named
    return site


def reader(site: Any, host: str, **options: Any) -> PageFetcher:
    guard = AddressGuard(allow=[f"{host}:{site.port}"], resolver=HostTable({host: "127.0.0.1"}))
    return PageFetcher(guard=guard, robots=False, **options)


@pytest.mark.slow
def test_the_name_is_checked_and_told_to_the_server(secure: Any, certificate: Path) -> None:
    secure.page("/a", "<p>safe</p>")
    context = ssl.create_default_context(cafile=str(certificate))
    page = reader(secure, "shop.corp", ssl_context=context).read(f"https://shop.corp:{secure.port}/a")
    assert page.text == "safe"
    assert secure.named == ["shop.corp"]


def test_a_certificate_for_another_name_is_refused(secure: Any, certificate: Path) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    with pytest.raises(FetchFailed, match="certificate"):
        reader(secure, "other.corp", ssl_context=context).read(f"https://other.corp:{secure.port}/a")
    assert not secure.requests


def test_a_certificate_that_nobody_vouches_for_is_refused(secure: Any) -> None:
    with pytest.raises(FetchFailed, match="certificate"):
        reader(secure, "shop.corp").read(f"https://shop.corp:{secure.port}/a")
    assert not secure.requests
