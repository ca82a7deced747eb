"""The bound of a request holds by real tokenizers: o200k by default, others by their names."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_core import ContextAdapter, InvalidParameter, MemoryBank, Settings
from amb_core.text.exact_tokens import VOCABULARIES, exact_counter
from amb_core.text.tokens import request_tokens

quicktok = pytest.importorskip("quicktok")

ROOT = Path(__file__).resolve().parents[1]
TASK = "Look at this machine. 看看这台机器。"
BOUND = 6_000


def _read() -> list[str]:
    """What an agent reads: pages in English and Chinese, code, configuration, records, and listings."""
    row = "-rw-r--r--  1 root     staff    {:>9} Mar {:>2}  0{}:{} part{:04}.so.{}"
    names = {"docs/security.md": 5_800, "docs/zh/security.md": 2_600, "docs/zh/longterm.md": 9_000}
    names |= {"amb_core/bank.py": 9_000, "pyproject.toml": 9_000}
    files = [(ROOT / name).read_text("utf-8")[:most] for name, most in names.items()]
    records = [{"id": n * 7_919, "note": "已发货" if n % 2 else "shipped", "sum": n * 0.37} for n in range(120)]
    listing = "\n".join(row.format(n * 7_717 % 999_999, n % 28 + 1, n % 9, n % 50 + 10, n, n % 7) for n in range(120))
    return [*files, json.dumps(records, ensure_ascii=False), json.dumps(records, indent=1), listing]


def _transcripts() -> list[list[dict[str, Any]]]:
    talk: list[dict[str, Any]] = [{"role": "user", "content": TASK}]
    found = []
    for number, text in enumerate(_read() * 2):
        call: dict[str, Any] = {"id": f"c{number}", "type": "function"}
        call |= {"function": {"name": "run", "arguments": json.dumps({"path": f"/srv/{number}"})}}
        talk.append({"role": "assistant", "content": None, "tool_calls": [call]})
        talk.append({"role": "tool", "tool_call_id": f"c{number}", "content": f"{number}\n{text}"})
        found.append(list(talk))
    return found


def _sizes(adapter: ContextAdapter, count: Callable[[str], int]) -> list[int]:
    return [request_tokens(adapter.next_request(talk), count=count) for talk in _transcripts()]


def _bank(**settings: Any) -> MemoryBank:
    return MemoryBank(TASK, settings=Settings(prompt_budget_tokens=BOUND, **settings))


def test_by_default_no_request_is_above_the_bound_by_o200k() -> None:
    sizes = _sizes(ContextAdapter(_bank()), exact_counter("o200k"))
    assert max(sizes) <= BOUND
    assert sum(sizes[4:]) / len(sizes[4:]) > 0.6 * BOUND


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "llama3" else pytest.mark.nightly) for name in VOCABULARIES]
)
def test_no_request_is_above_the_bound_by_the_tokenizer_that_is_named(name: str) -> None:
    sizes = _sizes(ContextAdapter(_bank(), count_tokens=name), exact_counter(name))
    assert max(sizes) <= BOUND
    assert sum(sizes[4:]) / len(sizes[4:]) > 0.6 * BOUND


def test_the_setting_names_the_tokenizer_of_every_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMB_COUNT_TOKENS", "cl100k")
    chinese = "你好，世界。" * 50
    assert ContextAdapter(_bank()).count.text(chinese) == quicktok.get_encoding("cl100k_base").count(chinese)
    other = ContextAdapter(_bank(), count_tokens="qwen3")
    assert other.count.text(chinese) == quicktok.get_encoding("qwen3").count(chinese)


@pytest.mark.parametrize(
    ("model", "vocabulary"),
    [
        ("gpt-4o", "o200k_base"),
        ("openai/gpt-5-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3"),
        ("Qwen/Qwen3-8B", "qwen3"),
    ],
)
def test_a_model_is_counted_by_its_vocabulary(model: str, vocabulary: str) -> None:
    text = "仓库管理员 writes down 1,234 boxes: <|im_start|>\n\n\tdef f(x): ..."
    assert exact_counter(model)(text) == quicktok.get_encoding(vocabulary).count(text)


def test_half_a_character_is_counted() -> None:
    assert exact_counter("llama3")("a\ud800b") >= 3


@pytest.mark.parametrize("name", ["claude-sonnet-4", "nonsense", "/"])
def test_an_unknown_name_is_told_with_the_known_ones(name: str) -> None:
    with pytest.raises(InvalidParameter, match=r"o200k, cl100k, llama3, qwen3, .*gpt-4o"):
        ContextAdapter(_bank(), count_tokens=name)


def test_without_the_package_the_command_that_brings_it_is_told() -> None:
    program = "import sys; sys.modules['quicktok'] = None\n" + (
        "from amb_core import ContextAdapter, MemoryBank, MissingExtra\n"
        "try:\n    ContextAdapter(MemoryBank('x'), count_tokens='llama3')\n"
        "except MissingExtra as error:\n    print(error.extra, error)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.startswith("tokens quicktok-v1 is not installed. Run: pip install")
    assert "[tokens]" in told


# --- what a provider says of a request -------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "beside"), [pytest.param("cl100k", 0, marks=pytest.mark.nightly), ("llama3", 900)])
def test_after_the_first_usage_no_request_is_above_the_bound_by_the_provider(name: str, beside: int) -> None:
    """`beside` are tokens of tools that nobody tells AMB of."""
    adapter, count = ContextAdapter(_bank()), exact_counter(name)
    told = []
    for talk in _transcripts():
        request = adapter.next_request(talk)
        told.append(request_tokens(request, count=count) + beside)
        adapter.learn_usage(told[-1], counted=adapter.tokens_of(request))
    assert max(told[1:]) <= BOUND
    assert sum(told[4:]) / len(told[4:]) > 0.5 * BOUND


def test_what_is_learned_changes_no_request_that_stays_within_the_bound() -> None:
    adapter, plain, text = ContextAdapter(_bank()), ContextAdapter(_bank()), _read()[0]
    talk: list[dict[str, Any]] = [{"role": "user", "content": TASK}]
    same = []
    for number in range(6):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "read", "arguments": f'{{"n": {number}}}'}}
        result = f"{number}\n{text[number * 800 :][:4_500]}"
        talk.append({"role": "assistant", "content": None, "tool_calls": [call]})
        talk.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
        request = adapter.next_request(talk)
        counted = adapter.tokens_of(request)
        adapter.learn_usage(int(1.15 * counted), counted=counted)
        same.append(request == plain.next_request(talk))
    assert same[:4] == [True] * 4
    assert same[-1] is False


@pytest.mark.parametrize("told", [pytest.param(0, marks=pytest.mark.nightly), 10**12])
def test_a_usage_that_cannot_be_leaves_a_request_its_room(told: int) -> None:
    adapter = ContextAdapter(_bank())
    for talk in _transcripts():
        request = adapter.next_request(talk)
        assert adapter.tokens_of(request) > 0.1 * BOUND
        adapter.learn_usage(told, counted=adapter.tokens_of(request))
