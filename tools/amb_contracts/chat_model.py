"""The contract of `ChatModel`: subclass it and provide the fixture `chat`, a model that answers any request."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.protocols import ChatModel

__all__ = ["ChatModelContract"]

_ASKED = ({"role": "system", "content": "Answer briefly."}, {"role": "user", "content": "你好, what is the time?"})


class ChatModelContract:
    """What every chat model promises, one sentence a test."""

    @staticmethod
    def ask(chat: ChatModel) -> ChatReply:
        """The answer to a small request."""
        return chat.complete(ChatRequest(messages=_ASKED, max_output_tokens=64, purpose="contract"))

    def test_it_says_which_model_it_is_and_where(self, chat: ChatModel) -> None:
        assert isinstance(chat, ChatModel)
        assert chat.model.strip()
        assert chat.endpoint.strip()

    def test_an_answer_is_text_with_a_reason_to_end(self, chat: ChatModel) -> None:
        reply = self.ask(chat)
        assert isinstance(reply.text, str)
        assert reply.finish_reason in ("stop", "length", "tool_calls", "content_filter")

    def test_every_answer_says_what_it_cost(self, chat: ChatModel) -> None:
        usage = self.ask(chat).usage
        assert usage.calls == 1
        assert usage.prompt_tokens > 0
        assert usage.completion_tokens >= 0

    def test_threads_may_share_it(self, chat: ChatModel) -> None:
        with ThreadPoolExecutor(4) as pool:
            replies = list(pool.map(lambda _: self.ask(chat), range(4)))
        assert [reply.usage.calls for reply in replies] == [1] * 4
