"""A seeded mix of everything a bank is asked to do, English and Chinese, each text with a word of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from amb_core.attachments import Attachment, AttachmentType
from amb_core.bank import MemoryBank
from amb_core.errors import ConflictStateError
from amb_core.models import StepResult, TaskType, ToolResult

__all__ = ["GOAL", "Job", "jobs", "run_job"]

GOAL = "What is known of the sites, and which figures hold?"
_KINDS = (
    *("absorb",) * 6,
    *("background",) * 3,
    *("contradict",) * 3,
    *("verify",) * 3,
    *("forget",) * 3,
    *("repeat", "file", "attach", "inject", "recall", "step", "undo", "flush", "resume"),
)
_PLAIN = ("absorb", "contradict", "repeat")
_ENGLISH = (
    "The {word} battery has a usable capacity of {value} MWh. The {word} site was inspected by Norrvolt AB.",
    "The {word} bridge is {value} metres long. Ferries pass under the {word} bridge at noon.",
)
_CHINESE = (
    "{word}海水淡化厂的日产水量为{value}万吨。{word}厂采用反渗透工艺。",
    "{word}水库的库容为{value}万立方米。{word}水库于春天开闸。",
)
_CHECKED = {True: "The register was checked on site. ", False: "登记表按照现场核验结果填写。"}
_SYLLABLES = "ba du ki lo me nar pos rel sut tov wen zil".split()
_CHARACTERS = "屿岚漪磐筱翎蕤霁鲲麓澜曦"


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to do; `word` is in its text and in no other's, `value` is what the text says of it."""

    number: int
    kind: str
    text: str = ""
    word: str = ""
    call_id: str | None = None
    choice: int = 0


def jobs(seed: int, count: int) -> Iterator[Job]:
    """The same jobs for the same seed."""
    rng = random.Random(seed)
    told: list[Job] = []
    for number in range(count):
        kind = rng.choice(_KINDS) if told else "absorb"
        choice = rng.randrange(1_000)
        job = Job(number, kind, choice=choice)
        if kind in ("absorb", "background", "file", "attach", "step"):
            word = _word(number, chinese=rng.random() < 0.5)
            job = _telling(job, rng.choice(_templates(word)), word, value=10 + choice % 80)
            told.append(job)
        elif kind in ("contradict", "verify", "repeat"):
            known = told[max(len(told) - 1 - choice % 3, 0)]
            text = known.text if kind != "contradict" else _changed(known.text)
            job = Job(number, kind, text, known.word, f"call-{number}", choice)
        yield job


def _word(number: int, *, chinese: bool) -> str:
    if chinese:
        return _CHARACTERS[number % 12] + _CHARACTERS[number // 12 % 12] + _CHARACTERS[(number * 5 + 3) % 12] + "岛"
    parts = (number % 12, number // 12 % 12, (number * 7 + 5) % 12)
    return "".join(_SYLLABLES[part] for part in parts).capitalize() + "x"


def _templates(word: str) -> tuple[str, ...]:
    return _ENGLISH if word.isascii() else _CHINESE


def _telling(job: Job, template: str, word: str, *, value: int) -> Job:
    call_id = f"call-{job.number}" if job.choice % 2 else None
    return Job(job.number, job.kind, template.format(word=word, value=value), word, call_id, job.choice)


def _changed(text: str) -> str:
    """The text with its figure raised by 100."""
    digits = next(part for part in "".join(c if c.isdigit() else " " for c in text).split())
    return text.replace(digits, str(int(digits) + 100), 1)


@dataclass(slots=True)
class _Hands:
    """Does jobs on one bank; `folder` takes the files it attaches."""

    bank: MemoryBank
    folder: Path

    def absorb(self, job: Job, *, wait: bool = True, attachments: tuple[Attachment, ...] = ()) -> None:
        source = f"source-{job.number}" if job.kind in ("contradict", "verify") else f"notes-{job.number % 5}"
        result = ToolResult(
            tool="read", output=job.text, source=source, call_id=job.call_id, run="r", attachments=attachments
        )
        self.bank.absorb(result, wait=wait)

    def background(self, job: Job) -> None:
        self.absorb(job, wait=False)

    def file(self, job: Job) -> None:
        attached = Attachment(id="f", type=AttachmentType.DOCUMENT, content=str(self._written(job)))
        self.absorb(job, attachments=(attached,))

    def attach(self, job: Job) -> None:
        """Attach a file and recognise it in a step, if the planner gets to it."""
        self.bank.attach(self._written(job), type=AttachmentType.DOCUMENT)
        pending = self.bank.host.begin_step().pending
        recognised = pending is not None and bool(pending.attachment_ids)
        self.bank.host.finish_step(StepResult(text=job.text if recognised else ""))

    def _written(self, job: Job) -> Path:
        path = self.folder / f"given-{job.number}.txt"
        path.write_text(job.text, encoding="utf-8")
        return path

    def verify(self, job: Job) -> None:
        """Bring a third source for the conflict that is to be verified, saying what one side says."""
        pending = self.bank.plan().pending
        conflict = next((c for c in self.bank.conflicts if pending and c.id == pending.conflict_id), None)
        if conflict is None:
            self.absorb(job)
            return
        node = self.bank.host.node(conflict.node_ids[job.choice % 2])
        said = next((text for _, text in self.bank.host.passages(node.id) if any(c.isdigit() for c in text)), job.text)
        checked = f"{_CHECKED[said.isascii()]}{said}"
        self.absorb(replace(job, text=checked))

    def step(self, job: Job) -> None:
        pending = self.bank.host.begin_step().pending
        verifying = pending is not None and pending.type is TaskType.CROSS_VALIDATE
        result = ToolResult(tool="read", output=job.text, source=f"step-{job.number}", call_id=job.call_id)
        self.bank.host.finish_step(StepResult(tool_results=(result,), failed=verifying and job.choice % 2 == 0))

    def forget(self, job: Job) -> None:
        chosen = self.to_forget(job)
        if chosen is not None:
            self.bank.forget(chosen)

    def to_forget(self, job: Job) -> str | None:
        """The entry a forgetting job is about."""
        alive = [entry.entry_id for entry in self.bank.snapshot().entries if not entry.forgotten]
        return alive[job.choice % len(alive)] if alive else None

    def undo(self, job: Job) -> None:
        for event in reversed(self.bank.merges):
            if not event.undone:
                try:
                    self.bank.host.undo_merge(event.event_id)
                except ConflictStateError:
                    continue
                break

    def inject(self, job: Job) -> None:
        self.bank.host.log_injection(self.bank.host.enhance(), prompt_tokens=1, raw_tokens=1)

    def recall(self, job: Job) -> None:
        self.bank.recall("capacity 产水量 length", budget_tokens=200)

    def flush(self, job: Job) -> None:
        self.bank.host.flush()


def run_job(job: Job, bank: MemoryBank, *, folder: Path, about_to_forget: Callable[[str | None], object]) -> None:
    """Do one job; `about_to_forget` is told the entry before it is forgotten. `resume` jobs are the caller's."""
    hands = _Hands(bank, folder)
    if job.kind == "forget":
        about_to_forget(hands.to_forget(job))
    work: Callable[[Job], None] = hands.absorb if job.kind in _PLAIN else getattr(hands, job.kind)
    work(job)
