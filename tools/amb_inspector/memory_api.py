"""What long-term memory answers over HTTP, as an OpenAPI document."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["API", "Operation", "openapi_document"]


class Operation(NamedTuple):
    """One operation: its method and path below the root, what it does, its query and the fields of its body."""

    method: str
    path: str
    told: str
    query: dict[str, str] = {}
    body: dict[str, str] = {}


_WHERE = {"user": "whose memories: all his namespaces", "namespace": "one namespace, such as user_profile/ana"}
_IN = {"namespace": "the namespace of the record"}
API = (
    Operation(
        "POST",
        "/remember",
        "Keep what the user says of himself in a talk.",
        body={"messages": "a text of the user, or a list of messages", "user": "who says it"},
    ),
    Operation(
        "GET",
        "/profile",
        "What is known of a user, as a block for a prompt.",
        {"user": "who", "room": "tokens, 1,500 by default", "q": "his newest words, where not all fits"},
    ),
    Operation(
        "GET",
        "/search",
        "The memories that answer a question, best first.",
        {"q": "the question", **_WHERE, "top_k": "hits", "offset": "hits to leave out"},
    ),
    Operation("GET", "", "The newest memories, at most 200; without user and namespace the namespaces.", _WHERE),
    Operation(
        "POST",
        "",
        "Write one memory.",
        body={
            "content": "its text",
            "user": "whose profile it is in, or",
            "namespace": "where it is",
            "metadata": "an object",
            "key": "your own name for it",
            "supersedes": "ids it takes the place of",
            "why": "for the audit log",
        },
    ),
    Operation("GET", "/{id}", "One memory with its versions.", _IN),
    Operation(
        "PATCH",
        "/{id}",
        "Change the text or the metadata of a memory.",
        _IN,
        {"content": "the new text", "metadata": "an object"},
    ),
    Operation("DELETE", "/{id}", "Delete a memory with its history.", {**_IN, "why": "for the audit log"}),
)


def openapi_document(root: str) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the operations below a root."""
    paths: dict[str, dict[str, Any]] = {}
    for each in API:
        parameters: list[dict[str, Any]] = [
            {"name": name, "in": "query", "description": told, "schema": {"type": "string"}}
            for name, told in each.query.items()
        ]
        if "{id}" in each.path:
            parameters.append({"name": "id", "in": "path", "required": True, "schema": {"type": "string"}})
        found: dict[str, Any] = {"summary": each.told, "parameters": parameters, "responses": _ANSWERS}
        if each.body:
            fields = {name: {"description": told} for name, told in each.body.items()}
            found["requestBody"] = {
                "content": {"application/json": {"schema": {"type": "object", "properties": fields}}}
            }
        paths.setdefault(f"{root}{each.path}", {})[each.method.lower()] = found
    scheme = {"token": {"type": "apiKey", "in": "header", "name": "x-amb-token"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "AMB long-term memory", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": scheme},
        "security": [{"token": []}],
    }


_ANSWERS = {
    "200": {"description": "what was asked for"},
    "400": {"description": "a request that cannot be; error says why"},
    "401": {"description": "the token is missing"},
    "404": {"description": "no such memory"},
    "503": {"description": "the store does not answer"},
}
