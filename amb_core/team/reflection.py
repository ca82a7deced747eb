"""Looks back at a task: what worked, why it failed, and what a later task can use of it."""

from __future__ import annotations

from collections.abc import Sequence

from amb_core.frozen import Frozen
from amb_core.rendering import Language
from amb_core.team.actions import argument_of
from amb_core.team.question_kind import question_type
from amb_core.team.team_records import Hop, Insight, Skill, Trajectory
from amb_core.text import clip_tokens, detect_language, entities

__all__ = ["Reflection", "reflect"]

_MOST_STEPS, _SHOWN = 8, 40
"""Steps that are told of each kind, and tokens of what a failed one brought."""


class Reflection(Frozen):
    """What a task taught: the steps that brought something, why it failed, and what is kept for later tasks.

    `worked` are steps with what each brought, `failed` those that brought nothing, with the beginning of what did come.
    """

    worked: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    failed_because: str = ""
    strategy: str = ""
    trajectory: Trajectory
    insights: tuple[Insight, ...] = ()
    skill: Skill | None = None


_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "way": "Questions of type {kind}: the page of what the question names has the answer ({pattern}).",
        "bridge": "Questions of type {kind} that go over another entity: search the entity the question names first, "
        "then the one found there ({pattern}).",
        "no result": "Searches that find nothing cost steps: search for the name of a page, or a suggested title.",
        "repeated": "the same search was made again {count} times",
        "no answer": "no step brought an answer",
        "wrong": "the answer {answer!r} did not hold",
        "dead ends": "{count} of {all} steps found nothing",
        "then": ", then ",
    },
    "zh": {
        "way": "{kind} 类问题：问题中所提名称的条目即含答案（{pattern}）。",
        "bridge": "需经过中间实体的 {kind} 类问题：先查问题中提到的实体，再查所得到的实体（{pattern}）。",
        "no result": "无结果的检索浪费步骤：应检索条目名称，并采用系统提示的相似条目。",
        "repeated": "同一检索重复了 {count} 次",
        "no answer": "没有一步得到答案",
        "wrong": "答案“{answer}”不成立",
        "dead ends": "{all} 步中有 {count} 步无所获",
        "then": "，然后 ",
    },
}


def reflect(
    task: str, hops: Sequence[Hop], *, answer: str, success: bool, reason: str = "", repeats: int = 0
) -> Reflection:
    """Read off the hops what a later task of this kind can use; nothing is claimed that no hop shows.

    `reason` is why the task failed, as its environment said; `repeats` how many searches were made again.
    """
    words, kind = _WORDS[detect_language(task)], question_type(task)
    useful = [hop for hop in hops if hop.success and _brought(hop)]
    path = _path_to(answer, useful) if success else useful
    steps = tuple(f"{hop.action} → {_brought(hop)}" for hop in path)[-_MOST_STEPS:]
    because = "" if success else reason or _cause(hops, answer, repeats, words)
    pattern = _pattern(task, path) if success else ()
    general = bool(pattern) and all("{subject}" in step or "{bridge}" in step for step in pattern)
    strategy = words["then"].join(pattern)
    insights: list[Insight] = []
    if general:
        text = words["bridge" if "{bridge}" in strategy else "way"].format(kind=kind, pattern=strategy)
        insights.append(Insight(text=text, question_type=kind, success=True, importance=0.6))
    if sum(not hop.success for hop in hops) > 1:
        insights.append(Insight(text=words["no result"], question_type=kind, success=success, importance=0.4))
    return Reflection(
        worked=steps,
        failed=tuple(dict.fromkeys(map(_in_vain, (hop for hop in hops if not hop.success))))[-_MOST_STEPS:],
        failed_because=because,
        strategy=strategy,
        trajectory=Trajectory(task=task, steps=steps, answer=answer, success=success, reason=because),
        insights=tuple(insights),
        skill=Skill(pattern=pattern, question_type=kind, uses=1, successes=1) if general else None,
    )


def _brought(hop: Hop) -> str:
    """What a hop brought: an answer, or the entity that leads on."""
    return hop.extracted_answer or hop.bridge_entity or ""


def _in_vain(hop: Hop) -> str:
    return f"{hop.action} → {clip_tokens(' '.join(hop.observation.split()), _SHOWN)}"


def _path_to(answer: str, useful: Sequence[Hop]) -> list[Hop]:
    """The hops that led to the answer: from the one that named it back over the entities it was asked with."""
    path: list[Hop] = []
    wanted = answer.casefold()
    for hop in reversed(useful):
        found = _brought(hop).casefold()
        if wanted and (found in wanted or wanted in found):
            path.insert(0, hop)
            wanted = argument_of(hop.action).casefold()
    return path or list(useful[-2:])


def _pattern(task: str, path: Sequence[Hop]) -> tuple[str, ...]:
    """The actions of a path with `{subject}` for what the task names and `{bridge}` for what a hop found."""
    named = [entity.name for entity in entities(task)]
    bridges: list[str] = []
    pattern: list[str] = []
    for hop in path:
        action = hop.action
        for mark, names in (("{bridge}", bridges), ("{subject}", named)):
            for name in sorted(names, key=len, reverse=True):
                action = action.replace(name, mark)
        pattern.append(action)
        bridges += [name for name in (hop.extracted_answer, hop.bridge_entity) if name]
    return tuple(dict.fromkeys(pattern))


def _cause(hops: Sequence[Hop], answer: str, repeats: int, words: dict[str, str]) -> str:
    if repeats:
        return words["repeated"].format(count=repeats)
    in_vain = sum(not hop.success for hop in hops)
    if in_vain * 2 > len(hops):
        return words["dead ends"].format(count=in_vain, all=len(hops))
    return words["wrong"].format(answer=answer) if answer else words["no answer"]
