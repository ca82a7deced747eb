"""Search and read a folder of files with the tools a model would be given; whole pages stay in memory. Offline."""

from pathlib import Path

from amb_core import MemoryBank
from amb_tools import open_tools

CORPUS = Path(__file__).parent / "corpora" / "island_microgrid"
GOAL = "How long will the cells of the Harbour Point battery last?"

with MemoryBank(GOAL) as bank:
    search, visit, deep_retrieval = open_tools(f"corpus:{CORPUS}", bank=bank)
    print("what a model is told of the tools:")
    for tool in (search, visit, deep_retrieval):
        print(f"  {tool.name}({', '.join(tool.parameters['properties'])})")

    found = search(queries=["cycle life of the cells", "state of health measured"])
    print(f"\n{found[:420]} …\n")

    links = dict.fromkeys(word for word in found.split() if word.startswith("corpus:"))
    for link in list(links)[:3]:
        text = visit(urls=[link], goal=GOAL)
        print(f"read {link}: {len(text):,} characters of it are about the goal")

    print(f"\nthe same question again: {search(queries=['Cycle life of the CELLS']).splitlines()[0]}")
    print(f"a link that leads elsewhere: {visit(urls=['file:///etc/passwd'], goal=GOAL).splitlines()[1][:60]} …")

    block = bank.recall("cycle life of the cells", budget_tokens=300)
    node_id = block.receipts[0].node_id
    print(f"\nin memory: {len(bank.nodes)} notes; the whole document behind {node_id} is one call away:")
    print(deep_retrieval(node_id=node_id)[:160], "…")
# Prints: asked before; answered from memory
