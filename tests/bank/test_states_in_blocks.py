"""What a block says of results that later ones made old, and how it marks what it leaves out."""

import json

import pytest

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.memory.moment import Moment


def _filled(*calls: tuple[str, dict[str, object], str]) -> MemoryBank:
    bank = MemoryBank("Repair the ledger", settings=Settings(language="en"))
    for number, (tool, arguments, output) in enumerate(calls):
        bank.absorb(ToolResult(tool=tool, arguments=arguments, output=output, call_id=f"call-{number}-x"))
    return bank


def _asked(bank: MemoryBank, words: str, *, budget: int = 900) -> str:
    return bank.host.recall_for(Moment(said=(words,)), budget_tokens=budget).text


def _view(file: str, name: str, *, first: int = 1, count: int = 12) -> str:
    lines = "\n".join(f"{number}:{name}_{number} = {number}" for number in range(first, first + count))
    return f"[File: /srv/{file} (400 lines total)]\n{lines}"


def _page(title: str, rows: int = 60) -> str:
    tree = "\n".join(f"\t[{number}] link 'Order {number} of {title}'" for number in range(1, rows))
    return f"[0] RootWebArea '{title}'\n{tree}"


def test_a_part_of_a_page_is_headed_by_its_name_and_its_lines() -> None:
    text = _asked(_filled(("click", {"id": 12}, _page("All orders"))), "Order 30 of All orders", budget=200)
    head = text.split("\n")[2]
    assert head.startswith("step 1 · click 12 · “All orders”; lines ")
    assert "Order 30 of All orders" in text


def test_the_line_that_a_call_names_is_in_the_excerpt_of_its_result() -> None:
    bank = _filled(("run", {"do": "goto 150\n"}, _view("a.py", "rate", first=100, count=100)))
    assert "150:rate_150" in _asked(bank, "rate_104", budget=200)


def test_a_view_from_before_a_change_of_the_file_says_so() -> None:
    changed = _view("a.py", "cost", first=3, count=4)
    bank = _filled(("run", {"do": "open"}, _view("a.py", "rate")), ("run", {"do": "edit"}, changed))
    assert "older than a change that step 2 shows" in _asked(bank, "rate_12")


def test_a_search_from_before_a_change_of_the_file_says_so() -> None:
    calls = [("open", {"path": "/srv/a.py"}, _view("a.py", "rate")), ("grep", {"path": "a.py"}, "9: rate_9 = 9")]
    bank = _filled(*calls, ("edit", {}, _view("a.py", "cost", first=3, count=4)))
    assert "step 2 · grep a.py · older than a change that step 3 shows" in _asked(bank, "rate_9")


def test_a_member_of_data_stands_under_its_key_and_what_is_left_out_beside_it_is_marked() -> None:
    rows = [{"id": f"HAT{number}", "seats": number, "note": f"word{number} " * 12} for number in range(30)]
    text = _asked(_filled(("search", {}, json.dumps({"flights": rows}))), "HAT17", budget=200)
    [shown] = [line for line in text.split("\n") if "HAT17" in line]
    members = json.loads(shown.replace("[…]", '"[…]"'))["flights"]
    assert [members[0], members[-1]] == ["[…]", "[…]"]
    assert rows[17] in members


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "acc_4471"),
        ("order_no", "N-8812"),
        ("订单号", "D-8812"),
        ("email", "ines@shop.example"),
        ("pnr", "ZX5QRT"),
    ],
)
def test_a_record_is_known_by_its_key_or_by_what_its_call_asked_for(name: str, value: str) -> None:
    def record(state: str) -> str:
        return json.dumps({name: value, "state": state, "owner": "Ines Roth"}, ensure_ascii=False)

    calls: list[tuple[str, dict[str, object], str]] = [
        ("get_record", {name: value}, record("waiting")),
        ("change_record", {name: value, "to": "x"}, record("granted")),
    ]
    assert "state now granted, since step 2" in _asked(_filled(*calls), f"{value} waiting")


def test_records_of_one_owner_with_keys_of_their_own_are_not_taken_for_one() -> None:
    accounts = [json.dumps({"id": f"acc_{n}471", "owner_id": "u7", "state": f"state-{n}"}) for n in (1, 2)]
    calls = [(f"tool_{n}", dict[str, object](n=n), text) for n, text in enumerate(accounts)]
    assert "since step" not in _asked(_filled(*calls), "acc_1471 state-1")


def test_text_that_an_edit_of_the_same_file_replaced_says_so() -> None:
    source = "export class Session {\n  reset() {\n    this.unsubscribeAll();\n  }\n  size() {\n    return 3;\n  }\n}\n"
    replaced = {"path": "src/session.ts", "oldText": "this.unsubscribeAll();", "newText": "this.disconnectFromAgent();"}
    bank = _filled(
        ("read", {"path": "src/session.ts"}, source),
        ("grep", {"path": "src/session.ts", "pattern": "this.unsubscribeAll"}, "3: this.unsubscribeAll();"),
        ("edit", dict(replaced), "Successfully replaced text in src/session.ts."),
    )
    head = _asked(bank, "unsubscribeAll reset").split("\n")[2]
    assert head.startswith("step 1 · read src/session.ts")
    assert "step 3 asked to make it “this.disconnectFromAgent();” (answer: Successfully replaced" in head


def _json(**fields: object) -> str:
    return json.dumps(fields)


def test_another_booking_of_the_same_user_is_no_newer_state_of_the_first() -> None:
    calls = [
        ("book", {"user": "mia_3668", "to": to}, _json(reservation_id=f"HAT{to}", user_id="mia_3668", total=n))
        for n, to in enumerate(("SEA", "JFK"))
    ]
    assert " now " not in _asked(_filled(*calls), "HATSEA mia_3668")
