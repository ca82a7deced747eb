"""A manuscript whose facts a model reads off: chapter by chapter, each with its sentence, broken off and taken up."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from amb_book import Story
from amb_chat import Budget, UsageMeter, metered
from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter, ModelUnavailable

Told = dict[str, Any]


def statement(attribute: str, who: str, value: str) -> Told:
    """What a model says of a sentence."""
    told = {"subject": who, "attribute": attribute.upper(), "value": value}
    if attribute == "status":
        return {**told, "kind": "status", "name": who}
    return {**told, "kind": "relation", "name": who, "relation": attribute, "other": value}


ENGLISH = {
    "By noon Mira Vane was wounded.": statement("status", "Mira Vane", "wounded"),
    "Mira Vane came to Harrow at night.": statement("IS_AT", "Mira Vane", "Harrow"),
    "Tomas Reed was dead.": statement("status", "Tomas Reed", "dead"),
}
CHINESE = {
    "到了正午，林月已经受伤。": statement("status", "林月", "受伤"),
    "夜里，林月进了望江城。": statement("IS_AT", "林月", "望江城"),
    "沈舟死了。": statement("status", "沈舟", "死了"),
}
IDLE = {"en": "Rain fell on roof {}, and nobody spoke for a long while.", "zh": "雨落在第{}片屋瓦上，很久没有人说话。"}


def manuscript(language: str, *, idle: int = 3) -> str:
    """Three chapters, in each of which one thing becomes true between idle sentences."""
    told = ENGLISH if language == "en" else CHINESE
    head = "Chapter {}" if language == "en" else "第{}章"
    before, after = ("\n\n".join(IDLE[language].format(n + more) for n in range(idle)) for more in (0, 10_000))
    chapters = (f"{head.format(number)}\n\n{before}\n\n{each}\n\n{after}" for number, each in enumerate(told, 1))
    return "\n\n".join(chapters)


@dataclass
class Competent:
    """Reads off what it has been taught; fails from call number `fails` on."""

    told: dict[str, Told] = field(default_factory=lambda: {**ENGLISH, **CHINESE})
    fails: int = 1_000
    texts: list[str] = field(default_factory=list)

    def __call__(self, request: ChatRequest) -> str:
        if len(self.texts) >= self.fails:
            raise ModelUnavailable("it is down.")
        text = str(json.loads(str(request.messages[-1]["content"]))["text"])
        self.texts.append(text)
        here = [(line, told) for line, told in self.told.items() if line in text]
        found = [{"evidence": line, "quote": line, "confidence": 0.9, **told} for line, told in here]
        return json.dumps({"statements": found})


def read(story: Story, model: Competent, text: str, **more: Any) -> Any:
    return story.import_manuscript(text, settle="facts", chat=ScriptedChatModel(model), **more)


@pytest.mark.parametrize(("language", "who", "dead"), [("en", "Mira Vane", "Tomas Reed"), ("zh", "林月", "沈舟")])
def test_every_chapter_has_its_facts_each_with_its_sentence(language: str, who: str, dead: str) -> None:
    story, seen = Story(None), list[tuple[int, int]]()
    done = read(story, Competent(), manuscript(language), progress=lambda *told: seen.append(told))
    assert (done.chapters, done.already, done.dropped, done.refused) == (3, 0, 0, 0)
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert [story.facts.about(who, at=at).status for at in (1, 2)] == [{"en": "wounded", "zh": "受伤"}[language]] * 2
    assert story.facts.about(who).place == {"en": "Harrow", "zh": "望江城"}[language]
    [fact] = [each for each in story.facts.about(dead).facts if each.relation == "HAS_STATUS"]
    assert (fact.since, fact.evidence) == (3, list(ENGLISH if language == "en" else CHINESE)[2])


def test_facts_need_a_model_and_what_the_text_does_not_say_is_left_out_and_counted() -> None:
    story = Story(None)
    with pytest.raises(InvalidParameter, match="pass chat="):
        story.import_manuscript(manuscript("en"), settle="facts")
    wrong = statement("status", "Tomas Reed", "crowned")
    done = read(story, Competent({"By noon Mira Vane was wounded.": wrong}), manuscript("en"))
    assert (done.dropped, story.facts.facts()) == (1, [])


@pytest.mark.slow
@pytest.mark.parametrize(("language", "idle"), [("en", 1_800), pytest.param("zh", 6_500, marks=pytest.mark.nightly)])
def test_a_chapter_of_two_hundred_thousand_characters_is_read_whole_and_within_any_budget(
    language: str, idle: int
) -> None:
    text = manuscript(language, idle=idle)
    text = text[: text.index("Chapter 2" if language == "en" else "第2章")]
    assert len(text) > 200_000
    story, model = Story(None), Competent()
    runs = 0
    while not story.log.entries() or story.log.entries()[-1].id.startswith("import:"):
        meter = UsageMeter(budget=Budget(tokens=40_000))
        with suppress(ModelUnavailable):
            story.import_manuscript(text, settle="facts", chat=metered(ScriptedChatModel(model), meter=meter))
        assert meter.total.tokens <= 50_000
        runs += 1
        assert runs < 30
    assert runs > 1
    assert "".join("".join(model.texts).split()) == "".join(text.split("1", 1)[1].removeprefix("章").split())
    assert len(set(model.texts)) == len(model.texts)
    assert story.facts.about("Mira Vane" if language == "en" else "林月").status in ("wounded", "受伤")
