"""What an earlier process left undone is done by the next opening."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from amb_core import MemoryBank, StoreError, StoreLocked, ToolResult
from amb_core.attachments import Attachment, AttachmentType
from amb_core.models import EntryState
from amb_core.stores import InMemoryStore, SqliteStore

TEXTS = ["The spare key of the boathouse lies under the third stone.", "船屋的备用钥匙压在第三块石头下面。"]


class Read(SqliteStore):
    """A store that another process reads at first, so that it cannot be scrubbed."""

    scrubs = 0

    def scrub(self, *, vacuum: bool = True) -> None:
        self.scrubs += 1
        if self.scrubs == 1:
            raise StoreLocked("being read")
        super().scrub(vacuum=vacuum)


class Choosy(InMemoryStore):
    """A store that takes no digested entry until it works."""

    works = False

    def put(self, records, *, keep_history=False):  # type: ignore[no-untyped-def]
        if not self.works and any(record.data.get("state") == "done" for record in records):
            raise StoreError("the disk is full")
        super().put(records, keep_history=keep_history)


def absorbed(text: str, **fields: object) -> ToolResult:
    return ToolResult(tool="read", output=text, source="notes", **fields)


def holding(folder: Path, text: str) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


@pytest.fixture(params=["sqlite", "json"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"{request.param}:///{tmp_path / 'bank'}"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("again", ["resume", "forget"])
def test_what_could_not_be_erased_is_erased_at_the_next_chance(tmp_path: Path, text: str, again: str) -> None:
    store = Read(tmp_path / "bank.db")
    bank = MemoryBank("Goal", store=store)
    bank.absorb(absorbed(text))
    with pytest.raises(StoreLocked):
        bank.forget("e1")
    if again == "resume":
        MemoryBank.resume(store)
    else:
        bank.forget("e1")

    assert (store.scrubs, holding(tmp_path, text)) == (2, [])
    MemoryBank.resume(store)
    assert store.scrubs == 2


def test_files_that_nobody_holds_are_deleted_and_the_others_stay(url: str, tmp_path: Path) -> None:
    given = tmp_path / "plan.txt"
    given.write_text(TEXTS[0])
    with MemoryBank("Goal", store=url) as bank:
        attached = Attachment(id="f", type=AttachmentType.DOCUMENT, content=str(given))
        bank.absorb(absorbed("The plan is attached.", attachments=(attached,)))
        waiting = bank.attach(given, type="document")
        kept = bank.snapshot().entries[0].attachments[0]
        bank.close(keep=True)
    orphan = Path(kept.content).with_name("orphan.txt")
    orphan.write_text(TEXTS[1])
    with MemoryBank.resume(url):
        assert [Path(name).exists() for name in (kept.content, waiting.content, orphan)] == [True, True, False]


@pytest.mark.parametrize("text", TEXTS)
def test_a_task_that_ended_is_in_no_file(url: str, tmp_path: Path, text: str) -> None:
    with MemoryBank("Goal", store=url, ends="delete") as bank:
        bank.absorb(absorbed(text))
        assert holding(tmp_path, text)

    assert holding(tmp_path, text) == []


@pytest.mark.parametrize("call", [{}, {"call_id": "c1"}])
def test_a_text_whose_digesting_failed_is_digested_once_when_it_comes_again(call: dict[str, str]) -> None:
    store = Choosy()
    bank = MemoryBank("Goal", store=store)
    with pytest.raises(StoreError):
        bank.absorb(absorbed(TEXTS[0], **call))
    store.works = True

    assert bank.absorb(absorbed(TEXTS[0], **call)).node_ids == ("n1",)
    again = MemoryBank.resume(store)
    assert [node.id for node in again.nodes] == ["n1"]
    assert {digestion.state for digestion in again.snapshot().digestions} == {EntryState.DONE}


@pytest.mark.parametrize("text", TEXTS)
def test_texts_that_were_queued_twice_are_digested_once_on_resume(text: str) -> None:
    store = Choosy()
    bank = MemoryBank("Goal", store=store)
    digests: list[Callable[[], object]] = [lambda: bank.absorb(absorbed(text), wait=False)] * 3
    for digest in digests:
        digest()
    with pytest.raises(StoreError):
        bank.host.flush()
    store.works = True

    again = MemoryBank.resume(store)
    assert len(again.nodes) == 1
    assert [digestion.repeat_of for digestion in again.snapshot().digestions] == [None, "e1", "e1"]
