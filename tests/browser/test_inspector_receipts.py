"""The receipts on the overview in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from amb_core.models import BankSnapshot
from amb_core.usage import Bill, TokenUsage, Usage

pytestmark = pytest.mark.browser

SPENT = {
    "react": TokenUsage(1_200, 80, 400, calls=3, failed_calls=1, unpriced_calls=3),
    "digest": TokenUsage(2_500, 300, calls=2, money=0.0123),
}


@pytest.fixture
def billed(banks: dict[str, BankSnapshot]) -> BankSnapshot:
    usage = Usage(fallbacks={"planning": 2}, fallback_reasons={"planning": {"ModelUnavailable": 2}}, spent=SPENT)
    bills = (Bill(entry_id=banks["depot"].entries[0].entry_id, spent={"digest": SPENT["digest"]}),)
    return banks["depot"].model_copy(update={"usage": usage, "bills": bills})


def test_receipts_add_up_and_guess_no_price(page_of: Any, billed: BankSnapshot) -> None:
    page = page_of("receipts", snapshot=billed)
    rows = page.locator(".receipts section").first.locator("tbody tr")
    assert [row.split("\t") for row in rows.all_inner_texts()] == [
        ["digest", "2", "0", "2,500", "0", "300", "0.0123"],
        ["react", "3", "1", "1,200", "400", "80", "price unknown"],
        ["all", "5", "1", "3,700", "400", "380", "price unknown"],
    ]
    assert "ModelUnavailable ×2" in page.locator(".receipts").inner_text()
    page.locator(".receipts .chip.entry").first.click()
    assert page.locator(".detail-id").inner_text() == "e1"


def test_receipts_are_in_chinese_too_and_absent_without_a_model(
    page_of: Any, billed: BankSnapshot, banks: dict[str, BankSnapshot], pictures: Any
) -> None:
    page = page_of("receipts", snapshot=billed)
    page.click(".language")
    assert "回执：按角色" in page.locator(".receipts").inner_text()
    page.locator(".receipts").screenshot(path=str(pictures / "receipts-zh.png"))
    assert page_of("bridge").locator(".receipts").count() == 0
