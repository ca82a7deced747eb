"""The store in Chroma keeps the contract, survives killed processes, and shows its records to Chroma's own client."""

from __future__ import annotations

import base64
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amb_book.episodes import EpisodeArchive
from amb_book.graph import RecordGraph
from amb_book.graphs import GraphStore
from amb_book.testing.graph_store import GraphStoreContract

from amb_contracts.record_store import RecordStoreContract
from amb_contracts.record_store_content import found, ids_of, put
from amb_core.clock import SystemClock
from amb_core.errors import StoreCorrupt, StoreError, StoreLocked
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_core.stores import open_store
from amb_vector_stores import ChromaStore
from amb_vector_stores.chroma_collection import check_room

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("chromadb") is None, reason="needs the chroma extra; run by `make test-chroma`"),
]

WRITE_UNTIL_KILLED = """
import base64, sys
import numpy as np
from amb_core.protocols import Record
from amb_vector_stores import ChromaStore
store = ChromaStore(sys.argv[1])
vectors = np.random.default_rng(1).normal(size=(100_000, 16)).astype("<f4")
for number in range(10_000):
    with store.transaction():
        for part in range(3):
            embedding = base64.b64encode(vectors[number * 3 + part].tobytes()).decode()
            store.put([Record("n", f"{number}-{part}", {"v": number, "embedding": embedding})])
        store.delete("n", [f"{number - 1}-0"])
    print(number, flush=True)
"""

DIE_AT_WRITE = """
import os, sys
from pathlib import Path
from amb_vector_stores.chroma_engine import ChromaEngine
from amb_vector_stores.point_store import PointStore
from amb_core.protocols import Record

class Dying(ChromaEngine):
    calls = 0
    def write(self, changes):
        self.calls += 1
        if self.calls == int(sys.argv[2]):
            os._exit(9)
        if self.calls == 3:  # the changes themselves: make the first one, then die
            super().write(dict([next(iter(changes.items()))]))
            os._exit(9)
        super().write(changes)

store = PointStore(Dying(Path(sys.argv[1])))
with store.transaction():
    store.put([Record("n", each, {"v": each}) for each in ("a", "b", "c")])
    store.delete("n", ["old"])
"""


def rows(path: Path, sql: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(path / "chroma.sqlite3")) as database, database:
        return database.execute(sql, values).fetchall()


def embedded(namespace: str, id: str, *numbers: float, **fields: Any) -> Record:
    raw = np.array(numbers, dtype="<f4").tobytes()
    return Record(namespace, id, {"embedding": base64.b64encode(raw).decode(), **fields})


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


@contextmanager
def opened(folder: Path) -> Iterator[ChromaStore]:
    with closing(ChromaStore(folder)) as store:
        yield store


@contextmanager
def chroma_itself(folder: Path) -> Iterator[Any]:
    """Chroma's own client, on a folder that AMB has closed."""
    import chromadb

    with closing(chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))) as client:
        yield client


