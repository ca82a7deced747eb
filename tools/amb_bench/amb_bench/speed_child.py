"""Runs one measurement in a process of its own: memory is told apart, and the matrix library uses one thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

from amb_core.errors import AmbError

__all__ = ["main", "measured"]

_MARK = "amb-measured:"
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def measured(target: str, /, **arguments: Any) -> Any:
    """What the function `module:name` of this package returns in a fresh process; arguments and answer are JSON.

    Raises AmbError with the last line it wrote when the process fails.
    """
    environment = dict(os.environ) | dict.fromkeys(_ONE_THREAD, "1")
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-m", "amb_bench.speed_child", target, json.dumps(arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    answers = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if done.returncode or not answers:
        said = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        raise AmbError(f"measuring {target} failed: {said}")
    return json.loads(answers[-1].removeprefix(_MARK))


def main(target: str, arguments: str) -> None:
    """Run one measurement here and print what it returns."""
    module, _, name = target.partition(":")
    answer = getattr(import_module(f"amb_bench.{module}"), name)(**json.loads(arguments))
    print(f"\n{_MARK}{json.dumps(answer)}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
