"""A user is deleted in one call: nothing is left in records, history, log, indexes and files of the store."""

import pytest

from amb_core import Attachment, InvalidInput, MemoryBank, Scope, Settings, ToolResult
from amb_core.stores import InMemoryStore
from amb_longterm import LongTermMemory
from amb_longterm.namespaces import namespace_of
from amb_longterm.user_data import delete_user
from amb_team import TeamMemory

WORD = "Nordlicht"
TASK = "Who plans the merger with Nordlicht?"


@pytest.fixture(params=["sqlite", "json"])
def url(request, tmp_path):
    return f"{request.param}:///{tmp_path}/shared{'.db' if request.param == 'sqlite' else ''}"


def fill(url, user, word):
    """One user's notes in long-term memory and in a team, with what the team has learnt."""
    with LongTermMemory(url) as memory:
        for number in range(8):
            memory.write(f"{word} has shelf {number} in hall {number * 7}", namespace=f"domain_facts/{user}")
        first = memory.write(f"{word} pays on Mondays", namespace=f"user_profile/{user}")
        memory.update(first.id, namespace=f"user_profile/{user}", content=f"{word} pays on Fridays", merge=False)
    with TeamMemory(f"Who leads {word}?", agents=["solver"], store=url, team_id=f"{user}-1", user=user) as team:
        seen = f"{word} is a company led by Ada Moss."
        team.observe(agent="solver", action=f"Search[{word}]", observation=seen, raw_output=f"I look for {word}")
    with (
        LongTermMemory(url) as memory,
        TeamMemory(f"Who leads {word}?", agents=["solver"], meta=memory, user=user) as it,
    ):
        it.observe(agent="solver", action=f"Search[{word}]", observation=seen)
        it.finish(answer="Ada Moss", success=True)


def holding(folder, *words):
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files for word in words if word.lower().encode() in file.read_bytes().lower()]


def test_nothing_is_left_of_a_user_and_everything_of_another(url, tmp_path):
    fill(url, "ana", WORD)
    fill(url, "ben", "Suedwind")
    with LongTermMemory(url) as memory:
        before = memory.records("domain_facts/ben")
    receipt = delete_user(url, user="ana")
    assert (receipt.task, receipt.longterm > 8, receipt.team > 3, receipt.experience > 0) == (0, True, True, True)
    assert receipt.unreachable == ()
    assert holding(tmp_path, WORD, "/ana", "ana-1") == []
    with LongTermMemory(url) as memory:
        assert memory.records("domain_facts/ben") == before
        assert memory.search("Suedwind shelf 3", namespace="domain_facts/ben")[0].content.startswith("Suedwind")
        assert memory.audit(limit=1)[0].action == "delete user"
    with TeamMemory("Who leads Suedwind?", agents=["solver"], store=url, team_id="ben-1", user="ben") as team:
        assert team.shared.hops
    assert delete_user(url, user="ana").model_dump(exclude_defaults=True) == {"user": "ana"}


def test_the_task_of_a_user_goes_with_its_index_and_its_attachments(tmp_path):
    url, report = f"sqlite:///{tmp_path}/task.db", tmp_path / "report.txt"
    report.write_text("The report on Nordlicht")
    with MemoryBank(TASK, store=url, settings=Settings(index_file_from=1)) as bank:
        bank.host.assign(Scope(user="ana"))
        attached = Attachment(id="f", type="document", content=str(report))
        seen = "Nordlicht is led by Ada Moss."
        bank.absorb(ToolResult(tool="browse", arguments={}, output=seen, attachments=(attached,)))
    report.unlink()
    assert holding(tmp_path, WORD)
    assert delete_user(url, user="ben").task == 0
    assert delete_user(url, user="ana").task > 3
    assert holding(tmp_path, WORD) == []
    MemoryBank(TASK, store=url).close()


def test_memories_that_are_open_meanwhile_follow(tmp_path):
    url = f"sqlite:///{tmp_path}/shared.db"
    fill(url, "ana", WORD)
    with LongTermMemory(url) as memory, TeamMemory(TASK, agents=["solver"], store=url, team_id="ana-1") as team:
        assert memory.search(WORD, namespace="domain_facts/ana")
        assert team.shared.hops
        delete_user(url, user="ana")
        assert memory.search(WORD, namespace="domain_facts/ana") == []
        assert team.shared.hops == []


