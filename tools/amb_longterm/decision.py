"""What becomes of a new text among the records there are: a record of its own, nothing, or the new state of another.

Only what says the same, word for word, is joined. What somebody changed is told by a judge, or by the caller: as a
strategy, a topic or an update. Everything else is added, and shown together with what is near, the newest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from amb_core.agent_io import Verdict
from amb_core.text import estimate_tokens, find_quote, sentences
from amb_longterm.calls import Call
from amb_longterm.memory_records import Disagreement, MemoryRecord, MergeStrategy, Provenance, WriteStatus, day_of
from amb_longterm.sameness import content_terms, other_values, same

__all__ = [
    "MOST_JUDGED",
    "Asked",
    "Candidate",
    "Decision",
    "Summarizer",
    "decide",
    "joined",
    "replaced",
    "revised",
    "superseding",
]

Summarizer: TypeAlias = Callable[[str, str], str] | None
"""How a model joins an old and a new text ("" where it fails); None leaves it to the program."""

Asked: TypeAlias = Callable[[MemoryRecord, Sequence[MemoryRecord]], Sequence[Verdict]] | None
"""How a judge sees a new record beside earlier ones, a verdict for each; None where there is no judge."""

MOST_JUDGED, _JUDGED_TOKENS, _FRAME = 64, 1_200, 16
"""A judge is shown so many of the newest records beside those that are alike, in so many tokens with their frames."""
_MERGED = frozenset({"score", "ttl", "strategy"})
"""Metadata of which the newer word, or the higher one, is kept; all others are labels that a record is found by."""
_MOST_ORIGINS = 20
"""How many places of origin a record names, the newest."""
_NEAR = 0.5
"""From which likeness on a record is near a text."""
_EARLIER = 1_000
"""Characters of an earlier version that a record is also found by, and of a wording that it keeps."""
_MOST_WORDINGS = 4
"""So many other wordings a record keeps; what is called the same then is a record of its own."""
_MOST_LINES, _MOST_CHARS = 200, 20_000
"""What appending leaves of a text, its newest lines."""
_DATE = re.compile(r"^\[[^\]\n]{1,40}\] ", re.MULTILINE)


class Candidate(NamedTuple):
    """A record that may speak of the same; `likeness` in [0, 1] as the index has it."""

    record: MemoryRecord
    likeness: float


class Decision(NamedTuple):
    """The record that now holds the text, as it is to be stored, and how it came to."""

    status: WriteStatus
    record: MemoryRecord


def decide(
    new: MemoryRecord, candidates: Sequence[Candidate], *, summarize: Summarizer = None, ask: Asked = None
) -> Decision:
    """Skip what was said before, obey an explicit strategy, else do what a judge says, and else insert.

    Only records of the same type are looked at, the most alike first. A strategy in the new record's metadata is the
    caller's word: it joins the text to the record of the same `topic`, or without a topic to the nearest one. Where
    words alone do not tell, a judge is asked.
    """
    for old, _ in candidates:
        if old.id == new.id:
            return _keyed(old, new) if new.key else Decision("skipped", _confirm(old, new))
    if new.key:  # a record of the caller's own: no other one is joined to it
        return Decision("inserted", new)
    known = [each for each in candidates if each.record.type == new.type and not each.record.key]
    for old, _ in known:
        if _one_topic(new, old) and same(new.content, old.content) and _agree(old, new):
            return Decision("skipped", _confirm(old, new))
    if "strategy" in new.metadata and (target := _target(new, known)) is not None:
        return _join(target, new, summarize)
    near = [each.record for each in known if _is_near(new, each)]
    comparable = _readable([each for each in known if _one_topic(new, each.record)])
    judged = list(zip(comparable, ask(new, comparable), strict=True)) if ask and comparable else []
    return _as_judged(new, judged) or Decision("inserted", _beside(_told_otherwise(new, judged), near))


def superseding(new: MemoryRecord, replaced: Sequence[MemoryRecord]) -> MemoryRecord:
    """A new record in the place of others, oldest first: what they said is what it said before."""
    said = [each for old in reversed(replaced) for each in (old.content, old.earlier) if each]
    return new.model_copy(update={"earlier": "\n".join(dict.fromkeys(said))[:_EARLIER]})


def _keyed(old: MemoryRecord, new: MemoryRecord) -> Decision:
    """A newer state of a record of the caller's own; what its labels said stays where they are not given anew."""
    if new.content == old.content and _agree(old, new):
        return Decision("skipped", _confirm(old, new))
    return Decision("updated", _renew(old, new, new.content).model_copy(update={"disagreements": ()}))


def _agree(old: MemoryRecord, new: MemoryRecord) -> bool:
    """Whether a record can take in the labels of another without losing one that it is found by."""
    both = (old.metadata.keys() & new.metadata.keys()) - _MERGED
    return all(old.metadata[name] == new.metadata[name] for name in both)


