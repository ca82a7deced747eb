"""Long records are found by their passages, and a short message by the long answer that follows it."""

from __future__ import annotations

import pytest

from amb_longterm.record_index import RecordIndex

SPACE = "domain_facts/u1"
TOPICS = ("sailing", "baking", "chess", "gardening", "pottery", "astronomy", "cycling", "beekeeping")


def essay(topic, fact=""):
    """A page about a topic, with a fact in its middle."""
    lines = [
        f"The {number}th thing about {topic} is its history, its tools, its books and its clubs."
        for number in range(30)
    ]
    lines.insert(15, fact)
    return "\n\n".join(filter(None, lines))


@pytest.fixture
def filled(plain, clock):
    """Pages, in each of which one fact stands, among short records."""
    for topic in TOPICS:
        plain.write(essay(topic, f"Inspector Halvorsen of the {topic} guild keeps a green parrot."), namespace=SPACE)
        plain.write(f"A note on parrots in {topic} magazines", namespace=SPACE)
        clock.advance(60)
    return plain


def test_a_page_is_found_by_one_sentence_of_it(filled):
    for topic in TOPICS:
        (hit,) = filled.search(f"Which bird does the inspector of the {topic} guild keep?", namespace=SPACE, top_k=1)
        assert hit.content == essay(topic, f"Inspector Halvorsen of the {topic} guild keeps a green parrot.")


def test_fewer_hits_are_the_beginning_of_more(filled):
    found = [hit.id for hit in filled.search("Who keeps a parrot?", namespace=SPACE, top_k=12)]
    for top_k in range(1, 12):
        assert [hit.id for hit in filled.search("Who keeps a parrot?", namespace=SPACE, top_k=top_k)] == found[:top_k]


def test_a_question_of_the_user_is_found_by_its_answer(plain, clock):
    asked = "Could you plan my anniversary?"
    for topic in TOPICS:
        plain.write(f"Tell me about {topic}.", namespace=SPACE)
        plain.write(essay(topic), namespace=SPACE)
    plain.write(asked, namespace=SPACE)
    plain.write(essay("dinner", "Book the lighthouse restaurant in Varberg for two, with oysters."), namespace=SPACE)
    hits = plain.search("Which restaurant in Varberg was it, with the oysters?", namespace=SPACE, top_k=2)
    assert asked in [hit.content for hit in hits]


def test_what_was_deleted_is_found_by_no_passage(filled):
    question = "Which bird does the inspector of the chess guild keep?"
    (hit,) = filled.search(question, namespace=SPACE, top_k=1)
    filled.delete(hit.id, namespace=SPACE)
    assert hit.id not in [each.id for each in filled.search(question, namespace=SPACE, top_k=50)]


def test_an_index_that_was_kept_finds_the_same():
    index, restored = RecordIndex(), RecordIndex()
    for topic in TOPICS:
        index.put(topic, text=essay(topic, f"Inspector Halvorsen of the {topic} guild keeps a parrot."))
        index.put(f"note {topic}", text=f"A note on parrots in {topic} magazines")
    index.remove("chess")
    restored.restore(index.packed())
    question = "Which bird does the inspector of the baking guild keep?"
    assert restored.find(question) == index.find(question)
    assert index.find(question)[0].id == "baking"
