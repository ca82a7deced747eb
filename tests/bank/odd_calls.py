# ruff: noqa: E501
"""Odd input that is taken all the same: a name, the call on a place with a bank, and what has to hold afterwards."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from amb_agents import local_agents
from amb_core import ManualClock, MemoryBank, Settings, StepResult, ToolResult
from amb_core.protocols import Agents
from amb_tools.corpus import read_corpus

Row = tuple[str, Callable[[Any], Any], Callable[[Any, Any], object]]


def absorbed(at: Any, output: str = "The mole is 30 metres long.", **fields: Any) -> Any:
    report = at.bank.absorb(ToolResult(**{"tool": "t", "output": output, **fields}))
    return at.bank.snapshot().entries[-1] if report else None


def deep(levels: int) -> dict[str, Any]:
    value: Any = "x"
    for _ in range(levels):
        value = {"a": value}
    return {"a": value}


class Embedder:
    """Answers with what it was given, whatever is asked; `changes` is what it answers from the third call on."""

    model_id, dimension, languages = "odd", 4, None

    def __init__(self, answer: Callable[[int], Any], changes: Callable[[int], Any] | None = None) -> None:
        self.answer, self.changes, self.calls = answer, changes, 0

    def embed(self, texts: Any) -> Any:
        self.calls += 1
        return (self.changes if self.changes and self.calls > 2 else self.answer)(len(texts))


def embedded(answer: Callable[[int], Any], changes: Callable[[int], Any] | None = None) -> Callable[[Any], Any]:
    return lambda at: taught(at, MemoryBank("How long is it?", embedder=Embedder(answer, changes)))


def taught(at: Any, bank: MemoryBank) -> MemoryBank:
    """A bank that has met three results and was asked."""
    at.stack.enter_context(bank)
    for number in range(3):
        bank.absorb(ToolResult(tool="t", output=f"Pier {number} is {number + 7}0 metres long.", source=str(number)))
    bank.recall("How long is pier 2?")
    return bank


class Broken:
    """An agent of every role that answers with what it was given, or raises it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __getattr__(self, name: str) -> Any:
        def act(request: Any) -> Any:
            if isinstance(self.answer, BaseException):
                raise self.answer
            return self.answer

        return act


def served(answer: Any, *roles: str) -> Callable[[Any], Any]:
    """A bank some of whose agents are broken."""
    wanted = roles or ("classification", "structure", "analysis", "integration", "planning")

    def act(at: Any) -> MemoryBank:
        agents: Agents = replace(local_agents(Settings()), **dict.fromkeys(wanted, Broken(answer)))
        return taught(at, MemoryBank("How long is it?", agents=agents))

    return act


def found(at: Any, bank: MemoryBank) -> bool:
    """All three results are notes and the last one is found."""
    return len(bank.nodes) == 3 and "90 metres" in bank.host.enhance(query="How long is pier 2?").text


def with_clock(*times: float) -> Callable[[Any], Any]:
    class Jumping(ManualClock):
        told = list(times)

        def now(self) -> float:
            return self.told.pop(0) if len(self.told) > 1 else self.told[0]

    return lambda at: taught(at, MemoryBank("How long is it?", clock=Jumping()))


def markup(html: str) -> Callable[[Any], Any]:
    return lambda at: read_corpus(at.file("page.html", html))[0].text


