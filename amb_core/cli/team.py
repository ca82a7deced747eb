"""`amb team …`: look at what a team's memory held, from an export of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from amb_core.cli.argument_types import Commands
from amb_core.cli.console import say

if TYPE_CHECKING:
    from amb_core.team.team_export import TeamExport
    from amb_core.team.team_records import Fact, Hop, Noted

__all__ = ["add_to", "team_lines"]

_SHOWN = 240
"""Characters of a text in a line."""


def add_to(commands: Commands) -> None:
    """Add `team` with its own commands."""
    team = commands.add_parser("team", help="look at what a team's memory held")
    inner = team.add_subparsers(required=True, metavar="WHAT")
    parser = inner.add_parser("show", help="an export in words, and as a page")
    parser.add_argument("export", metavar="EXPORT.json", help="what team.export(path, everything=True) wrote")
    parser.add_argument("--html", metavar="FILE", help="write the page of the team there")
    parser.set_defaults(command=_show)


def _show(options: argparse.Namespace) -> int:
    from amb_core.team.team_export import read_snapshot

    team = read_snapshot(options.export)
    for line in team_lines(team):
        say(line)
    if options.html:
        from amb_core.inspector import write_team_page

        say(f"page: {write_team_page(team, options.html)}")
    return 0


def team_lines(team: TeamExport) -> Iterator[str]:
    """An export in words: outcome and figures, hops, facts, searches, promotions, insights."""
    yield from _outcome(team)
    of_one = team.scope.startswith("private.")
    shared = () if of_one else team.records
    yield from _section("hops", (_hop(each) for each in shared if each.kind == "hop"))
    yield from _section("facts", (_fact(each) for each in shared if each.kind == "fact"))
    queries = {each.id: each.query for each in shared if each.kind == "search"}
    told = (f"{each.agent}: {_short(queries.get(each.search, each.search))}" for each in team.answered)
    yield from _section("searches answered from memory", told)
    yield from _section("promotions", _levels(team))
    yield from _section("insights", _learnt(team))
    own = {team.scope.removeprefix("private."): team.records} if of_one else {}
    for agent, notes in {**own, **team.private}.items():
        yield from _section(f"private notes of {agent}", _kinds(notes))


def _outcome(team: TeamExport) -> Iterator[str]:
    counts = team.statistics
    yield f"question: {_short(team.task)}"
    yield f"state: {team.status.replace('_', ' ')}; answer: {_short(team.answer) or 'none yet'}"
    yield (
        f"hops: {counts.total_hops}, of which {counts.hops_with_answer} with an answer and {counts.failed_hops} in vain"
    )
    disputed = sum(each.kind == "fact" and each.disputed for each in team.records)
    yield f"facts: {counts.facts}, of which {disputed} disputed"
    yield (
        f"searches: {counts.unique_searches}; {counts.repeats_avoided} answered from memory, "
        f"{counts.repeated_searches} made again"
    )
    yield f"loops broken: {counts.stuck}"
    yield f"notes promoted: {counts.promoted}, held back: {counts.quarantined}"
    yield f"insights: {counts.insights}{', kept for later tasks' if team.in_meta else ''}"
    if team.holds_private_notes:
        yield "This export holds private notes: for the owner of the team, not to be handed on."


def _section(name: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield from ("", f"{name}:", *(f"  {line}" for line in found))


def _hop(hop: Hop) -> str:
    bridge = f" (bridge: {_short(hop.bridge_entity)})" if hop.bridge_entity else ""
    mark = "" if hop.success else "  [nothing found]"
    return f"{hop.turn:>3}  {hop.agent}: {_short(hop.action)} → {_short(hop.extracted_answer or '–')}{bridge}{mark}"


def _fact(fact: Fact) -> str:
    return f"{_short(fact.text)}  [{fact.source or fact.agent}]{'  [disputed]' if fact.disputed else ''}"


def _levels(team: TeamExport) -> Iterator[str]:
    for each in team.records:
        if each.kind == "promotion":
            yield f"{each.agent}: {each.record_id} shared as {each.new_id}"
        elif each.kind == "quarantine":
            yield f"{each.agent}: {each.record_id} held back ({each.reason})"


def _learnt(team: TeamExport) -> Iterator[str]:
    learnt = team.reflection
    if learnt is None:
        return
    if learnt.strategy:
        yield f"what worked: {_short(learnt.strategy)}"
    if learnt.failed_because:
        yield f"why it failed: {_short(learnt.failed_because)}"
    for insight in learnt.insights:
        yield _short(insight.text)


def _kinds(notes: Iterable[Noted]) -> Iterator[str]:
    counts: dict[str, int] = {}
    for note in notes:
        kind = str(getattr(note, "kind", "note"))
        counts[kind] = counts.get(kind, 0) + 1
    if counts:
        yield ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
