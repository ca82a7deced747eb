"""A record that is asked for by an identifier is shown with all it says, in whatever layout it stands."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings, ToolResult

Record = dict[str, Any]


def _order(number: int) -> Record:
    """An order of about 140 tokens with objects and lists in it."""
    return {
        "order_id": f"ORD-{1000 + number}",
        "customer": {
            "name": ("Mara Kling", "王小明", "Jon Brook")[number % 3],
            "email": f"c{7919 * number % 9973}@example.com",
            "address": {"street": f"Lindenweg {number + 40}", "city": "Leeds", "zip": str(20_000 + 137 * number)},
        },
        "items": [
            {"sku": f"SKU{31 * number + 7 * at}", "qty": at + 1, "price": number * 3.5 + at + 0.25} for at in range(4)
        ],
        "status": ("shipped", "open")[number % 2],
        "note": f"订单备注：请在{8 + number % 12}点后送货",
        "carrier": f"CR{4000 + 17 * number}",
        "total_eur": 512.75 + 31 * number,
    }


def _flat(number: int) -> Record:
    """The same with all values in one row."""
    order = _order(number)
    customer, items = order.pop("customer"), order.pop("items")
    rows = {f"{name}_{at}": value for at, item in enumerate(items) for name, value in item.items()}
    return {"order_id": order.pop("order_id"), **customer.pop("address"), **customer, **rows, **order}


def _meta(number: int) -> Record:
    order = _order(number)
    return {"meta": {"order_id": order.pop("order_id"), "version": 1}, **order}


def _yaml(order: Record) -> str:
    customer, address = order["customer"], order["customer"]["address"]
    return "\n".join(
        [
            f"- order_id: {order['order_id']}",
            f"  customer:\n    name: {customer['name']}\n    email: {customer['email']}\n    address:",
            *(f"      {name}: {value}" for name, value in address.items()),
            "  items:",
            *(f"  - sku: {one['sku']}\n    qty: {one['qty']}\n    price: {one['price']}" for one in order["items"]),
            *(f"  {name}: {order[name]}" for name in ("status", "note", "carrier", "total_eur")),
        ]
    )


def _rows(numbers: range, cell: Callable[[object], str], row: Callable[[str], str]) -> str:
    return "".join(row("".join(cell(value) for value in _flat(at).values())) for at in numbers)


LAYOUTS: dict[str, Callable[[range], str]] = {
    "nested": lambda all_: json.dumps({"page": 1, "orders": [_order(at) for at in all_]}, ensure_ascii=False),
    "indented": lambda all_: json.dumps([_order(at) for at in all_], ensure_ascii=False, indent=2),
    "lines": lambda all_: "\n".join(json.dumps(_order(at), ensure_ascii=False) for at in all_),
    "id in another member": lambda all_: json.dumps([_meta(at) for at in all_], ensure_ascii=False),
    "by key": lambda all_: json.dumps({_order(at)["order_id"]: _order(at) for at in all_}, ensure_ascii=False),
    "printed": lambda all_: repr([_order(at) for at in all_]),
    "yaml": lambda all_: "\n".join(_yaml(_order(at)) for at in all_),
    "log": lambda all_: "\n".join(
        f"2026-11-20 10:{at:02}:00 INFO handled " + " ".join(f"{k}={v}" for k, v in _flat(at).items()) for at in all_
    ),
    "html": lambda all_: f"<html><body><table>{_rows(all_, '<td>{}</td>'.format, '<tr>{}</tr>'.format)}</table></body>",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_record_asked_for_is_whole_in_the_last_request_and_in_recall(layout: str) -> None:
    # every other layout is asked about in Chinese, for an order of the second page
    chinese = [*LAYOUTS].index(layout) % 2
    number, question = (17, "订单 {} 的总额是多少？") if chinese else (3, "What is the total of {}?")
    asked = question.format(f"ORD-{1000 + number}")
    with MemoryBank("Help with orders", settings=Settings(prompt_budget_tokens=8_000)) as bank:
        adapter, messages = ContextAdapter(bank), [{"role": "user", "content": "Read all orders."}]
        for page in range(6):
            call = {"id": f"c{page}", "type": "function", "function": {"name": "orders", "arguments": f"[{page}]"}}
            orders = LAYOUTS[layout](range(12 * page, 12 * page + 12))
            messages += [
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": call["id"], "content": orders},
            ]
            adapter.next_request(messages)
        messages += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": asked}]
        request = "\n".join(str(message["content"]) for message in adapter.next_request(messages))
        recalled = bank.recall(asked, budget_tokens=800).text
    for shown in (request, recalled):
        assert not [value for value in map(str, _flat(number).values()) if value not in shown]


def test_a_record_that_is_larger_than_its_share_is_shown_by_what_was_asked_of_it() -> None:
    def order(number: int) -> Record:
        parts = [
            {"sku": f"S{number}-{at}", "text": f"part {at} of order {number} in the northern store"} for at in range(60)
        ]
        return {"order_id": f"ORD-{number}", "items": parts, "carrier": f"CR{number}7", "total_eur": 12.5 + number}

    with MemoryBank("Help with orders") as bank:
        for number in range(1, 9):
            output = json.dumps({"orders": [order(number * 10), order(number * 10 + 1)]})
            bank.absorb(ToolResult(tool="orders", output=output, call_id=str(number)))
        shown = bank.recall("Which carrier has ORD-41?", budget_tokens=300)
    assert '"carrier": "CR417"' in shown.text
    assert shown.tokens <= 300


@pytest.mark.sampled(2)
@pytest.mark.parametrize("budget", [8_000, 32_000], ids=["made anew at every call", "left as it is for many calls"])
def test_a_question_that_comes_late_has_a_block_of_its_own(budget: int) -> None:
    task = "You serve customers."
    adapter = ContextAdapter(MemoryBank(task, settings=Settings(prompt_budget_tokens=budget)))
    messages: list[Record] = [{"role": "user", "content": task}]
    for page in range(24):
        call = {"id": f"c{page}", "type": "function", "function": {"name": "orders", "arguments": f"[{page}]"}}
        orders = json.dumps([_order(at) for at in range(12 * page, 12 * page + 12)], ensure_ascii=False)
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call["id"], "content": orders},
        ]
        adapter.next_request(messages)
    asked = f"Who carries order {_order(30)['order_id']}?"
    messages += [{"role": "assistant", "content": "Yes?"}, {"role": "user", "content": asked}]
    request = "\n".join(str(message["content"]) for message in adapter.next_request(messages))
    assert f'"carrier": "{_order(30)["carrier"]}"' in request
