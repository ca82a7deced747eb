"""The five model-driven agents on one model, or on a model for each role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from amb_agents import local_agents
from amb_agents.prompted.asker import Asker
from amb_agents.prompted.prompted_analysis import PromptedAnalysis
from amb_agents.prompted.prompted_classification import PromptedClassification
from amb_agents.prompted.prompted_digest import PromptedDigest
from amb_agents.prompted.prompted_integration import PromptedIntegration
from amb_agents.prompted.prompted_planning import PromptedPlanning
from amb_agents.prompted.prompted_structure import PromptedStructure
from amb_agents.prompts import ROLES
from amb_chat.structured_chat import StructuredChat
from amb_chat.usage_meter import UsageMeter
from amb_core.errors import InvalidParameter
from amb_core.protocols import Agents, ChatModel
from amb_core.settings import Settings

__all__ = ["llm_agents", "open_prompted"]

_DIGESTING = ("classification", "structure", "analysis")
"""The roles that one call does together."""


def llm_agents(
    chat: ChatModel | Mapping[str, ChatModel],
    *,
    settings: Settings | None = None,
    meter: UsageMeter | None = None,
    fused: bool = True,
) -> Agents:
    """Agents that ask `chat`: one model for all roles, or a mapping from role to model; other roles stay local.

    The roles are classification, structure, analysis, integration and planning. Where one model has the first three,
    a text is taken in with one call for each window of it; `fused=False` asks a call for each role. `meter` counts what
    is spent and may hold a budget. InvalidParameter for a role there is not.
    """
    settings, meter = settings or Settings(), meter or UsageMeter()
    models = dict(chat) if isinstance(chat, Mapping) else dict.fromkeys(ROLES, chat)
    unknown = models.keys() - set(ROLES)
    if unknown:
        raise InvalidParameter(f"there is no role {min(unknown)!r}; there are: {', '.join(ROLES)}")
    askers: dict[int, Asker] = {}
    local = agents = local_agents(settings)
    for role, model in models.items():
        asker = askers.setdefault(id(model), Asker(StructuredChat(model, meter=meter), settings=settings))
        match role:
            case "classification":
                agents = replace(agents, classification=PromptedClassification(asker, rules=local.classification))
            case "structure":
                agents = replace(agents, structure=PromptedStructure(asker))
            case "analysis":
                agents = replace(agents, analysis=PromptedAnalysis(asker, rules=local.analysis))
            case "integration":
                agents = replace(agents, integration=PromptedIntegration(asker))
            case "planning":
                agents = replace(agents, planning=PromptedPlanning(asker, rules=local.planning))
    digesting = {id(models.get(role)) for role in _DIGESTING}
    if fused and len(digesting) == 1 and (one := askers.get(digesting.pop())) is not None:
        agents = replace(agents, digest=PromptedDigest(one, local=local))
    return agents


def open_prompted(model: str, *, settings: Settings) -> Agents:
    """What `open_agents` gives for "prompted" and "prompted:MODEL": all ask that model, or LLM_MODEL's."""
    from amb_chat import open_chat  # here, for a bank with a model of yours needs none of its clients

    return llm_agents(open_chat(model or None), settings=settings)