def test_a_store_that_was_handed_over_stays_open_and_keeps_who_only_looks_alike():
    store = InMemoryStore()
    with LongTermMemory(store) as memory:
        for user in ("ana", "Ana", "ana%2Fx", "x"):
            memory.write(f"{user} likes tea", namespace=f"user_profile/{user}")
        assert delete_user(store, user="ana").longterm == 1
        assert memory.namespaces() == ["user_profile/Ana", "user_profile/ana%2Fx", "user_profile/x"]


def test_what_a_team_learnt_before_it_had_a_user_goes_with_the_team(tmp_path):
    url = f"sqlite:///{tmp_path}/shared.db"
    for team_id, word in (("1", WORD), ("2", "Suedwind")):
        goal = f"Who leads {word}?"
        with TeamMemory(goal, agents=["solver"], store=url, meta=url, team_id=team_id) as team:
            team.observe(agent="solver", action=f"Search[{word}]", observation=f"{word} is led by Ada Moss.")
            team.finish(answer="Ada Moss", success=True)
    TeamMemory("Who?", agents=["solver"], store=url, team_id="1", user="ana").close()
    assert delete_user(url, user="ana").experience >= 1
    assert (holding(tmp_path, WORD), holding(tmp_path, "Suedwind")) == ([], ["shared.db"])


IDS = (
    "acme/ann",
    "ann",
    "Ann",
    "acme",
    "a/b/c",
    "50%",
    "%2e%2e",
    "ann.b",
    "b.ann",
    "ann b",
    "陈安",
    "公司/陈安",
    "ann/acme",
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("user", IDS)
def test_whatever_the_id_is_made_of_its_user_goes_whole_and_alone(url, tmp_path, user):
    """Namespaces as the examples write them, and as AMB itself does."""
    with LongTermMemory(url) as memory:
        for each in IDS:
            mark = f"W{IDS.index(each):02}W"
            for namespace in {f"user_profile/{each}", namespace_of("domain_facts", each)}:
                memory.write(f"{mark} likes tea", namespace=namespace)
        before = memory.namespaces()
    receipt = delete_user(url, user=user)
    assert (receipt.found, receipt.longterm) == (True, 2)
    with LongTermMemory(url) as memory:
        gone = {f"user_profile/{user}", namespace_of("domain_facts", user)}
        assert memory.namespaces() == [name for name in before if name not in gone]
    assert holding(tmp_path, f"W{IDS.index(user):02}W") == []
    again = delete_user(url, user=user)
    assert not again.found


def test_no_file_holds_the_id_of_a_deleted_user_nor_is_named_after_it(url, tmp_path):
    fill(url, "acme/ann7731", WORD)
    receipt = delete_user(url, user="acme/ann7731")
    assert receipt.longterm > 8
    assert receipt.unclear == ()
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")]
    assert holding(tmp_path, "ann7731", WORD) == []
    assert [name for name in names if "ann7731" in name] == []


def test_what_may_be_anothers_is_left_and_said():
    store = InMemoryStore()
    with LongTermMemory(store) as memory:
        for namespace in ("user_profile/acme/ann", "user_profile/ann/drafts", "notes/shop/ann"):
            memory.write("likes tea", namespace=namespace)
        receipt = delete_user(store, user="ann", scopes=["notes/shop"])
        assert receipt.longterm == 1
        assert receipt.unclear == ("user_profile/acme/ann", "user_profile/ann/drafts")
        assert memory.namespaces() == ["user_profile/acme/ann", "user_profile/ann/drafts"]


@pytest.mark.parametrize("scheme", ["sqlite", "json"])
def test_a_deletion_makes_no_store(scheme, tmp_path):
    with pytest.raises(InvalidInput, match="there is no store at"):
        delete_user(f"{scheme}:///{tmp_path}/mistyped.db", user="ana")
    assert list(tmp_path.iterdir()) == []
