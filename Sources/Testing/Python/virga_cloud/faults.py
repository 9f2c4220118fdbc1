"""Errors on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Union

from .connection import Connection, segment
from .times import Duration, duration_text


@dataclass(frozen=True)
class Fault:
    """A rule, and the requests that it `met` and applied to (`struck`)."""

    id: str
    met: int
    struck: int
    live: bool
    times: Union[int, str]
    name: Optional[str] = None
    service: Optional[str] = None
    action: Optional[str] = None
    caller: Optional[str] = None
    resource: Optional[str] = None
    error: Optional[str] = None
    connection: Optional[str] = None
    latency_ms: Optional[float] = None
    probability: Optional[float] = None
    seed: Optional[int] = None


class Faults:
    """Makes requests fail, slows them down or drops their connections."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(
            self, *, service: Optional[str] = None, action: Optional[str] = None, caller: Optional[str] = None,
            resource: Optional[str] = None, error: Union[str, Mapping[str, Any], None] = None, connection: Optional[str] = None,
            latency: Optional[Duration] = None, times: Union[int, str, None] = None, probability: Optional[float] = None,
            seed: Optional[int] = None, name: Optional[str] = None) -> Fault:
        """Adds a rule. The first four arguments are patterns with `*` and `?` for the requests that it applies to.

        `error` is a code or an object with `code`, `status` and `message`; `connection` is `request`, `answer` or `body`, where the
        connection is closed; `times` is a number or `always`, and 1 without it.
        """
        members = {
            "service": service, "action": action, "caller": caller, "resource": resource, "error": error, "connection": connection,
            "latency": None if latency is None else duration_text(latency), "times": times, "probability": probability, "seed": seed,
            "name": name}
        return _fault(self._connection.call(
            "POST", "/faults", body={member: value for member, value in members.items() if value is not None}))

    def list(self) -> List[Fault]:
        """Returns all rules."""
        return [_fault(fault) for fault in self._connection.call("GET", "/faults")["faults"]]

    def get(self, fault: Union[Fault, str]) -> Fault:
        """Returns a rule with its present counts."""
        return _fault(self._connection.call("GET", f"/faults/{segment(_id(fault))}"))

    def remove(self, fault: Union[Fault, str]) -> None:
        """Removes a rule."""
        self._connection.call("DELETE", f"/faults/{segment(_id(fault))}")

    def clear(self) -> None:
        """Removes all rules."""
        self._connection.call("DELETE", "/faults")


def _id(fault: Union[Fault, str]) -> str:
    return fault if isinstance(fault, str) else fault.id


def _fault(answer: Mapping[str, Any]) -> Fault:
    error = answer.get("error")
    return Fault(
        id=answer["id"], met=answer["met"], struck=answer["struck"], live=answer["live"], times=answer["times"],
        error=error["code"] if isinstance(error, dict) else error,
        **{name: answer.get(name) for name in [
            "name", "service", "action", "caller", "resource", "connection", "latency_ms", "probability", "seed"]})
