"""The section about refused requests in the report of a failed test."""

from __future__ import annotations

from typing import Dict, List

from .cloud import Cloud
from .errors import CloudError
from .journal import Entry

TITLE = "Virga: refused requests"
_MOST_LINES = 50


def refusal_report(cloud: Cloud) -> str:
    """Returns the requests since the test began that were refused or failed on demand, the oldest first, each with its reason."""
    try:
        entries = cloud.journal.entries()
    except CloudError as error:
        return f"The journal cannot be read: {error}"
    counts: Dict[str, int] = {}
    for entry in reversed(entries):
        if entry.refused or (entry.faults and entry.status >= 400):
            text = _text(entry)
            counts[text] = counts.get(text, 0) + 1
    lines: List[str] = [f"{count} × {text}" for text, count in counts.items()]
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"and {len(lines) - _MOST_LINES} others"]
    return "\n".join(lines)


def _text(entry: Entry) -> str:
    outcome = "would be denied" if entry.reported else entry.error or f"status {entry.status}"
    text = f"{entry.call} by {entry.caller or 'anonymous'}: {outcome}"
    if entry.faults:
        text += f" (error on demand: {', '.join(entry.faults)})"
    return text if entry.reason is None else f"{text}\n      {entry.reason}"
