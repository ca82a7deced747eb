"""The calls of a run with their arguments and results, and what later calls took from each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from pydantic import JsonValue, ValidationError

from amb_core.frozen import Frozen
from amb_core.memory.passage_terms import identifiers
from amb_core.models import BankSnapshot, InsightDoc, InteractionEntry
from amb_core.reading import read_records
from amb_core.reading.layout_passages import read_passages
from amb_core.reading.outcomes import has_failed
from amb_longterm import MemoryRecord

__all__ = ["RunStep", "call_code", "code_of", "record_code", "run_code", "steps_of"]

_LETTERS = 16
_MOST_ARGUMENTS, _MOST_OUTPUT, _MOST_USED = 4_000, 12_000, 60
_KEYS = ("id", "key", "code", "number", "编号")


class RunStep(Frozen):
    """One call of a run: what was called with what, what came back, and what later calls took from that.

    `call` and `about` are codes of the call and of the one record that its result is (""); `entry` is the entry of the
    run's bank that the result became; `at` is when it was read, in seconds since the epoch. `helped` are the runs that
    used it after it was shown to them.
    """

    number: int
    tool: str
    arguments: str = "{}"
    output: str = ""
    call: str
    about: str = ""
    failed: bool = False
    used: tuple[str, ...] = ()
    entry: str = ""
    at: float = 0.0
    helped: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        """The text of its record: the call on one line, and the result."""
        return f"{self.tool} {self.arguments}\n{self.output}"

    @property
    def metadata(self) -> dict[str, JsonValue]:
        """What its record says beside its text."""
        return self.model_dump(mode="json", exclude={"tool", "arguments", "output"})

    @classmethod
    def of(cls, record: MemoryRecord) -> RunStep | None:
        """The step that a record keeps; None for one that cannot be read."""
        head, _, output = record.content.partition("\n")
        tool, _, arguments = head.partition(" ")
        kept = {name: value for name, value in record.metadata.items() if name in cls.model_fields}
        try:
            return cls.model_validate({**kept, "tool": tool, "arguments": arguments, "output": output})
        except ValidationError:
            return None


def code_of(*parts: str) -> str:
    """Sixteen letters that stand for some texts; no redactor takes them for a number or a key."""
    digest = sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    return "".join(chr(ord("a") + byte % 26) for byte in digest[:_LETTERS])


def run_code(insight: InsightDoc) -> str:
    """The code of the run that a bank is, the same for all its goals."""
    return code_of(insight.doc_id)


def call_code(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """The code of a call; the order of its arguments makes no difference."""
    return code_of(tool, json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str))


def record_code(output: str) -> str:
    """The code of the one record a result is, by its first key, such as `order_id`; "" where it is none or several."""
    root = read_records(output).get("")
    if root is None or output.lstrip()[:1] != "{":
        return ""
    key = next(((name, value) for name, value in root.fields.items() if name.lower().endswith(_KEYS)), None)
    return code_of(*key) if key else ""


def steps_of(state: BankSnapshot, *, agent: str) -> list[RunStep]:
    """The calls that a bank holds of an agent ("": of one without a name), oldest first, without the forgotten."""
    texts = {entry.entry_id: entry.text for entry in state.entries}
    own = [entry for entry in state.entries if _is_of(entry, agent)]
    asked = [_told(entry.metadata.get("arguments")) for entry in own]
    found: list[RunStep] = []
    for number, entry in enumerate(own):
        text = entry.text or texts.get(entry.parent_id or "", "")
        later = frozenset[str]().union(*(identifiers(told) for told in asked[number + 1 :]))
        used = sorted(identifiers(text) & (later - identifiers("\n".join(asked[: number + 1]))))
        found.append(_step(entry, text, asked[number], tuple(used[:_MOST_USED])))
    return found


def _is_of(entry: InteractionEntry, agent: str) -> bool:
    said = entry.metadata
    return said.get("kind") == "tool" and not entry.forgotten and str(said.get("agent", "")) == agent


def _step(entry: InteractionEntry, text: str, asked: str, used: tuple[str, ...]) -> RunStep:
    tool = _name(str(entry.metadata.get("tool", "tool")))
    arguments = entry.metadata.get("arguments")
    return RunStep(
        number=int(entry.entry_id[1:]),
        tool=tool,
        arguments=asked[:_MOST_ARGUMENTS],
        output=_kept(text, used),
        call=call_code(tool, arguments if isinstance(arguments, dict) else {}),
        about=record_code(text),
        failed=bool(entry.metadata.get("is_error")) or has_failed(text),
        used=used,
        entry=entry.entry_id,
        at=entry.timestamp,
    )


def _name(tool: str) -> str:
    """A tool's name as one word, with which the text of its record begins."""
    return "_".join(tool.split())


def _told(arguments: JsonValue) -> str:
    return json.dumps(arguments if isinstance(arguments, dict) else {}, ensure_ascii=False)


def _kept(text: str, used: Sequence[str]) -> str:
    """A result as it is kept: of a long one what later calls used, or else its beginning."""
    if len(text) <= _MOST_OUTPUT:
        return text
    wanted = [text[each.start : each.end] for each in read_passages(text) if _holds(text[each.start : each.end], used)]
    return ("\n".join(wanted) or text)[:_MOST_OUTPUT]


def _holds(text: str, used: Sequence[str]) -> bool:
    return any(one in text for one in used)
