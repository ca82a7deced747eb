"""The settings of team memory; each can be set in code, by `AMB_TEAM_<NAME>` or in a `.env` file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from amb_core.settings import CheckedSettings

__all__ = ["TeamSettings"]


class TeamSettings(CheckedSettings):
    """How a team's memory works; raises InvalidParameter when a value is outside its range."""

    page = "team.md"
    model_config = SettingsConfigDict(
        env_prefix="AMB_TEAM_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    # what an agent keeps
    max_interactions: Annotated[int, Field(ge=1, description="interactions an agent keeps, the newest")] = 10
    max_evidence: Annotated[int, Field(ge=1, description="evidence an agent keeps, the most relevant")] = 50
    max_hypotheses: Annotated[int, Field(ge=1, description="hypotheses an agent keeps, the surest")] = 10
    max_observations: Annotated[int, Field(ge=1, description="key observations an agent keeps, the newest")] = 20
    max_plan: Annotated[
        int, Field(ge=1, description="steps of its plan an agent keeps, what is done left out first")
    ] = 20
    max_outputs: Annotated[int, Field(ge=0, description="raw model outputs an agent keeps, the newest")] = 50
    peer_alpha: Annotated[
        float, Field(gt=0, le=1, description="weight of the newest outcome in the success rate of a peer")
    ] = 0.3

    # what is put before an agent: score = relevance + recency + success, weighted
    relevance_weight: Annotated[float, Field(ge=0, description="weight of the likeness to the query")] = 0.6
    recency_weight: Annotated[float, Field(ge=0, description="weight of how new a record is")] = 0.2
    success_weight: Annotated[float, Field(ge=0, description="weight of how useful it has proved")] = 0.2
    top_shared: Annotated[int, Field(ge=0, description="hops and facts of the team in a block")] = 3
    top_private: Annotated[int, Field(ge=0, description="evidence, steps and hypotheses of the agent in a block")] = 3
    successful_tasks: Annotated[int, Field(ge=0, description="earlier tasks that went well in the first block")] = 1
    failed_tasks: Annotated[int, Field(ge=0, description="earlier tasks that failed in the first block")] = 1
    threshold: Annotated[
        float, Field(ge=0, le=1, description="share of a task's words that an earlier task has to have to be shown")
    ] = 0.3
    insights: Annotated[int, Field(ge=0, description="insights of earlier tasks in a block")] = 3
    skills: Annotated[int, Field(ge=0, description="retrieval skills of earlier tasks in the first block")] = 2
    block_tokens: Annotated[int, Field(ge=40, description="budget of a block when none is given")] = 600
    stronger: Annotated[
        float, Field(ge=1, description="how many times more is shown when a bridge is missing, or agents go in circles")
    ] = 2.0

    # searches and loops
    near_query: Annotated[
        float, Field(gt=0, le=1, description="share of words two queries have in common to be taken for one")
    ] = 0.8
    stuck_after: Annotated[int, Field(ge=1, description="turns without a new fact after which an agent is stuck")] = 3

    # what may go up a level
    least_confidence: Annotated[float, Field(ge=0, le=1, description="confidence a promoted record needs")] = 0.5
