"""A reader without a model: topics and records by layout, statements in so many words, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator

from amb_core.agent_io import ClassificationRequest, ReadingAnswer, ReadingRequest, ReadRecord, Statement
from amb_core.agents.local_classification import LocalClassification
from amb_core.agents.stated_relations import EntityExtractor
from amb_core.reading.quotes import bears_out
from amb_core.reading.records import read_records
from amb_core.settings import Settings
from amb_core.text import about, index_tokens, sentence_spans

__all__ = ["LocalReader"]

_LONGEST = 12_000
"""Characters whose sentences are read; a page says what it is about at its beginning."""


class LocalReader:
    """A Reader by layout and the seed's five patterns; of what it cannot see it says nothing."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._topics = LocalClassification(settings)
        self._extractor = EntityExtractor()

    def read(self, request: ReadingRequest) -> ReadingAnswer:
        """The topics and records, and what sentences state; the question is left open."""
        text, wanted = request.text, request.parts
        named = ClassificationRequest(text=text, task_goal=request.goal)
        records = read_records(text).values() if "records" in wanted else ()
        return ReadingAnswer(
            topics=self._topics.classify(named).clusters if "topics" in wanted else (),
            records=tuple(ReadRecord(identity=each.identity, fields=each.fields) for each in records),
            statements=tuple(self._statements(request)) if "statements" in wanted else (),
            unread=max(0, len(text) - _LONGEST) if "statements" in wanted else 0,
        )

    def _statements(self, request: ReadingRequest) -> Iterator[Statement]:
        text = request.text[:_LONGEST]
        asked = {term for term in index_tokens(f"{request.question} {request.goal}") if len(term) > 1}
        subject = next(iter(about(text)), "")
        for start, end in sentence_spans(text):
            said = text[start:end].strip()
            begin = text.find(said, start)
            for each in self._extractor.extract(said, subject=subject, asked=asked):
                if each.subject and bears_out(said, subject=[each.subject], value=each.value):
                    yield each.model_copy(update={"span": (begin, begin + len(said))})
