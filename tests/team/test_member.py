"""A member of a team behind an adapter: what it is shown, what its tools bring, and what memory answers for them."""

from __future__ import annotations

import pytest

from amb_core import ContextAdapter, InvalidParameter, ManualClock, MemoryBank, StepResult, ToolResult
from amb_team import TeamMemory
from amb_team.actions import action_of, is_search
from amb_team.team_records import OutputNote

PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
ASKED = {"query": "Titanic director"}


def result(text: str = PAGE, call: str = "c1", tool: str = "web_search", **asked) -> ToolResult:
    return ToolResult(tool=tool, output=text, call_id=call, arguments=asked or ASKED)


@pytest.fixture
def team():
    clock = ManualClock(1_700_000_000, step=1)
    with TeamMemory(
        "Who is the spouse of the director of Titanic?", agents=["solver", "retriever"], clock=clock
    ) as made:
        yield made


def adapter(team: TeamMemory, agent: str, **options) -> ContextAdapter:
    return ContextAdapter(MemoryBank(team.task), agent=agent, team=team.member(agent), **options)


def test_what_one_agent_finds_is_in_the_team_block_of_the_other(team):
    solver, retriever = adapter(team, "solver"), adapter(team, "retriever")
    solver.absorb([result()])
    told = retriever.prepare([{"role": "user", "content": "go on"}])[-1]["content"]
    assert "<team>" in told
    assert "James Cameron" in told
    assert "James Cameron" not in told.partition("<team>")[0]  # its own bank has nothing of it


def test_a_team_block_is_exchanged_and_never_heaped_up(team):
    solver = adapter(team, "solver")
    solver.absorb([result()])
    messages = [{"role": "user", "content": "go on"}]
    for _ in range(3):
        messages = solver.prepare(messages)
    assert str(messages).count("<team>") == 1


def test_what_memory_answered_is_not_taken_in_again(team):
    solver = adapter(team, "solver")
    solver.absorb([result()])
    known = solver.known("web_search", ASKED)
    taken = solver.absorb([result(known, call="c2")])
    assert (taken.skipped, len(solver.bank.snapshot().entries), len(team.shared.hops)) == (1, 1, 1)


@pytest.mark.parametrize("tool", ["book_flight", "send_mail", "lookup"])
def test_a_tool_that_may_change_something_is_never_answered_from_memory(team, tool):
    solver = adapter(team, "solver")
    solver.absorb([result(tool=tool)])
    assert solver.known(tool, ASKED) is None


def test_a_search_that_broke_off_is_made_again(team):
    solver = adapter(team, "solver")
    broken = ToolResult(tool="web_search", output="timed out", call_id="c1", arguments=ASKED, is_error=True)
    solver.absorb([broken])
    assert solver.known("web_search", ASKED) is None
    assert team.statistics().repeats_avoided == 0
    solver.absorb([result(call="c2")])
    assert solver.known("web_search", ASKED).endswith(PAGE)


def test_another_page_of_the_same_search_is_another_search(team):
    solver = adapter(team, "solver")
    solver.absorb([result(query="Titanic director", page=1)])
    assert solver.known("web_search", {"query": "Titanic director", "page": 2}) is None


def test_a_result_handed_on_with_the_history_counts_once(team):
    for name in team.agents:
        adapter(team, name).absorb([result()])
    assert team.statistics().total_hops == 1
    assert team.statistics().repeated_searches == 0


def test_what_memory_answered_is_no_new_hop_for_a_mate_who_is_handed_it(team):
    one, other = adapter(team, "solver"), adapter(team, "retriever")
    one.absorb([result()])
    other.absorb([result(str(one.known("web_search", ASKED)), call="c2")])
    other.absorb([result("Transferred to retriever.", call="c3", tool="transfer_to_retriever", x=1)])
    assert team.statistics().total_hops == 1


def test_what_is_not_shared_stays_out_of_the_team_even_when_a_mate_is_handed_it(team):
    secret = result("The password of the harbour is gull.", tool="diary")
    solver = adapter(team, "solver", share=lambda found: found.tool != "diary")
    solver.intercept_context(StepResult(tool_results=(secret,)))
    adapter(team, "retriever").absorb([secret])
    assert team.shared.hops == []
    assert "gull" not in str(team.snapshot())


def test_a_step_tells_the_team_what_was_found_and_keeps_what_the_model_wrote_private(team):
    solver = adapter(team, "solver")
    solver.intercept_context(StepResult(text="I look for the director first.", tool_results=(result(),)))
    assert len(team.shared.hops) == 1
    assert [kept.content for kept in team.private("solver").records() if isinstance(kept, OutputNote)] == [
        "I look for the director first."
    ]
    assert "look for the director" not in str(team.snapshot())


def test_messages_between_members_are_noted_once_and_those_of_strangers_not(team):
    member = team.member("solver")
    for _ in range(2):
        member.heard("retriever", "The director is James Cameron.")
    member.heard("user", "Hello.")
    member.heard("solver", "I said so myself.")
    assert [said.message for said in team.shared.interactions] == ["The director is James Cameron."]


def test_the_gist_of_a_result_is_the_fact_that_bears_on_the_task(team):
    solver, member = adapter(team, "solver"), team.member("retriever")
    solver.absorb([result("Kate Winslet is an actress. Titanic was directed by James Cameron.")])
    told = "Search[Titanic director] → Titanic was directed by James Cameron."
    assert member.gist(team.shared.hops[0].observation) == told
    assert member.gist(str(member.known("web_search", ASKED))) == told
    assert member.gist("what nobody saw") == ""


def test_a_search_function_asks_memory_first(team):
    made = []

    def search(query: str) -> str:
        made.append(query)
        return PAGE

    one, other = team.member("solver").asking_once(search), team.member("retriever").asking_once(search)
    assert one("Titanic director") == PAGE
    assert other(query="director of Titanic").endswith(PAGE)
    assert made == ["Titanic director"]


def test_chinese_teams_are_told_in_chinese():
    with TeamMemory("《泰坦尼克号》导演的配偶是谁？", agents=["求解者", "检索者"]) as team:
        one = adapter(team, "求解者")
        one.absorb([result("《泰坦尼克号》由詹姆斯·卡梅隆执导。", tool="搜索", query="泰坦尼克号 导演")])
        known = adapter(team, "检索者").known("搜索", {"query": "导演 泰坦尼克号"})
    assert known is not None
    assert known.startswith("取自团队记忆：求解者")


def test_nobody_is_a_member_whom_the_team_does_not_name(team):
    with pytest.raises(InvalidParameter, match="it has solver, retriever"):
        team.member("stranger")


@pytest.mark.parametrize(
    ("tool", "arguments", "action"),
    [
        ("search_wikipedia", {"query": "Titanic"}, "Search[Titanic]"),
        ("webSearch", {"q": "Titanic", "page": 2}, "Search[Titanic; page=2]"),
        ("read_page", {"url": "a.org"}, "Read_page[a.org]"),
        ("检索", {"query": "泰坦尼克号"}, "Search[泰坦尼克号]"),
        ("clock", {}, "Clock[]"),
    ],
)
def test_a_call_is_told_as_an_action(tool, arguments, action):
    assert action_of(tool, arguments) == action
    assert is_search(action) == action.startswith("Search")
