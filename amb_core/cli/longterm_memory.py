"""`amb memory …`: look into long-term memory, and delete from it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from amb_core.cli.argument_types import Commands, positive
from amb_core.cli.console import say
from amb_core.errors import InvalidInput, UnknownId

if TYPE_CHECKING:
    from amb_core.longterm import LongTermMemory, MemoryRecord

__all__ = ["add_to"]

_SHOWN = 100
"""Characters of a record in a list."""


def add_to(commands: Commands) -> None:
    """Add `memory` with its own commands."""
    memory = commands.add_parser("memory", help="look into long-term memory, and delete from it")
    inner = memory.add_subparsers(required=True, metavar="WHAT")

    parser = _added(inner, "list", "namespaces, or the records of one", _list)
    parser.add_argument("namespace", nargs="?", help="such as user_profile/u1")
    parser.add_argument(
        "--namespace", dest="within", metavar="NAMESPACE", help="the same, as the other commands take it"
    )
    parser.add_argument("--limit", type=positive, help="how many records at most")

    parser = _added(inner, "search", "the records that speak of something", _search)
    parser.add_argument("query")
    _add_namespace(parser)
    parser.add_argument("--limit", type=positive, help="how many records at most")

    for name, told, command in (("show", "one record with all it knows", _show), ("history", "its versions", _history)):
        parser = _added(inner, name, told, command)
        parser.add_argument("id")
        _add_namespace(parser)

    parser = _added(inner, "delete", "delete records with their history, down to the bytes", _delete)
    parser.add_argument("id", nargs="?")
    _add_namespace(parser)
    parser.add_argument("--where", action="append", default=[], metavar="FIELD=VALUE", help="all with this metadata")
    parser.add_argument("--why", default="", help="a reason for the audit log")
    parser.add_argument("--vacuum", action="store_true", help="rewrite the store's file as well")

    parser = _added(inner, "audit", "who did what to which record, newest first", _audit)
    parser.add_argument("--namespace")
    parser.add_argument("--limit", type=positive, default=20)

    _added(inner, "stats", "what memory holds and what came of it", _stats)


def _added(
    inner: Commands, name: str, told: str, command: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser = inner.add_parser(name, help=told)
    parser.add_argument("--store", help="sqlite:///FILE, json:///FOLDER, qdrant:///FOLDER; else MEMORY_BACKEND")
    parser.set_defaults(command=command)
    return parser


def _add_namespace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--namespace", required=True, help="such as user_profile/u1")


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[LongTermMemory]:
    """The memory the options name; one that is not there is not made."""
    from amb_core.longterm import LongTermMemory, LongTermSettings
    from amb_core.longterm.collection_opener import store_url
    from amb_core.stores import holds_something

    url = options.store or store_url(LongTermSettings())
    if url == "memory://":
        raise InvalidInput("name the memory to look into: --store sqlite:///memory.db, or set MEMORY_BACKEND.")
    if not holds_something(url):
        raise InvalidInput(f"there is no memory at {url}; check the name.")
    with LongTermMemory(url, actor="command line") as memory:
        yield memory


def _list(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        namespace = options.namespace or options.within
        if namespace is None:
            for name, count in memory.stats().records.items():
                say(f"{count:>7}  {name}")
        else:
            for record in memory.records(namespace, limit=options.limit):
                say(_line(record))
    return 0


def _search(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        for hit in memory.search(options.query, namespace=options.namespace, top_k=options.limit):
            say(f"{hit.id}  {hit.score:.2f}  {_short(hit.content)}")
    return 0


def _show(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        record = memory.get(options.id, namespace=options.namespace)
        if record is None:
            raise UnknownId("memory", options.id)
        say(record.content)
        say("")
        for name, value in sorted(record.metadata.items()):
            say(f"{name}: {value}")
        say(f"written: {_day(record.created_at)}; last confirmed or changed: {_day(record.updated_at)}")
        if record.expires_at is not None:
            say(f"until: {_day(record.expires_at)}")
        for origin in record.provenance:
            said = [origin.agent, origin.run, origin.task, ", ".join(origin.entries)]
            say(f"from: {'; '.join(part for part in said if part)}")
        for told in record.disagreements:
            say(f"told two things about {told.subject}: {' / '.join(told.values)} ({_day(told.at)})")
    return 0


def _history(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        versions = memory.history(options.id, namespace=options.namespace)
        if not versions:
            raise UnknownId("memory", options.id)
        for version in versions:
            say(f"{version.revision:>4}  {_day(version.updated_at)}  {_short(version.content)}")
    return 0


def _delete(options: argparse.Namespace) -> int:
    filters = dict(_field(text) for text in options.where)
    with _opened(options) as memory:
        deleted = memory.delete(
            options.id, namespace=options.namespace, filters=filters or None, why=options.why, vacuum=options.vacuum
        )
    say(f"{deleted.deleted} deleted")
    for place in deleted.unreachable:
        say(f"amb: not cleaned: {place}", file=sys.stderr)
    return 1 if deleted.unreachable else 0


def _audit(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        for entry in memory.audit(namespace=options.namespace, limit=options.limit):
            said = [entry.actor, entry.action, entry.outcome, entry.namespace, entry.record_id, entry.why]
            say(f"{entry.number:>6}  {_moment(entry.at)}  {'  '.join(part for part in said if part)}")
    return 0


def _stats(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        stats = memory.stats()
    say(f"records: {sum(stats.records.values())} in {len(stats.records)} namespaces")
    say(f"searches: {stats.searches}, of which {stats.hit_rate:.0%} found something")
    outcomes = ("inserted", "skipped", "merged", "conflict", "updated", "deleted", "evicted")
    say(f"writes: {', '.join(f'{getattr(stats, name)} {name}' for name in outcomes)}")
    say(f"duplicates among writes: {stats.duplicate_rate:.0%}")
    say(f"injected: {stats.injected}, of which answers drew on {stats.context_use:.0%}")
    say(f"redacted: {stats.redacted}")
    waited = f"waited for the store: {stats.queued}, carried over: {stats.carried_over}, refused: {stats.refused}"
    say(waited)
    for what, count in stats.failures.items():
        say(f"failures of {what}: {count}")
    return 0


def _field(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InvalidInput(f"--where takes FIELD=VALUE, such as type=tool-effects, not {text!r:.60}.")
    return name, value


def _line(record: MemoryRecord) -> str:
    mark = "  (told two things)" if record.disagreements else ""
    return f"{record.id}  {_day(record.updated_at)}  {record.type.value}  {_short(record.content)}{mark}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d")


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M:%SZ")
