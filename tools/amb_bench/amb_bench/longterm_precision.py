"""PrecisionMemBench by its own harness: does a search bring the right record of 35, and nothing beside it?

A checkout of the benchmark (with `npm install` done) in `longterm/precisionMemBench` of the data asks three endpoints
of a provider; here long-term memory answers them in the form that its harness has for mem0. The figures of the others
are those that the checkout reports.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from amb_bench.datasets import data_folder
from amb_bench.tables import Table
from amb_core.errors import AmbError, UnreadableSource
from amb_core.protocols import Embedder
from amb_longterm import LongTermMemory, LongTermSettings

__all__ = ["precision_table"]

_SUITE = "src/retrieval.external.eval.test.ts"
_WIRE = "mem0"
"""Whose form the endpoints have."""
_LONGEST = 540
_LEAST, _OF_BEST = 0.3, 0.5
"""Where a block of a supervisor is cut: the least similarity, and the least share of the best one's."""
_Row = tuple[str | float, ...]


def precision_table(embedder: Embedder | None = None) -> Table:
    """Our rows, and under them what the repository reports of others."""
    columns = ("PrecisionMemBench", "mean precision", "mean recall", "passed, of 77", "of them by what was found")
    rows: list[_Row] = []
    try:
        checkout = _checkout()
        arms = {"everything found": (0.0, 0.0), f"from {_LEAST} on, half of the best": (_LEAST, _OF_BEST)}
        for name, (least, weak) in arms.items():
            settings = LongTermSettings(min_score=least, weak_below=weak)
            rows.append(_row(f"AMB, {name}", _run(checkout, settings, embedder)))
        for file in (checkout / "test-results" / "baseline").glob("retrieval-report-*.json"):
            found = json.loads(file.read_text(encoding="utf-8"))
            rows.append(_row(f"{found['provider']}, as reported", found["retrieval"]))
    except (AmbError, OSError, subprocess.SubprocessError) as error:
        rows.append((str(error), *("–",) * 4))
    rows.sort(key=lambda row: -row[1] if isinstance(row[1], float) else 0.0)
    return Table("is it found, and nothing else", columns, tuple(rows), name="longterm precision_mem_bench")


def _checkout() -> Path:
    checkout = data_folder(None) / "longterm" / "precisionMemBench"
    if not (checkout / "node_modules").is_dir():
        raise UnreadableSource(f"no checkout of PrecisionMemBench with its packages (npm install) in {checkout}")
    return checkout


def _row(name: str, found: dict[str, Any]) -> _Row:
    figures = (float(found["meanPrecision"] or 0.0), float(found["meanRecall"] or 0.0))
    return (name, *figures, int(found["totalPassed"]), int(found["activeRetrievalPasses"]))


def _run(checkout: Path, settings: LongTermSettings, embedder: Embedder | None) -> dict[str, Any]:
    """The harness's report of one memory; a case that fails is no failure of the run."""
    report = checkout / "test-results" / f"retrieval-report-{_WIRE}.json"
    report.unlink(missing_ok=True)
    opened = LongTermMemory("memory://", embedder=embedder, redactor=None, settings=settings)
    with opened as memory, _serving(memory) as url:
        environment = {**os.environ, "MEMORY_PROVIDER": _WIRE, "MEM0_URL": url, "RESEED": "true"}
        command = ["npx", "ava", _SUITE, "--timeout", "10m"]
        subprocess.run(command, cwd=checkout, env=environment, capture_output=True, timeout=_LONGEST, check=False)
    if not report.is_file():
        raise UnreadableSource(f"the harness in {checkout} wrote no report; run it there by hand to see why")
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["retrieval"]
    return found


@contextmanager
def _serving(memory: LongTermMemory) -> Iterator[str]:
    """The URL of three endpoints of a memory: POST /add, POST /search, DELETE /reset."""

    class Endpoints(BaseHTTPRequestHandler):
        def do_DELETE(self) -> None:
            for space in memory.namespaces():
                for record in memory.records(space):
                    memory.delete(record.id, namespace=space)
            self._answer({"ok": True})

        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            space = f"user_profile/{told['user_id']}"
            if self.path == "/add":
                memory.write(told["text"], namespace=space, metadata={"belief": told["metadata"]["beliefId"]})
                self._answer({"ok": True})
            elif not told["query"].strip():
                self._answer({"results": []})
            else:
                hits = memory.search(told["query"], namespace=space, top_k=max(int(told.get("limit") or 20), 1))
                shown = ({"id": h.metadata["belief"], "memory": h.content, "score": h.score} for h in hits)
                self._answer({"results": list(shown)})

        def _answer(self, said: object) -> None:
            body = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the harness prints its own lines."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoints)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
