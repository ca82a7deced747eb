"""Experience: keeps what the runs of an agent did, by user and agent, and gives later runs what is like them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self
from weakref import WeakValueDictionary

from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter
from amb_core.memory.arguments import named_arguments
from amb_core.models import BankSnapshot
from amb_core.protocols import ChatModel
from amb_experience.insights import read_insights
from amb_experience.run_steps import RunStep, code_of, run_code, steps_of
from amb_experience.this_run import ThisRun
from amb_longterm import LongTermMemory, MemoryRecord, MemoryType, Provenance
from amb_longterm.namespaces import EXPERIENCE, namespace_of

__all__ = ["Experience"]

_log = logging.getLogger("amb.experience")
_MOST_CHARS = 8_000
_WHY = "a run has ended"


class Experience:
    """What an agent did for a user in earlier runs: `ContextAdapter(bank, experience=Experience("sqlite:///e.db"))`.

    `store` is a URL or a LongTermMemory, which is then not closed; every text is redacted as that one does. `user` is
    whose runs these are where a bank names nobody; without one such a bank neither keeps nor is told anything.
    A later run is told at most `budget_tokens` tokens at a time. With a `chat` model each run that is kept costs one
    call, for conclusions that are checked against its calls. Of one agent and user at most `most_runs` are kept, the
    oldest go first. Thread-safe.
    """

    @named_arguments
    def __init__(
        self,
        store: str | LongTermMemory = "memory://",
        *,
        user: str = "",
        budget_tokens: int = 1_000,
        most_runs: int = 200,
        chat: ChatModel | None = None,
    ) -> None:
        if budget_tokens < 1 or most_runs < 1:
            raise InvalidParameter("budget_tokens and most_runs are whole numbers from 1 on.")
        self._owned = isinstance(store, str)
        self.memory = LongTermMemory(store, actor=EXPERIENCE) if isinstance(store, str) else store
        self.user, self.budget_tokens = user, budget_tokens
        self._most, self._chat = most_runs, chat
        self._joined: WeakValueDictionary[tuple[str, str], ThisRun] = WeakValueDictionary()
        self._lock = CallLock()

    def join(self, bank: MemoryBank, *, agent: str = "") -> ThisRun:
        """This run's view of earlier ones; what the run did is kept when the bank is closed.

        An entry that the bank forgets from now on is forgotten here as well.
        """
        self.namespace(self.user or "nobody", agent)  # a name that cannot be kept is told at once
        with self._lock:
            joined = self._joined.setdefault((run_code(bank.insight), agent), ThisRun(self, bank, agent=agent))
        return joined.of(bank)

    def namespace(self, user: str, agent: str = "") -> str:
        """Where the runs of an agent for a user are kept; `delete_user` of the store deletes all of a user."""
        part = agent.strip().replace("%", "%25").replace("/", "%2F")
        return namespace_of(f"{EXPERIENCE}/{part}" if part else EXPERIENCE, user)

    def user_of(self, bank: MemoryBank | BankSnapshot) -> str:
        """Whose runs the bank's are; "" where nobody is named."""
        scope = bank.host.scope if isinstance(bank, MemoryBank) else None
        return (scope.user if scope is not None else None) or self.user

    def keep(self, bank: MemoryBank, *, agent: str = "") -> int:
        """Keep what an agent did in a bank until now; returns the number of its calls.

        Calling it again adds what is new and takes out what was forgotten. Raises InvalidParameter where nobody is
        named.
        """
        user = self.user_of(bank)
        if not user:
            raise InvalidParameter("experience is kept by user: give the bank a scope, or Experience(…, user='u1').")
        state, within = bank.snapshot(), self.namespace(user, agent)
        run = run_code(state.insight)
        view = self._joined.get((run, agent))
        said, helped = ([], []) if view is None else view.told()
        steps = steps_of(state, agent=agent)
        head, entries = _head(state, said, steps), [step.entry for step in steps]
        with self._lock:
            known = self.records_of(within, run)
            there = {_key(each): each for each in known if each.metadata.get("kind") == "step"}
            gone = [record.id for (entry, _), record in there.items() if entry not in entries]
            is_told = any(each.metadata.get("topic") == code_of(run, "run", head) for each in known)
            if gone or not is_told:
                gone += [each.id for each in known if each.metadata.get("kind") != "step"]
            self._delete(within, gone)
            for step in steps:
                self._keep_step(within, run, state, step, there.get((step.entry, step.call)))
            if steps and (gone or not is_told):
                self._write(within, run, state, head, kind="run", entries=entries)
                self._conclude(within, run, state, steps)
            self._note_help(within, run, helped)
            self._drop_oldest(within)
        return len(steps)

    def forget(self, run: str, entry: str) -> int:
        """Delete what came from an entry of a run (the code of its bank), whoever's it is; returns how many records.

        The rest of the run stays; what told of the run as a whole, its goal and conclusions, is deleted with it.
        """
        deleted = 0
        with self._lock:
            for within in (name for name in self.memory.namespaces() if name.startswith(f"{EXPERIENCE}/")):
                found = [r for r in self.records_of(within, run) if entry in _entries(r)]
                deleted += self._delete(within, [record.id for record in found])
        return deleted

    def runs(self, within: str, *, without: str = "") -> list[MemoryRecord]:
        """What the runs of a namespace are found by, oldest first."""
        found = self.memory.records(within, filters={"kind": "run"})
        return [record for record in found if record.metadata.get("run") != without]

    def records_of(self, within: str, run: str) -> list[MemoryRecord]:
        """The records of a run, oldest first."""
        return self.memory.records(within, filters={"run": run})

    def close(self) -> None:
        """Release the store, if it was opened here."""
        if self._owned:
            self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _delete(self, within: str, ids: Sequence[str]) -> int:
        return sum(self.memory.delete(name, namespace=within, why="forgotten").deleted for name in ids)

    def _keep_step(self, within: str, run: str, state: BankSnapshot, step: RunStep, known: MemoryRecord | None) -> None:
        if known is None:
            self._write(within, run, state, step.content, kind="step", entries=[step.entry], **step.metadata)
        elif known.metadata.get("used") != list(step.used):
            self.memory.update(known.id, namespace=within, metadata={"used": list(step.used)})

    def _conclude(self, within: str, run: str, state: BankSnapshot, steps: Sequence[RunStep]) -> None:
        """Keep what a model concludes from a run; it is asked once, and costs nobody the run if it fails."""
        if self._chat is None:
            return
        loud = [step for step in steps if step.output]
        for found in read_insights(self._chat, goal=state.insight.task_goal, steps=loud):
            at = steps[-1].at
            self._write(within, run, state, found.text, kind="insight", entries=found.entries, at=at, helped=[])

    def _write(
        self,
        within: str,
        run: str,
        state: BankSnapshot,
        text: str,
        *,
        kind: str,
        entries: Sequence[str],
        **said: object,
    ) -> None:
        metadata = {"type": MemoryType.TASK_TRACES.value, "source": EXPERIENCE, "kind": kind, "run": run, **said}
        metadata["topic"] = code_of(run, kind, text)
        origin = Provenance(run=state.insight.doc_id, task=state.insight.task_goal[:200], entries=tuple(entries))
        self.memory.write(text, namespace=within, metadata=metadata, provenance=origin, why=_WHY)

    def _note_help(self, within: str, run: str, records: Iterable[str]) -> None:
        """Note that a later run used what some records told it; a run counts once, and never for itself."""
        for record_id in records:
            record = self.memory.get(record_id, namespace=within)
            names = [] if record is None else [str(one) for one in _list(record.metadata.get("helped"))]
            if record is not None and run not in (record.metadata.get("run"), *names):
                self.memory.update(record_id, namespace=within, metadata={"helped": [*names, run]})

    def _drop_oldest(self, within: str) -> None:
        runs = self.runs(within)
        for old in runs[: max(0, len(runs) - self._most)]:
            self._delete(within, [record.id for record in self.records_of(within, str(old.metadata["run"]))])


def _head(state: BankSnapshot, said: Sequence[str], steps: Sequence[RunStep]) -> str:
    """What a run is found by: what was asked, and what was called."""
    asked = dict.fromkeys([*state.goals, *said])
    calls = dict.fromkeys(f"{step.tool} {step.arguments}" for step in steps)
    return "\n".join([*asked, *calls])[:_MOST_CHARS]


def _key(record: MemoryRecord) -> tuple[str, str]:
    """What a step is known by: its entry, and its call, for one that brought nothing has the entry of another."""
    return str(record.metadata.get("entry")), str(record.metadata.get("call"))


def _entries(record: MemoryRecord) -> set[str]:
    return {entry for origin in record.provenance for entry in origin.entries}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
