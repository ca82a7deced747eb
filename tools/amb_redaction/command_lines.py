"""Passwords in commands: the argument of an option that a program takes one by, a login, what is piped to a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from amb_core.text.lazy_patterns import lazy_pattern
from amb_redaction.keys import PLACEHOLDER, looks_random
from amb_redaction.kinds import Found, RedactionKind
from amb_redaction.plain_view import PlainView

__all__ = ["find_in_commands"]

_ARGUMENT = r"(?:'(?P<single>[^'\n]{1,256})'|\"(?P<double>[^\"\n]{1,256})\"|(?P<bare>[^\s'\"|;&<>()`]{1,256}))"
_WORD = r"(?:'[^'\n]{1,256}'|\"[^\"\n]{1,256}\"|[^\s'\"|;&<>()`]{1,256})"
_GAP = r"(?:[ \t]|\\\r?\n){1,8}"


def _option(names: str, *, attached: bool = False, apart: bool = True) -> re.Pattern[str]:
    """An option with its argument: behind a blank or `=`, or, where it may be, attached to it."""
    joints = [rf"{_GAP}|=" if apart else "", "(?<!--)" if attached else ""]
    return lazy_pattern(rf"(?<=\s)(?:{names})(?:{'|'.join(filter(None, joints))}){_ARGUMENT}")


def _pair(names: str) -> re.Pattern[str]:
    """An option whose argument is a user and a password."""
    return lazy_pattern(
        rf"(?<=\s)(?:{names})(?:{_GAP}|=)?(?:'[^\s:%,'\n]{{0,128}}[:%,](?P<single>[^'\n]{{1,256}})'"
        rf"|\"[^\s:%,\"\n]{{0,128}}[:%,](?P<double>[^\"\n]{{1,256}})\""
        rf"|[^\s:%,'\"|;&]{{0,128}}[:%,](?P<bare>[^\s'\"|;&<>()`]{{1,256}}))"
    )


_RULES: dict[str, re.Pattern[str]] = {
    "curl|http|https|xh|ab|lftp|smbclient|rpcclient": _pair("-u|-U|-a|-A|--user|--proxy-user|--auth"),
    "sshpass": _option("-p", attached=True),
    "openssl": _option("-k"),
    "mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlcheck|mariadb|mariadb-dump|mariadb-admin|7z|7za|7zz|rar"
    "|unrar": _option("-h?p", attached=True, apart=False),
    "redis-cli|valkey-cli": _option("-a"),
    "zip|unzip|sqlcmd|bcp|osql|mosquitto_pub|mosquitto_sub|ipmitool": _option("-P", attached=True),
    "ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd": _option("-w"),
    "plink|pscp|psftp": _option("-pw"),
}
"""By programs, how one takes a password where its option does not say so itself."""
_RULE_OF = {name: rule for names, rule in _RULES.items() for name in names.split("|")}
_PROGRAM = lazy_pattern(
    r"(?<![\w.@-])(?:" + "|".join(sorted(map(re.escape, _RULE_OF), key=len, reverse=True)) + r")(?:\.exe)?(?=[ \t])"
)
_COMMAND = re.compile(r"(?:\\\r?\n|'[^'\n]{0,300}'|\"[^\"\n]{0,300}\"|[^\n|;]){0,600}+")
_OTHER = rf"{_GAP}--?[A-Za-z][\w-]{{0,30}}(?:(?:{_GAP}|=)(?!-){_WORD})?"
_HOST = rf"{_GAP}[^\s-][^\s]{{0,80}}[.:][^\s]{{1,80}}"
# A login names the user and then the password, whatever the program; between them there are only other options.
_LOGIN = lazy_pattern(
    rf"(?<=\s)(?:-u|-U|--user|--username)(?:{_GAP}|=)(?!-){_WORD}(?:{_OTHER}){{0,4}}?"
    rf"{_GAP}(?:-p|-P|-pw|-w|--pass)(?:{_GAP}|=){_ARGUMENT}"
)
_LOGS_IN = lazy_pattern(rf"(?<=[ \t])login(?:{_OTHER}|{_HOST}){{0,6}}?{_GAP}(?:-p|-P)(?:{_GAP}|=){_ARGUMENT}")
_PIPED = lazy_pattern(
    rf"(?<![\w-])(?:echo(?:{_GAP}-[neE]{{1,3}}){{0,2}}|printf(?:{_GAP}['\"]?%s(?:\\n)?['\"]?)?){_GAP}{_ARGUMENT}"
    r"[ \t]{0,3}\|[ \t]{0,3}(?:sudo(?:[ \t]{1,3}[\w-]{1,20}){0,3}?[ \t]{1,3}-S"
    r"|(?:sudo[ \t]{1,3})?chpasswd|[^|\n]{1,120}?(?:--password-stdin|--stdin|-passin stdin))"
)
_IN_SQL = lazy_pattern(
    r"\bIDENTIFIED[ \t]{1,3}(?:WITH[ \t]{1,3}\S{1,40}[ \t]{1,3})?(?:BY|AS)[ \t]{1,3}"
    r"(?:'(?P<single>[^'\n]{1,256})'|\"(?P<double>[^\"\n]{1,256})\")",
    re.IGNORECASE,
)
_NET_USE = lazy_pattern(
    r"\bnet[ \t]{1,3}use(?:[ \t]{1,3}[^\s/]{1,200}){1,2}?[ \t]{1,3}(?P<bare>[^\s/\\]{3,128})(?=[ \t]{1,3}/user:)",
    re.IGNORECASE,
)
_WEBHOOK = lazy_pattern(
    r"https?://(?=[^\s/]{0,60}hook|[^\s]{1,80}hooks?/)[^\s'\"<>)]{8,160}?/"
    r"(?P<bare>[A-Za-z0-9_-]{16,128})(?![A-Za-z0-9_/-])",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
_NUMBERS = re.compile(r"[\d:.,/-]+")


def find_in_commands(view: PlainView) -> Iterator[Found]:
    """Passwords that a command line holds, and the secret part of the URL of a web hook."""
    text, done = view.text, 0
    known: set[int] = set()  # where options of programs stand whose own rule has the say
    for program in _PROGRAM.finditer(text):
        if program.start() < done:
            continue
        command = _COMMAND.match(text, program.end())
        done = command.end() if command else program.end()
        rule = _RULE_OF[program.group().removesuffix(".exe")]
        yield from _passwords(rule.finditer(text, program.end(), done))
        known.update(range(program.end(), done))
    for pattern in (_LOGIN, _LOGS_IN) if " -" in text else ():
        yield from _passwords(match for match in pattern.finditer(text) if match.start() not in known)
    if "|" in text:
        yield from _passwords(_PIPED.finditer(text), behind=":")
    for pattern in (_IN_SQL, _NET_USE):
        yield from _passwords(pattern.finditer(text))
    for match in _WEBHOOK.finditer(text):
        value = match["bare"]
        if _UUID.fullmatch(value) or looks_random(value):
            yield Found(RedactionKind.KEY, match.start("bare"), match.end("bare"))


def _passwords(matches: Iterable[re.Match[str]], *, behind: str = "") -> Iterator[Found]:
    """Where passwords stand, `behind` the name of a user if there is one; not ports, paths, variables, placeholders."""
    for match in matches:
        group = next(name for name, value in match.groupdict().items() if value is not None)
        start, value = match.start(group), match[group]
        if behind and behind in value:
            user, _, value = value.partition(behind)
            start += len(user) + 1
        is_none = len(value) < 3 or value[0] in "-$/~%*{<[\ue000" or value.startswith(("./", "../")) or "://" in value
        if not is_none and not _NUMBERS.fullmatch(value) and not PLACEHOLDER.fullmatch(value):
            yield Found(RedactionKind.PASSWORD, start, start + len(value))
