"""One agent of each framework as its users serve it: durable sessions of the framework's own, and `Banks` for memory.

Tests read this with `runpy`; as a program, `python hosts.py HOST FOLDER URL QUESTION…`, it is a process that asks as
user ann in thread 1.
"""

from __future__ import annotations

import asyncio
import json
import runpy
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from amb_core import Banks, Scope, Settings

story = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("story.py"))))


def _chat_client(url: str) -> Any:
    from openai import OpenAI

    return OpenAI(base_url=url, api_key="none")


class Host:
    """Serves any user and thread; `folder` holds what outlives the process."""

    inject = "missing"

    def __init__(self, folder: Path, url: str, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.url = folder, url
        self.banks = Banks(
            f"sqlite:///{folder}/banks/", settings=Settings(**{"prompt_budget_tokens": 16_000} | settings)
        )
        self.open()

    def open(self) -> None:
        """Make the agent."""

    async def ask(self, user: str, thread: int, text: str) -> str:
        """The agent's answer."""
        ...

    def file(self, user: str, thread: int) -> Path:
        """Where a session is kept."""
        return self.folder / f"session-{user}-{thread}.json"

    def close(self) -> None:
        """Close the banks."""
        self.banks.close()


class OpenAIAgents(Host):
    """Its SQLiteSession."""

    def open(self) -> None:
        from agents import Agent, OpenAIChatCompletionsModel, function_tool, set_tracing_disabled
        from openai import AsyncOpenAI

        from amb_openai_agents import attach

        set_tracing_disabled(True)
        self.model = OpenAIChatCompletionsModel("double", AsyncOpenAI(base_url=self.url, api_key="none"))
        own = [function_tool(tool) for tool in story.tools()]
        self.agent: Any = Agent("clerk", instructions=story.SYSTEM, model=self.model, tools=own)
        attach(self.agent, self.banks)

    async def ask(self, user: str, thread: int, text: str) -> str:
        from agents import Runner, SQLiteSession

        named = {"user_id": user, "thread_id": str(thread)}
        session = SQLiteSession(f"{user}-{thread}", self.folder / "sessions.db")
        run = await Runner.run(self.agent, text, context=named, session=session, max_turns=30)
        return str(run.final_output)


class PydanticAI(Host):
    """The message history as JSON."""

    def open(self) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        from amb_pydantic_ai import attach

        model = OpenAIChatModel("double", provider=OpenAIProvider(base_url=self.url, api_key="none"))
        self.agent: Any = Agent(model, instructions=story.SYSTEM, tools=story.tools(), deps_type=dict, name="clerk")
        attach(self.agent, self.banks)

    async def ask(self, user: str, thread: int, text: str) -> str:
        from pydantic_ai.messages import ModelMessagesTypeAdapter

        file, named = self.file(user, thread), {"user_id": user, "thread_id": str(thread)}
        history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else None
        run = await self.agent.run(text, deps=named, message_history=history)
        file.write_bytes(run.all_messages_json())
        return str(run.output)


class LangGraph(Host):
    """Its SQLite checkpointer."""

    def open(self) -> None:
        from langgraph.checkpoint.sqlite import SqliteSaver

        connection = sqlite3.connect(self.folder / "checkpoints.db", check_same_thread=False)
        self.graph = self.made(_relay_chat_model(self.url), SqliteSaver(connection))

    def made(self, model: Any, saver: Any) -> Any:
        """The graph."""
        from langchain.agents import create_agent

        from amb_langgraph import AMBMiddleware

        memory = [AMBMiddleware(self.banks)]
        return create_agent(model, story.tools(), system_prompt=story.SYSTEM, middleware=memory, checkpointer=saver)

    async def ask(self, user: str, thread: int, text: str) -> str:
        named = {"user_id": user, "thread_id": f"{user}-{thread}"}
        asked, config = {"messages": [("user", text)]}, {"configurable": named, "recursion_limit": 200}
        state = await asyncio.to_thread(self.graph.invoke, asked, config)
        return str(state["messages"][-1].content)


class DeepAgents(LangGraph):
    """The same saver under a deep agent."""

    def made(self, model: Any, saver: Any) -> Any:
        from deepagents import create_deep_agent

        from amb_langgraph import AMBMiddleware

        memory = [AMBMiddleware(self.banks)]
        return create_deep_agent(
            model, story.tools(), system_prompt=story.SYSTEM, middleware=memory, checkpointer=saver
        )


def _relay_chat_model(url: str) -> Any:
    """A LangChain model that asks the double."""
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, convert_to_openai_messages
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.utils.function_calling import convert_to_openai_tool

    client = _chat_client(url)

    class Relay(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "relay"

        def bind_tools(self, tools: Any, **options: Any) -> Any:
            return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])

        def _generate(self, messages: Any, *_: Any, tools: Any = (), **options: Any) -> ChatResult:
            chat: Any = convert_to_openai_messages(messages)
            said = client.chat.completions.create(model="double", messages=chat, tools=list(tools)).choices[0].message
            calls = [
                {"name": call.function.name, "args": json.loads(call.function.arguments), "id": call.id}
                for call in said.tool_calls or ()
            ]
            return ChatResult(generations=[ChatGeneration(message=AIMessage(said.content or "", tool_calls=calls))])

    return Relay()


