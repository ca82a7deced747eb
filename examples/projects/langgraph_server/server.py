"""A LangGraph agent that serves many people: each has memories of their own, and can be deleted.

`python server.py` serves on 127.0.0.1:8000. README.md says how to ask it.
In a Chinese environment, or with `AMB_LANGUAGE=zh`, its clerk speaks Chinese.
"""

import json
import os
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import HTMLResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from pydantic import BaseModel

from amb_core import Banks, Scope, Settings
from amb_inspector import render_page
from amb_langgraph import AMBMiddleware
from scripted_clerk import TEXTS, ScriptedClerk

FOLDER = Path(os.environ.get("FOLDER", "data"))
USERS = {"ann-secret": "ann", "ben-secret": "ben"}  # in your program: what your sign-in says about a token
SHOP: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name(TEXTS["orders"]).read_text(encoding="utf-8"))


def find_order(number: int, config: RunnableConfig) -> str:
    """Look up an order of the customer by its number."""
    # Whose order it is comes from the server and not from the model, so nobody can talk it into another one's.
    what = SHOP[config.get("configurable", {})["user_id"]].get(str(number))
    scans = [TEXTS["scan"].format(hour, minute, hour * 60 + minute) for hour in range(24) for minute in (5, 35)]
    return "\n".join([TEXTS["found"].format(number, what), *scans]) if what else TEXTS["none"].format(number)


def open_model() -> BaseChatModel:
    """A real model where there is a key, else the scripted one."""
    if os.environ.get("OPENAI_API_KEY"):
        return init_chat_model(os.environ.get("MODEL", "gpt-5-mini"), model_provider="openai")
    return ScriptedClerk()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open what the server keeps on disk: the talks (`threads`) and the memories (`banks`)."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    budget = Settings(prompt_budget_tokens=4_000)  # small, so that you see it work; 32,000 without this line
    banks = Banks(f"sqlite:///{FOLDER}/banks/", settings=budget)
    with SqliteSaver.from_conn_string(str(FOLDER / "threads.db")) as threads, closing(banks):
        threads.conn.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten in the file
        memory = [AMBMiddleware(banks, small_state=True)]
        app.state.agent = create_agent(
            open_model(), [find_order], system_prompt=TEXTS["instructions"], middleware=memory, checkpointer=threads
        )
        app.state.threads, app.state.banks, app.state.turns = threads, banks, defaultdict(Lock)
        yield


class Message(BaseModel):
    """What a customer says."""

    text: str


def signed_in(token: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]) -> str:
    """The user whose token it is."""
    if token.credentials not in USERS:
        raise HTTPException(401, TEXTS["nobody"])
    return USERS[token.credentials]


app = FastAPI(lifespan=lifespan)
User = Annotated[str, Depends(signed_in)]


@app.post("/threads/{thread}")
def ask(thread: str, message: Message, user: User) -> dict[str, Any]:
    """Say something in a thread of your own."""
    # LangGraph tells threads apart by thread_id alone, so the user is a part of it. AMB looks at both.
    config: RunnableConfig = {"configurable": {"thread_id": json.dumps([user, thread]), "user_id": user}}
    with app.state.turns[user]:
        state = app.state.agent.invoke({"messages": [("user", message.text)]}, config)
    said = state["messages"]
    asked_at = max(at for at, each in enumerate(said) if each.type == "human")
    return {"answer": said[-1].text, "tools": [each.name for each in said[asked_at:] if each.type == "tool"]}


@app.get("/threads/{thread}/memory", response_class=HTMLResponse)
def memory_page(thread: str, user: User) -> str:
    """The page of a thread's memory: what was in each request, and why."""
    return render_page(app.state.banks(Scope(user, json.dumps([user, thread]))).snapshot())


@app.delete("/me")
def delete_me(user: User) -> dict[str, int]:
    """Delete everything that is kept about you."""
    threads: SqliteSaver = app.state.threads
    with app.state.turns[user]:
        gone = app.state.banks.delete(user=user)
        found = [each.config.get("configurable", {}) for each in threads.list(None, filter={"user_id": user})]
        own = {each["thread_id"] for each in found}
        for thread_id in own:
            threads.delete_thread(thread_id)
        with threads.lock:
            threads.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return {"memories": gone.banks, "threads": len(own), "bytes_left": gone.bytes_left}


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "8000")))
