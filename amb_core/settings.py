"""All settings with defaults that work; each can be set in code, by `AMB_<NAME>` or in a `.env` file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from amb_core.errors import InvalidParameter

__all__ = ["Settings"]


def _seed_name(name: str, seed: str) -> AliasChoices:
    """Accept the field's own name, AMB_<NAME>, and the name the original design used."""
    return AliasChoices(name, f"AMB_{name.upper()}", seed)


class Settings(BaseSettings):
    """How a bank works. Token figures are estimates in the sense of `amb_core.text.estimate_tokens`.

    Raises InvalidParameter when a value is outside its range.
    """

    model_config = SettingsConfigDict(
        env_prefix="AMB_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    # retrieval
    retrieval_k: Annotated[int, Field(ge=1, validation_alias=_seed_name("retrieval_k", "RETRIEVAL_K"))] = 5
    alpha: Annotated[float, Field(ge=0, le=1, validation_alias=_seed_name("alpha", "RETRIEVAL_ALPHA"))] = 0.4
    retrieval_mode: Literal["hybrid", "lexical", "dense", "rrf"] = "hybrid"
    candidates: Annotated[int, Field(ge=1)] = 8

    # windows of the agents
    agent_window: Annotated[
        int, Field(ge=50, validation_alias=_seed_name("agent_window", "CLASSIFICATION_AGENT_WINDOW"))
    ] = 8_000
    chunk_ratio: Annotated[float, Field(gt=0, le=1, validation_alias=_seed_name("chunk_ratio", "CHUNK_RATIO"))] = 0.9

    # the block and the prompt
    block_tokens: Annotated[int, Field(ge=1)] = 1_200
    placement: Literal["tail", "user_prefix", "system"] = "tail"
    prompt_budget_tokens: Annotated[
        int, Field(ge=200, validation_alias=_seed_name("prompt_budget_tokens", "MAX_CONTEXT_TOKENS"))
    ] = 8_000
    high_water: Annotated[float, Field(gt=0, le=1)] = 0.8
    low_water: Annotated[float, Field(gt=0, le=1)] = 0.5
    keep_last: Annotated[int, Field(ge=0)] = 2
    max_raw_tokens: Annotated[int, Field(ge=50)] = 2_000
    language: Literal["auto", "en", "zh"] = "auto"

    # storage
    storage_dir: Annotated[Path | None, Field(validation_alias=_seed_name("storage_dir", "STORAGE_DIR"))] = None
    temp_dir: Annotated[Path | None, Field(validation_alias=_seed_name("temp_dir", "TEMP_DIR"))] = None
    synchronous: Literal["NORMAL", "FULL"] = "NORMAL"
    max_attachment_bytes: Annotated[int, Field(ge=1)] = 20_000_000
    keep_injections: Annotated[int, Field(ge=0)] = 1_000

    # failures
    strict: bool = False

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name = ".".join(str(part) for part in first["loc"]) or "a setting"
            raise InvalidParameter(f"setting {name}: {first['msg']}. See docs/settings.md for ranges.") from None
