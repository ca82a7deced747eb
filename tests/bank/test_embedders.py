import numpy as np
import pytest

from amb_core import EmbedderMismatch, MemoryBank, Settings
from amb_embedders.hashing import HashingEmbedder

FACT = "Gulls are loud on the quay in March."


class Failing(HashingEmbedder):
    """An embedder that answers with NaN."""

    def embed(self, texts, *, role="document"):
        return super().embed(texts, role=role) * np.nan


@pytest.fixture
def disputed(tmp_path, dispute):
    """The store and the export of a bank with a merge, written with 16 dimensions."""
    url = f"sqlite:///{tmp_path / 'bank.db'}"
    with MemoryBank(
        "What is the capacity?", store=url, embedder="hashing:16", settings=Settings(disputes="verify")
    ) as bank:
        for source in dispute:
            bank.absorb(source)
            bank.plan()
        assert bank.merges
        path = bank.export(tmp_path / "memory.json")
        bank.close(keep=True)
    return url, path


def _dimensions(bank):
    found = bank.snapshot()
    kept = [*found.nodes, *(x.node for x in found.archive), *(n for m in found.merges for n in m.neighbours_before)]
    return {None if node.vector is None else len(node.vector) for node in kept}


def test_new_vectors_are_in_the_store_when_a_bank_was_resumed_with_another_embedder(disputed, result):
    url, _ = disputed
    with MemoryBank.resume(url, embedder="hashing:32", re_embed=True) as bank:
        bank.absorb(result(FACT, "z"))
        before = bank.snapshot()
        bank.close(keep=True)

    with pytest.raises(EmbedderMismatch, match="re_embed"):
        MemoryBank.resume(url, embedder="hashing:16")
    with MemoryBank.resume(url, embedder="hashing:32") as same:
        assert same.snapshot() == before
        assert _dimensions(same) == {32}


def test_vectors_can_be_left_out_for_good(disputed):
    url, _ = disputed
    MemoryBank.resume(url, re_embed=True).close(keep=True)
    with MemoryBank.resume(url) as bank:
        assert _dimensions(bank) == {None}
        assert bank.snapshot().embedder is None


@pytest.mark.parametrize(("embedder", "dimension"), [("hashing:32", 32), (None, None)])
def test_a_merge_can_be_undone_after_loading_with_another_embedder(disputed, embedder, dimension):
    with MemoryBank.load(disputed[1], embedder=embedder, re_embed=True) as bank:
        bank.host.undo_merge("m1")

        assert _dimensions(bank) == {dimension}
        assert bank.recall("capacity 产水量").text


def test_an_embedder_that_fails_does_not_replace_the_vectors_there_are(disputed):
    url, path = disputed
    with pytest.raises(EmbedderMismatch, match="nothing was changed"):
        MemoryBank.resume(url, embedder=Failing(dimension=32), re_embed=True)
    with pytest.raises(EmbedderMismatch, match="nothing was changed"):
        MemoryBank.load(path, embedder=Failing(dimension=32), re_embed=True)
    with MemoryBank.resume(url, embedder="hashing:16") as same:
        assert _dimensions(same) == {16}


class Unreachable(HashingEmbedder):
    """An embedder whose server went away after the first texts."""

    def embed(self, texts, *, role="document"):
        raise ConnectionError("no route to host")


def test_a_bank_whose_embedder_fails_still_takes_in_and_finds_by_words(result):
    with MemoryBank("Where is the key?", embedder=Unreachable()) as bank:
        bank.absorb(result("The key hangs behind the door."))

        assert "behind the door" in bank.recall("key door").text
        assert "behind the door" in bank.host.enhance().text