def _readable(candidates: Sequence[Candidate]) -> list[MemoryRecord]:
    """The records that are alike, and of those that may be told in other words as many as a judge is to read."""
    shown, left = list[MemoryRecord](), _JUDGED_TOKENS
    for record, likeness in candidates:
        left -= 0 if likeness else estimate_tokens(record.content) + _FRAME
        if left >= 0 or likeness:
            shown.append(record)
    return shown


def _as_judged(new: MemoryRecord, judged: Sequence[tuple[MemoryRecord, Verdict]]) -> Decision | None:
    """The record that says the same, or the one that the new text changes, with all it says of other things.

    A judge is not heard that calls texts the same which share no word of content. What it calls the same is kept as
    another wording, so nothing is lost to one that is wrong.
    """
    terms = content_terms(new.content)
    same_as = [
        old
        for old, verdict in judged
        if verdict.relation == "same" and terms & content_terms(old.content) and _agree(old, new)
    ]
    if (confirmed := next(filter(None, (_reworded(old, new) for old in same_as)), None)) is not None:
        return Decision("skipped", confirmed)
    over = [(old, verdict.quote_earlier) for old, verdict in judged if verdict.relation == "changed"]
    if not over:
        return None
    changed, quote = over[0]
    text = replaced(changed.content, new.content, over=lambda _, sentence: find_quote(quote, sentence))
    return Decision("updated", _beside(_renew(changed, new, text), [other for other, _ in over[1:]]))


def _reworded(old: MemoryRecord, new: MemoryRecord) -> MemoryRecord | None:
    """The old record with another wording of it; None where it has its fill, or the wording is too long to keep."""
    confirmed = _confirm(old, new)
    if any(same(new.content, said) for said in old.wordings):
        return confirmed
    if len(old.wordings) >= _MOST_WORDINGS or len(new.content) > _EARLIER:
        return None
    return confirmed.model_copy(update={"wordings": (*old.wordings, new.content)})


def _told_otherwise(new: MemoryRecord, judged: Sequence[tuple[MemoryRecord, Verdict]]) -> MemoryRecord:
    """The new record, with what it is in conflict with; in the group of that."""
    conflicts = [(old, verdict) for old, verdict in judged if verdict.relation == "conflict"]
    told = [
        Disagreement(subject=verdict.attribute, values=(verdict.quote_earlier, verdict.quote_later), at=new.created_at)
        for _, verdict in conflicts
    ]
    return _beside(new.model_copy(update={"disagreements": tuple(told)}), [old for old, _ in conflicts])


def revised(record: MemoryRecord, call: Call, *, expires_at: float | None, summarize: Summarizer) -> MemoryRecord:
    """A record as an `update` wants it: with `merge` its strategy joins the texts and the metadata are added to.

    Without it, and with `replace`, the text is as given, and what the record was told two things about is settled.
    """
    changed = record
    if call.metadata is not None:
        metadata = {**record.metadata, **call.metadata} if call.merge else call.metadata
        changed = changed.model_copy(update={"metadata": metadata, "expires_at": expires_at})
    if call.content is not None:
        settled = {"content": call.content, "disagreements": (), "wordings": (), "valid_from": call.at}
        is_joint = call.merge and changed.strategy is not MergeStrategy.REPLACE
        said = _joint(changed, call.content, at=call.at, summarize=summarize) if is_joint else settled
        changed = changed.model_copy(update={**said, "embedding": None})
    return changed.model_copy(update={"updated_at": max(record.updated_at, call.at), "revision": record.revision + 1})


def _join(old: MemoryRecord, new: MemoryRecord, summarize: Summarizer) -> Decision:
    """The old record with the new text joined to it by the new one's strategy."""
    confirmed = _confirm(old, new)
    if confirmed.strategy is MergeStrategy.REPLACE:
        return Decision("updated", _renew(old, new, replaced(old.content, new.content, over=other_values)))
    said = _joint(confirmed, new.content, at=new.created_at, summarize=summarize)
    changed = confirmed.model_copy(update={**said, "revision": old.revision + 1, "embedding": None})
    return Decision("merged" if changed.disagreements == old.disagreements else "conflict", changed)


def _joint(old: MemoryRecord, new: str, *, at: float, summarize: Summarizer) -> dict[str, Any]:
    """What a record says with a new text by its strategy; of two values in the same words both are on record."""
    when = day_of(at)
    text = joined(old.strategy, old.content, new, when=when, summarize=summarize)
    found = (other_values(new, sentence) for sentence in sentences(undated(old.content)))
    pair = next((pair for pair in found if pair is not None), None)
    if pair is None:
        return {"content": text, "valid_from": old.valid_from if text == old.content else at}
    told = (*old.disagreements, Disagreement(subject="", values=(pair[1], pair[0]), at=at))
    return {"content": text, "disagreements": told, "earlier": old.content[:_EARLIER], "valid_from": at}


