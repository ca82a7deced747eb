"""An AutoGen group chat of solver, retriever and ground truth on multi-hop questions, without team memory and with it.

Needs `pip install ".[autogen]"`. Offline the agents act by the local policy of `pip install ./tools/amb_bench`;
`--model NAME --base-url URL` asks any endpoint (key in OPENAI_API_KEY). All else is as in hotpotqa_team.py.
"""

import argparse
import asyncio
import os
from pathlib import Path

from amb_bench.hotpotqa.team_game import model_client, play
from autogen_core.models import ChatCompletionClient

from amb_inspector import write_team_page
from amb_longterm import LongTermMemory
from amb_team import TeamMemory
from amb_tools.hotpotqa import PassageSearch, bundled_questions, load_questions, sample_questions

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--questions", type=int, default=20)
parser.add_argument("--memory", choices=["none", "all"], help="one of the two; by default both, one after the other")
parser.add_argument("--steps", type=int, default=7, help="turns of solver and retriever together, the same for both")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--model")
parser.add_argument("--base-url")
parser.add_argument("--show", action="store_true")
parser.add_argument("--out", type=Path, help="a folder for one page per question")
options = parser.parse_args()


def new_client() -> ChatCompletionClient:
    """The model the agents ask, new for each question, since it counts tokens."""
    if options.model:
        return model_client(options.model, base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"))
    from amb_bench.hotpotqa.autogen_client import LocalPolicyClient

    return LocalPolicyClient()


def write(team: TeamMemory) -> None:
    """Write the page of a question's team; the name is the question's number."""
    if options.out:
        write_team_page(team.snapshot(everything=True), options.out / f"question-{number}.html")


questions, passages = load_questions() if os.environ.get("AMB_DATA") else bundled_questions()
chosen, search = sample_questions(questions, count=options.questions, seed=options.seed), PassageSearch(passages)
for arm in [options.memory] if options.memory else ["none", "all"]:
    totals = dict[str, float]()
    with LongTermMemory("memory://") as meta:
        for number, question in enumerate(chosen, 1):
            run = play(question, search, new_client(), memory=arm == "all", steps=options.steps, meta=meta, ended=write)
            went = asyncio.run(run)
            totals = {name: round(totals.get(name, 0) + count, 3) for name, count in went.figures.items()}
            for message in went.messages if options.show else ():
                print(f"   {message.source}: {message.to_text()}")
            print(f"{number}. {question.text}\n   {went.answer or '(no answer)'} | {went.figures}")
    print(f"totals of {len(chosen)} questions, memory {arm}: {totals}")
# Prints: totals of 15 questions, memory all: {'EM':
