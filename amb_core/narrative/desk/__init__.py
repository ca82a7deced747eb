"""The desk: several tasks at once, each with a clean queue of its own.

commands.py   what a message tells the desk to do; tasks.py, queues.py: tasks and where their queues are kept
"""

from amb_core.narrative.desk.commands import Command, PlainText, UnknownCommand, read_message
from amb_core.narrative.desk.queues import InMemoryTaskQueues, RecordTaskQueues, open_task_queues
from amb_core.narrative.desk.tasks import Task, TaskQueueStore, Turn

__all__ = [
    "Command",
    "InMemoryTaskQueues",
    "PlainText",
    "RecordTaskQueues",
    "Task",
    "TaskQueueStore",
    "Turn",
    "UnknownCommand",
    "open_task_queues",
    "read_message",
]
