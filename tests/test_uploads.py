"""Files that a user sends in a message under hooks wait until the agent has said what is in them."""

from __future__ import annotations

import base64

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 50
DATA = base64.b64encode(PNG).decode()
URL = f"data:image/png;base64,{DATA}"
SEEN = "The meter in the picture shows 4,217 kWh."
PARTS = {
    "openai-chat": {"type": "image_url", "image_url": {"url": URL}},
    "anthropic": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}},
}


@pytest.mark.parametrize("form", PARTS)
def test_an_uploaded_file_waits_and_is_kept_with_what_the_agent_says_of_it(form: str) -> None:
    asked = {"role": "user", "content": [{"type": "text", "text": "What does it show?"}, PARTS[form]]}
    with MemoryBank("What does it show?") as bank:
        adapter = ContextAdapter(bank, form=form)
        first = adapter.next_request([asked])
        assert [file.id for file in bank.host.waiting] == ["a1"]
        assert "a1 (image" in str(first[-1])
        if form == "openai-chat":
            assert str(first).count(URL) == 1  # not again beside the user's own

        for _ in range(2):
            adapter.next_request(
                [asked, {"role": "assistant", "content": SEEN}, {"role": "user", "content": "Thanks."}]
            )
        assert bank.host.waiting == ()
        [kept] = [entry for entry in bank.snapshot().entries if entry.attachments]
        assert (kept.text, kept.attachments[0].media_type or "image/png") == (SEEN, "image/png")


PDF = base64.b64encode(b"%PDF-1.4 " + b"1" * 50).decode()
DOCUMENTS = {
    "openai-responses": {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"},
    "anthropic": {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}},
}


@pytest.mark.parametrize("form", DOCUMENTS)
def test_a_document_waits_in_the_form_of_each_provider(form: str) -> None:
    text = "input_text" if "responses" in form else "text"
    asked = {"role": "user", "content": [{"type": text, "text": "What does it say?"}, DOCUMENTS[form]]}
    with MemoryBank("What does it say?") as bank:
        ContextAdapter(bank, form=form).next_request([asked])
        assert [file.type for file in bank.host.waiting] == ["document"]


def test_a_file_that_is_too_large_or_broken_stays_in_its_message_alone() -> None:
    broken = {"type": "image_url", "image_url": {"url": "data:image/png;base64,%%%"}}
    asked = {"role": "user", "content": [{"type": "text", "text": "What?"}, PARTS["openai-chat"], broken]}
    with MemoryBank("What?", settings=Settings(max_attachment_bytes=20)) as bank:
        adapter = ContextAdapter(bank)
        assert URL in str(adapter.next_request([asked]))
        assert (bank.host.waiting, adapter.failures) == ((), {})
