"""The desk: several tasks at once, each with a clean queue of its own.

gateway.py       Desk: the only door in and out; desk_replies.py, author_lines.py: what comes back
commands.py      what a message tells the desk to do; command_log.py keeps that as labelled data
tasks.py         tasks and turns; queues.py, redis_queues.py: where they are kept; task_list.py: what they are called
task_context.py  what a model is shown, with background.py, story_block.py and summaries.py
task_settler.py  from a whole queue (extractors.py) over a proposal (proposals.py, clashes.py) to the book's memory
read_off.py      what is read off a conversation, with its place in it; talk_reader.py: by a model;
                 plain_sentences.py: off the author's own sentences; desk_words.py: the desk's own words
responder.py     who answers, and which of the options is taken (workshop.py)
"""

from amb_book.desk.background import Source
from amb_book.desk.command_log import CommandLog
from amb_book.desk.commands import Command, PlainText, UnknownCommand, read_message
from amb_book.desk.desk_replies import DeskError, Reply
from amb_book.desk.extractors import ExtractorsTogether, StatementExtractor, WrittenStatements
from amb_book.desk.gateway import Desk
from amb_book.desk.proposals import Clash, Proposal, Row
from amb_book.desk.queues import InMemoryTaskQueues, RecordTaskQueues, open_task_queues
from amb_book.desk.read_off import Extracted, ReadOff
from amb_book.desk.task_context import ContextBuilder, ContextLimits, TaskContext
from amb_book.desk.tasks import Task, TaskQueueStore, Turn
from amb_book.desk.workshop import Workshop, WorkshopAnswer

__all__ = [
    "Clash",
    "Command",
    "CommandLog",
    "ContextBuilder",
    "ContextLimits",
    "Desk",
    "DeskError",
    "Extracted",
    "ExtractorsTogether",
    "InMemoryTaskQueues",
    "PlainText",
    "Proposal",
    "ReadOff",
    "RecordTaskQueues",
    "Reply",
    "Row",
    "Source",
    "StatementExtractor",
    "Task",
    "TaskContext",
    "TaskQueueStore",
    "Turn",
    "UnknownCommand",
    "Workshop",
    "WorkshopAnswer",
    "WrittenStatements",
    "open_task_queues",
    "read_message",
]
