"""curl through the gateway: a loop of a shell script that knows the URL and nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from amb_core.text import estimate_tokens

CALLS, BUDGET = 20, 6_000
TOOLS = [{"type": "function", "function": {"name": "look"}}]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")]


def curl(url: str, body: object) -> tuple[str, str]:
    """The header x-amb and the body of an answer."""
    command = ["curl", "-sS", "-N", "-D", "-", "--data-binary", "@-", "-H", "content-type: application/json", url]
    done = subprocess.run(command, input=json.dumps(body).encode(), capture_output=True, check=True, timeout=60)
    head, _, content = done.stdout.decode().rpartition("\r\n\r\n")
    return head.partition("x-amb: ")[2].splitlines()[0], content


def said(content: str, *, stream: bool) -> dict[str, object]:
    """The message of the assistant in an answer."""
    if not stream:
        return json.loads(content)["choices"][0]["message"]
    message, call = "", {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
    for line in content.splitlines():
        if line.startswith("data: {"):
            delta = json.loads(line[6:])["choices"][0]["delta"]
            message += delta.get("content") or ""
            for part in delta.get("tool_calls", ()):
                call["id"] = part.get("id", call["id"])
                for key in ("name", "arguments"):
                    call["function"][key] += part["function"].get(key, "")
    return {"role": "assistant", "content": message} | ({"tool_calls": [call]} if call["id"] else {})


@pytest.mark.parametrize("stream", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_a_loop_of_curl_is_bounded_and_hears_what_the_provider_said(stream, gateway, provider):
    messages: list[dict[str, object]] = [{"role": "user", "content": "Read all."}]
    noted = []
    while True:
        note, content = curl(
            f"{gateway.url}/v1/chat/completions", {"model": "m", "stream": stream, "tools": TOOLS, "messages": messages}
        )
        noted.append(note)
        messages.append(said(content, stream=stream))
        if "tool_calls" not in messages[-1]:
            break
        (call,) = messages[-1]["tool_calls"]
        number = json.loads(call["function"]["arguments"])["number"]
        text = f"The code is ST-{number * 7919}.\n" + "Lamps, tides and ropes are counted here. " * 96
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    assert len(provider.seen) == CALLS + 1
    assert all(f"ST-{at * 7919}" in seen.raw.decode() for at, seen in enumerate(provider.seen) if at)
    assert max(estimate_tokens(seen.raw.decode()) for seen in provider.seen) <= BUDGET * 1.05
    assert str(messages[-1]["content"]).endswith("都读完了。")
    assert len({note.partition(";")[0] for note in noted}) == 1
