"""One team that is open twice, also in two processes: each sees what the other notes, in one order, without a gap."""

from contextlib import suppress

import pytest
from amb_bench.doubles.failing_store import FailingStore

from amb_core.errors import InvalidParameter, StoreError
from amb_core.stores import InMemoryStore
from amb_longterm.user_data import delete_user
from amb_team import TeamMemory
from amb_team.team_records import Evidence, Observation

TASK = "Who is the spouse of the director of Titanic?"
TITANIC = "Titanic is a 1997 American epic romance film directed by James Cameron."


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/team.db"


def opened(url):
    return TeamMemory(TASK, agents=["solver", "retriever"], store=url, team_id="t1")


def test_what_one_opening_takes_in_the_other_knows_at_once(url):
    with opened(url) as one, opened(url) as other:
        one.observe(agent="solver", action="Search[Titanic director]", observation=TITANIC)
        assert "James Cameron" in other.inject("retriever")
        assert other.before_search("retriever", "Titanic director").agent == "solver"
        seen = other.observe(agent="retriever", action="Search[Cameron]", observation="Cameron married Suzy Amis.")
        assert (seen.hop.turn, one.shared.last_hop) == (2, seen.hop)
        assert one.shared.records() == other.shared.records()


def test_what_one_opening_lets_go_the_other_forgets(url):
    with opened(url) as one, opened(url) as other:
        one.private("solver").note(Observation, content="a heron at the pier")
        assert other.private("solver").best(Observation, "heron", k=1)
        for number in range(one.settings.max_observations):
            one.private("solver").note(Observation, content=f"note {number}")
        assert len(other.private("solver").of(Observation)) == one.settings.max_observations
        assert other.private("solver").best(Observation, "heron", k=1) == []


@pytest.mark.parametrize("call", range(2, 12))
def test_an_observation_that_the_store_does_not_take_leaves_nothing_in_it_or_in_memory(call):
    store = FailingStore(InMemoryStore())
    team = opened(store)
    store.fail_at(call)
    with suppress(StoreError):
        team.observe(agent="solver", action="Search[Titanic director]", observation=TITANIC)
    store.fail_at(0)
    again = opened(store)
    assert team.shared.records() == again.shared.records()
    assert team.private("solver").of(Evidence) == again.private("solver").of(Evidence)


def test_a_team_of_one_user_is_no_other_user_s(url):
    TeamMemory(TASK, agents=["solver"], store=url, team_id="t1", user="ana").close()
    with pytest.raises(InvalidParameter, match="another user"):
        TeamMemory(TASK, agents=["solver"], store=url, team_id="t1", user="ben")
    with opened(url) as team:  # an agent that was not there before is found by a deletion as well
        team.private("retriever").note(Observation, content="Nordlicht")
    assert delete_user(url, user="ana").team == 3  # with two records of its log
