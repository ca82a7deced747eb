"""Both redactors keep the contract; the one by Presidio where its package is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from amb_contracts.redactor import RedactorContract
from amb_core.errors import InvalidParameter, MissingExtra
from amb_core.protocols import Redactor
from amb_extras import PresidioRedactor
from amb_redaction import PatternRedactor

INSTALLED = importlib.util.find_spec("presidio_analyzer") is not None


class TestPatternRedactor(RedactorContract):
    @pytest.fixture
    def redactor(self) -> Redactor:
        return PatternRedactor()


@pytest.mark.skipif(not INSTALLED, reason="needs the presidio extra")
class TestPresidioRedactor(RedactorContract):
    @pytest.fixture(scope="class")
    def redactor(self) -> Redactor:
        return PresidioRedactor()

    def test_a_pipeline_that_is_not_installed_is_named_and_not_downloaded(self) -> None:
        with pytest.raises(InvalidParameter, match="xx_no_such_pipeline"):
            PresidioRedactor(model="xx_no_such_pipeline")

    def test_entities_that_nothing_recognises_are_refused_with_those_there_are(self) -> None:
        with pytest.raises(InvalidParameter, match="EMAIL_ADDRESS"):
            PresidioRedactor(entities=["SHOE_SIZE"])


@pytest.mark.skipif(INSTALLED, reason="the presidio extra is installed")
def test_without_presidio_the_error_names_the_extra() -> None:
    with pytest.raises(MissingExtra, match=r"\[presidio\]"):
        PresidioRedactor()


@pytest.mark.slow
def test_presidio_is_not_imported_before_it_is_asked_for() -> None:
    code = "import sys, amb_redaction; sys.exit('presidio_analyzer' in sys.modules or 'spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
