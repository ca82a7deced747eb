"""`deep_retrieval` answered in the gateway: the client neither offers it nor sees that the model called it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from amb_core.adapter import Tool
from amb_proxy.bodies import Body, StreamEditor, ToolUse
from amb_proxy.event_stream import Event
from amb_proxy.listening import Hearing, TooLarge
from amb_proxy.turns import Turn, Turns

__all__ = ["SettledReply", "settle", "shown_stream"]

_MOST_ROUNDS = 3
"""How often a model may look into memory before it has to answer."""
_LONGEST_TEXT = 4 * 1024 * 1024
"""Characters of a reply that finds its conversation again by its text."""
Asked = Callable[[Turn], Awaitable[AsyncIterator[bytes]]]
"""Sends the next request of a turn, and gives the pieces of its stream."""


@dataclass(frozen=True, slots=True)
class SettledReply:
    """What a reply comes to: `payload` as the client may see it, or the turn with another request inside (`next`).

    `payload` is the very object that came where nothing had to be taken out.
    """

    payload: Body
    next: Turn | None = None


def settle(turns: Turns, turn: Turn, payload: Body, *, said: Sequence[str] = ()) -> SettledReply:
    """Answer the calls of our tool in a reply, and register what the client sees of it.

    Where the model called nothing else another request follows; after three of them the tool is gone. Beside calls of
    the client's own ours are taken out, and kept until the client comes back with its results. `said` are the texts of
    earlier replies that the client has seen as one with this.
    """
    form, reply = turn.form, turn.form.reply(payload)
    ours = tuple(call for call in reply.calls if turn.inside and call.name == turns.tool.name)
    if ours:
        outputs = {call.id: _output(turns.look_up(turn), call) for call in ours}
        theirs = [call for call in reply.calls if call not in ours]
        if not theirs and turn.rounds < _MOST_ROUNDS:
            body = form.followed_up(json.loads(turn.content), payload, outputs)
            closed = turn.rounds + 1 == _MOST_ROUNDS
            return SettledReply(payload, turns.follow_up(turn, _without_tool(body, turns.tool) if closed else body))
        if theirs:
            turns.conversations.hide(turn.conversation, theirs[0].id, form.inside(payload, outputs))
        payload = form.without(payload, outputs)
        reply = form.reply(payload)
    joint = "" if form.name == "openai-chat" else " "
    text = joint.join((*said, reply.text))
    turns.register(turn, replace(reply, text=text if len(text) <= _LONGEST_TEXT else ""))
    return SettledReply(payload)


async def shown_stream(
    pieces: AsyncIterator[bytes],
    turn: Turn,
    *,
    tool: str,
    settled: Callable[[Turn, Hearing, Sequence[str]], Awaitable[Turn | None]],
    ask: Asked,
) -> AsyncIterator[bytes]:
    """The stream as the client sees it: the replies of a turn as one, without the calls of our tool.

    `settled` hears a reply that has ended, and gives the turn that follows it inside; `ask` sends that. Where a reply
    is too large to be read, the rest goes on as it came; what no other reply follows is shown to its end.
    """
    editor, said = turn.form.editor(tool), list[str]()
    while True:
        hearing, held, following = Hearing(turn.form), list[bytes](), None
        async for piece in pieces:
            try:
                events = await hearing.events(piece)
            except TooLarge:
                if following is not None:
                    break
                for rest in (*held, hearing.rest, piece):
                    yield rest
                async for rest in pieces:
                    yield rest
                return
            for event in events:
                if hearing.take(event):
                    following = await settled(turn, hearing, said)
                if (shown := _shown(editor, event)) is not None:
                    yield shown.raw
                elif editor.again and following is None:
                    held.append(event.raw)
        if not editor.again or following is None:
            for rest in (*held, hearing.rest):
                yield rest
            return
        said.append(turn.form.reply(hearing.whole() or {}).text)
        turn, pieces = following, await ask(following)
        editor.next_reply()


def _shown(editor: StreamEditor, event: Event) -> Event | None:
    try:
        return editor.feed(event)
    except Exception:  # noqa: BLE001 - whatever the provider sent, the client gets it
        return event


def _output(tool: Tool, call: ToolUse) -> str:
    try:
        given = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, Mapping):
        return "Error: the arguments are no JSON object."
    return tool(**{str(name): value for name, value in given.items()})


def _without_tool(body: Body, tool: Tool) -> Body:
    left = [one for one in body["tools"] if (one.get("function") or one).get("name") != tool.name]
    return {**body, "tools": left}
