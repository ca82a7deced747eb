"""The corpora of `amb demo`: the language reference every interpreter carries, and two small self-written cases."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from amb_core.corpus import Document, read_corpus
from amb_core.errors import UnreadableSource

__all__ = ["LANGUAGE_REFERENCE_QUESTION", "DemoCase", "language_reference", "small_cases"]

LANGUAGE_REFERENCE_QUESTION = (
    "How does Python choose the except clause that handles an exception, "
    "and when does the finally clause run if no handler matches?"
)


@dataclass(frozen=True, slots=True)
class DemoCase:
    """A question and the documents to answer it from."""

    name: str
    question: str
    documents: tuple[Document, ...]


def language_reference() -> list[Document]:
    """The topics of the Python language reference, one document each, in alphabetical order."""
    from pydoc_data.topics import topics

    return [Document(name=f"{name}.txt", text=text, path=Path(f"{name}.txt")) for name, text in sorted(topics.items())]


def small_cases() -> list[DemoCase]:
    """An English and a Chinese case in which two sources contradict each other and a third decides."""
    return [
        DemoCase(
            "Skerra Island (English)",
            "What is the usable capacity of the Harbour Point battery, and which cells is it built from?",
            _corpus("island_microgrid"),
        ),
        DemoCase("青屿岛（中文）", "青屿海水淡化厂的日产水量是多少？采用什么工艺？", _corpus("海水淡化厂")),
    ]


def _corpus(name: str) -> tuple[Document, ...]:
    """A corpus from the installed package, or from `examples/` in a checkout."""
    packaged = files("amb_core").joinpath("demo_corpora", name)
    if packaged.is_dir():
        with as_file(packaged) as folder:
            return tuple(read_corpus(folder))
    checkout = Path(__file__).parents[2] / "examples" / "corpora" / name
    if not checkout.is_dir():
        raise UnreadableSource(f"the demo corpus {name!r} is missing; install AMB again")
    return tuple(read_corpus(checkout))