ROWS: list[Row] = [
    ("output: empty", lambda at: absorbed(at, ""), lambda at, entry: entry.text == ""),
    ("output: white space", lambda at: absorbed(at, " \n\t\u3000"), lambda at, entry: entry.text == " \n\t\u3000"),
    ("output: NUL and controls", lambda at: absorbed(at, "a\0b\x07\x1bc pier"), lambda at, entry: entry.text == "a\0b\x07\x1bc pier"),
    ("output: lone surrogates", lambda at: absorbed(at, "pier \ud800 and \udfff end"), lambda at, entry: "\ud800" in entry.text),
    ("output: one character", lambda at: absorbed(at, "x"), lambda at, entry: entry.text == "x"),
    ("output: only punctuation", lambda at: absorbed(at, "!?。，…—" * 50), lambda at, entry: len(entry.text) == 300),
    ("output: only emoji", lambda at: absorbed(at, "👩‍👩‍👧" * 100), lambda at, entry: len(entry.text) == 500),
    ("output: only combining marks", lambda at: absorbed(at, "a" + "\u0301" * 3_000), lambda at, entry: len(entry.text) == 3_001),
    ("output: right to left", lambda at: absorbed(at, "طول الرصيف ثمانون مترا. אורך הרציף"), lambda at, entry: "الرصيف" in entry.text),
    ("output: one long line", lambda at: absorbed(at, "pier " * 8_000), lambda at, entry: len(entry.text) == 40_000),
    ("output: one long word", lambda at: absorbed(at, "x" * 40_000), lambda at, entry: len(entry.text) == 40_000),
    ("output: thousands of empty lines", lambda at: absorbed(at, "a pier\n" + "\n" * 20_000), lambda at, entry: len(entry.text) == 20_007),
    ("output: numbers of thousands of digits", lambda at: absorbed(at, f"The pier has {'9' * 6_000} bolts."), lambda at, entry: len(entry.text) > 6_000),
    ("output: a number with a huge exponent", lambda at: absorbed(at, "The pier has 1e999999 and 10^99999 bolts, ½ or ²."), lambda at, entry: at.bank.recall("bolts")),
    ("output: impossible dates", lambda at: absorbed(at, "Opened 31 February 0000, 99.99.9999, 2024-13-45 25:61."), lambda at, entry: at.bank.recall("opened")),
    ("output: deep brackets", lambda at: absorbed(at, "[" * 5_000 + "pier" + "]" * 5_000), lambda at, entry: len(entry.text) == 10_004),
    ("output: deep JSON", lambda at: absorbed(at, '{"a":' * 3_000 + "1" + "}" * 3_000), lambda at, entry: len(entry.text) == 18_001),
    ("output: patterns", lambda at: absorbed(at, r"(a+)+$ (.*)* [z-a] \K(?<x> %s {0} {goal} $PATH" + "a" * 3_000), lambda at, entry: "{goal}" in entry.text),
    ("output: our own ids", lambda at: absorbed(at, "n1 e1 c1 m1 a1 [n1] n999"), lambda at, entry: at.bank.host.node("n1").sources),
    ("arguments: not finite", lambda at: absorbed(at, arguments={"x": math.nan, "y": -math.inf}), lambda at, entry: "NaN" in entry.metadata["arguments"]["arguments"]),
    ("arguments: an endless number", lambda at: absorbed(at, arguments={"x": 10**5000}), lambda at, entry: "x" in entry.metadata["arguments"]["arguments"]),
    ("arguments: 200 levels deep", lambda at: absorbed(at, arguments=deep(200)), lambda at, entry: isinstance(entry.metadata["arguments"]["arguments"], str)),
    ("arguments: 90 levels deep", lambda at: absorbed(at, arguments=deep(90)), lambda at, entry: isinstance(entry.metadata["arguments"]["a"], dict)),
    ("arguments: empty keys and odd ones", lambda at: absorbed(at, arguments={"": "", "\0": "\ud800", "a.b": {}}), lambda at, entry: "" in entry.metadata["arguments"]),
    ("arguments: as long as a page", lambda at: absorbed(at, arguments={"x": "y" * 50_000}), lambda at, entry: at.bank.recall("mole").tokens <= 1_200),
    ("call id: empty", lambda at: [absorbed(at, f"Mole {n}.", call_id="") for n in range(2)], lambda at, both: both[0] != both[1]),
    ("call id: the same with another text", lambda at: [absorbed(at, f"Mole {n} is new.", call_id="c") for n in range(2)], lambda at, both: len({e.entry_id for e in both}) == 2),
    ("call id: the same with the same text", lambda at: [absorbed(at, "A mole.", call_id="c") for _ in range(2)], lambda at, both: both[0] == both[1]),
    ("run: NUL", lambda at: absorbed(at, run="a\0b", call_id="x\0"), lambda at, entry: at.bank.host.nodes_of("x\0", run="a\0b")),
    ("source: as long as a page", lambda at: absorbed(at, source="s" * 50_000), lambda at, entry: at.bank.host.enhance(query="mole").tokens <= 1_200),
    ("source: white space", lambda at: absorbed(at, source=" \n "), lambda at, entry: at.bank.recall("mole").text.count("</memory>") == 1),
    ("tool: as long as a page", lambda at: absorbed(at, tool="t" * 50_000), lambda at, entry: at.bank.host.enhance(query="mole").tokens <= 1_200),
    ("read: NUL in the source", lambda at: at.bank.read("The mole is new.", source="a\0b"), lambda at, report: report.entry_ids),
    ("query: as long as a book", lambda at: at.bank.recall("quay " * 20_000), lambda at, block: "80 metres" in block.text),
    ("query: lone surrogate", lambda at: at.bank.recall("\ud800 quay"), lambda at, block: "80 metres" in block.text),
    ("query: only punctuation", lambda at: at.bank.recall("?!"), lambda at, block: block.text.endswith("</memory>")),
    ("query: a pattern", lambda at: at.bank.recall("(((quay)+)+)+$ OR 1=1; DROP TABLE task --"), lambda at, block: "80 metres" in block.text),
    ("query: blank", lambda at: at.bank.host.enhance(query=" "), lambda at, block: block.query.strip()),
    ("budget: one token", lambda at: at.bank.host.enhance(budget_tokens=1), lambda at, block: block.text.count("</memory>") == 1),
    ("budget: huge", lambda at: at.bank.host.enhance(budget_tokens=10**12), lambda at, block: "80 metres" in block.text),
    ("k: huge", lambda at: at.bank.recall("quay", k=10**12), lambda at, block: "80 metres" in block.text),
    ("page: huge", lambda at: at.bank.open("n1", page=10**15), lambda at, text: "the last one is page=0" in text),
    ("forget: twice", lambda at: [at.bank.forget("e1") for _ in range(2)], lambda at, _: at.bank.snapshot().entries[0].forgotten),
    ("forget: everything, one by one", lambda at: [at.bank.forget(e.entry_id) for e in at.bank.snapshot().entries], lambda at, _: at.bank.nodes == ()),
    ("attach: an empty file", lambda at: at.bank.attach(at.file("a.png", "")), lambda at, a: at.bank.host.open_waiting(a.id).file_content == ""),
    ("attach: no image", lambda at: at.bank.attach(at.file("a.png", "text")), lambda at, a: at.bank.plan().pending),
    ("attach: through a link to a file", lambda at: at.bank.attach(at.link("l.txt", str(at.file("a.txt", "pier"))), type="document"), lambda at, a: at.bank.host.open_waiting(a.id).file_content == "pier"),
    ("attach: a name that leads out", lambda at: at.bank.attach(at.file("..%2f..\\up.png", "x")), lambda at, a: ".." not in a.content),
    ("attach: a torn PDF", lambda at: at.bank.attach(at.file("a.pdf", "%PDF-1.7 torn"), type="document"), lambda at, a: at.bank.host.open_waiting(a.id).encoding == "base64"),
    ("attach: gone before it is recognised", lambda at: at.vanished(), lambda at, a: at.bank.host.open_waiting(a.id).problem),
    ("step: text of nothing", lambda at: at.bank.host.finish_step(StepResult()), lambda at, insight: insight.completed_tasks),
    ("step: nothing pending any more", lambda at: [at.bank.host.finish_step(StepResult(answer="80 metres")) for _ in range(9)], lambda at, _: at.bank.plan()),
    ("goal: lone surrogate", lambda at: taught(at, MemoryBank("How long is \ud800 it?")), found),
    ("goal: NUL", lambda at: taught(at, MemoryBank("How long\0 is it?")), found),
    ("goal: one character", lambda at: taught(at, MemoryBank("?")), lambda at, bank: len(bank.nodes) == 3),
    ("close: twice", lambda at: [at.filled_bank(at.fresh_store(), 1).close() for _ in range(2)], lambda at, _: True),
    ("embedder: rows of zeros", embedded(lambda n: np.zeros((n, 4), np.float32)), found),
    ("embedder: not finite", embedded(lambda n: np.full((n, 4), np.nan, np.float32)), found),
    ("embedder: infinite", embedded(lambda n: np.full((n, 4), np.inf, np.float32)), found),
    ("embedder: another dimension", embedded(lambda n: np.ones((n, 9), np.float32)), found),
    ("embedder: too few rows", embedded(lambda n: np.ones((max(n - 1, 0), 4), np.float32)), found),
    ("embedder: one axis", embedded(lambda n: np.ones(4 * n, np.float32)), found),
    ("embedder: lists", embedded(lambda n: [[0.5] * 4] * n), found),
    ("embedder: text", embedded(lambda n: "vectors"), found),
    ("embedder: nothing", embedded(lambda n: None), found),
    ("embedder: objects", embedded(lambda n: np.array([[object()] * 4] * n)), found),
    ("embedder: changes its dimension", embedded(lambda n: np.full((n, 4), 0.5, np.float32), lambda n: np.ones((n, 5), np.float32)), found),
    ("embedder: breaks", embedded(lambda n: np.full((n, 4), 0.5, np.float32), lambda n: 1 / 0), found),
    ("agents: raise", served(RuntimeError("no model")), found),
    ("agents: run out of memory", served(MemoryError()), found),
    ("agents: answer nothing", served(None), found),
    ("agents: answer text", served("yes"), found),
    ("agents: answer a dict", served({"clusters": "?"}), found),
    ("agents: the classifier raises", served(ValueError("x"), "classification"), found),
    ("agents: the analyst answers a number", served(7, "analysis"), found),
    ("agents: the planner answers a list", served([], "planning"), found),
    ("clock: goes backwards", with_clock(9e9, 8e9, 7e9, 10.0, 9.0, 1.0, 0.0), found),
    ("clock: stands still", with_clock(5.0), found),
    ("clock: whole numbers", with_clock(1, 2, 3), found),
    ("clock: far ahead", with_clock(1e18), found),
    ("html: nested 20,000 deep", markup("<div>" * 20_000 + "pier" + "</div>" * 20_000), lambda at, text: text == "pier"),
    ("html: tags that never close", markup("<table><tr><td>" * 3_000 + "pier"), lambda at, text: "pier" in text),
    ("html: tags that were never opened", markup("</b></div></p>" * 5_000 + "pier"), lambda at, text: "pier" in text),
    ("html: an attribute as long as a book", markup(f'<p title="{"x" * 300_000}">pier</p>'), lambda at, text: text == "pier"),
    ("html: a comment that never ends", markup("pier <!-- " + "x" * 100_000), lambda at, text: "pier" in text),
    ("html: entities", markup("pier &#0;&#1114112;&#xD800;&#99999999999;&nosuch; &amp;amp;"), lambda at, text: "pier" in text),
    ("html: thousands of cells", markup("<table><tr>" + "<td>pier" * 3_000), lambda at, text: text.count("pier") == 3_000),
]  # fmt: skip
