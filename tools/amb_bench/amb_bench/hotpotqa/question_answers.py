"""The answer to a question from what an agent was shown, without a model: each page read as the last hop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from amb_bench.hotpotqa.rules import answer_of_page, choices, question_type
from amb_bench.hotpotqa.shown import Guess, Shown
from amb_core.text import about, detect_language, index_tokens, name_key
from amb_team.actions import bare_name

__all__ = ["answered", "overlap", "pages_of"]

_MOST_HOPS, _DEEPER = 3, 0.04
"""How much surer an answer is with every page that leads to it."""
_MOST_PAGES = 8
"""Pages an answer is read from, those nearest to the question."""


def overlap(question: str, text: str) -> float:
    """The share of the question's terms that a text has."""
    wanted = set(index_tokens(question))
    return len(wanted & set(index_tokens(text))) / (len(wanted) or 1)


def answered(question: str, shown: Shown) -> Guess:
    """The surest of what memory names and what the pages themselves say; "" when there is nothing to go by."""
    asked = name_key(question)
    closed = question_type(question) in ("choice", "yes-no")
    told = [guess for guess in shown.guesses if closed or name_key(guess.answer) not in asked]
    found = sorted((*told, *_read(question, pages_of(shown))), key=lambda guess: -guess.confidence)
    return found[0] if found else Guess(_by_default(question), 0.0)


def pages_of(shown: Shown) -> Mapping[str, str]:
    """What is shown as texts by their page: those of a transcript, and statements of a block by what they are about."""
    pages: dict[str, list[str]] = {title: list(told) for title, told in shown.pages.items()}
    known = {statement for page in pages.values() for statement in page}
    titles = list(dict.fromkeys((*shown.titles, *pages)))
    title = ""
    for statement in shown.statements:
        title, told = _page_of(statement, titles, last=title)
        if told not in known:
            pages.setdefault(title, []).append(told)
    return {title: " ".join(page) for title, page in pages.items()}


def _page_of(statement: str, titles: Sequence[str], *, last: str) -> tuple[str, str]:
    """The page a statement is from, and the statement without its name before it."""
    for title in titles:
        for colon in (": ", "："):
            if statement.startswith(title + colon):
                return title, statement[len(title) + len(colon) :]
    key = name_key(statement)
    subject = next(iter(about(statement)), "")
    places = [(key.find(name), title) for title in titles if (name := name_key(title)) and name in key]
    if places:
        return min(places)[1], statement
    return subject or last, statement


def _read(question: str, pages: Mapping[str, str]) -> Iterator[Guess]:
    """What each page answers, when the others are known already."""
    near = sorted(pages, key=lambda title: -overlap(question, f"{title} {pages[title]}"))[:_MOST_PAGES]
    depth = _depths(question, {title: pages[title] for title in near})
    for title in near:
        others = tuple(pages[other] for other in near if other != title)
        answer, sure = answer_of_page(question, title, pages[title], known=others)
        if answer:
            yield Guess(answer, min(sure + _DEEPER * depth[title], 1.0))


def _depths(question: str, pages: Mapping[str, str]) -> Mapping[str, int]:
    """How many pages lead to each: 0 for those that the question names, 1 for those named by these, and so on."""
    asked = name_key(question)
    keys = {title: name_key(bare_name(title)) for title in pages}
    depth = {title: 0 for title, key in keys.items() if key and key in asked}
    for step in range(1, _MOST_HOPS + 1):
        last = " ".join(name_key(pages[title]) for title, at in depth.items() if at == step - 1)
        depth |= {title: step for title, key in keys.items() if key and title not in depth and key in last}
    return {title: depth.get(title, 0) for title in pages}


def _by_default(question: str) -> str:
    """One of two things, or no, where nothing speaks for either."""
    named: Sequence[str] = choices(question)
    if named:
        return named[0]
    if question_type(question) == "yes-no":
        return "否" if detect_language(question) == "zh" else "no"
    return ""
