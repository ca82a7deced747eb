"""Writes the files of this folder that agents are the authors of, each run by its own library or command line.

    python write_agent_files.py FOLDER PRODUCT…

Claude Code, Codex and mini-SWE-agent are command lines on the PATH; see write_files.py for the rest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripted_server import serve
from write_files import QUESTION, SYSTEM, cut, write_lines

__all__ = ["PRODUCTS"]


def openhands(folder: Path) -> None:
    from openhands.sdk import LLM, Agent, Conversation, Tool
    from openhands.tools.terminal import TerminalTool
    from pydantic import SecretStr

    with tempfile.TemporaryDirectory() as home:
        work = Path(home, "harbour")
        work.mkdir()
        base = f"http://127.0.0.1:{serve().server_port}/v1"
        model = LLM(model="openai/harbour", api_key=SecretStr("key"), base_url=base, usage_id="pilot")
        agent = Agent(llm=model, tools=[Tool(name=TerminalTool.name)])
        talk = Conversation(agent=agent, workspace=str(work), persistence_dir=f"{home}/kept", visualizer=None)
        talk.send_message(QUESTION)
        talk.run()
        (folder / "openhands").mkdir(exist_ok=True)
        for file in sorted(Path(home, "kept").rglob("event-*.json")):
            event = cut(json.loads(file.read_text()), folders=[str(work), home])
            (folder / "openhands" / file.name).write_text(json.dumps(event))


def openhands_0(folder: Path) -> None:
    """Versions before 1.0: events made and written by the library; only what the commands print comes from here."""
    import litellm
    from openhands.agenthub.codeact_agent.function_calling import response_to_actions
    from openhands.events.action import MessageAction
    from openhands.events.event import EventSource
    from openhands.events.observation import CmdOutputObservation
    from openhands.events.serialization.event import event_to_trajectory
    from openhands.events.stream import EventStream
    from openhands.storage.memory import InMemoryFileStore

    schema = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
    about = {"base_url": f"http://127.0.0.1:{serve().server_port}/v1", "api_key": "key", "model": "openai/harbour"}
    about["tools"] = [{"type": "function", "function": {"name": "execute_bash", "parameters": schema}}]  # type: ignore[assignment]
    stream = EventStream("harbour", InMemoryFileStore())
    stream.add_event(MessageAction(content=QUESTION), EventSource.USER)
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    while messages[-1]["role"] != "assistant":
        answer = litellm.completion(messages=messages, **about)
        messages.append(answer.choices[0].message.model_dump(exclude_none=True))
        for action in response_to_actions(answer):
            stream.add_event(action, EventSource.AGENT)
            if isinstance(action, MessageAction):
                continue
            text = action.command.removeprefix("echo ").strip("'")
            seen = CmdOutputObservation(content=text, command=action.command)
            seen.tool_call_metadata, seen._cause = action.tool_call_metadata, action.id
            stream.add_event(seen, EventSource.ENVIRONMENT)
            messages.append({"role": "tool", "tool_call_id": action.tool_call_metadata.tool_call_id, "content": text})
    events = cut([event_to_trajectory(event) for event in stream.get_events()])
    (folder / "openhands_0.json").write_text(json.dumps(events, indent=1))
    stream.close()


def swe_agent(folder: Path) -> None:
    """Runs in SWE-agent's own stand-in for an environment, which answers with the texts it is given."""
    from sweagent.agent.models import GenericAPIModelConfig
    from sweagent.tools.parsing import FunctionCallingParser, ThoughtActionParser

    base = f"http://127.0.0.1:{serve().server_port}/v1"
    about = {"api_base": base, "api_key": "key", "per_instance_cost_limit": 0, "total_cost_limit": 0}
    model = GenericAPIModelConfig(name="openai/harbour", **about)  # type: ignore[arg-type]
    _swe_agent_run(folder / "swe_agent_calls.traj", model, FunctionCallingParser(), [])
    said = ["I read the first page.\n```\necho 'Lyness: 80 metres'\n```", "Now the second.\n```\nls no-such-page\n```"]
    _swe_agent_run(folder / "swe_agent_text.traj", model, ThoughtActionParser(), said)


