"""A server with what the conformance suite of MCP asks for by name, and AMB's tools beside it: `plain` or `attached`.

The names and the texts are those of the suite's scenarios. What it says of its address goes to standard output.
"""

from __future__ import annotations

import base64
import sys
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    ImageContent,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field

from amb_core import MemoryBank
from amb_mcp import attach, serve_http

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV = base64.b64encode(b"RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00" + bytes(22)).decode()
Told = Annotated[str, Field(description="What the suite passes.")]
server = MCPServer("conformance")


def _text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def _embedded(uri: str, said: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type="text/plain", text=said))


IMAGE = ImageContent(type="image", data=PNG, mime_type="image/png")


@server.tool()
def test_simple_text() -> list[TextContent]:
    """Test simple text."""
    return [_text("This is a simple text response for testing.")]


@server.tool()
def test_image_content() -> list[ImageContent]:
    """Test image content."""
    return [IMAGE]


@server.tool()
def test_audio_content() -> list[AudioContent]:
    """Test audio content."""
    return [AudioContent(type="audio", data=WAV, mime_type="audio/wav")]


@server.tool()
def test_embedded_resource() -> list[EmbeddedResource]:
    """Test embedded resource."""
    return [_embedded("test://embedded-resource", "This is an embedded resource content.")]


@server.tool()
def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
    """Test multiple content types."""
    data = _embedded("test://mixed-content-resource", '{"test": "data"}')
    return [_text("Multiple content types test:"), IMAGE, data]


@server.tool()
def test_error_handling() -> str:
    """Test error handling."""
    raise ValueError("This tool intentionally returns an error for testing")


@server.tool()
async def test_tool_with_logging(ctx: Context) -> str:
    """Test tool with logging."""
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(said)
    return "done"


@server.tool()
async def test_tool_with_progress(ctx: Context) -> str:
    """Test tool with progress."""
    for share in (0, 50, 100):
        await ctx.report_progress(share, 100)
    return "done"


@server.tool()
async def test_sampling(prompt: str, ctx: Context) -> str:
    """Test sampling."""
    asked = [SamplingMessage(role="user", content=_text(prompt))]
    reply = await ctx.session.create_message(asked, max_tokens=100)
    return f"LLM response: {getattr(reply.content, 'text', '')}"


class Person(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: str = Field(default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    verified: bool = True


@server.tool()
async def test_elicitation(message: str, ctx: Context) -> str:
    """Test elicitation."""
    reply = await ctx.elicit(message, Person)
    return f"User response: {reply.action}"


@server.tool()
async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    """Test elicitation sep1034 defaults."""
    reply = await ctx.elicit("Defaults", Defaults)
    return f"Elicitation completed: action={reply.action}"


@server.resource("test://static-text", mime_type="text/plain")
def static_text() -> str:
    return "This is the content of the static text resource."


@server.resource("test://static-binary", mime_type="image/png")
def static_binary() -> bytes:
    return base64.b64decode(PNG)


@server.resource("test://template/{id}/data", mime_type="application/json")
def template(id: str) -> str:
    return f'{{"id": "{id}", "templateTest": true, "data": "Data for ID: {id}"}}'


@server.prompt()
def test_simple_prompt() -> str:
    """Test simple prompt."""
    return "This is a simple prompt for testing."


@server.prompt()
def test_prompt_with_arguments(arg1: Told, arg2: Told) -> str:
    """Test prompt with arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@server.prompt()
def test_prompt_with_embedded_resource(resourceUri: Told) -> list[UserMessage]:  # noqa: N803
    """Test prompt with embedded resource."""
    return [UserMessage(_embedded(resourceUri, "Embedded resource content for testing.")), UserMessage("Go on.")]


@server.prompt()
def test_prompt_with_image() -> list[UserMessage]:
    """Test prompt with image."""
    return [UserMessage(IMAGE), UserMessage("Please analyze the image above.")]


@server.completion()
async def complete(ref, argument, context):
    """Complete."""
    return Completion(values=["paris", "park"], total=2, has_more=False)


if __name__ == "__main__":
    if sys.argv[1:] == ["attached"]:
        attach(server, MemoryBank("Is it still the server that it was?"))
    serve_http(server, port=0, ready=lambda url: print(url, flush=True))
