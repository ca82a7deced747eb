"""Local summaries: the published contract, and what is particular to keeping whole sentences."""

from __future__ import annotations

import pytest

from amb_agents.local_notes import LocalStructure
from amb_contracts.agents import BATTERIES, TEA, StructureContract
from amb_core.agent_io import StructureRequest


def summary(text: str, goal: str = "") -> str:
    return LocalStructure().structure(StructureRequest(content=text, task_goal=goal)).summary


class TestContract(StructureContract):
    @pytest.fixture
    def agent(self) -> LocalStructure:
        return LocalStructure()


def test_a_sentence_as_long_as_a_page_is_shortened_at_clauses_and_says_so() -> None:
    clause = "the council heard the engineer, who spoke of the bridge, the river and the winter of 1947, "
    kept = summary("Then " + clause * 8 + "and left.")
    assert kept
    assert "…" in kept


def test_content_over_the_window_is_taken_chunk_by_chunk() -> None:
    text = "\n\n".join([BATTERIES, TEA] * 10)
    kept = summary(text)
    assert 0.25 * len(text) < len(kept) < 0.65 * len(text)
