"""A member's plan and hypotheses, as the seed writes them: read off its own messages, kept as such, never as facts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amb_core.errors import InvalidParameter
from amb_team import RoleContract, TeamMemory
from amb_team.role_contract import read_notes, without_notes
from amb_team.team_records import Hypothesis, PlanItem

SEED = """I looked at the page.
【Role】solver | Priorities: accuracy > speed

【Plan】
→ Analyze problem and plan solution [in_progress]
• Retrieve evidence [pending]
• Read the question [completed]

【Hypotheses】
~0.8 The director is James Cameron
~0.5 The director is Steven Spielberg ⚠ Less likely

Search[Titanic director]"""
CHINESE = """【计划】
→ 分析问题 [进行中]
• 检索证据 [待办]
【假设】
~0.8 导演是詹姆斯·卡梅隆
~0.5 导演是斯皮尔伯格 ⚠ 可能性较小
"""
ROLE = RoleContract(priorities=("accuracy > speed",), allowed_tools=("Search", "Finish"), cannot_do=("guess",))


@pytest.fixture
def team() -> Iterator[TeamMemory]:
    roles = {"solver": ROLE}
    with TeamMemory("Who directed Titanic?", agents=["solver", "retriever"], roles=roles) as opened:
        yield opened


@pytest.mark.parametrize("text", [SEED, CHINESE])
def test_what_a_member_plans_and_guesses_is_its_own_note_and_no_fact(text: str, team: TeamMemory) -> None:
    team.member("solver").said(text)
    solver, notes = team.private("solver"), read_notes(text)
    assert [(each.description, each.status) for each in solver.of(PlanItem)] == list(notes.plan)
    kept = [(each.content, each.confidence, each.risks) for each in solver.of(Hypothesis)]
    assert kept == [(guess, rest.confidence, rest.risks) for guess, rest in notes.hypotheses]
    assert (team.shared.facts, team.shared.answers, team.shared.records()) == ([], [], [])
    assert team.inject("retriever") == ""


def test_a_result_that_quotes_a_members_guesses_makes_no_facts_of_them(team: TeamMemory) -> None:
    page = f"Titanic is a 1997 film.\n{SEED}"
    seen = team.observe(agent="retriever", action="Ask[solver director Titanic]", observation=page)
    assert seen.hop.observation == page
    assert "Spielberg" not in " ".join(fact.text for fact in team.shared.facts)
    assert seen.hop.extracted_answer != "Steven Spielberg"
    assert "Spielberg" not in without_notes(page)


def test_the_last_word_on_a_step_and_a_guess_counts(team: TeamMemory) -> None:
    team.member("solver").said("【Plan】\n• Retrieve evidence [pending]\n【Hypotheses】\n~0.8 It is Bob")
    team.member("solver").said("【Plan】\n• Retrieve evidence [completed]\n【Hypotheses】\n~0.2 It is Bob ⚠ no page")
    [step], [guess] = (team.private("solver").of(kind) for kind in (PlanItem, Hypothesis))
    assert step.status == "completed"  # type: ignore[union-attr]
    assert (guess.confidence, guess.risks) == (0.2, ("no page",))  # type: ignore[union-attr]


def test_a_member_with_a_contract_sees_it_with_its_plan_and_guesses_in_the_same_form(team: TeamMemory) -> None:
    team.member("solver").said(SEED)
    team.observe(agent="solver", action="Search[Titanic]", observation="Titanic is a 1997 film.")
    block = team.inject("solver", budget_tokens=400)
    assert "【Role】 solver | Priorities: accuracy > speed | May not: guess | Tools: Search, Finish" in block
    assert "→ Analyze problem and plan solution [in_progress]\n• Retrieve evidence [pending]" in block
    assert "~0.5 The director is Steven Spielberg ⚠ Less likely" in block
    again = read_notes(block)
    assert ("Retrieve evidence", "pending") in again.plan
    assert again.hypotheses == read_notes(SEED).hypotheses
    assert "【Role】" not in team.inject("retriever")


def test_a_chinese_member_sees_its_contract_in_chinese() -> None:
    roles = {"求解": RoleContract(priorities=("准确优先",))}
    with TeamMemory("《泰坦尼克号》的导演是谁？", agents=["求解"], roles=roles) as team:
        team.member("求解").said(CHINESE)
        block = team.inject("求解", budget_tokens=400)
    assert "【角色】 求解 | 优先级：准确优先" in block
    assert read_notes(block).hypotheses == read_notes(CHINESE).hypotheses


def test_a_flood_of_plans_and_guesses_is_bounded(team: TeamMemory) -> None:
    flood = "【Plan】\n" + "\n".join(f"• step {n} " + "x" * 5_000 for n in range(2_000))
    flood += "\n【Hypotheses】\n" + "\n".join(f"~0.{n} guess {n}" for n in range(2_000))
    notes = read_notes(flood)
    assert (len(notes.plan), len(notes.hypotheses)) == (20, 20)
    assert max(len(step) for step, _ in notes.plan) <= 300
    team.member("solver").said(flood)
    assert len(team.private("solver").of(Hypothesis)) == team.settings.max_hypotheses


def test_a_contract_of_nobody_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="solver"):
        TeamMemory("Who?", agents=["solver"], roles={"boss": ROLE})


def test_what_speaks_for_a_guess_and_against_it_is_kept_with_it_and_shown(team: TeamMemory) -> None:
    said = "【假设】\n~0.8 导演是卡梅隆 ＋ 页面写明 － 没有年份 ⚠ 同名\n"
    team.member("solver").said(said)
    [guess] = team.private("solver").of(Hypothesis)
    assert (guess.pros, guess.cons, guess.risks) == (("页面写明",), ("没有年份",), ("同名",))
    assert read_notes("【Hypotheses】\n~0.5 Bob + named twice - no date").hypotheses[0][1].cons == ("no date",)
    assert "~0.8 导演是卡梅隆 ＋ 页面写明 － 没有年份 ⚠ 同名" in team.inject("solver")
