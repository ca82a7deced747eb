"""A book with a memory: chapters are taken in, what is so is settled, and a draft that contradicts it is found.

`python main.py` makes the book in the folder `mybook`; then `amb studio mybook` opens it on a local page.
"""

import os
from pathlib import Path

from amb_book import Story

FOLDER = Path(os.environ.get("BOOK_FOLDER", "mybook"))
CHAPTERS = """# Chapter 1: The ferry

Lin Yue crossed the river on the last ferry. Old Han stood at the oar and said nothing.

# Chapter 2: The wall

In the siege camp Lin Yue gave the jade pendant to Qiu Han. At dawn Old Han was found dead below the wall.
"""
DRAFT = "The next evening Old Han laughed, took the oar and rowed Lin Yue home."

with Story(FOLDER) as story:
    if not story.facts.chapters():
        taken = story.import_manuscript(CHAPTERS)
        print(f"{taken.chapters} chapters are in the book")
        story.settle(
            chapter=3,
            title="The morning",
            statements=[
                {"entity": "Old Han", "kind": "character"},
                {"status": {"of": "Old Han", "is": "dead"}},
                {"subject": "Qiu Han", "relation": "OWNS", "object": "the jade pendant"},
            ],
        )
    for finding in story.check(DRAFT):
        print(f"{finding.kind}: {finding.message}")
    print(story.position().text)
# Prints: Old Han
