"""What a bank does is traced when OpenTelemetry is installed: what, how much and which ids, never a text."""

import pytest

from amb_chat import ScriptedChatModel, metered
from amb_core import ManualClock, MemoryBank, ToolResult
from amb_core.chat_io import ChatReply, ChatRequest, TokenUsage
from amb_core.errors import ModelUnavailable
from amb_core.tracing import agent_run, tool_call
from amb_longterm import LongTermMemory

trace_sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="needs opentelemetry-sdk")


@pytest.fixture(scope="module")
def provider():
    """A real tracer provider; OpenTelemetry lets one be set per process."""
    from opentelemetry import trace

    trace.set_tracer_provider(trace_sdk.TracerProvider())
    return trace.get_tracer_provider()


@pytest.fixture
def spans(provider):
    """The spans that end while the test runs."""
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return exporter


SECRET = "The safe of the harbour master opens with 4711."


def test_an_absorb_has_a_span_with_its_digest_and_agents_below(spans):
    with MemoryBank("safe?", clock=ManualClock(0, step=1)) as bank:
        bank.absorb(ToolResult(tool="read", output=SECRET))
    found = {span.name: span for span in spans.get_finished_spans()}

    assert found["upsert_memory"].attributes["amb.entry_id"] == "e1"
    assert found["amb.digest"].attributes["amb.nodes"] == 1
    assert found["amb.digest"].parent.span_id == found["upsert_memory"].context.span_id
    assert found["amb.agent"].context.trace_id == found["amb.plan"].context.trace_id or found["amb.agent"].parent


def test_recall_says_how_many_tokens_it_gave(spans):
    with MemoryBank("safe?") as bank:
        bank.absorb(ToolResult(tool="read", output=SECRET))
        block = bank.recall("safe", budget_tokens=300)
    [span] = [span for span in spans.get_finished_spans() if span.name == "search_memory"]

    assert dict(span.attributes) == {
        "gen_ai.operation.name": "search_memory",
        "gen_ai.memory.record.count": 1,
        "amb.operation": "recall",
        "amb.budget": 300,
        "amb.tokens": block.tokens,
        "amb.nodes": 1,
    }


def test_long_term_memory_has_spans_that_name_no_user(spans):
    with LongTermMemory() as memory:
        written = memory.write("Anna likes tea.", namespace="user_profile/anna")
        memory.update(written.id, namespace="user_profile/anna", content="Anna likes green tea.")
        memory.search("tea", namespace="user_profile/anna")
        memory.delete(written.id, namespace="user_profile/anna")
    told = [span for span in spans.get_finished_spans() if span.name.endswith("_memory")]

    assert [span.name for span in told] == ["upsert_memory", "update_memory", "search_memory", "delete_memory"]
    assert {span.attributes["gen_ai.memory.store.id"] for span in told} == {"user_profile"}
    assert [span.attributes.get("gen_ai.memory.record.count") for span in told] == [None, None, 1, 1]
    assert not any("anna" in str(dict(span.attributes)).lower() for span in told)


def test_no_text_is_ever_in_a_span(spans):
    with MemoryBank("safe?") as bank:
        bank.absorb(ToolResult(tool="read", output=SECRET, source="notes of the harbour master"))
        bank.host.enhance()
        bank.forget("e1")
    told = " ".join(
        f"{span.name} {dict(span.attributes)} {span.status.description}" for span in spans.get_finished_spans()
    )

    assert not any(word in told for word in ("4711", "harbour", "safe"))


def test_what_fails_is_marked_by_the_type_of_its_error(spans, tmp_path):
    bank = MemoryBank("safe?", store=f"sqlite:///{tmp_path / 'bank.db'}")
    bank._parts.store.close()
    with pytest.raises(Exception, match="closed"):
        bank.absorb(ToolResult(tool="read", output=SECRET))
    [span] = [span for span in spans.get_finished_spans() if span.name == "upsert_memory"]

    assert span.status.description == "StoreError"
    assert span.events == ()


# --- calls of models, tools and agents -------------------------------------------------------------------------------

ASKED = ChatRequest(
    messages=({"role": "user", "content": SECRET},),
    temperature=0.0,
    max_output_tokens=64,
    answer_format="json_object",
    purpose="analysis",
)


class At:
    """A chat model that says it lives somewhere."""

    def __init__(self, chat, endpoint):
        self._chat, self.endpoint = chat, endpoint
        self.model, self.complete = chat.model, chat.complete


def test_a_model_call_has_a_client_span_after_the_conventions(spans):
    usage = TokenUsage(20, 5, 7, calls=1, failed_calls=2)
    reply = ChatReply(text=SECRET, usage=usage, model="small-2026-01-01", finish_reason="length")
    metered(At(ScriptedChatModel([reply], model="small"), "https://me:hush@api.deepseek.com/v1")).complete(ASKED)
    [span] = spans.get_finished_spans()

    assert (span.name, span.kind.name, span.status.is_ok) == ("chat small", "CLIENT", True)
    assert dict(span.attributes) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "deepseek",
        "gen_ai.request.model": "small",
        "gen_ai.request.max_tokens": 64,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.output.type": "json",
        "gen_ai.response.model": "small-2026-01-01",
        "gen_ai.response.finish_reasons": ("length",),
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read.input_tokens": 7,
        "server.address": "api.deepseek.com",
        "server.port": 443,
        "amb.purpose": "analysis",
        "amb.failed_calls": 2,
    }


def test_agents_tools_and_models_are_one_below_the_other(spans):
    chat = metered(ScriptedChatModel(["noon"], model="small"))
    with agent_run("amb_react", model=chat.model, endpoint=chat.endpoint) as run:
        with tool_call("search", call_id="c1"):
            chat.complete(ASKED)
        run.used(TokenUsage(20, 5, calls=1))
    found = {span.name: span for span in spans.get_finished_spans()}

    assert list(found) == ["chat small", "execute_tool search", "invoke_agent amb_react"]
    tool, agent = found["execute_tool search"], found["invoke_agent amb_react"]
    assert dict(tool.attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c1",
    }
    assert found["chat small"].parent.span_id == tool.context.span_id
    assert tool.parent.span_id == agent.context.span_id
    assert agent.attributes["gen_ai.agent.name"] == "amb_react"
    assert agent.attributes["gen_ai.usage.input_tokens"] == 20


def test_no_word_of_a_prompt_or_an_answer_is_in_the_span_of_a_model_call(spans):
    chat = metered(ScriptedChatModel([SECRET, ModelUnavailable(SECRET)]))
    chat.complete(ASKED)
    with pytest.raises(ModelUnavailable):
        chat.complete(ASKED)
    told = " ".join(
        f"{s.name} {dict(s.attributes)} {s.status.description} {s.events}" for s in spans.get_finished_spans()
    )
    assert not any(word in told for word in ("4711", "harbour", "safe"))
