"""All settings with defaults that work; each can be set in code, by `AMB_<NAME>` or in a `.env` file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin

from pydantic import AliasChoices, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from amb_core.errors import InvalidParameter
from amb_core.text.language import Language, detect_language

__all__ = ["CheckedSettings", "Settings", "near_names", "settings_table"]


def _seed_name(name: str, seed: str) -> AliasChoices:
    """Accept the field's own name, AMB_<NAME>, and the name the original design used."""
    return AliasChoices(name, f"AMB_{name.upper()}", seed)


class CheckedSettings(BaseSettings):
    """Settings from code, the environment or a `.env` file; InvalidParameter, naming their page, when one is wrong."""

    page: ClassVar[str] = "settings.md"

    def __init__(self, **values: Any) -> None:
        self._refuse_unknown(values)
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name = ".".join(str(part) for part in first["loc"]) or "a setting"
            wrong = first["msg"].partition(", unable to")[0]
            raise InvalidParameter(f"setting {name}: {wrong}. See docs/{self.page} for ranges.") from None

    @classmethod
    def _refuse_unknown(cls, values: Mapping[str, object]) -> None:
        """A name in code that is no setting is a mistake; other variables of the environment are not looked at."""
        if values.keys() <= cls.model_fields.keys():
            return
        names = {choice for name, field in cls.model_fields.items() for choice in (name, *_choices(field))}
        unknown = next((name for name in values if name not in names and not name.startswith("_")), None)
        if unknown is None:
            return
        if near := near_names(unknown, names):
            raise InvalidParameter(
                f"there is no setting {unknown}. Did you mean {' or '.join(near)}? See docs/{cls.page}."
            )
        raise InvalidParameter(f"there is no setting {unknown}. See docs/{cls.page} for all of them.")

    @classmethod
    def variables(cls) -> list[str]:
        """Every environment variable that a setting is read from."""
        prefix = str(cls.model_config.get("env_prefix") or "")
        return [name for field in cls.model_fields for name in _variables(field, cls.model_fields[field], prefix)]

    @classmethod
    def table(cls) -> str:
        """Every setting as a Markdown table: name, environment variables, default, range and meaning."""
        return settings_table(cls)


_MISSPELT = 0.8
"""How much of a name is right that was only misspelt; below that a word that both have tells more."""


def near_names(unknown: str, names: Collection[str]) -> list[str]:
    """The names that one which is none may have been meant for, three at most."""
    from difflib import SequenceMatcher, get_close_matches

    if found := get_close_matches(unknown, names, 1, _MISSPELT):
        return found
    words = set(unknown.casefold().split("_"))
    alike = [name for name in names if words.intersection(name.split("_"))]
    alike.sort(key=lambda name: (-SequenceMatcher(None, unknown, name).ratio(), name))
    return alike[:3] or get_close_matches(unknown, names, 1)


_STEADY_LOW_WATER = 0.6
"""The share of a bound that a transcript is cut to by default where the cache is preferred."""
_STEADY_FROM = 16_000
"""From this bound on a bill matters more than the last points of recall, where nothing else is preferred."""


