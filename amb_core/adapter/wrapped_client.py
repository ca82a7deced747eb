"""The client of a provider with a memory: the same type and the same calls, each of them bounded and remembered.

OpenAI's and Anthropic's clients, and others that are generated as they are, send every call by their public method
`post`, plain or as a stream, for any API. So that is what a wrapped client has of its own, and no SDK is imported here.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import logging
from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import Any, TypeVar, Unpack, cast

from amb_core.adapter.context_adapter import AdapterOptions, ContextAdapter
from amb_core.adapter.request_forms import RequestForm, request_form
from amb_core.errors import InvalidParameter
from amb_core.user_banks import BankSource

__all__ = ["unwrap", "wrap"]

_log = logging.getLogger("amb.adapter")
_Client = TypeVar("_Client")
_BARE = "_amb_unwrapped"
"""Where a wrapped client has the one it was made of."""
_VIEWS = ("with_raw_response", "with_streaming_response")
"""Parts of older clients that are made of the client and do not name it."""


def wrap(client: _Client, bank: BankSource, /, **options: Unpack[AdapterOptions]) -> _Client:
    """A client of the same type with a memory: `client = wrap(OpenAI(), MemoryBank("Find the fault"))`.

    Each call of chat completions, Responses or Messages, sync or async, plain or streamed, sends what
    `next_request` makes of its messages, within the bank's budget; tool results and words in them become memory.
    `client.memory` is the ContextAdapter, and the options are its own. The given client stays as it is; both share one
    connection pool. A call whose transcript the server keeps (`previous_response_id`) goes on as it is.
    One wrapped client serves one conversation: others get one each, or ScopeMixed before anything is sent. Raises
    InvalidParameter for what is no such client, or has a memory already.
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
    return cast("_Client", _made(kind, client, ContextAdapter(bank, **options)))


def unwrap(client: _Client) -> _Client:
    """The client that `wrap` was given; its memory stays in the bank. Raises InvalidParameter where it has none."""
    bare = getattr(client, "__dict__", {}).get(_BARE)
    if bare is None:
        raise InvalidParameter(f"this {type(client).__name__} was not wrapped")
    return cast("_Client", bare)


def _made(kind: type, client: Any, memory: ContextAdapter) -> Any:
    """The client anew, with its options and connections, and with resources that ask it and not the old one."""
    made = copy.copy(client)
    made.__class__ = _wrapped(kind)
    vars(made).update({_BARE: client, "memory": memory})
    for name, part in list(vars(made).items()):
        if getattr(part, "_client", None) is client or name in _VIEWS:
            vars(made)[name] = type(part)(made)
    return made


@cache
def _wrapped(kind: type[Any]) -> type:
    """The class of wrapped clients of a class."""

    def post(self: Any, path: str, *, body: Any = None, **rest: Any) -> Any:
        call = _Call(self.memory, path, body)
        return call.learn(kind.post(self, path, body=call.bounded(), **rest))

    async def post_async(self: Any, path: str, *, body: Any = None, **rest: Any) -> Any:
        call = _Call(self.memory, path, body)
        reply = await kind.post(self, path, body=await asyncio.to_thread(call.bounded), **rest)
        return await asyncio.to_thread(call.learn, reply)

    def copied(self: Any, **options: Any) -> Any:
        return _made(kind, kind.copy(getattr(self, _BARE), **options), self.memory)

    is_async = inspect.iscoroutinefunction(kind.post)
    own = {"post": post_async if is_async else post, "copy": copied, "with_options": copied, "__module__": __name__}
    return type(kind.__name__, (kind,), own)


class _Call:
    """One call on its way to the provider and back; where memory fails it goes on as it came, which is logged."""

    def __init__(self, memory: ContextAdapter, path: str, body: Any) -> None:
        self._memory, self._body = memory, body
        self._form = request_form(path) if isinstance(body, Mapping) else None
        self._sent: list[Any] | None = None

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
        make = partial(self._memory.next_request, form.messages(body), beside=form.beside(body))
        self._sent = self._memory.attempt("bound a call", make)
        return body if self._sent is None else form.with_messages(body, self._sent)

    def learn(self, reply: Any) -> Any:
        """The reply; what the provider counted in the request keeps the next ones within the bound."""
        usage = getattr(reply, "usage", None)
        if self._form is not None and self._sent and usage is not None:
            self._memory.attempt("learn of a reply", partial(self._learn, self._form, self._sent, usage))
        return reply

    def _learn(self, form: RequestForm, sent: list[Any], usage: Any) -> None:
        if told := form.prompt_tokens({"usage": usage}):
            self._memory.learn_usage(told, counted=self._memory.tokens_of(sent, beside=form.beside(self._body)))
