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
    told = {statement.text for statement in statements(message)}
    asking = " ".join(clause for clause in _clauses(talk) if clause not in told)
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
    kept = [clause for line in text.splitlines() for clause in _clauses(line) if not _sets_a_rule(clause)]
    return "\n".join(kept)


def scope_of_worker(worker: str) -> str:
    """The scope of an agent's memories: `{agent}_memories`."""
    return f"{worker}_memories"


def _sets_a_rule(clause: str) -> bool:
    return bool(hears("profile", clause) or hears("commands", clause))


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
    asked = hears("material", own)
    if asked and _hands_over(own[: asked.start()]):
        own = own[: asked.start()]
    return clip_tokens(own, _LONGEST).strip()


def _hands_over(request: str) -> bool:
    """Whether what follows a request is what it is about, and no list of rules."""
    asks = hears("request", request) or hears("reported", request)
    return asks is not None and not hears("profile", request)


def _by_cues(talk: str) -> _Judged:
    if not talk:
        return _Judged()
    if hears("about memory", talk):
        return _Judged(True, earlier=True, reasons=("asks what is remembered",))
    if hears("forget", talk):
        return _Judged(True, earlier=True, reasons=("wants something forgotten",))
    kept = statements(talk)
    told = {statement.text for statement in kept}
    asking = [clause for clause in _clauses(talk) if clause not in told]
    types = tuple(dict.fromkeys(statement.type for statement in kept))
    reasons = tuple(f"{statement.type.value}: {statement.cue}" for statement in kept)
    for clause in asking:
        spoken = cue("quoted").sub(" Q ", clause)
        if hears("small talk", clause) or hears("arithmetic", clause):
            continue
        if earlier := hears("earlier", spoken):
            return _Judged(True, types, True, reasons=(*reasons, f"refers to earlier: {earlier.group().strip()}"))
        if _wants(clause, spoken):
            asks = hears("request", spoken) is not None
            return _Judged(True, types, unsure=not (types or asks), reasons=(*reasons, "asks for something"))
    unsure = not types and any(_may_be_more(clause) for clause in asking)
    return _Judged(False, types, unsure=unsure, reasons=reasons)


def _wants(clause: str, spoken: str) -> bool:
    if hears("reported", spoken) and spoken != clause:
        return False  # what is to be translated or was written by somebody, word for word
    return not hears("do not keep", clause) and bool(hears("question", spoken) or hears("request", spoken))


def _may_be_more(clause: str) -> bool:
    """Whether a model might see in a clause what no cue says."""
    against = ("small talk", "arithmetic", "hypothetical", "do not keep", "reported")
    return len(clause) > 5 and not any(hears(name, clause) for name in against)


def _clauses(talk: str) -> Iterator[str]:
    """Sentences, divided where a message goes from asking to telling."""
    for sentence in sentences(talk):
        done = 0
        for cut in cue("clause break").finditer(sentence):
            if not any(quote.start() < cut.start() < quote.end() for quote in cue("quoted").finditer(sentence)):
                yield from filter(None, [sentence[done : cut.start()].strip()])
                done = cut.end()
        yield from filter(None, [sentence[done:].strip()])


def _statement(clause: str) -> Statement | None:
    """What a clause states for good; None for a question, a guess, a one-off or somebody else's words."""
    if len(clause) > _LONGEST_STATEMENT or hears("hypothetical", clause) or hears("small talk", clause):
        return None
    spoken = cue("quoted").sub(" Q ", clause)
    polite = hears("polite", spoken)
    asks = hears("question", spoken) is not None
    reported = hears("reported", spoken) is not None
    passing = hears("transient", spoken) is not None
    if not asks and not reported and not hears("no definition", spoken):
        if found := hears("conclusion", spoken):
            return Statement(clause, MemoryType.TASK_TRACES, found.group().strip())
        if (found := hears("definition", clause)) and not passing:
            return Statement(clause, MemoryType.DOMAIN_FACTS, found.group().strip())
    if reported or passing or hears("one off", spoken) or hears("you do", spoken) or (asks and not polite):
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
