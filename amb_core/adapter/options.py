"""What an integration hands on to ContextAdapter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from amb_core.adapter.message_lists import Placement
from amb_core.adapter.teamwork import Teammate
from amb_core.bank import MemoryBank
from amb_core.models import ToolResult
from amb_core.scope import Scope

__all__ = ["AdapterOptions"]


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
    merge_with_last_user: bool
    reserved_tokens: int
    count_tokens: Callable[[str], int] | None
