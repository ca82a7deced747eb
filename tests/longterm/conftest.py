"""Long-term memories on every kind of store, at a time that is set by hand."""

import pytest
from amb_bench.doubles.failing_store import FailingStore

from amb_core import ManualClock
from amb_longterm import LongTermMemory

PROFILE = "user_profile/u1"
DAY = 86_400.0


@pytest.fixture
def clock():
    return ManualClock(1_700_000_000, step=0.001)


# Stores keep one contract, which test_record_store_contract.py holds: what is built on it runs on each at night.
@pytest.fixture(params=["sqlite", *(pytest.param(s, marks=pytest.mark.nightly) for s in ("memory", "json", "qdrant"))])
def url(request, tmp_path):
    """A place for a memory, one of each kind."""
    if request.param == "qdrant":
        pytest.importorskip("qdrant_client")
    places = {
        "memory": "memory://",
        "sqlite": f"sqlite:///{tmp_path}/memory.db",
        "json": f"json:///{tmp_path}/memory",
        "qdrant": f"qdrant:///{tmp_path}/qdrant",
    }
    return places[request.param]


@pytest.fixture
def memory(url, clock):
    with LongTermMemory(url, clock=clock) as opened:
        yield opened


@pytest.fixture
def plain(clock):
    """A memory in memory, for what does not depend on the store."""
    with LongTermMemory(clock=clock) as opened:
        yield opened


class Switched(FailingStore):
    """A store that is down from the next call on, until it is switched on again."""

    down = False

    def _do(self, name, action):
        if self.down:
            self.fail_at(1)
        return super()._do(name, action)


@pytest.fixture
def switched():
    """The kind of store that can be down for a while."""
    return Switched
