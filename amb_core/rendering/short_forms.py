"""The short forms that stand in a transcript for what was taken out of it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.rendering.labels import Language, labels_for
from amb_core.rendering.safe_text import escape_line, quoted
from amb_core.text import clip_tokens, estimate_tokens, index_tokens

__all__ = [
    "Reference",
    "condensed_result",
    "head_and_tail",
    "index_line",
    "is_short_form",
    "private_line",
    "reference_line",
    "team_line",
]

_TOPIC_TOKENS = 20
_TOPICS = 3
_TOOLS = 6
_TAIL_SHARE = 3
"""One part in so many of a shortened text is its end."""

_REFERENCE = {
    "en": ("Kept in memory as {}.", "Kept in memory as {} (deep_retrieval reopens it)."),
    "zh": ("已存入记忆：{}。", "已存入记忆：{}（deep_retrieval 可重新打开）。"),
}
"""For a model without the tool `deep_retrieval`, and with it, as all pairs here."""
_PRIVATE = {
    "en": "The result of {} is kept in this agent's own memory.",
    "zh": "{} 的结果存于该智能体自己的记忆中。",
}
_TEAM = {
    "en": "What {} brought is in the team's memory.",
    "zh": "{} 的结果已在团队记忆中。",
}
_LEFT_OUT = {
    "en": "\n[… about {count} tokens left out; {where} …]\n",
    "zh": "\n[…… 此处省略约 {count} 个 token；{where} ……]\n",
}
_IN_MEMORY = {
    "en": ("the whole is in memory as {}", "the whole is in memory as {}, deep_retrieval reopens it"),
    "zh": ("全文在记忆 {} 中", "全文在记忆 {} 中，deep_retrieval 可打开"),
}
_NOT_IN_MEMORY = {"en": "they are not in memory", "zh": "未存入记忆"}
_INDEX = {
    "en": "Earlier tool calls no longer shown: {count} ({tools}).",
    "zh": "不再显示的早先工具调用：{count} 次（{tools}）。",
}
_INDEX_STEPS = {
    "en": (" Their results are in memory ({}).", ' Their results are in memory ({}); deep_retrieval("{}") opens one.'),
    "zh": ("其结果在记忆中（{}）。", '其结果在记忆中（{}），用 deep_retrieval 可打开，例如 deep_retrieval("{}")。'),
}
_STEP = re.compile(r"(?P<shared>team )?step (?P<number>\d{1,9})")
_INDEX_MESSAGES = {"en": "{} earlier messages are no longer shown.", "zh": "更早的 {} 条消息不再显示。"}
_INDEX_LOST = {"en": " {} of the results could not be stored.", "zh": "其中 {} 个结果未能存入记忆。"}


_SHORT_FORM = re.compile(
    r"\[…… 此处省略(?:约 )?\d| ?\[… (?:about )?\d+ (?:lines|tokens) left out"
    r"|^(?:Earlier tool calls no longer shown: \d|\d+ earlier messages are no longer shown\.)"
    r"|^(?:不再显示的早先工具调用：\d|更早的 \d+ 条消息不再显示)"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """Where memory has one result: its step, as "step 12" or "team step 12", or notes with the topic of each.

    `opens` says whether the model it is told to has the tool that opens it.
    """

    node_ids: tuple[str, ...]
    topics: tuple[str, ...] = ()
    opens: bool = True


def reference_line(reference: Reference, language: Language) -> str:
    """The one line that stands for an absorbed result: its notes with topics, and how to reopen them."""
    pairs = list(zip(reference.node_ids, [*reference.topics, *[""] * len(reference.node_ids)], strict=False))
    named = [f"{_shown(name, language)} {_topic(topic)}".rstrip() for name, topic in pairs[:_TOPICS]]
    if len(pairs) > _TOPICS:
        named.append(_ids([name for name, _ in pairs[_TOPICS:]], language))
    return _REFERENCE[language][reference.opens].format("; ".join(named))


def private_line(tool: str, language: Language) -> str:
    """The one line that stands, for the others of a team, for a result that is not shared with them."""
    return _PRIVATE[language].format(quoted(tool))


def team_line(tool: str, language: Language) -> str:
    """The one line that stands, for the others of a team, for a result that is in their common memory."""
    return _TEAM[language].format(quoted(tool))


def head_and_tail(text: str, budget: int, reference: Reference | None, language: Language) -> str:
    """The beginning and end of a text with a line between that says what is missing, in `budget` tokens.

    With a reference the line says where the whole is; without one, that it is nowhere else.
    """
    return text if estimate_tokens(text) <= budget else _ends(text, budget, reference, language)


def _ends(text: str, budget: int, reference: Reference | None, language: Language, *, between: str = "") -> str:
    """The beginning and the end of a text, and what stands `between` them; all of it in `budget` tokens."""
    total, where = estimate_tokens(text), _where(reference, language)
    cost = estimate_tokens(_LEFT_OUT[language].format(count=total, where=where) + between) + 1
    room = max(budget - cost, 2)
    tail = _from_whole(clip_tokens(text[::-1], room // _TAIL_SHARE)[::-1])
    head = _to_whole(clip_tokens(text, room - room // _TAIL_SHARE))
    return head.rstrip() + _LEFT_OUT[language].format(count=total - room, where=where) + between + tail.lstrip()


_UNIT_ENDS = (r"\},?[ \n]*(?=[\[{\"])", r"\n", r"[.!?](?= )|[。！？]|\],(?= )")
"""Where one thing ends and the next begins: a record, a line, a sentence or a list; what ends sooner comes first."""
_GIVEN_UP = 3
"""One part in so many of a piece is given up to end with something whole."""


def _to_whole(head: str) -> str:
    """A beginning without the record, the line or the sentence that it breaks off in."""
    for pattern in _UNIT_ENDS:
        ends = [found.end() for found in re.finditer(pattern, head)]
        if ends and len(head) - ends[-1] <= len(head) // _GIVEN_UP:
            return head[: ends[-1]]
    return head


def _from_whole(tail: str) -> str:
    """An end without the rest of the record, the line or the sentence that it begins in."""
    for pattern in _UNIT_ENDS:
        found = re.search(pattern, tail[: len(tail) // _GIVEN_UP])
        if found:
            return tail[found.end() :]
    return tail


def condensed_result(
    text: str, *, asked: str = "", tokens: int, language: Language, reference: Reference | None = None
) -> str:
    """Head and tail of a text in at most `tokens`, of a page without its markup and menus; what was `asked` between.

    Of data nothing is asked for: the block shows their records, and their ends hold more of what agents use later.
    """
    if estimate_tokens(text) <= tokens:
        return text
    from amb_core.reading.layout import Layout, detect_layout
    from amb_core.reading.layout_passages import visible_text

    parts, said = _parts(visible := visible_text(text))
    is_data = detect_layout(text) in (Layout.JSON, Layout.JSON_LINES)
    about = () if is_data else _about(said, asked, tokens // 2)
    between = "".join(f"{part}\n[…]\n" for part in about)
    shown = _ends(visible if len(said) == len(parts) else "\n".join(said), tokens, reference, language, between=between)
    return shown if estimate_tokens(shown) <= tokens else clip_tokens(text, tokens)


_PASSAGE, _LARGE = 48, 200_000
"""Tokens of the stretches that a text is shortened to; of one of more characters only the ends are left."""


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The passages of a text, and those of them that are no menus."""
    from amb_core.reading.layout_passages import read_passages
    from amb_core.reading.menus import menus

    spans = [(one.start, one.end) for one in read_passages(text, tokens=_PASSAGE)] if len(text) <= _LARGE else []
    parts = [text[start:end] for start, end in spans]
    return parts, [part for part, is_menu in zip(parts, menus(text, spans), strict=True) if not is_menu] or parts


