"""A solver and a retriever answer multi-hop questions with one team memory; no model and no network.

They act by the local policy of the benches: `pip install ./tools/amb_bench`. With AMB_DATA set the questions are
HotpotQA's. `--show` prints what each agent is shown and does; `--out` writes a page for each question.
"""

import argparse
import os
from pathlib import Path

from amb_bench.hotpotqa import LocalActor, run_episode
from amb_bench.hotpotqa.actors import Prompt

from amb_inspector import write_team_page
from amb_longterm import LongTermMemory
from amb_team import TeamMemory
from amb_tools.hotpotqa import PassageSearch, bundled_questions, load_questions, sample_questions

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--questions", type=int, default=20)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--meta", default="memory://", help="where what is learnt is kept, such as sqlite:///meta.db")
parser.add_argument("--show", action="store_true")
parser.add_argument("--out", type=Path, help="a folder for one page per question")
options = parser.parse_args()


def tell(prompt: Prompt, action: str, observation: str) -> None:
    """Print one step."""
    print(f"--- {prompt.agent}\n{prompt.text}\n>>> {action}\n<<< {observation}")


def write(team: TeamMemory) -> None:
    """Write the page of a question's team; the name is the question's number."""
    if options.out:
        write_team_page(team.snapshot(everything=True), options.out / f"question-{number}.html")


questions, passages = load_questions() if os.environ.get("AMB_DATA") else bundled_questions()
chosen = sample_questions(questions, count=options.questions, seed=options.seed)
search, actor, totals = PassageSearch(passages), LocalActor(), dict[str, float]()
with LongTermMemory(options.meta) as meta:
    for number, question in enumerate(chosen, 1):
        told = tell if options.show else None
        episode = run_episode(question, search, actor, "all", meta=meta, told=told, ended=write)
        figures = episode.statistics
        assert figures is not None
        counted = {
            "right": int(episode.em),
            "hops": figures.total_hops,
            "with an answer": figures.hops_with_answer,
            "facts": figures.facts,
            "repeats avoided": figures.repeats_avoided,
            "loops broken": figures.stuck,
            "insights": figures.insights,
        }
        totals = {name: totals.get(name, 0) + count for name, count in counted.items()}
        print(f"{number}. {question.text}\n   {episode.answer or '(no answer)'} | {counted}")
print(f"totals of {len(chosen)} questions: {totals}")
# Prints: totals of 15 questions: {'right':
