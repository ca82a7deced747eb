"""How well contradictions are told from everything else: changed values, look-alikes, and real neighbours."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from amb_core.evaluation.datasets import Sample, data_folder
from amb_core.text import index_tokens, sentences

__all__ = ["Pair", "Score", "changed_value_pairs", "judge", "neighbour_pairs", "nli_pairs"]

Judge = Callable[[str, str], bool]

_YEAR = re.compile(r"\b(1[5-9]\d\d|20[0-2]\d)\b(?![-–]\d)")
_ZH_YEAR = re.compile(r"(1[5-9]\d\d|20[0-2]\d)(?=年)")
_NUMBER = re.compile(r"(?<![\w.,:/$-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w,:/-]|\.\d)")
_ZH_NUMBER = re.compile(
    r"(?<![\d.,\w第-])(\d+(?:\.\d+)?)(?=[万亿千百]?[个人名座只部集次项条种家所位岁米公吨元辆艘间层站%])"
)
# A whole name after a word that says its role; names with "of" inside are left alone.
_NAME = re.compile(
    r"\b(?P<role>by|in|at|from|with|as|for|near|of|to|the) (?P<name>[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?(?: (?:[A-Z]\.|[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?)){1,3})"
    r"(?=[,.;)]| (?!of\b|and\b|for\b|on\b)[a-z])"
)
_MONTHS = "January February March April May June July August September October November December".split()
_CALENDAR = frozenset([*_MONTHS, *"Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()])


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, whether they contradict each other, and where the pair comes from."""

    a: str
    b: str
    conflict: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs of one kind: how many there are and how many were called a conflict."""

    kind: str
    conflict: bool
    pairs: int
    flagged: int

    @property
    def rate(self) -> float:
        """Share flagged: recall on conflicts, false positive rate on the rest."""
        return self.flagged / self.pairs if self.pairs else 0.0


def judge(pairs: Iterable[Pair], flags: Judge) -> tuple[list[Score], list[Pair]]:
    """Scores by kind, in order of appearance, and the pairs that were judged wrongly."""
    total: Counter[tuple[str, bool]] = Counter()
    flagged: Counter[tuple[str, bool]] = Counter()
    wrong: list[Pair] = []
    for pair in pairs:
        said = flags(pair.a, pair.b)
        total[pair.kind, pair.conflict] += 1
        flagged[pair.kind, pair.conflict] += said
        if said != pair.conflict:
            wrong.append(pair)
    return [Score(kind, conflict, count, flagged[kind, conflict]) for (kind, conflict), count in total.items()], wrong


# --- changed values --------------------------------------------------------------------------------------------------


def changed_value_pairs(sample: Sample, *, chinese: bool, whole: bool) -> Iterator[Pair]:
    """Conflicts (one number, date or name changed) and look-alikes that are none, from passages "title, newline, text".

    `whole` holds a changed sentence against the whole passage, otherwise against the sentence it was made from.
    """
    split = [_split(passage.text, chinese=chinese) for passage in sample.passages]
    names = _names_by_role(line for _, lines in split for line in lines)
    for number, (title, lines) in enumerate(split):
        other_title = split[(number * 7 + 3) % len(split)][0]
        for index, line in enumerate(lines):
            source = "\n".join(filter(None, [title, *lines] if whole else [title, line]))
            for kind, changed in _changes(line, title, names, number + index, chinese=chinese):
                if changed in lines:
                    continue
                yield Pair(source, _with(title, changed), True, kind)
                yield from _look_alikes(title, other_title, line, changed, kind, chinese=chinese)
            for kind, same in _paraphrases(line, chinese=chinese):
                yield Pair(source, _with(title, same), False, kind)
            if index + 1 < len(lines):
                yield Pair(_with(title, line), _with(title, lines[index + 1]), False, "other sentence")


def _split(text: str, *, chinese: bool) -> tuple[str, list[str]]:
    if chinese:
        return "", sentences(text)
    title, _, body = text.partition("\n")
    return title, sentences(body)


def _with(title: str, line: str) -> str:
    return f"{title}\n{line}" if title else line


def _names_by_role(lines: Iterable[str]) -> dict[str, list[str]]:
    """Names by the word before them, so that a place is exchanged for a place more often than not."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for line in lines:
        for match in _NAME.finditer(line):
            if not _CALENDAR & set(match["name"].split()):
                found[match["role"]][match["name"]] = None
    return {role: list(names) for role, names in found.items()}


def _changes(
    line: str, title: str, names: dict[str, list[str]], seed: int, *, chinese: bool
) -> Iterator[tuple[str, str]]:
    year = (_ZH_YEAR if chinese else _YEAR).search(line)
    if year and year.group() not in title:
        other = str(min(2025, int(year.group()) + (-7, -3, 4, 9)[seed % 4]))
        yield "date", line[: year.start()] + other + line[year.end() :]
    dates = [
        span
        for found in re.finditer(
            r"\b(?:%s) \d{1,2}\b|\b\d{1,2} (?:%s)\b" % ("|".join(_MONTHS), "|".join(_MONTHS)), line
        )
        for span in range(*found.span())
    ]
    for found in (_ZH_NUMBER if chinese else _NUMBER).finditer(line):
        if found.start() in dates or (not chinese and _YEAR.fullmatch(found.group())) or found.group() in title:
            continue
        yield "number", line[: found.start()] + _other_number(found.group(), seed) + line[found.end() :]
        break
    for found in () if chinese else _NAME.finditer(line):
        name = found["name"]
        pool = names[found["role"]]
        other = pool[(seed * 13 + 5) % len(pool)]
        if name in title or title in name or _CALENDAR & set(name.split()) or set(other.split()) & set(name.split()):
            continue
        yield "name", line[: found.start("name")] + other + line[found.end("name") :]
        break