def _about(parts: Sequence[str], asked: str, tokens: int) -> list[str]:
    """The parts with most of what was asked, rare words counting more, in their order and in so many tokens."""
    words = set(index_tokens(asked))
    held = [words.intersection(index_tokens(part)) if words else set() for part in parts]
    often = Counter(word for one in held for word in one)
    worth = [math.fsum(math.log(1 + len(parts) / often[word]) for word in one) for one in held]
    chosen: list[int] = []
    for at in sorted(range(len(parts)), key=lambda at: (-worth[at], at)):
        tokens -= estimate_tokens(parts[at])
        if not worth[at] or tokens < 0:
            break
        chosen.append(at)
    return [parts[at] for at in sorted(chosen)]


def _where(reference: Reference | None, language: Language) -> str:
    return (
        _NOT_IN_MEMORY[language]
        if reference is None
        else _IN_MEMORY[language][reference.opens].format(_ids(reference.node_ids, language))
    )


def is_short_form(text: str) -> bool:
    """Whether a text is what an adapter left of another one, as a host may write it back into its transcript."""
    return _SHORT_FORM.search(text) is not None


def index_line(results: Sequence[tuple[str, Reference | None]], language: Language, *, messages: int = 0) -> str:
    """The bounded line that stands for all dropped results, given as (tool, reference or None when not stored).

    `messages` says how many messages that are no tool results were dropped besides.
    """
    line = _results_line(results, language) if results or not messages else ""
    said = _INDEX_MESSAGES[language].format(messages) if messages else ""
    return " ".join(part for part in (line, said) if part)


def _results_line(results: Sequence[tuple[str, Reference | None]], language: Language) -> str:
    tools = Counter(tool for tool, _ in results)
    ranked = sorted(tools, key=lambda tool: (-tools[tool], tool))
    named = [f"{quoted(escape_line(tool)[:40], also=',、')} ×{tools[tool]}" for tool in ranked[:_TOOLS]]
    if len(ranked) > _TOOLS:
        named.append("…")
    line = _INDEX[language].format(count=len(results), tools=", ".join(named))
    kept = [reference for _, reference in results if reference and reference.node_ids]
    names = [name for reference in kept for name in reference.node_ids]
    if names:
        opens = all(reference.opens for reference in kept)
        line += _INDEX_STEPS[language][opens].format(_ids(names, language), names[0])
    lost = sum(reference is None for _, reference in results)
    return line + (_INDEX_LOST[language].format(lost) if lost else "")


def _topic(topic: str) -> str:
    line = escape_line(topic)
    clipped = clip_tokens(line, _TOPIC_TOKENS)
    return quoted(line if clipped == line else clipped.rstrip() + "…")


def _ids(names: Iterable[str], language: Language) -> str:
    """Steps or notes, each once, in few words."""
    once = list(dict.fromkeys(names))
    told = [_shown(name, language) for name in (once if len(once) <= 4 else (*once[:2], once[-1]))]
    return ", ".join(told) if len(once) <= 4 else f"{told[0]}, {told[1]} … {told[2]}"


def _shown(name: str, language: Language) -> str:
    """A step in our words, or the id of a note in brackets."""
    step = _STEP.fullmatch(name)
    if step is None:
        return f"[{name}]"
    labels = labels_for(language)
    return (labels.shared_step if step["shared"] else labels.step).format(step["number"])