class TestChromaFolderStore(RecordStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[RecordStore]:
        self.path = tmp_path / "memory"
        self.opened: list[RecordStore] = [open_store(f"chroma:///{self.path}")]
        yield self.opened[0]
        for each in self.opened:
            each.close()

    def reopen(self, store: RecordStore) -> RecordStore:
        self.opened.append(ChromaStore(self.path))
        return self.opened[-1]

    def corrupt(self, store: RecordStore, namespace: str, id: str) -> RecordStore:
        store.close()
        of = "(SELECT id FROM embedding_metadata WHERE key = 'amb:id' AND string_value = ?)"
        sql = f"UPDATE embedding_metadata SET string_value = '{{\"v' WHERE key = 'amb:data' AND id IN {of} RETURNING id"
        assert len(rows(self.path, sql, id)) == 1
        return self.reopen(store)

    @pytest.fixture
    def concurrent(self, store: RecordStore) -> RecordStore:
        """Threads may share it, though a second opening is refused."""
        return store

    def test_two_openings_see_each_other_s_commits(self, durable: RecordStore, concurrent: RecordStore) -> None:
        put(durable, "r1")
        with pytest.raises(StoreLocked, match="close it there"):
            self.reopen(durable)
        assert found(durable) == ["r1"]

    def test_two_openings_may_write_at_once(self, durable: RecordStore, concurrent: RecordStore) -> None:
        pytest.skip("a folder has one opening at a time")


class TestGraphInChroma(GraphStoreContract):
    @pytest.fixture
    def graph(self, tmp_path: Path) -> Iterator[GraphStore]:
        self.path = tmp_path / "book"
        with closing(RecordGraph(ChromaStore(self.path), "book:facts", owns_store=True)) as graph:
            yield graph

    def reopen(self, graph: GraphStore) -> GraphStore:
        return RecordGraph(ChromaStore(self.path), "book:facts", owns_store=True)


# --- killed processes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("write", "left"), [(1, ["old"]), (2, ["old"]), (3, ["a", "b", "c"]), (4, ["a", "b", "c"])])
def test_a_process_that_dies_at_any_write_leaves_all_or_nothing(tmp_path: Path, write: int, left: list[str]) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "old", {"v": 1})])
    assert run(DIE_AT_WRITE, tmp_path / "memory", write).returncode == 9
    for _ in range(2):
        with opened(tmp_path / "memory") as store:
            assert (found(store), store.damaged("n"), store.count("n")) == (left, [], len(left))
    assert rows(tmp_path / "memory", "SELECT count(*) FROM embeddings") == [(len(left),)]


@pytest.mark.parametrize("lines", [4, *(pytest.param(lines, marks=pytest.mark.nightly) for lines in (1, 9, 400))])
def test_a_killed_process_loses_no_transaction_and_leaves_no_half(tmp_path: Path, lines: int) -> None:
    command = [sys.executable, "-c", WRITE_UNTIL_KILLED, tmp_path / "memory"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(lines)]
        process.kill()
    with opened(tmp_path / "memory") as store:
        left = found(store)
        near = store.search_natively(RecordQuery("n"), text="", vector=np.ones(16, dtype=np.float32))
        assert sorted(record.id for record, _ in near) == sorted(left)
    last = int(left[-1].partition("-")[0])
    assert last >= told[-1]
    assert left == [f"{n}-{part}" for n in range(last + 1) for part in range(3) if part or n == last]


def test_an_index_that_a_killed_process_left_broken_is_made_anew(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([embedded("n", f"r{n}", n, 1, content=f"the {n}th") for n in range(1_500)])
    [broken] = (tmp_path / "memory").rglob("index_metadata.pickle")
    broken.write_bytes(broken.read_bytes()[:-100])
    (tmp_path / "memory" / "opened").touch()  # as if it had not been closed
    with opened(tmp_path / "memory") as store:
        asked = RecordQuery("n", limit=2)
        [best, _] = store.search_natively(asked, text="", vector=np.array([0, 1], dtype=np.float32))
        assert (best[0].id, store.count("n")) == ("r0", 1_500)


# --- places -----------------------------------------------------------------------------------------------------------


def test_places_that_cannot_be_opened_are_store_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "chroma.sqlite3").write_bytes(b"no database" * 1_000)
    with pytest.raises(StoreError, match="does not exist; create it"):
        ChromaStore(tmp_path / "missing" / "memory")
    with pytest.raises(StoreError, match="check the folder"):
        ChromaStore(tmp_path / "file")
    with pytest.raises(StoreCorrupt, match=r"notes\.txt"):
        ChromaStore(tmp_path / "other")
    with pytest.raises(StoreCorrupt):
        ChromaStore(tmp_path / "broken")
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["notes.txt"]


