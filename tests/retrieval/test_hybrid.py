"""What the one ranked list promises beyond the contract: context, leads, languages, candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from amb_core.errors import InvalidParameter
from amb_core.protocols import Query
from amb_embedders import HashingEmbedder
from amb_retrieval import HybridIndex, IndexedText

CHAT = [
    "Mel: What did you do last weekend, Caroline?",
    "Caroline: I finally signed up for a pottery class.",
    "Mel: Cool! Did it go well?",
    "Caroline: It was so relaxing, I made a bowl with my own hands.",
    "Mel: I should try that. Pottery sounds fun.",
    "Caroline: 我下周去北京看姐姐。",
]


def filled(texts: Sequence[str]) -> HybridIndex:
    index = HybridIndex()
    for number, text in enumerate(texts):
        index.put(IndexedText.of(f"n{number}", text=text))
    return index


def ids(index: HybridIndex, text: str, *, k: int = 5, exact: bool = False) -> list[str]:
    return [hit.id for hit in index.search(Query(text, k=k, exact=exact))]


def test_a_turn_is_found_by_the_words_of_the_turns_around_it() -> None:
    index = filled(CHAT)
    hits = {hit.id: hit for hit in index.search(Query("What did Caroline make in the pottery class?"))}
    assert "n3" in hits
    assert index.search(Query("relaxing"))[0].id == "n3"


def test_what_the_person_in_the_question_says_comes_first() -> None:
    index = filled(["Mel: Pottery is fun.", "Caroline: Pottery is fun."])
    assert ids(index, "What does Caroline think of pottery?")[0] == "n1"
    assert ids(index, "What does Mel think of pottery?")[0] == "n0"


def test_a_question_about_a_date_prefers_notes_of_that_date() -> None:
    index = filled(["[5 June, 2023] Ann: We saw the harbour.", "[8 July, 2023] Ann: We saw the harbour."])
    assert ids(index, "What did Ann see in July 2023?")[0] == "n1"


def test_a_note_is_reached_over_the_name_that_joins_it_to_a_hit() -> None:
    index = filled(
        [
            "Maximum Overdrive is a 1986 horror film directed by Stephen King.",
            "Stephen King (born September 21, 1947) is an American author.",
            "Bangor is a city in Maine.",
        ]
    )
    hits = index.search(Query("Where was the maker of Maximum Overdrive at home?"))
    assert [hit.id for hit in hits] == ["n0", "n1"]
    assert (hits[1].via, hits[1].reason) == ("n0", "mentions Stephen King (n0)")
    assert ids(index, "Where was the maker of Maximum Overdrive at home?", exact=True) == ["n0"]


def test_both_things_compared_come_before_more_of_one() -> None:
    texts = [f"Irwin Shaw wrote the novel number {number}, a novel by Irwin Shaw." for number in range(6)]
    index = filled([*texts, "Iain Banks wrote many books."])
    assert ids(index, "Did Irwin Shaw or Iain Banks write more?", k=2) == ["n6", "n0"]


def test_candidates_are_found_by_the_rare_words_of_a_long_text() -> None:
    index = filled([*(f"the report says value {n}" for n in range(30)), "lithium cathode degrades after 900 cycles"])
    long_text = "the report says value " * 200 + "a lithium cathode degrades"
    assert index.candidates(long_text, k=3)[0] == "n30"
    assert "n30" not in index.candidates(long_text, k=3, exclude=["n30"])
    assert index.candidates("", k=3) == HybridIndex().candidates("text", k=3) == []


class EnglishOnly(HashingEmbedder):
    """Calls every Chinese text the same, as a model does that never saw Chinese."""

    @property
    def languages(self) -> frozenset[str]:
        return frozenset({"en"})

    def embed(self, texts: Sequence[str], *, role: Literal["query", "document"] = "document") -> NDArray[np.float32]:
        return super().embed(["unknown" if text > "\u3000" else text for text in texts], role=role)


def test_vectors_of_another_language_hardly_count() -> None:
    embedder = EnglishOnly()
    texts = ["unknown words", "这是一本关于北京的书", "电池的循环寿命约为三千次"]
    index = HybridIndex(embedder=embedder)
    for number, text in enumerate(texts):
        index.put(IndexedText(f"n{number}", text, vector=embedder.embed([text])[0]))
    first, second, *_ = index.search(Query("电池循环寿命是多少次", exact=True))
    assert first.id == "n2"
    assert second.score < first.score / 2


def test_a_vector_that_does_not_fit_leaves_the_index_as_it_was() -> None:
    embedder = HashingEmbedder(dimension=16)
    index = HybridIndex(embedder=embedder)
    index.put(IndexedText("a", "solar panels", vector=embedder.embed(["solar panels"])[0]))
    before = index.search(Query("solar panels wind"))
    for note in ("a", "b"):
        with pytest.raises(InvalidParameter, match="vectors of 16"):
            index.put(IndexedText(note, "wind turbines", vector=np.ones(3, dtype=np.float32)))
    assert index.search(Query("solar panels wind")) == before
    assert (len(index), "b" in index) == (1, False)


def test_many_changes_leave_the_same_answers_as_a_fresh_index() -> None:
    changed = filled(["old text about nothing"] * 40)
    for number in range(0, 40, 2):
        changed.remove(f"n{number}")
    for number, text in enumerate(CHAT):
        changed.put(IndexedText.of(f"m{number}", text=text))
    for number in range(40):
        changed.remove(f"n{number}")
    fresh = filled(CHAT)
    for question in ("pottery class", "Caroline bowl", "北京"):
        assert [name[1:] for name in ids(changed, question)] == [name[1:] for name in ids(fresh, question)]


def test_the_note_about_the_very_thing_comes_before_those_that_only_speak_of_it() -> None:
    index = filled(
        [
            "Silene menziesii\nSilene menziesii is a plant. Silene grows here.",
            "Silene\nSilene is a genus of flowering herbs that most gardeners like to grow between stones.",
            "御道街位于洪武门外，洪武门的行人常在洪武门的商店买东西。",
            "洪武门是一座城门，建于1366年，后来在修路的时候拆除了。",
            *(f"Garden {number} has many a plant." for number in range(9)),
        ]
    )
    assert ids(index, "Is Silene a plant?", exact=True)[0] == "n0"
    assert ids(index, "Is Silene a plant?")[0] == "n1"
    assert ids(index, "洪武门", exact=True)[0] == "n2"
    assert ids(index, "洪武门")[0] == "n3"


@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
@pytest.mark.parametrize("asked", ["the pottery class of Caroline", "北京的姐姐", "last weekend", "Mel"])
def test_an_index_that_only_searches_exactly_finds_what_an_exact_search_finds(asked: str, embedder: object) -> None:
    whole, quick = HybridIndex(embedder=embedder), HybridIndex(embedder=embedder, exact=True)  # type: ignore[arg-type]
    vectors = [None] * len(CHAT) if embedder is None else HashingEmbedder().embed(CHAT)
    for number, (text, vector) in enumerate(zip(CHAT, vectors, strict=True)):
        whole.put(IndexedText.of(f"n{number}", text=text, vector=vector))
        quick.put(IndexedText(f"n{number}", text, vector=vector))
    for index in (whole, quick):
        index.remove("n2")
    assert quick.search(Query(asked)) == whole.search(Query(asked, exact=True))
