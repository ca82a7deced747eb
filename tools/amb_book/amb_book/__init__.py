"""Narrative memory: what has happened in a book, what is planned, and the tasks an author has open at once.

story.py              Story: the parts of one book in one file, its desk, import and check
statements.py         what an author settles; statement_forms.py: what a reader found, as such; forms.py: places to fill
                      in; settlement_log.py: what was confirmed
facts.py              FactGraph, what has happened; fact_writer.py writes it, fact_reader.py reads it,
                      timeline.py says when facts end, entities.py and name_book.py who and what there is,
                      fact_answers.py what is answered
plan.py               PlanGraph, what is to happen; position.py: where the story stands
lore.py               LoreBase; episodes.py: EpisodeArchive, the text; record_search.py: how both are found;
                      revisions.py: in which state a part of the book is
desk/                 Desk: tasks side by side; checking/: drafts against facts
graph/                graph stores: a view on records, and Neo4j
cast/                 whom a book names, without a model; prompted_extractor.py: facts read off with one
manuscript_import.py  a whole manuscript in one file; manuscript.py cuts it into chapters (manuscript_words.py);
                      readings.py: what a model read of a chapter so far
creativity/           CreativityEngine: options that are looked up, judged and written anew; cut_texts.py: what a model
                      was cut off in
cli/, studio/        `amb book` in a terminal, `amb studio` on a local page
testing/              the contracts of GraphStore (graphs.py) and TaskQueueStore
with_a_model.py       what a desk does with a chat model, each answer within its time (timed_chat.py)
"""

from amb_book.checking import ConsistencyChecker, Finding
from amb_book.desk import Command, Desk, Reply
from amb_book.desk.tasks import TaskQueueStore
from amb_book.episodes import Episode, EpisodeArchive
from amb_book.fact_answers import EntityFacts, Fact, Hook, Mention, Settlement
from amb_book.facts import FactGraph
from amb_book.forms import FormRow
from amb_book.graphs import GraphStore
from amb_book.lore import LoreBase, LoreEntry
from amb_book.plan import PlanGraph, PlanPart
from amb_book.position import Position, StorylinePosition
from amb_book.statements import Statement, parsed
from amb_book.story import Story

__all__ = [
    "Command",
    "ConsistencyChecker",
    "Desk",
    "EntityFacts",
    "Episode",
    "EpisodeArchive",
    "Fact",
    "FactGraph",
    "Finding",
    "FormRow",
    "GraphStore",
    "Hook",
    "LoreBase",
    "LoreEntry",
    "Mention",
    "PlanGraph",
    "PlanPart",
    "Position",
    "Reply",
    "Settlement",
    "Statement",
    "Story",
    "StorylinePosition",
    "TaskQueueStore",
    "parsed",
]
