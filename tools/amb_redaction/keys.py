"""Keys, tokens and passwords: by their first letters, by their place, and by the word that names them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction.kinds import Found, RedactionKind
from amb_redaction.pass_phrases import OF_PHRASES, pass_phrase
from amb_redaction.plain_view import PlainView

__all__ = ["find_secrets", "looks_random"]


_VALUE = r"[A-Za-z0-9_-]"

SERVICE_KEY = lazy_pattern(
    rf"""(?<![A-Za-z0-9_])(?=[A-Za-z0-9])(?:
        sk-{_VALUE}{{16,}}                                              # OpenAI, Anthropic, DeepSeek and others alike
      | (?:sk|rk|pk|whsec|sess|sk_live|rk_live|pk_live|sk_test|rk_test|pk_test)_[A-Za-z0-9]{{16,}}
      | (?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{{10,}}                # Stripe
      | gh[oprsu]_[A-Za-z0-9]{{20,}} | github_pat_[A-Za-z0-9_]{{20,}}      # GitHub
      | gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent)-{_VALUE}{{16,}}              # GitLab
      | (?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{{16}}(?![A-Za-z0-9])     # AWS
      | (?:LTAI|AKID|AKLT)[A-Za-z0-9]{{12,48}}                            # Alibaba, Tencent, Volcano
      | xox[abeoprs](?:\.xox[bp])?-{_VALUE}{{10,}} | xapp-{_VALUE}{{10,}}     # Slack
      | AIza{_VALUE}{{30,}} | ya29\.{_VALUE}{{20,}} | GOCSPX-{_VALUE}{{20,}} | 1//0{_VALUE}{{30,}}  # Google
      | SG\.{_VALUE}{{8,}}\.{_VALUE}{{16,}} | (?:AC|SK)[0-9a-f]{{32}}(?![A-Za-z0-9])     # SendGrid, Twilio
      | (?:npm|gsk|r8|rubygems|shpat|shpca|shppa|shpss|lin_api|lin_oauth|dop_v1|doo_v1|dor_v1|glsa|glc|dckr_pat
          |dckr_oat|figd|ntn|secret|nvapi|pplx|xai|tvly|fw|csk|jina|ctx7sk|sntrys|sntryu|phc|phx|vercel|supabase|sbp|cfut|PMAK|NRAK|tskey|pypi
          |hvs|hvb|dp\.pt|dp\.st|EAAC|dapi|sq0atp|sq0csp|sgp|key)[-_.]?(?=[A-Za-z0-9_-]*\d){_VALUE}{{20,}}
      | hf_[A-Za-z0-9]{{30,}} | ATATT3x{_VALUE}{{20,}}(?:=[0-9A-F]{{8}})? | HRKU-{_VALUE}{{30,}}
      | EAAA{_VALUE}{{60}}(?!{_VALUE})
      | pscale_(?:tkn|pw|oauth)_{_VALUE}{{20,}} | pat[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}} | fm[12]_[A-Za-z0-9+/=]{{40,}}
      | dapi[0-9a-f]{{32}} | age-secret-key-1[A-Za-z0-9]{{40,}} | AGE-SECRET-KEY-1[A-Z0-9]{{40,}}
      | [0-9a-f]{{32}}\.(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{{16,48}}(?![A-Za-z0-9.])   # Zhipu: id and secret
      | \d{{8,10}}:AA{_VALUE}{{33}}(?!{_VALUE})                            # Telegram
      | [MNO][A-Za-z0-9]{{23,25}}\.{_VALUE}{{6}}\.{_VALUE}{{27,38}}          # Discord
      | eyJ{_VALUE}{{8,}}\.{_VALUE}{{8,}}(?:\.{_VALUE}*)?(?:\.{_VALUE}+)*     # JSON web tokens
    )""",
    re.VERBOSE,
)
"""Keys that tell by their first letters what they are."""

PRIVATE_KEY = lazy_pattern(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
AUTHORIZATION = lazy_pattern(
    r"(?<![A-Za-z])(?:Bearer|Basic|Token|Digest|ApiKey)\s{1,3}(?P<value>[A-Za-z0-9_\-+/=.~:%]{8,})", re.IGNORECASE
)
PASSWORD_IN_URL = lazy_pattern(
    r"(?<=://)[^\s/:@\"'<>|()\[\]{}\\\ue000]{0,128}:(?P<value>[^\s/@\"'<>]{1,256})(?=@[^\s@])"
)
IN_NETRC = lazy_pattern(r"(?<![\w.-])machine\s+\S{1,120}\s+login\s+\S{1,120}\s+password\s+(?P<value>\S{3,256})")

_IS = (
    r"[\"'`”\])}]{0,3}\s{0,3}(?:(?:=>|:=|==?|:|>)\s{0,3}|(?<=\s)(?:is|was|to)\s{1,3}"
    r"|(?:已?(?:改|换|设置?|更新|重置|变更)?(?:为|成)了?|就?是)\s{0,2}:?\s{0,2})"
)
_QUOTED = r"\"(?P<double>[^\"\n]{1,512})\"|'(?P<single>[^'\n]{1,512})'|[“「『](?P<curly>[^”」』\n]{1,128})[”」』]"
NAME = lazy_pattern(
    "password|passwd|passphrase|passcode|passwort|pwd|pw|pass|pin code|pin_code|密码|密碼|口令|密语|暗号"
    "|key|token|secret|signature|credential|sig|auth|cookie|session|密钥|秘钥|密鑰|私钥|令牌|授权码|凭证|凭据"
)
"""The words that name a secret, in small letters."""
OF_PASSWORDS = frozenset(
    "password passwd passphrase passcode passwort pwd pw pass 密码 密碼 口令 密语 暗号".split()
) | {
    "pin code",
    "pin_code",
}
WHOLE_WORDS = frozenset("pwd pw pass sig auth key token cookie session".split())
"""Those that other words contain (`passage`, `monkey`): they begin where no letter stands before."""
STRONG = frozenset("secret credential 密钥 秘钥 密鑰 私钥 令牌 授权码 凭证 凭据".split())
"""Those that need no other word before them to name a secret."""
QUALIFIERS = tuple(
    (
        "api app access secret private client auth encryption signing account shared subscription session refresh "
        "personal deploy webhook license licence bearer consumer jwt service bot master admin root ssh storage id"
    ).split()
)
"""What stands before `key` or `token` where it is a secret."""
PASSWORD_VALUE = lazy_pattern(rf"s?(?:[ _]?\d)?(?:{_IS}|(?P<bare>\s{{0,2}}))(?:{_QUOTED}|(?P<value>[!-~]{{4,}}))")
KEY_VALUE = lazy_pattern(
    rf"s?(?:[ _-]?(?:id|ID|Id|key|KEY|Key))?(?:{_IS}|(?P<bare>\s{{0,2}}))"
    rf"(?:{_QUOTED}|(?P<value>[A-Za-z0-9_\-+/=.~:%]{{8,}}))"
)
PLACEHOLDER = lazy_pattern(
    r"(?:none|null|nil|true|false|undefined|required|optional|string|str|text|bytes|int|varchar.*|char.*|your.*|my_?password|password|passwd|pass|"
    r"secret|token|example|placeholder|redacted|hidden|masked|changed|reset|expired|invalid|incorrect|wrong|correct|missing|empty|not|must|"
    r"should|may|can|the|a|an|field|input|hash(?:ed)?|protected|\*+|x{3,}|\.{2,}|-+|_+|…+|#+)[.,;!?]?|\$\{.*|\$[A-Z_]+|<.*>?|\{.*|%s|%\(.*|\[.*\]|[A-Za-z_.]{3,}\(.*|"
    r"(?:os|process|env|config|settings|self|ctx|args|request|options|secrets|vault|kwargs)\.[\w.]+\W*.*|\ue000.*",
    re.IGNORECASE | re.DOTALL,
)
"""What stands where a secret would, and is none."""

_FURTHER = re.compile(r"(?:[.:~][A-Za-z0-9_-]{1,256}){1,8}")
_PART_OF_KEY = re.compile(r"[.:~]([A-Za-z0-9_-]+)")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PART = re.compile(r"[A-Za-z0-9]+")
_UUID = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
_HEX = re.compile(r"(?:0x)?[0-9A-Fa-f]+")
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d.*")
_MEMBER = re.compile(r"(?=[^0-9]*$)[A-Za-z_][A-Za-z_.]*")
_BODY_OF_KEY = re.compile(r"(?:[A-Za-z0-9+/=\s]|\\n|[A-Za-z-]+: [^\n]*\n)*")
_CLOSED = re.compile(r"[\"']|</|[,;&](?=[\w.-]+[\"']?[=:]|\Z)")
"""What closes a value in quotes, a tag, a query or a list."""
_BEHIND_NAME = frozenset("是为改设成更重变置就已「『")
"""The Chinese characters with which what joins a name to its value begins."""
_SMALL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_SHORTEST_WEAK = 16
_BEFORE = 24
_LONG = 64
_TRAILING = ".,;:!?)]}>\"'`"


def find_secrets(view: PlainView) -> Iterator[Found]:
    """Private keys, keys of services, credentials of requests and URLs, and what a word names as key or password."""
    text = view.text
    yield from _private_keys(text)
    for match in SERVICE_KEY.finditer(text):
        yield Found(RedactionKind.KEY, match.start(), _end_of_key(text, match.end()))
    for match in AUTHORIZATION.finditer(text):
        value = match["value"].rstrip(_TRAILING)
        if _is_mixed(value, least=8) and not PLACEHOLDER.fullmatch(value):
            yield Found(RedactionKind.KEY, match.start("value"), match.start("value") + len(value))
    for match in (*PASSWORD_IN_URL.finditer(text), *IN_NETRC.finditer(text)):
        if not PLACEHOLDER.fullmatch(match["value"]):
            yield Found(RedactionKind.PASSWORD, match.start("value"), match.end("value"))
    for secret in _named(text):
        if _is_password(secret) if secret.of_password else _is_key(secret):
            kind = RedactionKind.PASSWORD if secret.of_password else RedactionKind.KEY
            yield Found(kind, secret.start, secret.start + len(secret.value))


def _end_of_key(text: str, end: int) -> int:
    """Where a key ends that may go on behind dots and colons: after its last part that is no word and no suffix."""
    further = _FURTHER.match(text, end)
    for part in _PART_OF_KEY.finditer(further.group() if further else ""):
        if _is_mixed(part[1], least=6):
            end = further.start() + part.end() if further else end
    return end


def _private_keys(text: str) -> Iterator[Found]:
    """Each from its first line to its last, or as far as it goes where the last is missing."""
    done, closed = 0, True
    for match in PRIVATE_KEY.finditer(text):
        if match.start() < done:
            continue
        end = text.find("-----END ", match.end()) if closed else -1
        closed = end >= 0
        stop = text.find("-----", end + 9, end + 80) if closed else -1
        body = _BODY_OF_KEY.match(text, match.end())
        done = stop + 5 if stop >= 0 else body.end() if body else match.end()
        yield Found(RedactionKind.KEY, match.start(), done)


@dataclass(frozen=True, slots=True)
class _Named:
    """A value behind a word that names a secret, where it stands, and how the two are joined."""

    name: str
    value: str
    start: int
    joint: str
    quoted: bool
    strong: bool
    option: bool
    phrase: bool = False

    @property
    def of_password(self) -> bool:
        return self.name in OF_PASSWORDS

    @property
    def assigned(self) -> bool:
        return any(mark in self.joint for mark in ":=>")


def _named(text: str) -> Iterator[_Named]:
    """Every value behind a name; each piece of text is looked at a bounded number of times."""
    done = 0
    for match in NAME.finditer(text.translate(_SMALL)):
        if match.start() < done:
            continue
        if text[match.end() : match.end() + 1] > "\u2fff" and text[match.end()] not in _BEHIND_NAME:
            continue
        name, before = match.group(), text[max(0, match.start() - _BEFORE) : match.start()]
        written = text[match.start() : match.end()]
        if written not in (name, name.upper(), name.capitalize(), name.title()) and name != "password":
            continue
        strong = name in STRONG or before.lower().rstrip(" _-").endswith(QUALIFIERS)
        if name in WHOLE_WORDS and not strong and _is_within_word(text, match.start(), match.end()):
            continue
        if name in OF_PASSWORDS and text[match.end() : match.end() + 1] == ")" and before.endswith(("_", "$(")):
            continue  # a function in a list of changes, a command
        phrase = pass_phrase(text, match.end()) if name in OF_PHRASES else None
        if phrase is not None:
            yield _Named(name, phrase[1], phrase[0], text[match.end() : phrase[0]], False, strong, False, True)
            continue
        pattern = PASSWORD_VALUE if name in OF_PASSWORDS else KEY_VALUE
        rest = pattern.match(text, match.end())
        if rest is None:
            continue
        start, value, quoted = _value(rest)
        option = before.endswith("--") and bool(rest["bare"])
        yield _Named(name, value, start, text[match.end() : start], quoted, strong, option)
        done = start + len(value) if len(value) > _LONG else match.end()


def _is_within_word(text: str, start: int, end: int) -> bool:
    """Whether a name is part of a longer word: `passage`, `monkey`; `dbPass` is two words."""
    before, behind = text[max(0, start - 1) : start], text[end : end + 2]
    goes_on = behind[:1].isascii() and behind[:1].islower() and not (behind[0] == "s" and not behind[1:].isalpha())
    begun = before.isascii() and before.isalnum() and not (before.islower() and text[start].isupper())
    return goes_on or begun


def _value(match: re.Match[str]) -> tuple[int, str, bool]:
    """Where a named value begins, the value without the punctuation behind it, and whether it was quoted."""
    for quoted in ("double", "single", "curly"):
        if match[quoted] is not None:
            return match.start(quoted), match[quoted], True
    value = _CLOSED.split(match["value"], maxsplit=1)[0]
    return match.start("value"), value.rstrip(".,;:)]}`"), False


def _is_password(secret: _Named) -> bool:
    value = secret.value
    if secret.phrase:
        return True
    if len(value) < 3 or " " in value or PLACEHOLDER.fullmatch(value):
        return False
    if not any(character.isascii() and character.isalnum() for character in value):
        return False
    if secret.option:
        return True
    if not secret.joint.strip("\"'“「『 "):  # right behind its name: 密码abc123
        mixed = len(value) >= 6 and any(character.isdigit() for character in value) and value[0].isalnum()
        return mixed and (not secret.name.isascii() or (bool(secret.joint) and _is_mixed(value, least=6)))
    if not secret.name.isascii() and len(value) >= 5:  # 密码是abcde: letters among Chinese ones are a value
        return True
    return secret.assigned or secret.quoted or not value.isalpha()


def _is_key(secret: _Named) -> bool:
    value = secret.value
    if PLACEHOLDER.fullmatch(value) or " " in value or "://" in value or _DATE.fullmatch(value):
        return False
    if not secret.strong or not secret.joint.strip("\"'“「『 "):
        return len(value) >= _SHORTEST_WEAK and not _UUID.fullmatch(value) and looks_random(value)
    if len(value) < 8 or _MEMBER.fullmatch(value):
        return False
    return _is_mixed(value, least=8) and (looks_random(value) or not _is_wordy(value))


def _is_mixed(value: str, *, least: int) -> bool:
    """Whether digits and letters, or small and capital letters, stand in a value of some length."""
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    return len(value) >= least and letters and (digits or (len(value) >= 20 and not value.islower()))


def _is_wordy(value: str) -> bool:
    """Whether a value is words and numbers put together: `report_2023_final`."""
    parts = _PART.findall(value)
    return len(parts) > 1 and all(part.isalpha() or part.isdigit() or len(part) < 4 for part in parts)


def looks_random(value: str) -> bool:
    """Whether a value changes between digits, small and capital letters too often to be words and numbers."""
    if _HEX.fullmatch(value) and not value.isdigit() and not value.isalpha():
        return len(value) >= _SHORTEST_WEAK
    if not any(character.isdigit() for character in value):
        return len(value) >= 32 and len(_RUNS.findall(value)) > len(value) / 4
    runs = sum(len(_RUNS.findall(part)) - 1 for part in _PART.findall(value))
    return runs >= 4 or (runs >= 3 and len(value) >= _SHORTEST_WEAK)
