"""The contract of `Redactor`: subclass `RedactorContract` in your tests and provide the fixture `redactor`."""

from __future__ import annotations

import pytest

from amb_core.protocols import Redactor

__all__ = ["RedactorContract"]

PERSONAL = {
    "e-mail": ("Write to lena.berg@example.org today.", "lena.berg@example.org"),
    "bank-card": ("My card is 4111 1111 1111 1111, please.", "4111 1111 1111 1111"),
    "iban": ("Pay to IBAN DE89370400440532013000 now.", "DE89370400440532013000"),
    "ip": ("The server 203.0.113.77 is blocked.", "203.0.113.77"),
    "phone": ("Call me at +44 20 7946 0958 tomorrow.", "7946 0958"),
}
HARMLESS = (
    "Reports always in EUR, two decimals.",
    "报告一律用欧元，保留两位小数。",
    "SELECT day, sum(amount) FROM orders WHERE day >= '2024-05-13' GROUP BY day",
    "Revenue grew by 12.5 % to 1,250,000 in 2023.",
)
ODD = (
    *("", " \t\n", "\0", "a\0b", "\ud800", "half \udfff pair", "%_*?'\";--", "\u202egnirts\u202c", "\x07\x1b[31m"),
    *("👩🏽‍🚀", "[phone]", "[[e-mail]]", "[unknown]", "@", "。" * 40, "word " * 3_000),
)


class RedactorContract:
    """What every redactor promises, one sentence a test; `kinds` are those of PERSONAL that it takes out."""

    kinds: tuple[str, ...] = tuple(PERSONAL)

    @pytest.fixture
    def redactor(self) -> Redactor:
        """Override with the redactor under test."""
        pytest.fail("override the fixture redactor")

    @pytest.mark.parametrize("kind", PERSONAL)
    def test_what_is_personal_is_gone_and_counted_under_its_kind(self, redactor: Redactor, kind: str) -> None:
        if kind not in self.kinds:
            pytest.skip(f"it takes out no {kind}")
        text, value = PERSONAL[kind]
        redaction = redactor.redact(text)
        assert value not in redaction.text
        assert redaction.found[kind] == 1

    def test_the_words_around_stay_as_they_were(self, redactor: Redactor) -> None:
        redaction = redactor.redact(PERSONAL["e-mail"][0])
        assert redaction.text == "Write to [e-mail] today."

    @pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
    def test_a_text_without_personal_data_comes_back_as_it_is(self, redactor: Redactor, text: str) -> None:
        redaction = redactor.redact(text)
        assert redaction.text == text
        assert not redaction.found

    @pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
    def test_any_text_is_taken_without_an_error_and_kept(self, redactor: Redactor, text: str) -> None:
        redaction = redactor.redact(text)
        assert redaction.text == text
        assert not redaction.found

    @pytest.mark.parametrize("kind", PERSONAL)
    def test_a_redacted_text_comes_back_unchanged_and_nothing_is_counted(self, redactor: Redactor, kind: str) -> None:
        once = redactor.redact(PERSONAL[kind][0])
        again = redactor.redact(once.text)
        assert again.text == once.text
        assert not again.found

    def test_everything_of_one_text_is_taken_out(self, redactor: Redactor) -> None:
        text = "\n".join(text for text, _ in PERSONAL.values())
        redaction = redactor.redact(text)
        assert [value for kind, (_, value) in PERSONAL.items() if kind in self.kinds and value in redaction.text] == []
        assert all(redaction.found[kind] == 1 for kind in self.kinds)

    def test_equal_texts_give_equal_results(self, redactor: Redactor) -> None:
        text = " ".join(text for text, _ in PERSONAL.values())
        assert redactor.redact(text) == redactor.redact(text)

    def test_a_long_text_is_redacted_to_its_end(self, redactor: Redactor) -> None:
        text = "All quiet on this day, too.\n" * 8_000 + PERSONAL["e-mail"][0]
        assert redactor.redact(text).text.endswith("Write to [e-mail] today.")