def _renew(old: MemoryRecord, new: MemoryRecord, text: str) -> MemoryRecord:
    """The old record with what is so now; what it said before stays in its history, and it can be found by it."""
    changed = {
        "content": text or new.content,
        "earlier": old.content[:_EARLIER],
        "wordings": (),
        "valid_from": new.created_at,
        "revision": old.revision + 1,
        "embedding": None,
    }
    return _confirm(old, new).model_copy(update=changed)


def _confirm(old: MemoryRecord, new: MemoryRecord) -> MemoryRecord:
    """The old record, seen once more: its time is renewed, and it knows where it was seen."""
    metadata = {**old.metadata, **new.metadata}
    if "score" in metadata:
        metadata["score"] = max(each.importance for each in (old, new) if "score" in each.metadata)
    origins = (*old.provenance, *(each for each in new.provenance if each not in old.provenance))
    if any(each.by_entry for each in origins) and not (old.provenance and new.provenance):
        origins = (*origins, Provenance())  # it was also written directly, so it outlives what it was promoted from
    changed = {
        "metadata": metadata,
        "updated_at": max(old.updated_at, new.created_at),
        "expires_at": new.expires_at,
        "provenance": origins[-_MOST_ORIGINS:],
    }
    return old.model_copy(update=changed)


def _beside(record: MemoryRecord, near: Sequence[MemoryRecord]) -> MemoryRecord:
    """The record in the group of the first of those near it, named after the first record of that group."""
    return record.model_copy(update={"group": near[0].group or near[0].id}) if near and not record.group else record


def _one_topic(new: MemoryRecord, old: MemoryRecord) -> bool:
    """Whether two records may speak of one thing: not where the caller gave each a topic of its own."""
    return not new.topic or not old.topic or new.topic == old.topic


def _target(new: MemoryRecord, known: Sequence[Candidate]) -> MemoryRecord | None:
    """The record that an explicit strategy means."""
    if not new.topic:
        return next((each.record for each in known if each.likeness >= _NEAR), None)
    of_topic = (each.record for each in known if each.record.topic == new.topic)
    return max(of_topic, key=lambda record: record.updated_at, default=None)


def _is_near(new: MemoryRecord, each: Candidate) -> bool:
    """Whether a record is about what a new one is."""
    if new.topic and each.record.topic:
        return new.topic == each.record.topic
    return each.likeness >= _NEAR


def joined(
    strategy: MergeStrategy, old: str, new: str, *, when: str, summarize: Callable[[str, str], str] | None = None
) -> str:
    """The next content of a record that says `old` and is told `new`, by `append` or `summarize`.

    `when` is the date put before what is appended. Where `summarize(old, new)` is not given or gives "", a summary is
    the sentences of both without repeats, and of two that give other values only the newer.
    """
    if same(old, new):
        return old
    if strategy is MergeStrategy.APPEND:
        return _append(old, new, when)
    return (summarize(old, new) if summarize else "") or _summarize(old, new)


def replaced(old: str, new: str, *, over: Callable[[str, str], object]) -> str:
    """The new text with the sentences of the old one that are not `over` (new, sentence); "" where none is over."""
    before = sentences(undated(old))
    kept = [sentence for sentence in before if not over(new, sentence)]
    return "" if len(kept) == len(before) else _run([*kept, new])


def undated(text: str) -> str:
    """What a record was told, without the dates of its lines."""
    return _DATE.sub("", text)


def _append(old: str, new: str, when: str) -> str:
    """The old lines, then those of the new text that are not there yet; the oldest go when there are too many."""
    lines = old.rstrip().splitlines()
    known = set(map(_bare, lines))
    fresh = [line for line in new.strip().splitlines() if _bare(line) not in known]
    if not any(map(str.strip, fresh)):
        return old
    lines = [*lines, f"[{when}] {fresh[0]}", *fresh[1:]][-max(_MOST_LINES, len(fresh)) :]
    while sum(map(len, lines)) + len(lines) > _MOST_CHARS and len(lines) > len(fresh):
        del lines[0]
    return "\n".join(lines)


def _bare(line: str) -> str:
    return " ".join(undated(line).split()).casefold()


def _summarize(old: str, new: str) -> str:
    kept = sentences(old)
    for said in sentences(new):
        corrected = next((at for at, before in enumerate(kept) if other_values(said, before)), None)
        if corrected is not None:
            kept[corrected] = said
        elif not any(same(said, before) for before in kept):
            kept.append(said)
    return _run(kept)


def _run(parts: list[str]) -> str:
    """The sentences as one text: no space after a Chinese stop, a line of its own for what ends without one."""
    ends = {**dict.fromkeys("。！？；）", ""), **dict.fromkeys(".!?)", " ")}
    return "".join(part + ends.get(part[-1:], "\n") for part in parts).strip()
