"""The journal: what was called, by which caller, and how it was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .connection import Connection
from .errors import CloudError, UnmetExpectation

Times = Union[int, Tuple[Optional[int], Optional[int]]]
"""How many requests match: a number, or the least and the most, each of which may be None."""


@dataclass(frozen=True)
class Decision:
    """A decision of the policies in a request. `trace` has a line for each step."""

    action: str
    resource: str
    allowed: bool
    trace: Tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A request. `error` is the error code of the response; `reason` says why it was refused."""

    number: int
    time: str
    request_id: str
    method: str
    target: str
    host: str
    face: str
    operation: Optional[str]
    caller: Optional[str]
    status: int
    error: Optional[str]
    refused: bool
    reason: Optional[str]
    faults: Tuple[str, ...]
    reported: bool
    decisions: Tuple[Decision, ...]

    @property
    def call(self) -> str:
        """The service and the operation, such as `s3:GetObject`."""
        return f"{self.face}:{self.operation or self.method}"


class Journal:
    """Reads the journal and compares it with expectations.

    Every method regards the requests after `start`: the number of an entry, or 0 for all requests. The pytest plugin sets it when a test
    begins.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.start = 0

    def begin(self) -> int:
        """Leaves out the requests before now, and returns the number of the latest one."""
        newest = self._connection.call("GET", "/journal", query={"limit": 1})["entries"]
        self.start = newest[0]["number"] if newest else 0
        return self.start

    def entries(
            self, *, face: Optional[str] = None, operation: Optional[str] = None, caller: Optional[str] = None,
            status: Optional[int] = None, error: Optional[str] = None, fault: Optional[str] = None, path: Optional[str] = None,
            request_id: Optional[str] = None, after: Optional[int] = None, denied: bool = False, limit: int = 1000) -> List[Entry]:
        """Returns requests, newest first, without those to the control API. `caller` and `path` match parts."""
        query: Dict[str, object] = {"after": self.start if after is None else after, "limit": limit}
        filters = {
            "face": face, "operation": operation, "caller": caller, "status": status, "error": error, "fault": fault, "path": path,
            "request_id": request_id, "denied": "true" if denied else None}
        query.update({name: value for name, value in filters.items() if value is not None})
        entries = [_entry(entry) for entry in self._connection.call("GET", "/journal", query=query)["entries"]]
        return [entry for entry in entries if entry.face != "control" or face == "control"]

    def diagram(self, *, trace: Optional[str] = None, after: Optional[int] = None, limit: int = 100) -> str:
        """Returns the newest requests as a sequence diagram: the text of an SVG file with at most 100 arrows. It leaves out the control API.
        `trace` is the ID of a trace."""
        query: Dict[str, object] = {
            "after": self.start if after is None else after, "exclude": "face:control", "limit": limit}
        if trace is not None:
            query["trace_id"] = trace
        return self._connection.request("GET", "/journal/diagram", query=query).text

    def denied(self, *, after: Optional[int] = None) -> List[Entry]:
        """Returns the requests that were refused, newest first."""
        return self.entries(after=after, denied=True)

    def expect(
            self, action: Optional[str] = None, *, resource: Optional[str] = None, caller: Optional[str] = None,
            status: Optional[int] = None, times: Optional[Times] = None, since: Optional[int] = None) -> None:
        """Raises UnmetExpectation unless a request matches, or `times` requests do.

        Texts are patterns with `*` and `?`. The ARN of a role as `caller` matches its sessions.
        """
        pattern = _pattern(action, resource, caller, status)
        if isinstance(times, int):
            pattern["times"] = {"min": times, "max": times}
        elif times is not None:
            pattern["times"] = {name: number for name, number in zip(("min", "max"), times) if number is not None}
        self.verify(expect=[pattern], since=since)

    def never(
            self, action: Optional[str] = None, *, resource: Optional[str] = None, caller: Optional[str] = None,
            status: Optional[int] = None, since: Optional[int] = None) -> None:
        """Raises UnmetExpectation if a request matches."""
        self.verify(never=[_pattern(action, resource, caller, status)], since=since)

    def verify(
            self, *, expect: Sequence[Mapping[str, Any]] = (), never: Sequence[Mapping[str, Any]] = (),
            since: Optional[int] = None) -> None:
        """Compares the journal with expectations as the control API takes them. Raises UnmetExpectation if one is not met."""
        since = self.start if since is None else since
        try:
            self._connection.call(
                "POST", "/journal/verify", body={"expect": list(expect), "never": list(never), "since": since})
        except CloudError as error:
            if error.status != 409:
                raise
            raise UnmetExpectation(error.code, _with_near_misses(error), error.status, error.details) from None


def _pattern(action: Optional[str], resource: Optional[str], caller: Optional[str], status: Optional[int]) -> Dict[str, Any]:
    members = {"action": action, "resource": resource, "caller": caller, "status": status}
    return {name: value for name, value in members.items() if value is not None}


def _with_near_misses(error: CloudError) -> str:
    lines = [error.message]
    for outcome in [*error.details.get("expect", []), *error.details.get("never", [])]:
        if outcome.get("met", True):
            continue
        lines.append(f"{outcome['expected']}: found {outcome['count']}")
        lines += [f"  {_summary(call)}" for call in outcome.get("entries", [])]
        for miss in outcome.get("near_misses", []):
            lines.append(f"  closest: {_summary(miss)}")
            lines += [
                f"    {difference['member']} is {difference['found']}, not {difference['expected']}" for difference in miss["differs"]]
    return "\n".join(lines)


def _summary(call: Mapping[str, Any]) -> str:
    return f"{call.get('action') or call.get('operation')} on {call['resource']} by {call['caller']} with status {call['status']}"


def _entry(answer: Mapping[str, Any]) -> Entry:
    return Entry(
        faults=tuple(answer["faults"]),
        decisions=tuple(
            Decision(decision["action"], decision["resource"], decision["allowed"], tuple(decision["trace"]))
            for decision in answer["decisions"]),
        **{name: answer[name] for name in [
            "number", "time", "request_id", "method", "target", "host", "face", "operation", "caller", "status", "error", "refused",
            "reason", "reported"]})
