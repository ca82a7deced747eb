"""`amb team …`: look at what a team's memory held, from an export of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from amb_core.cli.argument_types import Commands
from amb_core.cli.console import show_result
from amb_core.cli.user_language import translate

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
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.set_defaults(command=_show)


def _show(options: argparse.Namespace) -> int:
    from amb_core.team.team_export import read_snapshot

    team = read_snapshot(options.export)
    pages = []
    if options.html:
        from amb_core.inspector import write_team_page

        pages = [str(write_team_page(team, options.html))]
    lines = chain(team_lines(team), (translate("page: {page}", page=page) for page in pages))
    show_result(options, {"team": team, "pages": pages}, lines)
    return 0


def team_lines(team: TeamExport) -> Iterator[str]:
    """An export in words: outcome and figures, hops, facts, searches, promotions, insights."""
    yield from _outcome(team)
    of_one = team.scope.startswith("private.")
    shared = () if of_one else team.records
    yield from _section(translate("hops"), (_hop(each) for each in shared if each.kind == "hop"))
    yield from _section(translate("facts"), (_fact(each) for each in shared if each.kind == "fact"))
    queries = {each.id: each.query for each in shared if each.kind == "search"}
    told = (f"{each.agent}: {_short(queries.get(each.search, each.search))}" for each in team.answered)
    yield from _section(translate("searches answered from memory"), told)
    yield from _section(translate("promotions"), _levels(team))
    yield from _section(translate("insights"), _learnt(team))
    own = {team.scope.removeprefix("private."): team.records} if of_one else {}
    for agent, notes in {**own, **team.private}.items():
        yield from _section(translate("private notes of {agent}", agent=agent), _kinds(notes))


def _outcome(team: TeamExport) -> Iterator[str]:
    counts = team.statistics
    yield translate("question: {question}", question=_short(team.task))
    yield translate(
        "state: {state}; answer: {answer}",
        state=team.status.replace("_", " "),
        answer=_short(team.answer) or translate("none yet"),
    )
    yield translate(
        "hops: {hops}, of which {answered} with an answer and {failed} in vain",
        hops=counts.total_hops,
        answered=counts.hops_with_answer,
        failed=counts.failed_hops,
    )
    disputed = sum(each.kind == "fact" and each.disputed for each in team.records)
    yield translate("facts: {facts}, of which {disputed} disputed", facts=counts.facts, disputed=disputed)
    yield translate(
        "searches: {searches}; {known} answered from memory, {again} made again",
        searches=counts.unique_searches,
        known=counts.repeats_avoided,
        again=counts.repeated_searches,
    )
    yield translate("loops broken: {count}", count=counts.stuck)
    yield translate("notes promoted: {count}, held back: {held}", count=counts.promoted, held=counts.quarantined)
    kept = "insights: {count}, kept for later tasks" if team.in_meta else "insights: {count}"
    yield translate(kept, count=counts.insights)
    if team.holds_private_notes:
        yield translate("This export holds private notes: for the owner of the team, not to be handed on.")


def _section(name: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield from ("", f"{name}:", *(f"  {line}" for line in found))


def _hop(hop: Hop) -> str:
    bridge = f" ({translate('bridge: {entity}', entity=_short(hop.bridge_entity))})" if hop.bridge_entity else ""
    mark = "" if hop.success else f"  [{translate('nothing found')}]"
    return f"{hop.turn:>3}  {hop.agent}: {_short(hop.action)} → {_short(hop.extracted_answer or '–')}{bridge}{mark}"


def _fact(fact: Fact) -> str:
    mark = f"  [{translate('disputed')}]" if fact.disputed else ""
    return f"{_short(fact.text)}  [{fact.source or fact.agent}]{mark}"


def _levels(team: TeamExport) -> Iterator[str]:
    for each in team.records:
        if each.kind == "promotion":
            yield translate("{agent}: {id} shared as {new}", agent=each.agent, id=each.record_id, new=each.new_id)
        elif each.kind == "quarantine":
            said = {"agent": each.agent, "id": each.record_id, "reason": each.reason}
            yield translate("{agent}: {id} held back ({reason})", **said)


def _learnt(team: TeamExport) -> Iterator[str]:
    learnt = team.reflection
    if learnt is None:
        return
    if learnt.strategy:
        yield translate("what worked: {strategy}", strategy=_short(learnt.strategy))
    if learnt.failed_because:
        yield translate("why it failed: {reason}", reason=_short(learnt.failed_because))
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
