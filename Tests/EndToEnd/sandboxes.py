"""Sandboxes of one process: how tests create, address, restore and delete them."""

import contextlib
import secrets
import socket

import requests

from cloud import REPOSITORY, Cloud


class Sandbox(Cloud):
    """A sandbox of a process. Clients reach it as they reach a process: `url` is its port if it has one, else its name."""

    def __init__(self, process, answer):
        self.process_, self.answer = process, answer
        self.name, self.named_url = answer["name"], answer["url"]
        self.url = answer.get("portURL") or answer["url"]

    @classmethod
    def create(cls, process, name=None, **order):
        order = {"name": name or f"t-{secrets.token_hex(4)}", "port": True} | order
        return cls(process, process.control("POST", "sandboxes", order))

    def snapshot(self, name=None, **order):
        """Takes a snapshot and returns its name."""
        return self.process_.control("POST", f"sandboxes/{self.name}/snapshots", {"name": name or f"s-{secrets.token_hex(4)}"} | order)["name"]

    def restore(self, snapshot):
        return self.process_.control("POST", f"sandboxes/{self.name}/restore", {"snapshot": snapshot})

    def fork(self, name=None, **order):
        order = {"name": name or f"f-{secrets.token_hex(4)}", "port": True} | order
        return Sandbox(self.process_, self.process_.control("POST", f"sandboxes/{self.name}/fork", order))

    def description(self):
        return self.process_.control("GET", f"sandboxes/{self.name}")

    def delete(self):
        self.process_.control("DELETE", f"sandboxes/{self.name}")

    def __exit__(self, *exception):
        self.delete()


def resolving_names_below_localhost(monkeypatch):
    """Lets Python's clients resolve names below localhost, which not every C library does (RFC 6761 section 6.3)."""
    real = socket.getaddrinfo

    def resolve(host, *rest, **named):
        name = host.decode() if isinstance(host, bytes) else host
        return real("127.0.0.1" if name and name.endswith(".localhost") else host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


@contextlib.contextmanager
def serving(tmp_path_factory):
    """Runs a process over HTTP and HTTPS with the seeds of several clouds. `authority_file` is its CA certificate."""
    authority = tmp_path_factory.mktemp("authority") / "ca.pem"
    seeds = [REPOSITORY / "seed" / f"{name}.json5" for name in ("personal-file-store", "alibaba", "mobile-cloud")]
    arguments = [argument for seed in seeds for argument in ("--seed", seed)]
    with Cloud.ephemeral("--tls-port", "0", "--ca-file", authority, *arguments, listeners=2) as cloud:
        cloud.authority_file = authority
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def refusal(process, method, path, body=None, **options):
    answer = requests.request(method, f"{process.url}/_virga/{path}", json=body, **options)
    assert not answer.ok, answer.text
    return answer.status_code, answer.json()["error"]
