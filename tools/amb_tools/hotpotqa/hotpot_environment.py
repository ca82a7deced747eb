"""HotpotQA as ReAct plays it: Search[name], Lookup[word], Finish[answer] over passages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from amb_core.protocols import Query
from amb_retrieval import HybridIndex, IndexedText
from amb_team.actions import normalised
from amb_tools.hotpotqa.hotpot_questions import HotpotQuestion, Passages, exact_match, f1_score, supporting_recall

__all__ = ["Environment", "PassageSearch", "Stepped"]

_SPECIFIER = re.compile(r"\s*[(（][^)）]*[)）]\s*$")
_SIMILAR = 5


class PassageSearch:
    """An index over passages; `page` finds one by its title, `similar` ranks titles."""

    def __init__(self, passages: Passages) -> None:
        self.passages = passages
        self._titles: dict[str, list[str]] = {}
        self._index = HybridIndex()
        for title, told in passages.items():
            self._index.put(IndexedText.of(title, text=f"{title}\n{' '.join(told)}"))
            for name in {_key(title), _key(_SPECIFIER.sub("", title))}:
                self._titles.setdefault(name, []).append(title)

    def page(self, name: str) -> str | None:
        """The title of the page of that name: the very title, or the only one that differs in what is in brackets."""
        if name in self.passages:
            return name
        found = self._titles.get(_key(name), [])
        whole = [title for title in found if _key(title) == _key(name)]
        return whole[0] if whole else found[0] if len(found) == 1 else None

    def similar(self, words: str) -> list[str]:
        """Titles of the pages that are most like the words, best first."""
        if not words.strip():
            return []
        return [hit.id for hit in self._index.search(Query(text=words, k=_SIMILAR))]


def _key(title: str) -> str:
    return " ".join(title.replace("_", " ").casefold().split())


_ACTION = re.compile(r"^\s*(search|lookup|finish)\s*\[(.*)\]\s*$", re.IGNORECASE | re.DOTALL)
_FIRST = 5
"""Sentences of a page that Search shows."""
_INVALID = "Invalid action. Valid actions are Lookup[<topic>] Search[<topic>] and Finish[<answer>]."


@dataclass(frozen=True, slots=True)
class Stepped:
    """What an action brought; `reward` is 1 for a right Finish, `found` whether the page or word was there."""

    observation: str
    reward: int = 0
    done: bool = False
    found: bool = True
    page: str | None = None


@dataclass(slots=True)
class _Lookup:
    word: str = ""
    hits: list[int] = field(default_factory=list)
    place: int = 0


class Environment:
    """One question; it alone knows the gold answer. Counts what was searched and which sentences were shown."""

    def __init__(self, question: HotpotQuestion, search: PassageSearch) -> None:
        self.question = question
        self._search = search
        self._page: str | None = None
        self._lookup = _Lookup()
        self._asked: set[str] = set()
        self.answer: str | None = None
        self.searches = 0
        self.repeated = 0
        """Searches made before, in these words or the same in another order or case."""
        self.read: set[tuple[str, int]] = set()

    def step(self, action: str) -> Stepped:
        """Do one action; anything else than the three is answered by a line that names them."""
        found = _ACTION.match(action)
        if found is None:
            return Stepped(_INVALID, found=False)
        verb, about = found.group(1).casefold(), found.group(2).strip()
        if verb == "search":
            return self._searched(about)
        return self._looked_up(about) if verb == "lookup" else self._finished(about)

    @property
    def em(self) -> float:
        """1 when the answer given is the gold one; 0 without one."""
        return float(self.answer is not None and exact_match(self.answer, self.question.answer))

    @property
    def f1(self) -> float:
        """F1 of the answer given; 0 without one."""
        return 0.0 if self.answer is None else f1_score(self.answer, self.question.answer)

    @property
    def support(self) -> float:
        """The share of supporting sentences that searches and look-ups have shown."""
        return supporting_recall(self.read, self.question.supporting)

    def _searched(self, about: str) -> Stepped:
        words = normalised(about)
        self.searches += 1
        self.repeated += words in self._asked
        self._asked.add(words)
        title = self._search.page(about)
        if title is None:
            similar = ", ".join(repr(each) for each in self._search.similar(about))
            return Stepped(f"Could not find [{about}]. Similar: [{similar}].", found=False)
        self._page, self._lookup = title, _Lookup()
        told = self._search.passages[title][:_FIRST]
        self.read |= {(title, number) for number in range(len(told))}
        return Stepped(" ".join(each for each in told if each), page=title)

    def _looked_up(self, about: str) -> Stepped:
        if self._page is None:
            return Stepped("No page to look in; search for one first.", found=False)
        told = self._search.passages[self._page]
        if about.casefold() != self._lookup.word:
            hits = [number for number, each in enumerate(told) if about.casefold() in each.casefold()]
            self._lookup = _Lookup(about.casefold(), hits)
        if self._lookup.place >= len(self._lookup.hits):
            return Stepped("No more results.", found=False, page=self._page)
        number = self._lookup.hits[self._lookup.place]
        self._lookup.place += 1
        self.read.add((self._page, number))
        told_place = f"(Result {self._lookup.place} / {len(self._lookup.hits)})"
        return Stepped(f"{told_place} {told[number]}", page=self._page)

    def _finished(self, about: str) -> Stepped:
        self.answer = about
        right = exact_match(about, self.question.answer)
        return Stepped(f"Episode finished, reward = {int(right)}", reward=int(right), done=True)
