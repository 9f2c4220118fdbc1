"""Tokens without a login."""

from __future__ import annotations

from typing import Any, Mapping


class Token(str):
    """The text of a token, with what the server says about it."""

    type: str
    subject: str
    client: str
    expires_in: int

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Token:
        """Returns the token in a response of `POST /_virga/tokens`."""
        token = cls(answer["token"])
        token.type, token.subject, token.client = answer["type"], answer["subject"], answer["client"]
        token.expires_in = answer["expires_in"]
        return token
