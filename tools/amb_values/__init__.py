"""What texts state, without a model: names, numbers, dates, units and negations, English and Chinese.

stated_values.py    values in a form that can be compared: numerals.py, dates.py, units.py, and names;
                    whether what a text states stands in its sources
proper_names.py     names: capital_runs.py in Latin script, chinese_names.py by rules, name_finder.py by a model
names.py            the key two mentions of one name share, and known names in a text
speakers.py         who speaks in a turn of a dialogue
text_parts.py       sentences and paragraphs
titles.py           what a text is about: its title, its speaker, the subject of its first sentence
common_words.py     everyday English words, english_data.py: calendar words and regions, chinese_segments.py: Chinese
word_anchors.py     words looked for without a pattern
"""

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_values.names import Entity, known_names, name_key
    from amb_values.proper_names import entities
    from amb_values.speakers import dialogue_speaker
    from amb_values.stated_values import Value, date_terms, find_unsupported, value_signature, values
    from amb_values.text_parts import paragraph_spans, sentence_spans, sentences
    from amb_values.titles import about

__all__ = [
    "Entity",
    "Value",
    "about",
    "date_terms",
    "dialogue_speaker",
    "entities",
    "find_unsupported",
    "known_names",
    "name_key",
    "paragraph_spans",
    "sentence_spans",
    "sentences",
    "value_signature",
    "values",
]

_HOMES = {
    "names": "Entity known_names name_key",
    "proper_names": "entities",
    "speakers": "dialogue_speaker",
    "stated_values": "Value date_terms find_unsupported value_signature values",
    "text_parts": "paragraph_spans sentence_spans sentences",
    "titles": "about",
}
__getattr__ = deferred(__name__, {name: home for home, names in _HOMES.items() for name in names.split()})
