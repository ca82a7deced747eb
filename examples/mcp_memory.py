"""`amb mcp` as any MCP client sees it: one session keeps twenty pages, another one, in a new server, recalls them."""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pydoc_data.topics import topics
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

QUESTION = "How does Python look up special method names?"
PAGES = [name for name in sorted(topics) if len(topics[name]) > 5_000][:20]


@asynccontextmanager
async def memory(folder: str) -> AsyncIterator[Callable[..., Awaitable[str]]]:
    """A client of its own server; in a desktop client the command below is a line of its settings."""
    command = ["-m", "amb_mcp", "--folder", folder, "--goal", QUESTION]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    with open(os.devnull, "w") as quiet:
        async with stdio_client(server, errlog=quiet) as (read, write), ClientSession(read, write) as session:
            await session.initialize()

            async def call(tool: str, **arguments: Any) -> str:
                answer: Any = await session.call_tool(tool, arguments)
                return str(answer.content[0].text)

            yield call


async def main(folder: str) -> None:
    """Yesterday, and today."""
    async with memory(folder) as call:
        for name in PAGES:
            await call("remember", text=topics[name][:5_000], source=f"the Python reference, {name}")
        print(await call("task_state", budget_tokens=200))

    async with memory(folder) as call:
        block = await call("recall", query=QUESTION, budget_tokens=400)
        print(f"\nA second server recalls what bears on it in {len(block):,} of 100,000 characters:\n\n{block}")
        place = re.search(r"^step \d+|(?<=^\[)n\d+", block, re.MULTILINE)
        first = place.group() if place else ""
        print(f"\nThe source behind {first}:", (await call("deep_retrieval", node_id=first)).splitlines()[1])


with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(folder))
# Prints: A second server recalls
