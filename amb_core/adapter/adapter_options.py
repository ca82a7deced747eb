"""The options of an adapter: how its requests are made, and what may be told by its own name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

from amb_core.adapter.chat_messages import Placement
from amb_core.adapter.request_builder import Inject
from amb_core.adapter.wire_forms import WireFormName
from amb_core.bank import MemoryBank
from amb_core.contributor import Contributor, ContributorSource
from amb_core.errors import InvalidParameter, WireFormUnknown
from amb_core.memory.arguments import require_type, unknown_argument, whole_number
from amb_core.models import ToolResult
from amb_core.scope import Scope

if TYPE_CHECKING:
    from amb_core.adapter.teammate import Teammate

__all__ = ["AdapterOptions", "NamedOptions", "RequestOptions", "check_inject", "check_options", "sort_options"]


def check_inject(inject: object) -> None:
    """InvalidParameter for what is none of the words that `inject` takes."""
    if inject not in (None, "auto", "missing", "always", "never"):
        raise InvalidParameter(f"inject takes auto, missing, always or never, not {inject!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestOptions:
    """How an adapter makes requests; what is None is as the bank's setting of that name.

    `placement` says where the block goes; `merge_with_last_user` joins a tail block to the last user message, for
    models that take no two in a row. `inject` says when a request gets a block: `missing` where memory knows what the
    request does not hold, `always` at every turn, `never`, or `auto`. `count_tokens` counts the transcript exactly
    instead of by estimate: a tokenizer by its name (`o200k`, `cl100k`, `llama3`, `qwen3`, or a model's; extra
    `tokens`), or a function. `reserved_tokens` is what each request carries beside these messages, such as instructions
    and tool schemas. `form` names the provider's form for lists that could be of several, which are OpenAI chat
    otherwise. A new question of the user's closes the Insight Doc and opens one for it, unless `follows_talk` is off,
    or others take part. With `settles` the agent also gets the tool `settle_dispute`, by which its model says which
    value of a dispute holds.
    """

    placement: Placement | None = None
    merge_with_last_user: bool | None = None
    inject: Inject | Literal["auto"] | None = None
    count_tokens: Callable[[str], int] | str | None = None
    reserved_tokens: int = 0
    form: WireFormName | None = None
    follows_talk: bool = True
    settles: bool = False

    def __post_init__(self) -> None:
        if self.placement not in (None, *get_args(Placement)):
            raise InvalidParameter(f"placement takes tail, user_prefix or system, not {self.placement!r}.")
        check_inject(self.inject)
        if self.form is not None and self.form not in get_args(WireFormName):
            raise WireFormUnknown(f"form takes {', '.join(get_args(WireFormName))}, not {self.form!r}.")
        whole_number("reserved_tokens", self.reserved_tokens, least=0)


class NamedOptions(TypedDict, total=False):
    """What ContextAdapter also takes by its own name: a field of RequestOptions, or one contributor.

    `memories`, a LongTermMemory, tells what is known of the user: his profile stands in each request. `experience`
    tells the agent what it did for the same user in earlier runs, and keeps what it does in this one. `team` is the
    agent's part in a team's memory: it sees what `share` lets the team see, and is asked before a search is made.
    """

    placement: Placement | None
    merge_with_last_user: bool | None
    inject: Inject | Literal["auto"] | None
    count_tokens: Callable[[str], int] | str | None
    reserved_tokens: int
    form: WireFormName | None
    follows_talk: bool
    settles: bool
    memories: ContributorSource | None
    experience: ContributorSource | None
    team: Teammate | None


class AdapterOptions(NamedOptions, total=False):
    """All options of ContextAdapter, which says what each of them means: `**options: Unpack[AdapterOptions]`."""

    contributors: Sequence[Contributor | ContributorSource]
    scope: Scope | None
    sharing: bool
    shared: MemoryBank | None
    share: Callable[[ToolResult], bool] | None
    agent: str | None
    run: str
    request: RequestOptions | None


_TYPES: Mapping[str, type] = {
    "scope": Scope,
    "shared": MemoryBank,
    "run": str,
    "agent": str,
    "request": RequestOptions,
    **dict.fromkeys(("sharing", "settles", "follows_talk", "merge_with_last_user"), bool),
}
_METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "team": ("a member of a team, TeamMemory(goal).member(name)", ("block", "on_entry", "cached_result")),
    "experience": ("an Experience", ("join",)),
    "memories": ("a LongTermMemory", ("join",)),
    "share": ("a function of a ToolResult", ("__call__",)),
}
"""What an option takes that several classes may be, and the methods it is known by."""


def check_options(**options: Any) -> None:
    """InvalidParameter for an option that ContextAdapter does not have, or that has another type and is not None."""
    for name, value in options.items():
        if name not in AdapterOptions.__annotations__:
            takes = ["bank", *AdapterOptions.__annotations__]
            raise InvalidParameter(unknown_argument("ContextAdapter", name, takes))
        if value is not None and name in _TYPES:
            require_type(value, _TYPES[name], by=f"ContextAdapter({name}=…)", error=InvalidParameter)
        told, methods = _METHODS.get(name, ("", ()))
        has_all = all(callable(getattr(value, method, None)) for method in methods)
        if value is not None and (not has_all or (methods and isinstance(value, str))):  # a text can join, too
            raise InvalidParameter(f"ContextAdapter({name}=…) takes {told}, not {type(value).__name__}")
    RequestOptions(**{name: value for name, value in options.items() if name in RequestOptions.__slots__})


def sort_options(
    request: RequestOptions | None, contributors: Sequence[Any], named: NamedOptions, *, sharing: bool
) -> tuple[RequestOptions, list[Any], Any]:
    """How requests are made, who speaks in them, and the part in a team's memory (None for none).

    InvalidParameter for a memory of one user where several work with one bank.
    """
    given: dict[str, Any] = {**named}
    memories, experience, team = (given.pop(name, None) for name in ("memories", "experience", "team"))
    speakers = [each for each in (memories, experience, *contributors) if each is not None]
    if sharing and any(getattr(each, "is_of_one_user", False) for each in speakers):
        raise InvalidParameter("memories= tells of one user, and with sharing= there may be several: leave one out.")
    mates = [each for each in speakers if hasattr(each, "team")]
    if len(mates) > (team is None):
        raise InvalidParameter("an agent has a part in one team's memory: pass one, as team= or a contributor.")
    others = [each for each in speakers if each not in mates]
    return replace(request or RequestOptions(), **given), others, team or next(iter(mates), None)
