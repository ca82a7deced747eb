"""What a closed bank and an unknown id are told; test_bad_input_table.py has all other wrong calls."""

import pytest

from amb_core import BankClosed, MemoryBank, ToolResult, UnknownId


@pytest.mark.parametrize("call", ["recall", "plan", "absorb", "export"])
def test_a_closed_bank_says_so(tmp_path, call):
    bank = MemoryBank("Goal")
    bank.close()
    bank.close()
    calls = {
        "recall": lambda: bank.recall("x"),
        "plan": bank.plan,
        "absorb": lambda: bank.absorb(ToolResult(tool="t", output="x")),
        "export": lambda: bank.export(tmp_path / "m.json"),
    }

    with pytest.raises(BankClosed, match="closed"):
        calls[call]()


def test_an_unknown_node_is_told_which_ids_are_near(bank, result):
    bank.absorb(result("One fact."))

    with pytest.raises(UnknownId, match="Did you mean n1"):
        bank.host.deep_retrieval("n2")


def test_an_unknown_id_is_echoed_only_in_part(bank):
    with pytest.raises(UnknownId) as caught:
        bank.host.node("n" * 100_000)

    assert len(str(caught.value)) < 160
