"""The twelve problems of the seed's diagnosis, each shown cured, by its number."""

import pytest

from amb_team import TeamMemory
from amb_team.team_records import Evidence

TITANIC = "Titanic is a 1997 American epic romance film directed by James Cameron. It stars Leonardo DiCaprio."
CAMERON = "James Francis Cameron is a Canadian filmmaker. Cameron married Suzy Amis in 2000."
QUESTION = "Who is the spouse of the director of Titanic?"
AGENTS = ["solver", "retriever", "ground_truth"]


@pytest.fixture
def meta(tmp_path):
    return f"sqlite:///{tmp_path}/meta.db"


@pytest.fixture
def team(meta):
    with TeamMemory(QUESTION, agents=AGENTS, meta=meta) as opened:
        yield opened


@pytest.fixture
def answered(team):
    """A team that made both hops."""
    team.observe(agent="solver", action="Search[Titanic director]", observation=TITANIC)
    team.observe(agent="solver", action="Search[James Cameron spouse]", observation=CAMERON, raw_output="Thought: …")
    return team


def test_problem_01_extracted_answer_is_filled(answered):
    assert [hop.extracted_answer for hop in answered.shared.hops] == ["James Cameron", "Suzy Amis"]
    assert answered.statistics().answered_share == 1.0


def test_problem_03_facts_are_kept_and_reach_the_next_hop(answered):
    assert answered.shared.fact("director") == "James Cameron"
    assert answered.shared.fact("spouse") == "Suzy Amis"
    assert "directed by James Cameron" in answered.inject("retriever")


def test_problem_05_private_evidence_holds_the_result_and_the_hypothesis_it_supports(answered):
    evidence = answered.private("solver").of(Evidence)

    told = next(each for each in evidence if "married Suzy Amis" in each.content)
    assert told.source == "Search[James Cameron spouse]"
    assert answered.private("solver").get(told.supports).content == "Suzy Amis"


def test_problem_07_what_is_injected_is_what_the_next_step_needs(team):
    assert team.inject("solver") == ""
    team.observe(agent="solver", action="Search[Titanic director]", observation=TITANIC)

    block = team.inject("solver")

    assert "To ask next: James Cameron spouse" in block
    assert "Search[Titanic director] → James Cameron" in block


def test_problem_08_memory_is_searched_with_the_sub_question_not_with_the_prompt(answered):
    for number in range(20):
        text = f"The harbour of Velm has {number + 3} cranes."
        answered.observe(agent="retriever", action=f"Search[Velm harbour {number}]", observation=text)

    block = answered.inject("retriever", query="spouse of James Cameron")

    assert "married Suzy Amis" in block
    assert block.index("married Suzy Amis") < block.index("Already searched")


def test_problem_09_a_hop_says_what_it_was_to_find_out(answered):
    assert [hop.sub_question for hop in answered.shared.hops] == ["Titanic director", "James Cameron spouse"]
    found = answered.shared.retrieve("Who is James Cameron's spouse?", k=1)
    assert "Suzy Amis" in found[0].record.told


def test_problem_11_recent_successes_are_not_empty_after_a_success(answered):
    answered.finish(answer="Suzy Amis", success=True)

    assert answered.private("solver").recent_successes()[0]
    assert "Suzy Amis" in answered.private("solver").recent_successes(5)
    assert answered.meta.recent_successes()[0].answer == "Suzy Amis"


def test_problem_12_a_later_task_uses_what_this_one_learnt(answered, meta):
    reflection = answered.finish(answer="Suzy Amis", success=True)
    answered.close()

    assert reflection.insights
    with TeamMemory("Who is the spouse of the director of Avatar?", agents=AGENTS, meta=meta) as later:
        block = later.inject("solver")
        assert "Search[{subject} director] → Search[{bridge} spouse]" in block
        assert "Search[Titanic director] → James Cameron" in block
        assert later.shared.hops == []
