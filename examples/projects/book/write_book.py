"""A short book: take in what is written, settle what became true, and check the next chapter against it.

`python write_book.py` does all three; change the files beside it and start it again. README.md says more.
In a Chinese environment, or with `AMB_LANGUAGE=zh`, the book is a Chinese one.
"""

import json
import os
from pathlib import Path
from typing import Any

from amb_book.checking import ConsistencyChecker, PromptedChecker

from amb_book import Story
from amb_cli.user_language import choose_language
from amb_core import open_chat

HERE = Path(__file__).parent
TEXTS: dict[str, Any] = json.loads((HERE / "texts.json").read_text("utf-8"))[choose_language()]
MANUSCRIPT, CHAPTERS, DRAFT = (HERE / name for name in TEXTS["files"])
FOLDER = Path(os.environ.get("FOLDER", "mybook"))


def take_in(story: Story) -> None:
    """Read the manuscript into the book: its passages, and who is in it."""
    done = story.import_manuscript(MANUSCRIPT)
    print(TEXTS["cast"].format(done.chapters, TEXTS["join"].join(member.name for member in done.cast)))


def settle(story: Story) -> None:
    """What an author says became true in each chapter; the rest of the text stays text."""
    for chapter in json.loads(CHAPTERS.read_text(encoding="utf-8")):
        story.settle(chapter=chapter["chapter"], title=chapter["title"], statements=chapter["statements"], replace=True)


def look_up(story: Story) -> None:
    """What the book knows, now and as of the first chapter."""
    print(story.position().text)
    for chapter in (1, 3):
        status = story.facts.about(TEXTS["who"], at=chapter).status or TEXTS["nothing"]
        print(TEXTS["status"].format(TEXTS["who"], chapter, TEXTS["words"].get(status, status)))
    for hook in story.facts.hooks():
        print(TEXTS["open"].format(hook.laid, hook.name, TEXTS["words"].get(hook.status, hook.status)))
    [passage, *_] = story.episodes.search(TEXTS["thing"])
    print(TEXTS["about"].format(passage.chapter, passage.text.splitlines()[0]))


def check(story: Story, draft: str) -> int:
    """Print where a draft contradicts the book, each with what says so; gives how many places there are."""
    # Five rules look for what they are sure of. A model, where there is a key, looks for more.
    has_key = os.environ.get("OPENAI_API_KEY")
    checker = PromptedChecker(open_chat(os.environ.get("MODEL", "gpt-5-mini"))) if has_key else ConsistencyChecker()
    findings = checker.check(draft, facts=story.facts, plan=story.plan, episodes=story.episodes, lore=story.lore)
    for finding in findings:
        print(f"\n{finding.sentence}\n  {finding.message}")
        print(f"  {'; '.join(each.fact for each in finding.evidence)}")
    return len(findings)


def main() -> None:
    """Do all of it, in the folder of the book."""
    with Story(FOLDER) as story:
        take_in(story)
        settle(story)
        look_up(story)
        found = check(story, DRAFT.read_text(encoding="utf-8"))
        print(TEXTS["found"].format(found))


if __name__ == "__main__":
    main()
