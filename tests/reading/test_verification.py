"""A verification in words of its own decides as one in the words of the nodes does."""

from __future__ import annotations

import pytest

from amb_agents.verification import ask_about, weigh

BATTERY = ("The Harbour Point battery holds 18 MWh.", "The Harbour Point battery has a capacity of 12 MWh.")
STATION = ("青岭储能电站的容量为18兆瓦时。", "青岭储能电站可储存12兆瓦时。")


@pytest.mark.parametrize(
    ("sides", "verification", "winner"),
    [
        (BATTERY, "Grid register. According to the survey, the Harbour Point battery can store 18 MWh.", 0),
        (BATTERY, '{"name": "Harbour Point battery", "capacity_mwh": 12}', 1),
        (BATTERY, "| Plant | Capacity |\n|---|---|\n| Harbour Point battery | 18 MWh |", 0),
        (BATTERY, "The Harbour Point battery stores 15 MWh of electricity.", None),
        (BATTERY, "The Harbour View battery can store 18 MWh.", None),
        (STATION, "登记表显示，青岭储能电站的储能容量为18兆瓦时。", 0),
        (STATION, '{"名称": "青岭储能电站", "容量": "12兆瓦时"}', 1),
        (STATION, "青屿储能电站的容量为18兆瓦时。", None),
    ],
)
def test_a_third_source_decides_in_its_own_words(sides: tuple[str, str], verification: str, winner: int | None) -> None:
    values = [side[side.index("1") :].rstrip(".。") for side in sides]
    question = ask_about("青岭储能电站" if "青岭" in sides[0] else "Harbour Point battery", values, sides)
    assert question is not None
    assert weigh(question, verification).winner == winner
