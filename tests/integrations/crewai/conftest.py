"""CrewAI is told to send nothing, and to keep its own records out of the user's folders, before anything imports it."""

from __future__ import annotations

import os
import tempfile

FOLDER = tempfile.TemporaryDirectory(prefix="amb-crewai-", ignore_cleanup_errors=True)
os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false"}
os.environ |= {"CREWAI_STORAGE_DIR": FOLDER.name, "CREWAI_TESTING": "true"}  # the latter: ask no questions
