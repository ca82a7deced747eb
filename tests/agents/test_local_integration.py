"""Local integration: the published contract, corrections, counting, and merging sentence by sentence."""

from __future__ import annotations

import pytest

from amb_agents.local_integration import LocalIntegration
from amb_contracts.agents_conflict import IntegrationContract
from amb_core.agent_io import IntegrationAnswer, IntegrationRequest, MergeInput, NodeView
from amb_core.models import Conflict

OLD = "The Harbour Point battery has a usable capacity of 12 MWh. It stands next to the ferry ramp."
NEW = "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied it in 48 containers."
OLD_ZH = "青屿水厂的日产水量为5万吨。厂区旁边有一个展览馆。"
NEW_ZH = "青屿水厂的日产水量为8万吨。全年运行三百四十一天。"


class TestContract(IntegrationContract):
    @pytest.fixture
    def agent(self) -> LocalIntegration:
        return LocalIntegration()


def merge(
    verification: str, old: str = OLD, new: str = NEW, values: tuple[str, ...] = (), subject: str = ""
) -> IntegrationAnswer:
    nodes = tuple(
        MergeInput(node=NodeView(id=f"n{number}", summary=text, context="", text=text, timestamp=float(number)))
        for number, text in enumerate((old, new), start=1)
    )
    conflict = Conflict(id="c1", node_ids=("n1", "n2"), description="", subject=subject, values=values)
    return LocalIntegration().integrate(IntegrationRequest(nodes=nodes, conflict=conflict, verification=verification))


@pytest.mark.parametrize(
    ("verification", "winner"),
    [
        ("The Courier corrected its report: the capacity of the battery is 18 MWh, not 12 MWh.", "18 MWh"),
        ("The usable capacity was corrected from 12 MWh to 18 MWh.", "18 MWh"),
        ("The usable capacity of the Harbour Point battery is 12 MWh rather than 18 MWh.", "12 MWh"),
        (
            "The figure of 18 MWh was wrong; the Harbour Point battery actually has a usable capacity of 12 MWh.",
            "12 MWh",
        ),
    ],
)
def test_a_correction_decides(verification: str, winner: str) -> None:
    answer = merge(verification)
    assert answer.decided
    assert winner in answer.summary
    losing = {"12 MWh": OLD, "18 MWh": NEW}
    assert not any(text.split(". ")[0] in answer.summary for value, text in losing.items() if value != winner)


@pytest.mark.parametrize(
    ("verification", "winner"),
    [
        ("日报更正：青屿水厂的日产水量应为8万吨，而非5万吨。", "8万吨"),
        ("水利局将青屿水厂的日产水量由5万吨更正为8万吨。", "8万吨"),
        ("勘误：青屿水厂日产水量8万吨有误，实为5万吨。", "5万吨"),
    ],
)
def test_a_chinese_correction_decides(verification: str, winner: str) -> None:
    answer = merge(verification, OLD_ZH, NEW_ZH)
    assert answer.decided
    assert winner in answer.summary
    losing = {"5万吨": OLD_ZH, "8万吨": NEW_ZH}
    assert not any(text.split("。")[0] in answer.summary for value, text in losing.items() if value != winner)


def test_more_independent_sentences_decide() -> None:
    answer = merge(
        "The register says that the Harbour Point battery has a usable capacity of 12 MWh.\n\n"
        "With a usable capacity of 18 MWh, the Harbour Point battery is the largest.\n\n"
        "The usable capacity of the Harbour Point battery is 18 MWh."
    )
    assert answer.decided
    assert "18 MWh" in answer.summary


def test_the_same_sentence_twice_counts_once() -> None:
    said = "The usable capacity of the Harbour Point battery is 18 MWh."
    other = "The Harbour Point battery has a usable capacity of 12 MWh."
    assert not merge(f"{said}\n\n{said}\n\n{other}").decided


def test_other_figures_of_the_same_unit_do_not_count() -> None:
    answer = merge("The Brae Hill wind farm produced 18 MWh on that day. The island used 12 MWh.")
    assert not answer.decided


def test_sentences_stay_verbatim_in_their_order_without_repeats() -> None:
    shared = " The island has 1,140 households."
    answer = merge("The usable capacity of the Harbour Point battery is 18 MWh.", OLD + shared, NEW + shared)
    assert answer.summary == (
        "It stands next to the ferry ramp. The island has 1,140 households. "
        "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied it in 48 containers."
    )


def test_what_else_they_disagree_in_stays_on_both_sides() -> None:
    old = OLD + " The Harbour Point battery cost 3 million euro."
    new = NEW + " The Harbour Point battery cost 4 million euro."
    answer = merge("The usable capacity of the Harbour Point battery is 12 MWh.", old, new)
    assert all(value in answer.summary for value in ("12 MWh", "4 million", "3 million"))


def test_a_single_node_cannot_be_merged() -> None:
    node = NodeView(id="n1", summary=OLD, context="", text=OLD)
    conflict = Conflict(id="c1", node_ids=("n1",), description="")
    request = IntegrationRequest(nodes=(MergeInput(node=node),), conflict=conflict, verification=NEW)
    assert not LocalIntegration().integrate(request).decided
