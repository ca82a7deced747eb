"""What stands in a block is whole, says what it belongs to, and what is left out is marked outside of it."""

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


def test_our_marks_stand_at_the_margin_or_outside_of_quotation_marks() -> None:
    """A source that writes `…` and `[…]` itself is not taken for us."""
    text = "\n".join(f"entry_{n} … says […] {_words(n)}" for n in range(80))
    block = _block(text, "entry_11 entry_70", budget=900)
    ours = [line for line in block[2:-1] if not line.startswith("  ")]
    assert len(ours) > 1
    assert all(line.startswith(("step ", "[…] line")) for line in ours)
    assert all(line.strip() in text for line in block[2:-1] if line not in ours)


@pytest.mark.parametrize("mark", ["{", "[", '"', "\\", "<", "…", "：", '{"a": ["'])
def test_hostile_text_is_shown_in_time_and_whole(mark: str) -> None:
    text = (mark * 3_000 + " word_1 ") * 3
    passages = read_passages(text)
    assert "".join(part.text for part in shown_parts(text, passages)).strip()
