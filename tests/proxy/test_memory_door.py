"""Long-term memory through the gateway: the operator reaches it below /amb/memories, and nobody else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from amb_core import LongTermMemory
from amb_proxy import AMBProxy

pytestmark = pytest.mark.slow


async def test_the_operator_reaches_long_term_memory(tmp_path: Path) -> None:
    memory = LongTermMemory()
    app = AMBProxy("http://127.0.0.1:9", folder=tmp_path / "folder", memories=memory)
    transport: Any = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gateway") as client:
        assert (await client.get("/amb/memories/profile?user=ana")).status_code == 401
        token = {"x-amb-token": app.operator_token}
        told = {"messages": "I live in Porto.", "user": "ana"}
        written = await client.post("/amb/memories/remember", json=told, headers=token)
        assert [each["status"] for each in written.json()["written"]] == ["inserted"]
        block = (await client.get("/amb/memories/profile?user=ana", headers=token)).json()["block"]
        assert "I live in Porto." in block
        assert (await client.get("/amb/memories", headers=token)).json() == {"namespaces": ["user_profile/ana"]}
        page = await client.get("/amb/memories/page?user=ana", params={"user": "ana"}, headers=token)
        assert "I live in Porto." in page.text
    app.close()


async def test_without_a_memory_there_is_none(tmp_path: Path) -> None:
    app = AMBProxy("http://127.0.0.1:9", folder=tmp_path / "folder")
    transport: Any = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gateway") as client:
        assert (await client.get("/amb/memories")).status_code == 404
    app.close()
