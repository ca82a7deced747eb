"""Chat models and tools that cannot say a secret: what an endpoint sends back may hold the key it was called with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from amb_core.adapter import Tool, ToolOutput
from amb_core.chat.prices import Price
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.cli.environment import Secrets
from amb_core.cli.model_wait import ModelWait
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel

__all__ = ["DiscreetChat", "DiscreetReader", "discreet_tool"]


@dataclass(frozen=True, slots=True)
class DiscreetChat:
    """A chat model that is asked without the secrets, and whose replies and errors come without them."""

    chat: ChatModel
    secrets: Secrets
    wait: ModelWait = field(default_factory=ModelWait, compare=False)

    @property
    def model(self) -> str:
        """The name of the model behind it."""
        return self.chat.model

    @property
    def endpoint(self) -> str:
        """The endpoint behind it."""
        return self.secrets.hide(self.chat.endpoint)

    @property
    def price(self) -> Price | None:
        """The price the model itself knows."""
        price: Price | None = getattr(self.chat, "price", None)
        return price

    def complete(self, request: ChatRequest) -> ChatReply:
        """One answer; what is said of `ChatModel.complete`."""
        try:
            with self.wait.during(self.model, request):
                reply = self.chat.complete(replace(request, messages=_hidden(request.messages, self.secrets)))
        except ModelError as error:
            error.args = (self.secrets.hide(str(error)),)
            raise
        self.wait.answered(reply)
        hide = self.secrets.hide
        calls = tuple(replace(call, name=hide(call.name), arguments=hide(call.arguments)) for call in reply.tool_calls)
        return replace(reply, text=hide(reply.text), tool_calls=calls, model=hide(reply.model))


def _hidden(told: Any, secrets: Secrets) -> Any:
    """Texts however deep in messages, without the secrets: a page that a tool reads with a model may hold them."""
    if isinstance(told, str):
        return secrets.hide(told)
    if isinstance(told, Mapping):
        return {name: _hidden(value, secrets) for name, value in told.items()}
    return type(told)(_hidden(value, secrets) for value in told) if isinstance(told, (tuple, list)) else told


@dataclass(frozen=True, slots=True)
class DiscreetReader:
    """A reader of pages whose pages come without the secrets: what it reads is kept in files, whole."""

    reader: Any
    secrets: Secrets

    def read(self, url: str) -> Any:
        """The page; what is said of `PageReader.read`."""
        page, hide = self.reader.read(url), self.secrets.hide
        return replace(page, url=hide(page.url), text=hide(page.text), title=hide(page.title), main=hide(page.main))


def discreet_tool(tool: Tool, secrets: Secrets) -> Tool:
    """The tool, with texts and sources that come without the secrets, errors included."""

    def run(**arguments: Any) -> ToolOutput:
        output = tool.run(**arguments)
        source = None if output.source is None else secrets.hide(output.source)
        return replace(output, text=secrets.hide(output.text), source=source)

    return replace(tool, function=run)
