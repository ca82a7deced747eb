"""What holds for every test: readable failures in the published contracts, equal runs, and a clean environment."""

from __future__ import annotations

import gc
import os
import runpy
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType

import hypothesis
import pytest

pytest.register_assert_rewrite("amb_contracts")

# No deadline: how long an example takes says nothing on a busy machine. The same examples on every run; by night, with
# a DEEP above 1, so many times as many.
DEEP = int(os.environ.get("DEEP", "1"))
EXAMPLES = 40 * DEEP if DEEP > 1 else 25
hypothesis.settings.register_profile("amb", deadline=None, derandomize=True, database=None, max_examples=EXAMPLES)
hypothesis.settings.load_profile("amb")

# Listed rather than asked of Settings: nothing here imports AMB, so a broken module fails its own tests only.
SETTINGS = (
    *("AMB_", "LLM_", "OPENAI_", "RETRIEVAL_", "CLASSIFICATION_AGENT_", "CHUNK_RATIO", "MAX_CONTEXT_TOKENS"),
    *("STORAGE_DIR", "TEMP_DIR"),
)
# where the evaluation data, the browser, a script that starts a small model, and a graph server are
FOR_TESTS = {"AMB_DATA", "AMB_CHROMIUM", "AMB_LLM_START", "AMB_NEO4J_URL"}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What was imported and collected stays to the end: no search for garbage goes through it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """A marker for each framework; and a developer's own settings and keys must not change what the tests see."""
    for name, framework in runpy.run_path(str(Path(__file__).parent / "tests" / "frameworks.py"))["FRAMEWORKS"].items():
        config.addinivalue_line("markers", f"{name}: needs the {framework.extra} extra; make test-frameworks")
    for name in set(os.environ) - FOR_TESTS:
        if name.upper().startswith(SETTINGS):
            del os.environ[name]
    os.environ["AMB_CACHE"] = str(Path(tempfile.gettempdir()) / f"amb-tests-cache-{os.getuid()}")
    # Every client of HTTP reads all certificates of the machine, 25 ms each time; no test leaves the machine.
    os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "tests" / "no_authority.pem")
    # A shell that starts the tests in the background has them, and every process they start, ignore interruptions.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with the mark `sampled(n)` each n-th case runs by day, the first one among them; all run at night."""
    cases: Counter[str] = Counter()
    for item in items:
        if (sampled := item.get_closest_marker("sampled")) and not item.get_closest_marker("nightly"):
            test = item.nodeid.partition("[")[0]
            if cases[test] % sampled.args[0]:
                item.add_marker(pytest.mark.nightly)
            cases[test] += 1


def _lines_run(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs."""
    lines = 0

    def line(frame: FrameType, event: str, _: object) -> object:
        nonlocal lines
        lines += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines


@pytest.fixture(scope="session")
def growth() -> Callable[[Callable[[int], object], int], float]:
    """By how much the work of a call grows with four times the size, counted in lines of Python that run.

    The same on every machine, idle or busy, which no time is: 4 where work is in proportion, 16 where it is not. What
    goes on inside a pattern is not seen; `tests/benchmarks/hostile_texts.py` shows it.
    """

    def measured(of: Callable[[int], object], size: int) -> float:
        from amb_core.text import forget_texts

        of(size // 2)  # what is compiled, loaded or looked up the first time only
        lines = []
        for each in (size, 4 * size):
            forget_texts()
            lines.append(_lines_run(lambda each=each: of(each)))
        return lines[1] / lines[0]

    return measured
