"""What may answer a question: sentences with its words, records and lines of machine data with its identifiers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from amb_core.memory.call_texts import SHORT_CALL, call_text
from amb_core.memory.moment import Moment
from amb_core.memory.passage_budget import Choice, Shelf
from amb_core.memory.passage_index import PassageIndex
from amb_core.memory.passage_terms import identifiers, index_terms_of, is_question, query_weights
from amb_core.memory.whole_records import is_value, record_around
from amb_core.models import InteractionEntry
from amb_core.reading import Layout
from amb_core.rendering.safe_text import quoted_lines
from amb_core.text import estimate_tokens, index_tokens
from amb_core.text.text_spans import asks, plain_sentences

__all__ = ["answers_first", "asks_only", "is_about_any", "named_first", "question_of", "take_answers", "take_records"]

_QUESTION = 600
"""A text of more characters is no question but a description, whose words are everywhere."""
_PASSAGES, _TERMS = 12, 80
"""So many passages of each bank are looked at, by so many of the rarest words of the question."""
_WHOLE = 80
"""A passage of so many tokens is not cut into sentences."""
_ANY, _LEAD, _COST_POWER = 0.3, 0.25, 0.25
"""What a sentence is worth for its passage alone, what the first one is worth more, and how much its length counts."""
_SMALLEST = 20
"""Tokens below which no further record is worth beginning."""
_RECORDS, _SEVERAL = 8, 24
"""An identifier that so many parts of machine data have asks for none of them, nor for more passages of any kind."""
_SAID, _ASKS = 0.6, 0.25
"""A passage answers what has so much of the weight of its rare words in it; where that is a question, so much."""
_TELLING, _RARE = 4, 3
"""A word of so many letters that so few passages have tells what a question is about, however many others it has."""
_NEAR = 0.5
"""Down to this share of the best match a passage is shown for a question."""
_ANSWER, _MATCH = 3.0, 2.0
"""What a passage is worth more that answers what is asked just now, and the one that matches it best besides."""
_RECEIPT = 300
"""Characters of a result that may only say that its call was made."""
_FAR = np.float32(1_000)
"""What a passage is worth less where only those are wanted that name something."""


def answers_first(shelves: Sequence[Shelf], question: str) -> list[Shelf]:
    """The shelves with what answers a question before all else; as they are where memory has no answer.

    Who asks one thing wants to know that, and not what an agent at work would use next. Who says several things at once
    wants work done.
    """
    if not asks_only(question):
        return list(shelves)
    weights = query_weights(question)
    matches = [np.where(shelf.may, shelf.index.scores(weights, most=_TERMS), np.float32(0)) for shelf in shelves]
    tops = [float(match.max(initial=0.0)) for match in matches]
    best = max(tops)
    first = tops.index(best)
    if best <= 0 or not _is_answered(shelves[first], question, int(np.argmax(matches[first]))):
        return list(shelves)
    return [
        replace(shelf, scores=shelf.scores + np.where(match < _NEAR * best, 0, _ANSWER + _MATCH * match / best))
        for shelf, match in zip(shelves, matches, strict=True)
    ]


def asks_only(text: str) -> bool:
    """Whether a text asks for something and says nothing besides: one sentence, or several questions."""
    said = [text[start:end] for start, end in plain_sentences(text)]
    return len(said) == 1 or (bool(said) and all(map(asks, said)))


def _is_answered(shelf: Shelf, question: str, key: int) -> bool:
    """Whether a passage has enough of the words of a question.

    Of a short question those words count that stand in anything which may be shown; of other words all.
    """
    if is_question(question):
        return _words_share(shelf.index, question, key, among=shelf.may) >= _ASKS
    return _words_share(shelf.index, question, key) >= _SAID


def _words_share(index: PassageIndex, question: str, key: int, *, among: NDArray[np.bool_] | None = None) -> float:
    """How much of what the words of a question weigh, by their rarity, stands in a passage; from 0 to 1.

    Those count that stand in any passage, or in one `among` these, bool of shape [len(index)].
    """
    worth = index.rarest(query_weights(question), most=_TERMS)
    terms, weight = list(worth), np.array(list(worth.values()))
    if among is not None:
        weight = weight * index.lexical.holding(terms, np.flatnonzero(among)).any(axis=1)
    total = float(weight.sum())
    return float(weight @ index.lexical.holding(terms, np.array([key]))[:, 0]) / total if total else 0.0


def is_about_any(shelves: Sequence[Shelf], question: str) -> bool:
    """Whether a passage that may be shown has an identifier or a day of a question, or enough of its words.

    Of the words those count most that no passage has.
    """
    weights = query_weights(question)
    words, exact = [*dict.fromkeys(index_tokens(question))], [term for term in weights if term.startswith("=")]
    for shelf in shelves:
        lexical, shown = shelf.index.lexical, np.flatnonzero(shelf.may)
        if not len(shown):
            continue
        if exact and lexical.holding(exact, shown).any():
            return True
        often = dict(zip(words, lexical.holding(words, shown).sum(axis=1).tolist(), strict=True))
        telling = (word for word in words if len(word) >= _TELLING or not word.isascii())
        if any(0 < often[word] <= _RARE for word in telling):
            return True
        is_read = any(often[word] for word in words if not word.isascii())  # else it asks in another language
        here = [word for word in words if is_read or word.isascii()]
        if not here:
            continue
        worth = lexical.idfs(here)
        unknown = max(worth.values(), default=1.0)
        weight = np.array([worth.get(word, unknown) for word in here])
        scores = shelf.index.scores(dict.fromkeys(here, 1.0), most=_TERMS)[shown]
        best = lexical.holding(here, shown[[int(np.argmax(scores))]])[:, 0]
        if float(weight @ best) >= _ASKS * float(weight.sum()) > 0:
            return True
    return False


def named_first(shelves: Sequence[Shelf], text: str) -> list[Shelf]:
    """The shelves with what has an identifier of a text, which few passages have, far before all else.

    None where nothing that may be shown has one.
    """
    terms = index_terms_of(identifiers(text))
    found: list[Shelf] = []
    is_named = False
    for shelf in shelves:
        has = np.zeros(len(shelf.index), dtype=bool)
        has[[key for term in terms for key in shelf.index.lexical.containing([term], most=_SEVERAL)]] = True
        is_named = is_named or bool((has & shelf.may).any())
        found.append(replace(shelf, scores=np.where(has, shelf.scores, shelf.scores - _FAR)))
    return found if is_named else []


def take_answers(choice: Choice, shelves: Sequence[Shelf], moment: Moment, *, most: int) -> None:
    """Show the sentences, not of JSON, that say most of what was asked, in at most about `most` tokens."""
    asked = question_of(moment)
    if not asked:
        return
    found = sorted((one for shelf in shelves for one in _nearest(shelf, asked)), key=lambda one: -one[0])
    least = choice.left - min(most, choice.left)
    for _, shelf, key, span in _best_sentences(found, asked):
        text = shelf.index.place(key).text[slice(*span)]
        tokens = estimate_tokens("\n".join(quoted_lines(text))) + 1
        cost = tokens + choice.head_cost(shelf, key)
        if cost <= choice.left - least and text not in choice.request:
            choice.quote(shelf, key, span, tokens=tokens)


def _best_sentences(
    found: Sequence[tuple[float, Shelf, int]], asked: str
) -> list[tuple[float, Shelf, int, tuple[int, int]]]:
    """The sentences of passages with words of a question, the best first: what each is worth, and where it stands.

    Worth is the share of the words that a sentence has, rare ones counting more, and how well its passage matches; the
    first sentence of a passage says what the others are about. What came before is not said again.
    """
    pieces = [(one, span) for one in found for span in _sentences_in(one[1].index.text(one[2]))]
    texts = [shelf.index.text(key)[slice(*span)] for (_, shelf, key), span in pieces]
    wanted = set(index_tokens(asked))
    held = [wanted.intersection(index_tokens(text)) for text in texts]
    often = Counter(word for words in held for word in words)
    rarity = {word: math.log(1 + len(pieces) / count) for word, count in often.items()}
    whole = sum(rarity.values()) or 1.0
    best: dict[str, tuple[float, Shelf, int, tuple[int, int]]] = {}
    rank = {id(one): at for at, one in enumerate(found)}
    for (one, (start, end)), text, words in zip(pieces, texts, held, strict=True):
        score, shelf, key = one
        worth = _ANY + sum(map(rarity.__getitem__, words)) / whole + (_LEAD if start == 0 else 0.0)
        worth *= (score + 1 / (1 + rank[id(one)])) / max(estimate_tokens(text), 1) ** _COST_POWER
        begin = shelf.index.passage(key).start
        if words:
            best.setdefault(" ".join(text.split()), (worth, shelf, key, (begin + start, begin + end)))
    return sorted(best.values(), key=lambda one: -one[0])


def _sentences_in(text: str) -> list[tuple[int, int]]:
    """The sentences of a passage; a short one is one piece."""
    spans = plain_sentences(text)
    return [(spans[0][0], spans[-1][1])] if spans and estimate_tokens(text) <= _WHOLE else list(spans)


def _nearest(shelf: Shelf, asked: str) -> Iterator[tuple[float, Shelf, int]]:
    """The passages of results with most of the words of what was asked, each with its share of the best.

    None where those are data, of which the best records are shown anyway; a receipt answers nothing.
    """
    index = shelf.index
    scores = index.scores(dict.fromkeys(index_tokens(asked), 1.0), most=_TERMS)
    spoken = index.spoken()[index.owners()]
    scores = np.where(np.isfinite(shelf.scores) & ~spoken, scores, np.float32(0))
    best = float(scores.max(initial=0.0))
    for key in np.argsort(-scores, kind="stable")[:_PASSAGES].tolist():
        if scores.item(key) <= 0 or index.is_data(key):
            return
        if not _is_receipt(index.entry(key)):
            yield scores.item(key) / best, shelf, key


def _is_receipt(entry: InteractionEntry) -> bool:
    """Whether a short result says less than its call did, such as that of an edit."""
    return len(entry.text) <= _RECEIPT and len(call_text(entry)) > max(SHORT_CALL, len(entry.text))


def take_records(choice: Choice, shelves: Sequence[Shelf], asked: str, *, most: int, whole: bool = True) -> None:
    """Show the records and lines that have an identifier which was asked for, in at most `most` tokens.

    Without `whole` they are the smallest that have it, and not what these are part of, where several results have it:
    what an agent took from one list to look it up is not shown again.
    """
    least = choice.left - most
    found = [
        (shelf.scores.item(key), key, name, shelf)
        for shelf in shelves
        for key, name in _named(shelf.index, asked, results=1 if whole else 2)
    ]
    for score, key, name, shelf in sorted(found, key=lambda one: (-one[0], one[1])):
        record = record_around(shelf.index, key, name, most=choice.left - least if whole else 0)
        others = sorted(set(record) - {key}, key=lambda at: (-shelf.scores.item(at), at))
        is_whole = len(record) > 1 and all(choice.may_show(shelf, at) for at in record)
        for part in (key, *others):
            if choice.left - least >= _SMALLEST and choice.may_show(shelf, part):
                unit = record if is_whole and part == key else None
                choice.take(shelf, part, score, most=choice.left - least, unit=unit)


def _named(index: PassageIndex, asked: str, *, results: int) -> list[tuple[int, str]]:
    """The passages of machine data with the identifier of a question that each has, in so many results or more.

    Few others have it. In JSON it must be all of a key or a value: a name in a sentence there asks for no record.
    """
    found: dict[int, str] = {}
    for name in sorted(identifiers(asked)):
        for term in index_terms_of([name]):
            keys = np.flatnonzero(index.lexical.scores({term: 1.0}, size=len(index))).tolist()
            keys = [key for key in keys if index.layout(key) is not Layout.PROSE]
            keys = [key for key in keys if not index.is_data(key) or is_value(index.text(key), name)]
            if len(keys) < _RECORDS and len(set(map(index.owner, keys))) >= results:
                found |= dict.fromkeys(keys, name)
    return list(found.items())


def question_of(moment: Moment) -> str:
    """What the agent was asked and its goal, where these are short enough to be questions."""
    return "\n".join(text for text in (moment.asked, moment.goal) if 0 < len(text) <= _QUESTION)
