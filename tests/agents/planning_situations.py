"""Situations of a task with the right next step, the same in both languages; `planning_words` has their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["SITUATIONS", "Outcome", "Situation"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the pending step went; `text` is the name of a text."""

    status: Literal["success", "failure"] = "success"
    text: str = ""
    decided: bool | None = None
    answered: bool = False
    repeats: int = 0
    running: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """One state of a task, all by name; `then` is the right next step, "" for none.

    `done` are finished steps with status and text, `conflicts` names with a status ("open" without one), `record` what
    the step just done is to be recorded as ("" while nothing is) with the text the local agent gives it.
    """

    name: str
    goal: str
    then: str
    new: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    done: tuple[tuple[str, str, str], ...] = ()
    pending: str = ""
    outcome: Outcome | None = None
    record: tuple[str, str] = ("", "")


BROUGHT = Outcome()
FAILED = Outcome(status="failure", text="error")

# fmt: off
SITUATIONS: tuple[Situation, ...] = (
    Situation("nothing is known", "one", "one find"),
    Situation("the context given at the start says it", "one", "one answer", relevant=("covers",)),
    Situation("memory holds something else", "one", "one find", relevant=("other",)),
    Situation("nothing is known of a double question", "two", "two find 1"),
    Situation("the first part is known", "two", "two find 2", relevant=("opened",)),
    Situation("the second part is known", "two", "two find 1", relevant=("cost",)),
    Situation("both parts are known", "two", "two answer", relevant=("cost", "opened")),
    Situation("new nodes count as well as recalled ones", "two", "two answer", new=("opened",), relevant=("cost",)),
    Situation("a conflict is open", "one", "validate c1", conflicts=("c1",)),
    Situation("a conflict is open and the rest is known", "one", "validate c1", relevant=("covers",),
              conflicts=("c1",)),
    Situation("a conflict comes before an attachment", "one", "validate c1", conflicts=("c1",), waiting=("a1",)),
    Situation("of two conflicts the first is verified", "one", "validate c1", conflicts=("c1", "c2")),
    Situation("a conflict is being verified and no step is pending", "one", "validate c1",
              conflicts=("c1 verifying",)),
    Situation("an unresolved conflict is not planned", "one", "one find", conflicts=("c1 unresolved",)),
    Situation("a resolved conflict is not planned", "one", "validate c2", conflicts=("c1 resolved", "c2")),
    Situation("a conflict without subject and values is named by its description", "one", "validate bare",
              conflicts=("bare",)),
    Situation("an attachment comes before the search", "one", "recognise a1", waiting=("a1",)),
    Situation("an attachment comes before the answer", "one", "recognise a1", relevant=("covers",), waiting=("a1",)),
    Situation("two attachments are one step", "one", "recognise a1 a2", waiting=("a1", "a2")),
    Situation("a search found it", "one", "one answer", new=("covers",), relevant=("covers",), pending="one find",
              outcome=BROUGHT, record=("success", "learnt height")),
    Situation("a search found something else on it", "one", "one answer", new=("beside",), relevant=("beside",),
              pending="one find", outcome=BROUGHT, record=("success", "learnt beside")),
    Situation("a search of two goes on to the second part", "two", "two find 2", new=("opened",),
              relevant=("opened",), pending="two find 1", outcome=BROUGHT, record=("success", "learnt opened")),
    Situation("a search brought nothing new", "one", "one again", pending="one find", outcome=BROUGHT,
              record=("success", "nothing new")),
    Situation("a second search brought nothing new either", "one", "one answer",
              done=(("one find", "success", "nothing new"),), pending="one again", outcome=BROUGHT,
              record=("gave up", "gave up nothing new")),
    Situation("giving up one part leads to the next", "two", "two find 2",
              done=(("two find 1", "success", "nothing new"),), pending="two again 1", outcome=BROUGHT,
              record=("gave up", "gave up nothing new")),
    Situation("a search only repeated what is known", "one", "one answer", relevant=("covers",), pending="one find",
              outcome=Outcome(repeats=2), record=("success", "nothing new")),
    Situation("a search failed", "one", "one again", pending="one find", outcome=FAILED,
              record=("failure", "failed")),
    Situation("a search failed twice", "one", "one answer", done=(("one find", "failure", "failed"),),
              pending="one again", outcome=FAILED, record=("gave up", "gave up failed")),
    Situation("a search that failed once succeeds in other words", "one", "one answer", new=("covers",),
              relevant=("covers",), done=(("one find", "failure", "failed"),), pending="one again", outcome=BROUGHT,
              record=("success", "learnt height")),
    Situation("a search failed twice and another part is open", "two", "two find 2",
              done=(("two find 1", "failure", "failed"),), pending="two again 1", outcome=FAILED,
              record=("gave up", "gave up failed")),
    Situation("a search met a contradiction", "one", "validate c1", new=("covers",), relevant=("covers",),
              conflicts=("c1",), pending="one find", outcome=BROUGHT, record=("success", "learnt height")),
    Situation("a verification settled the conflict", "one", "one answer", new=("covers",), relevant=("covers",),
              pending="validate c1", outcome=Outcome(decided=True, text="settling"), record=("success", "settled")),
    Situation("a verification settled it and nothing else is known", "two", "two find 1", pending="validate c1",
              outcome=Outcome(decided=True, text="settling"), record=("success", "settled")),
    Situation("a verification came to no conclusion and the conflict is unresolved", "one", "one find",
              conflicts=("c1 unresolved",), pending="validate c1", outcome=Outcome(decided=False),
              record=("gave up", "disputed")),
    Situation("a verification came to no conclusion and the conflict is still open", "one", "validate c1 again",
              conflicts=("c1 verifying",), pending="validate c1", outcome=Outcome(decided=False, text="slow"),
              record=("failure", "not settled")),
    Situation("a second verification came to no conclusion", "one", "one find", conflicts=("c1 verifying",),
              done=(("validate c1", "failure", "not settled"),), pending="validate c1 again",
              outcome=Outcome(decided=False, text="slow"), record=("gave up", "disputed")),
    Situation("a conflict that was tried twice gives way to the next", "one", "validate c2",
              conflicts=("c1 verifying", "c2"), done=(("validate c1", "failure", "not settled"),),
              pending="validate c1 again", outcome=Outcome(decided=False), record=("gave up", "disputed")),
    Situation("a verification failed", "one", "validate c1 again", conflicts=("c1 verifying",), pending="validate c1",
              outcome=FAILED, record=("failure", "failed")),
    Situation("one conflict is settled and another open", "one", "validate c2", conflicts=("c2",),
              pending="validate c1", outcome=Outcome(decided=True, text="settling"), record=("success", "settled")),
    Situation("an attachment was recognised", "one", "one answer", new=("covers",), relevant=("covers",),
              pending="recognise a1", outcome=BROUGHT, record=("success", "recognised")),
    Situation("the recognition failed", "one", "recognise a1 again", waiting=("a1",), pending="recognise a1",
              outcome=FAILED, record=("failure", "failed")),
    Situation("the recognition failed twice", "one", "one find", waiting=("a1",),
              done=(("recognise a1", "failure", "failed"),), pending="recognise a1 again", outcome=FAILED,
              record=("gave up", "gave up failed")),
    Situation("the answer was given", "one", "", relevant=("covers",), pending="one answer",
              outcome=Outcome(answered=True, text="answer"), record=("success", "answered")),
    Situation("the answer was given before it was asked for", "one", "", pending="one find",
              outcome=Outcome(answered=True, text="answer"), record=("success", "answered")),
    Situation("the answering step ended without saying so", "one", "", relevant=("covers",), pending="one answer",
              outcome=Outcome(text="answer"), record=("success", "answered")),
    Situation("the answer failed", "one", "one answer again", relevant=("covers",), pending="one answer",
              outcome=FAILED, record=("failure", "failed")),
    Situation("the answer failed twice", "one", "", relevant=("covers",), done=(("one answer", "failure", "failed"),),
              pending="one answer again", outcome=FAILED, record=("gave up", "gave up failed")),
    Situation("everything is done", "one", "", relevant=("covers",), done=(("one answer", "success", "answered"),)),
    Situation("a contradiction turned up after the answer", "one", "validate c1", relevant=("covers",),
              conflicts=("c1",), done=(("one answer", "success", "answered"),)),
    Situation("a contradiction was settled after the answer", "one", "one answer", relevant=("covers",),
              done=(("one answer", "success", "answered"),), pending="validate c1",
              outcome=Outcome(decided=True, text="settling"), record=("success", "settled")),
    Situation("an attachment came after the answer", "one", "recognise a1", waiting=("a1",),
              done=(("one answer", "success", "answered"),)),
    Situation("nothing has happened since the step was planned", "one", "one find", pending="one find"),
    Situation("a contradiction turned up before the step was done", "one", "validate c1", conflicts=("c1",),
              pending="one find"),
    Situation("the pending verification stays while its conflict is open", "one", "validate c1",
              conflicts=("c1 verifying",), pending="validate c1"),
    Situation("a goal that asks nothing goes straight to the answer", "none", "none answer"),
    Situation("words in the goal do not make a verification of it", "verify", "verify answer"),
    # odd ones
    Situation("two conflicts and a waiting attachment", "one", "validate c1", conflicts=("c1", "c2"),
              waiting=("a1",)),
    Situation("one conflict is given up, another open, and an attachment waits", "one", "validate c2",
              conflicts=("c1 unresolved", "c2"), waiting=("a1",)),
    Situation("the only conflict is given up and an attachment waits", "one", "recognise a1",
              conflicts=("c1 unresolved",), waiting=("a1",)),
    Situation("all conflicts are given up and everything is known", "one", "one answer",
              conflicts=("c1 unresolved", "c2 unresolved"), relevant=("covers",)),
    Situation("a verification was given up while an attachment waits", "one", "recognise a1",
              conflicts=("c1 unresolved",), waiting=("a1",), pending="validate c1", outcome=Outcome(decided=False),
              record=("gave up", "disputed")),
    Situation("a verification failed twice while another conflict and an attachment wait", "one", "validate c2",
              conflicts=("c1 verifying", "c2"), waiting=("a1",), done=(("validate c1", "failure", "failed"),),
              pending="validate c1 again", outcome=FAILED, record=("gave up", "gave up failed")),
    Situation("the recognition failed and a conflict has turned up", "one", "validate c1", conflicts=("c1",),
              waiting=("a1",), pending="recognise a1", outcome=FAILED, record=("failure", "failed")),
    Situation("the recognition met a contradiction", "one", "validate c1", conflicts=("c1",), new=("covers",),
              relevant=("covers",), pending="recognise a1", outcome=BROUGHT, record=("success", "recognised")),
    Situation("the last turn is blank and brought nothing", "one", "one again", pending="one find",
              outcome=Outcome(text="blank"), record=("success", "nothing new")),
    Situation("the answering turn is blank", "one", "one answer again", relevant=("covers",), pending="one answer",
              outcome=Outcome(text="blank"), record=("failure", "answer blank")),
    Situation("the second answering turn is blank as well", "one", "", relevant=("covers",),
              done=(("one answer", "failure", "answer blank"),), pending="one answer again",
              outcome=Outcome(text="blank"), record=("gave up", "answer blank again")),
    Situation("the answer was given while a conflict is open", "one", "validate c1", conflicts=("c1",),
              relevant=("covers",), pending="one answer", outcome=Outcome(answered=True, text="answer"),
              record=("success", "answered")),
    Situation("the answer was given while an attachment waits", "one", "recognise a1", waiting=("a1",),
              relevant=("covers",), pending="one answer", outcome=Outcome(answered=True, text="answer"),
              record=("success", "answered")),
    Situation("the search still runs and has brought nothing yet", "one", "one find", pending="one find",
              outcome=Outcome(running=True)),
    Situation("the search still runs and has brought it", "one", "one answer", new=("covers",), relevant=("covers",),
              pending="one find", outcome=Outcome(running=True)),
    Situation("the search still runs and has brought something else", "one", "one find", new=("other",),
              relevant=("other",), pending="one find", outcome=Outcome(running=True)),
    Situation("the search brought something about somebody else", "one", "one again", new=("other",),
              relevant=("other",), pending="one find", outcome=BROUGHT, record=("success", "nothing new")),
    Situation("every search failed and was given up", "two", "two answer",
              done=(("two find 1", "failure", "failed"), ("two again 1", "failure", "gave up failed"),
                    ("two find 2", "failure", "failed")),
              pending="two again 2", outcome=FAILED, record=("gave up", "gave up failed")),
    Situation("a second conflict turned up after the first was given up", "one", "validate c2",
              conflicts=("c1 unresolved", "c2"), relevant=("covers",),
              done=(("validate c1", "failure", "not settled"), ("validate c1 again", "failure", "disputed"),
                    ("one answer", "success", "answered"))),
    Situation("everything went wrong once and the goal asks nothing", "none", "none answer again",
              pending="none answer", outcome=FAILED, record=("failure", "failed")),
)
# fmt: on
