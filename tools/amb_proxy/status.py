"""`amb proxy status`: what the gateway of a folder did."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import httpx2

from amb_cli.console import say
from amb_cli.user_language import translate
from amb_core import InvalidInput
from amb_inspector.one_file import one_file
from amb_proxy.conversations import Conversations
from amb_proxy.gateway_store import has_worked_on, open_gateway_store
from amb_proxy.ledger import Cost, GatewayCosts

__all__ = ["render_status", "show_status", "told_of"]

# One shared scope, so the order matters: what a file uses at load time stands before it.
_SCRIPTS = (
    "scripts/frame.js",
    "team/scripts/sections.js",
    "amb_proxy:scripts/gateway.js",
    "team/scripts/parts_frame.js",
)


def told_of(conversations: Conversations, ledger: GatewayCosts) -> list[dict[str, Any]]:
    """Each conversation with what it cost, the one used last first."""
    costs = ledger.all()
    return [one | asdict(costs.get(one["id"], Cost())) for one in conversations.all()]


def render_status(told: dict[str, Any]) -> str:
    """What the gateway did, as one self-contained HTML page (text)."""
    return one_file(
        {"gateway": told},
        title="",
        about=str(told["upstream"]),
        language="auto",
        wording="amb_proxy:words",
        styles=(),
        scripts=_SCRIPTS,
    )


def show_status(folder: Path, *, store: str | None = None, as_json: bool) -> int:
    """Print the conversations of a folder and what they cost: as its gateway says, or from its files if none runs.

    With a `store` those of all gateways on it. Raises InvalidInput for a folder that no gateway has worked on.
    """
    told = _read(store) if store else _asked(folder) or _read(folder)
    if as_json:
        say(json.dumps(told, ensure_ascii=False, indent=2))
        return 0
    url = told.get("url")
    if not store:
        say(f"{url} -> {told['upstream']}" if url else translate("no gateway works on {folder} now", folder=folder))
    for why, count in sorted(told["bypassed"].items()):
        say(f"  {translate('{count} requests went through unchanged: {why}', count=count, why=why)}")
    for one in told["conversations"]:
        say(f"  {one['id']}  {_line(one)}")
    if len(told["conversations"]) > 1:
        count, line = len(told["conversations"]), _line(_sum(told["conversations"]))
        say(f"  {translate('all {count}: {line}', count=count, line=line)}")
    if url:
        place = {"url": f"{url}/amb/conversations", "file": folder / "operator-token"}
        say(translate("The memory of a conversation: {url}/<id>?token=<text of {file}>", **place))
    return 0


def _asked(folder: Path) -> dict[str, Any] | None:
    """What the gateway that works on a folder says; None where there is none."""
    try:
        url, token = (folder / "address").read_text().strip(), (folder / "operator-token").read_text().strip()
        answer = httpx2.get(f"{url}/amb/status", headers={"x-amb-token": token}, timeout=10.0)
        answer.raise_for_status()
        return {**answer.json(), "url": url}
    except (OSError, ValueError, httpx2.HTTPError):
        return None


def _read(place: Path | str) -> dict[str, Any]:
    if isinstance(place, Path) and not has_worked_on(place):
        raise InvalidInput(
            f"no gateway has worked on {place}; start one with `amb proxy --upstream URL --folder {place}`"
        )
    with closing(open_gateway_store(place)) as store:
        return {"upstream": None, "bypassed": {}, "conversations": told_of(Conversations(store), GatewayCosts(store))}


def _sum(conversations: list[dict[str, Any]]) -> dict[str, Any]:
    names = [name for name, value in conversations[0].items() if isinstance(value, int | float)]
    return {name: sum(one[name] for one in conversations) for name in names}


def _line(one: dict[str, Any]) -> str:
    billed, without = one["sent_billed"], one["raw_billed"]
    share = billed / without if without else None
    told = {
        "{requests} requests": True,
        "{sent_tokens} of {raw_tokens} tokens": True,
        "{share:.2f} of the cost without (a cached token counts as a tenth)": without,
        "{entries} entries": True,
        "{disputes} disputes": one["disputes"],
        "{failures} failures": one["failures"],
    }
    return translate(", ").join(translate(text, share=share, **one) for text, said in told.items() if said)
