"""Routing: whether a message is worth a look into memory or a place in it, by its words and, if wished, a model."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pydantic import Field

from amb_core.chat.structured_chat import StructuredChat
from amb_core.errors import InvalidParameter, ModelError
from amb_core.frozen import Frozen
from amb_core.longterm.longterm_settings import LongTermSettings
from amb_core.longterm.memory_records import MemoryType, Route
from amb_core.longterm.namespaces import namespace_of
from amb_core.longterm.routing_cues import cue, hears
from amb_core.prompts import prompt
from amb_core.protocols import ChatModel
from amb_core.rendering import strip_block
from amb_core.text import clip_tokens, detect_language, index_tokens, sentences

__all__ = [
    "Policy",
    "Statement",
    "asked_for",
    "by_namespace",
    "defined_term",
    "route",
    "scope_of_worker",
    "statements",
    "without_rules",
]

Policy = Literal["default", "heuristics", "read-only", "always", "never"]
"""`default`: cues, then the model where they are silent; `heuristics`: cues alone; `read-only`: never writes."""

_log = logging.getLogger("amb.longterm")
_SUPERVISOR = "supervisor"
_SCOPES = {MemoryType.USER_PROFILE: "user_profile", MemoryType.DOMAIN_FACTS: "domain_facts"}
_LONGEST = 2_000
"""Tokens of a message that are looked at: what comes behind is material, not talk."""
_LONGEST_STATEMENT = 600
"""Characters a statement may have: a longer clause is no rule or definition."""
_LONGEST_TERM = 40
_Write = Literal["user-profile", "domain-facts", "task-traces"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause of a message that is worth keeping, in its own words, and what kind of memory it is."""

    text: str
    type: MemoryType
    cue: str


class RoutingShape(Frozen):
    """What the light model answers."""

    read: bool
    write: list[_Write] = Field(max_length=3)


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
    judged = _Judged() if policy == "never" else _by_cues(_talk(message))
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


def statements(message: str) -> tuple[Statement, ...]:
    """The clauses of a message that are to be kept: the user's rules and habits, definitions, conclusions."""
    talk = _talk(message)
    if hears("do not keep", talk) or hears("forget", talk):
        return ()
    return tuple(found for clause in _clauses(talk) if (found := _statement(clause)) is not None)


def by_namespace(message: str, found: Route) -> list[tuple[str, Statement]]:
    """What of a message is to be kept where; where a model chose and no clause stands out, the whole message."""
    kept = statements(message)
    placed = [(space, each) for space, kind in found.writes.items() for each in kept if each.type is kind]
    whole = _talk(message)[:_LONGEST_STATEMENT]
    missing = [(space, kind) for space, kind in found.writes.items() if all(each.type is not kind for each in kept)]
    return placed + [(space, Statement(whole, kind, "a model decided")) for space, kind in missing if whole]


def asked_for(message: str) -> str:
    """What a message asks for: without what it tells and without its references to earlier sessions."""
    talk = _talk(message)
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
    clauses = (clause for line in text.splitlines() for clause in _clauses(line))
    return "\n".join(clause for clause in clauses if not (hears("profile", clause) or hears("commands", clause)))


def scope_of_worker(worker: str) -> str:
    """The scope of an agent's memories: `{agent}_memories`."""
    return f"{worker}_memories"


# --- by words --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    """`earlier`: it refers to earlier work; `unsure`: no cue spoke, which a model may know better."""

    read: bool = False
    types: tuple[MemoryType, ...] = ()
    earlier: bool = False
    unsure: bool = False
    reasons: tuple[str, ...] = ()


def _talk(message: str) -> str:
    """What was said, without blocks of ours, code, quoted lines and material that was put behind a request."""
    own = cue("quoted lines").sub(" ", strip_block(message))
    behind = hears("material", own)
    before = own[: behind.start()] if behind else ""
    if (hears("request", before) or hears("reported", before)) and not hears("profile", before):
        own = before
    return clip_tokens(own, _LONGEST).strip()


def _by_cues(talk: str) -> _Judged:
    kept = statements(talk)
    types = tuple(dict.fromkeys(statement.type for statement in kept))
    reasons = tuple(f"{statement.type.value}: {statement.cue}" for statement in kept)
    if wished := hears("forget", talk):
        return _Judged(True, earlier=True, reasons=(f"wants something forgotten: {wished.group()}",))
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
        unsure = unsure or not (theirs or withdrawn or hears("supposed", clause))
    return _Judged(False, types, unsure=unsure and not types, reasons=reasons)


def _asking(talk: str, kept: Sequence[Statement]) -> list[str]:
    """The clauses that tell nothing to keep."""
    told = {statement.text for statement in kept}
    return [clause for clause in _clauses(talk) if clause not in told]


def _clauses(talk: str) -> Iterator[str]:
    """Sentences, divided where a message goes from asking to telling."""
    for sentence in sentences(talk):
        done = 0
        quotes = [range(*quote.span()) for quote in cue("quoted").finditer(sentence)]
        for cut in cue("clause break").finditer(sentence):
            if not any(cut.start() in quote for quote in quotes):
                yield from filter(None, [sentence[done : cut.start()].strip()])
                done = cut.end()
        yield from filter(None, [sentence[done:].strip()])


def _statement(clause: str) -> Statement | None:
    """What a clause states for good; None for a question, a guess, a one-off or somebody else's words."""
    spoken = cue("quoted").sub(" Q ", clause)
    against = (hears("supposed", clause), hears("small talk", clause), hears("reported", spoken))
    if len(clause) > _LONGEST_STATEMENT or any(against):
        return None
    asks, polite, passing = hears("question", spoken), hears("polite", spoken), hears("passing", spoken)
    if not asks and (found := hears("conclusion", spoken)):
        return Statement(clause, MemoryType.TASK_TRACES, found.group().strip())
    if not asks and not passing and (found := hears("definition", clause)):
        return Statement(clause, MemoryType.DOMAIN_FACTS, found.group().strip())
    if passing or (asks and not polite):
        return None
    found = hears("profile", spoken[polite.end() :] if polite else spoken)
    return None if found is None else Statement(clause, MemoryType.USER_PROFILE, found.group().strip())


# --- by a model ------------------------------------------------------------------------------------------------------


def _by_model(message: str, judged: _Judged, chat: ChatModel) -> _Judged:
    """What a light model says of a message that no cue decides; what the cues said when it fails."""
    talk = _talk(message)
    asked = ({"role": "system", "content": prompt("routing", detect_language(talk))}, {"role": "user", "content": talk})
    try:
        answer = StructuredChat(chat).ask(asked, RoutingShape, purpose="routing", max_output_tokens=200)
    except ModelError as error:
        _log.warning("routing goes by its cues, for the model gave no answer: %s", error)
        return judged
    types = tuple(dict.fromkeys(map(MemoryType, answer.write)))
    if hears("do not keep", talk):
        types = ()
    return _Judged(answer.read, types, judged.earlier, reasons=(*judged.reasons, "a model decided"))


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
    )
