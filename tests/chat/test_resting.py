"""An endpoint that is down is left alone for a while, then asked once whether it is back."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread

import pytest
from pydantic import BaseModel

from amb_chat import Rest, ScriptedChatModel, StructuredChat
from amb_core import ManualClock
from amb_core.errors import InvalidParameter, ModelRefused, ModelUnavailable

DOWN = ModelUnavailable("down", failed_calls=5)


class Shape(BaseModel):
    yes: bool


def ask(structured: StructuredChat) -> Shape:
    return structured.ask(({"role": "user", "content": "?"},), Shape, purpose="test")


def test_an_endpoint_that_is_back_is_asked_as_before() -> None:
    clock = ManualClock(0)
    chat = ScriptedChatModel([DOWN, DOWN, DOWN, *['{"yes": true}'] * 5])
    structured = StructuredChat(chat, rest=Rest(now=clock.now))
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            ask(structured)
    clock.advance(60)
    assert [ask(structured).yes for _ in range(5)] == [True] * 5


def test_a_refusal_shows_that_the_endpoint_is_there() -> None:
    chat = ScriptedChatModel([DOWN, DOWN, ModelRefused("key"), DOWN, DOWN, '{"yes": true}'])
    structured = StructuredChat(chat, rest=Rest(now=lambda: 0.0))
    for _ in range(5):
        with pytest.raises((ModelUnavailable, ModelRefused)):
            ask(structured)
    assert ask(structured).yes


def test_only_one_of_many_threads_probes() -> None:
    rest, inside, end = Rest(failures=1, seconds=0), Event(), Event()
    with suppress(ModelUnavailable), rest.call():
        raise DOWN

    def probe() -> None:
        with rest.call():
            inside.set()
            end.wait(5)

    thread = Thread(target=probe)
    thread.start()
    assert inside.wait(5)
    with pytest.raises(ModelUnavailable), rest.call():
        pytest.fail("a second probe")
    end.set()
    thread.join()
    with rest.call():
        pass


@pytest.mark.parametrize("wrong", [{"failures": 0}, {"seconds": -1}])
def test_a_rest_that_makes_no_sense_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter):
        Rest(**wrong)
