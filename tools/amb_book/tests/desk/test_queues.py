"""The contract of task queues, on all three places."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from amb_book.desk.queues import InMemoryTaskQueues, RecordTaskQueues, open_task_queues
from amb_book.desk.redis_queues import RedisTaskQueues
from amb_book.desk.tasks import TaskQueueStore, Turn
from amb_book.story import Story
from amb_book.testing.task_queue_store import TaskQueueStoreContract

from amb_core import InvalidParameter, StoreError
from amb_core.stores import InMemoryStore, SqliteStore

SERVER = shutil.which("redis-server")


class TestInMemory(TaskQueueStoreContract):
    @pytest.fixture
    def queues(self) -> TaskQueueStore:
        return InMemoryTaskQueues()


class TestRecordsInMemory(TaskQueueStoreContract):
    @pytest.fixture
    def queues(self) -> TaskQueueStore:
        return RecordTaskQueues(InMemoryStore())


class TestTheBooksFile(TaskQueueStoreContract):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> Iterator[None]:
        self.stores = [SqliteStore(tmp_path / "book.db")]
        self.file = tmp_path / "book.db"
        yield
        for store in self.stores:
            store.close()

    @pytest.fixture
    def queues(self) -> TaskQueueStore:
        return RecordTaskQueues(self.stores[0])

    def another(self, queues: TaskQueueStore) -> TaskQueueStore:
        self.stores.append(SqliteStore(self.file))
        return RecordTaskQueues(self.stores[-1])


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    if SERVER is None:
        pytest.skip("no redis-server is installed")
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "redis.sock"
        options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", folder]
        with subprocess.Popen([SERVER, *options], stdout=subprocess.DEVNULL) as server:
            try:
                for _ in range(200):
                    if socket.exists():
                        break
                    time.sleep(0.02)
                yield f"unix://{socket}"
            finally:
                server.terminate()


class TestRedis(TaskQueueStoreContract):
    @pytest.fixture
    def queues(self, redis_url: str, request: pytest.FixtureRequest) -> Iterator[TaskQueueStore]:
        self.url, self.book = redis_url, request.node.nodeid
        queues = RedisTaskQueues(redis_url, book=self.book)
        yield queues
        queues.close()

    def another(self, queues: TaskQueueStore) -> TaskQueueStore:
        return RedisTaskQueues(self.url, book=self.book)

    def test_books_and_authors_do_not_meet(self, queues: TaskQueueStore) -> None:
        queues.add("one", now=1.0)
        assert RedisTaskQueues(self.url, book="another").tasks() == []
        assert RedisTaskQueues(self.url, book=self.book, user="她").tasks() == []

    def test_a_client_that_was_passed_is_not_closed(self, queues: TaskQueueStore) -> None:
        import redis

        client: Any = redis.Redis.from_url(self.url)
        RedisTaskQueues(client, book=self.book).close()
        assert client.ping()
        client.close()


def test_a_desk_whose_tasks_are_in_redis_settles_into_the_book(redis_url: str, story: Story) -> None:
    one, other = (story.desk(queues=redis_url) for _ in range(2))
    one.send("/new chapter 3")
    one.send('{"status": {"of": "Lin Yue", "is": "dead"}}')
    one.send("/settle")
    assert other.send("/settle chapter 3").kind == "error"
    assert other.send("/switch chapter 3").proposal is not None
    assert other.send("/confirm").kind == "settled"
    assert one.send("/confirm").kind == "error"
    assert story.facts.about("Lin Yue").status == "dead"
    story.close()


def test_a_redis_server_that_is_not_there_is_a_store_error() -> None:
    pytest.importorskip("redis", reason="the extra redis is not installed")
    with pytest.raises(StoreError, match=r"[^.]\. Is the server running"):
        open_task_queues("redis://127.0.0.1:1/0")


def test_authors_of_one_book_have_tasks_of_their_own() -> None:
    store = InMemoryStore()
    one, other = RecordTaskQueues(store, user="a"), RecordTaskQueues(store, user="a:t1")
    task = one.add("one", now=1.0)
    one.append(task.id, Turn("author", "x", 1.0))
    assert other.tasks() == []
    assert other.add("other", now=1.0).id == "t1"
    assert other.turns("t1") == []


def test_a_url_that_names_no_place_for_tasks_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="redis://host"):
        open_task_queues("carrier-pigeon://")
    assert open_task_queues("memory://").tasks() == []
