"""Replayed runs kept in files, so that a long measurement can be interrupted and go on later."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from amb_replay.replay import ReplayedRun

__all__ = ["KeptRuns"]

_CODE = ("amb_core", "amb_replay", "amb_bench")


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """The runs in a folder that were made by the code as it is now; with another code they are made anew."""

    folder: Path
    code: str

    @classmethod
    def of(cls, folder: Path) -> KeptRuns:
        """Those of a folder, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        code = hashlib.sha256()
        for package in _CODE:
            for file in sorted(Path(str(resources.files(package))).rglob("*.py")):
                code.update(file.read_bytes())
        return cls(folder, code.hexdigest())

    def run(self, name: str, make: Callable[[], ReplayedRun]) -> ReplayedRun:
        """The run that was kept under a name that says all it was made with, else a new one, which is kept."""
        file = self.folder / f"{hashlib.sha256(f'{self.code} {name}'.encode()).hexdigest()[:24]}.pickle"
        if file.exists():
            kept: ReplayedRun = pickle.loads(file.read_bytes())
            return kept
        made = make()
        unfinished = file.with_suffix(".part")
        unfinished.write_bytes(pickle.dumps(made))
        unfinished.replace(file)
        return made
