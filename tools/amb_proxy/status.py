"""`amb proxy status`: what the gateway of a folder did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2

from amb_core import InvalidInput
from amb_core.cli.console import say

__all__ = ["show_status"]


def show_status(folder: Path, *, as_json: bool) -> int:
    """Ask the gateway that works on a folder, and print its conversations and what they cost.

    Raises InvalidInput when none is running.
    """
    try:
        url, token = (folder / "address").read_text().strip(), (folder / "operator-token").read_text().strip()
        answer = httpx2.get(f"{url}/amb/status", headers={"x-amb-token": token}, timeout=10.0)
        answer.raise_for_status()
    except (OSError, httpx2.HTTPError) as error:
        raise InvalidInput(
            f"no gateway works on {folder} ({type(error).__name__}); start one with "
            f"`amb proxy --upstream URL --folder {folder}`"
        ) from None
    told = answer.json()
    if as_json:
        say(json.dumps(told, ensure_ascii=False, indent=2))
        return 0
    say(f"{url} -> {told['upstream']}")
    for why, count in sorted(told["bypassed"].items()):
        say(f"  {count} requests went through unchanged: {why}")
    for one in told["conversations"]:
        say(_line(one))
    say(f"The memory of a conversation: {url}/amb/conversations/<id>?token={token}")
    return 0


def _line(one: dict[str, Any]) -> str:
    billed, without = one["sent_billed"], one["raw_billed"]
    told = [f"{one['requests']} requests", f"{one['sent_tokens']} of {one['raw_tokens']} tokens"]
    told += [f"{billed / without:.2f} of the cost without"] if without else []
    told += [f"{one['failures']} failures"] if one["failures"] else []
    return f"  {one['id']}  {', '.join(told)}"
