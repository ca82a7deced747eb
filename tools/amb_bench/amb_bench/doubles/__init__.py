"""What stands in for the world in tests, benches and trials: endpoints that misbehave, and stores that fail.

chat_server.py       a server that speaks OpenAI's chat protocol; chat_faults.py: how it goes wrong
streaming_server.py  the same with streams
local_chat.py        a chat model without a model; role_answers.py: what it answers
failing_store.py     a record store that fails at the call it is told to
"""

__all__: list[str] = []
