"""Reading statements off a text without a model.

local.py       LocalExtractor, over passages.py (sentences), marking.py (names in them) and modality.py (what is real)
rules.py       patterns; english_rules.py, chinese_rules.py: how prose tells facts; claims.py: what they say
scenes.py      who is where a scene is; hooks.py, planned.py: what an author says of hooks and of what is to come
census.py      names nobody told of (naming.py, english_naming.py, chinese_naming.py, new_names.py)
form.py        from what was read to statements (reading.py)
"""

from amb_core.narrative.extraction.local import LocalExtractor
from amb_core.narrative.extraction.reading import Reading

__all__ = ["LocalExtractor", "Reading"]
