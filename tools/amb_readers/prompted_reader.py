"""A reader that asks a model once for a text and believes only what the text itself bears out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from amb_agents.chunking import chunk_spans
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import ReadingShape, StatementShape
from amb_agents.prompts import prompt
from amb_chat.structured_chat import StructuredChat
from amb_chat.usage_meter import UsageMeter
from amb_core.agent_io import ReadingAnswer, ReadingRequest, Statement
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import clip_tokens, estimate_tokens
from amb_readers.local_reader import LocalReader
from amb_readers.quotes import as_written, bears_out, find_words, is_pronoun
from amb_values import find_unsupported

__all__ = ["PromptedReader", "borne_out"]

_SHARE, _KNOWN = 0.6, 1_200
"""What share of the window the text may take, and tokens for what is known."""
_OUTPUT, _OUTPUT_PER_TOKEN, _MOST_OUTPUT = 900, 1.5, 4_000
_MOST_EACH = 8
"""So many statements may rest on the same words."""
_YES_NO = ("yes", "no", "是", "否")


class PromptedReader:
    """A Reader on a chat model: one structured call for a text, the prompt of its kind first, which never changes.

    Topics and records are the layout's to say; `prompts` is the package with the rules of the kinds, `shape` bounds
    how much is said. `meter` counts what is spent under `purpose`.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        purpose: str = "reading",
        prompts: str = "amb_agents.prompts",
        shape: type[ReadingShape] = ReadingShape,
        settings: Settings | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._asker = Asker(StructuredChat(chat, meter=meter), settings=settings or Settings())
        self._local = LocalReader()
        self._purpose, self._prompts, self._shape = purpose, prompts, shape

    @property
    def most_tokens(self) -> int:
        """How many tokens of a text are read in one call; what is behind them is unread."""
        return max(1, int(self._asker.window * _SHARE))

    def read(self, request: ReadingRequest) -> ReadingAnswer:
        """What stands in the text; a ModelError without a usable answer, and no call for a blank text."""
        if not request.text.strip():
            return ReadingAnswer()
        _, end = chunk_spans(request.text, limit=self.most_tokens)[0]
        shown = request.model_copy(update={"text": request.text[:end]})
        said, borne = self._asked(shown), _Borne(shown)
        statements, bare = tuple(borne.statements(said.statements)), said.answer.strip(" .。").casefold()
        answer = bare if bare in _YES_NO else borne.written(said.answer)
        read = ReadingAnswer(
            statements=statements,
            answer=answer,
            answers_goal=said.answers_goal,
            missing=tuple(filter(None, map(borne.query, said.missing))),
            dropped=len(said.statements) - len(statements) + bool(bare and not answer),
            unread=len(request.text) - end,
        )
        return read if request.only_statements else read.model_copy(update=self._local.layout(request))

    def _asked(self, request: ReadingRequest) -> ReadingShape:
        language = self._asker.language(request.goal or request.text)
        rules = prompt(f"reading_{request.kind}", language, package=self._prompts)
        parts = request.model_dump(include={"speaker", "goal", "question", "asked"})
        parts |= {"known": clip_tokens("\n".join(request.known), _KNOWN), "text": request.text}
        return self._asker.ask(
            self._purpose,
            self._shape,
            {name: part for name, part in parts.items() if part},
            language=language,
            max_output_tokens=min(_MOST_OUTPUT, _OUTPUT + int(_OUTPUT_PER_TOKEN * estimate_tokens(request.text))),
            system=f"{prompt('reading', language)}\n\n{rules}",
        )


def borne_out(said: Sequence[StatementShape], request: ReadingRequest) -> list[Statement]:
    """What of statements, however a model came to them, the text of a request bears out."""
    return list(_Borne(request).statements(said))


class _Borne:
    """What of an answer the text bears out, as the text and those who know write it."""

    def __init__(self, request: ReadingRequest) -> None:
        self._text, self._speaker = request.text, request.speaker
        self._unnamed = {request.speaker, *request.unnamed}
        self._sources = (request.text, request.goal, request.question, *request.known)
        self._called = {_folded(name): (name, group) for group in request.names for name in group}

    def statements(self, said: Sequence[StatementShape]) -> Iterator[Statement]:
        """The statements, each once, and not too many for the same words."""
        told: set[Statement] = set()
        spans: Counter[tuple[int, int]] = Counter()
        for each in said:
            statement = self._statement(each)
            if statement is not None and statement not in told and spans[statement.span] < _MOST_EACH:
                told.add(statement)
                spans[statement.span] += 1
                yield statement

    def written(self, said: str) -> str:
        """What was said as it is written somewhere; "" where it is nowhere."""
        return next((written for source in self._sources if (written := as_written(said, source))), "")

    def query(self, said: str) -> str:
        """A query that names nothing new; "" in place of any other."""
        bare = " ".join(said.split())
        return bare if bare and find_unsupported(bare, self._sources) is None else ""

    def _statement(self, told: StatementShape) -> Statement | None:
        place, subject, value = (
            find_words(told.quote, self._text),
            self._name(told.subject),
            " ".join(told.value.split()),
        )
        if place is None or not subject or not value:
            return None
        quote = self._text[place[0] : place[1]]
        of, what = (self._called.get(_folded(name), (name, ()))[1] for name in (subject, value))
        is_spoken_of = subject in self._unnamed
        if not bears_out(quote, subject=of or (subject,), value=value, called=what, is_speaker=is_spoken_of):
            return None
        return Statement(
            text=quote,
            span=place,
            subject=subject,
            attribute=" ".join(told.attribute.split()),
            value=as_written(value, quote) or value,
            time=as_written(told.time, self._text),
            polarity=told.polarity,
            modality=told.modality,
            speaker=self._name(told.speaker),
        )

    def _name(self, said: str) -> str:
        """A name as it is known or written somewhere; "" for a pronoun and for a name that is nowhere."""
        name = " ".join(said.split())
        if not name or is_pronoun(name) or name == self._speaker:
            return name if name == self._speaker else ""
        return self._called.get(_folded(name), (self.written(name), ()))[0]


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
