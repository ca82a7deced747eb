"""What speaks in a request beside the bank: the contract, its order, its room, and that a failure costs only itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from amb_contracts.contributor_contract import ContributorContract
from amb_core import ContextAdapter, Experience, InvalidParameter, LongTermMemory, MemoryBank, Scope
from amb_core.contributor import Contributor, Entry, RecallContext
from amb_team import TeamMemory

USER = Scope(user="ann")
TALK = [{"role": "user", "content": "Can we come to the castle on Tuesday?"}]


class Calendar(Contributor):
    """Says when the castle is open on the day that is talked about."""

    def __init__(self, **days: str) -> None:
        self.days, self.heard = days, list[Entry]()

    def on_entry(self, entry: Entry) -> None:
        self.heard.append(entry)

    def block(self, context: RecallContext, room: int) -> str:
        return "\n".join(f"{day}: {hours}" for day, hours in self.days.items() if day in context.user_said)

    def still_true(self, text: str) -> str:
        return "\n".join(line for line in text.split("\n") if line.partition(": ")[2] not in ("open until 18:00",))

    def cached_result(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        return self.days.get(str(arguments.get("day"))) if tool == "opening_hours" else None


class TestOwn(ContributorContract):
    @pytest.fixture
    def contributor(self) -> Contributor:
        return Calendar(Tuesday="open until 18:00")


class TestProfile(ContributorContract):
    @pytest.fixture
    def contributor(self) -> Iterator[Contributor]:
        with LongTermMemory("memory://") as memories:
            memories.remember(
                [
                    {
                        "role": "user",
                        "content": "I live in Porto. From now on answer in one line.",
                    }
                ],
                user="ann",
            )
            yield memories.join(bank_of_ann())


class TestExperience(ContributorContract):
    @pytest.fixture
    def contributor(self) -> Iterator[Contributor]:
        with Experience("memory://") as experience:
            yield experience.join(bank_of_ann())


class TestTeam(ContributorContract):
    @pytest.fixture
    def contributor(self) -> Iterator[Contributor]:
        with TeamMemory("When does the ferry leave?", agents=["guide", "a colleague"]) as team:
            yield team.member("guide")


def bank_of_ann() -> MemoryBank:
    return ContextAdapter(MemoryBank("Plan a visit."), scope=USER).bank


def said_in(adapter: ContextAdapter, messages: list[Any] = TALK) -> str:
    return "\n".join(str(message["content"]) for message in adapter.next_request(messages))


def test_a_memory_of_ones_own_speaks_in_the_request() -> None:
    adapter = ContextAdapter(MemoryBank("Plan a visit."), contributors=[Calendar(Tuesday="closed", Monday="open")])
    assert "Tuesday: closed" in said_in(adapter)
    assert "Monday" not in said_in(adapter)


def test_contributors_speak_in_their_order_and_what_the_request_says_is_not_said_again() -> None:
    first, second = Calendar(Tuesday="open from 9"), Calendar(Tuesday="tickets at the gate")
    text = said_in(ContextAdapter(MemoryBank("Plan a visit."), contributors=[first, second]))
    assert text.index("open from 9") < text.index("tickets at the gate")
    told = [*TALK, {"role": "assistant", "content": "Tuesday: closed"}, {"role": "user", "content": "And Tuesday?"}]
    assert (
        said_in(ContextAdapter(MemoryBank("A visit."), contributors=[Calendar(Tuesday="closed")]), told).count("closed")
        == 1
    )


def test_a_contributor_is_told_what_everybody_says() -> None:
    own = Calendar()
    call = {"id": "c1", "type": "function", "function": {"name": "read_page", "arguments": '{"page": "castle"}'}}
    talk = [*TALK, {"role": "assistant", "content": "I look at the page of the castle first, one moment please."}]
    talk += [{"role": "assistant", "content": None, "tool_calls": [call]}]
    talk += [{"role": "tool", "tool_call_id": "c1", "content": "The castle has four towers."}]
    adapter = ContextAdapter(MemoryBank("Plan a visit."), contributors=[own])
    adapter.next_request(talk)
    adapter.next_request(talk)
    heard = [(each.speaker, each.text.split()[0]) for each in own.heard]
    assert heard == [("tool", "The"), ("user", "Can"), ("agent", "I")]
    assert own.heard[0].result is not None
    assert own.heard[0].result.arguments == {"page": "castle"}


def test_a_contributor_answers_instead_of_a_call() -> None:
    adapter = ContextAdapter(MemoryBank("Plan a visit."), contributors=[Calendar(Tuesday="closed")])
    assert adapter.known("opening_hours", {"day": "Tuesday"}) == "closed"
    assert adapter.known("opening_hours", {"day": "Friday"}) is None


def test_one_that_fails_costs_only_itself() -> None:
    class Broken(Calendar):
        def block(self, context: RecallContext, room: int) -> str:
            raise RuntimeError("no network")

    adapter = ContextAdapter(MemoryBank("Plan a visit."), contributors=[Broken(), Calendar(Tuesday="closed")])
    assert "Tuesday: closed" in said_in(adapter)
    assert adapter.failures == {"ask a contributor": 1}


@pytest.mark.parametrize("other", ["a text", 7, object()])
def test_what_cannot_speak_is_refused_with_what_to_do(other: Any) -> None:
    with pytest.raises(InvalidParameter, match=r"subclass it and write `block`"):
        ContextAdapter(MemoryBank("Plan a visit."), contributors=[other])


def test_a_memory_of_one_user_is_refused_where_several_share_a_bank() -> None:
    with LongTermMemory("memory://") as memories, pytest.raises(InvalidParameter, match="tells of one user"):
        ContextAdapter(MemoryBank("Plan a visit."), sharing=True, contributors=[memories])


def test_a_member_of_a_team_may_be_one_of_them() -> None:
    with TeamMemory("When is the castle open?", agents=["guide"]) as team:
        member = team.member("guide")
        assert ContextAdapter(MemoryBank("Plan a visit."), contributors=[member]).team is member
        with pytest.raises(InvalidParameter, match="one team's memory"):
            ContextAdapter(MemoryBank("Plan a visit."), contributors=[member], team=member)
