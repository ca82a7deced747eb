"""Whatever a provider sends, the client gets it, and memory reads what can be read of it."""

from __future__ import annotations

import json

import httpx2
import pytest
from amb_bench.doubles.bare_provider import PATHS, body_of, head, streamed, whole

from amb_proxy.event_stream import EventReader

pytestmark = pytest.mark.slow

DEEP = b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}"
DEEP_OBJECTS = b'{"a":' * 5_000 + b"1" + b"}" * 5_000
LARGE_NUMBER = b'{"index":' + b"9" * 5_000 + b"}"
ANYWHERE = [b"[]", b"7", b"null", b'"x"', b"{", b"", b"\xff\xfe{}", b"{\x00}", b"NaN", DEEP, DEEP_OBJECTS, LARGE_NUMBER]
OBJECTS = {
    "chat": [
        *(
            b'{"choices":%s}' % odd
            for odd in (b'["x"]', b"[null]", b'{"a":1}', b"7", b'"x"', b"[[]]", b"[{}]", b"null")
        ),
        *(
            b'{"choices":[{"index":0,"delta":%s}]}' % odd
            for odd in (
                b'"x"',
                b"7",
                b"[1]",
                b"null",
                b'{"tool_calls":[null]}',
                b'{"tool_calls":"abc"}',
                b'{"tool_calls":7}',
                b'{"tool_calls":{"a":1}}',
                b'{"tool_calls":[{"index":[]}]}',
                b'{"tool_calls":[{"index":{},"function":"x"}]}',
                b'{"tool_calls":[{"index":0,"function":[1]}]}',
                b'{"content":NaN}',
                b'{"content":{"a":1}}',
                b'{"content":"\\ud83d"}',
                b'{"role":[],"content":[]}',
            )
        ),
        b'{"choices":[{"index":[],"delta":{}}]}',
        b'{"choices":[{"index":1e999,"delta":{}}]}',
        b'{"error":{"message":"x"}}',
    ],
    "anthropic": [
        b'{"type":[]}',
        b'{"type":{"a":1}}',
        *(b'{"type":"message_start","message":%s}' % odd for odd in (b"7", b"[]", b'"x"', b"null")),
        *(b'{"type":"content_block_start","index":%s}' % odd for odd in (b"[]", b"{}", b'"x"', b"null", b"-1")),
        *(b'{"type":"content_block_start","index":7,"content_block":%s}' % odd for odd in (b"7", b"[]", b'"x"')),
        *(b'{"type":"content_block_delta","index":0,"delta":%s}' % odd for odd in (b"7", b'["x"]', b'"x"')),
        b'{"type":"content_block_delta","index":0,"delta":{"text":7,"partial_json":[],"citation":"x"}}',
        b'{"type":"message_delta","delta":"x"}',
    ],
    "responses": [
        b'{"type":[]}',
        b'{"type":{"a":1}}',
        *(b'{"type":"response.created","response":%s}' % odd for odd in (b"7", b"[]", b'"x"', b"null")),
        *(b'{"type":"response.output_item.added","output_index":%s}' % odd for odd in (b"[]", b"{}", b'"x"', b"null")),
        b'{"type":"response.output_item.added","output_index":9,"item":"x"}',
        b'{"type":"response.output_text.delta","output_index":[],"sequence_number":"x"}',
    ],
}
CALL = {
    "index": 0,
    "id": "call_7fQ2mZp9XcVb4KtR8sLd",
    "type": "function",
    "function": {"name": "look", "arguments": "{}"},
}
ITEM = {"type": "function_call", "call_id": "call_Jk3Vn8QwLz5Rt2Yx7BmP", "name": "look", "arguments": "{}"}
BLOCK = {"type": "tool_use", "id": "toolu_01Hs9KdPq4Zm7Xv2RtYw", "name": "look", "input": {}}
ENDS = {
    "chat": [
        {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ],
    "anthropic": [
        {"type": "content_block_start", "index": 0, "content_block": BLOCK},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ],
    "responses": [{"type": "response.completed", "response": {"id": "r", "status": "completed", "output": [ITEM]}}],
}
WHOLE = {
    "chat": {"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": [CALL]}}]},
    "anthropic": {"type": "message", "content": [BLOCK]},
    "responses": {"status": "completed", "output": [ITEM]},
}
ODD_WHOLES = {
    "chat": [
        *(b'{"choices":%s}' % odd for odd in (b'["x"]', b"[null]", b'{"a":1}', b"7", b"[]")),
        *(b'{"choices":[{"message":%s}]}' % odd for odd in (b"7", b'"x"', b"[]", b'{"content":[7]}')),
        *(
            b'{"choices":[{"message":{"tool_calls":%s}}]}' % odd
            for odd in (b"7", b'"abc"', b"[null]", b'[{"function":7}]')
        ),
    ],
    "anthropic": [b'{"type":"message","content":%s}' % odd for odd in (b"7", b'"x"', b"[null]", b'[{"type":[]}]')],
    "responses": [
        b'{"output":%s}' % odd for odd in (b"7", b'"x"', b"[null]", b'[{"type":[]}]', b'[{"type":"message"}]')
    ],
}
FORMS = list(PATHS)


