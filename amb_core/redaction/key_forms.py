"""What keys and tokens of well-known services look like, and the words that name a secret."""

from __future__ import annotations

import re

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = [
    "AUTHORIZATION",
    "KEY_VALUE",
    "NAME",
    "OF_PASSWORDS",
    "PASSWORD_IN_URL",
    "PASSWORD_VALUE",
    "PLACEHOLDER",
    "PRIVATE_KEY",
    "QUALIFIERS",
    "SERVICE_KEY",
    "STRONG",
    "WHOLE_WORDS",
]

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
      | SG\.{_VALUE}{{16,}}\.{_VALUE}{{16,}} | (?:AC|SK)[0-9a-f]{{32}}(?![A-Za-z0-9])     # SendGrid, Twilio
      | (?:npm|hf|gsk|r8|rubygems|shpat|shpca|shppa|shpss|lin_api|lin_oauth|dop_v1|doo_v1|dor_v1|glsa|glc|dckr_pat
          |dckr_oat|figd|ntn|secret|nvapi|pplx|xai|tvly|fw|csk|jina|ctx7sk|sntrys|sntryu|phc|phx|vercel|supabase|sbp|cfut|PMAK|NRAK|ATATT3x|tskey|pypi
          |hvs|hvb|dp\.pt|dp\.st|EAAC|dapi|sq0atp|sq0csp|sgp|key)[-_.]?(?=[A-Za-z0-9_-]*\d){_VALUE}{{20,}}
      | dapi[0-9a-f]{{32}} | age-secret-key-1[A-Za-z0-9]{{40,}} | AGE-SECRET-KEY-1[A-Z0-9]{{40,}}
      | \d{{8,10}}:AA{_VALUE}{{33}}(?!{_VALUE})                            # Telegram
      | [MNO][A-Za-z0-9]{{23,25}}\.{_VALUE}{{6}}\.{_VALUE}{{27,38}}          # Discord
      | eyJ{_VALUE}{{8,}}\.{_VALUE}{{8,}}(?:\.{_VALUE}*)?(?:\.{_VALUE}+)*     # JSON web tokens
    )""",
    re.VERBOSE,
)
"""Keys that tell by their first letters what they are."""

PRIVATE_KEY = lazy_pattern(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
AUTHORIZATION = lazy_pattern(
    r"(?<![A-Za-z])(?:Bearer|Basic|Token|Digest|ApiKey)\s{1,3}(?P<value>[A-Za-z0-9_\-+/=.~]{8,})", re.IGNORECASE
)
PASSWORD_IN_URL = lazy_pattern(
    r"(?<=://)[^\s/:@\"'<>|()\[\]{}\\\ue000]{0,128}:(?P<value>[^\s/@\"'<>]{1,256})(?=@[^\s@])"
)

_IS = (
    r"[\"'`”\])}]{0,3}\s{0,3}(?:(?:=>|:=|==?|:|>)\s{0,3}|(?<=\s)(?:is|was|to)\s{1,3}"
    r"|(?:已?(?:改|设置?|更新|重置|变更)?(?:为|成)|就?是)\s{0,2}:?\s{0,2})"
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
    rf"(?:{_QUOTED}|(?P<value>[A-Za-z0-9_\-+/=.~:]{{8,}}))"
)
PLACEHOLDER = lazy_pattern(
    r"(?:none|null|nil|true|false|undefined|required|optional|string|str|text|bytes|int|varchar.*|char.*|your.*|my_?password|password|passwd|pass|"
    r"secret|token|example|placeholder|redacted|hidden|masked|changed|reset|expired|invalid|incorrect|wrong|correct|missing|empty|not|must|"
    r"should|may|can|the|a|an|field|input|hash(?:ed)?|protected|\*+|x{3,}|\.{2,}|-+|_+|…+|#+)[.,;!?]?|\$\{.*|\$[A-Z_]+|<.*>?|\{.*|%s|%\(.*|\[.*\]|[A-Za-z_.]{3,}\(.*|"
    r"(?:os|process|env|config|settings|self|ctx|args|request|options|secrets|vault|kwargs)\.[\w.]+\W*.*|\ue000.*",
    re.IGNORECASE | re.DOTALL,
)
"""What stands where a secret would, and is none."""
