"""The curator on sentences as encyclopaedias write them: several verbs, several people."""

from __future__ import annotations

from amb_team import CuratedObservation, CuratorRequest, LocalCurator


def read(task: str, query: str, text: str, *known: str) -> CuratedObservation:
    request = CuratorRequest(task=task, action=f"Search[{query}]", observation=text, sub_question=query, known=known)
    return LocalCurator().curate(request)


def test_the_name_of_a_page_is_answered_with_names_of_pages() -> None:
    text = "Under head coach Claudio Ranieri the club won the Premier League title for the first time."
    task = "What year was the head coach born who led Leicester City to the 2015–16 title?"
    assert read(task, "2015–16 Leicester City F.C. season", text).next_queries[0] == "Claudio Ranieri"
