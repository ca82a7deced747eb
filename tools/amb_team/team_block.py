"""What is put before an agent: the team's facts and hops, what to do next, its own notes, what earlier tasks taught."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from amb_core.rendering import Language, escape_line, quoted, unquoted
from amb_core.rendering.labels import TEAM_CLOSE, TEAM_HEADS, TEAM_OPEN
from amb_core.text import clip_tokens, detect_language, estimate_tokens
from amb_team.actions import argument_of, is_page_name, normalised
from amb_team.meta_memory import MetaHits, is_like
from amb_team.role_contract import HEADINGS, RoleContract
from amb_team.shared_memory import PrivateMemory, SharedMemory
from amb_team.team_records import (
    Challenge,
    Evidence,
    Fact,
    Hop,
    Hypothesis,
    PlanItem,
    PlanStatus,
    ReasoningStep,
    SearchResult,
)
from amb_team.team_settings import TeamSettings
from amb_values import name_key

__all__ = ["WORDS", "TeamView", "current_query", "team_block"]

_LINE_TOKENS = 60
_JOINT = "; "
_MOST_SEARCHES = 10
_MOST_OPEN = 3
_MOST_ANSWERS = 2
_MOST_CHALLENGES = 2
_LEAST_GUESS = 0.5
"""How sure a guess of an agent's own must be to be shown."""
_QUERY_TOKENS = 16
"""Tokens of a query in a list of queries."""
_QUESTION_SHARE = 0.2
"""The question is left out where it would take more of the budget: it stands in the agent's prompt anyhow."""
_ANSWER, _FACT, _NEXT, _SEARCHED, _WARNING, _REST, _OWN, _EARLIER = range(8)
"""What is kept when there is little room: the first of these before the others."""

_Words = dict[str, str]
WORDS: dict[Language, _Words] = {
    "en": {
        "question": "Question: {}",
        "state": "State: {state}, hop {done} of about {all}",
        "in_progress": "in progress",
        "completed": "completed",
        "failed": "failed",
        "hops": "What the team did:",
        "hop": "{action} → {answer}",
        "searched": "Already searched, do not repeat: {}",
        "in_vain": "Found nothing: {}",
        "whole": "the whole question",
        "answer": "Answer so far: {}",
        "wrong": "Did not hold before: {}",
        "answer_from": "{answer} ({confidence}, from {action})",
        "next": "To ask next: {}",
        "facts": "Found, as written:",
        "disputed": " (disputed)",
        "about": "{subject}: {fact}",
        "claim": "{agent}: {text} (“{quote}”)",
        "own": "Your own notes:",
        "hypothesis": "may be the answer ({confidence}): {}",
        "verified": "holds: {}",
        "step": "{premise} → {conclusion}",
        "evidence": "seen: {}",
        "plan": "to ask next: {}",
        "challenge": "caution: {}",
        "earlier": "From earlier tasks:",
        "worked": "worked: {task} → {steps} → {answer}",
        "no_good": "failed: {task} → {steps} ({reason})",
        "insight": "learnt: {}",
        "skill": "a way that worked {successes} of {uses} times: {pattern}",
    },
    "zh": {
        "question": "问题：{}",
        "state": "状态：{state}，第 {done} 跳，预计共 {all} 跳",
        "in_progress": "进行中",
        "completed": "已完成",
        "failed": "失败",
        "hops": "团队已做：",
        "hop": "{action} → {answer}",
        "searched": "已检索过，勿重复：{}",
        "in_vain": "无结果：{}",
        "whole": "整个问题",
        "answer": "目前的答案：{}",
        "wrong": "以往不成立的答案：{}",
        "answer_from": "{answer}（{confidence}，来自 {action}）",
        "next": "下一步查询：{}",
        "facts": "查到的原文：",
        "disputed": "（有争议）",
        "about": "{subject}：{fact}",
        "claim": "{agent}：{text}（“{quote}”）",
        "own": "你自己的笔记：",
        "hypothesis": "可能的答案（{confidence}）：{}",
        "verified": "已证实：{}",
        "step": "{premise} → {conclusion}",
        "evidence": "见到：{}",
        "plan": "下一步查询：{}",
        "challenge": "注意：{}",
        "earlier": "以往任务：",
        "worked": "成功：{task} → {steps} → {answer}",
        "no_good": "失败：{task} → {steps}（{reason}）",
        "insight": "经验：{}",
        "skill": "有效做法（{uses} 次中成功 {successes} 次）：{pattern}",
    },
}
"""The fixed words of a block, with their places to fill."""


