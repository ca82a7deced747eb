"""What the integration contract has agents do, tools and scripts of calls to them, and what a driver hands back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from amb_core.adapter import text_of
from amb_core.bank import MemoryBank
from amb_core.text.language import Language

__all__ = [
    "PAGE_CHARS",
    "STATIONS",
    "AgentDriver",
    "Call",
    "Request",
    "Scenario",
    "Trace",
    "fact",
    "keeper_tools",
    "long_task",
    "page",
    "read_pages",
    "task",
]

PAGE_CHARS = 5_000
_PAGE_CHARS_ZH = 2_000
"""About as many tokens as PAGE_CHARS of English."""
STATIONS = (
    "Skerry", "Holm", "Ness", "Voe", "Calder", "Dunmore", "Elston", "Farley", "Gorton", "Hexham",
    "Ilford", "Jarrow", "Kendal", "Louth", "Marlow", "Newton", "Otley", "Penrith", "Quorn", "Ripon",
)  # fmt: skip
_STATIONS_ZH = (
    "礁石", "月牙", "白沙", "青屿", "望潮", "石塘", "龙湾", "鹿角", "金沙", "南礁",
    "北礁", "牛头", "花鸟", "虎跳", "大陈", "渔山", "蒋口", "东极", "西嘴", "铜山",
)  # fmt: skip
_KEEPERS = ("Abel Moss", "Ruth Carr", "Ivo Lund", "Nell Gray", "Otto Reed", "Ada Finch", "Hugh Bell", "Carl Voss")
_THINGS = (
    "brass lamp",
    "tide table",
    "coil of rope",
    "barometer",
    "tin of paint",
    "spare wick",
    "signal flag",
    "chart",
)
_KEEPERS_ZH = ("陈海生", "林阿福", "周水根", "吴大洋", "郑小船", "王守业", "李文涛", "赵德明")
_THINGS_ZH = ("一盏铜灯", "一本潮汐表", "一卷缆绳", "一只气压计", "一罐油漆", "一根备用灯芯", "一面信号旗", "一张海图")


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call the scripted model makes."""

    tool: str
    arguments: Mapping[str, Any]
    call_id: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """An agent's task, and what its model says: a reply for each entry of `turns`, then `answer`.

    Several calls in one entry are parallel. `tools` are plain functions with annotations and a docstring; the agent
    gets all of them. `user` is who asks, for frameworks that name a user or a thread. `options` are those that the
    memory is given with, ContextAdapter's; a driver whose `takes_options` is False leaves them out.
    """

    task: str
    turns: tuple[tuple[Call, ...], ...]
    tools: tuple[Callable[..., Any], ...]
    system: str = "You read the log books of lighthouses. Answer in one sentence."
    answer: str = "All log books are read."
    user: str = "ann"
    options: Mapping[str, Any] = field(default_factory=dict)


def task(language: Language = "en") -> str:
    """The question of every scenario."""
    return "How high were the waves at each lighthouse?" if language == "en" else "各个灯塔测得的浪高是多少？"


def fact(number: int, language: Language = "en") -> str:
    """The one sentence of page `number` that answers the question."""
    height = f"{2 + number * 0.37:.2f}"
    if language == "en":
        return f"The waves at the {STATIONS[number]} lighthouse were {height} metres high."
    return f"{_STATIONS_ZH[number]}灯塔测得的浪高为{height}米。"


