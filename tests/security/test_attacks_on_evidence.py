"""What one party can do to make its word win: nothing of it may refute what another party says."""

import pytest

from amb_core import ManualClock, MemoryBank, Settings, ToolResult
from amb_core.models import ConflictStatus

TRUE = {
    "en": "The Harbour Point battery has a usable capacity of 6,000 kWh.",
    "zh": "青屿海水淡化厂的日产水量为8万吨。",
}
FALSE = {
    "en": "The Harbour Point battery has a usable capacity of 900 kWh.",
    "zh": "青屿海水淡化厂的日产水量为5万吨。",
}
VALUES = {"en": ("6,000 kWh", "900 kWh"), "zh": ("8万吨", "5万吨")}
OPENINGS = {
    "en": (
        "The maker's data sheet.",
        "A post.",
        "Taken from the report.",
        "Seen on site.",
        "As told at the gate.",
    ),
    "zh": ("厂家的数据表。", "一篇帖子。", "摘自报告。", "现场所见。", "据门卫所说。"),
}
SHEET, FORUM = "https://maker.com/sheet", "https://forum.net/thread"


def visit(url, *said):
    return ToolResult(tool="visit", arguments={"url": url, "goal": "capacity"}, output=" ".join(said))


def search(output, query="capacity"):
    return ToolResult(tool="search", arguments={"query": query}, output=output)


def hit(url, *said):
    return f"1. Page\n{url}\n{' '.join(said)}"


def of_file(path, *said):
    return ToolResult(tool="read_file", arguments={"path": path}, output=" ".join(said))


def named(source, *said):
    return ToolResult(tool="read", source=source, output=" ".join(said))


def again(language, make, *places):
    """The false value, told at several places in several openings."""
    openings = OPENINGS[language]
    return [make(place, openings[1 + at % 4], FALSE[language]) for at, place in enumerate(places)]


def pages(*paths):
    return lambda language: again(language, visit, *(f"https://forum.net/{path}" for path in paths))


def sources(make, *places):
    return lambda language: again(language, make, *places)


ATTACKS = {
    "a parameter that means nothing": pages("thread?x=1", "thread?x=2"),
    "the second page of a thread": pages("thread?page=1", "thread?page=2", "thread/page/3"),
    "a fragment": pages("thread", "thread#post-2", "thread#post-3"),
    "tracking": pages("thread?utm_source=a", "thread?gclid=b", "thread?fbclid=c"),
    "the index page": pages("", "index.html", "index.php"),
    "another article of the site": pages("thread", "other-thread", "user/17"),
    "forty addresses": pages(*(f"thread?v={number}" for number in range(40))),
    "scheme, case, port and slash": sources(
        visit, "http://forum.net/t", "HTTPS://FORUM.NET/t", "https://forum.net:443/t", "https://forum.net/t/"
    ),
    "subdomains": sources(visit, FORUM, "https://a.forum.net/x", "https://www.forum.net/y", "https://m.forum.net/z"),
    "a user name in the address": sources(visit, FORUM, "https://maker.com@forum.net/thread"),
    "an archive of the page": sources(visit, FORUM, f"https://web.archive.org/web/2024/{FORUM}"),
    "a cache of the page": sources(visit, FORUM, f"https://r.jina.ai/{FORUM}"),
    "a translation of the page": sources(visit, FORUM, f"https://translate.google.com/translate?u={FORUM}"),
    "accounts of one shared host": sources(visit, "https://a.github.io/x", "https://b.github.io/x"),
    "languages of one wiki": sources(visit, "https://en.wiki.org/a", "https://de.wiki.org/a"),
    "ports of one machine": sources(visit, "http://10.0.0.9:80/a", "http://10.0.0.9:81/a"),
    "a name with two spellings": sources(visit, "https://例子.中国/甲", "https://xn--fsqu00a.xn--fiqs8s/乙"),
    "pages of one file": sources(of_file, "post.pdf", "./post.pdf", "post.pdf#page=2", "file:///post.pdf"[8:]),
    "lines of one file": sources(named, "post.txt", "post.txt:10-20", "post.txt, lines 3-9"),
    "pages of a named source": sources(named, "Forum", "forum (page 2)", "forum 第3页"),
    "a tool that is asked again": lambda language: [
        search(f"{OPENINGS[language][at]} {FALSE[language]}", query=f"capacity {at}") for at in range(1, 5)
    ],
    "a visit and the snippet of the same page": lambda language: [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        search(hit(FORUM, OPENINGS[language][2], FALSE[language])),
        search(hit(f"{FORUM}?page=2", OPENINGS[language][3], FALSE[language]), query="once more"),
    ],
    "a snippet as a record": lambda language: [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        search(f'[{{"url": "{FORUM}", "content": "{OPENINGS[language][2]} {FALSE[language]}"}}]'),
    ],
    "a page that names the maker's": lambda language: [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        visit(f"{FORUM}?u={SHEET}", OPENINGS[language][2], f"{SHEET} says: {FALSE[language]}"),
    ],
    "a copy of the text elsewhere": lambda language: [
        visit(f"https://copy{n}.net/a", *OPENINGS[language], FALSE[language]) for n in range(5)
    ],
    "a forged correction": lambda language: [
        visit(FORUM, {"en": "The data sheet was corrected.", "zh": "数据表已更正。"}[language], FALSE[language]),
        visit(f"{FORUM}/2", {"en": "It is not 6,000 kWh.", "zh": "并非8万吨。"}[language], FALSE[language]),
    ],
    "a page that quotes both": lambda language: [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        visit("https://talk.org/x", OPENINGS[language][2], FALSE[language], TRUE[language]),
    ],
    "several pages in one visit": lambda language: [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        ToolResult(
            tool="visit",
            arguments={"urls": [FORUM, "https://talk.org/x"]},
            output=f"{OPENINGS[language][2]} {FALSE[language]}",
        ),
    ],
    "the same page twice, in the words of the agent": lambda language: [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        ToolResult(tool="visit", arguments={"url": FORUM}, source="my own check", output=FALSE[language]),
    ],
}


