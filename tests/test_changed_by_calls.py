"""An older value is never shown alone where a later call gave another one, however the call writes that down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings

INI = "\n".join(f"# part {at}\nsize_{at} = {at * 7}" for at in range(70)).replace("size_40 = 280", "pool_limit = 280")
NUMBERED = "\n".join(f"{at:6}\t{line}" for at, line in enumerate(INI.split("\n"), 1))
ROWS = [{"id": f"tkt_{at}", "state": "open", "owner": f"Person {at}", "floor": at} for at in range(40)]
PATCH = "*** Begin Patch\n*** Update File: app.ini\n@@\n # part 40\n-pool_limit = 280\n+pool_limit = 512\n*** End Patch"

Call = tuple[str, Mapping[str, Any], str]
ASKED = "What is pool_limit in app.ini by now?"
READ: Call = ("read_file", {"path": "/opt/app.ini"}, INI)
EDITS: dict[str, tuple[Call, Call]] = {
    "old and new": (
        ("Read", {"file_path": "/opt/app.ini"}, NUMBERED),
        ("Edit", {"file_path": "/opt/app.ini", "old": "pool_limit = 280", "new": "pool_limit = 512"}, "ok"),
    ),
    "several in one call": (
        READ,
        (
            "multi_edit",
            {"path": "/opt/app.ini", "edits": [{"a": "pool_limit = 280", "b": "pool_limit = 512"}]},
            "Done.",
        ),
    ),
    "sed": (
        ("bash", {"command": "cat /opt/app.ini"}, INI),
        ("bash", {"command": "sed -i 's|pool_limit = 280|pool_limit = 512|' /opt/app.ini"}, ""),
    ),
    "a script": (
        ("bash", {"command": "cat app.ini"}, INI),
        ("bash", {"command": "perl -pi -e 's/pool_limit = 280/pool_limit = 512/' app.ini"}, ""),
    ),
    "a patch": (("shell", {"command": "cat app.ini"}, INI), ("apply_patch", {"input": PATCH}, "Done!")),
    "written anew": (
        READ,
        ("write", {"path": "/opt/app.ini", "content": INI.replace("limit = 280", "limit = 512")}, "Wrote 1 file"),
    ),
}


def talk(*calls: Call, asked: str) -> list[dict[str, Any]]:
    """The calls, six long results about other things, and a question."""
    noise = "\n".join(f"compiled unit_{at} of the tree in {at * 37 % 91} ms" for at in range(180))
    made: list[dict[str, Any]] = [{"role": "user", "content": "Get the service ready."}]
    for at, (tool, arguments, output) in enumerate(
        [*calls, *(("make", {"goal": f"g{one}"}, noise) for one in range(6))]
    ):
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        made.append({"role": "assistant", "tool_calls": [{"id": f"c{at}", "type": "function", "function": function}]})
        made.append({"role": "tool", "tool_call_id": f"c{at}", "content": output})
    return [*made, {"role": "user", "content": asked}]


def blocks(messages: Sequence[dict[str, Any]], asked: str) -> tuple[str, str]:
    """The block of a small request, and the answer to the question."""
    with MemoryBank("Get the service ready.", settings=Settings(prompt_budget_tokens=3_000)) as bank:
        request = ContextAdapter(bank).next_request(messages)
        texts = [str(one["content"]) for one in request if "<memory>" in str(one.get("content"))]
        return texts[-1] if texts else "", bank.recall(asked, budget_tokens=600).text


def heads(block: str, step: int) -> str:
    """The lines above what is shown of a step."""
    return "\n".join(line for line in block.split("\n") if line.startswith(f"step {step} "))


@pytest.mark.parametrize("kind", EDITS)
def test_what_was_read_before_an_edit_is_told_with_what_it_says_now(kind: str) -> None:
    for block in blocks(talk(*EDITS[kind], asked=ASKED), ASKED):
        assert "step 2 asked to make it" in heads(block, 1), block
        assert "pool_limit = 512" in block


SETS: dict[str, tuple[Call, str, str]] = {
    "fields": (("update_ticket", {"id": "tkt_17", "state": "closed"}, '{"ok": true}'), "tkt_17", "closed"),
    "nested": (("patch", {"ticket": "tkt_17", "fields": {"state": "closed"}}, "updated"), "tkt_17", "closed"),
    "SQL": (("sql", {"query": "UPDATE tickets SET state='closed' WHERE id='tkt_17'"}, "UPDATE 1"), "tkt_17", "closed"),
    "an option": (("cli", {"line": "tickets edit tkt_17 --state closed"}, "Saved."), "tkt_17", "closed"),
}


@pytest.mark.parametrize("kind", SETS)
def test_a_record_is_told_with_what_a_call_gave_it_since(kind: str) -> None:
    call, name, now = SETS[kind]
    asked = f"What is the state of {name}?"
    for block in blocks(talk(("list_tickets", {}, json.dumps(ROWS, indent=1)), call, asked=asked), asked):
        assert f"step 2 asked to set {name} state to {now}" in heads(block, 1), block


def test_a_key_of_settings_is_found_by_its_path() -> None:
    held = json.dumps({"cache": {"pool_limit": 280, "kind": "lru", **{f"k{at}": at for at in range(60)}}}, indent=1)
    calls: tuple[Call, Call] = (("get_settings", {}, held), ("set", {"key": "cache.pool_limit", "value": 512}, "done"))
    for block in blocks(talk(*calls, asked="What is pool_limit of the cache?"), "pool_limit of the cache"):
        assert "asked to set cache.pool_limit to 512" in heads(block, 1)


def test_chinese_files_and_values_are_told_alike() -> None:
    text = INI.replace("pool_limit = 280", "超时 = 30 秒")
    change: Call = ("改文件", {"路径": "设置.ini", "旧": "超时 = 30 秒", "新": "超时 = 45 秒"}, "完成")
    asked = "设置.ini 里的超时是多少？"
    with MemoryBank("把服务准备好。", settings=Settings(prompt_budget_tokens=3_000)) as bank:
        ContextAdapter(bank).next_request(talk(("读文件", {"路径": "设置.ini"}, text), change, asked=asked))
        assert "第 2 步要求改为 超时 = 45 秒（回应：完成）" in bank.recall(asked).text


def test_what_was_changed_back_is_no_change() -> None:
    there = {"path": "/opt/app.ini", "old": "pool_limit = 280", "new": "pool_limit = 512"}
    back = {"path": "/opt/app.ini", "old": "pool_limit = 512", "new": "pool_limit = 280"}
    for block in blocks(talk(READ, ("edit", there, "ok"), ("edit", back, "ok"), asked=ASKED), ASKED):
        assert "asked to" not in heads(block, 1)
    rows = ("list_tickets", {}, json.dumps(ROWS, indent=1))
    closed, opened = ({"id": "tkt_17", "state": state} for state in ("closed", "open"))
    asked = "What is the state of tkt_17?"
    for block in blocks(talk(rows, ("update", closed, "ok"), ("update", opened, "ok"), asked=asked), asked):
        assert "asked to" not in heads(block, 1)


NO_CHANGES: dict[str, Call] = {
    "another file": ("edit", {"path": "/opt/other.ini", "old": "pool_limit = 280", "new": "pool_limit = 512"}, "ok"),
    "a file of the same name": (
        "edit",
        {"path": "/opt/b/app.ini", "old": "pool_limit = 280", "new": "pool_limit = 512"},
        "ok",
    ),
    "another place": ("cli", {"line": "tickets edit tkt_99 --state closed"}, "Saved."),
    "refused": (
        "edit",
        {"path": "/opt/app.ini", "old": "pool_limit = 280", "new": "pool_limit = 512"},
        "Error: denied",
    ),
    "not found": (
        "edit",
        {"path": "/opt/app.ini", "old": "pool_limit = 280", "new": "pool_limit = 512"},
        "Could not find the exact text in /opt/app.ini",
    ),
    "a search": ("grep", {"pattern": "pool_limit = 280", "path": "/opt/app.ini"}, "81:pool_limit = 280"),
    "a question": ("find_tickets", {"id": "tkt_17", "state": "closed"}, "[]"),
    "another record": ("update_ticket", {"id": "tkt_99", "state": "closed"}, '{"ok": true}'),
}


@pytest.mark.parametrize("kind", NO_CHANGES)
def test_what_only_looks_like_a_change_is_none(kind: str) -> None:
    rows = ("list_tickets", {}, json.dumps(ROWS, indent=1))
    asked = f"{ASKED} And the state of tkt_17?"
    for block in blocks(talk(READ, rows, NO_CHANGES[kind], asked=asked), asked):
        assert "asked to" not in block


ACTS: dict[str, tuple[Call, Call, str, str]] = {
    "a member of a list": (
        ("list_tickets", {}, json.dumps([{**row, "id": at} for at, row in enumerate(ROWS)])),
        ("take_ticket", {"id": 17, "person": "Zora"}, "ok"),
        "Who is the owner on floor 17?",
        "Zora",
    ),
    "a row of a table": (
        ("sql", {"query": "select name, role from staff"}, "name | role\nAna Pek | cook\nRob Lund | driver"),
        ("sql", {"query": "delete from staff where name like 'Rob%'"}, "DELETE 1"),
        "Which role does Rob Lund have?",
        "delete from staff",
    ),
    "an address": (
        (
            "http",
            {"method": "GET", "url": "https://api/people/77"},
            json.dumps({"id": 77, "name": "Noor", "plan": "free"}),
        ),
        ("http", {"method": "PATCH", "url": "https://api/people/77", "body": {"tier": "gold"}}, "204 No Content"),
        "Which plan does Noor have?",
        "gold",
    ),
    "an account": (
        ("get_balance", {"account": "A"}, json.dumps({"account": "A", "balance": 500})),
        ("transfer", {"from": "A", "to": "B", "amount": 200}, "ok"),
        "What is the balance of account A?",
        "transfer A B 200",
    ),
}


@pytest.mark.parametrize("kind", ACTS)
def test_what_was_done_with_a_record_since_stands_beside_it(kind: str) -> None:
    read, act, asked, told = ACTS[kind]
    block, _ = blocks(talk(read, act, asked=asked), asked)
    assert told in block, block


WORDS = [
    ("My budget is 120 euro a night.", "No wait, 150 is fine too.", "What is my budget per night?"),
    ("The server is called hydra-2.", "Oops, I meant hydra-3.", "What is the server called?"),
    ("请把报告发给王芳。", "不对，应该发给刘洋。", "报告发给谁？"),
]


@pytest.mark.parametrize(("first", "later", "asked"), WORDS)
def test_what_the_user_told_comes_with_what_he_told_next(first: str, later: str, asked: str) -> None:
    calls: list[Call] = [("make", {"goal": f"g{at}"}, f"{INI}\n# {at}") for at in range(8)]
    messages = talk(*calls, asked=asked)
    messages[3:3] = [{"role": "user", "content": first}, {"role": "assistant", "content": "ok"}]
    messages[9:9] = [{"role": "user", "content": later}, {"role": "assistant", "content": "ok"}]
    for block in blocks(messages, asked):
        assert first in block, block
        assert later in block, block


def test_of_several_values_the_one_most_like_the_old_text_is_what_was_put_there() -> None:
    edit = {
        "why": "Raise it",
        "path": "/opt/app.ini",
        "old": "pool_limit = 280",
        "new": "pool_limit = 9",
        "mode": "once",
    }
    for block in blocks(talk(READ, ("edit", edit, "ok"), asked=ASKED), ASKED):
        assert "asked to make it pool_limit = 9 (answer: ok)" in heads(block, 1), block


@pytest.mark.parametrize("write", ["file", "command"])
def test_a_short_file_of_which_hardly_a_line_is_left_is_told_by_its_fields(write: str) -> None:
    """What a short call writes stands in the header of its step, which is cut: the older view says what it is now."""
    before = "[pool]\nport = 8080\npool_limit = 280\nlog = info\n"
    after = "[pool]\nport = 7070\npool_limit = 512\nlog = debug\n"
    call: Call = ("write", {"path": "app.ini", "content": after}, "written, 4 lines")
    if write == "command":
        call = ("bash", {"command": f"cat > app.ini <<'E'\n{after}E"}, "")
    read: Call = ("read_file", {"path": "app.ini"}, before)
    for block in blocks(talk(read, call, asked=ASKED), ASKED):
        assert "pool_limit = 512" in heads(block, 1), block
