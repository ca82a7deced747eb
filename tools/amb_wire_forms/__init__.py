"""The forms in which providers write transcripts, found by name: openai-responses, anthropic, gemini.

responses_form.py   OpenAI Responses items
anthropic_form.py   Anthropic Messages; gemini_form.py: Gemini contents
turn_pieces.py      messages that hold several things, with the roles in turn
form_parts.py       their parts, read and made anew
"""

from amb_wire_forms.anthropic_form import AnthropicForm
from amb_wire_forms.gemini_form import GeminiForm
from amb_wire_forms.responses_form import ResponsesForm

__all__ = ["AnthropicForm", "GeminiForm", "ResponsesForm"]
