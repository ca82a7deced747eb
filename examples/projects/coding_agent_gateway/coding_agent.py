"""A small coding agent whose requests go through AMB's gateway. The agent knows nothing of it but an address.

`python coding_agent.py` copies `workshop/` to `work/`, and has the agent mend what its tests find. README.md says more,
and agent and rules speak the language of the user.
"""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openai import OpenAI

from scripted_endpoint import TEXTS, serve_script

FOLDER = Path(os.environ.get("FOLDER", "work")).resolve()


def within(path: str) -> Path:
    """A path inside the folder of the project."""
    if not (FOLDER / path).resolve().is_relative_to(FOLDER):
        raise ValueError(TEXTS["outside"].format(path))
    return FOLDER / path


def list_files() -> str:
    """The names of all files."""
    return "\n".join(sorted(path.name for path in FOLDER.glob("*.*")))


def read_file(path: str) -> str:
    """The text of a file."""
    return within(path).read_text(encoding="utf-8")


def replace(path: str, old: str, new: str) -> str:
    """Write `new` in the place of `old`, which has to stand in the file once."""
    before, _, after = (text := read_file(path)).partition(old)
    if text.count(old) == 1:
        within(path).write_text(before + new + after, encoding="utf-8")
    return TEXTS["replaced"].format(path, text.count(old))


def run_tests() -> str:
    """What the tests say."""
    # This runs code that a model wrote: use a container for anything but a trial.
    return subprocess.run([sys.executable, "-m", "unittest"], cwd=FOLDER, capture_output=True, text=True).stderr


TOOLS = {tool.__name__: tool for tool in (list_files, read_file, replace, run_tests)}


def schema(name: str) -> Any:
    """A tool as the model is told of it; all of them take text alone."""
    fields = {field: {"type": "string"} for field in inspect.signature(TOOLS[name]).parameters}
    parameters = {"type": "object", "properties": fields, "required": [*fields]}
    return {
        "type": "function",
        "function": {"name": name, "description": TOOLS[name].__doc__, "parameters": parameters},
    }


def run_agent(client: OpenAI, task: str) -> str:
    """An agent as anybody would write it: ask, call the tools, ask again. It keeps all of its messages."""
    messages: list[Any] = [{"role": "user", "content": task}]
    model, tools = os.environ.get("MODEL", "gpt-5-mini"), [schema(name) for name in TOOLS]
    while True:
        message = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            assert call.type == "function"
            print(f"  {call.function.name} {call.function.arguments[:90]}")
            try:
                output = TOOLS[call.function.name](**json.loads(call.function.arguments))
            except (KeyError, TypeError, ValueError, OSError) as error:
                output = TEXTS["failed"].format(error)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": output})


@contextmanager
def gateway(upstream: str) -> Iterator[str]:
    """`amb proxy` in front of a provider; gives the address for clients."""
    # The budget is small, so that you see it work; without it a request may have 32,000 tokens.
    amb = str(Path(sys.executable).with_name("amb"))
    command = [amb, "proxy", "--upstream", upstream, "--port", "0", "--budget", "2500"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        started = process.stderr.readline()
        address = re.search(r"http://\S+/v1(?=\))", started)
        if address is None:
            raise SystemExit(f"The gateway did not start: {started}{process.stderr.read()}")
        try:
            yield address[0]
            subprocess.run([amb, "proxy", "status"], check=True)
        finally:
            process.terminate()


def main() -> None:
    """Start everything, and let the agent work."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(Path(__file__).with_name("workshop"), FOLDER)
    rules = (FOLDER / TEXTS["rules"]).read_text(encoding="utf-8")
    (FOLDER / "RULES.zh.md").unlink()
    (FOLDER / "RULES.md").write_text(rules, encoding="utf-8")
    key = os.environ.get("OPENAI_API_KEY")
    provider = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1") if key else serve_script()
    with gateway(provider) as address:
        print(run_agent(OpenAI(base_url=address, api_key=key or "none"), TEXTS["task"]))


if __name__ == "__main__":
    main()
