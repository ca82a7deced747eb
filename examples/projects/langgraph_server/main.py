"""A server for many users: one LangGraph agent, a memory for each user and thread, and users that can be deleted.

`python main.py` serves on http://127.0.0.1:8000; `python main.py --try` asks it as two users and ends.
"""

import argparse
import json
import os
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from amb_core import Banks
from amb_langgraph import AMBMiddleware

ORDERS = {"ann": "Order 4711: a brass lamp, sent on 3 May.", "ben": "Order 9902: an oak desk, waiting for wood."}


class Scripted(BaseChatModel):
    """Stands in for a model where no LLM_MODEL is set: it looks an order up once, then answers from what it sees."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *others: Any, **options: Any) -> ChatResult:
        seen = "\n".join(str(message.content) for message in messages)
        found = [line for line in seen.splitlines() if line.startswith("Order ")]
        user = next(part for part in ("ann", "ben") if f"I am {part}" in seen)
        call = {"name": "look_up_order", "args": {"user": user}, "id": f"call-{len(messages)}"}
        reply = AIMessage(found[-1]) if found else AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=reply)])


def look_up_order(user: str) -> str:
    """Look up the newest order of a user."""
    return ORDERS.get(user, "No order.")


def chat_model() -> BaseChatModel:
    """The model that LLM_MODEL names, such as openai:gpt-5-mini; else the scripted one."""
    if not os.environ.get("LLM_MODEL"):
        return Scripted()
    from langchain.chat_models import init_chat_model

    return init_chat_model(os.environ["LLM_MODEL"])


banks = Banks(os.environ.get("AMB_BANKS", "sqlite:///memories/"))
agent = create_agent(chat_model(), [look_up_order], middleware=[AMBMiddleware(banks)], checkpointer=InMemorySaver())


class Handler(BaseHTTPRequestHandler):
    """POST /chat {"user", "thread", "text"} gives {"answer"}; DELETE /users/NAME deletes all memory of a user."""

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["content-length"])))
        config: Any = {"configurable": {"user_id": said["user"], "thread_id": f"{said['user']}/{said['thread']}"}}
        asked: Any = {"messages": [("user", f"I am {said['user']}. {said['text']}")]}
        self.answer({"answer": agent.invoke(asked, config)["messages"][-1].content})

    def do_DELETE(self) -> None:
        deleted = banks.delete(user=self.path.rpartition("/")[2])
        self.answer({"left_bytes": deleted.bytes_left})

    def answer(self, body: dict[str, Any]) -> None:
        """Send JSON."""
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: requests hold what users wrote."""


def try_it(address: str) -> None:
    """Ask as two users, then delete one."""
    for user in ("ann", "ben"):
        body = json.dumps({"user": user, "thread": "1", "text": "Where is my order?"}).encode()
        print(user, json.load(urllib.request.urlopen(f"{address}/chat", data=body))["answer"])
    deletion = urllib.request.Request(f"{address}/users/ann", method="DELETE")
    print("bytes left of ann:", json.load(urllib.request.urlopen(deletion))["left_bytes"])


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
parser.add_argument("--try", dest="tries", action="store_true", help="ask as two users, and end")
options = parser.parse_args()
server = ThreadingHTTPServer(("127.0.0.1", 0 if options.tries else options.port), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
if options.tries:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try_it(f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    banks.close()
else:
    server.serve_forever()
# Prints: bytes left of ann: 0
