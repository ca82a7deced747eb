"""Memory that fails lets requests through, and says so."""

from __future__ import annotations

import shutil

import pytest

pytestmark = pytest.mark.slow

PAGE = "The safe of the lighthouse opens with plum. " + "Lamps and tides are counted. " * 130


def test_a_damaged_bank_lets_the_request_through_and_says_so(begin, gateway, provider):
    talk = begin(gateway.url).go_on(lambda _: PAGE, turns=3)
    gateway.stop()
    for file in [file for file in (gateway.folder / "banks").rglob("*") if file.is_file()]:
        file.write_bytes(b"no database at all" * 999)
    gateway._start()
    talk.url = gateway.url
    talk.go_on(lambda _: PAGE, turns=2)
    assert all("failed" in said for said in talk.says[-2:])
    assert [PAGE in seen.raw.decode() for seen in provider.seen[-2:]] == [True, True]


@pytest.mark.parametrize("gone", ["banks", "gateway.db"])
def test_a_folder_that_cannot_be_written_lets_the_request_through_and_says_so(gone, begin, gateway, provider):
    gateway.stop()
    for file in gateway.folder.glob(f"{gone}*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    gateway._start()
    talk = begin(gateway.url).go_on(lambda _: PAGE)
    if gone == "banks":
        shutil.rmtree(gateway.folder / "banks", ignore_errors=True)
        (gateway.folder / "banks").write_text("a file where a folder should be")
    else:
        gateway.app._store.close()
    talk.go_on(lambda _: PAGE)
    assert "memory failed" in talk.says[-1] or "failed=" in talk.says[-1]
    assert PAGE in provider.seen[-1].raw.decode()
