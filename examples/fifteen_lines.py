"""A memory in fifteen lines: take texts in, recall within a budget, open the source of a note, save, load."""

import tempfile
from pathlib import Path

from amb_core import MemoryBank, ToolResult

CORPUS = Path(__file__).parent / "corpora" / "island_microgrid"

bank = MemoryBank("How long will the cells of the Harbour Point battery last?")
bank.read((CORPUS / "operator-annual-report.md").read_text(encoding="utf-8"), source="operator-annual-report.md")
text = (CORPUS / "supplier-datasheet.md").read_text(encoding="utf-8")
report = bank.absorb(ToolResult(tool="open", arguments={"file": "supplier-datasheet.md"}, output=text, call_id="c1"))
print(f"new nodes: {', '.join(report.node_ids)}; model calls: {report.llm_calls}")

block = bank.recall("cycle life of the cells", budget_tokens=300)
print(f"\nin the prompt ({block.tokens} tokens):\n{block.text}\n")
for receipt in block.receipts:
    print(f"{receipt.node_id}: score {receipt.score:.2f}, {receipt.tokens} tokens, because: {receipt.reason}")

(entry,) = bank.host.deep_retrieval(report.node_ids[0])
print(f"\nraw source of {report.node_ids[0]}: {len(entry.text)} characters from {entry.metadata['source']}")

file = bank.export(Path(tempfile.mkdtemp()) / "memory.json")
bank.close()
same = MemoryBank.load(file)
assert same.recall("cycle life of the cells", budget_tokens=300).text == block.text
print("exported, loaded, and the block is the same")
same.close()
# Prints: the block is the same
