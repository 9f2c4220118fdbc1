"""Connections that clients keep open, when the sandbox at their port is deleted."""

import pytest
import requests

from cloud import Cloud, free_port
from sandboxes import Sandbox


@pytest.fixture
def process():
    """A process in which the next sandbox gets the port of the one before."""
    port = free_port()
    with Cloud("--port", free_port(), "--ephemeral", "--sandbox-ports", f"{port}-{port}") as cloud:
        yield cloud


def test_a_kept_connection_does_not_lead_to_a_deleted_sandbox(process):
    with requests.Session() as client:
        for name in ["first", "second"]:
            with Sandbox.create(process, name) as sandbox:
                answer = client.get(f"{sandbox.url}/_virga/journal")
                assert answer.status_code == 200, answer.text


def test_a_call_through_its_own_port_deletes_a_sandbox(process):
    sandbox = Sandbox.create(process)
    answer = requests.delete(f"{sandbox.url}/_virga/sandboxes/{sandbox.name}")
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")
    with pytest.raises(requests.ConnectionError):
        requests.get(f"{sandbox.url}/_virga/health")
