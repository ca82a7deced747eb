"""Routing: whether a message is worth a look into memory or a place in it, by its words and, if wished, a model."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from amb_core.agent_io import ReadingRequest, Statement
from amb_core.errors import InvalidParameter, ModelError
from amb_core.protocols import ChatModel
from amb_core.text import index_tokens
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_cues import cue, hears
from amb_longterm.memory_records import MemoryType, Route
from amb_longterm.namespaces import namespace_of
from amb_longterm.unread_statements import is_read
from amb_longterm.user_statements import Clause, clauses, own_words, statements
from amb_readers.prompted_reader import PromptedReader

__all__ = [
    "Policy",
    "asked_for",
    "by_namespace",
    "defined_term",
    "read_by_model",
    "route",
    "scope_of_worker",
    "without_rules",
]

Policy = Literal["default", "heuristics", "read-only", "always", "never"]
"""`default`: cues, then the model where they are silent; `heuristics`: cues alone; `read-only`: never writes."""
_log = logging.getLogger("amb.longterm")
_SUPERVISOR = "supervisor"
_SCOPES = {MemoryType.USER_PROFILE: "user_profile", MemoryType.DOMAIN_FACTS: "domain_facts"}
_LONGEST_STATEMENT = 600
"""Characters that are kept of a message in which no clause is to be."""
_LONGEST_TERM = 40
_USER = "user"
_TYPES = {"DEFINITION": MemoryType.DOMAIN_FACTS, "RESULT": MemoryType.TASK_TRACES}
"""The attributes that a reader gives to what is not of the user."""


def route(
    message: str,
    *,
    user: str,
    workers: Sequence[str] = (),
    policy: str = "default",
    chat: ChatModel | None = None,
    settings: LongTermSettings | None = None,
) -> Route:
    """Whether to read before the message is worked on, whether it says something to keep, and in which namespaces.

    Without a user the namespaces are the scopes alone. A model is asked only where no cue decides; if it fails, the
    cues stand. Raises InvalidParameter for an unknown policy.
    """
    if policy not in get_args(Policy):
        raise InvalidParameter(f"a routing policy is one of {', '.join(get_args(Policy))}, not {policy!r:.40}.")
    judged = _Judged() if policy == "never" else _by_cues(own_words(message))
    if policy == "default" and chat is not None and judged.unsure:
        judged = _by_model(message, judged, chat)
    if policy == "always":
        types = judged.types or ((MemoryType.USER_PROFILE,) if message.strip() else ())
        judged = replace(judged, read=True, types=types)
    elif policy == "read-only":
        judged = replace(judged, types=())
    if policy in ("never", "read-only", "always"):
        judged = replace(judged, reasons=(*judged.reasons, f"policy: {policy}"))
    return _placed(judged, user=user, workers=workers, scopes=(settings or LongTermSettings()).namespaces)


def by_namespace(message: str, found: Route) -> list[tuple[str, Clause]]:
    """What of a message is to be kept where: clauses, what a model quoted, or where all is to be kept the message.

    One configured namespace takes what is of any kind.
    """
    kept = statements(message) or tuple(Clause(text, kind, "a model decided") for kind, text in found.said)
    homes = {kind: space for space, kind in found.writes.items()}
    shared = next(iter(found.writes), "")
    placed = [(homes.get(each.type, shared), each) for each in kept if shared]
    whole = own_words(message)[:_LONGEST_STATEMENT]
    missing = [(space, kind) for space, kind in found.writes.items() if all(each.type is not kind for each in kept)]
    return placed + [(space, Clause(whole, kind, "the whole message")) for space, kind in missing if whole]


def asked_for(message: str) -> str:
    """What a message asks for: without what it tells and without its references to earlier sessions."""
    talk = own_words(message)
    asking = " ".join(_asking(talk, statements(message)))
    bare = cue("earlier").sub(" ", asking)
    return " ".join((bare if index_tokens(bare) else asking or talk).split())


def defined_term(text: str) -> str:
    """The term that a definition is of: "net revenue" of "Net revenue means …"; "" for anything else."""
    means = hears("definition", text)
    before = text[: means.start()] if means else ""
    term = cue("before term").sub("", before).strip(" \t,，:：“”\"'「」")
    return term if 0 < len(term) <= _LONGEST_TERM else ""


def without_rules(text: str) -> str:
    """The text of somebody else without the sentences that would set a rule: those are never the user's."""
    each = (clause for line in text.splitlines() for clause in clauses(line))
    return "\n".join(clause for clause in each if not (hears("profile", clause) or hears("commands", clause)))


def scope_of_worker(worker: str) -> str:
    """The scope of an agent's memories: `{agent}_memories`."""
    return f"{worker}_memories"


