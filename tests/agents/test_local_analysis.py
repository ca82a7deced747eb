"""Local analysis: the published contract, and what is particular to names and keywords."""

from __future__ import annotations

import pytest

from amb_agents.local_analysis import LocalAnalysis
from amb_contracts.agents_conflict import AnalysisContract
from amb_core.agent_io import AnalysisRequest, NodeView, Relationship

TITANIC = "Titanic\nTitanic is a film of 1997. It was directed by James Cameron."


class TestContract(AnalysisContract):
    @pytest.fixture
    def agent(self) -> LocalAnalysis:
        return LocalAnalysis()


def node(id: str, text: str, context: str = "", keywords: tuple[str, ...] = ()) -> NodeView:
    return NodeView(id=id, summary=text, context=context, keywords=keywords, text=text)


def judge(new: NodeView, *candidates: NodeView) -> list[Relationship]:
    return list(LocalAnalysis().analyse(AnalysisRequest(new=new, candidates=candidates)).relationships)


def test_a_node_that_mentions_what_another_is_about_says_so() -> None:
    (found,) = judge(node("n2", "Kate Winslet became known with Titanic."), node("n1", TITANIC))
    assert (found.relationship, found.reasoning) == ("related", "both mention Titanic")


def test_reasons_are_given_in_the_language_of_the_new_node() -> None:
    (found,) = judge(
        node("n2", "曹雪芹写作《红楼梦》用了十年。"), node("n1", "《红楼梦》是一部长篇小说。全书共120回。")
    )
    assert found.reasoning.startswith("都提到")


def test_the_linking_name_becomes_a_keyword_where_it_is_missing() -> None:
    new = node("n2", "Kate Winslet became known with Titanic.", keywords=("Kate Winslet",))
    (found,) = judge(new, node("n1", TITANIC, context="Titanic", keywords=("film",)))
    assert found.keywords_update_new == ("Kate Winslet", "Titanic")
    assert found.keywords_update_existing is None


def test_texts_that_say_so_already_stay_as_they_are() -> None:
    new = node("n2", "Kate Winslet became known with Titanic.", keywords=("Titanic",))
    (found,) = judge(new, node("n1", TITANIC, keywords=("Titanic",)))
    updates = (found.context_update_new, found.context_update_existing)
    assert (*updates, found.keywords_update_new, found.keywords_update_existing) == (None,) * 4


def test_a_name_that_most_candidates_share_relates_nothing() -> None:
    others = [
        node(f"n{i}", f"The {word} of Riverton is old and grey.") for i, word in enumerate("gate wall mill inn".split())
    ]
    assert {found.relationship for found in judge(node("n9", "A fair is held near Riverton."), *others)} == {
        "unrelated"
    }


def test_the_description_says_who_says_which() -> None:
    old = NodeView(id="n1", summary="", context="", text="Acme has 3,500 employees in Leeds.", source="report.pdf")
    new = NodeView(id="n2", summary="", context="", text="Acme has 2,980 employees in Leeds.", source="news.html")
    (found,) = judge(new, old)
    assert found.conflict_description == (
        'Acme employees Leeds: one says "3,500" (report.pdf), the other "2,980" (news.html).'
    )
    assert found.conflict_subject == "Acme employees Leeds"


def test_the_topic_of_a_node_tells_what_its_pronouns_mean() -> None:
    old = node("n1", "It was opened by the old mayor of Leeds in 1932.", context="Riverton Bridge")
    (same,) = judge(node("n2", "It was opened by the old mayor of Leeds in 1935.", context="Riverton Bridge"), old)
    (other,) = judge(node("n2", "It was opened by the old mayor of Leeds in 1935.", context="Lyness Pier"), old)
    assert (same.relationship, other.relationship) == ("conflict", "related")


def test_equal_requests_give_equal_answers() -> None:
    new, old = node("n2", "Acme has 2,980 employees."), node("n1", "Acme has 3,500 employees.")
    assert judge(new, old) == judge(new, old)


def test_every_contradiction_of_two_nodes_is_a_conflict_of_its_own() -> None:
    old = node("n1", "The Harlow Dam was designed by Ada Orr. The Harlow Dam is 80 metres high.")
    new = node("n2", "The Harlow Dam was designed by Ben Lind. The Harlow Dam is 90 metres high.")
    found = [one.conflict_values for one in judge(new, old)]
    assert found == [("80 metres", "90 metres"), ("Ada Orr", "Ben Lind")]


def test_two_texts_of_one_document_are_in_no_conflict() -> None:
    texts = "Acme has 3,500 employees in Leeds.", "Acme has 2,980 employees in Leeds."
    addresses = "https://acme.example/staff?page=1", "https://acme.example/staff?page=2#top"
    old, new = (node(f"n{n}", texts[n]).model_copy(update={"source": addresses[n]}) for n in (0, 1))
    assert [one.relationship for one in judge(new, old)] != ["conflict"]
