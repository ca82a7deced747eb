"""The index of a large namespace is kept beside the store: taken up when it fits, never trusted, and never a leak."""

import shutil

import pytest

from amb_core.stores import SqliteStore
from amb_embedders import HashingEmbedder
from amb_longterm import LongTermMemory, MemoryRecord
from amb_longterm.memory_records import stored

FACTS = "domain_facts/u1"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A file with 1,200 records, opened and closed once; nothing writes to it."""
    file = tmp_path_factory.mktemp("made") / "memory.db"
    store = SqliteStore(file)
    records = [
        MemoryRecord(
            id=f"r{number:04d}",
            namespace=FACTS,
            content=f"Shelf {number} in hall {number % 7} holds part X{number * 3}",
            metadata={"source": "user"},
            created_at=1.0,
            updated_at=1.0 + number,
            expires_at=None if number else 2e12,
        )
        for number in range(1_200)
    ]
    store.put([stored(record) for record in records])
    store.close()
    with LongTermMemory(f"sqlite:///{file}") as memory:
        memory.search("shelf", namespace=FACTS)
    return file


@pytest.fixture
def path(made, tmp_path):
    """The same file and what is kept beside it, for one test."""
    shutil.copytree(made.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / made.name


def kept(path):
    return [file for file in path.parent.iterdir() if file.name.endswith(".index")]


def found(path, query, **options):
    with LongTermMemory(f"sqlite:///{path}") as memory:
        return [hit.model_dump() for hit in memory.search(query, namespace=FACTS, **options)]


@pytest.mark.slow
def test_what_is_kept_finds_the_same_as_what_is_made_anew(path):
    assert kept(path)
    quickly = found(path, "part X300 in which hall?")
    for file in kept(path):
        file.unlink()

    anew = found(path, "part X300 in which hall?")

    assert [hit["id"] for hit in quickly] == [hit["id"] for hit in anew]
    assert quickly[0]["content"] == "Shelf 100 in hall 2 holds part X300"


@pytest.mark.slow
def test_what_others_have_written_since_is_seen(path):
    before = path.with_suffix(".before")
    (file,) = kept(path)
    shutil.copy(file, before)
    with LongTermMemory(f"sqlite:///{path}") as memory:
        memory.update("r0100", namespace=FACTS, content="Anna likes tea", merge=False)
        memory.delete("r0200", namespace=FACTS)
        memory.write("Ben likes coffee", namespace=FACTS)
    shutil.move(before, file)

    assert found(path, "who likes tea?")[0]["id"] == "r0100"
    assert found(path, "who likes coffee?")[0]["content"] == "Ben likes coffee"
    assert all(hit["id"] not in ("r0100", "r0200") for hit in found(path, "part X300 X600"))


@pytest.mark.slow
def test_vectors_that_were_given_since_are_seen(path):
    with LongTermMemory(f"sqlite:///{path}", embedder=HashingEmbedder()) as memory:
        assert memory.audit(limit=1)[0].action == "embed"
        assert memory.search("part X300", namespace=FACTS)[0].id == "r0100"
        assert memory.get("r0100", namespace=FACTS).embedding is not None


@pytest.mark.slow
def test_a_file_of_another_log_is_not_used(path, tmp_path):
    (file,) = kept(path)
    with LongTermMemory(f"sqlite:///{path}") as memory:
        memory.delete("r0100", namespace=FACTS)
        memory.search("shelf", namespace=FACTS)
    other = tmp_path / "other.db"
    with LongTermMemory(f"sqlite:///{other}") as memory:
        memory.write("Ben likes coffee", namespace=FACTS)
    shutil.copy(file, other.with_name(file.name.replace(path.name, other.name)))

    assert [hit["content"] for hit in found(other, "who likes coffee, part X300?")] == ["Ben likes coffee"]


@pytest.mark.slow
def test_a_torn_file_is_not_used(path):
    (file,) = kept(path)
    file.write_bytes(file.read_bytes()[:-100])

    assert found(path, "part X300")[0]["id"] == "r0100"


def test_a_deleted_record_is_not_in_the_kept_file_either(path):
    with LongTermMemory(f"sqlite:///{path}") as memory:
        written = memory.write("The merger with Nordlicht is in March", namespace=FACTS)
        memory.search("Nordlicht", namespace=FACTS)
    assert any(b"nordlicht" in file.read_bytes().lower() for file in kept(path))
    with LongTermMemory(f"sqlite:///{path}") as memory:
        memory.delete(written.id, namespace=FACTS)

    assert not any(b"nordlicht" in file.read_bytes().lower() for file in path.parent.iterdir())
