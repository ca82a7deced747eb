"""What a request says when the user asks something: its answer with what it needs to be understood, and little else."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings, ToolResult

TASK = "Check this machine. Read its sources, then answer."
ORDERS = "order,buyer,town,count,state\n" + "\n".join(
    f"ORD-{n:05},Buyer {n % 37},Town {n % 23},{n * 7 % 91},{('open', 'late', 'moved')[n % 3]}" for n in range(240)
)
PORTS = "\n".join(f"svc-{n:<12} {1000 + n * 13 % 7000}/tcp   alias{n} # order of service {n}" for n in range(240))
HOSTS = json.dumps([{"host": f"h-{n:03}", "kernel": f"6.{n % 7}.{n * 5 % 29}"} for n in range(160)], indent=1)
RULES = "\n\n".join(
    f"Article {n}. A change that is asked for {n * 7 % 71 + 2} hours ahead costs {n * 11 % 53 + 5} percent of it. "
    f"Groups get {n * 3 % 40} off. Special cases go to the desk SP-{1000 + n * 7}."
    for n in range(1, 90)
)


class Talk:
    """An agent that reads sources and is asked about them later."""

    def __init__(self, task: str = TASK, *, budget: int = 6_000) -> None:
        self.adapter = ContextAdapter(MemoryBank(task, settings=Settings(prompt_budget_tokens=budget)))
        self.messages: list[dict[str, object]] = [{"role": "user", "content": task}]

    def read(self, **sources: str) -> Talk:
        for name, text in sources.items():
            call = {"name": "read_source", "arguments": json.dumps({"path": name})}
            calls = [{"id": name, "type": "function", "function": call}]
            self.messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            self.messages.append({"role": "tool", "tool_call_id": name, "content": text})
            self.adapter.next_request(self.messages)
        return self

    def say(self, *texts: str) -> Talk:
        for text in texts:
            self.messages += [{"role": "assistant", "content": "Noted."}, {"role": "user", "content": text}]
        return self

    def block(self, question: str) -> str:
        """The last block of the request for a question."""
        request = self.say(question).adapter.next_request(self.messages)
        return [str(message["content"]) for message in request if "<memory>" in str(message["content"])][-1]


def parts(block: str) -> Sequence[str]:
    return re.split(r"(?m)^(?=step \d+ · )", block)[1:]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        ("What is the state of ORD-00088?", "orders", "ORD-00088,Buyer 14,Town 19,70,late"),
        ("On which port does svc-77 listen?", "ports", "2001/tcp"),
        ("Which kernel does h-077 run?", "hosts", '"kernel": "6.0.8"'),
        ("Tell me the kernel of h-031.", "hosts", '"kernel": "6.3.10"'),
        ("What does article 37 say?", "rules", "SP-1259"),
    ],
)
def test_a_block_for_a_question_comes_from_the_source_that_answers_it(question: str, source: str, answer: str) -> None:
    sources = {"orders": ORDERS, "ports": PORTS, "hosts": HOSTS, "rules": RULES}
    more = {"more": ORDERS.replace("ORD", "OLD"), "last": PORTS.replace("svc", "old")}
    found = parts(Talk().read(**sources, **more).block(question))
    right = [part for part in found if source in part.split("\n")[0]]
    assert any(answer in part for part in right)
    assert sum(map(len, right)) > 0.5 * sum(map(len, found))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Correction: the parcel goes to Elm Road 9, York.", "Elm Road 9"),
        ("From now on answer in bullet points only.", "bullet points"),
        ("更正：包裹寄到黄河路9号，苏州。", "黄河路9号"),
    ],
)
def test_what_the_user_told_outlives_the_results_around_it(told: str, kept: str) -> None:
    talk = Talk("The parcel goes to Oak Street 5, Leeds.").read(orders=ORDERS).say(told)
    for n in range(12):
        talk.say(f"Look at product {n}.").read(**{f"product {n}": ORDERS.replace("ORD", f"P{n}")})
    assert kept in talk.block("Send the parcel now.")


def test_a_block_tells_that_its_results_contradict_each_other_before_notes_are_made() -> None:
    said = "The Harbour Point battery has a usable capacity of {} MWh."
    talk = Talk(budget=3_000).read(
        report=f"{'The island is green. ' * 90}{said.format(18)}",
        news=f"{'The weather is fine today. ' * 90}{said.format(12)}",
        ports=PORTS,
        orders=ORDERS,
    )
    heads = [part.split("\n")[0] for part in parts(talk.block("What is the capacity of the Harbour Point battery?"))]
    mark = "sources differ: 18 MWh (step 1) / 12 MWh (step 2)"
    assert [mark in head for head in heads if "report" in head or "news" in head] == [True, True]


def test_two_readings_of_one_source_are_no_contradiction() -> None:
    said = "The Harbour Point battery has a usable capacity of {} MWh."
    talk = Talk(budget=3_000)
    for n, size in enumerate((18, 12)):
        call = {"name": "read_source", "arguments": json.dumps({"path": "report.md"})}
        calls = [{"id": f"c{n}", "type": "function", "function": call}]
        talk.messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        text = f"{'The island is green. ' * 90}{said.format(size)}"
        talk.messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": text})
    block = talk.read(ports=PORTS, orders=ORDERS).block("What is the capacity of the Harbour Point battery?")
    assert "12 MWh" in block
    assert "sources differ" not in block


def test_an_option_is_found_by_its_own_spelling_among_words_that_are_like_it() -> None:
    words = ("request", "hide", "format", "only matching")
    bank = MemoryBank("Explain the tools", settings=Settings(language="en"))
    for tool in ("fetch", "list", "pick"):
        told = "\n\n".join(
            f"       --{word.replace(' ', '-')}-{other}\n              Each {word} of {tool} is a {word} of {other}."
            for word in words
            for other in ("cache", "proxy", "limit", "target")
        )
        own = "\n\n".join(
            f"       --{word.replace(' ', '-')}\n              Sets rule {tool} {number}."
            for number, word in enumerate(words)
        )
        page = f"NAME\n       {tool}\n\nOPTIONS\n{told}\n\n{own}"
        bank.absorb(ToolResult(tool="bash", arguments={"command": f"man {tool}"}, output=page))
    for number, word in enumerate(words):
        asked = f"What does --{word.replace(' ', '-')} of list do?"
        assert f"Sets rule list {number}." in bank.recall(asked, budget_tokens=300).text
