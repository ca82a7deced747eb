"""AMBStore keeps LangGraph's promises of a store, and is the same memory as LongTermMemory's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("langgraph.store.base", reason="LangGraph is not installed: make test-frameworks")
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, PutOp, SearchOp

from amb_core import LongTermMemory, ManualClock
from amb_core.errors import InvalidInput
from amb_embedders import HashingEmbedder
from amb_langgraph import AMBStore
from amb_longterm.user_data import delete_user

pytestmark = pytest.mark.langgraph


@pytest.fixture(params=["memory://", "sqlite:///{}/store.db", "json:///{}/store"])
def store(request, tmp_path):
    with AMBStore(request.param.format(tmp_path)) as opened:
        yield opened


@pytest.fixture
def plain():
    with AMBStore(LongTermMemory(clock=ManualClock(1_700_000_000, step=1))) as opened:
        yield opened


DOCS: dict[tuple[str, ...], dict[str, Any]] = {
    ("test", "docs"): {
        "doc1": {"title": "First Doc", "author": "Alice", "tags": ["important"], "size": 3},
        "doc2": {"title": "Second Doc", "author": "Bob", "tags": ["draft"], "size": 10},
    },
    ("test", "images"): {"img1": {"title": "Image 1", "author": "Alice", "meta": {"dpi": 300}, "size": "7"}},
    ("test", "images", "raw"): {"raw1": {"title": "Raw Image", "author": "Carol"}},
}


def fill(store):
    for namespace, items in DOCS.items():
        for key, value in items.items():
            store.put(namespace, key, value)


def keys(items):
    return {item.key for item in items}


def test_an_item_comes_back_as_it_was_put_is_replaced_and_deleted(store):
    value = {"a": 1, "b": [1, {"c": None}], "d": "  two  words ", "e": True, "中文": "值"}
    store.put(("test", "docs"), "doc1", value)
    first = store.get(("test", "docs"), "doc1")
    assert (first.namespace, first.key, first.value) == (("test", "docs"), "doc1", value)
    store.put(("test", "docs"), "doc1", {"other": "thing"})
    second = store.get(("test", "docs"), "doc1")
    assert second.value == {"other": "thing"}
    assert second.created_at == first.created_at <= first.updated_at <= second.updated_at
    assert store.get(("test", "other"), "doc1") is store.get(("test",), "doc1") is None
    store.delete(("test", "docs"), "doc1")
    assert store.get(("test", "docs"), "doc1") is None
    store.delete(("test", "docs"), "doc1")


def test_items_are_searched_by_prefix_filter_and_page(store):
    fill(store)
    assert keys(store.search(("test",))) == {"doc1", "doc2", "img1", "raw1"}
    assert keys(store.search(("test", "images"))) == {"img1", "raw1"}
    assert keys(store.search(("tes",))) == set()
    for wanted, found in (
        ({"author": "Alice"}, {"doc1", "img1"}),
        ({"author": {"$ne": "Alice"}}, {"doc2", "raw1"}),
        ({"size": {"$gt": 3}}, {"doc2", "img1"}),
        ({"size": {"$gte": 3, "$lt": 10}}, {"doc1", "img1"}),
        ({"tags": ["draft"]}, {"doc2"}),
        ({"meta": {"dpi": 300}}, {"img1"}),
        ({"meta.dpi": 300}, {"img1"}),
        ({"author": "Alice' OR '1'='1"}, set()),
    ):
        assert keys(store.search(("test",), filter=wanted)) == found
    pages = [store.search(("test",), limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [len(page) for page in pages] == [2, 2, 0]
    assert keys(pages[0] + pages[1]) == {"doc1", "doc2", "img1", "raw1"}
    with pytest.raises(ValueError, match="operator"):
        store.search(("test",), filter={"size": {"$near": 3}})


def test_a_query_finds_by_words_and_the_old_words_are_gone(plain):
    fill(plain)
    best, *_ = plain.search(("test",), query="second doc", limit=2)
    assert (best.key, best.score > 0.9) == ("doc2", True)
    plain.put(("test", "docs"), "doc2", {"title": "Zebra"})
    again = {item.key: item.score for item in plain.search(("test",), query="second doc")}
    assert again["doc2"] < best.score
    plain.put(("test", "docs"), "hidden", {"title": "second doc"}, index=False)
    plain.put(("test", "docs"), "by author", {"title": "x", "author": "second doc"}, index=["title"])
    found = plain.search(("test",), query="second doc")
    assert found[-1].key == "hidden"
    assert found[-1].score is None
    assert {item.key: item.score for item in found}["by author"] == 0.0
    assert keys(plain.search(("test",), query="doc", filter={"author": "Alice"})) == {"doc1", "img1"}


def test_namespaces_are_listed_by_prefix_suffix_depth_and_page(store):
    spaces = [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "c", "f"), ("b", "a", "f")]
    for number, namespace in enumerate(spaces):
        store.put(namespace, f"id_{number}", {"data": number})
    assert store.list_namespaces() == spaces
    assert store.list_namespaces(prefix=("a", "b")) == spaces[:3]
    assert store.list_namespaces(suffix=("f",)) == spaces[3:]
    assert store.list_namespaces(prefix=("a", "*", "f")) == [("a", "c", "f")]
    assert store.list_namespaces(suffix=("*", "f"), max_depth=2) == [("a", "c"), ("b", "a")]
    assert store.list_namespaces(prefix=("a", "b"), limit=1, offset=1) == spaces[1:2]
    assert store.list_namespaces(max_depth=1) == [("a",), ("b",)]


def test_a_batch_reads_before_it_writes_and_answers_in_order(store):
    store.put(("test",), "key1", {"data": "old"})
    found = store.batch(
        [
            GetOp(("test",), "key1"),
            PutOp(("test",), "key1", {"data": "middle"}),
            SearchOp(("test",), filter={"data": "old"}, limit=5, offset=0),
            PutOp(("test",), "key1", {"data": "new"}),
            ListNamespacesOp(match_conditions=None, max_depth=None, limit=5, offset=0),
            PutOp(("test",), "gone", None),
        ]
    )
    assert (found[0].value, found[1], keys(found[2]), found[3]) == ({"data": "old"}, None, {"key1"}, None)
    assert (found[4], found[5]) == ([("test",)], None)
    assert store.get(("test",), "key1").value == {"data": "new"}


def test_async_calls_do_the_same(store):
    async def work():
        await asyncio.gather(*(store.aput(("test",), f"k{number}", {"n": number}) for number in range(12)))
        await store.adelete(("test",), "k3")
        one, many = await asyncio.gather(store.aget(("test",), "k4"), store.asearch(("test",), limit=50))
        return one.value, keys(many), await store.alist_namespaces()

    value, found, spaces = asyncio.run(work())
    assert (value, len(found), spaces) == ({"n": 4}, 11, [("test",)])


@pytest.mark.parametrize("namespace", [(), ("a", ""), ("a.b",), ("langgraph", "x")])
def test_a_namespace_that_langgraph_refuses_is_refused(plain, namespace):
    with pytest.raises(InvalidNamespaceError):
        plain.put(namespace, "k", {"a": 1})


def test_time_to_live():
    clock = ManualClock(1_700_000_000)
    store = AMBStore(LongTermMemory(clock=clock))
    store.put(("test",), "short", {"a": 1}, ttl=1)
    store.put(("test",), "long", {"a": 2}, ttl=None)
    clock.advance(59)
    assert keys(store.search(("test",))) == {"short", "long"}
    clock.advance(2)
    assert keys(store.search(("test",))) == {"long"}
    assert store.get(("test",), "short") is None


def test_it_is_the_same_memory_as_the_rest_of_amb(tmp_path):
    url = f"sqlite:///{tmp_path}/memory.db"
    with LongTermMemory(url) as memory:
        store = AMBStore(memory)
        memory.remember("I live in Porto.", user="ana")
        store.put(("user_profile", "ana"), "pet", {"content": "Has a cat called Mitzi"})
        (told,) = [item for item in store.search(("user_profile", "ana")) if "Porto" in item.value["content"]]
        store.put(told.namespace, told.key, {"content": "Lives in Berlin"})
        assert store.get(told.namespace, told.key).value == {"content": "Lives in Berlin"}
        known = memory.profile("ana")
        assert "Lives in Berlin" in known
        assert "Has a cat called Mitzi" in known
        assert store.search(("user_profile",), query="cat")[0].key == "pet"
    assert delete_user(url, user="ana")
    assert AMBStore(url).search(("user_profile",)) == []


def test_secrets_are_not_kept_and_addresses_are():
    store = AMBStore("memory://")
    store.put(("user_profile", "u1"), "k", {"content": "mail ana@example.com", "note": "password: hunter2secret"})
    value = store.get(("user_profile", "u1"), "k").value
    assert value["content"] == "mail ana@example.com"
    assert "hunter2secret" not in value["note"]


class _Embeddings:
    """LangChain's interface over AMB's embedder for tests."""

    def embed_documents(self, texts):
        return HashingEmbedder(dimension=64).embed(texts).tolist()

    def embed_query(self, text):
        return self.embed_documents([text])[0]

    async def aembed_documents(self, texts):
        return self.embed_documents(texts)

    async def aembed_query(self, text):
        return self.embed_query(text)


def test_with_embeddings_of_langchain_it_finds_by_meaning_too():
    from langchain_core.embeddings import Embeddings

    kind = type("Fuzzy", (_Embeddings, Embeddings), {})
    store = AMBStore(index={"embed": kind(), "dims": 64, "fields": ["text"]})
    for number, text in enumerate(("wintertime", "motorboat", "gardening")):
        store.put(("docs",), str(number), {"text": text, "other": "boat"})
    assert store.search(("docs",), query="motorboats")[0].key == "1"
    with pytest.raises(InvalidInput, match="index"):
        AMBStore(LongTermMemory(), index={"embed": kind(), "dims": 64})


def test_an_agent_works_with_it():
    from langchain.agents import create_agent
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.config import get_store

    @tool
    def keep(fact: str) -> str:
        """Keep a fact."""
        get_store().put(("user_profile", "ana"), "fact", {"content": fact})
        return "kept"

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **options: Any) -> Any:
            return self

    call = {"name": "keep", "args": {"fact": "Likes tea"}, "id": "c1"}
    store = AMBStore()
    agent = create_agent(Model(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("ok")])), [keep], store=store)
    agent.invoke({"messages": [("user", "Remember that I like tea.")]})
    assert "Likes tea" in store.memory.profile("ana")
