from pathlib import Path

import pytest

from amb_core import Attachment, MemoryBank, Settings, StepResult, StoreError, UnreadableSource
from amb_core.stores import InMemoryStore

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50
SEEN = "A picture of a battery of 18 MWh."


class FullDisk(InMemoryStore):
    """A store that refuses its next transactions."""

    def __init__(self):
        super().__init__()
        self.refusals = 0

    def transaction(self):
        if self.refusals:
            self.refusals -= 1
            raise StoreError("the disk is full")
        return super().transaction()


@pytest.fixture
def picture(tmp_path_factory):
    """A picture somewhere outside the bank."""
    path = tmp_path_factory.mktemp("outside") / "pic.png"
    path.write_bytes(PNG)
    return path


@pytest.fixture
def shown(picture):
    """The picture as a tool would hand it over."""
    return Attachment(id="x1", type="image", content=str(picture))


@pytest.fixture
def full(tmp_path):
    """A bank on a store that can be made to fail, and that store."""
    store = FullDisk()
    folders = Settings(storage_dir=tmp_path / "kept", temp_dir=tmp_path / "temp")
    with MemoryBank("What is shown?", store=store, settings=folders) as bank:
        yield bank, store


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_waiting_attachment_survives_close_and_resume(tmp_path, picture):
    url = f"sqlite:///{tmp_path / 'bank.db'}"
    bank = MemoryBank("What is shown?", store=url)
    bank.attach(picture)
    bank.close(keep=True)

    with MemoryBank.resume(url, ends="delete") as again:
        assert again.host.open_waiting("a1").problem is None
        again.host.finish_step(StepResult(text=SEEN))
        assert again.host.waiting == ()
        assert again.host.deep_retrieval("n1")[0].attachments[0].media_type == "image/png"
    assert files_in(tmp_path) in ([], ["bank.db"])


def test_a_waiting_attachment_whose_file_is_gone_is_taken_off(full, picture):
    bank, _ = full
    waiting = bank.attach(picture)
    bank.plan()
    Path(waiting.content).unlink()
    bank.host.finish_step(StepResult(text=SEEN))

    assert bank.host.waiting == ()
    assert bank.snapshot().entries[0].text == SEEN


def test_a_recognition_that_could_not_be_stored_can_be_tried_again(full, tmp_path, picture):
    bank, store = full
    bank.attach(picture)
    bank.plan()
    store.refusals = 1
    with pytest.raises(StoreError):
        bank.host.finish_step(StepResult(text=SEEN))
    assert [path.split("/")[0] for path in files_in(tmp_path)] == ["temp"]
    bank.host.finish_step(StepResult(text=SEEN))

    assert (bank.host.waiting, len(bank.snapshot().entries)) == ((), 1)
    assert [path.split("/")[0] for path in files_in(tmp_path)] == ["kept"]


def test_what_could_not_be_taken_in_leaves_no_file(full, tmp_path, picture, shown, result):
    bank, store = full
    missing = Attachment(id="x2", type="image", content="/nowhere/at/all.png")
    store.refusals = 2
    with pytest.raises(StoreError):
        bank.attach(picture)
    with pytest.raises(StoreError):
        bank.absorb(result("A picture was taken.", attachments=(shown,)))
    with pytest.raises(UnreadableSource):
        bank.absorb(result("Two pictures were taken.", attachments=(shown, missing)))

    assert files_in(tmp_path) == []


def test_a_file_is_deleted_only_when_forgetting_is_stored(full, tmp_path, shown, result):
    bank, store = full
    bank.absorb(result("A picture of the boathouse was taken.", attachments=(shown,)))
    store.refusals = 1
    with pytest.raises(StoreError):
        bank.forget("e1")
    assert bank.host.deep_retrieval("n1")[0].attachments[0].problem is None
    bank.forget("e1")

    assert files_in(tmp_path) == []


def test_a_loaded_bank_says_that_a_file_is_not_its_own_and_can_forget_it(tmp_path, shown, result):
    with MemoryBank("What is shown?") as bank:
        bank.absorb(result("A picture of the boathouse was taken.", attachments=(shown,)))
        exported = bank.export(tmp_path / "memory.json")
        with MemoryBank.load(exported) as loaded:
            problem = loaded.host.deep_retrieval("n1")[0].attachments[0].problem
            assert problem.startswith("the file is not in the attachment folders")
            loaded.forget("e1")
        assert bank.host.deep_retrieval("n1")[0].attachments[0].problem is None


def test_closing_without_keeping_removes_the_files_of_the_task(tmp_path, picture, shown, result):
    bank = MemoryBank("What is shown?", store=f"sqlite:///{tmp_path / 'bank.db'}")
    bank.absorb(result("A picture was taken.", attachments=(shown,)))
    bank.attach(picture)
    assert len([path for path in files_in(tmp_path) if "pic" in path]) == 2
    bank.delete()

    assert not (tmp_path / "bank.db.files").exists()


def test_the_same_page_with_the_same_file_is_a_repeat_and_its_copy_is_removed(tmp_path, shown, result):
    store = f"sqlite:///{tmp_path / 'task.db'}"
    with MemoryBank("What is the capacity?", store=store) as bank:
        for call in ("c1", "c2"):
            report = bank.absorb(result(SEEN, call_id=call, attachments=(shown,)))
        assert report.repeat_of == "e1"
        assert len(bank.nodes) == 1
        assert len([path for path in tmp_path.rglob("*.png") if path.is_file()]) == 1
        assert [len(view.attachments) for view in bank.host.deep_retrieval("n1")] == [1]


def test_the_same_words_with_another_file_are_no_repeat(tmp_path, picture, shown, result):
    with MemoryBank("What is the capacity?") as bank:
        bank.absorb(result(SEEN, call_id="c1", attachments=(shown,)))
        picture.write_bytes(PNG + b"other")
        report = bank.absorb(result(SEEN, call_id="c2", attachments=(shown,)))
        assert report.repeat_of is None
        assert bank.host.deep_retrieval(report.node_ids[-1])[-1].attachments
