"""The short forms that stand in a transcript for what was taken out of it."""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from amb_core.rendering.labels import Language, labels_for
from amb_core.rendering.safe_text import escape_line, quoted
from amb_core.text import clip_tokens, estimate_tokens, index_tokens
from amb_core.text.tokens import TokenScale

if TYPE_CHECKING:
    from amb_core.reading.layout_passages import PassageSpan

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
_GAP = {
    "en": ("\n[… {count} lines left out{more} …]\n", "\n[… about {count} tokens left out{more} …]\n"),
    "zh": ("\n[…… 此处省略 {count} 行{more} ……]\n", "\n[…… 此处省略约 {count} 个 token{more} ……]\n"),
}
"""What stands for a gap, counted in lines where it has some."""
_MORE = {"en": "; {}", "zh": "；{}"}
_LONGEST_PLACE = 60
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
    total = estimate_tokens(text)
    if total <= budget:
        return text
    where = _where(reference, language)
    room = max(budget - estimate_tokens(_LEFT_OUT[language].format(count=total, where=where)) - 1, 2)
    tail = clip_tokens(text[::-1], room // _TAIL_SHARE)[::-1]
    head = clip_tokens(text, room - room // _TAIL_SHARE)
    return head.rstrip() + _LEFT_OUT[language].format(count=total - room, where=where) + tail.lstrip()


def condensed_result(
    text: str, *, asked: str, tokens: int, language: Language, reference: Reference | None = None
) -> str:
    """Head, tail and the passages of a result that say most of what was `asked`, in order, in at most `tokens`.

    Every gap says how much was left out; the first one where the whole is: in memory with a reference, else nowhere.
    Of data whole members stand there, and one line at the end says how much was left out. Where nothing matches, the
    head is longer.
    """
    if estimate_tokens(text) <= tokens:
        return text
    from amb_core.reading.layout import Layout, detect_layout
    from amb_core.reading.layout_passages import read_passages, visible_text

    visible = visible_text(text)
    if visible != text and estimate_tokens(visible) <= tokens:
        return visible
    text = visible
    where = _where(reference, language)
    size = min(_PASSAGE, max(tokens // 6, 8))
    passages = read_passages(text, tokens=size) if len(text) <= _LARGE else _passages_near(text, asked, size)
    room = tokens - estimate_tokens(_GAP[language][1].format(count=99_999, more=_MORE[language].format(where)))
    wanted = _wanted(text, passages, asked=asked, room=room + room // 5)
    scale = cache(lambda: TokenScale(text))

    is_data = detect_layout(text) in (Layout.JSON, Layout.JSON_LINES)

    def shown(count: int) -> str:
        if is_data:
            return _members(text, wanted[:count], where=where, language=language)
        return _with_gaps(text, passages, wanted[:count], where=where, language=language, scale=scale)

    def is_too_long(count: int) -> bool:
        return estimate_tokens(shown(count)) > tokens

    most = 1 + bisect_left(range(2, len(wanted) + 1), True, key=is_too_long)
    if most > 1:
        return shown(most)
    ends = head_and_tail(text, tokens, reference, language)
    return ends if estimate_tokens(ends) <= tokens else clip_tokens(text, tokens)


_PASSAGE = 48
_HEAD_SHARE, _END_SHARE = 0.25, 0.15
_GAP_TOKENS = 12

_LARGE, _PART, _PARTS = 200_000, 4_000, 8
"""Of a text of more characters only so many parts of about this size are read closely, beside its beginning and end."""
_JOINT = 200
"""Characters that two neighbouring passages of a large text may have between them."""
_WORD = re.compile(r"\w{2,}")

_Stretch = tuple[int, int, str]
"""Characters `start:end` of a text, and where they stand."""


def _where(reference: Reference | None, language: Language) -> str:
    return (
        _NOT_IN_MEMORY[language]
        if reference is None
        else _IN_MEMORY[language][reference.opens].format(_ids(reference.node_ids, language))
    )


def _wanted(text: str, passages: Sequence[PassageSpan], *, asked: str, room: int) -> list[_Stretch]:
    """What to show, the most important first: the beginning, the end, what was asked for, and more from the top."""
    from amb_core.reading.layout_passages import excerpt_around

    sizes = [estimate_tokens(text[one.start : one.end]) for one in passages]
    worth = _worth(text, passages, asked)
    head = _while_fits(range(len(passages)), sizes, room=_HEAD_SHARE * room)
    tail = _while_fits(range(len(passages) - 1, len(head), -1), sizes, room=_END_SHARE * room)
    ranked = sorted((at for at in range(len(passages)) if worth[at] > 0), key=lambda at: (-worth[at], at))
    order = list(dict.fromkeys((*head[:1], *tail[:1], *head, *tail, *ranked, *range(len(passages)))))
    found: list[_Stretch] = []
    shown: set[int] = set()
    for at in order:
        one = passages[at]
        cost = sizes[at] + _GAP_TOKENS * (at - 1 not in shown and at + 1 not in shown)
        if cost <= room:
            found.append((one.start, one.end, one.path))
        elif worth[at] > 0 and room > 2 * _GAP_TOKENS:
            around = excerpt_around(text, one, terms=index_tokens(asked), tokens=room - _GAP_TOKENS)
            found += [(start, end, one.path) for start, end in around]
            break
        else:
            break
        shown.add(at)
        room -= cost
    return found


def _passages_near(text: str, asked: str, size: int) -> list[PassageSpan]:
    """The passages of the beginning, the end, and those parts of a large text that have most of what was asked."""
    from amb_core.reading.layout_passages import PassageSpan, read_passages

    starts = [0]
    while len(text) - starts[-1] > _PART:
        near = starts[-1] + _PART
        line = text.find("\n", near, near + _PART)
        starts.append(near if line < 0 else line + 1)
    parts = list(itertools.pairwise([*starts, len(text)]))
    folded = text.casefold() if len(text.casefold()) == len(text) else text.lower()
    words = dict.fromkeys(one for word in _WORD.findall(asked.casefold()) for one in _pieces_of(word))
    held = [[word for word in words if folded.find(word, start, end) >= 0] for start, end in parts]
    often = Counter(word for one in held for word in one)
    worth = [math.fsum(math.log(1 + len(parts) / often[word]) for word in one) for one in held]
    best = sorted(range(len(parts)), key=lambda at: (-worth[at], at))[:_PARTS]
    places = sorted({0, 1, len(parts) - 1, *(at for at in best if worth[at] > 0)} & set(range(len(parts))))
    return [
        PassageSpan(parts[at][0] + one.start, parts[at][0] + one.end, one.path)
        for at in places
        for one in read_passages(text[slice(*parts[at])], tokens=size)
    ]


def _pieces_of(word: str) -> list[str]:
    """A word as it is looked for: Chinese by two characters at a time."""
    return [word] if word.isascii() else [word[at : at + 2] for at in range(max(len(word) - 1, 1))]


def _while_fits(places: Iterable[int], sizes: Sequence[int], *, room: float) -> list[int]:
    """The places up to where the room is full; the first in any case."""
    found: list[int] = []
    for at in places:
        room -= sizes[at]
        if found and room < 0:
            break
        found.append(at)
    return found


def _worth(text: str, passages: Sequence[PassageSpan], asked: str) -> list[float]:
    """What of the words asked for each passage has, rare ones counting more."""
    words = set(index_tokens(asked))
    held = [words.intersection(index_tokens(f"{one.path} {text[one.start : one.end]}")) for one in passages]
    often = Counter(word for one in held for word in one)
    return [math.fsum(math.log(1 + len(passages) / often[word]) for word in one) for one in held]


def _members(text: str, wanted: Sequence[_Stretch], *, where: str, language: Language) -> str:
    """The members of data in which the stretches stand, and a line that says how much was left out."""
    from amb_core.reading.passage_units import PassageSpan, whole_sentences
    from amb_core.reading.shown_parts import shown_parts

    spans = [PassageSpan(*whole_sentences(text, start, end), path) for start, end, path in wanted]
    said = "\n".join(part.text for part in shown_parts(text, spans))
    left = max(TokenScale(text).between(0, len(text)) - estimate_tokens(said), 1)
    return said + _GAP[language][1].format(count=left, more=_MORE[language].format(where)).rstrip("\n")


def _with_gaps(
    text: str,
    passages: Sequence[PassageSpan],
    wanted: Sequence[_Stretch],
    *,
    where: str,
    language: Language,
    scale: Callable[[], TokenScale],
) -> str:
    """The stretches in order; neighbours with the raw text between them, else with what was left out, counted."""

    def gap(start: int, end: int, path: str) -> str:
        lines = text[start:end].strip().count("\n") + 1
        place = quoted(path) if len(path) <= _LONGEST_PLACE else ""
        more = "".join(_MORE[language].format(part) for part in (where, place) if part)
        in_lines, in_tokens = _GAP[language]
        count = lines if lines > 2 else scale().between(start, end)
        return (in_lines if lines > 2 else in_tokens).format(count=count, more=more)

    ordered = sorted(wanted)
    pairs = ((one.end, other.start) for one, other in itertools.pairwise(passages))
    edges = {end: start for end, start in pairs if start - end <= _JOINT or len(text) <= _LARGE}
    parts: list[str] = []
    done = ordered[0][0] if not text[: ordered[0][0]].strip() else 0
    for start, end, path in ordered:
        if edges.get(done) == start or start == done:
            parts.append(text[done:end])
        else:
            parts += (gap(done, start, path), text[start:end])
            where = ""
        done = end
    if text[done:].strip():
        parts.append(gap(done, len(text), ""))
    return "".join(parts)


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
