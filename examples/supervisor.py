"""A supervisor with three workers that remembers: run it twice, the second session uses what the first one learnt.

Rules stand in for the models, so it runs offline; queries run on a real SQLite database in FOLDER (default: here).
"""

import json
import re
import sqlite3
import statistics
import sys
from contextlib import closing, suppress
from pathlib import Path

from amb_longterm import LongTermMemory, SupervisorMemory

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
SHOP = """DROP TABLE IF EXISTS orders; CREATE TABLE orders (region, amount, refund); INSERT INTO orders VALUES
          ('North', 120.5, 20), ('South', 99.1, 0), ('North', 80, 5.5), ('West', 210, 35.25)"""


def text2sql(notes: str, _: str) -> str:
    """Tries queries until one runs: those in its notes first, then what the words suggest, then the definition."""
    meant = re.search(r"Net revenue means (\w+) minus (\w+)", notes) or ("", "amount", "0")
    known = re.findall(r"SQL: (SELECT .+)", notes)
    query_of = "SELECT region, SUM({}) FROM orders GROUP BY region".format
    for query in [*known, query_of("net_revenue"), query_of(f"{meant[1]} - {meant[2]}")]:
        with suppress(sqlite3.Error):
            rows = shop.execute(query).fetchall()
            print("  text2sql:", "reused the query that worked before" if query in known else "found one that works")
            return f"{json.dumps(rows)}\n```sql\n{query}\n```"
        print("  text2sql: the database refused a query")
    return ""


def statistician(_: str, before: str) -> str:
    """The mean over the rows of the worker before it."""
    rows = json.loads(before.splitlines()[0])
    return json.dumps({"rows": rows, "mean": statistics.mean(amount for _, amount in rows)})


def analysis(notes: str, before: str) -> str:
    """One sentence in the user's currency, and a file."""
    found, currency = json.loads(before), (re.search(r"amounts in (\w+)", notes) or ["", "(currency unknown)"])[1]
    told = ", ".join(f"{region} {amount:.2f} {currency}" for region, amount in found["rows"])
    (FOLDER / "net_revenue.txt").write_text(told)
    return f"Net revenue: {told}; the mean is {found['mean']:.2f} {currency}. The table is in net_revenue.txt."


with closing(sqlite3.connect(FOLDER / "shop.db")) as shop, LongTermMemory(f"sqlite:///{FOLDER}/memory.db") as store:
    shop.executescript(SHOP)
    workers = {"text2sql": text2sql, "statistics": statistician, "analysis": analysis}
    memory = SupervisorMemory(store, user="u1", workers=[*workers])
    told = "" if store.namespaces() else "From now on, amounts in EUR. Net revenue means amount minus refund. "
    message, answer = f"{told}Show net revenue by region.", ""
    print(f"user: {message}\n{memory.before_supervisor(message) or '(nothing is remembered yet)'}")
    for name, work in workers.items():
        answer = work(memory.before_handoff(name, message), answer)
        memory.after_worker(name, task=message, answer=answer)
    print(f"supervisor: {answer}\n{sum(store.stats().records.values())} memories are kept; run it again.")
# Prints: 7 memories are kept
