"""The errors of this package."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class CloudError(Exception):
    """An error of the control API, or of this package when it uses the control API.

    `code` is the server's error code and `message` its text. `status` is the HTTP status, or 0 if there was no response. `details` has the
    other members of the server's error object.
    """

    def __init__(self, code: str, message: str, status: int = 0, details: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(code, message, status)
        self.code = code
        self.message = message
        self.status = status
        self.details = dict(details or {})

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class UnmetExpectation(CloudError, AssertionError):
    """The journal is not as a test expects. The text lists the closest requests."""

    def __str__(self) -> str:
        return self.message
