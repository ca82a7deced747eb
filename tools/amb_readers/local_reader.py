"""A reader without a model: topics and records by layout, and what a sentence states in so many words.

The words are those of the seed's EntityExtractor: five patterns, in each of the two languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Any

from amb_agents.local_notes import LocalClassification
from amb_core.agent_io import ClassificationRequest, ReadingAnswer, ReadingRequest, Statement
from amb_core.reading.records import read_records
from amb_core.text import index_tokens
from amb_readers.quotes import bears_out
from amb_values import about, name_key, sentence_spans
from amb_values.chinese_segments import chinese_segments

__all__ = ["EntityExtractor", "LocalReader", "asked_relations", "terms_of"]

_LONGEST = 12_000
"""Characters whose sentences are read; a page says what it is about at its beginning."""

_WORD = r"[A-Z][\w'’-]{0,30}\.?"
_NAME = rf"{_WORD}(?: (?:(?:of|the|de|da|van|von|la|le) ){{0,2}}{_WORD}){{0,6}}"
_QUOTE = r"[\"“][^\"“”]{1,80}[\"”]"
_HAN = r"[\u4e00-\u9fff·A-Za-z]{2,16}?"
_BOOK = r"《[^《》]{1,40}》"
_SMALL = r"(?:[a-z][a-z-]{0,20} ){0,4}?"
_ALSO = r"(?:(?:, and|,| and) [a-z-]{2,20}){0,6}"
"""What else somebody did to the same thing: directed, written, produced, and co-edited by."""
_BEHIND = r"(?=[，。；、,;（(]|$|于|和|与|的)"
_VERBS = (
    ("director", "directed", "directed", "执导|导演", r"\bdirect(?:or|ed|s)\b|导演|执导"),
    ("author", "wrote", "written", "创作|撰写|编剧|写|著", r"\b(?:author|writer|wrote|written)\b|作者|创作|编剧|所著"),
    ("creator", "created", "created", "创造", r"\bcreat(?:or|ed)\b|创造"),
    ("producer", "produced", "produced", "制作|监制", r"\bproduce[rd]\b|制作|监制|制片"),
    ("founder", "founded", "founded", "创办|创立|创建|成立", r"\bfound(?:er|ed)\b|创始人|创建者|创办|创立|创建"),
)  # fmt: skip
"""A relation, its verb (active, passive, Chinese), and the words of a question that ask for it."""
_SPOUSE = r"\b(?:spouse|wife|husband|married)\b|妻子|丈夫|配偶|结婚|嫁给"


def _made(active: str, passive: str, chinese: str) -> tuple[str, ...]:
    """`X directed Y` and `Y was directed by X`; `X执导了《Y》` and `《Y》由X执导`."""
    return (
        rf"{passive}{_ALSO} by {_SMALL}(?P<value>{_NAME})",
        rf"(?P<value>{_NAME}) {active} {_SMALL}(?P<subject>{_QUOTE}|{_NAME})",
        rf"由(?P<value>{_HAN})(?:等\d*人?)?(?:[在于][\u4e00-\u9fff\d]{{1,10}}?)?所?(?:{chinese})",
        rf"是(?:\d[\d年月日]*由?)?(?P<value>{_HAN})所?(?:{chinese})的",
        rf"(?:^|[，；])(?P<value>(?!由){_HAN})(?:{chinese})了?(?P<subject>{_BOOK})",
    )


_STATED = (
    *((name, _made(active, passive, chinese)) for name, active, passive, chinese, _ in _VERBS),
    ("spouse", (
        rf"\bmarried (?:to )?{_SMALL}(?P<value>{_NAME})",
        rf"(?:spouse|wife|husband)(?: of (?P<subject>{_NAME}))?(?: is| was|,)? {_SMALL}(?P<value>{_NAME})",
        rf"(?:(?:^|[，；])(?P<subject>{_HAN}))?(?:与|和|嫁给|娶了?)(?P<value>{_HAN})(?:[于在][^，。]{{1,16}}?)?(?:结婚|成婚|结为)",
        rf"(?:(?P<subject>{_HAN})的)?(?:妻子|丈夫|配偶)(?:是|为|：)?(?P<value>{_HAN}){_BEHIND}",
    )),
    ("is", (
        rf"^(?P<subject>{_QUOTE}|{_NAME})(?: \([^()]{{0,200}}\))? (?:is|was) (?:an?|the) (?P<value>[^.,;]{{2,200}})",
        rf"^(?P<subject>{_BOOK}|{_HAN})是(?:一[\u4e00-\u9fff])?(?P<value>[^，。；]{{2,60}})",
    )),
)  # fmt: skip
_PATTERNS = tuple((name, tuple(map(re.compile, forms))) for name, forms in _STATED)
_ASKED_BY = {name: re.compile(asked, re.IGNORECASE) for name, *_, asked in (*_VERBS, ("spouse", _SPOUSE))}
_ASKED_FOR = (
    re.compile(rf"由(?P<value>{_HAN})(?:等\d*人?)?(?:所|领导的)?(?P<relation>[\u4e00-\u9fff]{{2}})"),
    re.compile(rf"(?P<relation>[\u4e00-\u9fff]{{2}})(?:是|为|：)(?P<value>{_HAN}){_BEHIND}"),
)
"""The same with any other verb or noun that a question has; an English name is found by its capitals anyhow."""


class EntityExtractor:
    """Reads relations off sentences: X directed, wrote, created, produced or founded Y, was married to Y, is a Y."""

    def extract(self, sentence: str, *, subject: str = "", asked: Set[str] = frozenset()) -> list[Statement]:
        """What a sentence states, what somebody made first; `subject` stands in where it names none itself.

        `asked` are index terms of a question: what is done or held, in one of these words, is stated as well.
        """
        found: dict[Statement, None] = {}
        subjects = [*about(sentence), subject]
        for relation, forms in (*_PATTERNS, ("", _ASKED_FOR)):
            for form in forms:
                for match in form.finditer(sentence):
                    parts = match.groupdict("")
                    name, value = relation or parts["relation"], _bare(parts["value"])
                    others = (one for one in subjects if one and name_key(one) != name_key(value))
                    of = _bare(parts.get("subject", "")) or next(others, "")
                    is_asked = relation or asked & set(index_tokens(name))
                    if is_asked and value and name_key(value) != name_key(of):
                        found[Statement(text=sentence, subject=of, attribute=name, value=value)] = None
        return list(found)


class LocalReader:
    """A Reader by layout and five patterns; it answers no question, and of what it cannot see it says nothing."""

    def __init__(self) -> None:
        self._topics = LocalClassification()
        self._extractor = EntityExtractor()

    def read(self, request: ReadingRequest) -> ReadingAnswer:
        """The topics, the records, and what sentences state, also in the words of the question."""
        text, statements = request.text, tuple(self._statements(request))
        found = ReadingAnswer(statements=statements, unread=max(0, len(text) - _LONGEST))
        return found if request.only_statements else found.model_copy(update=self.layout(request))

    def layout(self, request: ReadingRequest) -> dict[str, Any]:
        """The topics and the records of a text."""
        named = ClassificationRequest(text=request.text, task_goal=request.goal)
        records = read_records(request.text).values()
        return {
            "topics": self._topics.classify(named).clusters,
            "records": {each.identity: each.fields for each in records},
        }

    def _statements(self, request: ReadingRequest) -> Iterator[Statement]:
        text, names = request.text[:_LONGEST], [name for group in request.names for name in group]
        asked = terms_of(f"{request.question} {request.goal}") - terms_of(" ".join(names))
        subject = next(iter((*about(text), *names)), "")
        for start, end in sentence_spans(text):
            said = text[start:end].strip()
            begin = text.find(said, start)
            for each in self._extractor.extract(said, subject=subject, asked=asked):
                if each.subject and bears_out(said, subject=[each.subject], value=each.value):
                    yield each.model_copy(update={"span": (begin, begin + len(said))})


def terms_of(text: str) -> set[str]:
    """The index terms of a text; of Chinese those of two characters."""
    return {term for term in index_tokens(text) if len(term) > 1}


def asked_relations(question: str) -> dict[str, str]:
    """The relations whose words a question has, each with the word, in the order of the question."""
    found = ((asked.search(question), name) for name, asked in _ASKED_BY.items())
    return {name: word for _, name, word in sorted((at.start(), name, at.group()) for at, name in found if at)}


def _bare(name: str) -> str:
    """A name without marks, and a Chinese one without the everyday word before it: 陈忠实 of 作家陈忠实."""
    name = name.strip(' .,;，。"“”《》')
    parts = [*chinese_segments(name)]
    if len(parts) < 2 or parts[-1].kind != "unknown" or any(part.kind != "common" for part in parts[:-1]):
        return name
    bare = parts[-1]
    return name[bare.start :] if bare.end == len(name) and bare.end - bare.start > 1 else name
