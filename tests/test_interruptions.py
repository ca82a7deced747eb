"""The tests hear an interruption however they were started."""

from __future__ import annotations

import signal
import subprocess
import sys


def test_a_process_of_a_test_that_a_shell_started_in_the_background_can_be_interrupted() -> None:
    waiting = "import sys, time; print('ready', flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", waiting], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (130, -signal.SIGINT)