# --- by words --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    """`earlier`: it refers to earlier work; `unsure`: no cue spoke; `said`: what a model that knew better quoted."""

    read: bool = False
    types: tuple[MemoryType, ...] = ()
    earlier: bool = False
    unsure: bool = False
    reasons: tuple[str, ...] = ()
    said: tuple[tuple[MemoryType, str], ...] = ()


def _by_cues(talk: str) -> _Judged:
    kept = statements(talk)
    types = tuple(dict.fromkeys(statement.type for statement in kept))
    reasons = tuple(f"{statement.type.value}: {statement.cue}" for statement in kept)
    if wished := hears("forget", talk):
        return _Judged(True, earlier=True, reasons=(f"wants something forgotten: {wished.group()}",))
    if not is_read(talk):  # a statement, or a request as well
        return _Judged(True, types, unsure=True, reasons=(*reasons, "may ask for something"))
    unsure = False
    for clause in _asking(talk, kept):
        spoken = cue("quoted").sub(" Q ", clause)
        if hears("small talk", clause):
            continue
        if earlier := hears("earlier", spoken):
            return _Judged(True, types, True, reasons=(*reasons, f"refers to earlier: {earlier.group().strip()}"))
        request, theirs, withdrawn = (hears(name, spoken) for name in ("request", "reported", "do not keep"))
        is_theirs = theirs and spoken != clause  # what is to be translated stands between quotation marks
        if (request or hears("question", spoken)) and not (withdrawn or is_theirs):
            return _Judged(True, types, unsure=not (types or request), reasons=(*reasons, "asks for something"))
        unsure = unsure or not (theirs or withdrawn or hears("supposed", clause) or hears("remark", clause))
    if unsure and not types:  # no greeting, and nothing that is told: it asks, in whatever words
        return _Judged(True, unsure=True, reasons=("may ask for something",))
    return _Judged(False, types, reasons=reasons)


def _asking(talk: str, kept: Sequence[Clause]) -> list[str]:
    """The clauses that tell nothing to keep."""
    told = {statement.text for statement in kept}
    return [clause for clause in clauses(talk) if clause not in told]


# --- by a model ------------------------------------------------------------------------------------------------------


def read_by_model(message: str, chat: ChatModel) -> list[Clause]:
    """What a model reads of the user in a message, each in his own words; raises a ModelError without an answer."""
    talk = own_words(message)
    if not talk or hears("do not keep", talk):
        return []
    read = PromptedReader(chat, purpose="remembering").read(_asked_of(talk))
    return [Clause(each.text, _type(each), "a model decided") for each in read.statements if _is_kept(each)]


def _asked_of(talk: str) -> ReadingRequest:
    return ReadingRequest(text=talk, kind="message", only_statements=True, speaker=_USER)


def _by_model(message: str, judged: _Judged, chat: ChatModel) -> _Judged:
    """What a light model reads off a message that no cue decides; what the cues said when it fails."""
    talk = own_words(message)
    try:
        read = PromptedReader(chat, purpose="routing").read(_asked_of(talk))
    except ModelError as error:
        _log.warning("routing goes by its cues, for the model gave no answer: %s", error)
        return judged
    kept = {} if hears("do not keep", talk) else {each.text: _type(each) for each in read.statements if _is_kept(each)}
    reasons = ["a model decided", *([f"statements without a true quote: {read.dropped}"] if read.dropped else [])]
    return replace(
        judged,
        read=bool(read.missing),
        types=tuple(dict.fromkeys(kept.values())),
        reasons=(*judged.reasons, *reasons),
        said=tuple((kind, text) for text, kind in kept.items()),
    )


def _is_kept(told: Statement) -> bool:
    """Whether the user himself says it, of what is so or what he plans."""
    return told.modality in ("said", "planned") and told.speaker in ("", _USER)


def _type(told: Statement) -> MemoryType:
    return _TYPES.get(told.attribute.upper(), MemoryType.USER_PROFILE)


# --- namespaces ------------------------------------------------------------------------------------------------------


def _placed(judged: _Judged, *, user: str, workers: Sequence[str], scopes: Sequence[str]) -> Route:
    """What was judged, with the namespaces of a user that it concerns."""

    def named(scope: str) -> str:
        return namespace_of(scope, user) if user else scope

    def home(kind: MemoryType) -> str:
        """The usual scope of a kind where it is among the configured ones, else the first of these."""
        usual = _SCOPES.get(kind)
        if usual is None:
            return scope_of_worker(_SUPERVISOR)
        return usual if usual in scopes or not scopes else scopes[0]

    writes = {named(home(kind)): kind for kind in judged.types}
    looked_into = [*scopes, scope_of_worker(_SUPERVISOR)] if judged.read else []
    if judged.read and judged.earlier:
        looked_into += map(scope_of_worker, workers)
    return Route(
        should_read=judged.read,
        should_write=bool(writes),
        namespaces=tuple(dict.fromkeys([*map(named, looked_into), *writes])),
        writes=writes,
        reasons=judged.reasons,
        said=judged.said,
    )
