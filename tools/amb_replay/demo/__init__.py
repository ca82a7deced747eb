"""The demo: thirty large results, twenty-five later questions, and what each way to keep a request small still has.

demo_material.py  the results, which this machine has, and the facts in them
demo_run.py       the talk, and every way with it
demo_command.py   `amb demo`
"""

from amb_core.deferred import deferred

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amb_replay.demo.demo_run import Talk, Way, run_ways, talk_of

__getattr__ = deferred(__name__, dict.fromkeys(("Talk", "Way", "run_ways", "talk_of"), "demo_run"))

__all__ = ["Talk", "Way", "run_ways", "talk_of"]
