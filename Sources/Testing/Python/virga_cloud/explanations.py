"""Explanations of decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Tuple


@dataclass(frozen=True)
class Explanation:
    """Whether a request is allowed, and the steps of the decision. `details` is the server's full answer."""

    allowed: bool
    lines: Tuple[str, ...]
    details: Dict[str, Any]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Explanation:
        """Returns the explanation in a response of `POST /_virga/explain`."""
        decisions = answer["decisions"] if "decisions" in answer else [answer]
        lines = [line for decision in decisions for line in decision.get("explanation", [])]
        if not lines and answer.get("reason"):
            lines = [answer["reason"]]
        allowed = all(decision["decision"] == "allowed" for decision in decisions)
        return cls(allowed and answer.get("status", 200) < 400, tuple(lines), dict(answer))
