"""A chat model from its name: where it lives and whose key it gets."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from amb_chat import open_chat
from amb_core.errors import InvalidParameter, MissingExtra

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')

VARIABLES = "LLM_MODEL LLM_BASE_URL LLM_API_KEY OPENAI_BASE_URL OPENAI_API_KEY DEEPSEEK_API_KEY GEMINI_API_KEY".split()


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "variable", "endpoint"),
    [
        ("deepseek-flash", "DEEPSEEK_API_KEY", "https://api.deepseek.com"),
        ("gemini-2.5-flash", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai/"),
        ("gpt-5-mini", "OPENAI_API_KEY", "https://api.openai.com/v1/"),
    ],
)
def test_a_provider_is_known_by_the_name_of_its_model(
    monkeypatch: pytest.MonkeyPatch, name: str, variable: str, endpoint: str
) -> None:
    monkeypatch.setenv(variable, "sk-its-own")
    chat = open_chat(name)
    assert chat.endpoint.rstrip("/") == endpoint.rstrip("/")
    assert chat._client.api_key == "sk-its-own"


@pytest.mark.parametrize(("name", "warned"), [("qwen-max", True), ("gpt-5-mini", False)])
def test_a_name_that_nobody_knows_goes_to_openai_with_a_warning(
    name: str, warned: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "sk-somebodys")
    assert open_chat(name).endpoint == "https://api.openai.com/v1/"
    assert ("'qwen-max' is not known" in caplog.text) is warned


def test_what_is_set_in_the_env_file_counts_after_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("LLM_MODEL=from-file\nLLM_BASE_URL=http://127.0.0.1:7/v1\nLLM_API_KEY='sk-file'\n")
    chat = open_chat()
    assert (chat.model, chat.endpoint, chat._client.api_key) == ("from-file", "http://127.0.0.1:7/v1/", "sk-file")
    monkeypatch.setenv("LLM_MODEL", "from-environment")
    assert open_chat().model == "from-environment"


@pytest.mark.parametrize("name", [None, " "])
def test_without_a_name_it_says_what_to_set(name: str | None) -> None:
    with pytest.raises(InvalidParameter, match="LLM_MODEL"):
        open_chat(name)


def test_without_a_key_it_says_whose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openais")
    with pytest.raises(InvalidParameter, match="DEEPSEEK_API_KEY"):
        open_chat("deepseek-flash")


def test_litellm_is_named_in_front_of_its_model() -> None:
    name = "litellm:anthropic/claude-sonnet-5-5"
    if find_spec("litellm"):
        assert open_chat(name, api_key="x").model == "anthropic/claude-sonnet-5-5"
    else:
        with pytest.raises(MissingExtra, match=r"\[litellm\]"):
            open_chat(name, api_key="x")


@pytest.mark.parametrize("url", ["not a url", "http://[::1", "http://host:port/v1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidParameter, match="base URL"):
        open_chat("m", base_url=url)
