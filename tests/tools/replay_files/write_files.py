"""Writes the files of this folder anew, each with the product that is its author, against a server on this machine.

    python write_files.py FOLDER PRODUCT…

Run it with a Python that has the product; versions.md names those that wrote the files here. Claude Code and Codex are
command lines on the PATH. Long strings (prompts of the products) are cut, and folders are named /project.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from scripted_server import serve

__all__ = ["PRODUCTS"]

QUESTION = "How long are the quays of Lyness and Kirkwall?"
SYSTEM = "Answer from the pages only."
DEPTHS = {1: "Lyness: 80 metres", 2: "Kirkwall: 87 metres"}
SCHEMA = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
FUNCTION = {"name": "read_page", "description": "Read one page of the pilot book.", "parameters": SCHEMA}
LONGEST = 400
PRIVATE = {"hostname", "username", "py_interpreter_path", "runtime_workspace_roots"}


def page(number: int) -> str:
    return DEPTHS.get(number, "there is no such page")


def cut(value: Any, *, folders: Iterable[str] = ()) -> Any:
    """The value with long strings cut and folders renamed."""
    if isinstance(value, dict):
        return {key: "" if key in PRIVATE else cut(part, folders=folders) for key, part in value.items()}
    if isinstance(value, list):
        return [cut(part, folders=folders) for part in value]
    if isinstance(value, str):
        for folder in folders:
            value = value.replace(folder, "/project").replace(folder.replace("/", "-"), "-project")
        if len(value) > LONGEST and value[:1] not in "[{":
            return f"{value[:60]}…"
    return value


def write_lines(file: Path, records: Iterable[Any]) -> None:
    file.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def _chat_loop(client: Any, *, key: str = "harbour") -> list[Any]:
    """One run with OpenAI's chat API; gives the messages."""
    tools: Any = [{"type": "function", "function": FUNCTION}]
    messages: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
    while True:
        answer = client.chat.completions.create(model=key, messages=messages, tools=tools)
        message = answer.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return messages
        for call in message.tool_calls:
            text = page(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


def openai(folder: Path) -> None:
    from openai import OpenAI

    server = serve()
    client = OpenAI(api_key="key", base_url=f"http://127.0.0.1:{server.server_port}/v1")
    messages = _chat_loop(client)
    tools = [{"type": "function", "function": FUNCTION}]
    (folder / "openai_chat.json").write_text(
        json.dumps({"model": "harbour", "messages": messages, "tools": tools}, indent=1)
    )
    write_lines(folder / "openai_chat_requests.jsonl", (json.loads(data) for _, _, data in server.received))
    server.received.clear()
    items: list[Any] = [{"role": "user", "content": QUESTION}]
    while True:
        answer = client.responses.create(
            model="harbour", instructions=SYSTEM, input=items, tools=[{"type": "function", "strict": True, **FUNCTION}]
        )
        items += [item.model_dump(exclude_none=True) for item in answer.output]
        calls = [item for item in answer.output if item.type == "function_call"]
        if not calls:
            break
        for call in calls:
            text = page(**json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": text})
    (folder / "openai_responses.json").write_text(json.dumps(items, indent=1))
    write_lines(folder / "openai_responses_requests.jsonl", (json.loads(data) for _, _, data in server.received))


def openai_agents(folder: Path) -> None:
    import asyncio

    from agents import Agent, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)

    @function_tool
    def read_page(number: int) -> str:
        """Read one page of the pilot book."""
        return page(number)

    server = serve()
    client = AsyncOpenAI(api_key="key", base_url=f"http://127.0.0.1:{server.server_port}/v1")
    agent = Agent(name="pilot", instructions=SYSTEM, tools=[read_page], model=OpenAIResponsesModel("harbour", client))
    result = asyncio.run(Runner.run(agent, QUESTION))
    (folder / "openai_agents.json").write_text(json.dumps(result.to_input_list(), indent=1))


def anthropic(folder: Path) -> None:
    from anthropic import Anthropic

    server = serve()
    client = Anthropic(api_key="key", base_url=f"http://127.0.0.1:{server.server_port}")
    tools: Any = [{"name": "read_page", "description": FUNCTION["description"], "input_schema": SCHEMA}]
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    about: dict[str, Any] = {"model": "claude-harbour", "system": SYSTEM, "tools": tools, "max_tokens": 2000}
    about["thinking"] = {"type": "enabled", "budget_tokens": 1024}
    while True:
        answer = client.messages.create(messages=messages, **about)
        messages.append(
            {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in answer.content]}
        )
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            break
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": page(**call.input)} for call in calls]
        messages.append({"role": "user", "content": results})
    (folder / "anthropic.json").write_text(json.dumps(about | {"messages": messages}, indent=1))
    write_lines(folder / "anthropic_requests.jsonl", (json.loads(data) for _, _, data in server.received))


