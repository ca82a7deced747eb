"""What stands in a block is whole, says what it belongs to, and what is left out is marked outside of it."""

import json
import re

import pytest

from amb_core import MemoryBank, Settings, ToolResult
from amb_core.memory.moment import Moment
from amb_core.reading.layout_passages import read_passages
from amb_core.reading.shown_parts import shown_parts


def _words(number: int, count: int = 9) -> str:
    return " ".join(f"filler{number}{part}" for part in range(count))


def _block(output: str, asked: str, *, budget: int = 330, tool: str = "run", **arguments: object) -> list[str]:
    """The lines of a block in answer to somebody who asks."""
    with MemoryBank("Help the operator", settings=Settings(language="en")) as bank:
        bank.absorb(ToolResult(tool=tool, arguments=arguments or {"what": "it"}, output=output, call_id="call-1"))
        return bank.host.recall_for(Moment(asked=asked, question=asked), budget_tokens=budget).text.split("\n")


_SHOPS = [
    {
        "store_id": f"S{shop}",
        "street": _words(shop),
        "staff": [
            {"name": f"Person {shop}{one}", "phone": f"555-0{shop}{one}", "note": _words(10 * shop + one)}
            for one in range(4)
        ],
    }
    for shop in range(9)
]
_PAGE = "<html><body><h1>Prices</h1><h2>Lamps</h2><table><tr><th>Item</th><th>Price</th></tr>{}</table></body></html>"
_YAML = "".join(
    f"  svc{one}:\n    image: app{one}:1.{one}\n    environment:\n"
    f"      KEY_{one}: {_words(one)}\n      LIMIT_{one}: '{one}00'\n"
    for one in range(14)
)
_XML = "".join(
    f"  <dependency>\n    <artifactId>art{one}</artifactId>\n    <version>2.{one}.1</version>\n"
    f"    <note>{_words(one)}</note>\n  </dependency>\n"
    for one in range(14)
)
_FLAGS = "".join(
    f"  --flag-{one} VALUE   Sets the {_words(one, 5)} of the run,\n                     and keeps it for {one} days.\n"
    f"                     Default: {one * 3}.\n"
    for one in range(30)
)


def test_a_record_of_nested_data_stands_under_its_keys_with_what_names_the_records_around_it() -> None:
    text = "\n".join(_block(json.dumps({"region": "north", "stores": _SHOPS}), "phone of 555-052"))
    [line] = [line for line in text.split("\n") if "555-052" in line]
    shown = json.loads(line.replace(", […]", "").replace("[…], ", ""))
    [shop] = shown["stores"]
    assert shop["store_id"] == "S5"
    assert shop["staff"] == [_SHOPS[5]["staff"][2]]


def test_a_part_of_a_long_value_is_whole_sentences_in_quotation_marks_of_their_own() -> None:
    body = "## Prices\n\nLamp P-77 costs 12 EUR at the harbour.\n\n## Hours\n\n" + " ".join(
        f"On day {day} we open at {day} and {_words(day)}." for day in range(30)
    )
    block = _block(json.dumps({"url": "https://a.example/x", "body": body}), "What does Lamp P-77 cost?")
    [line] = [line for line in block if "P-77" in line]
    assert line.startswith('  {"url": "https://a.example/x", "body": ')
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', line.partition('"body": ')[2])
    assert parts
    assert all(json.loads(f'"{part}"') in body for part in parts)
    assert all(part.rstrip("\\n").endswith((".", "Prices", "Hours")) for part in parts)


@pytest.mark.parametrize(
    ("output", "asked", "owner", "unit"),
    [
        (
            _PAGE.format("".join(f"<tr><td>Lamp L-{one}</td><td>{one * 7} EUR</td></tr>" for one in range(60))),
            "price of Lamp L-17",
            "# Prices > # Lamps Item | Price",
            "  Lamp L-17 | 119 EUR",
        ),
        (f"services:\n{_YAML}", "LIMIT_9 of the service", "svc9: > environment:", "        LIMIT_9: '900'"),
        (f"<project>\n{_XML}</project>", "version of art9", "<project>", "      <version>2.9.1</version>"),
        (f"Options:\n{_FLAGS}", "--flag-17 default", "Options:", "                       Default: 51."),
        (
            "# Manual\n\n"
            + "".join(f"## Part {n}\n\nUnit U-{n} takes {n * 3} Nm. {_words(n)}.\n\n" for n in range(30)),
            "torque of unit U-19",
            "# Manual",
            "  Unit U-19 takes 57 Nm.",
        ),
    ],
    ids=["html", "yaml", "xml", "flags", "prose"],
)
def test_what_is_shown_says_what_it_stands_under(output: str, asked: str, owner: str, unit: str) -> None:
    block = _block(output, asked)
    at = next(number for number, line in enumerate(block) if line.startswith(unit))
    heads = [line for line in block[:at] if not line.startswith("  ") and "under " in line]
    assert owner in heads[-1]


