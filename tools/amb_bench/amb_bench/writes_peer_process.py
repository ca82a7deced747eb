"""Another library in a process of its own, which may have another interpreter: writes and searches, a line each.

Reads JSON lines `{"add": text}`, `{"search": text}` and `{"finish": ""}`, and answers each with a JSON line. It runs as
a script and imports nothing of AMB, because the interpreter need not have what AMB needs.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

__all__ = ["main"]

_MODEL, _KEY = "gpt-4.1-mini", "none"
_EMBEDDING, _DIMENSION = "text-embedding-3-small", 1_536
_K = 10


class _Memory(Protocol):
    def add(self, text: str) -> object: ...
    def search(self, query: str) -> object: ...


class _Mem0:
    """mem0 with its defaults: one extraction a write, Qdrant on disk."""

    def __init__(self, url: str, folder: str) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": folder}
        library: Any = import_module("mem0")
        told = {"api_key": _KEY, "openai_base_url": url}
        store = {"path": f"{folder}/qdrant", "embedding_model_dims": _DIMENSION, "on_disk": True}
        self._memory = library.Memory.from_config(
            {
                "llm": {"provider": "openai", "config": {"model": _MODEL, **told}},
                "embedder": {"provider": "openai", "config": {"model": _EMBEDDING, **told}},
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": f"{folder}/history.db",
            }
        )

    def add(self, text: str) -> object:
        return self._memory.add([{"role": "user", "content": text}], user_id="u")

    def search(self, query: str) -> object:
        return self._memory.search(query, filters={"user_id": "u"}, top_k=_K)


class _LangMem:
    """LangMem's store manager over LangGraph's in-memory store, inserts and updates as by default."""

    def __init__(self, url: str, folder: str) -> None:
        models: Any = import_module("langchain_openai")
        told = {"api_key": _KEY, "base_url": url}
        embed = models.OpenAIEmbeddings(model=_EMBEDDING, check_embedding_ctx_length=False, **told)
        self._store: Any = import_module("langgraph.store.memory").InMemoryStore(
            index={"dims": _DIMENSION, "embed": embed}
        )
        self._manager: Any = import_module("langmem").create_memory_store_manager(
            models.ChatOpenAI(model=_MODEL, **told), namespace=("memories",), store=self._store
        )

    def add(self, text: str) -> object:
        return self._manager.invoke({"messages": [{"role": "user", "content": text}]})

    def search(self, query: str) -> object:
        return [item.value for item in self._store.search(("memories",), query=query, limit=_K)]


class _Graphiti:
    """Graphiti over an embedded Kuzu in memory, with its client for compatible endpoints."""

    def __init__(self, url: str, folder: str) -> None:
        os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
        clients: Any = import_module("graphiti_core.llm_client.openai_generic_client")
        config: Any = import_module("graphiti_core.llm_client.config").LLMConfig(
            api_key=_KEY, model=_MODEL, small_model=_MODEL, base_url=url
        )
        embedders: Any = import_module("graphiti_core.embedder.openai")
        rankers: Any = import_module("graphiti_core.cross_encoder.openai_reranker_client")
        driver: Any = import_module("graphiti_core.driver.kuzu_driver").KuzuDriver(db=":memory:")
        self._loop = asyncio.new_event_loop()
        self._graph: Any = import_module("graphiti_core").Graphiti(
            graph_driver=driver,
            llm_client=clients.OpenAIGenericClient(config=config),
            embedder=embedders.OpenAIEmbedder(
                config=embedders.OpenAIEmbedderConfig(embedding_model=_EMBEDDING, api_key=_KEY, base_url=url)
            ),
            cross_encoder=rankers.OpenAIRerankerClient(config=config),
        )
        self._kind: Any = import_module("graphiti_core.nodes").EpisodeType.text
        self._number = 0
        self._loop.run_until_complete(self._graph.build_indices_and_constraints())
        self._full_text(driver)

    def _full_text(self, driver: Any) -> None:
        """The full-text indices that a Kuzu driver leaves out of its schema, if it does."""
        with suppress(Exception):
            queries: Any = import_module("graphiti_core.graph_queries")
            provider: Any = import_module("graphiti_core.driver.driver").GraphProvider.KUZU
            for query in queries.get_fulltext_indices(provider):
                self._loop.run_until_complete(driver.execute_query(query))

    def add(self, text: str) -> object:
        self._number += 1
        adding = self._graph.add_episode(
            name=f"output {self._number}",
            episode_body=text,
            source=self._kind,
            source_description="tool output",
            reference_time=datetime(2026, 1, 1, tzinfo=UTC),
        )
        self._loop.run_until_complete(adding)
        return None

    def search(self, query: str) -> object:
        return [edge.fact for edge in self._loop.run_until_complete(self._graph.search(query, num_results=_K))]


class _AMem:
    """A-MEM; its local embedding model is replaced by vectors of letters, which ask no model."""

    def __init__(self, url: str, folder: str) -> None:
        os.environ |= {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": _KEY, "ANONYMIZED_TELEMETRY": "False"}
        os.chdir(folder)
        _stand_in_embedder()
        system: Any = import_module("agentic_memory.memory_system")
        self._memory = system.AgenticMemorySystem(llm_backend="openai", llm_model=_MODEL, api_key=_KEY)

    def add(self, text: str) -> object:
        return self._memory.add_note(text)

    def search(self, query: str) -> object:
        return [self._memory.read(found["id"]).content for found in self._memory.search(query, k=_K)]


class _Cognee:
    """cognee's add and cognify, with its embedded stores."""

    def __init__(self, url: str, folder: str) -> None:
        os.environ |= {
            "LLM_PROVIDER": "custom",
            "LLM_MODEL": f"openai/{_MODEL}",
            "LLM_ENDPOINT": url,
            "LLM_API_KEY": _KEY,
            "EMBEDDING_PROVIDER": "openai",
            "EMBEDDING_MODEL": f"openai/{_EMBEDDING}",
            "EMBEDDING_ENDPOINT": url,
            "EMBEDDING_API_KEY": _KEY,
            "EMBEDDING_DIMENSIONS": str(_DIMENSION),
            "DATA_ROOT_DIRECTORY": f"{folder}/data",
            "SYSTEM_ROOT_DIRECTORY": f"{folder}/system",
            "TELEMETRY_DISABLED": "1",
            "COGNEE_SKIP_CONNECTION_TEST": "true",
            "ENABLE_BACKEND_ACCESS_CONTROL": "false",
            "CACHING": "false",
        }
        self._library: Any = import_module("cognee")
        self._loop = asyncio.new_event_loop()

    def add(self, text: str) -> object:
        self._loop.run_until_complete(self._library.add(text))
        self._loop.run_until_complete(self._library.cognify())
        return None

    def search(self, query: str) -> object:
        kind = self._library.SearchType.CHUNKS
        return self._loop.run_until_complete(self._library.search(query_text=query, query_type=kind, top_k=_K))


