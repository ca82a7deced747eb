"""Names join notes: one is about what another mentions; names that are everywhere join nothing."""

from __future__ import annotations

import math

from amb_core.retrieval import MentionIndex


def _joined(index: MentionIndex, key: int) -> dict[int, str]:
    return {link.key: link.reason for link in index.links(key)}


def test_a_note_is_joined_to_the_notes_about_what_it_mentions_and_back() -> None:
    index = MentionIndex()
    index.put(0, about=["Titanic (1997 film)"], mentions=["James Cameron"])
    index.put(1, about=["James Cameron"], mentions=["Canada"])
    assert _joined(index, 0) == {1: "mentions James Cameron"}
    assert _joined(index, 1) == {0: "mentioned as James Cameron"}


def test_names_are_compared_by_their_key() -> None:
    index = MentionIndex()
    index.put(0, about=["The Beatles"])
    index.put(1, mentions=["beatles"])
    index.put(2, about=["《流浪地球》"])
    index.put(3, mentions=["流浪地球"])
    assert set(_joined(index, 1)) == {0}
    assert set(_joined(index, 3)) == {2}


def test_rarer_names_join_more_strongly() -> None:
    index = MentionIndex()
    index.put(0, about=["Ada Lovelace"], mentions=["London", "Analytical Engine"])
    index.put(1, about=["London"])
    index.put(2, about=["Analytical Engine"])
    for key in range(3, 12):
        index.put(key, mentions=["London"])
    assert [link.key for link in index.links(0)] == [2, 1]


def test_a_name_that_is_everywhere_joins_nothing() -> None:
    index = MentionIndex()
    for key in range(50):
        index.put(key, about=["Caroline"], mentions=["Melanie"])
    assert index.links(0) == []
    assert index.shared(0) == []


def test_two_notes_that_mention_the_same_rare_name_share_it() -> None:
    index = MentionIndex()
    index.put(0, mentions=["Kimber of Oregon"])
    index.put(1, mentions=["Kimber of Oregon", "Montana"])
    assert [(link.key, link.reason) for link in index.shared(0)] == [(1, "both name Kimber of Oregon")]


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


def test_names_without_a_letter_are_left_out() -> None:
    index = MentionIndex()
    index.put(0, about=["", "…"], mentions=["***"])
    index.put(1, mentions=["", "…"])
    assert index.links(0) == []


def test_a_question_names_the_notes_about_what_it_asks_for() -> None:
    index = MentionIndex()
    index.put(0, about=["Silene"])
    index.put(1, about=["Silene latifolia"])
    index.put(2, about=["洪武门"])
    assert {key: link.reason for key, link in index.asked_for("Is Silene a genus?").items()} == {0: "about Silene"}
    assert set(index.asked_for("洪武门在哪一年拆除？")) == {2}
    assert index.asked_for("Is it a genus?") == {}


def test_a_name_shared_by_several_notes_says_less_of_each() -> None:
    index = MentionIndex()
    index.put(0, about=["Ed Wood"])
    alone = index.asked_for("Who was Ed Wood?")[0].weight
    index.put(1, about=["Ed Wood (film)"])
    assert {link.weight for link in index.asked_for("Who was Ed Wood?").values()} == {alone / math.log2(3)}