class AgentFramework(Host):
    """The serialized AgentSession."""

    def open(self) -> None:
        from agent_framework import Agent, FunctionTool
        from agent_framework.openai import OpenAIChatCompletionClient

        from amb_agent_framework import AMBContextProvider

        client = OpenAIChatCompletionClient(model="double", api_key="none", base_url=self.url)
        own = [
            FunctionTool(name=tool.__name__, description=tool.__doc__ or "", func=tool, approval_mode="never_require")
            for tool in story.tools()
        ]
        memory = [AMBContextProvider(self.banks)]
        self.agent: Any = Agent(
            client=client, name="clerk", instructions=story.SYSTEM, tools=own, context_providers=memory
        )

    async def ask(self, user: str, thread: int, text: str) -> str:
        from agent_framework import AgentSession

        file = self.file(user, thread)
        if file.exists():
            session = AgentSession.from_dict(json.loads(file.read_text()))
        else:
            session = self.agent.create_session(session_id=str(thread))
            session.state["user_id"] = user
        answer = str((await self.agent.run(text, session=session)).text)
        file.write_text(json.dumps(session.to_dict()))
        return answer


class GoogleADK(Host):
    """Its DatabaseSessionService on SQLite."""

    def open(self) -> None:
        from google.adk.agents import LlmAgent
        from google.adk.apps import App
        from google.adk.runners import Runner
        from google.adk.sessions import DatabaseSessionService

        from amb_google_adk import AMBPlugin

        model, own = _relay_llm(self.url), story.tools()
        agent = LlmAgent(name="clerk", model=model, instruction=story.SYSTEM, tools=own)
        app = App(name="served", root_agent=agent, plugins=[AMBPlugin(self.banks)])
        sessions = DatabaseSessionService(f"sqlite+aiosqlite:///{self.folder}/sessions.db")
        self.runner = Runner(app=app, session_service=sessions)

    async def ask(self, user: str, thread: int, text: str) -> str:
        from google.genai import types

        named = {"app_name": "served", "user_id": user, "session_id": str(thread)}
        if await self.runner.session_service.get_session(**named) is None:
            await self.runner.session_service.create_session(**named)
        answer, asked = "", types.Content(role="user", parts=[types.Part(text=text)])
        async for event in self.runner.run_async(user_id=user, session_id=str(thread), new_message=asked):
            if event.content and event.content.parts and event.content.parts[0].text:
                answer = event.content.parts[0].text
        return answer


def _relay_llm(url: str) -> Any:
    """A model of ADK's that asks the double."""
    from google.adk.models import BaseLlm, LlmResponse
    from google.genai import types

    client = _chat_client(url)

    def told(content: Any) -> dict[str, Any]:
        role = {"model": "assistant"}.get(content.role, content.role)
        parts = [part.text or str(part.function_call or part.function_response) for part in content.parts]
        return {"role": role, "content": "\n".join(parts)}

    def declared(config: Any) -> list[dict[str, Any]]:
        named = [one for tool in config.tools or () for one in tool.function_declarations or ()]
        return [{"type": "function", "function": {"name": one.name, "description": one.description}} for one in named]

    class Relay(BaseLlm):
        async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
            chat: Any = [told(content) for content in llm_request.contents]
            asked = {"model": "double", "messages": chat, "tools": declared(llm_request.config)}
            said = (await asyncio.to_thread(lambda: client.chat.completions.create(**asked))).choices[0].message
            parts = [types.Part(text=said.content)] if said.content else []
            for call in said.tool_calls or ():
                named = types.FunctionCall(name=call.function.name, args=json.loads(call.function.arguments))
                parts.append(types.Part(function_call=named))
            yield LlmResponse(content=types.Content(role="model", parts=parts))

    return Relay(model="double")