class Settings(CheckedSettings):
    """How a bank works. Token figures are estimates in the sense of `amb_core.text.estimate_tokens`.

    Raises InvalidParameter when a value is outside its range.
    """

    model_config = SettingsConfigDict(
        env_prefix="AMB_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    # retrieval
    retrieval_k: Annotated[
        int,
        Field(
            ge=1,
            validation_alias=_seed_name("retrieval_k", "RETRIEVAL_K"),
            description="least number of nodes recall considers when no `k` is given",
        ),
    ] = 5
    alpha: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            validation_alias=_seed_name("alpha", "RETRIEVAL_ALPHA"),
            description="weight of the lexical score beside the dense one",
        ),
    ] = 0.4
    retrieval_mode: Annotated[
        Literal["hybrid", "lexical", "dense", "rrf"], Field(description="which scores rank the nodes")
    ] = "hybrid"
    candidates: Annotated[int, Field(ge=1, description="how many existing nodes a new one is compared with")] = 8

    disputes: Annotated[
        Literal["auto", "verify", "show"],
        Field(
            description="what is done about a dispute: `verify` plans a check, settles and merges, `show` only shows "
            "both sides; `auto`: `verify` where a model judges or an outer loop runs the steps, else `show`"
        ),
    ] = "auto"

    # windows of the agents
    agent_window: Annotated[
        int,
        Field(
            ge=50,
            validation_alias=_seed_name("agent_window", "CLASSIFICATION_AGENT_WINDOW"),
            description="tokens an agent takes in one call",
        ),
    ] = 8_000
    chunk_ratio: Annotated[
        float,
        Field(
            gt=0,
            le=1,
            validation_alias=_seed_name("chunk_ratio", "CHUNK_RATIO"),
            description="share of the window a chunk of a longer text may fill",
        ),
    ] = 0.9

    agent_deadline: Annotated[
        float,
        Field(gt=0, description="seconds one step of a model-driven agent may take before its local twin does it"),
    ] = 180.0

    keep: Annotated[
        Literal["all", "results"],
        Field(
            description="what an adapter takes into memory: `all` also what the agent and the user say and long "
            "arguments of calls, `results` only what tools return"
        ),
    ] = "all"

    # the block and the prompt
    inject: Annotated[
        Literal["auto", "missing", "always", "never"],
        Field(
            description="when a request gets a block: `missing` where memory knows what the request does not hold, "
            "`always` at every turn, `never`; `auto`: `missing` in hooks, `always` in `run_task` and `remember`"
        ),
    ] = "auto"
    block_tokens: Annotated[
        int,
        Field(
            ge=1,
            description="budget of a block when none is given; if not set, at most a fifth of `prompt_budget_tokens`, "
            "and two fifths of it in a request that something has left (a tenth where `prefer` comes to `cache`)",
        ),
    ] = 1_200
    prefer: Annotated[
        Literal["auto", "recall", "cache"],
        Field(
            description="what a request is made for: `recall` adds a small block that is chosen anew at each call, "
            "`cache` only what can be read from the provider's cache; `auto`: `cache` from a bound of 16,000 on"
        ),
    ] = "auto"
    placement: Annotated[Literal["tail", "user_prefix", "system"], Field(description="where the block goes")] = "tail"
    merge_with_last_user: Annotated[
        bool, Field(description="join the block to the last user message, for models that take no two in a row")
    ] = False
    prompt_budget_tokens: Annotated[
        int,
        Field(
            ge=200,
            validation_alias=_seed_name("prompt_budget_tokens", "MAX_CONTEXT_TOKENS"),
            description="bound of a whole request; if not set, at most half of `window_tokens`",
        ),
    ] = 32_000
    count_tokens: Annotated[
        str | None,
        Field(
            description="the tokenizer that requests are counted by (extra `tokens`): `o200k`, `cl100k`, `llama3`, "
            "`qwen3` or the name of a model; if not set, AMB's estimate of `o200k`"
        ),
    ] = None
    window_tokens: Annotated[int | None, Field(ge=400, description="the window of the model, where it is known")] = None
    high_water: Annotated[
        float, Field(gt=0, le=1, description="share of that bound a request is filled to at most, the block with it")
    ] = 1.0
    low_water: Annotated[
        float,
        Field(
            gt=0,
            le=1,
            description="share of that bound a transcript is cut to when it does not fit; if not set, 0.6 where "
            "`prefer` comes to `cache`",
        ),
    ] = 0.4
    keep_last: Annotated[int, Field(ge=0, description="how many of the newest tool results never leave")] = 2
    keep_tools: Annotated[
        tuple[str, ...],
        NoDecode,
        Field(
            description="tools whose newest calls and results stay, up to half of what a cut leaves: `Edit,mcp__db__*`"
        ),
    ] = ()
    max_raw_tokens: Annotated[
        int, Field(ge=50, description="tokens a raw result may keep, where the bound leaves room for more")
    ] = 32_000
    language: Annotated[
        Literal["auto", "en", "zh"],
        Field(description="language of AMB's own words in blocks; `auto`: that of the goal"),
    ] = "auto"

    # storage
    storage_dir: Annotated[
        Path | None,
        Field(
            validation_alias=_seed_name("storage_dir", "STORAGE_DIR"),
            description="folder for attachments; by default beside the store",
        ),
    ] = None
    temp_dir: Annotated[
        Path | None,
        Field(
            validation_alias=_seed_name("temp_dir", "TEMP_DIR"),
            description="folder for files that wait to be recognised; by default a private one",
        ),
    ] = None
    synchronous: Annotated[
        Literal["NORMAL", "FULL"], Field(description="what a commit waits for; `FULL` survives a power cut")
    ] = "NORMAL"
    digests: Annotated[
        Literal["lazy", "eager", "here", "worker"],
        Field(
            description="when notes are made of what comes in: `lazy` once somebody asks for them, where an adapter "
            "took it in and no model makes them, `eager` (or `here`) at once, `worker` in PostgreSQL by an `amb worker`"
        ),
    ] = "lazy"
    max_attachment_bytes: Annotated[int, Field(ge=1, description="size an attachment may have")] = 20_000_000
    index_file_from: Annotated[
        int, Field(ge=0, description="has no effect any more: a bank keeps no index beside its store")
    ] = 1_000
    vector_index: Annotated[
        Literal["exact", "hnsw"],
        Field(description="how vectors are searched; `hnsw` (extra `hnsw`) finds most of the best in large banks"),
    ] = "exact"
    hnsw_from: Annotated[int, Field(ge=1, description="up to how many vectors `hnsw` still searches exactly")] = 50_000
    keep_injections: Annotated[int, Field(ge=0, description="how many injected blocks are remembered")] = 1_000

    # failures
    strict: Annotated[
        bool, Field(description="raise when memory fails or a message does not fit whole, instead of going on")
    ] = False

    @field_validator("keep_tools", mode="before")
    @classmethod
    def _listed(cls, names: object) -> object:
        return tuple(name.strip() for name in names.split(",") if name.strip()) if isinstance(names, str) else names

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        budget = self.budget_for(self.window_tokens)
        object.__setattr__(self, "prompt_budget_tokens", budget)
        object.__setattr__(self, "block_tokens", self.block_for(budget))

    def budget_for(self, window_tokens: int | None) -> int:
        """The bound of a request to a model with this window: as set, or else at most half of the window."""
        if "prompt_budget_tokens" in self.model_fields_set or window_tokens is None:
            return self.prompt_budget_tokens
        return max(min(self.prompt_budget_tokens, window_tokens // 2), 200)

    def block_for(self, budget: int) -> int:
        """The budget of a block in a request with this bound: as set, or else at most a fifth of the bound."""
        return self.block_tokens if "block_tokens" in self.model_fields_set else min(self.block_tokens, budget // 5)

    def request_block_for(self, budget: int) -> int:
        """What memory may take of a request with this bound that something has left: as set, or two fifths of it.

        A tenth where the cache is preferred, for each block is sent anew at a cut and at new words of the user.
        """
        if "block_tokens" in self.model_fields_set:
            return self.block_tokens
        return budget // 10 if self.prefers_cache(budget) else budget * 2 // 5

    def low_water_for(self, budget: int) -> float:
        """The share of this bound that a transcript is cut to: as set, or else more where the cache is preferred.

        There a small block leaves the rest to the transcript, and a cut is read again at a tenth of its price.
        """
        is_set = "low_water" in self.model_fields_set
        return self.low_water if is_set or not self.prefers_cache(budget) else _STEADY_LOW_WATER

    def prefers_cache(self, budget: int) -> bool:
        """Whether requests of this bound hold only what a provider can read from its cache at the next one."""
        return self.prefer == "cache" or (self.prefer == "auto" and budget >= _STEADY_FROM)

    def language_for(self, text: str) -> Language:
        """The language of AMB's own words about a text, such as the goal: as set, else that of the text."""
        return detect_language(text) if self.language == "auto" else self.language


def settings_table(settings: type[BaseSettings]) -> str:
    """The settings of one kind as a Markdown table."""
    prefix = settings.model_config.get("env_prefix", "")
    rows = ["| name | environment | default | range | meaning |", "|---|---|---|---|---|"]
    for name, field in settings.model_fields.items():
        variables = ", ".join(f"`{variable}`" for variable in _variables(name, field, prefix))
        rows.append(f"| `{name}` | {variables} | {_default(field)} | {_range(field)} | {field.description} |")
    return "\n".join(rows)


def _default(field: FieldInfo) -> str:
    default: object = field.default
    if isinstance(default, tuple):
        default = ",".join(map(str, default)) or None
    shown = str(default).lower() if isinstance(default, bool) else default
    return "–" if shown is None else f"`{shown}`"


def _variables(name: str, field: FieldInfo, prefix: str) -> list[str]:
    """The environment variables a setting is read from, the first that is set."""
    names = _choices(field) or [f"{prefix}{name.upper()}"]
    return [name for name in names if name.isupper()]


def _choices(field: FieldInfo) -> list[str]:
    """The names that a setting is also known by."""
    alias = field.validation_alias
    return [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else []


def _range(field: FieldInfo) -> str:
    """The values a setting may have, in words."""
    if get_origin(field.annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(field.annotation))
    limits = {type(limit).__name__: getattr(limit, type(limit).__name__.lower(), None) for limit in field.metadata}
    signs = {"Ge": "≥", "Gt": ">", "Le": "≤", "Lt": "<"}
    return " and ".join(f"{signs[kind]} {value}" for kind, value in limits.items() if kind in signs)
