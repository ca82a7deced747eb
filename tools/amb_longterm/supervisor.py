"""SupervisorMemory: the three moments at which a supervisor reads and writes for its workers, in any framework."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar

from amb_core.adapter import Tool
from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter
from amb_core.protocols import ChatModel
from amb_core.rendering import Language, strip_block
from amb_core.text import detect_language, index_tokens, values
from amb_longterm.hit_groups import joined_lists
from amb_longterm.long_term_memory import LongTermMemory
from amb_longterm.longterm_tools import memory_tools
from amb_longterm.memory_block import RenderedMemories, memories_block
from amb_longterm.memory_records import MemoryHit, MemoryType, MergeStrategy, Provenance, Route, WriteResult
from amb_longterm.namespaces import namespace_of
from amb_longterm.routing import (
    asked_for,
    by_namespace,
    defined_term,
    route,
    scope_of_worker,
    without_rules,
)
from amb_longterm.side_effects import SideEffect, side_effects
from amb_longterm.summary import summarize
from amb_longterm.user_statements import statements

__all__ = ["SupervisorMemory"]

_log = logging.getLogger("amb.longterm")
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_Other = TypeVar("_Other")
_SILENT = Route(should_read=False, should_write=False)
_SUPERVISOR, _PROFILE = "supervisor", "user_profile"
_OF_WISHES = frozenset({"forgotten", "updated", "undecided"})
_STANDING = 8
"""So many of the user's preferences are shown whatever is asked: the newest ones."""
_KNOWN, _WEAK = 0.3, 0.5
"""The least similarity of what is put before an agent without its asking, and its least share of the best one's."""
_STRATEGY = {MemoryType.TASK_TRACES: MergeStrategy.APPEND, MemoryType.TOOL_EFFECTS: MergeStrategy.REPLACE}
"""What the same task leaves when it is done again."""
_TRACE_TOKENS = 120
_LONGEST_TASK = 400
_MOST_FACTS = 5
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_TRACE: dict[Language, str] = {"en": "Task: {}\nResult: {}", "zh": "任务：{}\n结果：{}"}
_EFFECTS: dict[Language, str] = {"en": "What answered “{}”:", "zh": "解决“{}”所用："}
_EFFECT: dict[Language, dict[str, str]] = {
    "en": {"sql": "SQL: {}", "file": "file: {}", "chart": "chart: {}"},
    "zh": {"sql": "SQL：{}", "file": "文件：{}", "chart": "图表：{}"},
}


