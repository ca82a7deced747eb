"""What one call brought is one source, whatever its argument is called; what names nothing is about its own call."""

from __future__ import annotations

import pytest

from amb_core import MemoryBank, ToolResult
from amb_core.models import Conflict

LOG = "\n\n".join(
    f"{day}  Ida Brandt  <ida@loom.example>\n\n\tloom: {what}\n\tProblem reported by Omar Tal <https://tickets.loom.example/"
    f"{number}>.\n\t* src/{file}.c: Adjust the check of what is given back."
    for day, what, number, file in (
        ("2031-03-29", "stop the shuttle in time", 16876, "shuttle"),
        ("2030-12-01", "count the threads once", 54290, "thread"),
        ("2029-08-04", "oil the reed on each start", 29266, "reed"),
    )
)
NOTES = {
    "releases": "\n\n".join(
        f"## [1.{n}.0](https://git.example/loom/compare/v1.{n - 1}.0...v1.{n}.0)\n\nThe Loom Weaver keeps at most {n}0 "
        f"threads. The limit of the Loom Weaver is {n}00 rows."
        for n in range(5, 1, -1)
    ),
    "links between paragraphs": "\n\n".join(
        f"The Loom Weaver has a daily output of {n}0 tonnes in its first hall.\n\nSee also:\nhttps://site{n}.example/loom"
        for n in range(2, 6)
    ),
    "examples in a manual": "\n\n".join(
        f'Ask it like this:\n\n{{"url": "https://site{n}.example/loom"}}\n\n'
        f"The Loom Weaver has a daily output of {n}0 tonnes."
        for n in range(2, 6)
    )
    + "\n\nThe manual ends here, after all that has to be said of it." * 8,
    "中文": "\n\n".join(
        f"2031年3月{n}日 林一\n\n修复了织机启动时的问题，见 https://tickets.loom.example/{n} 的报告。\n\n"
        f"青屿织机厂的日产量为{n}0吨。"
        for n in range(2, 6)
    ),
}
CALLS = (
    ("read_file", {"path": "/usr/doc/CHANGES"}),
    ("fetch", {"url": "https://loom.example/changes"}),
    ("bash", {"command": "zcat CHANGES.gz"}),
    ("get_document", {"id": "7"}),
    ("read_source", {"title": "changes"}),
    ("search", {"query": "loom changes"}),
    ("changes", {}),
)


def read(*results: ToolResult) -> tuple[Conflict, ...]:
    bank = MemoryBank("What was changed in the loom?")
    for result in results:
        bank.absorb(result)
    return bank.conflicts


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[tool for tool, _ in CALLS])
@pytest.mark.parametrize("text", [LOG, *NOTES.values()], ids=["changes", *NOTES])
def test_a_text_that_one_call_brought_does_not_contradict_itself(
    text: str, tool: str, arguments: dict[str, str]
) -> None:
    assert read(ToolResult(tool=tool, arguments=arguments, output=text)) == ()


HITS = {
    "en": ("1. Plant\nhttps://{}/x\nThe Greyfield plant has a daily output of {}0,000 tonnes.",),
    "zh": (
        "1. 工厂\n链接：https://{}/x\n青屿海水淡化厂的日产水量为{}万吨。",
        "2. 码头\n链接：https://c.example\n一座码头。",
    ),
}


@pytest.mark.parametrize("hits", HITS.values(), ids=HITS)
@pytest.mark.parametrize(("tool", "argument"), [("search", "query"), ("bash", "command"), ("ask", "topic")])
def test_search_hits_are_sources_of_their_own(hits: tuple[str, ...], tool: str, argument: str) -> None:
    results = [
        ToolResult(tool=tool, arguments={argument: site}, output="\n".join(hits).format(site, value))
        for site, value in (("a.example", 8), ("b.example", 5))
    ]
    assert len(read(*results)) == 1


STORED = (
    "Stored the file. Length of the file: {0} lines. The file now has {0} entries and {0} bytes in all of its parts."
)
STATUS = {
    "plain": STORED,
    "repr": "meta=None content=[TextContent(type='text', text='{{\\n \"text\": \"Stored the file ({0} entries) File "
    "stored! ({0} entries)\\\\n\\\\nAdvice on speed: cut files into pieces of 30 lines for later steps.\"\\n}}')]",
    "titled": "Report\nAfter the last change the checked folder holds {0} open problems, and other folders hold none.",
    "中文": "文件已写入磁盘，一共写入了{0}个条目，没有发现任何错误，请在后续步骤中继续检查。",
}


@pytest.mark.parametrize("said", STATUS.values(), ids=STATUS)
@pytest.mark.parametrize("key", ["path", "url"])
def test_what_a_tool_says_of_three_files_is_no_contradiction(said: str, key: str) -> None:
    places = ("a.example/poster.html", "b.example/render.html", "c.example/plain.html")
    results = [
        ToolResult(tool="call", arguments={"tool": "store", "params": {key: f"https://{place}"}}, output=said.format(n))
        for place, n in zip(places, (164, 168, 144), strict=True)
    ]
    assert read(*results) == ()


SAID = {
    "en": "The Greyfield plant has a daily output of {} tonnes.",
    "zh": "青屿海水淡化厂的日产水量为{}万吨。",
    "en, a day": "The Greyfield plant was opened on {} March 2021 by Ada Harlow.",
    "en, a title": "Riverton Bridge\n\nIt was painted grey in spring. It carries {},000 cars a day on two lanes.",
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
@pytest.mark.parametrize(
    "calls",
    [
        [{"path": "a.md"}, {"path": "b.md"}],
        [{"url": "https://a.example/x"}, {"url": "https://b.example/y"}],
        [{"params": {"file": "a.md"}}, {"params": {"file": "b.md"}}],
    ],
    ids=["path", "url", "nested"],
)
def test_two_documents_read_by_one_tool_still_contradict_each_other(said: str, calls: list[dict[str, str]]) -> None:
    results = [
        ToolResult(tool="read", arguments=arguments, output=said.format(value))
        for arguments, value in zip(calls, (8, 5), strict=True)
    ]
    assert len(read(*results)) == 1
