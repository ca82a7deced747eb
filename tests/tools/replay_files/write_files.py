"""Writes the files here that libraries for models and spans are the authors of; write_agent_files.py writes the rest.

    python write_files.py FOLDER PRODUCT…

Run it with a Python that has the product, which speaks to a server on the same machine; versions.md names the versions
that wrote the files here. Long strings (prompts of the products) are cut, and folders are named /project.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from scripted_server import serve

__all__ = ["PRODUCTS", "QUESTION", "SYSTEM", "cut", "write_lines"]

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


def genai_events(folder: Path) -> None:
    """Messages in events of logs, and not on the spans."""
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "EVENT_ONLY"
    os.environ["OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT"] = "true"
    from opentelemetry.exporter.otlp.json.file._log_exporter import FileLogExporter
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

    file = folder / "genai_events_otlp.jsonl"
    file.unlink(missing_ok=True)
    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(FileLogExporter(file)))
    OpenAIInstrumentor().instrument(logger_provider=provider)
    _chat_run(f"http://127.0.0.1:{serve().server_port}")
    provider.shutdown()


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


PRODUCTS: dict[str, Callable[[Path], None]] = {
    made.__name__: made
    for made in (openai, openai_agents, anthropic, genai, genai_events, openllmetry, openinference, langsmith, langfuse)
}

if __name__ == "__main__":
    for product in sys.argv[2:]:
        PRODUCTS[product](Path(sys.argv[1]))
