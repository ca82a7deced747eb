"""What the text before an agent says: statements, searches that were made, and what a memory suggests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from amb_team.actions import argument_of, normalised, verb_of
from amb_values import name_key, sentences

__all__ = ["Guess", "Shown", "Way", "read_shown"]

_SEARCH = re.compile(r"(?:Search|search)\[([^\]\n]+)\]")
_SIMILAR = re.compile(r"Similar: \[(.*)\]")
_TITLE = re.compile(r"'([^']*(?:'(?!,|$)[^']*)*)'|\"([^\"]+)\"")
_SEARCHED = re.compile(r"^(?:Already searched, do not repeat: |已检索过，勿重复：|Found nothing: |无结果：)(.+)$")
_WHOLE = {normalised("the whole question"), normalised("整个问题")}
_PLAN = re.compile(r"^(?:- )?(?:to ask next: |下一步查询：)(.+)$", re.IGNORECASE)
_ANSWER = re.compile(r"^(?:Answer so far: |目前的答案：)(.+)$")
_WRONG = re.compile(r"^(?:Did not hold before: |以往不成立的答案：)(.+)$")
_ONE_ANSWER = re.compile(r"(?:^|; )([^;]+?)(?: \(([\d.]+), from |（([\d.]+)，来自 )")
_GUESS = re.compile(r"^- (?:may be the answer \(([\d.]+)\): |可能的答案（([\d.]+)）：|(?:holds: |已证实：))(.+)$")
_GROUNDS = re.compile(r" [＋－⚠] .*$")
_WORKED = re.compile(r"^- (?:worked: |成功：)(.+?) → (.+)$")
_SAID = re.compile(r"^- (?:(?:seen: |见到：)?)(.+)$")
_NO_STATEMENTS = re.compile(
    r"^(?:- caution: |- 注意：|[<\[]|Question: |问题：|State: |状态：|(?:Search|Lookup|Finish)\["
    r"|(?:Observation: )?(?:Could not find|No more results|Invalid action|No page))"
)
_GIST = re.compile(r"^(?:Search|Lookup)\[([^\]\n]+)\] → (.+)$")
"""What a team-mate's action brought, in one line."""
_ACTED = re.compile(r"^- (?:Search|Lookup)\[")


@dataclass(frozen=True, slots=True)
class Guess:
    """A candidate answer that the text names, with how sure it says it is."""

    answer: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Way:
    """An earlier task that went well, and the searches it took."""

    task: str
    searches: tuple[str, ...]


@dataclass(slots=True)
class Shown:
    """A text as an agent reads it; `done` are searches in normal form, the rest is as it stands there.

    `pages` are the sentences of whole observations by what was searched for, `titles` the searches, `refuted` answers
    that did not hold, folded.
    """

    statements: list[str] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    similar: list[str] = field(default_factory=list)
    plans: list[str] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    refuted: set[str] = field(default_factory=set)
    ways: list[Way] = field(default_factory=list)
    pages: dict[str, list[str]] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)


def read_shown(text: str, *, question: str = "") -> Shown:
    """Read a transcript or a block of team memory, or both, that was shown for a question."""
    shown = Shown()
    title = ""
    for line in text.splitlines():
        if line.startswith("Observation: "):
            _read_page(line, title, shown)
        title = argument_of(line) if verb_of(line) in ("search", "lookup") else title
        way = _WORKED.match(line)
        if way:
            shown.ways.append(Way(way[1], tuple(_SEARCH.findall(way[2]))))
        elif not line.startswith(("- failed: ", "- 失败：", "- learnt", "- 经验", "- a way that", "- 有效做法")):
            _read_line(line, shown)
    shown.statements = list(dict.fromkeys(shown.statements))
    if shown.done & _WHOLE:
        shown.done.add(normalised(question))
    return shown


def _read_line(line: str, shown: Shown) -> None:
    made = _SEARCH.findall(line)
    shown.done |= {normalised(query) for query in made}
    shown.titles += made
    if gist := _GIST.match(line):
        told = [each.strip() for each in sentences(gist[2]) if each.strip()]
        shown.statements += told
        shown.pages.setdefault(gist[1], []).extend(told)
        return
    searched, plan, guess = _SEARCHED.match(line), _PLAN.match(line), _GUESS.match(line)
    shown.similar += [title for title in _titles(line) if title not in shown.similar]
    if searched:
        shown.done |= {normalised(query) for query in searched[1].split("; ")}
        shown.titles += searched[1].split("; ")
    elif plan:
        shown.plans += [query.partition(" → ")[0] for query in plan[1].split("; ")]
    elif answers := _ANSWER.match(line):
        found = _ONE_ANSWER.findall(answers[1])
        shown.guesses += [Guess(answer, float(english or chinese)) for answer, english, chinese in found]
    elif wrong := _WRONG.match(line):
        shown.refuted |= set(map(name_key, wrong[1].split("; ")))
    elif guess:
        shown.guesses.append(Guess(_GROUNDS.sub("", guess[3]).strip(), float(guess[1] or guess[2] or 1.0)))
    elif not _NO_STATEMENTS.match(line) and not _ACTED.match(line) and not line.endswith((":", "：")):
        said = _SAID.match(line)
        statement = (said[1] if said else line.removeprefix("Observation: ")).strip()
        shown.statements += [each.strip() for each in sentences(statement) if each.strip()]


def _read_page(line: str, title: str, shown: Shown) -> None:
    if title and not _NO_STATEMENTS.match(line):
        told = [each.strip() for each in sentences(line.removeprefix("Observation: ")) if each.strip()]
        shown.pages.setdefault(title, []).extend(told)


def _titles(line: str) -> Iterator[str]:
    found = _SIMILAR.search(line)
    for match in _TITLE.finditer(found[1] if found else ""):
        yield match[1] or match[2]
