"""The sandboxes and snapshots of a server."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional

from .connection import Connection, segment
from .seeds import SeedSource, seed_text
from .times import Duration, duration_text, parsed_date

if TYPE_CHECKING:
    from .cloud import Cloud


@dataclass(frozen=True)
class Sandbox:
    """A sandbox, as a server lists it. `state` is `open` or `evicted`; `port_url` is the URL of its own port."""

    name: str
    state: str
    from_: str
    created: datetime.datetime
    used: Optional[datetime.datetime]
    expires: Optional[datetime.datetime]
    bytes: int
    url: str
    port_url: Optional[str]


@dataclass(frozen=True)
class Snapshot:
    """A snapshot, as a server lists it; `from_` is the sandbox that it shows."""

    name: str
    from_: str
    created: datetime.datetime
    bytes: int


class Sandboxes:
    """Creates, lists and removes the sandboxes of a server. These calls need the token of the process."""

    def __init__(self, process: Connection, connect: Callable[[Mapping[str, Any]], Cloud]) -> None:
        self._process = process
        self._connect = connect

    def create(
            self, name: Optional[str] = None, from_: Optional[str] = None, seed: Optional[SeedSource] = None, port: bool = True,
            expires: Optional[Duration] = None, *, prefix: Optional[str] = None, random_root: bool = False) -> Cloud:
        """Creates a sandbox and returns a client of it.

        `from_` is `seed` (the seeds of the process, the default), `nothing`, or the name of a snapshot or sandbox; `seed` is a seed of its
        own. With `port` it has a port, which every client reaches; without one only clients that resolve `NAME.sandbox.localhost` do.
        Without `name` the server chooses one that begins with `prefix`. `random_root` makes new root keys.
        """
        return self._connect(self._process.call("POST", "/sandboxes", body=order(name, from_, seed, port, expires, prefix, random_root)))

    def replace(
            self, name: str, from_: Optional[str] = None, seed: Optional[SeedSource] = None, port: bool = True,
            expires: Optional[Duration] = None, *, random_root: bool = False) -> Cloud:
        """Creates a sandbox in place of one that may have this name, and returns a client of it."""
        body = order(None, from_, seed, port, expires, None, random_root)
        return self._connect(self._process.call("PUT", f"/sandboxes/{segment(name)}", body=body))

    def list(self) -> List[Sandbox]:
        """Returns all sandboxes."""
        return [_sandbox(answer) for answer in self._process.call("GET", "/sandboxes")["sandboxes"]]

    def get(self, name: str) -> Sandbox:
        """Returns a sandbox."""
        return _sandbox(self._process.call("GET", f"/sandboxes/{segment(name)}"))

    def delete(self, name: str) -> None:
        """Removes a sandbox."""
        self._process.call("DELETE", f"/sandboxes/{segment(name)}")


class Snapshots:
    """Lists and removes the snapshots of a server."""

    def __init__(self, process: Connection) -> None:
        self._process = process

    def list(self) -> List[Snapshot]:
        """Returns all snapshots."""
        return [
            Snapshot(answer["name"], answer["from"], parsed_date(answer["created"]), answer["bytes"])
            for answer in self._process.call("GET", "/snapshots")["snapshots"]]

    def delete(self, name: str) -> None:
        """Removes a snapshot. Sandboxes that were made from it stay."""
        self._process.call("DELETE", f"/snapshots/{segment(name)}")


def order(
        name: Optional[str], from_: Optional[str], seed: Optional[SeedSource], port: bool, expires: Optional[Duration],
        prefix: Optional[str], random_root: bool) -> Dict[str, Any]:
    """Returns the body of a call that creates a sandbox."""
    if from_ is not None and seed is not None:
        raise ValueError("from_ and seed cannot be combined")
    body: Dict[str, Any] = {"port": port}
    if name is not None:
        body["name"] = name
    if prefix is not None:
        body["prefix"] = prefix
    if seed is not None:
        body["from"] = {"seed": dict(seed) if isinstance(seed, Mapping) else seed_text(seed)}
    elif from_ is not None:
        body["from"] = from_
    if expires is not None:
        body["expires"] = duration_text(expires)
    if random_root:
        body["root"] = "random"
    return body


def _sandbox(answer: Mapping[str, Any]) -> Sandbox:
    def date(name: str) -> Optional[datetime.datetime]:
        return parsed_date(answer[name]) if answer.get(name) else None

    return Sandbox(
        answer["name"], answer["state"], answer["from"], parsed_date(answer["created"]), date("used"), date("expires"), answer["bytes"],
        answer["url"], answer.get("portURL"))
