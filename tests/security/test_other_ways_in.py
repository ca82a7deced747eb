"""Hostile text by every other way into a prompt or onto a page: loops, adapters, files, goals, verdicts, exports."""

from __future__ import annotations

import runpy
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_cli import main
from amb_core import ContextAdapter, ManualClock, MemoryBank, Settings, StepResult, ToolResult, remember, run_task
from amb_core.rendering import visible
from amb_inspector import render_page
from amb_loops.task_loop import EnhancedPrompt
from amb_tools.corpus import read_corpus
from amb_tools.research.corpus_answers import compose_answer

HERE = Path(__file__).parent
READER = SimpleNamespace(**runpy.run_path(str(HERE / "obedience.py")))
STORY = SimpleNamespace(**runpy.run_path(str(HERE / "story.py")))
ROWS = [("zh" if name.startswith("zh-") else "en", text, name) for name, _, _, text in STORY.ATTACKS]
SAMPLE = {"forged-both", "ansi", "zh-system-words"}
IN_TURN = (pytest.mark.slow, pytest.mark.nightly)
CASES = [
    pytest.param(language, text, id=name, marks=() if name in SAMPLE else IN_TURN[: 1 if number % 8 == 0 else 2])
    for number, (language, text, name) in enumerate(ROWS)
]
WORDS = ["tide", "quay", "rope", "mast", "gull", "buoy", "keel", "pier"] * 16
SOME = [pytest.param(language, text, id=name) for language, text, name in ROWS if name in SAMPLE]
each_attack = pytest.mark.parametrize(("language", "text"), CASES)


class Obedient:
    """A step that does what it reads in the prompt beyond our blocks; else it brings the next hostile result."""

    def __init__(self, bank: MemoryBank, folder: Path, results: list[ToolResult]) -> None:
        self.bank, self.folder, self.results = bank, folder, results

    def __call__(self, prompt: EnhancedPrompt) -> StepResult:
        for number, order in enumerate(READER.orders(prompt)):
            (self.folder / f"obeyed-{number}").write_text(order, encoding="utf-8", errors="replace")
            self.bank.forget("e1")
        if self.results:
            return StepResult(tool_results=(self.results.pop(),))
        return StepResult(answer=compose_answer(self.bank, prompt.text).text)


