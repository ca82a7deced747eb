"""What is put before an agent: the team's hops and facts, its own notes, and what earlier tasks taught."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from amb_core.rendering import Language, escape_line
from amb_core.rendering.blocks import TEAM_CLOSE, TEAM_OPEN
from amb_core.rendering.labels import TEAM_HEADS
from amb_core.team.meta_hits import MetaHits
from amb_core.team.private_memory import PrivateMemory
from amb_core.team.queries import argument_of, normalised
from amb_core.team.records import Evidence, Fact, Hop, Noted, ReasoningStep
from amb_core.team.scope import Ranked
from amb_core.team.settings import TeamSettings
from amb_core.team.shared_memory import SharedMemory
from amb_core.team.team_words import WORDS, TeamWords
from amb_core.text import clip_tokens, detect_language, estimate_tokens

__all__ = ["TeamView", "current_query", "team_block"]

_Kept = TypeVar("_Kept", bound=Noted)

_LINE_TOKENS = 60
_MOST_SEARCHES = 8
_MOST_PLANS = 2
_MOST_CHALLENGES = 2


@dataclass(frozen=True, slots=True)
class TeamView:
    """What one agent may be shown: its own memory, the team's, and hits of meta memory for the task."""

    task: str
    shared: SharedMemory
    private: PrivateMemory | None = None
    meta: MetaHits = field(default_factory=MetaHits)


@dataclass(frozen=True, slots=True)
class _Section:
    heading: str
    lines: tuple[str, ...]


def current_query(task: str, *, asked: str = "", last_hop: Hop | None = None) -> str:
    """What memory is searched for: the sub-question with the bridge entity, never the whole prompt.

    `asked` is the sub-question if the agent said one; else it is that of the last hop, else the task.
    """
    if asked.strip():
        return asked.strip()
    if last_hop is None:
        return task
    bridge = last_hop.bridge_entity or last_hop.extracted_answer or ""
    return f"{bridge} {task}".strip() if bridge else task


def team_block(
    view: TeamView, *, query: str, budget_tokens: int, settings: TeamSettings, stronger: bool = False
) -> str:
    """The block of one agent within `budget_tokens` tokens, tags included; "" when there is nothing to tell.

    No line stands in it twice; what matters most comes first and is kept when there is little room. `stronger` shows
    more of everything, for an agent that is stuck.
    """
    language = detect_language(view.task)
    words = WORDS[language]
    times = settings.stronger if stronger else 1.0
    parts = [
        *_of_agent_warnings(view, words),
        *_of_team(view, query, words, k=round(settings.top_shared * times)),
        *_of_agent(view, query, words, k=round(settings.top_private * times)),
        *_of_earlier(view.meta, words),
    ]
    if not parts:
        return ""
    return _fitted(view, parts, words, language, budget_tokens)


def _of_agent_warnings(view: TeamView, words: TeamWords) -> list[_Section]:
    challenges = view.private.challenges[-_MOST_CHALLENGES:] if view.private is not None else []
    lines = tuple(words.challenge.format(_line(each.content)) for each in reversed(challenges))
    return [_Section(words.own, lines)] if lines else []


def _of_team(view: TeamView, query: str, words: TeamWords, *, k: int) -> list[_Section]:
    shared = view.shared
    facts = _of_kind(shared.retrieve(query, k=k, kinds=(Fact,)), Fact) or shared.facts[-k:]
    hops = shared.hops[-k:]
    told = tuple(_line(fact.text) + (words.disputed if fact.disputed else "") for fact in facts)
    done = tuple(
        words.hop.format(action=_line(hop.action), answer=_line(hop.extracted_answer or words.no_answer))
        for hop in hops
    )
    searched = dict.fromkeys(_line(argument_of(each.query)) for each in reversed(shared.searches))
    sections = [_Section(words.facts, told), _Section(words.hops, done)]
    if searched:
        sections.append(_Section(words.searched.format("; ".join([*searched][:_MOST_SEARCHES])), ()))
    return [section for section in sections if section.lines or _stands_alone(section.heading)]