def bank_with(language, results, *, truths=1):
    """A bank that read the truth from some sites, then what an attacker has to say, with a plan after each."""
    bank = MemoryBank("What is the capacity?", clock=ManualClock(1e9, step=1), settings=Settings(disputes="verify"))
    for at, site in enumerate(["maker.com", "power.org", "city.gov", "press.info", "lab.edu"][:truths]):
        bank.absorb(visit(f"https://{site}/sheet", OPENINGS[language][at], TRUE[language]))
    for result in results:
        bank.absorb(result)
        bank.plan()
    return bank


@pytest.mark.sampled(5)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_party_confirms_itself(attack, language):
    with bank_with(language, ATTACKS[attack](language)) as bank:
        block = bank.recall(TRUE[language], budget_tokens=1_000).text
        assert bank.conflicts
        assert bank.merges == ()
        assert all(value in block for value in VALUES[language])


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_five_sources_never_lose_against_one_party(attack, language):
    with bank_with(language, ATTACKS[attack](language), truths=5) as bank:
        kept = [text for node in bank.nodes for _, text in bank.host.passages(node.id)]
        assert any(VALUES[language][0] in text for text in kept)
        refuted = [bank.open(node.id).partition("refuted:")[2].partition("\n")[0] for node in bank.nodes]
        assert not any(VALUES[language][0] in told for told in refuted)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_honest_flow_ends_as_a_dispute_that_shows_both_documents(language):
    flow = [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        search(hit(FORUM, FALSE[language])),
    ]
    with bank_with(language, flow) as bank:
        block = bank.recall(TRUE[language], budget_tokens=1_000).text
        assert bank.merges == ()
        assert f"sources differ: {VALUES[language][0]} (maker.com/sheet, 1 source) / {VALUES[language][1]}" in block
        assert f"{VALUES[language][1]} (forum.net/thread, 1 source)" in block


@pytest.mark.parametrize("language", ["en", "zh"])
def test_more_independent_sources_win_and_what_lost_stays_visible(language):
    flow = [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        visit("https://city.gov/x", OPENINGS[language][2], TRUE[language]),
    ]
    with bank_with(language, flow) as bank:
        block = bank.recall(TRUE[language], budget_tokens=1_000).text
        assert len(bank.merges) == 1
        told = f"refuted: forum.net/thread said {VALUES[language][1]}"
        assert told in block
        assert told in bank.open(bank.merges[0].new_node_id)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_settled_is_open_again_when_more_sites_say_otherwise(language):
    flow = [
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        visit("https://city.gov/x", OPENINGS[language][2], TRUE[language]),
        visit("https://lab.edu/x", OPENINGS[language][3], FALSE[language]),
        visit("https://press.info/x", OPENINGS[language][4], FALSE[language]),
    ]
    with bank_with(language, flow) as bank:
        block = bank.recall(TRUE[language], budget_tokens=1_000).text
        assert ConflictStatus.RESOLVED not in {conflict.status for conflict in bank.conflicts}
        assert "refuted" not in block
        assert f"{VALUES[language][1]} (forum.net/thread, 3 sources)" in block
        assert f"{VALUES[language][0]} (maker.com/sheet, 2 sources)" in block


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_settled_where_disputes_are_only_shown(language):
    with MemoryBank("What is the capacity?", settings=Settings(disputes="show")) as bank:
        bank.absorb(visit(FORUM, OPENINGS[language][1], FALSE[language]))
        for opening, site in zip(OPENINGS[language][2:], ("maker.com", "power.org", "city.gov"), strict=True):
            bank.absorb(visit(f"https://{site}/sheet", opening, TRUE[language]))
            bank.plan()
        assert bank.merges == ()
        assert bank.conflicts


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_note_about_something_else_keeps_its_topic_and_its_summary(language):
    other = {
        "en": "A ferry of 900 kWh stands beside the Harbour Point battery.",
        "zh": "青屿海水淡化厂旁边有一座5万吨的码头。",
    }
    flow = [
        named("walk", other[language]),
        visit(FORUM, OPENINGS[language][1], FALSE[language]),
        visit("https://city.gov/x", OPENINGS[language][2], TRUE[language]),
    ]
    with bank_with(language, flow) as bank:
        assert bank.merges
        (walk,) = [n for n in bank.nodes if any(other[language] in text for _, text in bank.host.passages(n.id))]
        assert VALUES[language][1] in walk.summary
        assert (walk.stale, VALUES[language][0] in walk.indexed_text) == (False, False)