@pytest.fixture(params=["bare", "bare_deep"])
def pair(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(params=FORMS)
def form(request):
    return request.param


@pytest.fixture(scope="module", autouse=True)
def _client():
    with httpx2.Client(headers={"authorization": "Bearer A"}, timeout=20) as client:
        ask.client = client
        yield


def ask(pair, form, reply, *, stream):
    pair.says(reply)
    headers = {"x-amb-conversation": f"odd-{form}"}
    return ask.client.post(pair.url + PATHS[form], content=body_of(form, stream=stream), headers=headers)


def found_by_call(pair, form):
    """How a client that names no conversation is found: by the call in the reply, if that was read."""
    result = {
        "chat": [
            {"role": "assistant", "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": CALL["id"], "content": "x"},
        ],
        "anthropic": [
            {"role": "assistant", "content": [BLOCK]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": BLOCK["id"], "content": "x"}]},
        ],
        "responses": [ITEM, {"type": "function_call_output", "call_id": ITEM["call_id"], "output": "x"}],
    }[form]
    body = json.loads(body_of(form, stream=False))
    body["input" if form == "responses" else "messages"] += result
    pair.says(whole(b"{}"))
    answer = ask.client.post(pair.url + PATHS[form], json=body)
    return answer.headers["x-amb"]


@pytest.mark.parametrize("at_once", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_every_odd_event_of_a_stream_is_passed_on_and_the_rest_is_read(pair, form, at_once):
    ends = [b"data: " + json.dumps(each).encode() + b"\n\n" for each in ENDS[form]]
    odd_ones, lost = [*ANYWHERE, *OBJECTS[form]], []
    for odd in [b"\n\ndata: ".join(odd_ones)] if at_once else odd_ones:
        events = [b"data: " + odd + b"\n\n", b": a remark\n\n", *ends, b"data: [DONE]\n\n"]
        answer = ask(pair, form, streamed(*events), stream=True)
        if answer.content != b"".join(events) or "bypass" in answer.headers["x-amb"]:
            lost.append((odd[:60], answer.content[-100:]))
    assert not lost
    assert "by=call-id" in found_by_call(pair, form)


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_odd_whole_reply_is_passed_on(pair, form, every):
    odd_ones, lost = [*ANYWHERE, *ODD_WHOLES[form]], []
    for odd in [*odd_ones[::every], b"\xef\xbb\xbf" + json.dumps(WHOLE[form]).encode()]:
        answer = ask(pair, form, whole(odd), stream=False)
        if answer.content != odd or answer.status_code != 200:
            lost.append((odd[:60], answer.status_code, answer.content[-100:]))
    assert not lost
    assert "by=call-id" in found_by_call(pair, form)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\r\n\n", "\n\r\n", "\r\r\n"])
def test_events_end_at_a_blank_line_however_lines_end(pair, form, end):
    events = ["data: " + json.dumps(each) + end for each in ENDS[form]]
    content = ("\ufeffevent: x" + end[: len(end) // 2] + "".join(events) + end).encode()
    assert ask(pair, form, streamed(content[:20], content[20:]), stream=True).content == content
    assert "by=call-id" in found_by_call(pair, form)


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\n\n", b"\n\r\n", b"\n\r", b"\r\n\r"])
def test_events_are_cut_alike_in_whatever_pieces_they_come(end):
    text = end.join([b'data: {"a":1}', b"event: b" + end[: len(end) // 2] + b"data: x", b": c", b"d"])
    expected = EventReader().feed(text)
    assert len(expected) == 3
    for at in range(len(text)):
        reader = EventReader()
        assert [*reader.feed(text[:at]), *reader.feed(text[at:])] == expected
    reader = EventReader()
    assert [event for at in range(len(text)) for event in reader.feed(text[at : at + 1])] == expected


@pytest.mark.parametrize("form", ["anthropic", "responses", "chat"])
def test_an_event_that_is_edited_keeps_its_other_lines_and_half_of_an_emoji(form, bare_deep):
    ours = {"name": "deep_retrieval", "arguments": "{}"}
    texts = {
        "chat": [
            {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "o", "function": ours}]}}]},
            {"choices": [{"index": 0, "delta": {"content": "\ud83d", "tool_calls": [{**CALL, "index": 1}]}}]},
        ],
        "anthropic": [
            {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "o", **ours}},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "\ud83d"}},
        ],
        "responses": [
            {"type": "response.output_item.added", "output_index": 0, "item": {"type": "function_call", **ours}},
            {"type": "response.output_text.delta", "output_index": 1, "delta": "\ud83d"},
            {"type": "response.output_item.added", "output_index": 1, "item": {"type": "message"}},
        ],
    }[form]
    events = [f"id: {at}\ndata: {json.dumps(each)}\n\n".encode() for at, each in enumerate(texts)]
    content = ask(bare_deep, form, streamed(*events), stream=True).content
    assert b"deep_retrieval" not in content
    assert b"id: 1\n" in content
    assert b"\\ud83d" in content


def test_a_length_beside_chunks_and_a_status_nobody_knows_do_not_break_an_answer(bare):
    chunked = head("application/json", "transfer-encoding: chunked", length=3)
    answer = ask(bare, "chat", [chunked, b"2\r\n{}\r\n0\r\n\r\n"], stream=False)
    assert (answer.status_code, answer.content) == (200, b"{}")
    answer = ask(bare, "chat", [b"HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}"], stream=False)
    assert (answer.status_code, "999" in answer.text) == (502, True)
