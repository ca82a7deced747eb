"""`amb memory …`: look into long-term memory, and delete from it."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from amb_cli.command_parser import Commands, port, positive
from amb_cli.console import say, show_result
from amb_cli.user_language import translate
from amb_core.errors import InvalidInput, UnknownId

if TYPE_CHECKING:
    from amb_longterm import AuditEntry, LongTermMemory, MemoryRecord
    from amb_longterm.metrics import Stats

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
    parser.add_argument("--offset", type=int, default=0, help="how many of the first hits to leave out")

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

    parser = _added(inner, "serve", "pages of the users, to edit and delete, and an HTTP API, on 127.0.0.1", _serve)
    parser.add_argument("--port", type=port, default=8788, help="0: any free one")


def _added(
    inner: Commands, name: str, told: str, command: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser = inner.add_parser(name, help=told)
    parser.add_argument("--store", help="sqlite:///FILE, json:///FOLDER, qdrant:///FOLDER; else MEMORY_BACKEND")
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.set_defaults(command=command)
    return parser


def _add_namespace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--namespace", required=True, help="such as user_profile/u1")


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[LongTermMemory]:
    """The memory the options name; one that is not there is not made."""
    from amb_core.stores import holds_something
    from amb_longterm import LongTermMemory, LongTermSettings
    from amb_longterm.collection_opener import store_url

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
            counts = memory.stats().records
            show_result(options, dict(counts), (f"{count:>7}  {name}" for name, count in counts.items()))
        else:
            records = list(memory.records(namespace, limit=options.limit))
            show_result(options, records, map(_line, records))
    return 0


def _search(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        found = memory.search(options.query, namespace=options.namespace, top_k=options.limit, offset=options.offset)
        hits = list(found)
        show_result(options, hits, (f"{hit.id}  {hit.score:.2f}  {_short(hit.content)}" for hit in hits))
    return 0


def _show(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        record = memory.get(options.id, namespace=options.namespace)
        if record is None:
            raise UnknownId("memory", options.id)
        show_result(options, record, _whole(record))
    return 0


def _whole(record: MemoryRecord) -> Iterator[str]:
    yield from (record.content, "")
    yield from (f"{name}: {value}" for name, value in sorted(record.metadata.items()))
    written, changed = _day(record.created_at), _day(record.updated_at)
    yield translate("written: {written}; last confirmed or changed: {changed}", written=written, changed=changed)
    if record.expires_at is not None:
        yield translate("until: {day}", day=_day(record.expires_at))
    for origin in record.provenance:
        said = [origin.agent, origin.run, origin.task, ", ".join(origin.entries)]
        yield translate("from: {origin}", origin="; ".join(part for part in said if part))
    for told in record.disagreements:
        values = " / ".join(told.values)
        yield translate(
            "told two things about {subject}: {values} ({day})", subject=told.subject, values=values, day=_day(told.at)
        )


def _history(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        versions = memory.history(options.id, namespace=options.namespace)
        if not versions:
            raise UnknownId("memory", options.id)
        lines = (f"{each.revision:>4}  {_day(each.updated_at)}  {_short(each.content)}" for each in versions)
        show_result(options, list(versions), lines)
    return 0


def _delete(options: argparse.Namespace) -> int:
    filters = dict(_field(text) for text in options.where)
    if bool(options.id) == bool(filters):
        raise InvalidInput("name either the record's id, or its metadata with --where FIELD=VALUE")
    with _opened(options) as memory:
        deleted = memory.delete(
            options.id, namespace=options.namespace, filters=filters or None, why=options.why, vacuum=options.vacuum
        )
    nothing = "nothing was found, so nothing was deleted"
    told = translate("{count} deleted", count=deleted.deleted) if deleted.deleted else translate(nothing)
    show_result(options, deleted, [told])
    for place in deleted.unreachable:
        say(f"amb: {translate('not cleaned: {place}', place=place)}", file=sys.stderr)
    return 1 if deleted.unreachable else 0


def _audit(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        entries = list(memory.audit(namespace=options.namespace, limit=options.limit))
        show_result(options, entries, map(_audited, entries))
    return 0


def _audited(entry: AuditEntry) -> str:
    said = [entry.actor, entry.action, entry.outcome, entry.namespace, entry.record_id, entry.why]
    return f"{entry.number:>6}  {_moment(entry.at)}  {'  '.join(part for part in said if part)}"


def _stats(options: argparse.Namespace) -> int:
    with _opened(options) as memory:
        stats = memory.stats()
    show_result(options, stats, _counted(stats))
    return 0


def _serve(options: argparse.Namespace) -> int:
    """Serve until somebody interrupts; AMB_MEMORY_TOKEN, or a new token at each start."""
    from amb_inspector.memory_server import MemoryServer

    token = os.environ.get("AMB_MEMORY_TOKEN") or secrets.token_urlsafe(24)
    with _opened(options) as memory:
        try:
            server = MemoryServer(memory, token=token, port=options.port)
        except OSError as error:
            raise InvalidInput(
                f"port {options.port} cannot be used ({error.strerror}); name another with --port"
            ) from None
        say(translate("pages of the users: {url}", url=server.page))
        say(translate("the HTTP API: {url}, with the header x-amb-token", url=server.api))
        with suppress(KeyboardInterrupt):
            server.serve()
    return 0


def _counted(stats: Stats) -> Iterator[str]:
    held = stats.records
    yield translate("records: {count} in {spaces} namespaces", count=sum(held.values()), spaces=len(held))
    yield translate(
        "searches: {count}, of which {share:.0%} found something", count=stats.searches, share=stats.hit_rate
    )
    yield translate(
        "writes: {inserted} inserted, {skipped} skipped, {merged} merged, {conflict} conflict, {updated} updated, "
        "{deleted} deleted, {evicted} evicted",
        **dict(stats),
    )
    yield translate("duplicates among writes: {share:.0%}", share=stats.duplicate_rate)
    yield translate(
        "injected: {count}, of which answers drew on {share:.0%}", count=stats.injected, share=stats.context_use
    )
    yield translate("redacted: {count}", count=stats.redacted)
    yield translate("waited for the store: {queued}, carried over: {carried_over}, refused: {refused}", **dict(stats))
    for what, count in stats.failures.items():
        yield translate("failures of {what}: {count}", what=what, count=count)


def _field(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InvalidInput(f"--where takes FIELD=VALUE, such as type=tool-effects, not {text!r:.60}.")
    return name, value


def _line(record: MemoryRecord) -> str:
    mark = f"  {translate('(told two things)')}" if record.disagreements else ""
    return f"{record.id}  {_day(record.updated_at)}  {record.type.value}  {_short(record.content)}{mark}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d")


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M:%SZ")
