"""What an export of a team holds: what is shared for everybody, everything for the team's owner."""

from __future__ import annotations

import json

import pytest

from amb_core import InvalidParameter, ManualClock
from amb_team import TeamMemory
from amb_team.team_export import TeamExport
from amb_team.team_records import Challenge

PAGE = "Titanic is a 1997 American film directed by James Cameron. It stars Kate Winslet."
SECRET = "I think it is the gull."


@pytest.fixture
def team():
    clock = ManualClock(1_700_000_000, step=1)
    with TeamMemory(
        "Who is the spouse of the director of Titanic?", agents=["solver", "retriever"], clock=clock, meta="memory://"
    ) as made:
        made.observe(agent="solver", action="Search[Titanic director]", observation=PAGE)
        made.private("solver").note(Challenge, content=SECRET)
        made.before_search("retriever", "director of Titanic")
        yield made


def test_the_shared_export_is_free_of_private_notes(team):
    made = team.snapshot()
    assert SECRET not in json.dumps(made)
    assert (made["scope"], made["holds_private_notes"], "private" in made) == ("shared", False, False)


def test_the_full_export_has_each_agents_notes_in_a_section_of_its_own_and_says_so(team, tmp_path):
    made = json.loads(team.export(tmp_path / "all.json", everything=True).read_text("utf-8"))
    assert (made["scope"], made["holds_private_notes"]) == ("everything", True)
    assert [*made["private"]] == ["solver", "retriever"]
    assert SECRET in str(made["private"]["solver"])
    assert SECRET not in str(made["records"]) + str(made["private"]["retriever"])


def test_the_export_of_one_agent_never_holds_everything(team):
    with pytest.raises(InvalidParameter, match="leave out the agent"):
        team.snapshot("solver", everything=True)


def test_what_was_written_is_read_back_whole(team, tmp_path):
    team.finish(answer="James Cameron", success=True)
    read = TeamExport.of(json.loads(team.export(tmp_path / "all.json", everything=True).read_text()))
    assert read == TeamExport.of(team.snapshot(everything=True))
    assert [record.id for record in read.private["solver"]] == [each.id for each in team.private("solver").records()]
