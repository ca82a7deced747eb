"""With `--redact` no personal data and no secret is in what the gateway keeps; new results go on as they came."""

from __future__ import annotations

import pytest

from amb_redaction import PatternRedactor

pytestmark = pytest.mark.slow

SECRETS = ("lena@example.org", "138-0013-8000", "4111 1111 1111 1111", "hunter2-secret", "ann.lee@example.com")


def page(number: int) -> str:
    told = (
        f"Customer {number}: lena@example.org, 电话 138-0013-8000, card 4111 1111 1111 1111, password: hunter2-secret."
    )
    return told + " The rest of the page is about lamps and tides." * 80


def test_what_is_kept_has_no_secret_and_what_is_new_goes_on_as_it_came(begin, another_gateway, provider):
    with another_gateway(provider.url, redactor=PatternRedactor()) as gateway:
        talk = begin(gateway.url, told="Write to ann.lee@example.com what customer 1 ordered.").go_on(page, turns=6)
        gateway.restart()
        talk.url = gateway.url
        talk.go_on(page, turns=6)
        name = next(iter(talk.names))
        told = gateway.operator("GET", f"/amb/conversations/{name}").text
        folder = gateway.folder
    assert len(talk.names) == 1
    assert "Customer 1:" in told
    assert "[e-mail]" in told
    assert all(secret in provider.seen[-1].raw.decode() for secret in SECRETS)
    kept = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
    assert [secret for secret in SECRETS if secret.encode() in kept or secret in told] == []
    assert "entries=10" in talk.says[-1]
