"""What a provider or many clients send costs bounded memory, even time, and a bounded number of descriptors."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import brotli
import httpx2
import pytest
import zstandard
from amb_bench.doubles.bare_provider import HANG, PATHS, BareProvider, begun, body_of, head, streamed, wait_until, whole

from amb_proxy.content_coding import decoder_of
from amb_proxy.event_stream import EventReader

pytestmark = pytest.mark.slow

MB = 1024 * 1024
START = [sys.executable, "-W", "ignore", "-c", "from amb_start import main; raise SystemExit(main())", "proxy"]


def coders():
    return {
        "gzip": zlib.compressobj(1, wbits=31),
        "deflate": zlib.compressobj(1),
        "raw deflate": zlib.compressobj(1, wbits=-15),
        "br": brotli.Compressor(quality=1),
        "zstd": zstandard.ZstdCompressor().compressobj(),
    }


def packed(way: str, start: bytes, megabytes: int, end: bytes = b"") -> bytes:
    """So many megabytes of blanks between a start and an end, compressed."""
    coder = coders()[way]
    compress = coder.process if way == "br" else coder.compress
    pieces = [compress(start), *(compress(b" " * MB) for _ in range(megabytes)), compress(end)]
    return b"".join([*pieces, coder.finish() if way == "br" else coder.flush()])


WAYS = [*coders()]


def coding(way: str) -> str:
    return f"content-encoding: {way.split()[-1]}"


@pytest.mark.parametrize("way", WAYS)
def test_little_that_unpacks_large_comes_in_bounded_pieces_and_ends_as_it_began(way):
    decoder = decoder_of({"content-encoding": way.split()[-1]})
    content, sizes = packed(way, b"start", 24, b"end"), []
    text = b""
    for at in range(0, len(content), 100):
        for piece in decoder.feed(content[at : at + 100]):
            sizes.append(len(piece))
            text = (text + piece.strip())[-8:]
    assert (sum(sizes), text) == (24 * MB + 8, b"startend")
    assert max(sizes) <= 4 * MB


@pytest.mark.parametrize("way", ["gzip", *(pytest.param(way, marks=pytest.mark.nightly) for way in WAYS[1:])])
@pytest.mark.parametrize("stream", [True, False])
def test_what_unpacks_over_the_bound_goes_on_as_it_came(way, stream, bare):
    content = packed(way, b"data: " if stream else b'{"choices":', 20)
    kind = "text/event-stream" if stream else "application/json"
    bare.says([head(kind, coding(way), length=len(content)), content])
    with httpx2.stream("POST", bare.url + PATHS["chat"], content=body_of("chat", stream=stream), timeout=20) as answer:
        assert b"".join(answer.iter_raw()) == content
        assert answer.headers["content-encoding"] == way.split()[-1]


@pytest.mark.parametrize("pair", ["bare", "bare_deep"])
def test_a_large_reply_goes_on_before_it_is_whole(pair, request):
    pair = request.getfixturevalue(pair)
    pair.says([head("application/json"), b" " * 18 * MB, HANG])
    with begun(pair.url, "chat", stream=False) as client:
        got = 0
        while got < 18 * MB:
            got += len(client.recv(MB))


def test_a_stream_without_a_blank_line_is_read_in_even_time():
    reader, start = EventReader(), time.process_time()
    for _ in range(128):
        reader.feed(b"a" * 65_535 + b"\n")
    assert len(reader.feed(b"\n")) == 1
    assert time.process_time() - start < 2  # 8 MB; it took half a minute when each piece read all of it again


def test_many_small_parts_of_a_text_are_joined_in_even_time(bare):
    part = b'data: {"choices":[{"index":0,"delta":{"content":"%s"}}]}\n\n' % (b"a" * 2_000)
    end = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    bare.says(streamed(*[part * 30] * 100, end * 2_000))
    start = time.perf_counter()
    httpx2.post(bare.url + PATHS["chat"], content=body_of("chat", stream=True), timeout=20)
    assert time.perf_counter() - start < 10


# --- processes of their own -------------------------------------------------------------------------------------------


@contextmanager
def served(upstream: str, folder: Path, *options: str, files: int | None = None):
    """`amb proxy` as a process, with so many descriptors, its URL and what it said so far."""
    command = [*START, "--upstream", upstream, "--folder", str(folder), "--port", "0", *options]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    with (folder.parent / "said").open("w") as said, subprocess.Popen(command, stderr=said) as process:
        try:
            address = folder / "address"
            assert wait_until(lambda: address.is_file() and address.read_text(), 30)
            url = address.read_text()
            assert wait_until(lambda: httpx2.get(f"{url}/amb/x").status_code, 30)
            yield process, url, (folder.parent / "said").read_text()
        finally:
            process.terminate()
            process.wait()


@pytest.mark.nightly
@pytest.mark.parametrize(("files", "count"), [(256, 100), (1_024, 300)])
def test_with_few_descriptors_streams_are_whole_or_refused_cleanly(files, count, tmp_path):
    events = [b"data: %d\n\n" % at for at in range(20)]

    def ask(at: int) -> tuple[int, bytes, str]:
        body = json.loads(body_of("chat", stream=True, said=f"Read book {at}."))
        call = {"id": f"call_{at:08}abcd", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        body["messages"] += [{"role": "assistant", "tool_calls": [call]}]
        body["messages"] += [{"role": "tool", "tool_call_id": call["id"], "content": "It is calm."}]
        client = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        client.request("POST", PATHS["chat"], json.dumps(body), {"content-type": "application/json"})
        answer = client.getresponse()
        told = answer.status, answer.read(), answer.getheader("retry-after", "")
        client.close()
        return told

    with BareProvider() as provider, served(provider.url, tmp_path / "banks", files=files) as (_, url, said):
        provider.replies = [streamed(*events)]
        with ThreadPoolExecutor(count) as pool:
            told = list(pool.map(ask, range(count)))
    assert f"may open {files} file descriptors" in said
    whole_ones = [one for one in told if one[0] == 200]
    assert all(content == b"".join(events) for _, content, _ in whole_ones)
    assert all(again for status, _, again in told if status != 200)
    assert {status for status, _, _ in told} <= {200, 503}
    assert len(whole_ones) >= min(count, 60)


@pytest.mark.nightly
def test_more_requests_than_descriptors_allow_are_refused_at_once(tmp_path):
    with BareProvider() as provider, served(provider.url, tmp_path / "banks", files=128) as (_, url, said):
        assert "may open 128 file descriptors, enough for 32 requests at once" in said
        provider.replies = [[HANG]]
        clients = [begun(url, "chat", stream=False, path="/v1/other") for _ in range(32)]
        assert wait_until(lambda: len(provider.seen) == 32, 20)
        answer = httpx2.post(f"{url}/v1/other", content=b"{}", timeout=2)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        for client in clients:
            client.close()
        provider.replies = [whole(b"{}")]
        assert wait_until(lambda: httpx2.post(f"{url}/v1/other", content=b"{}", timeout=5).status_code == 200)


GIGABYTE = 1_024
LARGE = {
    **{f"{way} {kind}": (way, kind) for way in WAYS for kind in ("whole", "stream", "deep")},
    "plain whole": ("", "whole"),
    "plain stream": ("", "stream"),
    "plain deep": ("", "deep"),
}


@contextmanager
def another_client(url: str):
    """How long another client waits for each of its answers meanwhile."""
    waits, over = list[float](), threading.Event()

    def look() -> None:
        with httpx2.Client(timeout=30) as client:
            while not over.wait(0.05):
                begin = time.perf_counter()
                client.get(f"{url}/amb/x")
                waits.append(time.perf_counter() - begin)

    looking = threading.Thread(target=look)
    looking.start()
    yield waits
    over.set()
    looking.join()


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE)
def test_a_gigabyte_is_passed_on_in_little_memory_while_others_are_served(name, tmp_path):
    way, kind = LARGE[name]
    mime = "application/json" if kind == "whole" else "text/event-stream"
    start = b'{"choices":' if kind == "whole" else b"data: "
    content = packed(way, start, GIGABYTE) if way else b""
    reply = [head(mime, coding(way)), content] if way else [head(mime), start, *[b" " * MB] * GIGABYTE]
    options = ["--deep-retrieval"] if kind == "deep" else []
    with BareProvider() as provider, served(provider.url, tmp_path / "banks", *options) as (process, url, _):
        httpx2.post(url + PATHS["chat"], content=body_of("chat", stream=False), timeout=20)
        provider.replies, before, got = [reply], peak(process.pid), 0
        sent = {"content": body_of("chat", stream=kind != "whole"), "timeout": 120}
        with another_client(url) as waits, httpx2.stream("POST", url + PATHS["chat"], **sent) as answer:
            for piece in answer.iter_raw():
                got += len(piece)
        more = (peak(process.pid) - before) // 1_024
    print(f"{name}: {got} bytes, {more} MB more, longest wait {max(waits, default=0):.2f} s")
    assert got == (len(content) if way and kind != "deep" else GIGABYTE * MB + len(start))
    assert more < 150
    assert max(waits, default=0) < 1.5


def peak(pid: int) -> int:
    """The most memory a process has had, in KiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
