"""`amb memory`: what long-term memory holds, read and deleted on the command line."""

import pytest

from amb_cli import main
from amb_core import ManualClock
from amb_longterm import LongTermMemory, Provenance

PROFILE = "user_profile/u1"


@pytest.fixture
def store(tmp_path):
    url = f"sqlite:///{tmp_path}/memory.db"
    with LongTermMemory(url, clock=ManualClock(1_700_000_000, step=1)) as memory:
        told = {"type": "user-profile", "source": "user"}
        memory.write("Reports always in EUR", namespace=PROFILE, metadata=told, provenance=Provenance(run="r1"))
        memory.write("The order total excludes tax", namespace="domain_facts/u1")
        memory.search("reports", namespace=PROFILE)
    return url


@pytest.fixture
def amb(store, capsys):
    """Runs `amb memory …` on the store; gives the exit code and what was printed."""

    def run(*arguments):
        code = main(["memory", *arguments, "--store", store])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def record_id(store):
    with LongTermMemory(store) as memory:
        return memory.records(PROFILE)[0].id


def test_list_shows_namespaces_and_then_records(amb, record_id):
    assert amb("list") == (0, "      1  domain_facts/u1\n      1  user_profile/u1\n", "")
    assert amb("list", PROFILE) == (0, f"{record_id}  2023-11-14  user-profile  Reports always in EUR\n", "")


def test_show_history_and_search_tell_about_one_record(amb, record_id):
    _, shown, _ = amb("show", record_id, "--namespace", PROFILE)
    assert shown.startswith("Reports always in EUR\n\nsource: user\ntype: user-profile\nwritten: 2023-11-14;")
    assert "from: r1" in shown
    assert amb("history", record_id, "--namespace", PROFILE)[1] == "   1  2023-11-14  Reports always in EUR\n"
    assert record_id in amb("search", "reports", "--namespace", PROFILE)[1]


def test_delete_removes_a_record_and_the_audit_says_who_and_why(amb, record_id):
    assert amb("delete", record_id, "--namespace", PROFILE, "--why", "asked to")[:2] == (0, "1 deleted\n")
    assert amb("list")[1] == "      1  domain_facts/u1\n"
    newest = amb("audit", "--namespace", PROFILE, "--limit", "1")[1]
    assert "command line  delete  deleted  user_profile/u1" in newest
    assert newest.endswith("asked to\n")


def test_stats_say_what_came_of_memory(amb):
    printed = amb("stats")[1]
    assert "records: 2 in 2 namespaces" in printed
    assert "searches: 1, of which 100% found something" in printed
    assert "2 inserted" in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "r2345678923", "--namespace", PROFILE], "no memory with the id"),
        (["history", "r2345678923", "--namespace", PROFILE], "no memory with the id"),
        (["delete", "--namespace", PROFILE], "id, or"),
        (["delete", "--namespace", PROFILE, "--where", "source"], "FIELD=VALUE"),
        (["list", "a//b"], "namespace"),
    ],
)
def test_a_bad_command_is_told_so(amb, arguments, said):
    code, printed, error = amb(*arguments)
    assert (code, printed) == (1, "")
    assert said in error


def test_a_memory_that_is_not_there_is_not_made(tmp_path, capsys):
    assert main(["memory", "list", "--store", f"sqlite:///{tmp_path}/none.db"]) == 1
    assert "no memory at" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
