"""The agent that knows no answer: it breaks circles with what was not tried, and looks at the form of answers."""

from __future__ import annotations

import pytest

from amb_core import InvalidParameter
from amb_team import TeamMemory
from amb_team.ground_truth_agent import GroundTruthAgent
from amb_team.team_records import Collaboration, PlanItem

TASK = "Who is the spouse of the director of Titanic?"
PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
NOWHERE = "Could not find [Cameron wife]. Similar: ['The Notebook', 'James Cameron filmography', \"Harry's Spouse\"]."


def team_of(task: str = TASK) -> TeamMemory:
    return TeamMemory(task, agents=["solver", "retriever", "ground_truth"])


def in_circles(team: TeamMemory, agent: str = "solver") -> None:
    team.observe(agent=agent, action="Search[Titanic]", observation=PAGE)
    team.observe(agent=agent, action="Search[Cameron wife]", observation=NOWHERE)
    team.observe(agent=agent, action="Search[Cameron wife]", observation=NOWHERE)


def test_nobody_who_gets_on_is_given_advice():
    team = team_of()
    agent = GroundTruthAgent(team)
    assert agent.suggest("solver") is None
    team.observe(agent="solver", action="Search[Titanic]", observation=PAGE)
    assert agent.suggest("solver") is None


def test_an_agent_in_circles_is_given_the_name_on_the_way_that_nobody_searched():
    team = team_of()
    in_circles(team)
    agent = GroundTruthAgent(team)
    assert agent.is_stuck("solver")
    assert agent.suggest("solver") == "James Cameron"
    assert agent.suggest("retriever") is None


def test_nothing_is_suggested_that_was_searched_or_suggested_before():
    team = team_of()
    in_circles(team)
    agent, given = GroundTruthAgent(team), []
    while (query := agent.suggest("solver")) is not None:
        given.append(query)
        assert not team.shared.has_searched(query)
        team.observe(agent="solver", action=f"Search[{query}]", observation=f"Could not find [{query}].")
    assert len(given) == len(set(given)) >= 4
    assert {"James Cameron", "Harry's Spouse", "Kate Winslet"} <= set(given)


def test_suggestions_come_from_what_is_shared_and_from_nobodys_notes():
    team = team_of()
    in_circles(team)
    team.private("solver").note(PlanItem, description="my secret lighthouse", priority=99)
    agent = GroundTruthAgent(team)
    assert "lighthouse" not in str(list(iter(lambda: agent.suggest("solver"), None)))


@pytest.mark.parametrize(("brought", "rate"), [("Cameron married Suzy Amis in 2000.", 0.65), ("No results.", 0.35)])
def test_a_suggestion_that_was_followed_moves_what_the_two_think_of_each_other(brought, rate):
    team = team_of()
    in_circles(team)
    agent = GroundTruthAgent(team)
    query = agent.suggest("solver")
    team.observe(agent="solver", action=f"Search[{query}]", observation=brought)
    agent.suggest("solver")
    agent.suggest("solver")
    assert [made.type for made in team.shared.of(Collaboration)] == ["suggestion: James Cameron"]
    assert team.private("solver").peer("ground_truth").success_rate == pytest.approx(rate)


@pytest.mark.parametrize(
    ("task", "wrong", "right", "told"),
    [
        (TASK, "yes", "Suzy Amis", "does not ask for yes or no"),
        (TASK, "Linda Hamilton", "Suzy Amis", "nothing the team has seen"),
        (TASK, " ", "Suzy Amis", "no answer"),
        (TASK, "Cameron married Suzy Amis in 2000. " * 4, "Suzy Amis", "too long"),
        ("Is Suzy Amis an actress?", "Suzy Amis", "Yes", "yes or no"),
        ("How many children does Suzy Amis have?", "many", "four", "a number"),
        ("Who is older, Suzy Amis or James Cameron?", "Kate Winslet", "Cameron", "one of Suzy Amis or James Cameron"),
        ("谁是《泰坦尼克号》导演的配偶？", "是", "苏茜·埃米斯", "是或否"),
        ("谁是《泰坦尼克号》导演的配偶？", "琳达", "苏茜·埃米斯", "先检索"),
        ("苏茜·埃米斯是演员吗？", "演员", "是", "回答是或否"),
        ("苏茜·埃米斯有多少个孩子？", "很多个", "四个", "没有数字"),
        ("苏茜·埃米斯和詹姆斯·卡梅隆谁更年长？", "凯特", "詹姆斯·卡梅隆", "之一"),
    ],
)
def test_an_answer_of_the_wrong_form_is_told_what_is_wrong_with_it(task, wrong, right, told):
    team = team_of(task)
    for about in ("James Cameron married Suzy Amis in 2000.", "詹姆斯·卡梅隆与苏茜·埃米斯于2000年结婚。"):
        team.observe(agent="solver", action="Search[Cameron]", observation=about)
    agent = GroundTruthAgent(team)
    assert told in agent.check(wrong).problem
    assert not agent.check(wrong).ok
    assert agent.check(right).ok, agent.check(right)


def test_a_stranger_can_neither_be_it_nor_be_helped():
    team = TeamMemory(TASK, agents=["solver"])
    with pytest.raises(InvalidParameter, match="it has solver"):
        GroundTruthAgent(team)
    with pytest.raises(InvalidParameter, match="no agent 'nobody'"):
        GroundTruthAgent(team_of()).suggest("nobody")