@dataclass(frozen=True, slots=True)
class _Section:
    """Lines under a heading, or one line of `joined` pieces; each line with its rank, 0 gets room first."""

    heading: str
    lines: tuple[tuple[int, str], ...]
    joined: bool = False
    mark: str = "- "

    def rendered(self, kept: Collection[int]) -> list[str]:
        """The section with some of its lines; [] without any."""
        lines = [line for place, (_, line) in enumerate(self.lines) if place in kept]
        if not lines:
            return []
        return (
            [self.heading.format(_JOINT.join(lines))]
            if self.joined
            else [self.heading, *(f"{self.mark}{x}" for x in lines)]
        )


@dataclass(frozen=True, slots=True)
class TeamView:
    """What one agent may be shown: its own memory, the team's, and hits of meta memory for the task."""

    task: str
    shared: SharedMemory
    private: PrivateMemory | None = None
    meta: MetaHits = field(default_factory=MetaHits)
    role: RoleContract | None = None
    refuted: tuple[str, ...] = ()


def current_query(task: str, *, asked: str = "", last_hop: Hop | None = None) -> str:
    """What memory is searched for: the sub-question with the bridge entity, never the whole prompt.

    `asked` is the sub-question if the agent said one; else it is that of the last hop, else the task.
    """
    if asked.strip():
        return asked.strip()
    bridge = "" if last_hop is None else last_hop.bridge_entity or last_hop.extracted_answer or ""
    return f"{bridge} {task}".strip() if bridge else task


def team_block(
    view: TeamView,
    *,
    query: str,
    budget_tokens: int,
    settings: TeamSettings,
    stronger: bool = False,
    held: str = "",
) -> str:
    """The block of one agent within `budget_tokens` tokens, tags included; "" when there is nothing to tell.

    No line stands in it twice. With little room the answer so far and the two leading facts are kept first, then what
    to ask next and what was searched, these before all else. `stronger` shows more of everything, for an agent that is
    stuck. What stands in the request, which is `held`, is not told again.
    """
    language = detect_language(view.task)
    words = WORDS[language]
    times = settings.stronger if stronger else 1.0
    sections = [
        *_of_team(view, query, words, k=round(settings.top_shared * times)),
        *_of_next(view, words, held),
        *_of_role(view, language, k=round(settings.max_hypotheses * times)),
        _Section(words["own"], tuple(_of_agent(view, query, words, k=round(settings.top_private * times)))),
        _Section(words["earlier"], tuple(_of_earlier(view, words))),
    ]
    if held:
        known = _flat(held)
        sections = [_without(section, known) for section in sections]
    return _fitted(_head(view, words, language, budget_tokens, held), sections, budget_tokens)


def _without(section: _Section, known: str) -> _Section:
    """A section without the lines of which all that they say is known already; what to do next is said again."""
    if section.joined:
        return section
    left = [(rank, line) for rank, line in section.lines if not all(_flat(part) in known for part in _parts(line))]
    return replace(section, lines=tuple(left))


def _flat(text: str) -> str:
    return " ".join(unquoted(text).casefold().split())


def _parts(line: str) -> list[str]:
    """What a line says, piece by piece: a fact without its page, an action and what it brought."""
    says = line.partition("：")[2] or line.partition(": ")[2] or line
    return [argument_of(part) for part in says.split(" → ")]


def _fitted(head: Sequence[str], sections: Sequence[_Section], budget_tokens: int) -> str:
    """As many lines as there is room for, by rank, in the order of the sections; no line that says what another says.

    "" when there is no room for any.
    """
    kept: dict[int, set[int]] = {number: set() for number in range(len(sections))}
    seen: set[str] = set()
    text = ""
    wanted = (
        (rank, number, at, line) for number, of in enumerate(sections) for at, (rank, line) in enumerate(of.lines)
    )
    for _, number, place, line in sorted(wanted):
        says = line.partition("：")[2] or line.partition(": ")[2] or line
        bare = line if sections[number].joined else normalised(says)
        if bare in seen:
            continue
        kept[number].add(place)
        told = [line for number, section in enumerate(sections) for line in section.rendered(kept[number])]
        longer = "\n".join([*head, *told, TEAM_CLOSE])
        if estimate_tokens(longer) > budget_tokens:
            kept[number].remove(place)
        else:
            seen.add(bare)
            text = longer
    return text


def _line(text: str, *, tokens: int = _LINE_TOKENS) -> str:
    """A text as one harmless line of bounded length."""
    line = escape_line(text)
    return line if estimate_tokens(line) <= tokens else clip_tokens(line, tokens).rstrip() + "…"


def _ranked(
    lines: Iterable[str], *, rank: int, first: int | None = None, leading: int = 1
) -> tuple[tuple[int, str], ...]:
    """Lines with their `rank`; the `leading` ones are kept as `first`."""
    start = rank if first is None else first
    return tuple((start if place < leading else rank, line) for place, line in enumerate(lines))


