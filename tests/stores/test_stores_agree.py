"""Whatever is done to them, the store in memory and those in files answer alike."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import InvalidInput
from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_core.stores import InMemoryStore, JsonFolderStore, SqliteStore
from amb_vector_stores import ChromaStore, QdrantStore

IDS = ["a", "b", "C", "c", "汉", ""]
Step = Callable[[RecordStore], object]

texts = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(["x", "%", "\ud800"])
values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
records = st.builds(
    Record,
    namespace=st.just("n"),
    id=st.sampled_from(IDS),
    data=st.dictionaries(st.sampled_from(["v", "w.x", '"']), values | st.lists(values, max_size=2), max_size=3),
    expires_at=st.none() | st.floats(0, 10),
)
ids = st.sampled_from(IDS)


def put(store: RecordStore, batch: list[Record], keep: bool) -> None:
    store.put(batch, keep_history=keep)


def cut_off(store: RecordStore, steps: list[Step]) -> None:
    try:
        with store.transaction():
            for step in steps:
                step(store)
            store.put([Record("n", "bad", {"v": float("nan")})])
    except InvalidInput:
        pass


simple_steps = st.one_of(
    st.builds(lambda batch, keep: lambda store: put(store, batch, keep), st.lists(records, max_size=3), st.booleans()),
    st.builds(lambda some: lambda store: store.delete("n", some), st.lists(ids, max_size=2)),
)
steps = simple_steps | st.builds(lambda inner: lambda store: cut_off(store, inner), st.lists(simple_steps, max_size=4))


def everything(store: RecordStore) -> list[Any]:
    seen: list[Any] = [store.search(RecordQuery("n")), store.search(RecordQuery("n", now=5.0, newest_first=True))]
    for each in IDS:
        seen += [store.get("n", each), store.history("n", each)]
    return seen


FILES: dict[str, Callable[[Path], RecordStore]] = {
    "qdrant": lambda folder: QdrantStore(folder / "memory"),
    "qdrant in small requests": lambda folder: QdrantStore(folder / "memory", page_size=2),
    "sqlite": lambda folder: SqliteStore(folder / "memory.db"),
    "json": lambda folder: JsonFolderStore(folder / "memory", compact_bytes=500),
    "chroma": lambda folder: ChromaStore(folder / "memory"),
}
NO_CHROMA = pytest.mark.skipif(find_spec("chromadb") is None, reason="needs the chroma extra")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*list(FILES)[:-1], pytest.param("chroma", marks=NO_CHROMA)])
@given(st.lists(steps, max_size=12), values)
def test_all_stores_answer_alike_after_any_steps(kind: str, done: list[Step], wanted: Any) -> None:
    with tempfile.TemporaryDirectory() as folder, closing(InMemoryStore()) as memory:
        with closing(FILES[kind](Path(folder))) as file:
            assert [step(memory) for step in done] == [step(file) for step in done]
            query = RecordQuery("n", where={"v": wanted})
            assert memory.search(query) == file.search(query)
            before = everything(memory)
            assert everything(file) == before
        with closing(FILES[kind](Path(folder))) as again:
            assert everything(again) == before
