"""The options of ContextAdapter, which all integrations and `wrap` take, and what each of them may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, get_args

from amb_core.adapter.block_source import PastRuns
from amb_core.adapter.chat_messages import Placement
from amb_core.adapter.request_builder import Inject
from amb_core.adapter.teammate import Teammate
from amb_core.adapter.wire_forms import WireFormName
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter, WireFormUnknown
from amb_core.memory.arguments import require_type
from amb_core.models import ToolResult
from amb_core.scope import Scope

__all__ = ["AdapterOptions", "check_options"]


class AdapterOptions(TypedDict, total=False):
    """The options of ContextAdapter, which says what each of them means: `**options: Unpack[AdapterOptions]`."""

    shared: MemoryBank | None
    share: Callable[[ToolResult], bool] | None
    team: Teammate | None
    scope: Scope | None
    sharing: bool
    agent: str | None
    run: str
    placement: Placement | None
    merge_with_last_user: bool | None
    reserved_tokens: int
    inject: Inject | Literal["auto"] | None
    count_tokens: Callable[[str], int] | str | None
    form: WireFormName | None
    follows_talk: bool
    experience: PastRuns | None
    memories: PastRuns | None
    settles: bool


def _check_choices(placement: object = None, inject: object = None, form: object = None) -> None:
    """InvalidParameter, or WireFormUnknown, for what is none of the words that an option takes."""
    if placement not in (None, "tail", "user_prefix", "system"):
        raise InvalidParameter(f"placement takes tail, user_prefix or system, not {placement!r}.")
    if inject not in (None, "auto", "missing", "always", "never"):
        raise InvalidParameter(f"inject takes auto, missing, always or never, not {inject!r}.")
    if form is not None and form not in get_args(WireFormName):
        raise WireFormUnknown(f"form takes {', '.join(get_args(WireFormName))}, not {form!r}.")


_TYPES: Mapping[str, type] = {
    "scope": Scope,
    "shared": MemoryBank,
    "run": str,
    "agent": str,
    **dict.fromkeys(("sharing", "settles", "follows_talk", "merge_with_last_user"), bool),
}
_METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "team": ("a member of a team, TeamMemory(goal).member(name)", ("block", "saw", "said", "heard", "known")),
    "experience": ("an Experience", ("join",)),
    "memories": ("a LongTermMemory", ("join",)),
    "share": ("a function of a ToolResult", ("__call__",)),
}
"""What an option takes that several classes may be, and the methods it is known by."""


def check_options(**options: Any) -> None:
    """InvalidParameter for an option that ContextAdapter does not have, or that has another type and is not None."""
    _check_choices(*map(options.get, ("placement", "inject", "form")))
    for name, value in options.items():
        if value is not None and name in _TYPES:
            require_type(value, _TYPES[name], by=f"ContextAdapter({name}=…)", error=InvalidParameter)
        told, methods = _METHODS.get(name, ("", ()))
        has_all = all(callable(getattr(value, method, None)) for method in methods)
        if value is not None and (not has_all or (methods and isinstance(value, str))):  # a text can join, too
            raise InvalidParameter(f"ContextAdapter({name}=…) takes {told}, not {type(value).__name__}")
