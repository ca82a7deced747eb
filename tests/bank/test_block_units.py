"""What a reader takes in as one piece stands in a block as one piece."""

import json
from textwrap import indent

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.memory.moment import Moment

_BODY = "\n".join(f"        total_{number} = self.rates[{number}] * amount" for number in range(12))
_CODE = f"import os\n\n\nclass Ledger:\n    def close_year(self, amount):\n{_BODY}\n        return total_11\n\n"
_MORE = "\n".join(f"def other_{number}(value):\n    return value + {number}\n" for number in range(60))


def _bank() -> MemoryBank:
    return MemoryBank("Repair the ledger", settings=Settings(language="en"))


def _result(output: str, number: int, tool: str = "view", **arguments: object) -> ToolResult:
    return ToolResult(tool=tool, arguments=arguments, output=output, call_id=f"call-{number}-x")


def _asked(bank: MemoryBank, words: str, *, budget: int = 900) -> str:
    return bank.host.recall_for(Moment(said=(words,)), budget_tokens=budget).text


def _numbered(lines: list[str], first: int = 1) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, first))


def test_a_function_is_shown_whole_where_one_of_its_lines_is_asked_for() -> None:
    bank = _bank()
    bank.absorb(_result(_CODE + _MORE, 1, path="ledger.py"))
    text = _asked(bank, "total_7")
    assert indent(_CODE[_CODE.index("    def close_year") :].rstrip(), "  ") in text


def test_a_short_list_is_shown_whole_or_not_at_all() -> None:
    bank = _bank()
    hits = "\n".join(f"src/part_{number}.py:{number}: rate_{number} = {number}" for number in range(20))
    bank.absorb(_result(hits, 1, tool="grep", pattern="rate_"))
    assert indent(hits, "  ") in _asked(bank, "rate_13", budget=2_000)


def test_a_part_of_a_result_says_which_lines_it_is() -> None:
    bank = _bank()
    log = "\n".join(f"12:00:{number % 60:02} worker {number} wrote block_{number}.bin" for number in range(400))
    bank.absorb(_result(log, 1, tool="tail"))
    text = _asked(bank, "block_250.bin")
    head = next(line for line in text.split("\n") if line.startswith("step 1"))
    first, last = map(int, head.partition("lines ")[2].partition(" of 400")[0].split(", ")[0].split("-"))
    assert log.split("\n")[first - 1 : last] == [one for one in log.split("\n") if one in text][: last - first + 1]


def test_first_and_last_lines_that_results_share_are_left_out() -> None:
    bank = _bank()
    for number in range(8):
        output = f"Here is what /srv/job_{number}.sh said:\nledger_{number} is closed\n[Command finished with code 0]"
        bank.absorb(_result(output, number, tool="run", job=number))
    text = _asked(bank, "ledger_3 ledger_5")
    assert "ledger_3 is closed" in text
    assert "Here is what" not in text
    assert "Command finished" not in text


def test_a_result_of_shared_lines_alone_is_shown() -> None:
    bank = _bank()
    for number in range(4):
        bank.absorb(_result(f"No matches found in /srv/part_{number}", number, tool="grep", path=f"/srv/part_{number}"))
    assert "No matches found in /srv/part_2" in _asked(bank, "part_2")


def test_lines_of_a_file_that_a_newer_view_shows_are_not_shown_in_their_old_state() -> None:
    bank = _bank()
    head = "Here's the result of running `cat -n` on /srv/ledger.py:\n"
    lines = [f"rate_{number} = 'old value {number}'" for number in range(1, 13)]
    bank.absorb(_result(head + _numbered(lines), 1, path="ledger.py"))
    newer = [line.replace("old", "new") for line in lines]
    bank.absorb(_result(head + _numbered(newer), 2, command="edit"))
    text = _asked(bank, "rate_5")
    assert "new value 5" in text
    assert "old value" not in text


def test_a_crumb_of_a_large_result_is_left_out_unless_its_name_is_asked_for() -> None:
    bank = _bank()
    bank.absorb(_result("\n\n".join(f"The year {1900 + n} was calm." for n in range(200)), 1, tool="read"))
    for line in _asked(bank, "ledger", budget=150).split("step ")[2:]:
        assert line.count("\n") > 3


def test_a_short_element_of_a_list_is_shown_with_all_its_values() -> None:
    bank = _bank()
    pilots = ["Novak", "Silva", "Moretti", "Haugen", "Okafor", "Lindqvist", "Pereira", "Tanaka"] * 5
    flights = [
        f'{{"flight": "HAT{number}", "pilot": "{pilot if number < 108 else "nobody"}", "origin": "BOS", "goal": "CLT", '
        f'"leaves": "19:00:00", "lands": "21:00:00", "state": "on", "prices": {{"low": {number}, "high": {number}9}}}}'
        for number, pilot in enumerate(pilots, 100)
    ]
    bank.absorb(_result(f"[{', '.join(flights)}]", 1, tool="search"))
    assert flights[2].strip("{}") in _asked(bank, "When is Moretti there?", budget=1_500)


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


def test_between_cuts_only_what_the_newest_call_names_is_shown() -> None:
    bank = _bank()
    for number in range(30):
        bank.absorb(_result(f"order W{4470 + number} is for the pump of the northern works", number, tool="order"))
    named = Moment(said=("look at W4477",), between=True)
    shown = bank.host.recall_for(named, budget_tokens=900).text
    assert "W4477" in shown
    assert "W4478" not in shown
    assert not bank.host.recall_for(Moment(said=("look at the pump",), between=True), budget_tokens=900).text
