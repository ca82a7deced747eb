"""A bank with a redactor keeps no personal data and no secret of anything that comes in."""

from __future__ import annotations

from pathlib import Path

import pytest

from amb_core import Banks, InvalidParameter, MemoryBank, Scope, ToolResult
from amb_core.protocols import Redaction
from amb_redaction import PatternRedactor

MAIL, KEY = "lena@example.org", "hunter2-secret"
TEXT = f"Lena ordered 12 lamps; her address is {MAIL}, password: {KEY}. 莲娜订了12盏灯。"


def stored(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def result(call: str = "c1") -> ToolResult:
    return ToolResult(tool="mail", arguments={"to": MAIL}, output=TEXT, call_id=call)


def test_results_arguments_readings_and_goals_are_redacted_before_they_are_kept(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/task.db"
    with MemoryBank(f"Write to {MAIL}", store=url, redactor=PatternRedactor()) as bank:
        bank.absorb(result())
        bank.read(TEXT, source=f"mail of {MAIL}")
        bank.host.change_goal(f"Ask {MAIL} about the lamps")
        assert "[e-mail]" in bank.insight.task_goal
        assert "12 lamps" in bank.host.enhance(query="Lena's lamps").text
    assert b"12 lamps" in stored(tmp_path)
    assert not [word for word in (MAIL, KEY) if word.encode() in stored(tmp_path)]


def test_the_same_call_is_taken_in_once_also_after_opening_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/task.db"
    with MemoryBank("Orders", store=url, redactor=PatternRedactor()) as bank:
        bank.absorb(result())
    with MemoryBank.resume(url, redactor=PatternRedactor()) as bank:
        assert bank.absorb(result()).repeat_of == "e1"
        assert bank.size.entries == 1


def test_banks_hand_their_redactor_to_every_bank(tmp_path: Path) -> None:
    banks = Banks(f"sqlite:///{tmp_path}/banks", redactor=PatternRedactor())
    for user in ("ann", "bob"):
        banks(Scope(user)).absorb(result())
    banks.close()
    assert MAIL.encode() not in stored(tmp_path)


class Broken:
    """A redactor that fails."""

    def redact(self, text: str) -> Redaction:
        raise ValueError(text)


def test_a_redactor_that_fails_is_stood_in_for_by_the_patterns() -> None:
    with MemoryBank("Orders", redactor=Broken()) as bank:
        bank.absorb(result())
        assert MAIL not in bank.snapshot().model_dump_json()


def test_what_is_no_redactor_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="PatternRedactor"):
        MemoryBank("Orders", redactor="patterns")  # type: ignore[arg-type]
