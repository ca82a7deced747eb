"""The entity over which the next hop goes, and what to ask next."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from amb_core.team.answer_words import ORGANISATION, PLACE_AFTER, PROVINCES
from amb_core.team.queries import normalised
from amb_core.team.question_names import names_of_question
from amb_core.team.question_type_words import HEADS
from amb_core.team.question_types import compared, focus_of
from amb_core.team.reading import Mention, Sentence, closeness
from amb_core.team.relation_words import RELATIONS
from amb_core.text import index_tokens, name_key
from amb_core.text.places import REGIONS
from amb_core.text.remembering import remembered

__all__ = ["asks_in_words", "bridges", "next_queries"]

_MOST_QUERIES = 3
_STATED = 1.5
_LATER = 0.12
_PARTS = (
    (
        re.compile(r"所在的?城市|哪个城市|哪座城市"),
        re.compile(r"(?:[\u4e00-\u9fff]{2,3}省)?(?P<part>[\u4e00-\u9fff]{2,4}?)市"),
    ),
    (re.compile(r"所在的?省"), re.compile(r"(?P<part>[\u4e00-\u9fff]{2,3}省)")),
)
_PLACE = 0.8
_OF_KIND, _KIND = 1.0, 0.5
_LONGEST_BY = 12
_SENTENCES, _LONGEST = 8, 16_000
"""Sentences, and their characters, of which is kept where their verb stands."""
_COPULA = re.compile(r" (?:is|was|are|were) ")
_BY = re.compile(r"\b(?:by|with|of|in|from|to) (?:the )?$")
_NO_NAME = re.compile(
    r"^[一二三四五六七八九十两几][档部座个名位种家艘支条本]|^[\u4e00-\u9fff]+[时后前中里的了]$|^[\u4e00-\u9fff]{9,}$"
)
_CHINESE_KIND = re.compile(r"[河江湖山岛桥寺塔省市县校院馆队团社]")
_CHINESE_ROLE = re.compile(
    r"^(?:[今由]|(?:著名)?(?:作家|学者|诗人|导演|演员|歌手|画家|作曲家|总兵|将军|工程师|企业家|教授|摄影师|知府)(?=[\u4e00-\u9fff]{2,4}$))|(?:所著|执导|创作)$"
)
_IN_PROVINCE = re.compile(
    r"^(?:[\u4e00-\u9fff]{2,3}?省|[\u4e00-\u9fff]{2,4}自治区)(?=[\u4e00-\u9fff]{2})"
    rf"|^(?:{PROVINCES})(?=[\u4e00-\u9fff]{{2,4}}$)"
)
_BESIDE = 0.8
_WORD_BEFORE = re.compile(r"(?P<word>[a-z][a-z-]{2,24}) [\"“]?$")
_LONE = 0.3
_NAMESAKE = 1.0
"""What a name loses that has a name of the question in it: RMS Titanic, for the film Titanic."""
_RANK = re.compile(
    r"^(?:(?:General|Captain|Colonel|Major|Admiral|Lieutenant|Sergeant|President|Senator|Governor|King|Queen|Prince|Princess"
    r"|Baron|Baroness|Count|Countess|Sir|Dame|Lord|Lady|Dr|Professor|Mr|Mrs|Ms|Pope|Bishop|Emperor)\.? )+(?=[A-Z]\S+ )"
)


def bridges(
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    counts: Mapping[str, float],
    *,
    task: str,
    title: str,
    stated: Sequence[str] = (),
) -> list[str]:
    """Names that the question may describe without naming them, best first: new, close to its words, early in the text.

    `stated` are values of relations that the question asks for; for a question about two things the other of the two.
    """
    other = _other_of_two(task, title)
    asked, about, known = name_key(task), name_key(title), [name_key(value) for value in stated]
    terms, kinds = frozenset(counts), _kinds(task)
    names = [name_key(name) for name, _ in names_of_question(task) if name_key(name)]
    scored: dict[str, tuple[float, str]] = {}
    for mention in (*mentions, *_where(stated, sentences, task)):
        name = _bare(mention.text)
        key, sentence = name_key(name), sentences[mention.at]
        if len(key) < 2 or key in asked or key in about or about in key or _is_alias(mention, sentence):
            continue
        if _NO_NAME.search(name) or (name in REGIONS and "place" not in kinds and key not in known):
            continue
        score = closeness(mention, sentence, counts) + 0.5 * sentence.weight - _LATER * mention.at
        score += _STATED * (key in known or name_key(mention.text) in known) - _LONE * (
            " " not in key and key.isascii()
        )
        of_kind = _of_kind(name, terms, task)
        score += _BESIDE * _described(mention, sentence, terms)
        score += _OF_KIND if of_kind else _fit(mention, sentence, kinds)
        score -= _NAMESAKE * (key not in known and any(f" {name} " in f" {key} " for name in names))
        if score > scored.get(key, (float("-inf"), ""))[0]:
            scored[key] = (score, name)
    ranked = [name for _, name in sorted(scored.values(), key=lambda each: -each[0])]
    return [other, *ranked] if other else ranked


def _other_of_two(task: str, title: str) -> str:
    two, about = compared(task), name_key(title)
    others = [name for name in two if name_key(name) not in about and about not in name_key(name)]
    return others[0] if len(two) == 2 and len(others) == 1 else ""


def _bare(name: str) -> str:
    """A name without the rank, the role or the province before it."""
    return _CHINESE_ROLE.sub("", _IN_PROVINCE.sub("", _RANK.sub("", name)))


def _kinds(task: str) -> set[str]:
    """The kinds of things that the question speaks of beside what it asks for: a person, for an actor."""
    focus = focus_of(task)
    words = [word.removesuffix("s") for word in re.findall(r"[a-z]{3,20}", task)]
    return {HEADS[word] for word in words if word in HEADS and word != focus.head}


def _fit(mention: Mention, sentence: Sentence, kinds: Container[str]) -> float:
    """How well a name goes with the kinds of things that the question describes."""
    before = sentence.text[max(0, mention.start - 16) : mention.start]
    is_place = mention.text in REGIONS or bool(PLACE_AFTER.search(before))
    if is_place:
        return 0.0 if "place" in kinds else -_PLACE
    if ORGANISATION.search(mention.text):
        return _KIND if "organisation" in kinds else 0.0
    is_person = len(mention.text.split()) in (2, 3) and mention.text.isascii()
    return _KIND * is_person if "person" in kinds else 0.0


def _is_alias(mention: Mention, sentence: Sentence) -> bool:
    """Whether a name stands in the first sentence before its verb: another one for what the text is about, as WNBL."""
    if mention.at or not 0 <= mention.end <= _copula(sentence.text):
        return False
    return _BY.search(sentence.text[max(0, mention.start - _LONGEST_BY) : mention.start]) is None


@remembered(most=_SENTENCES, longest=_LONGEST)
def _copula(sentence: str) -> int:
    """Where the verb of a sentence stands, -1 without one."""
    found = _COPULA.search(sentence)
    return found.start() if found else -1


def _of_kind(name: str, terms: Container[str], task: str) -> bool:
    """Whether a name says by itself that it is what the question describes: Alhambra Theatre, for a theatre."""
    if not name.isascii():
        return name[-1:] in task and bool(_CHINESE_KIND.match(name[-1:]))
    return " " in name and any(term in terms for term in index_tokens(name.split()[-1]))


def _described(mention: Mention, sentence: Sentence, terms: Container[str]) -> bool:
    """Whether a noun of the question stands right before a name and says what it is: painter Jo Hale, for a painter."""
    word = _WORD_BEFORE.search(sentence.text[max(0, mention.start - 30) : mention.start])
    return word is not None and word["word"] in HEADS and any(term in terms for term in index_tokens(word["word"]))


def _where(stated: Sequence[str], sentences: Sequence[Sentence], task: str) -> Iterator[Mention]:
    for value in stated:
        value = _part_of_place(value, task)
        for at, sentence in enumerate(sentences):
            if (start := sentence.text.find(value)) >= 0:
                yield Mention(value, at, start, start + len(value))
                break


def _part_of_place(value: str, task: str) -> str:
    """The city or the province of a Chinese place that the question means."""
    for asked, pattern in _PARTS:
        if asked.search(task) and (found := pattern.match(value)):
            return found["part"]
    return value


def asks_in_words(query: str) -> bool:
    """Whether a query says what it looks for (Titanic director), and is not only the name of a page."""
    asked = (match.group() for each in RELATIONS for match in each.asked.finditer(query))
    return any(not word[:1].isupper() for word in asked)


def next_queries(
    task: str, *, bridges: Sequence[str], stated: Sequence[str], asked: Sequence[str], title: str
) -> tuple[str, ...]:
    """What to ask next, best first: the likeliest bridge, names of the task not asked about yet, other bridges.

    A team that searches for names of pages is given names; one whose last query, `title`, was of more words (Titanic
    director) is given the bridge with what is still to be found.
    """
    made = [*asked, title]
    done = {normalised(query) for query in made}
    over = list(bridges[:_MOST_QUERIES])
    if over and asks_in_words(title):
        wanted = [each for each in RELATIONS if each.asked.search(task) and each.name not in stated]
        words = [match.group() for each in wanted if (match := each.asked.search(task))]
        over = [f"{name} {word}" for name in over[:1] for word in words[:1]] or over[:1]
    names = [
        name for name, _ in names_of_question(task) if not any(name_key(name) in name_key(query) for query in made)
    ]
    queries = dict.fromkeys((*over[:1], *names, *over[1:]))
    return tuple([query for query in queries if normalised(query) not in done][:_MOST_QUERIES])
