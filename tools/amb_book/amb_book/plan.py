"""PlanGraph: what is to happen, in outlines and steps; its states tell where the story stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from amb_book.graphs import GraphEdge, GraphNode, GraphStore
from amb_book.position import StorylinePosition
from amb_book.statements import PlanKind, PlanStatement, PlanStatus
from amb_core.errors import InvalidInput, InvalidParameter, UnknownId

__all__ = ["PlanGraph", "PlanPart"]

_LABELS: dict[PlanKind, str] = {
    "general_outline": "GeneralOutline",
    "long_outline": "LongOutline",
    "short_outline": "ShortOutline",
    "step": "Step",
}
_KINDS: dict[str, PlanKind] = {label: kind for kind, label in _LABELS.items()}
_INSIDE: dict[PlanKind, tuple[PlanKind, ...]] = {
    "general_outline": (),
    "long_outline": ("general_outline",),
    "short_outline": ("long_outline",),
    "step": ("short_outline",),
}
_CONTAINS, _FIRST, _NEXT = "CONTAINS", "FIRST_STEP", "NEXT"
_MAY_BECOME: dict[PlanStatus, tuple[PlanStatus, ...]] = {
    "Pending": ("InProgress",),
    "InProgress": ("Completed", "Pending"),
    "Completed": ("InProgress",),
}


@dataclass(frozen=True, slots=True)
class PlanPart:
    """A part of the plan; `within` is the id of the part it belongs to, `storyline` that of its short outline."""

    id: str
    kind: PlanKind
    title: str
    status: PlanStatus
    text: str = ""
    within: str = ""
    storyline: str = ""


class PlanGraph:
    """General outline, long outlines, short outlines and their steps, each Pending, InProgress or Completed.

    Nothing is ever deleted. A step that begins takes the outlines around it along; an outline is completed when nothing
    in it is open. Several short outlines may be in progress at once, one for each storyline.
    """

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph

    # --- planning ----------------------------------------------------------------------------------------------------

    def add(
        self,
        kind: PlanKind,
        *,
        title: str,
        text: str = "",
        within: str = "",
        after: str = "",
        storyline: str = "",
        id: str = "",
    ) -> PlanPart:
        """Plan something new, Pending; a step comes `after` another, by default at the end of its outline.

        A completed outline is in progress again with something new in it.
        """
        if kind not in _LABELS:
            raise InvalidParameter(f"a plan is made of {', '.join(_LABELS)}, not {kind!r:.40}.")
        name = id.strip() or self._next_id(kind)
        with self._graph.transaction():
            if self._graph.node(name) is not None:
                raise InvalidInput(f"the plan has a part {name!r:.80} already; give another id, or change that one.")
            parent = self._parent(kind, within)
            fields: dict[str, JsonValue] = {"name": title.strip() or name, "text": text, "status": "Pending"}
            if kind == "short_outline":
                fields["storyline"] = storyline.strip() or "main"
            self._graph.put(nodes=[GraphNode(name, _LABELS[kind], fields)])
            if parent is not None:
                if parent.status == "Completed":
                    self.reopen(parent.id)
                self._graph.put(edges=[GraphEdge(f"{parent.id}>{name}", _CONTAINS, parent.id, name)])
                if kind == "step":
                    self._enqueue(parent, name, after)
        return self.part(name)

    def change(self, id: str, *, title: str | None = None, text: str | None = None) -> PlanPart:
        """Write a part anew; its state and place stay."""
        node = self._node(id)
        fields = {"name": None if title is None else title.strip() or id, "text": text}
        self._graph.put(nodes=[_with(node, {name: value for name, value in fields.items() if value is not None})])
        return self.part(id)

    def start(self, id: str) -> PlanPart:
        """Begin a part, and with it the outlines around it; a completed one is taken up again by `reopen` alone."""
        part = self.part(id)
        if part.status == "Completed":
            raise InvalidInput(f"{part.title!r:.80} is Completed; reopen({id!r:.80}) takes it up again.")
        with self._graph.transaction():
            for part in self._with_parents(id):
                if part.status != "InProgress":
                    self._become(part, "InProgress")
        return self.part(id)

    def complete(self, id: str) -> PlanPart:
        """End a part that is in progress; an outline only when nothing in it is open."""
        part = self.part(id)
        still = [inside.title for inside in self.inside(id) if inside.status != "Completed"]
        if still:
            raise InvalidInput(f"{part.title!r:.80} cannot be completed: {', '.join(still[:3])} is not, yet.")
        self._become(part, "Completed")
        return self.part(id)

    def reopen(self, id: str) -> PlanPart:
        """Take a completed part up again, and the outlines around it."""
        with self._graph.transaction():
            for part in self._with_parents(id):
                if part.status == "Completed":
                    self._become(part, "InProgress")
        return self.part(id)

    def put_off(self, id: str) -> PlanPart:
        """Make a part that is in progress Pending again; an outline only when nothing in it is in progress."""
        still = [inside.title for inside in self.inside(id) if inside.status == "InProgress"]
        if still:
            raise InvalidInput(
                f"{id!r:.80} cannot be put off: {', '.join(still[:3])} is in progress; put that off first."
            )
        self._become(self.part(id), "Pending")
        return self.part(id)

    def settle(self, statement: PlanStatement) -> PlanPart:
        """Write what an author settled of the plan; saying the same again changes nothing."""
        with self._graph.transaction():
            if self._graph.node(statement.plan) is None:
                if statement.kind is None:
                    raise InvalidInput(f"the plan has no part {statement.plan!r:.80}; say which kind the new one is.")
                self.add(
                    statement.kind,
                    id=statement.plan,
                    title=statement.title or statement.plan,
                    text=statement.text or "",
                    within=statement.within or "",
                    after=statement.after or "",
                    storyline=statement.storyline or "",
                )
            else:
                self.change(statement.plan, title=statement.title, text=statement.text)
            if statement.status is not None:
                self._bring_to(statement.plan, statement.status)
        return self.part(statement.plan)

    def settle_all(self, statements: Iterable[PlanStatement]) -> None:
        """Write several, all of them or none; a short outline whose last step they complete is completed with it."""
        if wanted := list(statements):
            with self._graph.transaction():
                for statement in wanted:
                    self.settle(statement)
                said = {statement.plan for statement in wanted if statement.status is not None}
                for outline in dict.fromkeys(self.part(name).within for name in said):
                    if outline and outline not in said and self._is_done(outline):
                        self.complete(outline)

    # --- looking -----------------------------------------------------------------------------------------------------

    def part(self, id: str) -> PlanPart:
        """A part by id; UnknownId when there is none."""
        return self._part(self._node(id))

    def parts(self, kind: PlanKind | None = None, *, status: PlanStatus | None = None) -> list[PlanPart]:
        """All parts, or those of a kind and state, in the order in which they were planned."""
        nodes = self._graph.nodes(
            kind=None if kind is None else _LABELS[kind], where=None if status is None else {"status": status}
        )
        parents = {edge.end: edge.start for edge in self._graph.edges(kind=_CONTAINS)}
        storylines = {node.id: str(node.properties.get("storyline", "")) for node in self._outlines()}
        return [_part(node, parents.get(node.id, ""), storylines) for node in nodes if node.kind in _KINDS]

    def ordered(self) -> list[PlanPart]:
        """All parts: the outlines as they were planned, then the steps of each in their order."""
        parts = self.parts()
        steps = [step for part in parts if part.kind == "short_outline" for step in self.inside(part.id)]
        return [*(part for part in parts if part.kind != "step"), *steps]

    def inside(self, id: str) -> list[PlanPart]:
        """What a part contains, steps in their order."""
        node = self._node(id)
        steps = self._steps(node.id)
        if steps:
            return [self._part(each) for each in steps]
        return [self._part(each) for _, each in self._graph.neighbours(id, kinds=(_CONTAINS,), direction="out")]

    def upcoming(self) -> list[PlanPart]:
        """The steps that have not begun, of outlines in progress first."""
        begun = sorted(self.parts("short_outline"), key=lambda part: part.status != "InProgress")
        steps = {step.id: step for step in self.parts("step", status="Pending")}
        return [steps[name] for name in self._in_order(part.id for part in begun) if name in steps]

    def positions(self) -> tuple[StorylinePosition, ...]:
        """Where each storyline stands."""
        found: dict[str, list[PlanPart]] = {}
        for node in self._outlines():
            part = _part(node, "", {node.id: str(node.properties.get("storyline", ""))})
            found.setdefault(part.storyline, []).append(part)
        return tuple(self._position(storyline, outlines) for storyline, outlines in found.items())

    # --- inside ------------------------------------------------------------------------------------------------------

    def _position(self, storyline: str, outlines: list[PlanPart]) -> StorylinePosition:
        by_state = {state: [part for part in outlines if part.status == state] for state in _MAY_BECOME}
        last_done = by_state["Completed"][-1:]
        now = (by_state["InProgress"] or by_state["Pending"][:1] or last_done)[0]
        steps = [_part(node, now.id, {now.id: storyline}) for node in self._steps(now.id)]
        current = next((step for step in steps if step.status == "InProgress"), None)
        pending = [step for step in steps if step.status == "Pending"]
        if current is None and (last_done or len(pending) < len(steps)):
            current, pending = next(iter(pending), None), pending[1:]  # what was completed leads on to it
        following = next(iter(pending), None)
        return StorylinePosition(
            storyline,
            now.id,
            now.title,
            current.id if current else "",
            current.title if current else "",
            following.id if following else "",
            following.title if following else "",
            completed=sum(step.status == "Completed" for step in steps),
            steps=len(steps),
        )

    def _is_done(self, outline: str) -> bool:
        """Whether a short outline in progress has steps, and all of them are completed."""
        part, steps = self.part(outline), self._steps(outline)
        done = bool(steps) and all(step.properties.get("status") == "Completed" for step in steps)
        return part.kind == "short_outline" and part.status == "InProgress" and done

    def _bring_to(self, id: str, wanted: PlanStatus) -> None:
        """Take a part to a state over those in between."""
        now = self.part(id).status
        if now == wanted:
            return
        if wanted == "Pending":
            if now == "Completed":
                self.reopen(id)
            self.put_off(id)
            return
        if now != "InProgress":
            self.start(id) if now == "Pending" else self.reopen(id)
        if wanted == "Completed":
            self.complete(id)

    def _become(self, part: PlanPart, status: PlanStatus) -> None:
        if status not in _MAY_BECOME[part.status]:
            allowed = " or ".join(_MAY_BECOME[part.status])
            raise InvalidInput(f"{part.title!r:.80} is {part.status} and can become {allowed}, not {status}.")
        self._graph.put(nodes=[_with(self._node(part.id), {"status": status})])

    def _with_parents(self, id: str) -> Iterator[PlanPart]:
        part: PlanPart | None = self.part(id)
        while part is not None:
            yield part
            part = self.part(part.within) if part.within else None

    def _parent(self, kind: PlanKind, within: str) -> PlanPart | None:
        wanted = _INSIDE[kind]
        if not wanted:
            return None
        if within:
            parent = self.part(within)
        else:
            there = self.parts(wanted[0])
            if not there:
                raise InvalidInput(f"a {kind} belongs into a {wanted[0]}; plan that first, or name one with within=.")
            parent = there[-1]
        if parent.kind not in wanted:
            raise InvalidInput(f"a {kind} belongs into a {wanted[0]}; {parent.id!r:.80} is a {parent.kind}.")
        return parent

    def _steps(self, outline: str) -> list[GraphNode]:
        found: list[GraphNode] = []
        following = self._graph.neighbours(outline, kinds=(_FIRST,), direction="out")
        while following:
            found.append(following[0][1])
            following = self._graph.neighbours(found[-1].id, kinds=(_NEXT,), direction="out")
        return found

    def _in_order(self, outlines: Iterable[str]) -> Iterator[str]:
        """The ids of the steps of several outlines, with two looks at the graph for all of them."""
        first = {edge.start: edge.end for edge in self._graph.edges(kind=_FIRST)}
        following = {edge.start: edge.end for edge in self._graph.edges(kind=_NEXT)}
        for outline in outlines:
            step = first.get(outline)
            while step is not None:
                yield step
                step = following.get(step)

    def _enqueue(self, outline: PlanPart, step: str, after: str) -> None:
        steps = [node.id for node in self._steps(outline.id)]
        if after and after not in steps:
            raise InvalidInput(f"{after!r:.80} is no step of {outline.title!r:.80}.")
        if not steps:
            self._graph.put(edges=[GraphEdge(f"{outline.id}|first", _FIRST, outline.id, step)])
            return
        place = after or steps[-1]
        following = self._graph.neighbours(place, kinds=(_NEXT,), direction="out")
        self._graph.put(edges=[GraphEdge(f"{place}|next", _NEXT, place, step)])
        if following:
            self._graph.put(edges=[GraphEdge(f"{step}|next", _NEXT, step, following[0][1].id)])

    def _part(self, node: GraphNode) -> PlanPart:
        parents = self._graph.neighbours(node.id, kinds=(_CONTAINS,), direction="in")
        parent = parents[0][1] if parents else None
        around = [node] if parent is None else [node, parent]
        storylines = {each.id: str(each.properties.get("storyline", "")) for each in around}
        return _part(node, parent.id if parent else "", storylines)

    def _outlines(self) -> list[GraphNode]:
        return self._graph.nodes(kind=_LABELS["short_outline"])

    def _node(self, id: str) -> GraphNode:
        if not isinstance(id, str):
            raise InvalidParameter(f"the id of a part of the plan is text, not {type(id).__name__}.")
        node = self._graph.node(id)
        if node is None or node.kind not in _KINDS:
            near = [
                each.id for each in self._graph.nodes() if id.casefold() in str(each.properties.get("name")).casefold()
            ]
            raise UnknownId("part of the plan", id, near=near[:3])
        return node

    def _next_id(self, kind: PlanKind) -> str:
        number = len(self._graph.nodes(kind=_LABELS[kind])) + 1
        while self._graph.node(f"{kind.replace('_', '-')}-{number}") is not None:
            number += 1
        return f"{kind.replace('_', '-')}-{number}"


def _with(node: GraphNode, fields: dict[str, Any]) -> GraphNode:
    return replace(node, properties={**node.properties, **fields})


def _part(node: GraphNode, within: str, storylines: Mapping[str, str]) -> PlanPart:
    """A part; a step has the storyline of its outline."""
    fields: Any = node.properties
    storyline = storylines.get(node.id) or storylines.get(within, "")
    text = str(fields.get("text", ""))
    return PlanPart(node.id, _KINDS[node.kind], str(fields["name"]), fields["status"], text, within, storyline)
