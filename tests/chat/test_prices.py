"""Prices come from data: the shipped table or a file of the user's; what is not in them is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amb_chat import Price, price_of
from amb_core.errors import InvalidParameter, UnreadableSource

ROOT = Path(__file__).resolve().parents[2]
TABLE = json.loads((ROOT / "tools" / "amb_chat" / "prices.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _no_prices_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AMB_PRICES", raising=False)
    monkeypatch.chdir(tmp_path)


def test_the_table_says_when_it_was_right_and_in_what_currency() -> None:
    assert TABLE["currency"] == "USD"
    assert TABLE["as_of"][:2] == "20"


@pytest.mark.parametrize("whole", [False, True], ids=["only models", "as the shipped one"])
def test_a_file_of_ones_own_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    models = {"我的模型": {"prompt": 1, "completion": 2}, "gpt-5-mini": {"prompt": 9, "completion": 9}}
    told = {"providers": {"mine": {"models": models}}} if whole else models
    (tmp_path / "prices.json").write_text(json.dumps(told), encoding="utf-8")
    monkeypatch.setenv("AMB_PRICES", str(tmp_path / "prices.json"))
    assert price_of("我的模型") == Price(1, 2)
    assert price_of("gpt-5-mini-2025-08-07") == Price(9, 9)
    assert price_of("gpt-5-nano") == Price(0.05, 0.4, cached=0.005)


@pytest.mark.parametrize("content", [None, "no json", '{"m": {"prompt": -1, "completion": 1}}', '{"m": {"prompt": 1}}'])
def test_a_file_that_is_none_of_prices_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    if content is not None:
        (tmp_path / "p.json").write_text(content)
    monkeypatch.setenv("AMB_PRICES", str(tmp_path / "p.json"))
    with pytest.raises(UnreadableSource, match=r"AMB_PRICES.*docs/models\.md"):
        price_of("gpt-5-mini")


@pytest.mark.parametrize("wrong", [-1.0, float("inf"), float("nan")])
def test_a_price_that_makes_no_sense_is_refused(wrong: float) -> None:
    with pytest.raises(InvalidParameter):
        Price(wrong, 1.0)
