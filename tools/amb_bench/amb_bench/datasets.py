"""Loaders for the evaluation sets; the data itself is never part of this package."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from amb_core.errors import UnreadableSource

__all__ = ["Passage", "Question", "Sample", "TitleStyle", "data_folder", "load_cmrc", "load_hotpotqa", "load_locomo"]

TitleStyle = Literal["line", "prefix", "none"]
"""How a passage carries its title: as its first line, as "Title: text", or not at all."""

_FOUND_AT = {
    "hotpotqa": "the folder data of the repository OSU-NLP-Group/HippoRAG (its first version)",
    "locomo": "the folder data of the repository snap-research/locomo",
    "cmrc2018": "the folder squad-style-data of the repository ymcui/cmrc2018",
}
_TURN_ID = re.compile(r"D(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of a set; `source` and `position` say where it stands, `timestamp` is in seconds since the epoch.

    `title` is what it is about, where the set says so; the text need not contain it.
    """

    id: str
    text: str
    source: str
    position: int = 0
    timestamp: float = 0.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the passages that hold its evidence, and the evidence word for word where known."""

    text: str
    gold: tuple[str, ...]
    evidence: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One memory to build (`passages`, in order) and the questions to put to it."""

    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """The folder with the sets: `folder`, else AMB_DATA, else ../shared/data; raises UnreadableSource if missing."""
    path = Path(folder or os.environ.get("AMB_DATA") or Path("..") / "shared" / "data")
    if not path.is_dir():
        raise UnreadableSource(
            f"no evaluation data in {path}: set AMB_DATA to the folder that holds hotpotqa/, locomo/ and cmrc2018/."
        )
    return path


def load_hotpotqa(*, folder: str | os.PathLike[str] | None = None, titles: TitleStyle = "line") -> Sample:
    """100 multi-hop questions over 994 passages (one memory); gold are the passages with supporting sentences."""
    corpus: dict[str, list[str]] = _read(folder, "hotpotqa", "hotpotqa_train_corpus.json")
    rows: list[dict[str, Any]] = _read(folder, "hotpotqa", "hotpotqa_train.json")
    passages = tuple(
        Passage(title, _titled(title, "".join(sentences).strip(), titles), f"passage {number}", title=title)
        for number, (title, sentences) in enumerate(corpus.items())
    )
    questions = []
    for row in rows:
        facts = [(title, index) for title, index in row["supporting_facts"] if title in corpus]
        evidence = tuple(corpus[title][index].strip() for title, index in facts if index < len(corpus[title]))
        gold = tuple(dict.fromkeys(title for title, _ in facts))
        questions.append(Question(text=row["question"], gold=gold, evidence=evidence, kind=row["type"]))
    return Sample(f"hotpotqa ({titles})", passages, tuple(questions))


def load_locomo(*, folder: str | os.PathLike[str] | None = None, dates: bool = True) -> list[Sample]:
    """10 long dialogues, one memory each, a passage per turn; questions of categories 1 to 4 that name their evidence.

    `dates` puts the time of the session before every turn, as a chat log does.
    """
    samples = []
    for row in _read(folder, "locomo", "locomo10.json"):
        passages = tuple(_turns(row["conversation"], dates=dates))
        known = {passage.id for passage in passages}
        questions = []
        for qa in row["qa"]:
            names = [f"D{int(a)}:{int(b)}" for entry in qa.get("evidence", ()) for a, b in _TURN_ID.findall(entry)]
            gold = tuple(dict.fromkeys(name for name in names if name in known))
            if gold and qa["category"] in (1, 2, 3, 4):
                questions.append(Question(text=qa["question"], gold=gold, kind=f"category {qa['category']}"))
        samples.append(Sample(f"locomo {row['sample_id']}", passages, tuple(questions)))
    return samples


def load_cmrc(*, folder: str | os.PathLike[str] | None = None) -> Sample:
    """3,219 Chinese single-hop questions over 848 passages (one memory)."""
    passages, questions = [], []
    for article in _read(folder, "cmrc2018", "cmrc2018_dev.json")["data"]:
        for paragraph in article["paragraphs"]:
            name, title = paragraph["id"], article.get("title", "")
            passages.append(Passage(name, paragraph["context"], name, title=title))
            for qa in (qa for qa in paragraph["qas"] if qa["question"].strip()):
                answers = tuple(dict.fromkeys(answer["text"] for answer in qa["answers"]))
                questions.append(Question(text=qa["question"], gold=(paragraph["id"],), evidence=answers))
    return Sample("cmrc2018", tuple(passages), tuple(questions))


def _read(folder: str | os.PathLike[str] | None, *parts: str) -> Any:
    path = data_folder(folder).joinpath(*parts)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        where = _FOUND_AT[parts[0]]
        raise UnreadableSource(
            f"cannot read {path}: {error.strerror}. Check AMB_DATA; the file is in {where}."
        ) from None
    except ValueError as error:
        raise UnreadableSource(f"{path} is not valid JSON ({error}); fetch the file again.") from None


def _titled(title: str, text: str, style: TitleStyle) -> str:
    return {"line": f"{title}\n{text}", "prefix": f"{title}: {text}", "none": text}[style]


def _turns(conversation: dict[str, Any], *, dates: bool) -> Iterator[Passage]:
    """One passage per turn; a shared photo is told by its caption, as a chat export would."""
    for session in range(1, len(conversation)):
        turns = conversation.get(f"session_{session}")
        if not isinstance(turns, list):
            continue
        when = conversation[f"session_{session}_date_time"]
        start = datetime.strptime(when, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).timestamp()
        for position, turn in enumerate(turns):
            photo = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            stamp = f"[{when}] " if dates else ""
            text = f"{stamp}{turn['speaker']}: {turn['text']}{photo}"
            number = _TURN_ID.fullmatch(turn["dia_id"])
            name = f"D{int(number[1])}:{int(number[2])}" if number else turn["dia_id"]
            yield Passage(name, text, f"session {session}", position, start + 30.0 * position)
