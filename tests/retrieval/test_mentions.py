"""Names join notes: one is about what another mentions; names that are everywhere join nothing."""

from __future__ import annotations

from amb_retrieval import MentionIndex


def _joined(index: MentionIndex, key: int) -> dict[int, str]:
    return {link.key: link.reason for link in index.links(key)}


def test_a_note_is_joined_to_the_notes_about_what_it_mentions_and_back() -> None:
    index = MentionIndex()
    index.put(0, about=["Titanic (1997 film)"], mentions=["James Cameron"])
    index.put(1, about=["James Cameron"], mentions=["Canada"])
    assert _joined(index, 0) == {1: "mentions James Cameron"}
    assert _joined(index, 1) == {0: "mentioned as James Cameron"}


def test_a_name_that_is_everywhere_joins_nothing() -> None:
    index = MentionIndex()
    for key in range(50):
        index.put(key, about=["Caroline"], mentions=["Melanie"])
    assert index.links(0) == []
    assert index.shared(0) == []


def test_a_replaced_or_removed_note_leaves_no_name_behind() -> None:
    index = MentionIndex()
    index.put(0, mentions=["James Cameron"])
    index.put(1, about=["James Cameron"])
    index.put(1, about=["Jamaica"])
    assert index.links(0) == []
    index.put(1, about=["James Cameron"])
    index.remove(1)
    index.remove(99)
    assert index.links(0) == []
    assert len(index) == 1


def test_a_question_names_the_notes_about_what_it_asks_for() -> None:
    index = MentionIndex()
    index.put(0, about=["Silene"])
    index.put(1, about=["Silene latifolia"])
    index.put(2, about=["洪武门"])
    assert {key: link.reason for key, link in index.asked_for("Is Silene a genus?").items()} == {0: "about Silene"}
    assert set(index.asked_for("洪武门在哪一年拆除？")) == {2}
    assert index.asked_for("Is it a genus?") == {}
