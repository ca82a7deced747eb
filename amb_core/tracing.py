"""OpenTelemetry spans around what a bank does, when the OpenTelemetry API is installed; otherwise nothing.

What is done to memories, and calls of models, tools and agents, have spans after the semantic conventions for
generative AI, which tools for watching them know. What else a bank does has spans `amb.…`. Spans carry ids, counts and
the names of roles, models and tools. No text of a user, a tool or a model is ever in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage

__all__ = ["CallTrace", "MemoryOperation", "agent_run", "model_call", "tool_call", "traced"]

_NAME = "amb"
_LONGEST_NAME = 100
"""Characters of a name: a model may have made it up."""

MemoryOperation = Literal["search_memory", "upsert_memory", "update_memory", "delete_memory"]
_RECORD = {"entry_id": "record.id", "record_id": "record.id", "store": "store.id"}
_RECORD |= {"nodes": "record.count", "passages": "record.count", "records": "record.count"}
"""What the conventions call what our spans say of a memory."""

Value = str | int | float | bool | list[str]

_PROVIDERS = {
    "api.openai.com": "openai",
    "openai.azure.com": "azure.ai.openai",
    "api.deepseek.com": "deepseek",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gcp.gemini",
    "aiplatform.googleapis.com": "gcp.vertex_ai",
    "api.mistral.ai": "mistral_ai",
    "api.groq.com": "groq",
    "api.x.ai": "x_ai",
    "api.cohere.com": "cohere",
    "api.perplexity.ai": "perplexity",
    "api.moonshot.ai": "moonshot_ai",
}
_PREFIXES = {"gemini": "gcp.gemini", "vertex_ai": "gcp.vertex_ai", "azure": "azure.ai.openai", "mistral": "mistral_ai"}
_PREFIXES |= {"xai": "x_ai", "bedrock": "aws.bedrock", "moonshot": "moonshot_ai"}


@cache
def _api() -> Any:
    """The module of the API with our tracer, or (None, None) without it."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None, None
    return trace, trace.get_tracer(_NAME)


def _tracer() -> Any:
    """The tracer, or None while nobody listens: without the API, and until a provider is set, which may be later."""
    api, tracer = _api()
    return None if api is None or isinstance(api.get_tracer_provider(), api.ProxyTracerProvider) else tracer


@contextmanager
def traced(
    operation: str, *, memory: MemoryOperation | None = None, **attributes: str | int | float | bool
) -> Iterator[dict[str, str | int | float | bool]]:
    """A span `amb.<operation>`; what is put into the dict it gives becomes attributes `amb.<name>` when it ends.

    What is done to memories has the name that the conventions give it in `memory`, their attributes beside ours, and
    ours in `amb.operation`. An exception marks the span as failed by its type and goes on.
    """
    found = dict(attributes)
    if _tracer() is None:
        yield found
        return
    named: dict[str, Value] = {"gen_ai.operation.name": memory, f"{_NAME}.operation": operation} if memory else {}
    with _span(memory or f"{_NAME}.{operation}", "INTERNAL", named) as ended:
        try:
            yield found
        finally:
            ended.update({f"{_NAME}.{name}": value for name, value in found.items()})
            if memory:
                ended.update({f"gen_ai.memory.{_RECORD[name]}": found[name] for name in found if name in _RECORD})


@dataclass(slots=True)
class CallTrace:
    """What is told of a model call before its span ends."""

    attributes: dict[str, Value]

    def used(self, usage: TokenUsage) -> None:
        """The tokens a call has used, and the requests it made in vain."""
        self.attributes["gen_ai.usage.input_tokens"] = usage.prompt_tokens
        self.attributes["gen_ai.usage.output_tokens"] = usage.completion_tokens
        if usage.cached_tokens:
            self.attributes["gen_ai.usage.cache_read.input_tokens"] = usage.cached_tokens
        if usage.failed_calls:
            self.attributes[f"{_NAME}.failed_calls"] = usage.failed_calls

    def answered(self, reply: ChatReply) -> None:
        """The model that answered, why it ended, and what it used."""
        self.used(reply.usage)
        self.attributes["gen_ai.response.finish_reasons"] = [reply.finish_reason]
        if reply.model:
            self.attributes["gen_ai.response.model"] = reply.model[:_LONGEST_NAME]


