"""What a bank does is traced when OpenTelemetry is installed: what, how much and which ids, never a text."""

import pytest

from amb_core import ManualClock, MemoryBank, ToolResult

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

    assert found["amb.absorb"].attributes["amb.entry_id"] == "e1"
    assert found["amb.digest"].attributes["amb.nodes"] == 1
    assert found["amb.digest"].parent.span_id == found["amb.absorb"].context.span_id
    assert found["amb.agent"].context.trace_id == found["amb.plan"].context.trace_id or found["amb.agent"].parent


def test_recall_says_how_many_tokens_it_gave(spans):
    with MemoryBank("safe?") as bank:
        bank.absorb(ToolResult(tool="read", output=SECRET))
        block = bank.recall("safe", budget_tokens=300)
    [span] = [span for span in spans.get_finished_spans() if span.name == "amb.recall"]

    assert dict(span.attributes) == {"amb.budget": 300, "amb.tokens": block.tokens, "amb.nodes": 1}


def test_no_text_is_ever_in_a_span(spans):
    with MemoryBank("safe?") as bank:
        bank.absorb(ToolResult(tool="read", output=SECRET, source="notes of the harbour master"))
        bank.enhance()
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
    [span] = [span for span in spans.get_finished_spans() if span.name == "amb.absorb"]

    assert span.status.description == "StoreError"
    assert span.events == ()