class SupervisorMemory:
    """Long-term memory of one user in the hands of a supervisor; its workers get texts and keep nothing themselves.

    `workers` are their names, or maps a name to its scope (`{name}_memories` by default). `policy` and `chat` are
    those of routing. Blocks have at most `budget_tokens` tokens (`settings.max_context_tokens` by default). Trouble
    with memory is logged, counted in `failures` and never raised into the run, unless `strict`. Thread-safe.
    """

    def __init__(
        self,
        memory: LongTermMemory,
        *,
        user: str,
        workers: Mapping[str, str] | Sequence[str] = (),
        policy: str = "default",
        chat: ChatModel | None = None,
        budget_tokens: int | None = None,
        run: str = "",
        strict: bool = False,
    ) -> None:
        names = [workers] if isinstance(workers, str) else workers
        scopes = names if isinstance(names, Mapping) else {name: scope_of_worker(name) for name in names}
        self.memory, self.user = memory, user
        self._workers = {name: namespace_of(scope, user) for name, scope in scopes.items()}
        self._shared = tuple(namespace_of(scope, user) for scope in memory.settings.namespaces)
        self._own = namespace_of(scope_of_worker(_SUPERVISOR), user)
        self._profile = namespace_of(_PROFILE, user)
        self._policy = policy
        self._route = partial(
            route, user=user, workers=(*self._workers,), policy=policy, chat=chat, settings=memory.settings
        )
        self._route("")  # raises for a policy there is not
        self._budget = memory.settings.max_context_tokens if budget_tokens is None else budget_tokens
        if self._budget < 1:
            raise InvalidParameter(f"budget_tokens must be at least 1, not {budget_tokens}.")
        self._run, self._strict = run, strict
        self._failures: Counter[str] = Counter()
        self._granted: tuple[WriteResult, ...] = ()
        self._given: dict[str, tuple[str, tuple[MemoryHit, ...]]] = {}
        self._lock = CallLock()

    @property
    def namespaces(self) -> tuple[str, ...]:
        """All namespaces of this user that the supervisor works with."""
        return tuple(dict.fromkeys((*self._shared, self._own, *self._workers.values())))

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do."""
        with self._lock:
            return dict(self._failures)

    @property
    def granted(self) -> tuple[WriteResult, ...]:
        """What came of the wishes about memory in the newest message: `forgotten`, `updated` or `undecided`."""
        with self._lock:
            return self._granted

    def tools(self, *, read_only: bool = False) -> list[Tool]:
        """The six tools for the supervisor's model, bound to this user's namespaces."""
        return memory_tools(self.memory, namespaces=self.namespaces, user=self.user, read_only=read_only)

    # --- the three moments -------------------------------------------------------------------------------------------

    def before_supervisor(self, message: str) -> str:
        """The block to put before the supervisor; "" when there is nothing worth it.

        `message` is what the user says, and only that: his rules, habits and definitions in it are remembered at once,
        and his wishes about what is remembered are granted ("forget my address", "no, I meant Tuesday"); `granted` says
        what came of them.
        """
        said = strip_block(message)
        found = self._tried("route", _SILENT, self._route, said)
        heard = self._heard(said, found)
        with self._lock:
            self._granted = tuple(each for each in heard if each.status in _OF_WISHES)
        fresh = {written.id for written in heard}
        if not found.should_read:
            return ""
        spaces = [name for name in self.namespaces if name in found.namespaces and name not in found.writes]
        spaces += [name for name in found.namespaces if name in found.writes]
        return self._block(asked_for(said), spaces, without=fresh).text

    def before_handoff(self, worker: str, task: str) -> str:
        """The block to put first into what a worker gets with its task; "" when there is nothing worth it."""
        asked = asked_for(task)
        if self._policy == "never" or not asked:
            return ""
        within = self._tried("handoff", "", self._of_worker, worker)
        if not within:
            return ""
        block = self._block(asked, [within, *self._shared])
        with self._lock:
            self._given[worker] = asked, block.shown
        return block.text

    def after_worker(
        self,
        worker: str,
        *,
        task: str,
        answer: str,
        effects: Sequence[SideEffect] = (),
        calls: Sequence[Mapping[str, Any]] = (),
        succeeded: bool = True,
    ) -> list[WriteResult]:
        """Remember what a worker found out: how the task ended, definitions, and the queries and files that served it.

        `calls` are the worker's tool calls, where side effects are looked for too. What a worker says is data from
        wherever it looked: it is kept in its own namespace and never becomes a preference of the user. A task that
        did not succeed leaves nothing.
        """
        asked, said = asked_for(task), strip_block(answer)
        self._count_use(worker, said, effects, calls)
        if not succeeded or not asked or self._policy in ("never", "read-only"):
            return []
        within = self._tried("handoff", "", self._of_worker, worker)
        if not within:
            return []
        came_from = Provenance(run=self._run, task=asked[:200], agent=worker)
        write = partial(self.memory.write, namespace=within, provenance=came_from, why="a worker's result")
        found = (*effects, *self._tried("effects", (), side_effects, said, calls))
        written: list[WriteResult | None] = []
        for kind, text in self._tried("effects", [], self._learnt, asked, said, dict.fromkeys(found)):
            metadata: dict[str, Any] = {"type": kind.value, "source": "worker", "tags": [worker]}
            if kind is not MemoryType.DOMAIN_FACTS:
                metadata |= {"topic": came_from.task, "strategy": _STRATEGY[kind].value}
            written.append(self._tried("write", None, write, text, metadata=metadata))
        return [*filter(None, written)]

    # --- reading -----------------------------------------------------------------------------------------------------

    def _block(self, query: str, spaces: Sequence[str], *, without: set[str] | None = None) -> RenderedMemories:
        """What the namespaces hold about the query, best first, with the user's standing preferences."""
        found = [self._tried("search", [], self._search, query, space) for space in spaces]
        standing = self._tried("search", [], self._standing) if self._profile in spaces else []
        ranked = joined_lists(found)
        top = ranked[: self.memory.settings.top_k]
        known = without or set()
        hits = [hit for hit in (*top, *standing, *ranked[len(top) :]) if hit.id not in known]
        if not hits:
            return RenderedMemories()
        return memories_block(hits, budget_tokens=self._budget, language=detect_language(query), profile=self._profile)

    def _search(self, query: str, namespace: str) -> list[MemoryHit]:
        """What is worth its place: hits that hold enough of the query, what comes before them, and terms it names."""
        settings, asked = self.memory.settings, set(index_tokens(query))
        shared = namespace != self._profile and namespace in self._shared
        hits = self.memory.search(query, namespace=namespace, top_k=settings.top_k * (3 if shared else 1))
        best = max((hit.similarity for hit in hits), default=0.0)
        least = max(settings.min_score, _KNOWN, _WEAK * best)
        first = next((place for place, hit in enumerate(hits) if hit.similarity >= least), 0)
        return [  # what stands before the first hit tells of a change of it
            hit
            for place, hit in enumerate(hits)
            if place < first or hit.similarity >= least or (shared and _is_of(hit.content, asked))
        ]

    def _standing(self) -> list[MemoryHit]:
        """The newest preferences: a rule holds for what it does not name."""
        records = self.memory.records(self._profile, filters={"type": MemoryType.USER_PROFILE.value})
        newest = sorted(records, key=lambda record: -record.updated_at)[:_STANDING]
        return [MemoryHit.of(record) for record in newest]

    def _of_worker(self, worker: str) -> str:
        """The namespace of a worker's memories; one that was not named gets its own."""
        return self._workers.get(worker) or namespace_of(scope_of_worker(worker), self.user)

    # --- writing -----------------------------------------------------------------------------------------------------

    def _heard(self, message: str, found: Route) -> list[WriteResult]:
        """What comes of the user's words: what is kept of them, and what he wishes to be forgotten or put right."""
        if self._policy in ("never", "read-only") or not message.strip():
            return []

        def keep(text: str) -> list[WriteResult]:
            return self._keep_said(text, found if text == message else self._tried("route", _SILENT, self._route, text))

        def listen() -> list[WriteResult]:
            return self.memory.listener(self.user, spaces=self.namespaces, keep=keep).listen(message)

        return self._tried("write", [], listen)

    def _keep_said(self, message: str, found: Route) -> list[WriteResult]:
        """What the user said that is worth keeping, in his own words."""
        write = partial(
            self.memory.write, provenance=Provenance(run=self._run, agent=_SUPERVISOR), why="said by the user"
        )
        written: list[WriteResult | None] = []
        for namespace, each in by_namespace(message, found):
            metadata = {"type": each.type.value, "source": "user"}
            written.append(self._tried("write", None, write, each.text, namespace=namespace, metadata=metadata))
        return [*filter(None, written)]

    def _learnt(self, task: str, answer: str, effects: Mapping[SideEffect, None]) -> list[tuple[MemoryType, str]]:
        """The texts a worker's result leaves, with what kind of memory each is."""
        language = detect_language(task)
        asked = task[:_LONGEST_TASK]
        plain = without_rules(_FENCED.sub(" ", answer))
        told = summarize([plain], goal=asked, budget_tokens=_TRACE_TOKENS) if plain.strip() else ""
        texts = [(MemoryType.TASK_TRACES, _TRACE[language].format(asked, told))] if told else []
        facts = [each.text for each in statements(plain) if each.type is MemoryType.DOMAIN_FACTS][:_MOST_FACTS]
        texts += [(MemoryType.DOMAIN_FACTS, fact) for fact in facts]
        if effects:
            shown = [_EFFECT[language][effect.kind].format(effect.text) for effect in effects]
            texts.append((MemoryType.TOOL_EFFECTS, "\n".join([_EFFECTS[language].format(asked), *shown])))
        return texts

    def _count_use(
        self, worker: str, answer: str, effects: Sequence[SideEffect], calls: Sequence[Mapping[str, Any]]
    ) -> None:
        """Count what the worker was given, and how much of it shows in what it did."""
        with self._lock:
            task, given = self._given.pop(worker, ("", ()))
        if given:
            did = "\n".join([answer, *(effect.text for effect in effects), *(str(call) for call in calls)])
            used = sum(_shows(hit.content, did, task) for hit in given)
            self._tried("count", None, self.memory.note_use, injected=len(given), used=used)

    def _tried(
        self, what: str, instead: _Other, work: Callable[_Given, _Result], *given: _Given.args, **named: _Given.kwargs
    ) -> _Result | _Other:
        """The work done, or what stands in for it: an agent's run does not end because of its memory."""
        try:
            return work(*given, **named)
        except Exception as error:
            if self._strict:
                raise
            with self._lock:
                self._failures[what] += 1
            _log.warning("long-term memory: %s failed (%s); the run goes on without it", what, error)
            return instead


def _is_of(definition: str, asked: set[str]) -> bool:
    term = set(index_tokens(defined_term(definition)))
    return bool(term) and term <= asked


def _shows(memory: str, did: str, task: str) -> bool:
    """Whether what was done takes up a memory: a value that the task does not name, or half of its other words."""
    said, done, asked = (
        {(value.kind, value.key) for value in values(text) if value.kind in ("number", "date", "name")}
        for text in (memory, did, task)
    )
    own = {*index_tokens(memory)}.difference(index_tokens(task))
    return bool(said & done - asked) or (bool(own) and len(own.intersection(index_tokens(did))) >= 0.5 * len(own))