class Strands(Host):
    """Its FileSessionManager; an agent of Strands is one conversation, so each thread has its own."""

    def open(self) -> None:
        from amb_strands import AMBPlugin

        self.plugin, self.agents = AMBPlugin(self.banks), dict[tuple[str, int], Any]()

    def made(self, user: str, thread: int) -> Any:
        """The agent of a thread."""
        from strands import Agent, tool
        from strands.models.openai import OpenAIModel
        from strands.session.file_session_manager import FileSessionManager

        return Agent(
            OpenAIModel(client_args={"base_url": self.url, "api_key": "none"}, model_id="double"),
            tools=[tool(each) for each in story.tools()],
            system_prompt=story.SYSTEM,
            plugins=[self.plugin],
            session_manager=FileSessionManager(f"{user}-{thread}", storage_dir=str(self.folder / "sessions")),
            callback_handler=None,
        )

    async def ask(self, user: str, thread: int, text: str) -> str:
        agent = self.agents.get((user, thread))
        if agent is None:
            agent = self.agents[user, thread] = self.made(user, thread)
        return str(await agent.invoke_async(text, invocation_state={"user_id": user})).strip()


class AutoGen(Host):
    """`save_state` and `load_state`, an agent a request."""

    def open(self) -> None:
        from autogen_ext.models.openai import OpenAIChatCompletionClient

        info: Any = {
            "vision": False,
            "function_calling": True,
            "json_output": False,
            "family": "unknown",
            "structured_output": False,
        }
        self.client = OpenAIChatCompletionClient(model="double", base_url=self.url, api_key="none", model_info=info)

    async def ask(self, user: str, thread: int, text: str) -> str:
        from autogen_agentchat.agents import AssistantAgent

        from amb_autogen import with_memory

        given: Any = with_memory(self.banks, tools=story.tools(), scope=Scope(user, str(thread)))
        agent = AssistantAgent("clerk", self.client, system_message=story.SYSTEM, max_tool_iterations=30, **given)
        file = self.file(user, thread)
        if file.exists():
            await agent.load_state(json.loads(file.read_text()))
        said: Any = (await agent.run(task=text)).messages[-1]
        file.write_text(json.dumps(await agent.save_state()))
        return str(said.to_text())


class CrewAI(Host):
    """No sessions: each kickoff begins anew, and memory alone goes on."""

    inject = "always"

    async def ask(self, user: str, thread: int, text: str) -> str:
        return await asyncio.to_thread(self._ask, user, thread, text)

    def _ask(self, user: str, thread: int, text: str) -> str:
        from crewai import LLM, Agent, Crew, Task
        from crewai.tools import tool

        from amb_crewai import memory

        llm: Any = LLM(model="openai/double", base_url=self.url, api_key="none", is_litellm=False)
        own = [tool(each) for each in story.tools()]
        agent = Agent(role="clerk", goal="Answer.", backstory=story.SYSTEM, tools=own, llm=llm, max_iter=30)
        crew = Crew(agents=[agent], tasks=[Task(description=text, expected_output="one sentence", agent=agent)])
        with memory(self.banks, crew, scope=Scope(user, str(thread))):
            return str(crew.kickoff().raw)


class Smolagents(Host):
    """No session store: the agent lives in the process, and memory alone outlives it."""

    inject = "always"

    def open(self) -> None:
        self.agents = dict[tuple[str, int], Any]()

    async def ask(self, user: str, thread: int, text: str) -> str:
        return await asyncio.to_thread(self._ask, user, thread, text)

    def _ask(self, user: str, thread: int, text: str) -> str:
        from smolagents import OpenAIModel, ToolCallingAgent, tool

        from amb_smolagents import attach

        agent = self.agents.get((user, thread))
        if agent is None:
            model = OpenAIModel("double", api_base=self.url, api_key="none")
            own = [tool(each) for each in story.tools()]
            agent = ToolCallingAgent(own, model, instructions=story.SYSTEM, max_steps=30, verbosity_level=0)
            attach(agent, self.banks, scope=Scope(user, str(thread)))
            self.agents[user, thread] = agent
        return str(agent.run(text, reset=False))


HOSTS: dict[str, Callable[..., Host]] = {
    "agent_framework": AgentFramework,
    "autogen": AutoGen,
    "crewai": CrewAI,
    "deepagents": DeepAgents,
    "google_adk": GoogleADK,
    "langgraph": LangGraph,
    "openai_agents": OpenAIAgents,
    "pydantic_ai": PydanticAI,
    "smolagents": Smolagents,
    "strands": Strands,
}


async def _main(host: str, folder: str, url: str, *numbers: str) -> None:
    served = HOSTS[host](Path(folder), url)
    for number in map(int, numbers):
        print(await served.ask("ann", 1, story.question("ann", 1, number)), flush=True)
    served.close()


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
