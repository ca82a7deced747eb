"""The page's receipts: what model calls cost, from a bank that has asked a model, and nothing from one that has not."""

from __future__ import annotations

from amb_core.models import BankSnapshot
from amb_core.usage import Bill, TokenUsage, Usage
from amb_inspector.payload import page_payload

SPENT = {"react": TokenUsage(1_200, 80, 400, calls=3, failed_calls=1, unpriced_calls=3)}


def test_usage_and_bills_reach_the_page(depot: BankSnapshot) -> None:
    usage = Usage(fallbacks={"planning": 1}, fallback_reasons={"planning": {"ModelUnavailable": 1}}, spent=SPENT)
    bank = depot.model_copy(update={"usage": usage, "bills": (Bill(entry_id="e1", spent=SPENT),)})

    shown = page_payload(bank)["bank"]

    assert shown["usage"]["spent"]["react"]["prompt_tokens"] == 1_200
    assert shown["usage"]["fallback_reasons"] == {"planning": {"ModelUnavailable": 1}}
    assert shown["bills"][0]["spent"]["react"]["unpriced_calls"] == 3


def test_a_bank_of_an_older_version_has_none(empty: BankSnapshot) -> None:
    shown = page_payload(empty)["bank"]
    assert (shown["usage"], shown["bills"]) == (None, [])
