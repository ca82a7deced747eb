"""The SDK's own clients, over stdio and over HTTP, as the contract of a memory server needs them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcp
from mcp.client import streamable_http
from mcp.client.stdio import StdioServerParameters, stdio_client

ROOT = Path(__file__).resolve().parents[3]
SOURCES = os.pathsep.join(str(ROOT / folder) for folder in (".", "integrations", "tools"))
ENVIRONMENT = {"PYTHONPATH": SOURCES, "PYTHONUTF8": "1"}
_http = getattr(streamable_http, "streamable_http_client", None) or streamable_http.streamablehttp_client


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call or a read came to: its text, and whether the protocol marked it as an error."""

    text: str
    is_error: bool = False


def command(folder: Path, *options: str) -> list[str]:
    """What starts a server."""
    return [sys.executable, "-m", "amb_mcp", "--folder", str(folder), *options]


@asynccontextmanager
async def session_over(streams_of: AbstractAsyncContextManager[Any]) -> AsyncIterator[tuple[Any, str]]:
    """A session with what its server says of how to use it; mcp 2's own Client where there is one."""
    if hasattr(mcp, "Client"):
        async with mcp.Client(streams_of) as client:
            yield client, client.instructions or ""
        return
    async with streams_of as streams, mcp.ClientSession(streams[0], streams[1]) as session:
        yield session, (await session.initialize()).instructions or ""


class Client:
    """A session that lives in an event loop of its own, called from a thread."""

    def __init__(self, open_streams: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        self._open_streams = open_streams
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "the server does not answer"
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            asyncio.run(self._live())
        except BaseException as error:  # noqa: BLE001 - raised where it was opened
            self._failure = error
            self._ready.set()

    async def _live(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with session_over(self._open_streams()) as (self.session, self._instructions):
            self._ready.set()
            await self._end.wait()

    def _ask(self, question: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(question, self._loop).result(60)

    def tools(self) -> Mapping[str, Mapping[str, Any]]:
        tools = self._ask(self.session.list_tools()).tools
        return {tool.name: tool.model_dump(mode="json", by_alias=True)["inputSchema"] for tool in tools}

    def call(self, tool: str, **arguments: Any) -> Answer:
        result = self._ask(self.session.call_tool(tool, arguments))
        told = result.model_dump(mode="json", by_alias=True)
        return Answer("\n".join(part["text"] for part in told["content"]), told["isError"])

    def read(self, uri: str) -> Answer:
        try:
            return Answer("\n".join(part.text for part in self._ask(self.session.read_resource(uri)).contents))
        except Exception as error:  # noqa: BLE001 - the two versions have different types
            return Answer(str(error), is_error=True)

    def words(self) -> str:
        lists = (self.session.list_tools, self.session.list_resources, self.session.list_resource_templates)
        told = [self._ask(one()).model_dump_json() for one in (*lists, self.session.list_prompts)]
        return "\n".join(
            [self._instructions, *told, self._ask(self.session.get_prompt("work_with_memory")).model_dump_json()]
        )

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(30)


@contextmanager
def http_server(folder: Path, *options: str, **environment: str) -> Iterator[str]:
    """A server process and its URL."""
    started = subprocess.Popen(
        command(folder, "--http", "--port", "0", *options), env=os.environ | ENVIRONMENT | environment,
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert started.stderr is not None
    try:
        yield next(line for line in started.stderr if line.startswith("amb mcp: ")).split()[-1]
    finally:
        started.terminate()
        started.communicate(timeout=30)


class OverHttp:
    """One server, any number of clients."""

    @contextmanager
    def serving(self, folder: Path) -> Iterator[Callable[[], Client]]:
        with http_server(folder) as url, ExitStack() as ended:

            def connect() -> Client:
                client = Client(lambda: _http(url))
                ended.callback(client.close)
                return client

            yield connect


class OverStdio:
    """A server process for each client, all on one folder."""

    @contextmanager
    def serving(self, folder: Path) -> Iterator[Callable[[], Client]]:
        program, *arguments = command(folder)
        started = StdioServerParameters(command=program, args=arguments, env=ENVIRONMENT)
        with ExitStack() as ended, open(os.devnull, "w") as nowhere:

            def connect() -> Client:
                client = Client(lambda: stdio_client(started, errlog=nowhere))
                ended.callback(client.close)
                return client

            yield connect