@contextmanager
def model_call(request: ChatRequest, *, model: str, endpoint: str) -> Iterator[CallTrace]:
    """A CLIENT span `chat {model}` around one call of a model, retries included; tell what it gives how it ended."""
    attributes: dict[str, Value] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _provider(model, endpoint),
        "gen_ai.request.model": model,
        "gen_ai.request.max_tokens": request.max_output_tokens,
        "gen_ai.output.type": "text" if request.answer_format == "text" else "json",
        f"{_NAME}.purpose": request.purpose,
        **_server(endpoint),
    }
    if request.temperature is not None:
        attributes["gen_ai.request.temperature"] = request.temperature
    with _span(f"chat {model}", "CLIENT", attributes) as ended:
        yield CallTrace(ended)


@contextmanager
def tool_call(name: str, *, call_id: str = "") -> Iterator[None]:
    """A span `execute_tool {name}` around one call of a tool; `name` is that of a tool there is, not a model's word."""
    attributes: dict[str, Value] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name[:_LONGEST_NAME],
        "gen_ai.tool.type": "function",
    }
    if call_id:
        attributes["gen_ai.tool.call.id"] = call_id[:_LONGEST_NAME]
    with _span(f"execute_tool {name[:_LONGEST_NAME]}", "INTERNAL", attributes):
        yield


@contextmanager
def agent_run(name: str, *, model: str = "", endpoint: str = "") -> Iterator[CallTrace]:
    """A span `invoke_agent {name}` around the whole run of an agent on this machine, with `used` for what it spent."""
    attributes: dict[str, Value] = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    if model:
        attributes |= {"gen_ai.request.model": model, "gen_ai.provider.name": _provider(model, endpoint)}
    with _span(f"invoke_agent {name}", "INTERNAL", attributes) as ended:
        yield CallTrace(ended)


@contextmanager
def _span(
    name: str, kind: Literal["CLIENT", "INTERNAL"], attributes: Mapping[str, Value]
) -> Iterator[dict[str, Value]]:
    """A span with these attributes, and when it ends those in the dict it gives."""
    ended: dict[str, Value] = {}
    tracer = _tracer()
    if tracer is None:
        yield ended
        return
    from opentelemetry.trace import SpanKind, StatusCode

    with tracer.start_as_current_span(
        name,
        kind=SpanKind[kind],
        attributes=dict(attributes),
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield ended
        except BaseException as error:
            span.set_status(StatusCode.ERROR, type(error).__name__)
            ended["error.type"] = type(error).__name__
            raise
        finally:
            if span.is_recording():
                span.set_attributes(ended)


def _provider(model: str, endpoint: str) -> str:
    """The provider as the conventions name it; for a server of one's own, whose protocol it is that it speaks."""
    host = _host(endpoint)
    if host:
        return next((name for end, name in _PROVIDERS.items() if host == end or host.endswith(f".{end}")), "openai")
    prefix, _, rest = model.partition("/")
    if rest and endpoint == "litellm":
        return _PREFIXES.get(prefix, prefix)
    return endpoint if endpoint and "://" not in endpoint else "_OTHER"


def _server(endpoint: str) -> dict[str, Value]:
    """Where a model lives, as far as it has an address."""
    host = _host(endpoint)
    if not host:
        return {}
    parts = urlsplit(endpoint)
    try:
        port = parts.port
    except ValueError:
        port = None
    return {"server.address": host, "server.port": port or (80 if parts.scheme == "http" else 443)}


def _host(endpoint: str) -> str:
    try:
        return urlsplit(endpoint).hostname or "" if "://" in endpoint else ""
    except ValueError:
        return ""
