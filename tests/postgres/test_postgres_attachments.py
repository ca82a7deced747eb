"""Attachments are kept in the database: with their bank, in its transactions, behind its tenant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from amb_core import MemoryBank, StepResult, ToolResult
from amb_core.attachments import Attachment, AttachmentType
from amb_core.errors import ForbiddenPath, StoreError
from amb_core.stores import open_store
from amb_files.attachment_files import AttachmentRows
from amb_postgres.local_server import PostgresServer

PICTURE = b"\x89PNG\r\n\x1a\n of the quay"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    (tmp_path / "quay.png").write_bytes(PICTURE)
    return tmp_path / "quay.png"


@pytest.fixture
def bank(space: str) -> Iterator[MemoryBank]:
    with MemoryBank("Describe the quay.", store=space) as bank:
        yield bank


def files(server: PostgresServer, space: str) -> list[str]:
    with psycopg.connect(server.url()) as owner:
        sql = "SELECT name FROM amb.files WHERE space = %s ORDER BY name"
        return [row[0] for row in owner.execute(sql, (space.rpartition("space=")[2],))]


def test_a_file_that_waits_is_opened_by_another_process_and_kept_when_it_is_recognised(
    server: PostgresServer, space: str, bank: MemoryBank, picture: Path
) -> None:
    waiting = bank.attach(picture)
    picture.unlink()
    with MemoryBank.resume(space) as second:
        assert second.host.open_waiting(waiting.id).encoding == "base64"
        second.host.begin_step()
        second.host.finish_step(StepResult(text="The quay of Lyness with a red crane."))
        assert [name.partition("/")[0] for name in files(server, space)] == ["kept"]
    bank.read("The tide was low.", source="log")
    assert bank.host.waiting == ()


def test_a_tool_s_file_is_kept_once_and_forgotten_with_its_entry(
    server: PostgresServer, space: str, bank: MemoryBank, picture: Path
) -> None:
    result = ToolResult(
        tool="camera",
        output="A picture of the quay of Lyness was taken.",
        attachments=(Attachment(id="x", type=AttachmentType.IMAGE, content=str(picture)),),
    )
    [entry] = bank.absorb(result).entry_ids
    bank.absorb(result)
    assert len(files(server, space)) == 1
    bank.forget(entry)
    assert files(server, space) == []


def test_deleting_the_bank_deletes_its_files(
    server: PostgresServer, space: str, bank: MemoryBank, picture: Path
) -> None:
    bank.attach(picture)
    bank.delete()
    assert files(server, space) == []


def test_a_transaction_that_fails_leaves_no_file(server: PostgresServer, space: str) -> None:
    store = open_store(space)

    def fail() -> None:
        with store.transaction():
            assert store.put_file("kept/d/a.png", PICTURE)
            raise StoreError("on purpose")

    with pytest.raises(StoreError, match="on purpose"):
        fail()
    store.close()
    assert files(server, space) == []


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../kept/d/a", "kept/../a", "kept/d/..", "kept/d/a/b", "other/d/a", "", "kept/d/", "k\0"]
)
def test_a_name_that_is_none_of_a_file_here_is_forbidden(space: str, name: str) -> None:
    store = open_store(space)
    with pytest.raises(ForbiddenPath):
        AttachmentRows(store, max_bytes=100).keep(name)
    store.close()


def test_equal_names_do_not_overwrite_each_other(space: str) -> None:
    store = open_store(space)
    rows = AttachmentRows(store, max_bytes=100)
    names = [str(rows.receive("d", data, AttachmentType.CODE, "a.py")) for data in (b"one", b"two", b"one")]
    assert names == ["waiting/d/a.py", "waiting/d/2-a.py", "waiting/d/3-a.py"]
    assert [rows.equal(names[0], other) for other in names] == [True, False, True]
    store.close()


def test_files_of_one_space_are_not_seen_in_another(server: PostgresServer, space: str) -> None:
    store, other = open_store(space), open_store(f"{server.url()}?tenant=rival&space=files")
    store.put_file("kept/d/a.png", PICTURE)
    assert (other.get_file("kept/d/a.png"), other.file_names("")) == (None, [])
    for each in (store, other):
        each.close()