def test_a_row_stands_under_its_columns_and_a_file_under_its_folder() -> None:
    rows = "".join(f"| 80{row:02} | team{row} {_words(row)} | 20{row:02} |\n" for row in range(30))
    block = _block(f"# Report\n\n## Ports\n\n| Port | Owner | Since |\n|---|---|---|\n{rows}", "owner of port 8021")
    assert "  | Port | Owner | Since |" in block
    folders = "".join(
        f"./src/mod{one}:\n" + "".join(f"file_{one}_{part}.py\n" for part in range(12)) + "\n" for one in range(12)
    )
    block = _block(folders, "src/mod7 listing")
    at = block.index("  ./src/mod7:")
    assert block[at + 1 : at + 13] == [f"  file_7_{part}.py" for part in range(12)]


def test_a_comment_between_fences_is_no_heading() -> None:
    text = "# Guide\n\n## Setup\n\n```bash\n# On Windows\nrun.bat\n```\n\n" + "".join(
        f"Clause {n} of the guide rules the {_words(n)}.\n\n" for n in range(30)
    )
    paths = {passage.path for passage in read_passages(text) if "Clause 2" in text[passage.start : passage.end]}
    assert paths == {"# Guide > ## Setup"}


def test_our_marks_stand_at_the_margin_or_outside_of_quotation_marks() -> None:
    """A source that writes `…` and `[…]` itself is not taken for us."""
    text = "\n".join(f"entry_{n} … says […] {_words(n)}" for n in range(80))
    block = _block(text, "entry_11 entry_70", budget=900)
    ours = [line for line in block[2:-1] if not line.startswith("  ")]
    assert len(ours) > 1
    assert all(line.startswith(("step ", "[…] line")) for line in ours)
    assert all(line.strip() in text for line in block[2:-1] if line not in ours)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"why": "Load the skill to understand the work", "path": "/mnt/skills/research/SKILL.md"}, "/SKILL.md"),
        (
            {"command": "cd /workspace/very/long/folder/of/a/project && grep -n list_editable tests/admin.py"},
            "admin.py",
        ),
        ({"command": "head -400 /" + "/".join(f"folder{n}" for n in range(30)) + "/report.txt"}, "/report.txt"),
        ({"command": "edit 12:13\nfoo = 1\nbar = 2"}, "edit 12:13 […]"),
    ],
)
def test_the_line_of_a_call_keeps_its_path_and_is_cut_between_words(arguments: dict[str, str], told: str) -> None:
    [head] = [line for line in _block("port 8080 is open", "port 8080", **arguments) if line.startswith("step 1")]
    assert told in head
    whole = {part for value in arguments.values() for part in re.split(r"[\s/]+", value)}
    shown = re.split(r"[\s/“”]+", head.partition(" · run ")[2])
    assert set(shown) <= whole | {"[…]", ""}


def test_a_field_that_another_call_changed_says_what_it_is_now_and_the_others_do_not() -> None:
    order = {"order_id": "W17", "status": "pending", "carrier": "Nordline", "note": _words(1, 40)}
    with MemoryBank("Answer the customer", settings=Settings(language="en")) as bank:
        bank.absorb(ToolResult(tool="get_order", arguments={"id": "W17"}, output=json.dumps(order), call_id="a"))
        changed = json.dumps({**order, "status": "cancelled"})
        bank.absorb(ToolResult(tool="cancel_order", arguments={"id": "W17"}, output=changed, call_id="b"))
        held = frozenset({("", "b")})
        text = bank.host.recall_for(Moment(asked="status of W17", held=held), budget_tokens=400).text
    [head] = [line for line in text.split("\n") if line.startswith("step 1 ")]
    assert head.endswith("status now cancelled, since step 2")


def test_an_error_is_no_newer_state() -> None:
    with MemoryBank("Answer the customer", settings=Settings(language="en")) as bank:
        for number, output in enumerate(('{"stock": 3}', "Error: connection refused")):
            bank.absorb(ToolResult(tool="stock", arguments={"item": "screw"}, output=output, call_id=f"x{number}"))
        text = bank.host.recall_for(Moment(asked="stock of the screw"), budget_tokens=300).text
    assert "step 1 · stock screw\n" in text


@pytest.mark.parametrize("mark", ["{", "[", '"', "\\", "<", "…", "：", '{"a": ["'])
def test_hostile_text_is_shown_in_time_and_whole(mark: str) -> None:
    text = (mark * 3_000 + " word_1 ") * 3
    passages = read_passages(text)
    assert "".join(part.text for part in shown_parts(text, passages)).strip()
