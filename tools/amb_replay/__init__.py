"""Replays what agents did, and shows what would have gone into every request with and without memory.

traces = traces_in(Path("run.jsonl"))
runs = [replay_trace(trace, settings=Settings(), arms=DEFAULT_ARMS) for trace in traces]
write_replay_page(report_of(runs), "replay.html")

trace.py            a recorded run; chosen_traces.py: those that a user names
recorded_run.py     its messages with sizes, groups and model calls
replay_arms.py      what each arm would send; result_passages.py: BM25
later_use.py        what the next action uses of older results, and whether it stands in a request
request_cost.py     tokens that are new, tokens that are cached, prices
replay.py           all of it for one run; replay_figures.py: figures of several; replay_verdict.py: what they say
replay_report.py    the report as data, for a terminal, and as one HTML file
replay_command.py   `amb replay`; demo/: `amb demo`
"""

from amb_core.deferred import deferred
from amb_replay.trace import Trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amb_replay.chosen_traces import traces_in
    from amb_replay.replay import ReplayedRun, replay_trace
    from amb_replay.replay_arms import DEFAULT_ARMS
    from amb_replay.replay_report import PricedModel, ReplayReport, render_replay_page, report_of, write_replay_page

__getattr__ = deferred(
    __name__,
    {
        "DEFAULT_ARMS": "replay_arms",
        "PricedModel": "replay_report",
        "ReplayReport": "replay_report",
        "ReplayedRun": "replay",
        "render_replay_page": "replay_report",
        "replay_trace": "replay",
        "report_of": "replay_report",
        "traces_in": "chosen_traces",
        "write_replay_page": "replay_report",
    },
)

__all__ = [
    "DEFAULT_ARMS",
    "PricedModel",
    "ReplayReport",
    "ReplayedRun",
    "Trace",
    "render_replay_page",
    "replay_trace",
    "report_of",
    "traces_in",
    "write_replay_page",
]
