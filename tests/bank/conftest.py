"""Banks and texts the tests of the bank share."""

from collections.abc import Callable, Iterator

import pytest

from amb_core import ManualClock, MemoryBank, Settings, ToolResult

OPERATOR = "The Harbour Point battery has a usable capacity of 18 MWh. Norrvolt AB supplied the cells in 48 containers."
COURIER = "Gulls are the loudest thing on the quay. The Harbour Point battery has a usable capacity of 12 MWh."
REGISTER = "The register was checked on site. The Harbour Point battery has a usable capacity of 18 MWh."
OPERATOR_ZH = "青屿海水淡化厂的日产水量为8万吨。工厂采用反渗透工艺。"
COURIER_ZH = "清晨五点，值班长看了一圈仪表。青屿海水淡化厂的日产水量为5万吨。"
REGISTER_ZH = "登记表按照现场核验结果填写。青屿海水淡化厂的日产水量为8万吨。"

Result = Callable[..., ToolResult]


@pytest.fixture
def result() -> Result:
    """Makes a tool result from a text; the source is what tells one document from another."""

    def make(output: str, source: str = "notes", **fields: object) -> ToolResult:
        return ToolResult(tool="read", output=output, source=source, **fields)

    return make


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    """An empty bank in memory with a clock that ticks, which verifies disputes."""
    clock, settings = ManualClock(1_700_000_000, step=1), Settings(disputes="verify")
    with MemoryBank("What is the capacity of the battery?", clock=clock, settings=settings) as opened:
        yield opened


@pytest.fixture(params=["en", "zh"])
def dispute(request: pytest.FixtureRequest, result: Result) -> tuple[ToolResult, ToolResult, ToolResult]:
    """Two sources that contradict each other and a third that agrees with the first."""
    texts = (OPERATOR, COURIER, REGISTER) if request.param == "en" else (OPERATOR_ZH, COURIER_ZH, REGISTER_ZH)
    first, second, third = (result(text, source) for text, source in zip(texts, "abc", strict=True))
    return first, second, third