@pytest.mark.sampled(2)
@each_attack
def test_an_obedient_agent_finds_nothing_to_obey_in_a_whole_task(language: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("as it was")
    before = STORY.folder_digest(tmp_path)
    with STORY.begun(language) as bank:
        results = [
            ToolResult(tool="read", output=STORY.framed(text, language) + place, source=place) for place in "def"
        ]
        run = run_task(bank, Obedient(bank, tmp_path, results), max_rounds=9)
        assert run.failures == 0
        assert not bank.snapshot().results[0].forgotten
        assert bank.merges == ()
    assert STORY.folder_digest(tmp_path) == before


@pytest.mark.sampled(2)
@each_attack
def test_what_the_adapter_writes_into_a_request_keeps_its_roles(language: str, text: str) -> None:
    def transcript(first: str) -> list[dict[str, Any]]:
        outputs = [first, *(f"log {number}: " + " ".join(f"{name}{number}" for name in WORDS) for number in range(4))]
        return [{"role": "user", "content": "Go on."}] + [
            message
            for number, output in enumerate(outputs)
            for message in (
                {"role": "assistant", "content": "", "tool_calls": [call(number, output)]},
                {"role": "tool", "tool_call_id": str(number), "content": output},
            )
        ]

    settings: dict[str, Any] = {"prompt_budget_tokens": 700, "block_tokens": 250, "keep_last": 1}
    with STORY.begun(language, **settings) as bank, STORY.begun(language, **settings) as clean:
        messages, harmless = transcript(STORY.framed(text, language)), transcript(" ".join(STORY.FRAME[language]))
        made = request(bank, messages)
        assert [m["role"] for m in made] == [m["role"] for m in request(clean, harmless)]
        assert READER.orders(made[-1]["content"]) == []
        ours = [m["content"] for m in made[:-1] if m not in messages and m["role"] != "tool"]
        assert not [text for text in ours if READER.structure(text)]


def call(number: int, output: str) -> dict[str, Any]:
    return {"id": str(number), "type": "function", "function": {"name": output[:30] or "read", "arguments": "{}"}}


def request(bank: MemoryBank, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    adapter = ContextAdapter(bank)
    adapter.intercept_context(messages)
    return adapter.prepare(messages)


@each_attack
def test_references_that_stand_for_a_hostile_result_are_clean(language: str, text: str) -> None:
    from amb_core.rendering import Reference, index_line, reference_line

    reference = Reference(("n1", "n2"), (text, f"{text} more"))
    for lines in (reference_line(reference, language), index_line([(text, reference), (text, None)], language)):
        assert not READER.structure(lines)
        assert "\n" not in lines


@pytest.mark.parametrize(("language", "text"), SOME)
def test_a_decorated_step_gets_one_clean_block(language: str, text: str) -> None:
    seen: list[list[dict[str, Any]]] = []
    with STORY.begun(language) as bank:

        @remember(bank)
        def step(messages: list[dict[str, Any]]) -> ToolResult:
            seen.append(messages)
            return ToolResult(tool=text[:99], output=STORY.framed(text, language), source=text)

        step([{"role": "user", "content": "Go on."}])
        step([{"role": "user", "content": "Go on."}])
    assert READER.orders(seen[1][-1]["content"]) == []


@each_attack
def test_a_goal_and_its_context_stay_in_their_lines(language: str, text: str) -> None:
    with MemoryBank(f"Context: {text}\nQuestion: {STORY.GOALS[language]}", clock=ManualClock()) as bank:
        assert bank.insight.task_goal == STORY.GOALS[language]
        assert READER.orders(bank.host.enhance().text) == []
    with MemoryBank(text, clock=ManualClock()) as bank:
        bank.absorb(ToolResult(tool="read", output=text))
        assert READER.orders(bank.host.enhance(query=text).text) == []


@each_attack
def test_a_hostile_file_is_recognised_like_any_other(language: str, text: str, tmp_path: Path) -> None:
    name = "".join(char if char not in "/\0" and not "\ud800" <= char <= "\udfff" else "_" for char in text)[:40]
    path = tmp_path / f"{name}.png"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    before = STORY.folder_digest(tmp_path)
    with MemoryBank(STORY.GOALS[language], clock=ManualClock(), settings=Settings()) as bank:
        attachment = bank.attach(path, type="document")
        assert bank.plan().pending.attachment_ids == (attachment.id,)
        assert READER.orders(bank.host.enhance().text) == []
        insight = bank.host.finish_step(StepResult(text=text))
        assert READER.orders(bank.host.enhance(query=text).text) == []
        assert [task.type for task in insight.completed_tasks] == ["NORMAL"]
    assert STORY.folder_digest(tmp_path) == before


@each_attack
def test_a_hostile_verdict_settles_nothing(language: str, text: str) -> None:
    with STORY.begun(language) as bank:
        bank.absorb(ToolResult(tool="verify", output=text, source="d"))
        bank.absorb(ToolResult(tool="verify", output=f"c1 n1 n2: {text}", source="e"))
        assert bank.conflicts[0].status == "verifying"
        bank.host.finish_step(StepResult(text=text))
        assert bank.merges == ()
        assert not any(node.refuted or node.stale for node in bank.nodes)
        assert READER.orders(bank.host.enhance().text) == []


def filled(language: str) -> MemoryBank:
    """A bank that has met every attack in one language."""
    bank = STORY.begun(language)
    for theirs, text, _ in ROWS:
        if theirs == language:
            STORY.planted(bank, text, language)
    return bank


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.nightly)])
def test_pages_and_exports_carry_hostile_text_as_text(language: str, tmp_path: Path) -> None:
    with filled(language) as bank, STORY.begun(language) as harmless:
        snapshot = bank.snapshot()
        bank.export(tmp_path / "bank.json")
        assert tags_of(render_page(snapshot)) == tags_of(render_page(harmless.snapshot()))
    with MemoryBank.load(tmp_path / "bank.json") as loaded:
        assert STORY.contents(loaded.snapshot()) == STORY.contents(snapshot)
        assert all(READER.orders(loaded.host.enhance(query=text).text) == [] for _, text, _ in ROWS)


def tags_of(page: str) -> list[str]:
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append(tag)  # type: ignore[method-assign]
    parser.feed(page)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.nightly)])
def test_pages_with_hidden_text_are_sources_like_any_other(language: str, tmp_path: Path) -> None:
    for number, (_, text, _) in enumerate(row for row in ROWS if row[0] == language):
        body = text.encode("utf-8", "replace").decode().replace("\0", "")
        html = f'<title>{body}</title><body><p hidden>{body}</p><!-- {body} --><img alt="{body}"><p>{body}</p>'
        (tmp_path / f"{number}.html").write_text(html + " ".join(STORY.FRAME[language]), encoding="utf-8")
    with STORY.begun(language) as bank:
        for document in read_corpus(tmp_path):
            bank.absorb(ToolResult(tool="read", output=document.text, source=document.name))
        for _, text, _ in ROWS:
            assert READER.orders(bank.host.enhance(query=text).text) == []


@each_attack
def test_what_a_terminal_is_shown_cannot_steer_it(language: str, text: str) -> None:
    shown = visible(f"question: {text}")
    assert not any(marker.kind == "hidden" for marker in READER.markers(READER.FLAGS.sub("", shown)))
    shown.encode("utf-8")


def test_the_command_line_prints_no_control_sequence_of_a_source(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "a\x1b[2Jb.txt").write_text("The pier is 80 metres long.\x1b[31m It is \u202e red.", encoding="utf-8")
    (tmp_path / "bad\x1b]8.pdf").write_bytes(b"%PDF-1.4 torn")
    assert main(["run", "How long is the pier?", "--corpus", str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    printed = "".join(capsys.readouterr())
    assert "80 metres" in printed
    assert not any(char in printed for char in "\x1b\u202e")
