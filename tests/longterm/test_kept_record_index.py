"""The index of a namespace in a file: taken up where it belongs to the records, and only there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from amb_core.embedders import HashingEmbedder
from amb_core.longterm.kept_record_index import KeptRecordIndex, KeptRecords, checksums
from amb_core.longterm.record_index import RecordIndex

TEXTS = {"r1": "Reports always in EUR, two decimals", "r2": "Never deploy on Fridays", "z1": "报表一律用中文\ud800"}
SUMS = {"r1": 11, "r2": 22, "z1": 33}


def filled(texts: dict[str, str] = TEXTS) -> RecordIndex:
    index, embedder = RecordIndex(embedder=HashingEmbedder()), HashingEmbedder()
    for name, text in texts.items():
        index.put(name, text=text, vector=embedder.embed([text])[0])
    return index


def kept_in(folder: Path) -> KeptRecordIndex:
    kept = KeptRecordIndex.beside(folder / "memory.db", namespace="user_profile/u1")
    assert kept.write(filled(), sums=SUMS, also={"record_traits": {"types": ["a", "b", "c"], "at": np.ones(3)}})
    return kept


def taken_up(found: KeptRecords | None) -> RecordIndex:
    index = RecordIndex(embedder=HashingEmbedder())
    assert found is not None
    index.restore(found.parts)
    for name in found.gone:
        index.remove(name)
    return index


def test_a_kept_index_finds_what_the_one_it_was_made_from_finds(tmp_path: Path) -> None:
    found = kept_in(tmp_path).read(sums=SUMS)
    index = taken_up(found)
    assert found is not None
    assert (found.changed, found.gone) == ((), ())
    for query in ("how should amounts look?", "报表用什么语言？"):
        assert index.find(query, k=3) == filled().find(query, k=3)


def test_what_else_was_kept_comes_back(tmp_path: Path) -> None:
    found = kept_in(tmp_path).read(sums=SUMS)
    assert found is not None
    assert found.parts["record_traits"]["types"] == ["a", "b", "c"]
    assert found.parts["record_traits"]["at"].tolist() == [1.0, 1.0, 1.0]


def test_changed_and_new_records_are_named_and_those_that_are_gone_are_taken_out(tmp_path: Path) -> None:
    found = kept_in(tmp_path).read(sums={"r1": 11, "z1": 34, "new": 1})
    assert found is not None
    assert (found.changed, found.gone) == (("z1", "new"), ("r2",))
    assert list(taken_up(found)) == ["r1", "z1"]


def test_records_in_another_order_make_the_index_anew_for_order_decides_ties(tmp_path: Path) -> None:
    assert kept_in(tmp_path).read(sums={"r2": 22, "r1": 11, "z1": 33}) is None
    assert kept_in(tmp_path).read(sums={"r1": 11, "new": 1, "r2": 22, "z1": 33}) is None


@pytest.mark.parametrize("at", [0, 40, 200, -1])
def test_a_file_with_a_changed_byte_is_not_used(tmp_path: Path, at: int) -> None:
    kept = kept_in(tmp_path)
    data = bytearray(kept.path.read_bytes())
    data[at] ^= 1
    kept.path.write_bytes(data)
    assert kept.read(sums=SUMS) is None


def test_a_torn_file_or_none_is_not_used(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    kept.path.write_bytes(kept.path.read_bytes()[:-100])
    assert kept.read(sums=SUMS) is None
    kept.drop()
    kept.drop()
    assert kept.read(sums=SUMS) is None
    assert list(tmp_path.iterdir()) == []


def test_an_index_of_other_records_than_those_named_is_not_kept_and_an_old_file_goes(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    assert not kept.write(filled(), sums={"r1": 11})
    assert not kept.path.exists()


def test_a_folder_that_is_not_there_costs_a_warning_and_nothing_else(tmp_path: Path) -> None:
    assert not KeptRecordIndex(tmp_path / "missing" / "x.index").write(filled(), sums=SUMS)


def test_a_removed_record_leaves_no_word_in_the_file(tmp_path: Path) -> None:
    index = filled()
    index.remove("r2")
    kept = KeptRecordIndex(tmp_path / "x.index")
    assert kept.write(index, sums={"r1": 11, "z1": 33})
    assert b"friday" not in kept.path.read_bytes().lower()


def test_two_namespaces_never_share_a_file(tmp_path: Path) -> None:
    names = ["a/u1", "a/u10", "A/u1", "a/u1 ", "a/../u1", "a/ü1", "a/u1\ud800"]
    paths = {KeptRecordIndex.beside(tmp_path / "m.db", namespace=name).path for name in names}
    assert len(paths) == len(names)
    assert {path.parent for path in paths} == {tmp_path}


def test_checksums_are_of_one_namespace_and_differ_with_the_data() -> None:
    rows = [(b"memories:a/u1", b"r1", b"{}"), (b"memories:a/u10", b"r1", b"{}"), (b"memories:a/u1", b"r2", b"{}")]
    sums = checksums(rows, namespace="memories:a/u1")
    assert list(sums) == ["r1", "r2"]
    assert sums["r1"] != sums["r2"]
    assert checksums([(b"n", b"r1", b"{1}")], namespace="n") != checksums([(b"n", b"r1", b"{2}")], namespace="n")
