"""Dates and durations as the control API writes them: ISO 8601."""

from __future__ import annotations

import datetime
from typing import Union

Duration = Union[str, int, datetime.timedelta]
"""An ISO 8601 duration such as `PT1H5M`, a number of seconds, or a timedelta."""

Date = Union[str, datetime.datetime]
"""An ISO 8601 date such as `2026-01-01T00:00:00Z`, or a datetime with a time zone."""


def duration_text(duration: Duration) -> str:
    """Returns a duration as ISO 8601."""
    if isinstance(duration, str):
        return duration
    seconds = duration.total_seconds() if isinstance(duration, datetime.timedelta) else duration
    return f"PT{seconds:.3f}".rstrip("0").rstrip(".") + "S" if seconds % 1 else f"PT{int(seconds)}S"


def date_text(date: Date) -> str:
    """Returns a date as ISO 8601 in UTC."""
    if isinstance(date, str):
        return date
    if date.tzinfo is None:
        raise ValueError(f"{date!r} has no time zone; use datetime.timezone.utc")
    return date.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def parsed_date(text: str) -> datetime.datetime:
    """Returns the date that a text of the server means."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
