"""What is deleted is gone: from every search, and from every file."""

import pytest

from amb_embedders import HashingEmbedder
from amb_longterm import LongTermMemory

PROFILE = "user_profile/u1"
SENTENCE = "The merger with Nordlicht is planned for the ninth of March"


def files(folder):
    return [file for file in folder.rglob("*") if file.is_file()]


def test_a_deleted_sentence_is_in_no_file_any_more(url, clock, tmp_path):
    with LongTermMemory(url, clock=clock, embedder=HashingEmbedder()) as memory:
        for number in range(40):
            memory.write(f"Note {number}: nothing of importance about shelf {number * 7}", namespace=PROFILE)
        written = memory.write(SENTENCE, namespace=PROFILE)
        memory.update(written.id, namespace=PROFILE, content=f"{SENTENCE}, says Anna", merge=False)
        memory.delete(written.id, namespace=PROFILE, why="asked to")

        assert memory.search("merger with Nordlicht", namespace=PROFILE, top_k=100, min_score=0.5) == []
        assert memory.history(written.id, namespace=PROFILE) == []
        assert "Nordlicht" not in repr(memory.audit())
        assert not any(b"Nordlicht" in file.read_bytes() for file in files(tmp_path))


def test_a_chinese_sentence_is_gone_as_well(url, clock, tmp_path):
    with LongTermMemory(url, clock=clock) as memory:
        written = memory.write("与北光公司的合并定于三月九日", namespace=PROFILE)
        memory.delete(written.id, namespace=PROFILE, vacuum=True)

    parts = ("北光公司".encode(), "北光公司".encode("unicode-escape"))
    assert not any(part in file.read_bytes() for file in files(tmp_path) for part in parts)


def test_what_has_expired_or_been_evicted_is_no_history_either(url, clock):
    with LongTermMemory(url, clock=clock) as memory:
        written = memory.write(SENTENCE, namespace=PROFILE, metadata={"ttl": 10})
        clock.advance(11)
        memory.write("Likes charts", namespace=PROFILE)

        assert memory.history(written.id, namespace=PROFILE) == []
        assert [entry.action for entry in memory.audit(namespace=PROFILE)] == ["expire", "write", "write"]


def test_deleting_what_is_not_there_deletes_nothing(plain):
    assert plain.delete("r0000000000", namespace=PROFILE).deleted == 0


@pytest.mark.parametrize("asked", [{}, {"filters": {}}, {"id": "r1", "filters": {"type": "x"}}])
def test_a_deletion_names_an_id_or_filters(plain, asked):
    with pytest.raises(ValueError, match="id or"):
        plain.delete(namespace=PROFILE, **asked)


def test_a_deleted_record_takes_the_text_it_replaced_and_its_links_with_it(tmp_path, clock):
    with LongTermMemory(f"sqlite:///{tmp_path}/memory.db", clock=clock) as memory:
        first = memory.write("I live in Nordlichthausen", namespace="user_profile/u1")
        moved = memory.update(first.id, namespace="user_profile/u1", content="I've moved to Berlin", merge=False)
        assert moved.status == "updated"
        memory.delete(moved.id, namespace="user_profile/u1", vacuum=True)
        assert memory.search("Nordlichthausen", namespace="user_profile/u1") == []
    assert all(b"nordlichthausen" not in file.read_bytes().lower() for file in tmp_path.iterdir())