def _traced(folder: Path, name: str, instrument: Callable[[Any], None], run: Callable[[str], object]) -> None:
    """Runs with spans written by OpenTelemetry's own JSON file exporter and by its console exporter."""
    from opentelemetry.exporter.otlp.json.file import FileSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

    otlp, console = folder / f"{name}_otlp.jsonl", folder / f"{name}_console.json"
    otlp.unlink(missing_ok=True)
    provider = TracerProvider(resource=Resource({"service.name": "pilot"}))
    provider.add_span_processor(SimpleSpanProcessor(FileSpanExporter(otlp)))
    with console.open("w") as out:
        provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=out)))
        instrument(provider)
        with provider.get_tracer("pilot").start_as_current_span("invoke_agent pilot"):
            run(f"http://127.0.0.1:{serve().server_port}")
        provider.shutdown()


def _chat_run(base: str) -> object:
    from openai import OpenAI

    return _chat_loop(OpenAI(api_key="key", base_url=f"{base}/v1"))


def genai(folder: Path) -> None:
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

    _traced(folder, "genai", lambda provider: OpenAIInstrumentor().instrument(tracer_provider=provider), _chat_run)


def openllmetry(folder: Path) -> None:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    _traced(
        folder, "openllmetry", lambda provider: OpenAIInstrumentor().instrument(tracer_provider=provider), _chat_run
    )


def openinference(folder: Path) -> None:
    from openinference.instrumentation.openai import OpenAIInstrumentor

    _traced(
        folder, "openinference", lambda provider: OpenAIInstrumentor().instrument(tracer_provider=provider), _chat_run
    )


def langsmith(folder: Path) -> None:
    from langsmith import Client, traceable
    from langsmith.run_helpers import tracing_context
    from langsmith.wrappers import wrap_openai
    from openai import OpenAI

    base = f"http://127.0.0.1:{serve().server_port}"
    keeper = Client(base, api_key="key", auto_batch_tracing=False, omit_traced_runtime_info=True)
    model = wrap_openai(OpenAI(api_key="key", base_url=f"{base}/v1"))
    with tracing_context(enabled=True, client=keeper):
        traceable(name="pilot", run_type="chain")(lambda: _chat_loop(model)[-1])()
    runs = (run.model_dump(mode="json", exclude_none=True) for run in keeper.list_runs(session=["pilot"]))
    write_lines(folder / "langsmith.jsonl", (cut(run, folders=[base]) for run in runs))


def langfuse(folder: Path) -> None:
    from langfuse import Langfuse
    from langfuse.openai import OpenAI
    from opentelemetry.exporter.otlp.json.file import FileSpanExporter

    file = folder / "langfuse_otlp.jsonl"
    file.unlink(missing_ok=True)
    base = f"http://127.0.0.1:{serve().server_port}"
    keeper = Langfuse(public_key="pk-lf-1", secret_key="sk-lf-1", base_url=base, span_exporter=FileSpanExporter(file))
    with keeper.start_as_current_observation(name="pilot", as_type="agent"):
        _chat_loop(OpenAI(api_key="key", base_url=f"{base}/v1"))
    keeper.flush()


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
    made.__name__: made
    for made in (
        *(openai, openai_agents, anthropic, genai, openllmetry, openinference, langsmith, langfuse),
        *(openhands, swe_agent, mini_swe_agent, claude_code, codex),
    )
}

if __name__ == "__main__":
    for product in sys.argv[2:]:
        PRODUCTS[product](Path(sys.argv[1]))