def _of_agent(view: TeamView, query: str, words: TeamWords, *, k: int) -> list[_Section]:
    private = view.private
    if private is None:
        return []
    lines = [words.plan.format(_line(item.description)) for item in private.pending()[:_MOST_PLANS]]
    for guess in private.top_hypotheses(k):
        told = words.verified if guess.verified else words.hypothesis
        lines.append(told.format(_line(guess.content), confidence=f"{guess.confidence:.1f}"))
    for step in _of_kind(private.retrieve(query, k=k, kinds=(ReasoningStep,)), ReasoningStep):
        lines.append(words.step.format(premise=_line(step.premise), conclusion=_line(step.conclusion)))
    for seen in _of_kind(private.retrieve(query, k=k, kinds=(Evidence,)), Evidence):
        lines.append(words.evidence.format(_line(seen.content)))
    return [_Section(words.own, tuple(lines))] if lines else []


def _of_earlier(meta: MetaHits, words: TeamWords) -> list[_Section]:
    lines = [words.insight.format(_line(each.text)) for each in meta.insights]
    lines += [
        words.skill.format(successes=each.successes, uses=each.uses, pattern=_line(" → ".join(each.pattern)))
        for each in meta.skills
    ]
    for went in meta.successes:
        steps = _line(" → ".join(went.steps))
        lines.append(words.worked.format(task=_line(went.task), steps=steps, answer=_line(went.answer)))
    for went in meta.failures:
        steps = _line(" → ".join(went.steps))
        lines.append(words.failed.format(task=_line(went.task), steps=steps, reason=_line(went.reason)))
    return [_Section(words.earlier, tuple(lines))] if lines else []


def _fitted(
    view: TeamView, sections: Sequence[_Section], words: TeamWords, language: Language, budget_tokens: int
) -> str:
    """As many lines as there is room for; a line that says what another says is left out."""
    shared = view.shared
    done = min(len(shared.hops), shared.estimated_hops)
    state = words.state.format(state=words.states[shared.status], done=done, all=shared.estimated_hops)
    head = [TEAM_OPEN, TEAM_HEADS[language], words.question.format(_line(view.task)), state]
    kept: dict[str, list[str]] = {}
    seen: set[str] = set()
    for section in sections:
        kept.setdefault(section.heading, [])
        for line in section.lines:
            bare = normalised(line.partition("：")[2] or line.partition(": ")[2] or line)
            tried = {**kept, section.heading: [*kept[section.heading], f"- {line}"]}
            if bare in seen or estimate_tokens(_joined(head, tried)) > budget_tokens:
                continue
            seen.add(bare)
            kept = tried
        if not section.lines and estimate_tokens(_joined(head, kept)) > budget_tokens:
            del kept[section.heading]
    kept = {heading: lines for heading, lines in kept.items() if lines or _stands_alone(heading)}
    text = _joined(head, kept)
    return text if kept and estimate_tokens(text) <= budget_tokens else ""


def _stands_alone(heading: str) -> bool:
    """Whether a heading says something by itself."""
    return not heading.endswith((":", "："))


def _joined(head: Sequence[str], sections: dict[str, list[str]]) -> str:
    lines = [*head]
    for heading, said in sections.items():
        lines += [heading, *said]
    return "\n".join([*lines, TEAM_CLOSE])


def _of_kind(ranked: Iterable[Ranked], kind: type[_Kept]) -> list[_Kept]:
    return [each.record for each in ranked if isinstance(each.record, kind)]


def _line(text: str) -> str:
    """A text as one harmless line of bounded length."""
    line = escape_line(text)
    return line if estimate_tokens(line) <= _LINE_TOKENS else clip_tokens(line, _LINE_TOKENS).rstrip() + "…"
