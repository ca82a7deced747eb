"""The scripted sessions, run through a supervisor's three moments with workers that know only what they are shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from amb_bench.longterm_sessions import WORKERS, Session, Turn, known_facts, scripted_sessions
from amb_core.clock import ManualClock
from amb_core.protocols import Embedder
from amb_core.text import clip_tokens, estimate_tokens
from amb_longterm import LongTermMemory, SupervisorMemory
from amb_longterm.namespaces import owner_of

__all__ = ["Outcome", "SessionRun", "only_preferences", "run_sessions", "run_transcripts"]

_START, _DAY = 1_750_000_000.0, 86_400.0
_HISTORY = re.compile(r"^(?:[^-\n].*earlier tasks.*|以往任务.*)[:：]$", re.MULTILINE | re.IGNORECASE)
_REMARK = re.compile(r"\((?:earlier|told differently): [^()]*\)|（(?:此前|说法不一)：[^（）]*）")
_PREFERENCES = re.compile(r"^(?:[^-\n].*preferences|.*偏好)[:：]$", re.MULTILINE)
_HEADING = re.compile(r"^(?!- |  ).*[:：]$", re.MULTILINE)
_UNKNOWN = {"en": "I do not know what was agreed.", "zh": "我不知道之前是怎么约定的。"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One turn as it went: what was put before the one who answers, whether all he needed was in it, and what was kept.

    `status` is the worst that became of what was said (conflict, merged, skipped, inserted), or "" for nothing; `holds`
    and `recorded` are about changed rules; of the memories `given` to a worker `used` showed in what he did.
    """

    session: Session
    turn: Turn
    shown: str
    seen: int
    is_right: bool
    status: str = ""
    holds: bool = True
    recorded: bool = True
    given: int = 0
    used: int = 0


@dataclass(slots=True)
class SessionRun:
    """All turns of a run, and how many blocks showed words of another user."""

    outcomes: list[Outcome] = field(default_factory=list)
    foreign: int = 0

    def of(self, *kinds: str, where: Callable[[Outcome], bool] = lambda _: True) -> list[Outcome]:
        """The turns of some kinds that satisfy a condition."""
        return [each for each in self.outcomes if each.turn.kind in kinds and where(each)]


class _Blocks(Protocol):
    """What is put before a supervisor and a worker."""

    def before_supervisor(self, message: str) -> str: ...
    def before_handoff(self, worker: str, task: str) -> str: ...


def run_sessions(url: str = "memory://", *, embedder: Embedder | str | None = None) -> SessionRun:
    """Every session with one long-term memory for all users, and facts in it that nobody asks for."""
    clock = ManualClock(_START - _DAY, step=1.0)
    run = SessionRun()
    with LongTermMemory(url, embedder=embedder, clock=clock) as memory:
        for session in scripted_sessions():
            namespace = f"domain_facts/{session.user}"
            if not memory.records(namespace):
                for fact in known_facts(session.language):
                    memory.write(fact, namespace=namespace, metadata={"type": "domain-facts"})
            clock.set(_START + session.day * _DAY)
            supervisor = SupervisorMemory(memory, user=session.user, workers=WORKERS, strict=True, run=str(session.day))
            run.outcomes += [_turn(session, turn, supervisor) for turn in session.turns]
        run.foreign = _foreign(run, memory)
    return run


def _turn(session: Session, turn: Turn, supervisor: SupervisorMemory) -> Outcome:
    memory = supervisor.memory
    before = memory.stats()
    shown, is_right = _answered(turn, supervisor)
    after = memory.stats()
    became = [name for name in ("conflict", "merged", "skipped", "inserted") if _grew(name, before, after)]
    if turn.worker:
        answer = turn.answer if is_right else _UNKNOWN[session.language]
        told = f"{answer}\n```sql\n{turn.query}\n```" if turn.query and is_right else answer
        supervisor.after_worker(turn.worker, task=turn.task, answer=told, succeeded=is_right)
    holds, recorded = _changed(turn, memory, session.user) if turn.kind == "changes" else (True, True)
    counts = memory.stats()
    return Outcome(
        session,
        turn,
        shown,
        estimate_tokens(shown),
        is_right,
        status=became[0] if became else "",
        holds=holds,
        recorded=recorded,
        given=counts.injected - before.injected,
        used=counts.used - before.used,
    )


