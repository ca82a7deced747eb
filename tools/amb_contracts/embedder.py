"""The contract of `Embedder`: subclass `EmbedderContract` in your tests and provide the fixture `embedder`."""

from __future__ import annotations

import numpy as np
import pytest

from amb_core.protocols import Embedder

__all__ = ["EmbedderContract"]

TEXTS = (
    "The cycle life of lithium iron phosphate is about 3,000 cycles.",
    "磷酸铁锂电池的循环寿命约为三千次。",
    "Caroline went to a support group yesterday.",
)
ODD_TEXTS = (
    "",
    " \t\n",
    "\0",
    "a\0b",
    "\ud800",
    "half \udfff pair",
    "%_*?'\";--",
    "\u202egnirts\u202c",
    "\x07\x1b[31m",
    "👩🏽‍🚀",
    "x",
    "word " * 1_000,
    "。" * 40,
)


class EmbedderContract:
    """What every embedder promises, one sentence a test; `tolerance` is the greatest difference of equal numbers."""

    tolerance = 1e-5

    @pytest.fixture
    def embedder(self) -> Embedder:
        """Override with the embedder under test."""
        pytest.fail("override the fixture embedder")

    def test_there_is_one_float32_row_of_the_stated_dimension_for_each_text(self, embedder: Embedder) -> None:
        rows = embedder.embed(TEXTS)
        assert rows.shape == (len(TEXTS), embedder.dimension)
        assert rows.dtype == np.float32

    def test_rows_have_unit_length(self, embedder: Embedder) -> None:
        assert np.linalg.norm(embedder.embed(TEXTS), axis=1) == pytest.approx(1.0, abs=1e-4)

    def test_no_texts_give_an_array_without_rows(self, embedder: Embedder) -> None:
        rows = embedder.embed([])
        assert rows.shape == (0, embedder.dimension)
        assert rows.dtype == np.float32

    @pytest.mark.parametrize("blank", ["", " ", "\n\t\u3000"])
    def test_a_blank_text_gives_a_zero_row_and_leaves_the_others_alone(self, embedder: Embedder, blank: str) -> None:
        rows = embedder.embed([blank, TEXTS[0]])
        assert not rows[0].any()
        assert rows[1] == pytest.approx(embedder.embed([TEXTS[0]])[0], abs=self.tolerance)

    def test_a_text_has_the_same_row_alone_and_in_any_batch(self, embedder: Embedder) -> None:
        together = embedder.embed([*TEXTS, *reversed(TEXTS)])
        for text, first, second in zip(TEXTS, together, reversed(together), strict=False):
            assert first == pytest.approx(second, abs=self.tolerance)
            assert first == pytest.approx(embedder.embed([text])[0], abs=self.tolerance)

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
    def test_any_text_gives_finite_numbers_of_length_one_or_zero(self, embedder: Embedder, text: str) -> None:
        row = embedder.embed([text])[0]
        assert np.isfinite(row).all()
        assert float(np.linalg.norm(row)) == pytest.approx(1.0 if text.strip(" \t\n\0") else 0.0, abs=1e-4)

    def test_a_query_is_nearest_to_the_text_it_repeats(self, embedder: Embedder) -> None:
        cosines = embedder.embed(TEXTS) @ embedder.embed([TEXTS[0]], role="query")[0]
        assert int(cosines.argmax()) == 0

    def test_what_is_returned_may_be_changed_without_changing_later_answers(self, embedder: Embedder) -> None:
        before = embedder.embed(TEXTS).copy()
        embedder.embed(TEXTS)[:] = 7.0
        assert embedder.embed(TEXTS) == pytest.approx(before, abs=self.tolerance)

    def test_it_has_a_name_to_store_with_its_vectors(self, embedder: Embedder) -> None:
        assert embedder.model_id.strip()
        assert all(len(code) == 2 for code in embedder.languages)
