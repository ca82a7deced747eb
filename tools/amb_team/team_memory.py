"""TeamMemory: what the agents of a team know for one task, alone and together, and what later tasks learn from it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from amb_core.clock import CheckedClock, SystemClock
from amb_core.errors import BankClosed, InvalidInput, InvalidParameter
from amb_core.memory.arguments import named_arguments
from amb_core.protocols import Clock, Embedder, RecordStore
from amb_core.rendering import strip_block
from amb_core.stores import open_store
from amb_core.text import detect_language
from amb_embedders import open_embedder
from amb_longterm import LongTermMemory
from amb_team.actions import argument_of
from amb_team.curator import CuratedObservation, Curator, CuratorRequest
from amb_team.hop_record import Circles, HopReport, Stuck, record_hop
from amb_team.local_curator import LocalCurator
from amb_team.member import FirstTime, TeamMember
from amb_team.meta_memory import MetaHits, MetaMemory, Reflection, reflect
from amb_team.question_kind import question_type
from amb_team.record_scope import TeamSpace, name_user
from amb_team.role_contract import RoleContract, keep_notes, without_notes
from amb_team.shared_memory import PrivateMemory, SharedMemory, share
from amb_team.team_block import TeamView, current_query, team_block
from amb_team.team_export import AnsweredSearch, TeamExport, TeamStatistics, write_snapshot
from amb_team.team_records import (
    Collaboration,
    Hypothesis,
    Interaction,
    MessageType,
    OutputNote,
    PlanItem,
    PlanStatus,
    PromotionNote,
    Quarantined,
    SearchResult,
)
from amb_team.team_settings import TeamSettings

__all__ = ["TeamMemory"]

_log = logging.getLogger("amb.team")


class TeamMemory:
    """The memory of one team for one task; any number of teams may live in a process without mixing.

    `agents` are the names of its members. `meta` is what outlives the task: a LongTermMemory or the URL of one; None
    for none. `store` keeps the task's records (with the same `team_id` they are found again). A
    team that works for a `user` keeps what it learns for that one, and `delete_user` finds it. `curator` reads
    observations, by default without a model. `roles` are contracts of members, which stand in their blocks.
    Thread-safe.
    """

    @named_arguments
    def __init__(
        self,
        task: str,
        *,
        agents: Sequence[str],
        meta: str | LongTermMemory | None = None,
        store: str | RecordStore = "memory://",
        curator: Curator | None = None,
        embedder: Embedder | str | None = None,
        settings: TeamSettings | None = None,
        clock: Clock | None = None,
        team_id: str = "",
        user: str = "",
        roles: Mapping[str, RoleContract] | None = None,
    ) -> None:
        if not isinstance(task, str) or not task.strip():
            raise InvalidInput("a team needs a task; pass the question it is to answer.")
        self.task = strip_block(task).strip()
        self.agents = _checked_names(agents)
        self.roles = dict(roles or {})
        if not self.roles.keys() <= set(self.agents):
            raise InvalidParameter(f"roles are those of the team's agents: {', '.join(self.agents)}.")
        self.settings = settings or TeamSettings()
        self.team_id = team_id or secrets.token_hex(8)
        kept = open_store(store) if isinstance(store, str) else store
        self._owned: list[Any] = [kept] if isinstance(store, str) else []
        embeds = open_embedder(embedder) if isinstance(embedder, str | None) else embedder
        checked = CheckedClock(clock or SystemClock())
        self._space = TeamSpace(self.team_id, kept, clock=checked, settings=self.settings, embedder=embeds)
        self._curator = curator or LocalCurator()
        self.shared = SharedMemory(self._space)
        self._private = {name: PrivateMemory(name, self._space) for name in self.agents}
        name_user(self._space, user)
        if isinstance(meta, str):
            meta = LongTermMemory(meta, embedder=embeds, actor="team")
            self._owned.append(meta)
        if not isinstance(meta, LongTermMemory | None):
            raise InvalidParameter(f"meta is a LongTermMemory or the URL of one, not {type(meta).__name__}.")
        self.meta = None if meta is None else MetaMemory(meta, settings=self.settings, user=user)
        first_time = FirstTime()
        self._members = {name: TeamMember(self, name, first_time=first_time) for name in self.agents}
        self._circles = Circles(self.settings, language=detect_language(self.task))
        self._turn = max((hop.turn for hop in self.shared.hops), default=0)
        self._acted: dict[str, int] = {}
        self._shown: dict[str, None] = {}
        self._earlier: MetaHits | None = None
        self._counts = {"repeats_avoided": 0, "repeated_searches": 0, "insights": 0}
        self._answered: list[AnsweredSearch] = []
        self._reflection: Reflection | None = None
        self._closed = False

    # --- before and after an action ----------------------------------------------------------------------------------

    def inject(self, agent: str, *, query: str = "", budget_tokens: int | None = None, held: str = "") -> str:
        """The block for an agent's next prompt: the team's hops and facts, its own notes, earlier tasks at the start.

        `query` is its sub-question; without one it follows from the last hop. What is `held`, the text of the request,
        is not told again. More is shown to an agent that is stuck,
        or after a step that brought nothing. "" when there is nothing to tell.
        """
        private, query = self.private(agent), _checked_text("query", query)
        with self._space.look():
            last = self.shared.last_hop
            stronger = agent in self._circles or (last is not None and not last.success)
            meta = self._meta_hits(at_start=not self._acted.get(agent), stronger=stronger)
            budget = self.settings.block_tokens if budget_tokens is None else budget_tokens
            if stronger and budget_tokens is None:
                budget = round(budget * self.settings.stronger)
            view = TeamView(self.task, self.shared, private, meta, self.roles.get(agent), self.refuted)
            asked = current_query(self.task, asked=strip_block(query), last_hop=last)
            text = team_block(
                view, query=asked, budget_tokens=budget, settings=self.settings, stronger=stronger, held=held
            )
            if text:
                self._shown.update(dict.fromkeys(meta.ids))
            return text

    def before_search(self, agent: str, query: str) -> SearchResult | None:
        """What the same or a nearly equal search brought, whoever made it (`agent`, `turn`, `at` say who and when)."""
        self.private(agent)
        with self._space.change():
            known = self.shared.search_result(query)
            if known is None:
                return None
            self._counts["repeats_avoided"] += 1
            self._answered.append(AnsweredSearch(agent=agent, search=known.id, turn=self._turn))
            return self.shared.change(known, uses=known.uses + 1)

    def observe(
        self,
        *,
        agent: str,
        action: str,
        observation: str,
        sub_question: str = "",
        raw_output: str = "",
        success: bool | None = None,
    ) -> HopReport:
        """Take in an action and what it brought: hop, facts, steps, hypothesis and plan, as the curator sees them.

        `success` is what the environment said of it; without it an observation that holds nothing is a failure.
        """
        private = self.private(agent)
        if not isinstance(action, str) or not action.strip() or not isinstance(observation, str):
            raise InvalidInput("an observation needs the action that brought it, and is a text.")
        with self._space.change():
            last = self.shared.last_hop
            self._turn = turn = max(self._turn, 0 if last is None else last.turn) + 1
            self._acted[agent] = self._acted.get(agent, 0) + 1
            request = CuratorRequest(
                task=self.task,
                action=action,
                observation=strip_block(observation),
                sub_question=sub_question or argument_of(action),
                known=tuple(fact.statement for fact in self.shared.facts),
                asked=tuple(search.query for search in self.shared.searches),
                refuted=self.refuted,
            )
            if raw_output:
                self._note_output(private, raw_output)
        curated = self._curate(request.model_copy(update={"observation": without_notes(request.observation)}))
        with self._space.change():
            seen = record_hop(request, curated, shared=self.shared, private=private, turn=turn, success=success)
            self._counts["repeated_searches"] += seen.repeated
            return replace(seen, stuck=self._follow(private, action, new_facts=len(seen.facts), turn=turn))

    def went_over(self, agent: str, action: str) -> Stuck | None:
        """Note that an agent did again what memory could answer; whoever keeps doing so goes in circles."""
        private = self.private(agent)
        with self._space.change():
            return self._follow(private, action, new_facts=0, turn=self._turn)

    def note_output(self, agent: str, text: str) -> None:
        """Keep what an agent's model wrote among its own notes; nothing of an empty text.

        What stands under 【Plan】 and 【Hypotheses】, 【计划】 and 【假设】, is its plan and its guesses, never a fact.
        """
        private, said = self.private(agent), strip_block(text).strip()
        if said:
            with self._space.change():
                self._note_output(private, said)

    def message(self, sender: str, to: str, text: str, *, type: MessageType = "response") -> None:
        """Note that one agent told another something; both remember it, and the team that they spoke."""
        one, other = self.private(sender), self.private(to)
        with self._space.change():
            told: dict[str, Any] = {"message": text, "type": type, "turn": self._turn}
            self.shared.add(Interaction(agent=sender, to=to, **told))
            one.note(Interaction, to=to, **told)
            other.note(Interaction, to=sender, **told)

    def collaborated(self, agent: str, other: str, type: str, *, success: bool) -> None:
        """Note how something two agents did together ended; each thinks of the other accordingly."""
        one, two = self.private(agent), self.private(other)
        with self._space.change():
            self.shared.add(Collaboration(agent=agent, turn=self._turn, other=other, type=type, success=success))
            one.record_peer_interaction(other, success=success)
            two.record_peer_interaction(agent, success=success)

    # --- between the levels ------------------------------------------------------------------------------------------

    def promote(self, agent: str, record_id: str) -> PromotionNote | Quarantined:
        """Share one of an agent's own notes with the team, if nothing speaks against it; both outcomes are recorded.

        Raises UnknownId for what is not a note of this agent.
        """
        private = self.private(agent)
        with self._space.change():
            return share(record_id, private=private, shared=self.shared, turn=self._turn)

    def finish(self, *, answer: str = "", success: bool, reason: str = "") -> Reflection:
        """End the task: look back at it, and keep for later tasks what its outcome confirms."""
        self._check_open()
        answer, reason = _checked_text("answer", answer), _checked_text("reason", reason)
        with self._space.look():
            self.shared.status = "completed" if success else "failed"
            self.shared.final_answer = answer
            for private in self._private.values():
                guess = private.said(Hypothesis, answer) if success else None
                if guess is not None:
                    private.change(guess, verified=True)
                for item in private.of(PlanItem) if success else ():
                    private.change(item, status=PlanStatus.COMPLETED)
            self._reflection = reflection = reflect(
                self.task,
                self.shared.hops,
                answer=answer,
                success=success,
                reason=reason,
                repeats=self._counts["repeated_searches"],
            )
            if self.meta is not None:
                self.meta.keep(reflection, shown=self._shown, run=self.team_id)
            self._counts["insights"] = len(reflection.insights)
            return reflection

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """How many observations the team has taken in."""
        return self._turn

    @property
    def refuted(self) -> tuple[str, ...]:
        """Answers that did not hold when this very task was tried before."""
        return () if self.meta is None else self._known_earlier(self.meta).refuted(self.task)

    def member(self, agent: str) -> TeamMember:
        """An agent's part in this memory, for an integration: `attach(agent, bank, team=team.member("solver"))`."""
        self.private(agent)
        return self._members[agent]

    def private(self, agent: str) -> PrivateMemory:
        """The notes of one agent; InvalidParameter for a name that is not in the team."""
        self._check_open()
        found = self._private.get(agent)
        if found is None:
            raise InvalidParameter(f"the team has no agent {agent!r:.60}; it has {', '.join(self.agents)}.")
        return found

    def statistics(self) -> TeamStatistics:
        """The figures of the task so far."""
        with self._space.look():
            return TeamStatistics.of(self.shared, stuck=self._circles.broken, **self._counts)

    def snapshot(self, agent: str | None = None, *, everything: bool = False) -> dict[str, Any]:
        """The shared records as JSON, or those of one agent; nobody else's private notes are in either.

        `everything` is for the owner of the team: what is shared, and each agent's notes in a section of its own.
        """
        if everything and agent is not None:
            raise InvalidParameter("everything is exported at once; leave out the agent, or `everything`.")
        of = self.shared if agent is None else self.private(agent)
        with self._space.look():
            export = TeamExport.of(
                {
                    "format": "amb-team-memory",
                    "version": 1,
                    "task": self.task,
                    "scope": "everything" if everything else of.name,
                    "holds_private_notes": everything or agent is not None,
                    "agents": self.agents,
                    "status": self.shared.status,
                    "answer": self.shared.final_answer,
                    "statistics": self.statistics(),
                    "records": of.records(),
                    "answered": self._answered,
                    "reflection": self._reflection,
                    "in_meta": self.meta is not None and self._reflection is not None,
                    "private": {name: each.records() for name, each in self._private.items()} if everything else {},
                }
            )
        return export.model_dump(mode="json", exclude=None if everything else {"private"})

    def export(self, path: str | Path, *, agent: str | None = None, everything: bool = False) -> Path:
        """Write a snapshot to a file; it is whole or not there."""
        return write_snapshot(path, self.snapshot(agent, everything=everything))

    def close(self) -> None:
        """Release what was opened for the team; calling twice is no error."""
        self._closed = True
        while self._owned:
            self._owned.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _note_output(self, private: PrivateMemory, text: str) -> None:
        private.note(OutputNote, content=text, turn=self._turn)
        keep_notes(text, private, turn=self._turn)

    def _follow(self, private: PrivateMemory, action: str, *, new_facts: int, turn: int) -> Stuck | None:
        return self._circles.follow(private, self._private.values(), action, new_facts=new_facts, turn=turn)

    def _curate(self, request: CuratorRequest) -> CuratedObservation:
        try:
            return self._curator.curate(request)
        except Exception as error:  # noqa: BLE001 - it may be anybody's; the observation itself is kept
            _log.warning("the curator failed (%s); the local one stands in for it", type(error).__name__)
            return LocalCurator().curate(request)

    def _meta_hits(self, *, at_start: bool, stronger: bool) -> MetaHits:
        """What earlier tasks taught: at the start where one of them was like this, and where the team is stuck."""
        if self.meta is None:
            return MetaHits()
        earlier = self._known_earlier(self.meta)
        if stronger or (at_start and earlier.ways_of(self.task).successes):
            return earlier
        return earlier.tasks if at_start else earlier.ways_of(self.task)

    def _known_earlier(self, meta: MetaMemory) -> MetaHits:
        if self._earlier is None:
            self._earlier = meta.for_task(self.task, question_type=question_type(self.task))
        return self._earlier

    def _check_open(self) -> None:
        if self._closed:
            raise BankClosed("this team's memory was closed; begin a new one.")


def _checked_text(name: str, given: str | None) -> str:
    """A text, "" for None; InvalidInput for anything else."""
    if not isinstance(given, str | None):
        raise InvalidInput(f"{name} is a text, not {type(given).__name__}.")
    return given or ""


def _checked_names(agents: Sequence[str]) -> tuple[str, ...]:
    """The names of the members, each once; none may be called as what the team shares."""
    names = tuple(agents) if not isinstance(agents, str) else ()
    if not names or len(set(names)) != len(names) or not all(isinstance(name, str) and name.strip() for name in names):
        raise InvalidParameter(
            "agents are the names of the team's members, each once, such as ['solver', 'retriever']."
        )
    if "shared" in names:
        raise InvalidParameter("no agent can be called 'shared'; it names what the team shares.")
    return names