def _other_number(surface: str, seed: int) -> str:
    value = float(surface.replace(",", ""))
    other = value * (1.3, 1.7, 0.6, 2.0)[seed % 4]
    if "." in surface:
        return f"{other:.{len(surface.split('.')[1])}f}"
    whole = round(other) if round(other) != value else int(value) + 1
    return f"{whole:,}" if "," in surface else str(whole)


def _look_alikes(title: str, other_title: str, line: str, changed: str, kind: str, *, chinese: bool) -> Iterator[Pair]:
    """Pairs whose value differs for a reason: another entity, another time, another attribute."""
    if not chinese and title and line.startswith(title) and other_title != title:
        yield Pair(_with(title, line), _with(other_title, changed.replace(title, other_title)), False, "other entity")
    elif title and re.match(r"(?:It|He|She|They|His|Her|Its|Their|The(?: [a-z]+){2}) [a-z]", line):
        yield Pair(_with(title, line), _with(other_title, changed), False, "other entity")
    if kind == "number":
        bound = not re.search(r"\b(?:1[5-9]|20)\d\d\b", line)
        if chinese and bound:
            yield Pair(f"2014年，{line}", f"2017年，{changed}", False, "other time")
        elif bound and re.match(r"(?:It|He|She|They|His|Her|Its|Their|The) ", line):
            lower = line[0].lower()
            was, now = f"In 2014, {lower}{line[1:]}", f"In 2017, {lower}{changed[1:]}"
            yield Pair(_with(title, was), _with(title, now), False, "other time")
        if not chinese and (noun := re.search(r"\d (?:[a-z]+ )?([a-z]{4,}s)\b", changed)):
            other = changed[: noun.start(1)] + ("windows" if noun[1] != "windows" else "doors") + changed[noun.end(1) :]
            yield Pair(_with(title, line), _with(title, other), False, "other attribute")


_SYNONYMS = (
    (" film ", " movie "), (" began ", " started "), (" also ", " "), (" is a ", " is considered a "), (" located ", " situated "),
    (" founded ", " established "), (" built ", " constructed "), (" approximately ", " about "), (" large ", " big "),
    (" people ", " persons "), (" until ", " till "), (" such as ", " for example "), (" many ", " numerous "),
)  # fmt: skip
_ZH_SYNONYMS = (
    ("位于", "坐落于"), ("成立", "创立"), ("开始", "起"), ("但是", "然而"), ("因为", "由于"), ("大约", "约"), ("以及", "和"), ("目前", "现在"), ("出生于", "生于"),
)  # fmt: skip


def _paraphrases(line: str, *, chinese: bool) -> Iterator[tuple[str, str]]:
    """The same said in other words or with its figures written otherwise."""
    said = line
    for old, new in _ZH_SYNONYMS if chinese else _SYNONYMS:
        said = said.replace(old, new)
    if not chinese and (opening := re.match(r"((?:In|On|At|By|During) [^,]{3,30}), ([^.]+)\.$", said)):
        said = f"{opening[2][0].upper()}{opening[2][1:]} {opening[1][0].lower()}{opening[1][1:]}."
    elif not chinese and (closing := re.match(r"([^,]+) (in (?:%s )?\d{4})\.$" % "|".join(_MONTHS), said)):
        said = f"In{closing[2][2:]}, {closing[1]}."
    if said != line:
        yield "paraphrase", said
    rewritten = _rewritten(line, chinese=chinese)
    if rewritten != line:
        yield "other notation", rewritten


def _rewritten(line: str, *, chinese: bool) -> str:
    if chinese:
        line = re.sub(r"(\d+)年(\d+)月(\d+)日", lambda m: f"{m[1]}-{int(m[2]):02d}-{int(m[3]):02d}", line)
        return re.sub(r"(?<![\d.])(\d+)0000(?=[人元个名])", r"\1万", line)
    line = re.sub(r"\b(%s) (\d{1,2}), (\d{4})" % "|".join(_MONTHS), r"\2 \1 \3", line)
    line = re.sub(r"\b\d{1,3}(?:,\d{3})+\b", lambda m: m.group().replace(",", ""), line)
    return re.sub(r"(\d)%", r"\1 percent", line)


# --- real neighbours and NLI sets ------------------------------------------------------------------------------------


def neighbour_pairs(texts: Sequence[str], *, each: int = 8) -> Iterator[Pair]:
    """Every text with the `each` texts that share most of its rare terms, each pair once; none is a known conflict."""
    postings: dict[str, list[int]] = defaultdict(list)
    terms = [frozenset(index_tokens(text)) for text in texts]
    for number, found in enumerate(terms):
        for term in found:
            postings[term].append(number)
    seen: set[tuple[int, int]] = set()
    for number, found in enumerate(terms):
        weights: Counter[int] = Counter()
        for term in sorted(found):
            if 1 < len(postings[term]) <= 200:
                for other in postings[term]:
                    weights[other] += 1 / len(postings[term])
        del weights[number]
        for other, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:each]:
            key = (min(number, other), max(number, other))
            if key not in seen:
                seen.add(key)
                yield Pair(texts[key[0]], texts[key[1]], False, "neighbours")


def nli_pairs(name: str, *, folder: str | os.PathLike[str] | None = None) -> Iterator[Pair]:
    """Pairs of "breaking_nli" (English) or "ocnli" (Chinese); `kind` is the gold label."""
    root = data_folder(folder)
    path = root / ("breaking_nli/dataset.jsonl" if name == "breaking_nli" else "ocnli/train.3k.json")
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        label = row.get("gold_label") or row["label"]
        if label in ("contradiction", "entailment", "neutral"):
            yield Pair(row["sentence1"], row["sentence2"], label == "contradiction", label)