def _head(view: TeamView, words: _Words, language: Language, budget_tokens: int, held: str) -> list[str]:
    shared = view.shared
    done = sum(hop.success for hop in shared.hops)
    question = words["question"].format(_line(view.task))
    state = words["state"].format(state=words[shared.status], done=done, all=shared.estimated_hops)
    small = estimate_tokens(question) <= _QUESTION_SHARE * budget_tokens and view.task not in held
    told = [line for line, is_new in ((question, small), (state, TEAM_OPEN not in held)) if is_new]
    return [TEAM_OPEN, TEAM_HEADS[language], *told]


# --- the team --------------------------------------------------------------------------------------------------------


def _of_team(view: TeamView, query: str, words: _Words, *, k: int) -> Iterator[_Section]:
    """What the team knows, and what it did with what it brought."""
    shared = view.shared
    best = shared.best(Fact, query, k=k)
    best += [fact for fact in reversed(shared.facts) if fact not in best]
    facts = [_fact_line(fact, shared, words) for fact in best[:k]]
    yield _Section(words["facts"], _ranked(facts, first=_FACT, leading=2, rank=_REST))
    brought = [(hop.action, hop.extracted_answer or hop.bridge_entity) for hop in shared.hops if hop.success]
    told = [words["hop"].format(action=_line(action), answer=_line(what)) for action, what in brought[-k:] if what]
    yield _Section(words["hops"], _ranked(told, rank=_REST))


def _fact_line(fact: Fact, shared: SharedMemory, words: _Words) -> str:
    """A fact with the page it is from, where its words do not name it; without such a page with what it is about.

    What an agent says itself is told as its own, with the words it stands on.
    """
    if fact.quote:
        told = words["claim"].format(agent=fact.agent, text=fact.text, quote=unquoted(_line(fact.quote)))
        return _line(told, tokens=2 * _LINE_TOKENS) + (words["disputed"] if fact.disputed else "")
    page = next((argument_of(hop.action) for hop in shared.hops if hop.id == fact.source), "")
    told = _from_page(fact.text, page, words) if is_page_name(page) else fact.statement
    return _line(told) + (words["disputed"] if fact.disputed else "")


def _from_page(text: str, page: str, words: _Words) -> str:
    return text if name_key(page) in name_key(text) else words["about"].format(subject=page, fact=text)


def _of_next(view: TeamView, words: _Words, held: str) -> Iterator[_Section]:
    """What was searched, with and without a find; the answer so far, and what nobody has asked yet."""
    shared = view.shared
    found = {normalised(argument_of(hop.action)) for hop in shared.hops if hop.success}
    for heading, is_found in (("searched", True), ("in_vain", False)):
        listed = [line for line in held.splitlines() if line.startswith(words[heading].format(""))]
        new = [each for each in reversed(shared.searches) if not _is_seen(each, view, held, listed)]
        asked = [each.query for each in new if (each.normalised in found) is is_found]
        queries = [_query_line(query, view.task, words) for query in asked[:_MOST_SEARCHES]]
        yield _Section(words[heading], _ranked(queries, rank=_SEARCHED), joined=True)
    answers = [
        words["answer_from"].format(
            answer=quoted(_line(hop.extracted_answer or "")),
            confidence=f"{hop.confidence:.1f}",
            action=_line(hop.action).replace(";", ","),
        )
        for hop in shared.answers[:_MOST_ANSWERS]
    ]
    yield _Section(words["answer"], _ranked(answers, first=_ANSWER, rank=_REST), joined=True)
    wrong = [quoted(_line(each)).replace(";", ",") for each in view.refuted]
    yield _Section(words["wrong"], _ranked(wrong, rank=_ANSWER), joined=True)
    queries = [_open_line(query, shared, view.task, words) for query in shared.open_queries(_MOST_OPEN)]
    yield _Section(words["next"], _ranked(queries, first=_NEXT, rank=_WARNING), joined=True)


def _is_seen(search: SearchResult, view: TeamView, held: str, listed: Iterable[str]) -> bool:
    """Whether a request shows that a search was made: its agent's own, one that brought a line of it, one listed."""
    own = bool(held) and view.private is not None and search.agent == view.private.agent
    return own or f"[{search.query}]" in held or any(search.query in line for line in listed)


def _open_line(query: str, shared: SharedMemory, task: str, words: _Words) -> str:
    """A query that is open, and what is to be found there."""
    about = shared.asked_of(query)
    return _query_line(query, task, words) + (f" → {_line(about, tokens=_QUERY_TOKENS)}" if about else "")


def _query_line(query: str, task: str, words: _Words) -> str:
    """A query in a list that semicolons divide."""
    if normalised(query) == normalised(task):
        return words["whole"]
    return _line(query, tokens=_QUERY_TOKENS).replace(";", ",")


