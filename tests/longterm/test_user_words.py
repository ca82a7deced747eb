"""What the user asks to be kept is kept where the host says that it is the user's word; keys and passwords never are."""

import logging

import pytest

from amb_core.protocols import Redaction
from amb_longterm import LongTermMemory, memory_tools
from amb_longterm.supervisor import SupervisorMemory
from amb_redaction import PatternRedactor

PROFILE = "user_profile/u1"
BY_USER = {"source": "user"}
WORDS = {
    "My new phone number is 0151 23456789, remember it": "0151 23456789",
    "记住我的新手机号：13800138000": "13800138000",
    "Please remember my mail lena@example.org": "lena@example.org",
}
SECRETS = {
    "My phone is 0151 23456789 and my password: hunter22": "hunter22",
    "记住：手机13800138000，密码：Abc@2024": "Abc@2024",
    "Remember my key sk-proj-abcdefghijklmnop1234567890": "sk-proj-abcdefghijklmnop1234567890",
    "Remember: curl -u admin:Tr0ub4dor https://x.example": "Tr0ub4dor",
}


@pytest.mark.parametrize("text", WORDS)
def test_the_users_word_keeps_personal_data(plain, text):
    written = plain.write(text, namespace=PROFILE, metadata=BY_USER)
    assert (plain.records(PROFILE)[0].content, written.redacted) == (text, {})


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_kept_for_nobody_and_that_is_said(plain, text, caplog):
    with caplog.at_level(logging.INFO, logger="amb.redaction"):
        written = plain.write(text, namespace=PROFILE, metadata=BY_USER)
    kept = plain.records(PROFILE)[0].content
    assert SECRETS[text] not in kept
    assert ("0151 23456789" in text) == ("0151 23456789" in kept)
    assert sum(written.redacted.values()) == 1
    assert "taken out of a text" in caplog.text
    assert SECRETS[text] not in caplog.text


@pytest.mark.parametrize("metadata", [None, {"source": "supervisor"}, {"source": "User"}, {"by": "user"}])
def test_without_the_hosts_word_personal_data_goes_and_that_is_said(plain, metadata):
    written = plain.write("My phone number is 0151 23456789", namespace=PROFILE, metadata=metadata)
    assert plain.records(PROFILE)[0].content == "My phone number is [phone]"
    assert written.redacted == {"phone": 1}


def test_a_model_cannot_say_that_it_is_the_users_word(plain):
    tools = {tool.name: tool for tool in memory_tools(plain, namespaces=[PROFILE])}
    said = {"content": "The phone number is 0151 23456789", "metadata": {"source": "user", "topic": "phone"}}
    answer = tools["memory_write"].function(**said)
    (record,) = plain.records(PROFILE)
    assert (record.content, record.source) == ("The phone number is [phone]", "supervisor")
    assert "phone" in str(answer)


def test_a_redactor_of_the_hosts_has_the_last_word(url):
    class Strict:
        def redact(self, text):
            return Redaction(text.replace("Lena", "[name]"), {"name": text.count("Lena")} if "Lena" in text else {})

    with LongTermMemory(url, redactor=Strict()) as memory:
        assert memory.write("I am Lena", namespace=PROFILE, metadata=BY_USER).redacted == {"name": 1}
    with LongTermMemory("memory://", redactor=PatternRedactor(["phone"])) as memory:
        memory.write("My phone number is 0151 23456789", namespace=PROFILE, metadata=BY_USER)
        assert "0151" in memory.records(PROFILE)[0].content


def test_what_the_user_tells_a_supervisor_is_kept(plain):
    supervisor = SupervisorMemory(plain, user="u1")
    supervisor.before_supervisor("Remember: my new phone number is 0151 23456789.")
    told = [record.content for name in plain.namespaces() for record in plain.records(name)]
    assert any("0151 23456789" in text for text in told)
