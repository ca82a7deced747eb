"""What a reader takes in as one piece stands in a block as one piece."""

import json

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.memory.moment import Moment


def _bank() -> MemoryBank:
    return MemoryBank("Repair the ledger", settings=Settings(language="en"))


def _result(output: str, number: int, tool: str = "view", **arguments: object) -> ToolResult:
    return ToolResult(tool=tool, arguments=arguments, output=output, call_id=f"call-{number}-x")


def _asked(bank: MemoryBank, words: str, *, budget: int = 900) -> str:
    return bank.host.recall_for(Moment(said=(words,)), budget_tokens=budget).text


def test_a_part_of_a_result_says_which_lines_it_is() -> None:
    bank = _bank()
    log = "\n".join(f"12:00:{number % 60:02} worker {number} wrote block_{number}.bin" for number in range(400))
    bank.absorb(_result(log, 1, tool="tail"))
    text = _asked(bank, "block_250.bin")
    head = next(line for line in text.split("\n") if line.startswith("step 1"))
    first, last = map(int, head.partition("lines ")[2].partition(" of 400")[0].split(", ")[0].split("-"))
    assert log.split("\n")[first - 1 : last] == [one for one in log.split("\n") if one in text][: last - first + 1]


def test_a_result_of_shared_lines_alone_is_shown() -> None:
    bank = _bank()
    for number in range(4):
        bank.absorb(_result(f"No matches found in /srv/part_{number}", number, tool="grep", path=f"/srv/part_{number}"))
    assert "No matches found in /srv/part_2" in _asked(bank, "part_2")


def _hits(count: int = 12) -> str:
    return json.dumps(
        [
            {
                "title": f"Pump {number} of the northern works",
                "url": f"https://a.example/{'works/' * 24}{number}",
                "snippet": f"Pump {number} was built in Leeds. " + f"Its rotor {number} turns to the left. " * 30,
            }
            for number in range(count)
        ]
    )


def test_a_hit_keeps_its_title_and_its_address_where_its_text_does_not_fit() -> None:
    bank = _bank()
    bank.absorb(_result(_hits(), 1, tool="search", query="pumps"))
    shown = _asked(bank, "rotor 7 turns", budget=500)
    assert "Pump 7 of the northern works" in shown
    assert f"https://a.example/{'works/' * 24}7" in shown
    assert "Its rotor 7 turns to the left." in shown
