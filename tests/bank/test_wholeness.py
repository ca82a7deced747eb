import base64
import copy
import json
from itertools import count

import pytest

from amb_core import InvalidExport, ManualClock, MemoryBank, Settings, StoreCorrupt, ToolResult
from amb_core.memory.journal import Journal
from amb_core.models import QueryNode
from amb_core.protocols import Record
from amb_core.stores import InMemoryStore

NAN = base64.b64encode(b"\x00\x00\xc0\x7f" * 16).decode()
TEXTS = (
    "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied the cells in 48 containers.",
    "Gulls are the loudest thing on the quay. The Harbour Point battery has a usable capacity of 12 MWh.",
    "The register was checked on site. The Harbour Point battery has a usable capacity of 18 MWh.",
    "A new survey disagrees. The Harbour Point battery has a usable capacity of 20 MWh.",
)


VERIFYING = Settings(disputes="verify")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What the file of a bank with a merge, two conflicts, a link, an injection and vectors holds."""
    folder = tmp_path_factory.mktemp("whole")
    clock = ManualClock(1_700_000_000, step=1)
    with MemoryBank(
        "What is the capacity of the battery?", embedder="hashing:16", clock=clock, settings=VERIFYING
    ) as bank:
        for text, source in zip((*TEXTS, TEXTS[0]), "abcda", strict=True):
            bank.absorb(ToolResult(tool="read", output=text, source=source))
            bank.plan()
        bank.host.log_injection(bank.host.enhance(), prompt_tokens=1, raw_tokens=9)
        return json.loads(bank.export(folder / "whole.json").read_text())


def _load(data, folder):
    file = folder / "bank.json"
    file.write_text(json.dumps(data))
    return MemoryBank.load(file, embedder="hashing:16")


def _more(group, **fields):
    return lambda x: x[group].append({**x[group][0], **fields})


def _set(group, **fields):
    return lambda x: x[group][0].update(fields)


def _twice(group):
    return lambda x: x[group].append(x[group][0])


DAMAGE = {
    "node twice": (_twice("nodes"), "twice"),
    "entry twice": (_twice("entries"), "twice"),
    "injection twice": (_twice("injections"), "twice"),
    "node id a word": (_more("nodes", id="zebra"), "no id of a node"),
    "node id negative": (_more("nodes", id="n-5"), "no id of a node"),
    "node id blank": (_more("nodes", id=""), "no id of a node"),
    "node id of an entry": (_more("nodes", id="e1"), "no id of a node"),
    "node id with a line end": (_more("nodes", id="n9\n"), "no id of a node"),
    "node id in other digits": (_more("nodes", id="n٣"), "no id of a node"),
    "conflict id": (_set("conflicts", id="q"), "no id of a conflict"),
    "injection turn": (_set("injections", turn=-1), "no id of an injection"),
    "waiting id": (lambda x: x.update(waiting=[{"id": "x", "type": "code", "content": "f"}]), "no id of an attach"),
    "alive and archived": (lambda x: x["nodes"].append(x["archive"][0]["node"]), "twice"),
    "digestion missing": (lambda x: x["digestions"].pop(1), "no digestion"),
    "digestion twice": (_twice("digestions"), "two digestions"),
    "repeats itself": (_set("digestions", repeat_of="e1"), "no original"),
    "repeats a repeat": (lambda x: x["digestions"][1].update(repeat_of="e5"), "no original"),
    "repeats nothing": (_set("digestions", repeat_of="e77"), "no original"),
    "conflict of one": (lambda x: x["conflicts"][1].update(node_ids=["n5"]), "two different"),
    "conflict of none": (lambda x: x["conflicts"][1].update(node_ids=[]), "two different"),
    "conflict with itself": (lambda x: x["conflicts"][1].update(node_ids=["n5", "n5"]), "two different"),
    "conflict of strangers": (lambda x: x["conflicts"][1].update(node_ids=["n5", "n99"]), "not there"),
    "merge to nowhere": (_set("merges", new_node_id="n77"), "n77, which is not there"),
    "merge in a circle": (_set("merges", new_node_id="n1"), "older than what it merged"),
    "merge without archive": (lambda x: x.update(archive=[]), "not in the archive"),
    "archive without merge": (lambda x: x.update(merges=[]), "not there"),
    "archive of another merge": (_set("merges", merged_node_ids=[]), "did not merge it"),
    "span ends first": (_set("nodes", sources=[{"entry_id": "e1", "start": 9, "end": 2}]), "cites e1"),
    "span too long": (_set("nodes", sources=[{"entry_id": "e1", "start": 0, "end": 9999}]), "cites e1"),
    "refuted nowhere": (_set("nodes", refuted=[{"entry_id": "e77", "start": 0, "end": 5}]), "cites e77"),
    "vector of odd bytes": (_set("nodes", embedding="AAAA"), "16 dimensions"),
    "vector of another length": (_set("nodes", embedding="AAAAAAAAAAA="), "16 dimensions"),
    "vector not finite": (_set("nodes", embedding=NAN), "not finite"),
    "vectors of nobody": (lambda x: x.update(embedder=None), "no embedder"),
    "link with itself": (lambda x: x["links"].append({"a": x["nodes"][0]["id"], "b": x["nodes"][0]["id"]}), "itself"),
    "link to a merged node": (lambda x: x["links"].append({"a": "n5", "b": "n1"}), "not there"),
    "time not finite": (_set("nodes", timestamp=float("nan")), "no possible time"),
    "time before time": (_set("entries", timestamp=-1), "no possible time"),
    "counter below zero": (lambda x: x["counters"].update(n=-1), "counter"),
    "counter without end": (lambda x: x["counters"].update(n=10**30), "counter"),
    "counter of nothing": (lambda x: x["counters"].update(zz=1), "counter"),
    "goal blank": (lambda x: x["insight"].update(task_goal=" "), "goal is empty"),
    "task id a path": (lambda x: x["insight"].update(doc_id="../../etc"), "no id of a task"),
    "pending conflict unknown": (
        lambda x: x["insight"].update(
            pending_tasks=[{"type": "CROSS_VALIDATE", "description": "d", "conflict_id": "c99"}]
        ),
        "c99",
    ),
    "version true": (lambda x: x.update(version=True), "version"),
    "version zero": (lambda x: x.update(version=0), "version"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_file_that_is_not_whole_is_refused_with_what_is_wrong(whole, tmp_path, name):
    spoil, message = DAMAGE[name]
    data = copy.deepcopy(whole)
    spoil(data)

    with pytest.raises(InvalidExport, match=message):
        _load(data, tmp_path)


@pytest.mark.parametrize("counters", [{}, {"n": 1, "e": 1, "c": 0, "m": 0, "t": 0}])
def test_counters_below_what_is_in_use_give_no_id_out_twice(whole, tmp_path, counters):
    data = copy.deepcopy(whole)
    data["counters"] = counters
    with _load(data, tmp_path) as bank:
        report = bank.absorb(ToolResult(tool="read", output="The pier at Ystad is 300 metres long.", source="z"))

        assert report.entry_ids == (f"e{len(whole['entries']) + 1}",)
        assert not set(report.node_ids) & {f"n{number}" for number in range(1, whole["counters"]["n"] + 1)}
        assert bank.snapshot().counters["m"] == whole["counters"]["m"]


def test_a_stored_task_that_is_not_whole_is_refused_as_corrupt(result):
    store = InMemoryStore()
    MemoryBank("Goal", store=store).absorb(result("The fact is about apples."))
    ghost = QueryNode(id="zebra", summary="s", context="c", timestamp=1)
    store.put([Record(namespace="task/node", id="zebra", data=ghost.model_dump(mode="json"))])

    with pytest.raises(StoreCorrupt, match="'zebra' is no id of a node"):
        MemoryBank.resume(store)


def test_a_bank_is_whole_after_whatever_is_done_with_it(tmp_path, result):
    store = InMemoryStore()
    clock = ManualClock(1, step=1)
    bank = MemoryBank("What is the capacity of the battery?", store=store, clock=clock, settings=VERIFYING)
    numbers = count(1)

    def holds_up():
        path = bank.export(tmp_path / f"{next(numbers)}.json")
        assert MemoryBank.load(path, settings=VERIFYING).snapshot() == bank.snapshot()
        assert Journal(store, clock=ManualClock(1)).read().as_snapshot() is not None

    for text, source in zip(TEXTS, "abcd", strict=True):
        bank.absorb(result(text, source))
        bank.plan()
        holds_up()
    bank.host.undo_merge("m1")
    holds_up()
    for entry_id in ("e3", "e1", "e2", "e4"):
        bank.forget(entry_id)
        holds_up()