def test_a_write_the_disk_has_no_room_for_is_refused_before_it_begins(tmp_path: Path) -> None:
    check_room(tmp_path, 1)
    with pytest.raises(StoreError, match="free disk space"):
        check_room(tmp_path, 10**15)


# --- ranking ----------------------------------------------------------------------------------------------------------


def test_words_and_vectors_rank_by_themselves_and_together(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([embedded("n", "eur", 1, 0, 0, content="two decimals"), embedded("n", "zh", 0.9, 0.1, 0)])
        store.put([embedded("n", "day", 0, 1, 0, content="每周四晚上是发布窗口"), embedded("m", "not asked", 1, 0, 0)])
        store.put([Record("n", "bare", {"content": "two windows"}), embedded("n", "old", 1, 0, 0, kind="x")])

        def best(text: str, *numbers: float, **query: Any) -> list[str]:
            by = np.array(numbers, dtype=np.float32) if numbers else None
            return ids_of([each for each, _ in store.search_natively(RecordQuery("n", **query), text=text, vector=by)])

        assert (best("发布"), best("the of"), best("decimals")) == (["day"], [], ["eur"])
        assert best("", 1, 0.01, 0, limit=3) == ["eur", "old", "zh"]
        assert best("", 1, 0, 0, where={"kind": "x"}) == ["old"]
        assert best("windows", 1, 0, 0, limit=2) == ["eur", "bare"]
        assert (best("", 1, 0), best("", 0, 0, 0)) == ([], [])
        store.put([Record("n", "eur", {"content": "now without a vector"})])
        store.delete("n", ["day"])
        assert (best("发布"), best("", 1, 0, 0)) == ([], ["old", "zh"])


def test_few_allowed_records_among_many_are_all_found(tmp_path: Path) -> None:
    vectors = np.random.default_rng(7).normal(size=(2_000, 32))
    with opened(tmp_path / "memory") as store:
        store.put([embedded("n", f"r{n}", *vectors[n], rare=n % 400 == 0) for n in range(2_000)])
        asked = RecordQuery("n", where={"rare": True})
        near = store.search_natively(asked, text="", vector=vectors[800].astype(np.float32))
        assert near[0][0].id == "r800"
        assert sorted(each.id for each, _ in near) == ["r0", "r1200", "r1600", "r400", "r800"]


# --- Chroma's own client ----------------------------------------------------------------------------------------------


def test_chroma_s_own_client_filters_two_entities_in_one_scene(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as store:
        archive = EpisodeArchive(store, clock=SystemClock())
        cast = ("林月", "陈风")
        archive.put_chapter(1, "林月独自上山。", entities=cast)
        (both,) = archive.put_chapter(2, "林月把剑交给陈风。", title="The sword", entities=cast)
        archive.put_chapter(3, "Rain.", entities=cast)
        assert [each.text for each in archive.search(entities=cast)] == [both.text]
    with chroma_itself(tmp_path / "memory") as client:
        collection = client.get_collection("amb", embedding_function=None)
        scene = [{"entity_list": {"$contains": name}} for name in cast]
        got = collection.get(where={"$and": [*scene, {"chapter_id": 2}, {"amb:namespace": "book:episodes"}]})
    assert got["documents"] == [both.text]
    assert got["metadatas"][0]["chapter_title"] == "The sword"


def test_metadata_that_a_record_no_longer_has_are_gone_from_chroma_too(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as store:
        store.put([Record("n", "r", {"text": "first", "entity_list": ["A", "B"], "mixed": [1, "a"], "none": []})])
        store.put([Record("n", "r", {"entity_list": [], "big": 2**70, "chapter_id": 4})])
    with chroma_itself(tmp_path / "memory") as client:
        got = client.get_collection("amb", embedding_function=None).get()
    shown = {name: value for name, value in got["metadatas"][0].items() if not name.startswith("amb:")}
    assert (shown, got["documents"]) == ({"chapter_id": 4}, [""])
