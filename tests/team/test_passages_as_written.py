"""The curator on sentences as encyclopaedias write them: several verbs, several people."""

from __future__ import annotations

from amb_team import CuratedObservation, CuratorRequest, LocalCurator, TeamMemory

TASK = "Who is the spouse of the director of Titanic?"
FILM = (
    "Titanic is a 1997 American disaster film directed, written, produced, and co-edited by James Cameron. "
    "Incorporating historical and fictionalized aspects, it is based on accounts of the sinking of the RMS Titanic."
)


def read(task: str, query: str, text: str, *known: str) -> CuratedObservation:
    request = CuratorRequest(task=task, action=f"Search[{query}]", observation=text, sub_question=query, known=known)
    return LocalCurator().curate(request)


def test_a_director_is_read_off_a_sentence_with_several_verbs_and_no_namesake_is_asked_next() -> None:
    with TeamMemory(TASK, agents=["solver", "retriever"]) as team:
        team.observe(agent="solver", action="Search[Titanic director]", observation=FILM)
        block = team.inject("solver", query="spouse of James Cameron")
    assert "Search[Titanic director] → James Cameron" in block
    assert "To ask next: James Cameron spouse" in block


def test_the_spouse_of_somebody_is_never_that_somebody() -> None:
    page = "Suzy Amis Cameron (born January 5, 1962) is an American former actress. She is married to James Cameron."
    found = read(TASK, "James Cameron spouse", page, FILM)
    assert (found.answer, found.answers_task) == ("Suzy Amis Cameron", True)


def test_the_name_of_a_page_is_answered_with_names_of_pages() -> None:
    text = "Under head coach Claudio Ranieri the club won the Premier League title for the first time."
    task = "What year was the head coach born who led Leicester City to the 2015–16 title?"
    assert read(task, "2015–16 Leicester City F.C. season", text).next_queries[0] == "Claudio Ranieri"


def test_the_number_of_hops_in_a_block_never_goes_back() -> None:
    told = []
    with TeamMemory(TASK, agents=["solver"]) as team:
        for query, text in (("Titanic", FILM), ("Nobody", "No results."), ("Nothing", "No results.")):
            team.observe(agent="solver", action=f"Search[{query}]", observation=text)
            told.append(team.inject("solver").partition("hop ")[2][:1])
    assert told == ["1", "1", "1"]
