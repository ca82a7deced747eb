"""Notes know what stands before and after them, and who speaks."""

from __future__ import annotations

import numpy as np

from amb_core.retrieval.indexed_text import IndexedText
from amb_core.retrieval.note_traits import NoteTraits


def _around(index: NoteTraits, key: int, reach: int = 2) -> list[int]:
    found = index.around(np.array([key], dtype=np.int64), before=reach, after=reach)
    return [int(keys[0]) for keys in found] or [-1] * (2 * reach)


def _dialogue() -> NoteTraits:
    index = NoteTraits()
    for key, speaker in enumerate(["Mel", "Caroline", "Mel", "Caroline Smith", "Mel", "Caroline", "Caroline Smith"]):
        index.put(key, IndexedText("n", "", source="chat", position=key, speaker=speaker), ())
    return index


def test_neighbours_come_in_the_order_of_the_source() -> None:
    assert _around(_dialogue(), 2) == [0, 1, 3, 4]
    assert _around(_dialogue(), 0) == [-1, -1, 1, 2]


def test_the_order_of_insertion_does_not_matter() -> None:
    index = NoteTraits()
    for key, position in enumerate([3, 1, 2]):
        index.put(key, IndexedText("n", "", source="book", position=position, speaker=None), ())
    assert _around(index, 2, 1) == [1, 0]


def test_other_sources_and_notes_without_one_are_no_neighbours() -> None:
    index = NoteTraits()
    index.put(0, IndexedText("n", "", source="a", position=0, speaker=None), ())
    index.put(1, IndexedText("n", "", source="b", position=1, speaker=None), ())
    index.put(2, IndexedText("n", "", source="", position=1, speaker=None), ())
    assert _around(index, 0) == _around(index, 2) == [-1, -1, -1, -1]


def test_a_removed_note_leaves_a_gap_and_a_new_one_closes_it() -> None:
    index = _dialogue()
    index.remove(2)
    assert _around(index, 1, 1) == [0, -1]
    index.put(9, IndexedText("n", "", source="chat", position=2, speaker="Mel"), ())
    assert _around(index, 1, 1) == [0, 9]
    assert _around(index, 3, 1) == [9, 4]


def test_a_note_that_moves_leaves_its_old_place() -> None:
    index = _dialogue()
    index.put(1, IndexedText("n", "", source="elsewhere", position=0, speaker=None), ())
    assert _around(index, 0, 1) == [-1, -1]
    assert _around(index, 1, 1) == [-1, -1]
    assert not index.turns(np.array([1], dtype=np.int64))[0]


def test_a_place_already_taken_is_taken_over() -> None:
    index = _dialogue()
    index.put(9, IndexedText("n", "", source="chat", position=1, speaker="Mel"), ())
    assert _around(index, 0, 1) == [-1, 9]
    assert _around(index, 1, 1) == [-1, -1]


def test_a_speaker_is_named_when_all_of_the_name_is_in_the_query() -> None:
    index = _dialogue()
    assert index.named(["carolin", "paint"]) == ["Caroline"]
    assert index.named(["carolin", "smith"]) == ["Caroline", "Caroline Smith"]
    assert index.named(["smith"]) == []
    assert index.name_terms(["Caroline Smith"]) == {"carolin", "smith"}


def test_a_speaker_who_is_gone_is_not_named() -> None:
    index = _dialogue()
    index.remove(1)
    index.remove(5)
    assert index.named(["carolin"]) == []


def test_who_speaks_only_once_is_no_speaker_yet() -> None:
    index = NoteTraits()
    index.put(0, IndexedText("n", "", source="chat", position=0, speaker="Mel"), ())
    assert not index.speaks("Mel")
    index.put(1, IndexedText("n", "", source="chat", position=1, speaker="Mel"), ())
    assert index.speaks("Mel")
    assert index.turns(np.array([0, 1], dtype=np.int64)).all()


def test_chinese_speakers_are_named_too() -> None:
    index = NoteTraits()
    for key in (0, 1):
        index.put(key, IndexedText("n", "", source="群聊", position=key, speaker="小王"), ())
    assert index.named(["小", "王", "小王"]) == ["小王"]