# --- the agent, and earlier tasks ------------------------------------------------------------------------------------


def _of_agent(view: TeamView, query: str, words: _Words, *, k: int) -> Iterator[tuple[int, str]]:
    """The agent's own notes, but for what the team's part says already."""
    private, shared = view.private, view.shared
    if private is None:
        return
    for doubt in private.of(Challenge)[-_MOST_CHALLENGES:][::-1]:
        yield _WARNING, words["challenge"].format(_line(doubt.content))
    if view.role is None:
        yield from _of_plan(private, shared, words, k)
    stated = " ".join(name_key(fact.text) for fact in shared.facts)
    for step in private.best(ReasoningStep, query, k=k):
        if name_key(step.conclusion) not in stated:
            yield _OWN, words["step"].format(premise=_line(step.premise), conclusion=_line(step.conclusion))
    known = {normalised(fact.text) for fact in shared.facts}
    for seen in private.best(Evidence, query, k=k):
        if normalised(seen.content) not in known:
            page = argument_of(seen.source)
            from_page = is_page_name(page) and page != seen.source
            told = _from_page(seen.content, page, words) if from_page else seen.content
            yield _OWN, words["evidence"].format(_line(told))


def _of_plan(private: PrivateMemory, shared: SharedMemory, words: _Words, k: int) -> Iterator[tuple[int, str]]:
    """What an agent means to do and what it guesses, in lines of their own."""
    begun = [item for item in private.of(PlanItem) if item.status is PlanStatus.IN_PROGRESS]
    items = [item.description for item in (*begun, *private.pending())]
    for item in [item for item in dict.fromkeys(items) if not shared.has_searched(item)][:_MOST_OPEN]:
        yield _OWN, words["plan"].format(_line(item))
    said = {normalised(hop.extracted_answer or "") for hop in shared.answers}
    for guess in private.top_hypotheses(k):
        told = words["verified" if guess.verified else "hypothesis"]
        if guess.verified or (guess.confidence >= _LEAST_GUESS and normalised(guess.content) not in said):
            yield _OWN, told.format(_line(guess.content) + _grounds(guess), confidence=f"{guess.confidence:.1f}")


def _grounds(guess: Hypothesis) -> str:
    """What speaks for a guess, what against it, and what may go wrong."""
    marked = (("＋", guess.pros), ("－", guess.cons), ("⚠", guess.risks))
    return "".join(f" {mark} {_line(each)}" for mark, told in marked for each in told)


def _of_role(view: TeamView, language: Language, *, k: int) -> Iterator[_Section]:
    """The contract of an agent, its plan and its guesses, under the headings it writes them under itself."""
    private = view.private
    if private is None or view.role is None:
        return
    role, plan, hypotheses = HEADINGS[language]
    told, form = view.role.lines(private.agent, language)
    yield _Section(f"{role} {{}}", ((_ANSWER, _line(told, tokens=3 * _LINE_TOKENS)),), joined=True)
    yield _Section("{}", ((_ANSWER, form),), joined=True)
    items = [item for item in private.of(PlanItem) if item.status is not PlanStatus.COMPLETED]
    first = sorted(items, key=lambda item: item.status is not PlanStatus.IN_PROGRESS)[:k]
    marks = {PlanStatus.IN_PROGRESS: "→"}
    steps = [f"{marks.get(each.status, '•')} {_line(each.description)} [{each.status.value}]" for each in first]
    yield _Section(plan, _ranked(steps, rank=_OWN), mark="")
    guesses = [
        f"{'✓' if each.verified else '~'}{each.confidence:.1f} {_line(each.content)}{_grounds(each)}"
        for each in private.top_hypotheses(k)
    ]
    yield _Section(hypotheses, _ranked(guesses, rank=_OWN), mark="")


def _of_earlier(view: TeamView, words: _Words) -> Iterator[tuple[int, str]]:
    """What earlier tasks taught; the way of one that is nearly this one matters more than the rest."""
    meta = view.meta
    for text in dict.fromkeys(_line(each.text) for each in meta.insights):
        yield _EARLIER, words["insight"].format(text)
    for each in meta.skills:
        pattern = _line(" → ".join(each.pattern))
        yield _EARLIER, words["skill"].format(successes=each.successes, uses=each.uses, pattern=pattern)
    for went in (*meta.successes, *meta.failures):
        parts = {"steps": " → ".join(went.steps), "task": went.task, "answer": went.answer, "reason": went.reason}
        told = words["worked" if went.success else "no_good"].format(**{name: _line(of) for name, of in parts.items()})
        yield _NEXT if went.success and is_like(view.task, went.task) else _EARLIER, told
