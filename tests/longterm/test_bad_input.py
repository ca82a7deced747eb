"""Bad input ends with an error that says what to do, and leaves nothing behind."""

import pytest

from amb_core import MemoryBank
from amb_core.errors import BankClosed, EmbedderMismatch, InvalidInput, InvalidParameter, UnknownId
from amb_embedders import HashingEmbedder
from amb_longterm import LongTermMemory, LongTermSettings

N = "user_profile/u1"


def our_own_block():
    with MemoryBank("What is the capacity?") as bank:
        bank.read("The capacity is 12 MWh.", source="report")
        return bank.host.enhance().text


BAD_CALLS = {
    "blank text": lambda m: m.write("  ", namespace=N),
    "no text": lambda m: m.write(None, namespace=N),
    "our own block": lambda m: m.write(our_own_block(), namespace=N),
    "too long": lambda m: m.write("x" * 1_000_000, namespace=N),
    "unknown type": lambda m: m.write("x", namespace=N, metadata={"type": "gossip"}),
    "unknown strategy": lambda m: m.write("x", namespace=N, metadata={"strategy": "shred"}),
    "negative ttl": lambda m: m.write("x", namespace=N, metadata={"ttl": -1}),
    "no ttl": lambda m: m.write("x", namespace=N, metadata={"ttl": 0}),
    "score above 1": lambda m: m.write("x", namespace=N, metadata={"score": 1.5}),
    "metadata no mapping": lambda m: m.write("x", namespace=N, metadata="user-profile"),
    "a book in the metadata": lambda m: m.write("x", namespace=N, metadata={"book": "x" * 30_000}),
    "metadata no JSON": lambda m: m.write("x", namespace=N, metadata={"when": object()}),
    "empty query": lambda m: m.search(" ", namespace=N),
    "no hits wanted": lambda m: m.search("x", namespace=N, top_k=0),
    "min_score above 1": lambda m: m.search("x", namespace=N, min_score=2),
    "filters are a text": lambda m: m.search("x", namespace=N, filters="north"),
    "filters are a list": lambda m: m.records(N, filters=[("project", "north")]),
    "filters are a number": lambda m: m.delete(filters=7, namespace=N),
    "filters by a number": lambda m: m.search("x", namespace=N, filters={7: "north"}),
    "filters no JSON": lambda m: m.delete(filters={"when": object()}, namespace=N),
    "a reason that is no text": lambda m: m.write("x", namespace=N, why=7),
    "half a record": lambda m: m.records(N, limit=0.5),
    "nothing to update": lambda m: m.update("r1", namespace=N),
    "unknown record": lambda m: m.update("r1", namespace=N, content="x"),
    "no id": lambda m: m.get(None, namespace=N),
    "summary of one text": lambda m: m.summarize("x", goal="y"),
    "summary of unknown": lambda m: m.summarize(["r1"], goal="y", namespace=N),
    "unknown policy": lambda m: m.route("x", user="u1", policy="sometimes"),
}  # fmt: skip


@pytest.mark.parametrize("call", BAD_CALLS.values(), ids=BAD_CALLS)
def test_a_bad_call_is_told_so_and_changes_nothing(plain, call):
    with pytest.raises((InvalidInput, UnknownId)):
        call(plain)

    assert plain.records(N) == []
    assert plain.audit() == []
    assert plain.queued == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "url",
    ["sqlite", *(pytest.param(s, marks=pytest.mark.nightly) for s in ("memory", "json", "qdrant"))],
    indirect=True,
)
def test_a_text_of_a_megabyte_is_kept_where_the_limit_allows_it(url, clock):
    settings = LongTermSettings(max_content_chars=2_000_000)
    text = "The long report speaks of shelves. " * 30_000
    with LongTermMemory(url, clock=clock, settings=settings) as memory:
        written = memory.write(text, namespace=N)
        assert memory.get(written.id, namespace=N).content == text.strip()


def test_odd_characters_come_back_as_they_went_in(memory):
    odd = "tab\t, NUL \x00, half \ud800, “quotes”, emoji 🧪 and %_*"
    written = memory.write(odd, namespace=N)

    assert memory.get(written.id, namespace=N).content == odd


@pytest.mark.parametrize(
    "values",
    [{"top_k": 0}, {"alpha": 2}, {"decay_lambda": -1}, {"default_ttl": -5}, {"capacity": 0}, {"boost": "luck"}],
)
def test_settings_out_of_range_are_refused(values):
    with pytest.raises(InvalidParameter, match=next(iter(values))):
        LongTermSettings(**values)


def test_another_embedder_is_refused_unless_everything_is_embedded_anew(url, clock):
    if url == "memory://":
        pytest.skip("nothing is left of a memory in memory")
    with LongTermMemory(url, clock=clock, embedder=HashingEmbedder(dimension=64)) as memory:
        memory.write("Likes charts", namespace=N)
    with pytest.raises(EmbedderMismatch, match="reembed"):
        LongTermMemory(url, clock=clock, embedder=HashingEmbedder(dimension=32))
    with LongTermMemory(url, clock=clock, embedder=HashingEmbedder(dimension=32), reembed=True) as memory:
        assert len(memory.records(N)[0].embedding) == 4 * 32


def test_records_without_a_vector_get_one_when_there_is_an_embedder(url, clock):
    if url == "memory://":
        pytest.skip("nothing is left of a memory in memory")
    with LongTermMemory(url, clock=clock) as memory:
        memory.write("Likes charts", namespace=N)
    with LongTermMemory(url, clock=clock, embedder=HashingEmbedder()) as memory:
        assert memory.records(N)[0].embedding is not None


class Broken(HashingEmbedder):
    """An embedder whose endpoint is gone."""

    def embed(self, texts, *, role="document"):
        raise ConnectionError("no route to host")


def test_an_embedder_that_fails_leaves_words(clock):
    with LongTermMemory(clock=clock, embedder=Broken()) as memory:
        memory.write("Likes charts", namespace=N)

        assert memory.search("charts", namespace=N)[0].content == "Likes charts"
        assert memory.stats().failures == {"embedding": 2}


def test_a_closed_memory_says_so(clock):
    memory = LongTermMemory(clock=clock)
    memory.close()
    memory.close()
    with pytest.raises(BankClosed):
        memory.search("charts", namespace=N)
