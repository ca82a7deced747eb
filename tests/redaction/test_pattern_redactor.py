"""What the pattern redactor takes out of English and Chinese texts, and what it leaves although it looks alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import InvalidParameter
from amb_core.redaction import PatternRedactor, RedactionKind

REDACTOR = PatternRedactor()

TAKEN_OUT = {
    "Mail lena@example.org, please": "Mail [e-mail], please",
    "邮箱zhang.san@qq.com，谢谢": "邮箱[e-mail]，谢谢",
    "write lena [at] example [dot] org": "write [e-mail]",
    "全角 wang＠company．cn。": "全角 [e-mail]。",
    "手机13800138000": "手机[phone]",
    "手机：138-0013-8000，微信同号": "手机：[phone]，微信同号",
    "１３８００１３８０００ 是我的": "[phone] 是我的",
    "打 +86 138 0013 8000": "打 [phone]",
    "1 3 8 0 0 1 3 8 0 0 0": "[phone]",
    "我的号码一三八零零一三八零零零": "我的号码[phone]",
    "座机010-88886666转8001，传真（021）6666-7777": "座机[phone]，传真[phone]",
    "电话：88886666、88887777": "电话：[phone]、[phone]",
    "name,phone\nBo,9498777106": "name,phone\nBo,[phone]",
    "call (415) 555-2671 ext. 12": "call [phone]",
    "Tel. 0171 1234567 or +44 20 7946 0958": "Tel. [phone] or [phone]",
    "Mobile: 03.93.92.16.85": "Mobile: [phone]",
    "身份证11010519491231002X哦": "身份证[id-card]哦",
    "ID 110105 19491231 002x.": "ID [id-card].",
    "老身份证110105491231002": "老身份证[id-card]",
    "护照号码：E12345678": "护照号码：[id-card]",
    "my SSN: 460-89-9847": "my SSN: [id-card]",
    "NINO AB 12 34 56 C": "NINO [id-card]",
    "卡号6222021001123456788": "卡号[bank-card]",
    "4111-1111-1111-1111 expires": "[bank-card] expires",
    "IBAN GB82 WEST 1234 5698 7654 32 to": "IBAN [iban] to",
    "from 192.168.1.20:8080": "from [ip]:8080",
    "IPv6 地址2001:db8::8a2e:370:7334": "IPv6 地址[ip]",
    "postgres://bob:s3cr3t@db/x": "postgres://bob:[password]@db/x",
    '{"password": "hunter2"}': '{"password": "[password]"}',
    "密码：Abc@2024，别外传": "密码：[password]，别外传",
    "数据库密码是qwer1234": "数据库密码是[password]",
    "OPENAI_API_KEY=sk-proj-abcdefghijklmnop1234567890": "OPENAI_API_KEY=[key]",
    "AWS AKIAIOSFODNN7EXAMPLE": "AWS [key]",
    "API密钥：9f86d081884c7d659a2feaa0c55ad015": "API密钥：[key]",
    "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2ln": "Bearer [key]",
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb": "a\n[key]\nb",
}
LEFT = (
    *("revenue 13800138000", "2023年收入13800138000元", "Sales 2023: 13800138000", "订单号13800138000已发货"),
    *("year\tsales\n2023\t13800138000", "WHERE amount > 13800138000", "¥13,800,138,000.00", "a13800138000f"),
    *("v1.2.3.4", "版本1.2.3.4", "pip install foo==10.20.30.40", "Chrome/120.0.0.0", "12:30:45", "std::vector a::b"),
    *("550e8400-e29b-41d4-a716-446655440000", "3f786850e387550fdab836ed7e6dc881de23001b", "2024-05-13 14:30:00"),
    *("31.230416, 121.473701", "ISBN 978-7-111-12345-6", "/data/2024/05/13/report_20240513.csv", "1700000000000"),
    *("order 6222021001123456788", "4111111111111112", "000-12-3456", "110105194912310021", "+5 000 000", "UTC+0800"),
    *("token: 4096", "primary key: customer_id", "password: required", "the password is wrong", "密码：请联系管理员"),
    *(
        "secret santa is bob",
        "api_key = os.getenv('X')",
        "passage: abc",
        "password=${DB_PASSWORD}",
        "Bearer of bad news",
    ),
    *("git@github.com:org/repo.git", "icon@2x.png", "@lena wrote", "a@b", "电话会议改到周三10点", "call 911"),
)


@pytest.mark.parametrize("text", TAKEN_OUT)
def test_personal_data_and_secrets_leave_marks(text: str) -> None:
    assert REDACTOR.redact(text).text == TAKEN_OUT[text]


@pytest.mark.parametrize("text", LEFT)
def test_what_only_looks_like_it_is_left(text: str) -> None:
    assert REDACTOR.redact(text).text == text


@pytest.mark.parametrize("between", ["\0", "\u200b", "\u00ad", "\u2060", "\ufeff", "\ufe0f"])
def test_invisible_characters_inside_hide_nothing(between: str) -> None:
    redaction = REDACTOR.redact(f"Tel {between.join('13800138000')}, {between.join('lena@example.org')}!")
    assert redaction.text == "Tel [phone], [e-mail]!"


def test_invisible_characters_elsewhere_stay() -> None:
    assert REDACTOR.redact("a\u200bb 13800138000\u200b c\0d").text == "a\u200bb [phone]\u200b c\0d"


def test_each_kind_is_counted() -> None:
    found = REDACTOR.redact("a@b.org, c@d.org 打13800138000，密码：x1y2z3").found
    assert found == {"e-mail": 2, "phone": 1, "password": 1}


def test_only_the_kinds_asked_for_are_taken_out() -> None:
    redaction = PatternRedactor([RedactionKind.PHONE]).redact("a@b.org 打13800138000")
    assert redaction.text == "a@b.org 打[phone]"
    assert PatternRedactor(["e-mail"]).redact("a@b.org 打13800138000").text == "[e-mail] 打13800138000"


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidParameter, match="e-mail, phone"):
        PatternRedactor(["shoe-size"])


PIECES = st.sampled_from(
    [
        *"0123456789 -.:@/+()[]\n,，：密码",
        "1380013",
        "8000",
        "a@b.",
        "org",
        "[phone]",
        "key=",
        "sk-",
        "abc",
        "电话",
        "1.2.3.",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80))
def test_a_redacted_text_comes_back_unchanged(text: str) -> None:
    once = REDACTOR.redact(text)
    again = REDACTOR.redact(once.text)
    assert again.text == once.text
    assert not again.found


@pytest.mark.parametrize(
    "piece", ["1", "a", "@", "a@a.", "1 ", "4444 ", "f:", "key=", "-----BEGIN PRIVATE KEY-----", "密码1"]
)
def test_a_hostile_text_is_read_to_its_end(piece: str, growth: Callable[..., float]) -> None:
    """Patterns of quadratic time would need minutes for these."""
    REDACTOR.redact((piece * 100_000)[:100_000])
    assert growth(lambda length: REDACTOR.redact((piece * length)[:length]), 2_000) < 8
