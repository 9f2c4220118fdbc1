"""How the pytest plugin gives each test a fresh cloud."""

from __future__ import annotations

import uuid
from typing import Any, Callable, Mapping, Optional

from .cloud import Cloud
from .errors import CloudError
from .seeds import SeedSource

BASE = "base"
LIFETIME = "PT2H"
_LACKS_SANDBOXES = ("unknown_path", "no_sandboxes")


def lacks_sandboxes(error: CloudError) -> bool:
    """Whether an error says that the server has no sandboxes and snapshots."""
    return error.code in _LACKS_SANDBOXES


def worker_sandbox(server: Cloud, worker: Mapping[str, Any], seed: Optional[SeedSource]) -> Cloud:
    """Returns a sandbox of a test process on a server that others use too, or the server itself if it has no sandboxes.

    `worker` is what pytest-xdist says of the process, and empty in the only one.
    """
    name = f"t-{worker.get('testrunuid', uuid.uuid4().hex)[:8]}-{worker.get('workerid', 'main')}"
    try:
        sandbox = server.sandboxes.create(name, seed=seed, expires=LIFETIME)
    except CloudError as error:
        if not lacks_sandboxes(error):
            raise
        if worker.get("workercount", 1) > 1:
            raise CloudError(
                "no_sandboxes", f"The server at {server.url} has no sandboxes, so that several test processes cannot share it. "
                "Run one process, or leave out --virga-url and VIRGA_ENDPOINT for a server for each process.") from None
        if seed is not None:
            server.seed(seed)
        return server
    sandbox.snapshot_prefix = f"{name}-"
    return sandbox


class Suite:
    """The cloud of a test process. Before each test it gets the state that `prepare` made from the seed.

    On a server without snapshots it is reset instead, and `prepare` runs again.
    """

    def __init__(self, cloud: Cloud, prepare: Optional[Callable[[Cloud], Any]]) -> None:
        self.cloud = cloud
        self._prepare = prepare
        self._base_seed: Optional[Mapping[str, Any]] = None
        self._seed_changes = cloud.seed_changes
        self._run_prepare()
        try:
            cloud.snapshot(BASE)
            self.has_snapshots = True
        except CloudError as error:
            if not lacks_sandboxes(error):
                raise
            self.has_snapshots = False

    def _run_prepare(self) -> None:
        if self._prepare is not None:
            self._prepare(self.cloud)

    def refresh(self, snapshot: Optional[str] = None) -> None:
        """Restores a snapshot, by default the prepared state."""
        if self.has_snapshots:
            self.cloud.restore(snapshot or BASE)
            return
        if snapshot is not None:
            raise CloudError("no_snapshots", f"The server at {self.cloud.url} has no snapshots, such as '{snapshot}'.")
        if self._base_seed is None:
            # The seeds of the server, which a reset applies until a test changes them.
            self.cloud.reset()
            self._base_seed = self.cloud.export().contents
        elif self.cloud.seed_changes != self._seed_changes:
            self.cloud.seed(self._base_seed)
        else:
            self.cloud.reset()
        self._seed_changes = self.cloud.seed_changes
        self._run_prepare()

    def end_test(self) -> None:
        """Removes the forks that a test made."""
        while self.cloud.forks:
            try:
                self.cloud.forks.pop().delete()
            except CloudError as error:
                # The test may have removed it.
                if error.status != 404:
                    raise

    def close(self) -> None:
        """Removes the snapshots of this process from a server that others use too."""
        if self.cloud.snapshot_prefix:
            for snapshot in self.cloud.snapshots.list():
                if snapshot.name.startswith(self.cloud.snapshot_prefix):
                    self.cloud.snapshots.delete(snapshot.name)
