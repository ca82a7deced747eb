"""What the pattern redactor takes out of English and Chinese texts, and what it leaves although it looks alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.errors import InvalidParameter
from amb_redaction import PatternRedactor, RedactionKind

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
    "my key is sk-ant-api03-A1b2C3d4E5f6G7h8.Zx9Yw8Vu7Ts6Rq5P, no": "my key is [key], no",
    "sk-lf4Kd93jf8Skd0asd.kf9Ak3jf8SlqZx12:a8Kd93jf. Then": "[key]. Then",
    "在用 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d.Xy7Zw8Vu9Ts0Rq1P 调用": "在用 [key] 调用",
    "api_key: id123:aB3dE5fG7hJ9kL1m": "api_key: [key]",
    "?sig=abc%2Bdef123GHI456jkl789%3D&se=1": "?sig=[key]&se=1",
    "https://hooks.chat.example/services/T01/B01/a1B2c3D4e5F6g7H8i9J0": "https://hooks.chat.example/services/T01/B01/[key]",
    "curl -u admin:Tr0ub4dor https://x.example": "curl -u admin:[password] https://x.example",
    "curl -s --user='bob:my pass' \\\n -o f x": "curl -s --user='bob:[password]' \\\n -o f x",
    "wget --user=bob --password=hunter22 x": "wget --user=bob --password=[password] x",
    "mysql -u root -pSup3rS3cret shop": "mysql -u root -p[password] shop",
    "machine h.example login bob password hunterabc": "machine h.example login bob password [password]",
    "openssl enc -aes256 -k hunter22 -in x": "openssl enc -aes256 -k [password] -in x",
    "sshpass -p 'my pass' ssh bob": "sshpass -p '[password]' ssh bob",
    "运行 PGPASSWORD=hunter22 psql -h db": "运行 PGPASSWORD=[password] psql -h db",
    "docker login -u bob -p hunter22 r.example": "docker login -u bob -p [password] r.example",
    "oc login https://c.example:6443 -p=hunter22": "oc login https://c.example:6443 -p=[password]",
    "mongosh --username a --tls -p hunter22": "mongosh --username a --tls -p [password]",
    "redis-cli -h db -a hunter22 ping": "redis-cli -h db -a [password] ping",
    "执行：unzip -P hunter22 a.zip": "执行：unzip -P [password] a.zip",
    "echo 'bob:hunter22' | sudo chpasswd": "echo 'bob:[password]' | sudo chpasswd",
    "echo hunter22 | sudo -S ls": "echo [password] | sudo -S ls",
    "CREATE USER bob IDENTIFIED BY 'hunter22';": "CREATE USER bob IDENTIFIED BY '[password]';",
    "密码改成了 Abc@2024": "密码改成了 [password]",
    "password: correct horse battery": "password: [password]",
    "My passphrase is tall owls sing at dusk, and": "My passphrase is [password] at dusk, and",
    "Wi-Fi password: blue owls fly low and more": "Wi-Fi password: [password] and more",
    "The password for the door is 'three blue mice'.": "The password for the door is '[password]'.",
    "我的密码是蓝天白云小狗，记住": "我的密码是[password]，记住",
    "登录口令：芝麻 开门 吧": "登录口令：[password]",
    "密码为“山高水长 2020”": "密码为“[password]”",
    "密码是qwertz，记住": "密码是[password]，记住",
    "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": "[key]",
    "pscale_tkn_rK8ff9VHXbAHxgTbSk1oJwftqEexczPSwXjEPq5itYf": "[key]",
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
    *("docker run -u 1000 -p 8080:80 x", "mysql -u root -p shop", "sudo -u bob mkdir -p /srv/x", "psql -U bob -p 5432"),
    *(
        "curl -u user:password x",
        'curl -u "$NAME:$TOKEN" x',
        "unzip -P $PASS a.zip",
        "ps -u bob -p 1234",
        "cp -u -p a b",
    ),
    *("the login page -p option", "sshpass -p <password> ssh", "git log --author=bob -p a.py", "密码：至少8位"),
    *("d41d8cd98f00b204e9800998ecf8427e.tar", "cache key user:1234:profile", "https://x.example/hooks/github-guide"),
    *("Date: Tue Jul 8 17:01:04 2014 -0400", "on Intel. (Closes: #1003987)", "text.tcl: [Bug 3600251]: Mac"),
    *("(cmd_preset_passphrase): Likewise.", "cd $(pwd)=/srv/src", "The password is stored in the vault"),
    *("password: see page four", "the password is about to expire soon"),
    *(
        "密码是由字母和数字组成的",
        "密码：必填项不能为空",
        "口令：执行",
        "这家店的成功密码是服务",
        "密码错误次数过多",
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


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "piece",
    [
        "curl -u a",
        "x -u b -p c ",
        "login -p a.b ",
        "echo a | ",
        "sk-abcdefghijklmnop1.a1:",
        "1",
        "a",
        "@",
        "a@a.",
        "1 ",
        "4444 ",
        "f:",
        "key=",
        "-----BEGIN PRIVATE KEY-----",
        "密码1",
    ],
)
def test_a_hostile_text_is_read_to_its_end(piece: str, growth: Callable[..., float]) -> None:
    """Patterns of quadratic time would need minutes for these."""
    REDACTOR.redact((piece * 100_000)[:100_000])
    assert growth(lambda length: REDACTOR.redact((piece * length)[:length]), 800) < 8
