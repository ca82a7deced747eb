import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from amb_agents import local_agents
from amb_agents.prompts import ROLES
from amb_core import MemoryBank, StepResult
from amb_core.attachments import Attachment
from amb_core.protocols import Agents


class Gate:
    """A structure agent that lets nobody through before `parties` have drafted their text."""

    def __init__(self, inner, *, parties):
        self._inner = inner
        self._barrier = threading.Barrier(parties)

    def structure(self, request):
        self._barrier.wait(timeout=20)
        return self._inner.structure(request)


def test_two_contradictory_results_absorbed_at_the_same_moment_meet(result):
    agents = local_agents()
    gated = replace(agents, structure=Gate(agents.structure, parties=2))
    texts = ["青屿海水淡化厂的日产水量为8万吨。", "青屿海水淡化厂的日产水量为5万吨。"]
    with MemoryBank("日产水量是多少？", agents=gated) as bank, ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda text: bank.absorb(result(text, text)), texts))

        assert len(bank.conflicts) == 1


@pytest.mark.parametrize("wait", [True, False])
def test_one_call_handed_over_by_several_threads_is_taken_in_once(result, tmp_path, wait):
    file = tmp_path / "plan.txt"
    file.write_bytes(b"The quay is 80 metres long. " * 200_000)
    attached = Attachment(id="f", type="document", content=str(file))
    barrier = threading.Barrier(4)
    with MemoryBank("How long is the quay?", store=f"sqlite:///{tmp_path / 'bank.db'}") as bank:

        def absorb(_: int) -> None:
            call = result("The quay is 80 metres long.", call_id="call-1", attachments=(attached,))
            barrier.wait(timeout=20)
            bank.absorb(call, wait=wait)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(absorb, range(4)))
        bank.host.flush()
        [entry] = bank.snapshot().entries

        assert len(bank.nodes) == 1
        assert [str(kept) for kept in tmp_path.rglob("*plan.txt") if kept != file] == [entry.attachments[0].content]


class Curious:
    """Agents of every role that look at the bank from another thread before they answer."""

    def __init__(self, inner):
        self._inner, self.bank, self.locked_out = inner, None, []

    def __getattr__(self, name):
        ask = getattr(self._inner, name)

        def answered(request):
            if self.bank is not None:
                looking = threading.Thread(target=lambda: self.bank.size, daemon=True)
                looking.start()
                looking.join(timeout=5)
                if looking.is_alive():
                    self.locked_out.append(name)
            return ask(request)

        return answered


def test_no_agent_keeps_others_from_the_bank_while_it_thinks(dispute):
    local = local_agents()
    curious = {role: Curious(getattr(local, role)) for role in ROLES}
    with MemoryBank("What is the capacity?", agents=Agents(**curious)) as bank:
        for agent in curious.values():
            agent.bank = bank
        for source in dispute:
            bank.absorb(source)
            bank.host.enhance()
        bank.host.finish_step(StepResult(text="18 MWh"))
        bank.host.undo_merge("m1")
        bank.plan()
        bank.host.finish_step(StepResult(text=dispute[2].output))

        assert bank.usage.agent_calls.keys() >= {"classification", "structure", "analysis", "integration", "planning"}
    assert [agent.locked_out for agent in curious.values()] == [[]] * 5