def _swe_agent_run(file: Path, model: Any, parser: Any, said: list[str]) -> None:
    from sweagent.agent.agents import DefaultAgent, DefaultAgentConfig, TemplateConfig
    from sweagent.agent.models import PredeterminedTestModel
    from sweagent.agent.problem_statement import TextProblemStatement
    from sweagent.environment.swe_env import EnvironmentConfig, SWEEnv
    from sweagent.tools.tools import ToolConfig
    from swerex.deployment.config import DummyDeploymentConfig
    from swerex.runtime.abstract import BashObservation

    env = SWEEnv.from_config(EnvironmentConfig(deployment=DummyDeploymentConfig(), repo=None))
    env.start()
    system = f"{SYSTEM} Make one call at a time."
    asked = TemplateConfig(
        system_template=system, instance_template="{{problem_statement}}", next_step_template="{{observation}}"
    )
    tools = ToolConfig(parse_function=parser, enable_bash_tool=True, bundles=[])
    agent = DefaultAgent.from_config(DefaultAgentConfig(model=model, tools=tools, templates=asked))
    if said:
        agent.model = PredeterminedTestModel(said)
    with tempfile.TemporaryDirectory() as home:
        agent.setup(env, TextProblemStatement(text=QUESTION, id="harbour"), Path(home))
        for text in ("Lyness: 80 metres", "Kirkwall: 87 metres", "ls: cannot access 'no-such-page'")[: len(said) or 3]:
            env.deployment.runtime.run_in_session_outputs = BashObservation(output=text, exit_code=0)
            agent.step()
        agent.save_trajectory()
        for written in Path(home).rglob("*.traj"):
            file.write_text(json.dumps(cut(json.loads(written.read_text()), folders=[home]), indent=1))


def mini_swe_agent(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        work = Path(home, "harbour")
        work.mkdir()
        told = {
            "HOME": home,
            "OPENAI_API_KEY": "key",
            "MSWEA_CONFIGURED": "true",
            "MSWEA_COST_TRACKING": "ignore_errors",
        }
        told |= {"OPENAI_BASE_URL": f"http://127.0.0.1:{serve().server_port}/v1", "MSWEA_SILENT_STARTUP": "1"}
        line = [
            "mini",
            "-m",
            "openai/harbour",
            "-t",
            QUESTION,
            "-y",
            "--exit-immediately",
            "-o",
            f"{home}/run.traj.json",
        ]
        subprocess.run(line, cwd=work, env=os.environ | told, stdin=subprocess.DEVNULL, check=True)
        run = cut(json.loads(Path(home, "run.traj.json").read_text()), folders=[str(work), home])
        (folder / "mini_swe_agent.traj.json").write_text(json.dumps(run, indent=1))


def claude_code(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        work = Path(home, "harbour")
        work.mkdir()
        told = {"HOME": home, "CLAUDE_CONFIG_DIR": f"{home}/.claude", "ANTHROPIC_API_KEY": "key", "IS_SANDBOX": "1"}
        told |= {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{serve().server_port}", "DISABLE_AUTOUPDATER": "1"}
        told |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}
        line = ["claude", "-p", QUESTION, "--model", "claude-harbour", "--permission-mode", "bypassPermissions"]
        subprocess.run(line, cwd=work, env=os.environ | told, stdin=subprocess.DEVNULL, check=True)
        for file in Path(home, ".claude", "projects").rglob("*.jsonl"):
            name = "claude_code_helper.jsonl" if "subagents" in file.parts else "claude_code.jsonl"
            _write_cut(folder / name, file, [str(work), home])


def codex(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        work = Path(home, "harbour")
        work.mkdir()
        Path(home, "config.toml").write_text(
            'model = "harbour"\nmodel_provider = "local"\n'
            '[model_providers.local]\nname = "local"\nwire_api = "responses"\n'
            f'base_url = "http://127.0.0.1:{serve().server_port}/v1"\nenv_key = "LOCAL_KEY"\n'
        )
        told = {"HOME": home, "CODEX_HOME": home, "LOCAL_KEY": "key"}
        line = ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", QUESTION]
        subprocess.run(line, cwd=work, env=os.environ | told, stdin=subprocess.DEVNULL, check=True)
        for file in Path(home, "sessions").rglob("rollout-*.jsonl"):
            _write_cut(folder / "codex.jsonl", file, [str(work), home])


def _write_cut(to: Path, file: Path, folders: list[str]) -> None:
    write_lines(to, (cut(json.loads(line), folders=folders) for line in file.read_text().splitlines()))


PRODUCTS: dict[str, Callable[[Path], None]] = {
    made.__name__: made for made in (openhands, openhands_0, swe_agent, mini_swe_agent, claude_code, codex)
}

if __name__ == "__main__":
    for product in sys.argv[2:]:
        PRODUCTS[product](Path(sys.argv[1]))
