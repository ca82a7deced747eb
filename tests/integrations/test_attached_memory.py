"""`attach` gives the same members back in every integration, whatever else its framework needs to know of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from amb_core import InvalidParameter, MemoryBank, Scope
from amb_core.adapter import AttachedMemory


def langgraph_agent() -> tuple[Any, Any]:
    from langchain.agents import create_agent
    from langchain_core.language_models import GenericFakeChatModel

    from amb_langgraph import attach

    return attach, create_agent(GenericFakeChatModel(messages=iter([])), [])


def openai_agent() -> tuple[Any, Any]:
    from agents import Agent

    from amb_openai_agents import attach

    return attach, Agent("a")


def pydantic_agent() -> tuple[Any, Any]:
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    from amb_pydantic_ai import attach

    return attach, Agent(TestModel())


def adk_agent() -> tuple[Any, Any]:
    from google.adk.agents import LlmAgent

    from amb_google_adk import attach

    return attach, LlmAgent(name="a")


def framework_agent() -> tuple[Any, Any]:
    from agent_framework import Agent
    from agent_framework.openai import OpenAIChatClient

    from amb_agent_framework import attach

    return attach, Agent(OpenAIChatClient(model="m", api_key="key"))


def autogen_agent() -> tuple[Any, Any]:
    from autogen_agentchat.agents import AssistantAgent
    from autogen_ext.models.replay import ReplayChatCompletionClient

    from amb_autogen import attach

    return attach, AssistantAgent("a", ReplayChatCompletionClient([]))


def strands_agent() -> tuple[Any, Any]:
    from strands import Agent
    from strands.models.openai import OpenAIModel

    from amb_strands import attach

    return attach, Agent(OpenAIModel(client_args={"api_key": "key"}, model_id="m"))


def smolagents_agent() -> tuple[Any, Any]:
    from smolagents import Model, ToolCallingAgent

    from amb_smolagents import attach

    return attach, ToolCallingAgent(tools=[], model=Model())


def crewai_agent() -> tuple[Any, Any]:
    from crewai import LLM, Agent

    from amb_crewai import attach

    return attach, Agent(role="a", goal="b", backstory="c", llm=LLM(model="openai/gpt-4o-mini", api_key="key"))


AGENTS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "langgraph": langgraph_agent,
    "openai_agents": openai_agent,
    "pydantic_ai": pydantic_agent,
    "google_adk": adk_agent,
    "agent_framework": framework_agent,
    "autogen": autogen_agent,
    "strands": strands_agent,
    "smolagents": smolagents_agent,
    "crewai": crewai_agent,
}
MARKED = [pytest.param(name, marks=getattr(pytest.mark, name)) for name in AGENTS]


@pytest.mark.parametrize("framework", MARKED)
def test_what_attach_gives_has_the_same_members_everywhere(framework: str) -> None:
    bank = MemoryBank("Find it.")
    attach, agent = AGENTS[framework]()
    memory = attach(agent, bank)
    assert isinstance(memory, AttachedMemory)
    assert memory.bank is bank
    assert memory.adapter.bank is bank
    assert memory.adapter_of(Scope(user="ann")).bank is bank
    assert memory.failures == {}


@pytest.mark.parametrize("framework", MARKED)
def test_a_wrong_option_is_told_when_it_is_given(framework: str) -> None:
    attach, agent = AGENTS[framework]()
    with pytest.raises(InvalidParameter, match="prompt_budget_tokens=…"):
        attach(agent, MemoryBank("Find it."), prompt_budget_tokens=8_000)
