"""The options of an adapter: how its requests are made, and what may be told by its own name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict, get_args

from amb_core.adapter.chat_messages import Placement
from amb_core.adapter.request_builder import Inject
from amb_core.adapter.teammate import Teammate
from amb_core.adapter.wire_forms import WireFormName
from amb_core.bank import MemoryBank
from amb_core.contributor import Contributor, ContributorSource
from amb_core.errors import InvalidParameter, WireFormUnknown
from amb_core.memory.arguments import whole_number
from amb_core.models import ToolResult
from amb_core.scope import Scope

__all__ = ["AdapterOptions", "NamedOptions", "RequestOptions", "check_inject", "sort_options"]


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


_REQUEST = frozenset(field.name for field in fields(RequestOptions))


def sort_options(
    request: RequestOptions | None, contributors: Sequence[Any], named: NamedOptions, *, sharing: bool
) -> tuple[RequestOptions, list[Any], Any]:
    """How requests are made, who speaks in them, and the part in a team's memory (None for none).

    InvalidParameter for a name that is none, and for a memory of one user where several work with one bank.
    """
    given: dict[str, Any] = {**named}
    memories, experience, team = (given.pop(name, None) for name in ("memories", "experience", "team"))
    unknown = [name for name in given if name not in _REQUEST]
    if unknown:
        raise InvalidParameter(f"ContextAdapter has no option {unknown[0]!r}; see RequestOptions for those it has.")
    speakers = [each for each in (memories, experience, *contributors) if each is not None]
    if sharing and any(getattr(each, "is_of_one_user", False) for each in speakers):
        raise InvalidParameter("memories= tells of one user, and with sharing= there may be several: leave one out.")
    mates = [each for each in speakers if hasattr(each, "team")]
    if len(mates) > (team is None):
        raise InvalidParameter("an agent has a part in one team's memory: pass one, as team= or a contributor.")
    others = [each for each in speakers if each not in mates]
    return replace(request or RequestOptions(), **given), others, team or next(iter(mates), None)