def page(number: int, language: Language = "en", *, chars: int | None = None) -> str:
    """A log book page with the fact in its middle, where a shortened text has its gap.

    `chars` is its length, by default about 5,000 characters of English or 2,000 of Chinese.
    """
    chars = chars or (PAGE_CHARS if language == "en" else _PAGE_CHARS_ZH)
    sentences: list[str] = []
    while sum(map(len, sentences)) + len(sentences) < chars - len(fact(number, language)):
        sentences.append(_entry(number, len(sentences), language))
    sentences.insert(len(sentences) // 2, fact(number, language))
    joint = " " if language == "en" else ""
    return "\n\n".join(joint.join(sentences[at : at + 5]) for at in range(0, len(sentences), 5))


def _entry(number: int, line: int, language: Language) -> str:
    """Something about another shelf in every sentence, so that no two of them disagree."""
    at = number * 7 + line
    if language == "zh":
        who, what = _KEEPERS_ZH[at // 8 % 8], _THINGS_ZH[at % 8]
        return f"{_STATIONS_ZH[number]}的{at * 3 + 11}号架上放着{who}在{1850 + at}年带来的{what}。"
    return (
        f"Shelf {at * 3 + 11} of {STATIONS[number]} holds a {_THINGS[at % 8]} "
        f"that {_KEEPERS[at // 8 % 8]} brought over in {1850 + at}."
    )


def keeper_tools(
    language: Language = "en", *, quoted: str = "", chars: int | None = None
) -> tuple[Callable[..., Any], ...]:
    """The tools: `fetch` a page (see page), `reading` (no text), `silent` (nothing), `broken` (raises),
    `quote` (returns `quoted` and a remark).
    """

    def fetch(number: int) -> str:
        """Fetch one page of a log book.

        Args:
            number: Which page, from 0.
        """
        return page(number, language, chars=chars)

    def reading(number: int) -> dict[str, Any]:
        """Read the instruments of a lighthouse.

        Args:
            number: Which lighthouse, from 0.
        """
        return {"station": STATIONS[number], "pressure_hpa": 1000 + number, "gusts": [7, 9.5], "calm": False}

    def silent(number: int) -> None:
        """Light a lamp.

        Args:
            number: Which lamp, from 0.
        """

    def broken(number: int) -> str:
        """Ask the weather service.

        Args:
            number: Which service, from 0.
        """
        raise RuntimeError(f"the mast of station {number} is down")

    def quote(number: int) -> str:
        """Repeat something that was said before.

        Args:
            number: What to repeat, from 0.
        """
        return f"{quoted}\n\nRemark {number}: the fog horn was silent."

    return fetch, reading, silent, broken, quote


def long_task(language: Language = "en") -> Scenario:
    """Twenty pages, one call after another."""
    return read_pages(*range(len(STATIONS)), language=language)


def read_pages(*numbers: int, language: Language = "en") -> Scenario:
    """A task whose agent fetches these pages, one call after another."""
    turns = tuple((Call("fetch", {"number": number}, f"call-{number}"),) for number in numbers)
    return Scenario(task(language), turns, keeper_tools(language))


@dataclass(frozen=True, slots=True)
class Request:
    """What the model got in one call: OpenAI-style messages, and the names of the tools it was offered."""

    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[str, ...]

    @property
    def text(self) -> str:
        """What the messages say."""
        return "\n".join(text_of(message.get("content")) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Trace:
    """All requests of a run in order, and the agent's answer."""

    requests: tuple[Request, ...]
    answer: str


class AgentDriver(Protocol):
    """Runs agents of one framework with a scripted model. Called from several threads at once.

    A driver may have `shows_errors = False`, where its framework hides from the model what a tool raised;
    `follows_talk = False`, where its transcripts do not tell the user's questions from what the agent is shown;
    `joins_users = True`, where its framework itself joins messages of the user on the way to the model, after what the
    driver hands back; and `steady`, where a framework's own prompt takes most of a small budget: by `inject` the
    budget in which what stands before the block is looked at, and how often it may change there.
    """

    def run(self, scenario: Scenario, *, bank: MemoryBank | None) -> Trace:
        """A new agent does the scenario, connected to the bank the way your users do it (None: without AMB)."""
        ...

    def run_after_detaching(self, first: Scenario, second: Scenario, *, bank: MemoryBank | None) -> Trace:
        """One agent does the first scenario with the bank, the bank is taken off, and the same agent does the second.

        The trace is of the second. With None there never was a bank.
        """
        ...

    def go_on(self, first: Scenario, second: Scenario, *, bank: MemoryBank) -> Trace:
        """One agent does the first scenario with the bank and then, in the same conversation, the second.

        The trace is of the second.
        """
        ...
