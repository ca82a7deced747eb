"""The inverted index scores like a BM25 that is rebuilt from scratch, whatever was added, replaced and removed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.retrieval import LexicalIndex

TEXTS = [
    "the cat sat on the mat with another cat",
    "the dog chased the cat over the mat",
    "a long story about dogs and cats and mats and nothing else at all really",
    "birds sing",
    "电 池 电池 寿 命 寿命",
    "cat cat cat cat",
    "",
]

Change = tuple[str, int, list[str]]


def _filled(index: LexicalIndex, texts: dict[int, list[str]]) -> LexicalIndex:
    for key, tokens in texts.items():
        index.put(key, tokens)
    return index


def _reference(texts: dict[int, list[str]], query: list[str], *, k1: float, b: float, size: int) -> np.ndarray:
    bm25s = pytest.importorskip("bm25s", reason="bm25s is a test dependency: make setup")
    model = bm25s.BM25(method="lucene", k1=k1, b=b)
    keys = sorted(texts)
    model.index([texts[key] for key in keys], show_progress=False)
    known = [token for token in query if token in model.vocab_dict]
    scores = np.zeros(size, dtype=np.float32)
    if known:
        scores[keys] = model.get_scores(known)
    return scores


words = st.lists(st.sampled_from("abcdefgh"), max_size=12)
changes = st.lists(st.tuples(st.sampled_from(["put", "put", "remove"]), st.integers(0, 9), words), max_size=40)


def _applied(index: LexicalIndex, steps: list[Change]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    for step, key, tokens in steps:
        if step == "put":
            index.put(key, tokens)
            texts[key] = tokens
        else:
            index.remove(key)
            texts.pop(key, None)
    return texts


@pytest.mark.slow
@given(changes, st.lists(st.sampled_from("abcdefghi"), min_size=1, max_size=4))
def test_any_history_leaves_the_scores_of_what_is_left(steps: list[Change], query: list[str]) -> None:
    index = LexicalIndex()
    texts = _applied(index, steps)
    fresh = _filled(LexicalIndex(), dict(sorted(texts.items())))
    assert len(index) == len(texts)
    assert index.scores(Counter(query), size=10) == pytest.approx(fresh.scores(Counter(query), size=10), abs=1e-6)
    if any(texts.values()):
        reference = _reference(texts, query, k1=0.9, b=0.4, size=10)
        assert index.scores(Counter(query), size=10) == pytest.approx(reference, abs=1e-5)


def test_the_ranking_is_that_of_rank_bm25() -> None:
    rank_bm25 = pytest.importorskip("rank_bm25", reason="rank-bm25 is a test dependency: make setup")
    rng = np.random.default_rng(7)
    texts = {key: [f"w{word}" for word in rng.zipf(1.5, 30) if word < 400] for key in range(120)}
    index = _filled(LexicalIndex(k1=1.5, b=0.75), texts | {7: ["old"], 300: ["gone"]})
    index.put(7, texts[7])
    index.remove(300)
    reference = rank_bm25.BM25Okapi([texts[key] for key in range(120)], k1=1.5, b=0.75)
    for word in [term for term in reference.idf if 1 < index.document_frequency(term) < 50][:40]:
        mine, theirs = index.scores({word: 1.0}, size=301)[:120], reference.get_scores([word])
        assert np.argsort(-mine, kind="stable")[:20].tolist() == np.argsort(-theirs, kind="stable")[:20].tolist()


def test_removing_most_texts_drops_the_terms_that_are_gone() -> None:
    index = _filled(LexicalIndex(), {key: [f"only{key}", "shared"] for key in range(1_000)})
    for key in range(10, 1_000):
        index.remove(key)
    scores = index.scores({"shared": 1.0, "only3": 1.0, "only500": 1.0}, size=1_000)
    assert np.flatnonzero(scores).tolist() == list(range(10))
    assert index.document_frequency("only500") == 0


def test_rows_over_a_few_texts_add_up_to_the_total() -> None:
    index = _filled(LexicalIndex(), {key: text.split() for key, text in enumerate(TEXTS)})
    index.put(0, TEXTS[1].split())  # slots and keys now differ
    match = index.match(Counter("the cat sat on the mat".split()))
    keys = np.array([5, 0, 1, -1, 3], dtype=np.int64)
    total = np.append(match.total(len(TEXTS)), 0.0)[keys]
    assert match.at(keys).sum(axis=0) == pytest.approx(total, abs=1e-6)


def test_texts_with_all_of_some_terms_are_found_unless_these_are_common() -> None:
    index = LexicalIndex()
    for key, terms in enumerate([["石虎", "虎乡"], ["石虎"], ["石虎", "虎乡", "山"], ["石虎", "虎乡"]]):
        index.put(key, terms)
    index.remove(3)
    assert index.containing(["石虎", "虎乡"], most=2) == [0, 2]
    assert index.containing(["石虎", "虎乡"], most=1) == []
    assert index.containing(["石虎", "没有"], most=9) == index.containing([], most=9) == []
