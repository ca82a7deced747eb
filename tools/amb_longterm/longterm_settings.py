"""The settings of long-term memory; each can be set in code, by `MEMORY_<NAME>` or in a `.env` file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from amb_core.settings import CheckedSettings

__all__ = ["LongTermSettings"]


class LongTermSettings(CheckedSettings):
    """How long-term memory works; raises InvalidParameter when a value is outside its range."""

    page = "longterm.md"
    model_config = SettingsConfigDict(
        env_prefix="MEMORY_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    # where
    backend: Annotated[
        str,
        Field(
            description="where records are kept: a URL, or `in_memory`, `json`, `sqlite`, `qdrant`, `chroma` for usual "
            "places"
        ),
    ] = "in_memory"
    fallback: Annotated[
        str, Field(description="where writes go while the store is down, to be carried over when it is back: a URL")
    ] = "memory://"
    dual_write: Annotated[
        bool, Field(description="keep the fallback in step with the store, so that searches go on without it")
    ] = False
    retry_after: Annotated[
        float, Field(ge=0, description="seconds after which a store that was down is tried again")
    ] = 5.0
    search_in: Annotated[
        Literal["index", "engine"],
        Field(
            description="who ranks: AMB's index, or the store's engine where it has one (Qdrant, Chroma, PostgreSQL)"
        ),
    ] = "index"
    most_loaded: Annotated[
        int | None,
        Field(
            ge=0,
            description="records up to which a namespace is loaded; the engine of the store, if it can (PostgreSQL), "
            "searches larger ones, and writes ask it too; none: any number",
        ),
    ] = 50_000

    # search: S = alpha · similarity + beta · exp(-decay_lambda · age in days) + gamma · boost
    top_k: Annotated[int, Field(ge=1, description="how many records a search gives at most")] = 5
    min_score: Annotated[
        float, Field(ge=0, le=1, description="least similarity of a hit; nothing is left out at 0")
    ] = 0.0
    alpha: Annotated[float, Field(ge=0, le=1, description="weight of the similarity")] = 0.8
    beta: Annotated[float, Field(ge=0, le=1, description="weight of the decay with age")] = 0.1
    gamma: Annotated[float, Field(ge=0, le=1, description="weight of the boost")] = 0.1
    decay_lambda: Annotated[float, Field(ge=0, description="decay per day of age")] = 0.02
    boost: Annotated[
        Literal["source", "freshness"],
        Field(description="what raises a record: its source and `score`, or that it was confirmed lately"),
    ] = "source"
    weak_below: Annotated[
        float, Field(ge=0, le=1, description="hits below this share of the best similarity are left out")
    ] = 0.0
    max_context_tokens: Annotated[
        int, Field(ge=20, description="tokens of memory put before the supervisor or a worker")
    ] = 400

    # writing
    default_ttl: Annotated[
        float | None, Field(gt=0, description="seconds a record lives when its metadata have no `ttl`; none: for good")
    ] = None
    capacity: Annotated[
        int | None, Field(ge=1, description="records a namespace holds; the least valuable go first; none: no limit")
    ] = None
    max_content_chars: Annotated[int, Field(ge=1, description="length a record may have")] = 100_000
    compared: Annotated[int, Field(ge=1, description="how many records a new text is compared with")] = 8

    # routing
    namespaces: Annotated[
        tuple[str, ...],
        NoDecode,
        Field(description="scopes that are looked into for a user, besides those of the workers"),
    ] = ("user_profile", "domain_facts")

    @field_validator("namespaces", mode="before")
    @classmethod
    def _listed(cls, names: object) -> object:
        return tuple(name.strip() for name in names.split(",") if name.strip()) if isinstance(names, str) else names
