"""A redactor by the recognisers of Presidio, for its languages and for what patterns cannot find, such as names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from amb_core.errors import InvalidParameter, MissingExtra
from amb_core.protocols import Redaction
from amb_redaction import Found, RedactionKind, mark_of

__all__ = ["PresidioRedactor"]

_KIND_OF = {
    "EMAIL_ADDRESS": RedactionKind.EMAIL,
    "PHONE_NUMBER": RedactionKind.PHONE,
    "CREDIT_CARD": RedactionKind.BANK_CARD,
    "US_BANK_NUMBER": RedactionKind.BANK_CARD,
    "IBAN_CODE": RedactionKind.IBAN,
    "IP_ADDRESS": RedactionKind.IP,
    "CRYPTO": RedactionKind.KEY,
    "US_SSN": RedactionKind.ID_CARD,
    "US_ITIN": RedactionKind.ID_CARD,
    "US_PASSPORT": RedactionKind.ID_CARD,
    "US_DRIVER_LICENSE": RedactionKind.ID_CARD,
    "UK_NHS": RedactionKind.ID_CARD,
    "UK_NINO": RedactionKind.ID_CARD,
}
_MARK = re.compile(r"\[[a-z][a-z-]{1,30}\]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PIECE = 50_000
_MOST_ROUNDS = 12


class PresidioRedactor:
    """Takes out what Presidio's recognisers find in texts of one language.

    `entities` are its names of what to take out (default: those that `PatternRedactor` has kinds for); others, such as
    PERSON, get marks of their own (`[person]`). `model` is an installed spaCy pipeline, which names and places need;
    without one the recognisers see words only. `analyzer` is an `AnalyzerEngine` of your own instead. Results below
    `min_score` in [0, 1] are left. Raises MissingExtra without the package presidio-analyzer, InvalidParameter for a
    pipeline that is not installed (none is ever downloaded) or entities that nothing recognises.
    """

    def __init__(
        self,
        *,
        language: str = "en",
        entities: Collection[str] | None = None,
        model: str | None = None,
        analyzer: Any = None,
        min_score: float = 0.4,
    ) -> None:
        if not 0 <= min_score <= 1:
            raise InvalidParameter(f"min_score is between 0 and 1, not {min_score!r}.")
        self.language = language
        self._analyzer = _analyzer(language, model) if analyzer is None else analyzer
        supported = set(self._analyzer.get_supported_entities(language))
        unknown = sorted(set(entities or ()) - supported)
        if unknown:
            raise InvalidParameter(
                f"nothing recognises {', '.join(unknown)}; there are {', '.join(sorted(supported))}."
            )
        self._entities = sorted(supported & set(_KIND_OF) if entities is None else set(entities))
        self._min_score = min_score

    def redact(self, text: str) -> Redaction:
        """The text with a mark for each thing taken out, and how many there were of each kind."""
        counts = Counter[str]()
        for _ in range(_MOST_ROUNDS):
            spans = self._spans(text)
            if not spans:
                break
            counts.update(name for name, _, _ in spans)
            for name, start, end in reversed(spans):
                text = f"{text[:start]}[{name}]{text[end:]}"
        return Redaction(text, dict(sorted(counts.items())))

    def find(self, text: str) -> list[Found]:
        """What `redact` takes out in its first round, of the kinds that `PatternRedactor` has, too; in order."""
        kinds = {kind.value: kind for kind in RedactionKind}
        return [Found(kinds[name], start, end) for name, start, end in self._spans(text) if name in kinds]

    def _spans(self, text: str) -> list[tuple[str, int, int]]:
        """Name of the kind, start and end of each thing; of two that overlap, the surer, then the longer one."""
        if not self._entities or not text.strip():
            return []
        results = [
            (result.score, result.end - result.start, offset + result.start, str(result.entity_type))
            for offset, piece in _pieces(_SURROGATE.sub("\ufffd", text))
            for result in self._analyzer.analyze(
                piece, language=self.language, entities=self._entities, score_threshold=self._min_score
            )
        ]
        taken = [(mark.start(), mark.end()) for mark in _MARK.finditer(text)]
        spans: list[tuple[str, int, int]] = []
        for _, length, start, entity in sorted(results, key=lambda r: (-r[0], -r[1], r[2], r[3])):
            if all(end <= start or start + length <= begun for begun, end in taken):
                taken.append((start, start + length))
                spans.append((_name(entity), start, start + length))
        return sorted(spans, key=lambda span: span[1])


def _name(entity: str) -> str:
    kind = _KIND_OF.get(entity)
    return mark_of(kind)[1:-1] if kind else entity.lower().replace("_", "-")[:30]


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces that a pipeline takes, cut at blanks where there are any; each with its offset."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        if end < len(text):
            blank = max(text.rfind(mark, start + _PIECE // 2, end) for mark in "\n ")
            end = blank + 1 if blank >= 0 else end
        yield start, text[start:end]
        start = end


def _analyzer(language: str, model: str | None) -> Any:
    try:
        import spacy
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import SpacyNlpEngine
    except ImportError:
        raise MissingExtra("presidio-analyzer", extra="presidio") from None
    engine = SpacyNlpEngine(models=[{"lang_code": language, "model_name": model or "blank"}])
    try:
        engine.nlp = {language: spacy.load(model) if model else spacy.blank(language)}
    except (OSError, ImportError):
        what = f"the pipeline {model!r} is" if model else f"the language {language!r} is"
        raise InvalidParameter(f"{what} not known to spaCy here; install it, or name another.") from None
    registry = RecognizerRegistry(supported_languages=[language])
    registry.load_predefined_recognizers(languages=[language], nlp_engine=engine)
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=[language])