class _SimpleMem:
    """SimpleMem as it comes: it buffers what it is told and digests a full window of it."""

    def __init__(self, url: str, folder: str) -> None:
        _stand_in_embedder()
        library: Any = import_module("simplemem")
        self._memory = library.SimpleMemSystem(
            api_key=_KEY, model=_MODEL, base_url=url, db_path=f"{folder}/db", clear_db=True
        )

    def add(self, text: str) -> object:
        return self._memory.add_dialogue("tool", text, "2026-01-01T00:00:00")

    def finish(self) -> object:
        """Digest what is still in the buffer."""
        return self._memory.finalize()

    def search(self, query: str) -> object:
        return [str(entry) for entry in self._memory.get_all_memories()]


def _stand_in_embedder() -> None:
    """A module in the place of sentence-transformers, whose models would have to be downloaded."""
    numpy: Any = import_module("numpy")

    class SentenceTransformer:
        def __init__(self, *names: object, **options: object) -> None:
            self.max_seq_length = 512

        def encode(self, texts: Any, **options: object) -> Any:
            rows = numpy.array([_letters(text) for text in ([texts] if isinstance(texts, str) else texts)])
            return rows[0] if isinstance(texts, str) else rows

        def get_sentence_embedding_dimension(self) -> int:
            return 384

    module: Any = ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer
    module.__spec__ = import_module("importlib.machinery").ModuleSpec("sentence_transformers", None)
    sys.modules["sentence_transformers"] = module


def _letters(text: str) -> list[float]:
    row = [0.0] * 384
    for a, b, c in zip(text, text[1:], text[2:], strict=False):
        row[(ord(a) * 961 + ord(b) * 31 + ord(c)) % 384] += 1.0
    norm = sum(value * value for value in row) ** 0.5 or 1.0
    return [value / norm for value in row]


_MAKERS: dict[str, Callable[[str, str], _Memory]] = {
    "mem0": _Mem0,
    "LangMem": _LangMem,
    "Graphiti": _Graphiti,
    "A-MEM": _AMem,
    "cognee": _Cognee,
    "SimpleMem": _SimpleMem,
}


def main(arguments: Sequence[str]) -> None:
    """Serve the memory named first, which asks the endpoint named second, until the input ends."""
    name, url = arguments
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever the library prints goes with its errors

    def answer(**what: object) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    with tempfile.TemporaryDirectory(prefix="amb-peer-", ignore_cleanup_errors=True) as folder:
        try:
            memory = _MAKERS[name](url, folder)
        except Exception as error:  # noqa: BLE001 - a peer that cannot start gives a row that says why
            answer(problem=f"{type(error).__name__}: {error}"[:300])
            return
        answer(ready=True)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                if "add" in asked:
                    memory.add(asked["add"])
                    answer(done=True)
                elif "finish" in asked:
                    getattr(memory, "finish", lambda: None)()
                    answer(done=True)
                else:
                    answer(found=str(memory.search(asked["search"])))
            except Exception as error:  # noqa: BLE001 - what a peer raises belongs into its row
                answer(problem=f"{type(error).__name__}: {error}"[:300])
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # threads that a library leaves behind must not keep the process alive