def _grew(name: str, before: object, after: object) -> bool:
    return bool(getattr(after, name) > getattr(before, name))


def _answered(turn: Turn, blocks: _Blocks) -> tuple[str, bool]:
    """What is put before the one who answers, and whether it lets him answer right.

    An older value may be shown beside the new one, with its date; without a date it misleads.
    """
    shown = blocks.before_supervisor(turn.says)
    if turn.worker:
        shown = blocks.before_handoff(turn.worker, turn.task)
    rules = _REMARK.sub("", _HISTORY.split(shown, maxsplit=1)[0])
    known = all(word.casefold() in shown.casefold() for word in turn.needs)
    undated = "\n".join(line for line in rules.splitlines() if not line.startswith("- [")).casefold()
    return shown, known and not any(word.casefold() in undated for word in turn.over)


def _changed(turn: Turn, memory: LongTermMemory, user: str) -> tuple[bool, bool]:
    """Whether only what was said last holds, and whether what held before and the disagreement are kept."""
    spaces = [f"user_profile/{user}", f"domain_facts/{user}"]
    records = [record for space in spaces for record in memory.records(space)]
    now = [record for record in records if _has(_REMARK.sub("", record.content), turn.needs)]
    past = [record for record in records if _has(_REMARK.sub("", record.content), turn.over)]
    versions = [memory.history(record.id, namespace=record.namespace) for record in now]
    kept = any(_has(old.content, turn.over) for each in versions for old in each[:-1])
    return len(now) == 1 and not past, kept and any(record.disagreements for record in now)


def _has(text: str, words: Iterable[str]) -> bool:
    return all(word in text for word in words)


def _foreign(run: SessionRun, memory: LongTermMemory) -> int:
    """How many blocks show a text that only other users have, in any version."""
    texts: dict[str, set[str]] = {}
    for namespace in memory.namespaces():
        versions = (memory.history(record.id, namespace=namespace) for record in memory.records(namespace))
        texts.setdefault(owner_of(namespace), set()).update(each.content for one in versions for each in one)
    others = {owner: set().union(*(texts[each] for each in texts if each != owner)) - texts[owner] for owner in texts}
    return sum(any(text in each.shown for text in others.get(each.session.user, ())) for each in run.outcomes)


def only_preferences(shown: str) -> bool:
    """Whether a block holds nothing but the user's preferences."""
    return not shown or (len(_HEADING.findall(shown)) == 1 and _PREFERENCES.search(shown) is not None)


class _Tail:
    """Instead of a memory: the end of all that this user and the workers have said, in every session."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self.said: list[str] = []

    def before_supervisor(self, message: str) -> str:
        return self.before_handoff("", message)

    def before_handoff(self, worker: str, task: str) -> str:
        newest = "\n".join(reversed(self.said))
        return "\n".join(reversed(clip_tokens(newest, self._tokens).splitlines()))


def run_transcripts(*, tokens: int) -> SessionRun:
    """The same sessions with the end of the transcript in place of memories.

    An answer counts as right if what it needs is in there, whatever else no longer holds.
    """
    run = SessionRun()
    said: dict[str, _Tail] = {}
    for session in scripted_sessions():
        tail = said.setdefault(session.user, _Tail(tokens))
        for turn in session.turns:
            shown, _ = _answered(turn, tail)
            is_right = all(word.casefold() in shown.casefold() for word in turn.needs)
            run.outcomes.append(Outcome(session, turn, shown, estimate_tokens(shown), is_right))
            tail.said += [turn.says, *filter(None, [turn.answer if is_right else "", turn.query if is_right else ""])]
    return run
