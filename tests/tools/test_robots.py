"""What a site's robots.txt allows is what is read, unless told otherwise."""

from __future__ import annotations

import time
from typing import Any

import pytest

pytest.importorskip("protego", reason='needs pip install "amb[tools]"')

from amb_tools import AddressGuard, PageFetcher, RobotsRefused

RULES = "User-agent: *\nDisallow: /private\nAllow: /private/open$\n\nUser-agent: AMB\nDisallow: /not-for-amb\n"


def fetcher(*sites: Any, **options: Any) -> PageFetcher:
    return PageFetcher(guard=AddressGuard(allow=[site.endpoint for site in sites]), **options)


def test_a_page_the_rules_do_not_want_read_is_not_asked_for(site: Any) -> None:
    site.page("/robots.txt", RULES, "text/plain")
    site.page("/not-for-amb", "<p>x</p>")
    with pytest.raises(RobotsRefused, match=r"robots\.txt of 127\.0\.0\.1"):
        fetcher(site).read(site.url("/not-for-amb"))
    assert site.requests == ["GET /robots.txt"]


@pytest.mark.parametrize("path", ["/./not-for-amb", "/open/../not-for-amb", "/open/%2E%2e/not-for-amb"])
def test_dots_in_a_path_do_not_lead_around_the_rules(site: Any, path: str) -> None:
    site.page("/robots.txt", RULES, "text/plain")
    with pytest.raises(RobotsRefused):
        fetcher(site).read(site.url(path))


def test_the_rules_for_everybody_hold_for_another_user_agent(site: Any) -> None:
    site.page("/robots.txt", RULES, "text/plain")
    site.page("/private/open", "<p>open</p>")
    reader = fetcher(site, user_agent="Reader/1.0")
    assert reader.read(site.url("/private/open")).text == "open"
    with pytest.raises(RobotsRefused):
        reader.read(site.url("/private/other"))


@pytest.mark.parametrize(("status", "readable"), [(404, True), (403, True), (410, True), (500, False), (503, False)])
def test_no_rules_allow_all_and_a_broken_site_nothing(status: int, readable: bool, site: Any) -> None:
    site.status("/robots.txt", status)
    url = site.page("/a", "<p>a</p>")
    if readable:
        assert fetcher(site).read(url).text == "a"
        return
    with pytest.raises(RobotsRefused, match=str(status)):
        fetcher(site).read(url)
    assert "GET /a" not in site.requests


def test_rules_that_lead_to_a_private_place_allow_nothing(site: Any, other_site: Any) -> None:
    site.redirect("/robots.txt", other_site.url("/robots.txt"))
    with pytest.raises(RobotsRefused, match="leads to a place"):
        fetcher(site).read(site.page("/a", "<p>a</p>"))
    assert not other_site.requests


def test_the_rules_of_where_a_redirect_leads_hold_too(site: Any, other_site: Any) -> None:
    other_site.page("/robots.txt", "User-agent: *\nDisallow: /\n", "text/plain")
    with pytest.raises(RobotsRefused):
        fetcher(site, other_site).read(site.redirect("/r", other_site.url("/a")))
    assert other_site.requests == ["GET /robots.txt"]


def test_rules_made_to_take_for_ever_are_followed(site: Any) -> None:
    site.page("/robots.txt", f"User-agent: *\nDisallow: /{'*a' * 30}b\n", "text/plain")
    assert fetcher(site).read(site.page("/" + "a" * 60, "<p>a</p>")).text == "a", "this century"


def test_rules_may_be_switched_off(site: Any) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /\n", "text/plain")
    assert fetcher(site, robots=False).read(site.page("/a", "<p>a</p>")).text == "a"
    assert "GET /robots.txt" not in site.requests


def test_the_pause_a_site_asks_for_is_kept(site: Any) -> None:
    site.page("/robots.txt", "User-agent: *\nCrawl-delay: 0.1\n", "text/plain")
    url, reader, started = site.page("/a", "<p>a</p>"), fetcher(site), time.monotonic()
    for _ in range(3):
        reader.read(url)
    assert time.monotonic() - started >= 0.2
