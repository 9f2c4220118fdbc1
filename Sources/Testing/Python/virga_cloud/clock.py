"""The clock of a cloud."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple

from .connection import Connection
from .times import Date, Duration, date_text, duration_text, parsed_date


@dataclass(frozen=True)
class ClockReading:
    """The time of a cloud. `mode` is `running`, `frozen` or `set`; `ages` has each aging as (when, duration)."""

    now: datetime.datetime
    mode: str
    wall: datetime.datetime
    ages: Tuple[Tuple[datetime.datetime, str], ...] = ()


class Clock:
    """Reads and changes the time of a cloud. Each change waits until the next second has begun."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self) -> ClockReading:
        """Returns the time."""
        return _reading(self._connection.call("GET", "/clock"))

    def age(self, duration: Duration) -> ClockReading:
        """Makes everything that was issued so far older by a duration."""
        return self.change({"age": duration_text(duration)})

    def freeze(self, at: Optional[Date] = None) -> ClockReading:
        """Stops time, now or at a date."""
        return self.change({"freeze": True if at is None else date_text(at)})

    def set(self, at: Date) -> ClockReading:
        """Continues from a date."""
        return self.change({"set": date_text(at)})

    def resume(self) -> ClockReading:
        """Returns to real time."""
        return self.change({"resume": True})

    def change(self, body: Mapping[str, Any]) -> ClockReading:
        """Sends a change as the control API takes it, such as `{"age": "PT1H"}`."""
        return _reading(self._connection.call("POST", "/clock", body=body))


def _reading(answer: Mapping[str, Any]) -> ClockReading:
    return ClockReading(
        parsed_date(answer["now"]), answer["mode"], parsed_date(answer["wall"]),
        tuple((parsed_date(age["declared"]), age["age"]) for age in answer.get("ages", [])))
