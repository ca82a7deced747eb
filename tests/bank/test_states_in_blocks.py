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


def test_the_same_call_on_another_file_is_another_call() -> None:
    bank = _filled(("run", {"do": "down"}, _view("a.py", "rate")), ("run", {"do": "down"}, _view("b.py", "cost")))
    text = _asked(bank, "rate_3 cost_3")
    assert "step 1 · run down" in text
    assert "done again" not in text


def test_the_same_call_further_down_a_file_is_another_call() -> None:
    later = _view("a.py", "cost", first=40)
    bank = _filled(("run", {"do": "down"}, _view("a.py", "rate")), ("run", {"do": "down"}, later))
    assert "done again" not in _asked(bank, "rate_3 cost_43")


def test_the_same_call_on_the_same_file_marks_the_older_result() -> None:
    calls = [("run", {"do": "open a.py"}, _view("a.py", name, count=count)) for name, count in (("x", 14), ("y", 12))]
    assert "done again at step 2, with another result" in _asked(_filled(*calls), "x_14")


def test_the_same_click_on_a_page_without_an_address_is_another_call() -> None:
    bank = _filled(("click", {"id": 12}, _page("Orders")), ("click", {"id": 12}, _page("Customers")))
    text = _asked(bank, "Order 7 of Orders", budget=300)
    assert "Order 7 of Orders" in text
    assert "done again" not in text
    assert "changed" not in text


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


def test_lines_above_a_change_and_lines_that_came_back_are_not_called_old() -> None:
    above = ("run", {"do": "edit"}, _view("a.py", "cost", first=30))
    bank = _filled(("run", {"do": "open"}, _view("a.py", "rate", count=40)), above)
    assert "older than" not in _asked(bank, "rate_12", budget=200)
    back = [("run", {"do": do}, _view("a.py", name, count=9)) for do, name in (("edit", "cost"), ("undo", "rate"))]
    bank = _filled(("run", {"do": "open"}, _view("a.py", "rate")), *back)
    assert "older than" not in _asked(bank, "rate_12")


def test_a_listing_that_a_newer_result_holds_is_shown_once() -> None:
    names = [f"src/part_{number}.py holds rate_{number} of the ledger" for number in range(9)]
    bank = _filled(("ls", {}, "\n".join(names)), ("ls", {"all": True}, "\n".join([*names, "and src/more.py besides"])))
    text = _asked(bank, "rate_3", budget=1_800)
    assert "step 1 " not in text
    assert text.count("rate_3 of") == 1


def test_an_echo_of_a_tool_is_left_out_unless_its_name_is_asked_for() -> None:
    calls = [("write", {"path": f"/srv/p_{n}.py"}, f"File created successfully at: /srv/p_{n}.py") for n in range(4)]
    bank = _filled(*calls, ("read", {}, _view("a.py", "rate")))
    assert "created" not in _asked(bank, "rate_3 created successfully")
    assert "successfully at: /srv/p_2.py" in _asked(bank, "rate_3 p_2.py /srv/p_2.py")


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
    assert head.endswith("older than a change that step 3 shows")


def test_an_order_that_names_a_card_later_is_the_same_order() -> None:
    order = {"order_id": "#W718", "user_id": "ann_7", "status": "delivered"}
    after = {**order, "status": "exchange requested", "exchange_payment_method_id": "card_88"}
    calls: list[tuple[str, dict[str, object], str]] = [
        ("get_order", {"order_id": "#W718"}, json.dumps(order)),
        ("exchange", {"order_id": "#W718", "payment_method_id": "card_88"}, json.dumps(after)),
    ]
    assert "status now exchange requested, since step 2" in _asked(_filled(*calls), "#W718 delivered")
