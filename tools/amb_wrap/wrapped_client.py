"""The client of a provider with a memory: the same type and the same calls, each of them bounded and remembered.

OpenAI's and Anthropic's clients, and others that are generated as they are, send every call by their public method
`post`, plain or as a stream, for any API. So that is what a wrapped client has of its own, and no SDK is imported here.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, TypeVar, Unpack, cast, get_origin

from amb_core.adapter.adapter_options import AdapterOptions
from amb_core.adapter.context_adapter import ContextAdapter
from amb_core.adapter.wire_forms import fields_of
from amb_core.bank_source import BankSource
from amb_core.errors import InvalidParameter
from amb_core.memory.arguments import named_arguments
from amb_wrap.request_forms import request_form
from amb_wrap.unnamed_talks import UnnamedTalks

__all__ = ["unwrap", "wrap"]

_log = logging.getLogger("amb.adapter")
_Client = TypeVar("_Client")
_BARE = "_amb_unwrapped"
"""Where a wrapped client has the one it was made of."""
_TALKS = "_amb_talks"
"""Where it has what finds the memory of a transcript."""
_VIEWS = ("with_raw_response", "with_streaming_response")
"""Parts of older clients that are made of the client and do not name it."""


@named_arguments
def wrap(client: _Client, bank: BankSource, /, **options: Unpack[AdapterOptions]) -> _Client:
    """A client of the same type with a memory: `client = wrap(OpenAI(), MemoryBank("Find the fault"))`.

    Each call of chat completions, Responses or Messages, sync or async, plain or streamed, sends what
    `next_request` makes of its messages, within the bank's budget; tool results and words in them become memory.
    `client.memory` is the ContextAdapter, and the options are its own. The given client stays as it is; both share one
    connection pool. A call whose transcript the server keeps (`previous_response_id`) goes on as it is.
    The bank serves one conversation; others that come unnamed go on apart, each with a memory that ends with the
    process, and a question without tools leaves nothing. `scope` says whose this client is, and ScopeMixed then is for
    everybody else. Raises InvalidParameter for what is no such client, or has a memory already.
    """
    kind = type(client)
    if not callable(getattr(kind, "post", None)) or not (hasattr(client, "chat") or hasattr(client, "messages")):
        raise InvalidParameter(
            "wrap takes a client such as openai.OpenAI(), openai.AsyncOpenAI(), anthropic.Anthropic() or "
            f"anthropic.AsyncAnthropic(), not {kind.__name__}; for any other, send what "
            "ContextAdapter(bank).next_request(messages) gives"
        )
    if _BARE in vars(client):
        raise InvalidParameter("this client has a memory already; unwrap(client) gives the one without")
    if not hasattr(client, "chat"):
        options.setdefault("form", "anthropic")
        options.setdefault("merge_with_last_user", True)
    return cast("_Client", _made(kind, client, UnnamedTalks(ContextAdapter(bank, **options), options)))


def unwrap(client: _Client) -> _Client:
    """The client that `wrap` was given; its memory stays in the bank. Raises InvalidParameter where it has none."""
    bare = getattr(client, "__dict__", {}).get(_BARE)
    if bare is None:
        raise InvalidParameter(f"this {type(client).__name__} was not wrapped")
    return cast("_Client", bare)


def _made(kind: type, client: Any, talks: UnnamedTalks) -> Any:
    """The client anew, with its options and connections, and with resources that ask it and not the old one."""
    made = copy.copy(client)
    made.__class__ = _wrapped(kind)
    vars(made).update({_BARE: client, _TALKS: talks, "memory": talks.memory})
    for name, part in list(vars(made).items()):
        if getattr(part, "_client", None) is client or name in _VIEWS:
            vars(made)[name] = type(part)(made)
    return made


@cache
def _wrapped(kind: type[Any]) -> type:
    """The class of wrapped clients of a class."""

    def post(self: Any, path: str, *, body: Any = None, **rest: Any) -> Any:
        call = _Call(getattr(self, _TALKS), path, body)
        return call.learn(kind.post(self, path, body=call.bounded(), **call.heard(rest)))

    async def post_async(self: Any, path: str, *, body: Any = None, **rest: Any) -> Any:
        call = _Call(getattr(self, _TALKS), path, body)
        reply = await kind.post(self, path, body=await asyncio.to_thread(call.bounded), **call.heard(rest))
        return await asyncio.to_thread(call.learn, reply)

    def copied(self: Any, **options: Any) -> Any:
        return _made(kind, kind.copy(getattr(self, _BARE), **options), getattr(self, _TALKS))

    is_async = inspect.iscoroutinefunction(kind.post)
    own = {"post": post_async if is_async else post, "copy": copied, "with_options": copied, "__module__": __name__}
    return type(kind.__name__, (kind,), own)


class _Call:
    """One call on its way to the provider and back; where memory fails it goes on as it came, which is logged."""

    def __init__(self, talks: UnnamedTalks, path: str, body: Any) -> None:
        self._talks, self._memory, self._body = talks, talks.memory, body
        self._form = request_form(path) if isinstance(body, Mapping) else None
        self._sent: list[Any] | None = None
        self._told = 0

    def bounded(self) -> Any:
        """The body that is sent."""
        form, body = self._form, self._body
        if form is None:
            return body
        told = body.get(form.transcript)
        if isinstance(told, Iterable) and not isinstance(told, str | list):  # SDKs take any iterable
            body = form.with_messages(body, list(told))
        if why := form.bypass(body):
            _log.info("a call goes on without memory: %s", why)
            return body
        beside, tools = form.beside(body), form.tools(body)
        made = self._memory.attempt(
            "bound a call", partial(self._talks.next_request, form.messages(body), beside=beside, tools=tools)
        )
        if made is None:
            return body
        self._sent, self._memory = made
        return form.with_messages(body, self._sent)

    def heard(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options of `post`, with a stream that tells us as it is read what the provider counted."""
        stream = options.get("stream_cls")
        return {**options, "stream_cls": _heard(stream, self.hear)} if self._sent and stream is not None else options

    def hear(self, event: Any) -> None:
        """Take in what an event of a stream says of the request; later ones say the same, or more."""
        told = self._form.prompt_tokens(fields_of(event)) if self._form is not None else 0
        if told > self._told:
            self._told = told
            self._memory.attempt("learn of a reply", partial(self._learn, told))

    def learn(self, reply: Any) -> Any:
        """The reply; what the provider counted in the request keeps the next ones within the bound."""
        if self._sent and getattr(reply, "usage", None) is not None:
            self.hear({"usage": reply.usage})
        return reply

    def _learn(self, told: int) -> None:
        if self._form is not None and self._sent is not None:
            beside = self._form.beside(self._body)
            self._memory.learn_usage(told, counted=self._memory.tokens_of(self._sent, beside=beside))


def _heard(stream: Any, hear: Callable[[Any], None]) -> Any:
    """A class of streams of the same kind, sync or async, that lets each event be heard before it is handed on."""

    class Sync(stream):  # type: ignore[misc]
        def __next__(self) -> Any:
            event = super().__next__()
            hear(event)
            return event

        def __iter__(self) -> Any:
            for event in super().__iter__():
                hear(event)
                yield event

    class Async(stream):  # type: ignore[misc]
        async def __anext__(self) -> Any:
            event = await super().__anext__()
            hear(event)
            return event

        async def __aiter__(self) -> Any:
            async for event in super().__aiter__():
                hear(event)
                yield event

    return Async if hasattr(get_origin(stream) or stream, "__anext__") else Sync
