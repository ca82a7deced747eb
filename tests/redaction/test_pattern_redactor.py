"""What the pattern redactor takes out, and what it leaves."""

from __future__ import annotations

from amb_core.redaction import PatternRedactor


def test_an_address_and_a_mobile_number_leave_marks_and_counts() -> None:
    redaction = PatternRedactor().redact("Mail lena@example.org, 电话13800138000。")
    assert redaction.text == "Mail [e-mail], 电话[phone]。"
    assert redaction.found == {"e-mail": 1, "phone": 1}
