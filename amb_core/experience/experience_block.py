"""An earlier call as a line of a prompt, with the time that its values are as of; escaped, and never more than data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from amb_core.experience.run_steps import RunStep
from amb_core.reading.layout_passages import read_passages
from amb_core.rendering import Language, escape_line
from amb_core.rendering.labels import EXPERIENCE_CLOSE, EXPERIENCE_HEADS, EXPERIENCE_OPEN
from amb_core.text import clip_tokens, estimate_tokens

__all__ = ["ToldLine", "experience_block", "insight_line", "parts_of", "step_line", "strip_empty"]

_SHORT, _CALL_TOKENS = 60, 260
_AS_OF: dict[Language, str] = {"en": "as of {} · {}", "zh": "截至 {} · {}"}
_FAILED: dict[Language, str] = {"en": "failed: ", "zh": "失败："}
_INSIGHT: dict[Language, str] = {
    "en": "as of {} · a model's conclusion, {}: {}",
    "zh": "截至 {} · 模型的推断（{}）：{}",
}
_PROVEN: dict[Language, tuple[str, str]] = {
    "en": ("which has not helped yet", "which helped in {} later runs"),
    "zh": ("尚未见效", "之后在 {} 次运行中见效"),
}


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of the block, the record it comes from, and the parts of a result that it shows."""

    text: str
    record: str
    parts: tuple[str, ...] = ()


def experience_block(lines: Iterable[str], language: Language) -> str:
    """The block of some lines; "" for none."""
    told = [*lines]
    return "\n".join([EXPERIENCE_OPEN, EXPERIENCE_HEADS[language], *told, EXPERIENCE_CLOSE]) if told else ""


def strip_empty(text: str) -> str:
    """A text without blocks that have no line left."""
    for head in EXPERIENCE_HEADS.values():
        text = text.replace(f"{EXPERIENCE_OPEN}\n{head}\n{EXPERIENCE_CLOSE}", "")
    return text


def parts_of(step: RunStep) -> tuple[str, ...]:
    """The source text of a result in parts that can be told alone; a short one whole, of an error its beginning."""
    output = step.output.strip()
    if not output or estimate_tokens(output) <= _SHORT:
        return (output,) if output else ()
    if step.failed:
        return (clip_tokens(output, _SHORT),)
    return tuple(output[each.start : each.end].strip() for each in read_passages(output))


def step_line(step: RunStep, record: str, parts: Sequence[str], *, language: Language) -> ToldLine:
    """A call with some parts of its result."""
    call = clip_tokens(f"{step.tool} {step.arguments}", _CALL_TOKENS)
    mark = _FAILED[language] if step.failed else ""
    told = f"{call} → {mark}{' … '.join(parts)}" if parts else call
    return ToldLine(_dated(_AS_OF[language], step.at, escape_line(told)), record, tuple(parts))


def insight_line(text: str, record: str, *, at: float, helped: int, language: Language) -> ToldLine:
    """What a model concluded from a run, with how often that helped since."""
    proven = _PROVEN[language][helped > 0].format(helped)
    return ToldLine(_dated(_INSIGHT[language], at, proven, escape_line(text)), record)


def _dated(form: str, at: float, *told: str) -> str:
    return form.format(datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M"), *told)
