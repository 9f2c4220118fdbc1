"""Requests that name a sandbox which does not exist, or which is evicted: who may cause the work of opening it, over a socket."""

import pytest
import requests

from cloud import Cloud
from sandboxes import Sandbox

TOKEN = "s3cret"
AGENT = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0"}
# What a page of another site, or one whose name leads to this machine, can make a browser send.
FOREIGN = {
    "image": AGENT | {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
    "frame": AGENT | {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    "neighbor": AGENT | {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"},
    "opaque": AGENT | {"Origin": "null"},
    "old browser": AGENT | {"Referer": "https://evil.example/page"},
    "rebound": AGENT | {"Host": "evil.example", "x-virga-sandbox": "z1"},
    "rebound with metadata": AGENT | {"Host": "evil.example", "x-virga-sandbox": "z1", "Sec-Fetch-Site": "same-origin"},
}
TYPED = AGENT | {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
NAVIGATION = AGENT | {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def send(process, headers, path="/personal-files", method="GET"):
    return requests.request(method, process.url + path, headers={"Host": f"z1.sandbox.localhost:{process.port}"} | headers)


def sandboxes(process, **headers):
    return {sandbox["name"]: sandbox["state"] for sandbox in requests.get(f"{process.url}/_virga/sandboxes", headers=headers).json()["sandboxes"]}


@pytest.mark.parametrize("arguments, credentials", [([], {}), (["--control-token", TOKEN], {"Authorization": f"Bearer {TOKEN}"})],
                         ids=["open", "token"])
def test_pages_and_strangers_create_no_sandbox(arguments, credentials):
    with Cloud.ephemeral("--sandboxes-on-demand", "seed", *arguments) as process:
        for name, headers in (FOREIGN | {"typed": TYPED, "navigation": NAVIGATION}).items():
            for method in ["GET", "POST", "PUT"]:
                for path in ["/personal-files", "/_virga/clock", "/idp/company/authorize"]:
                    answer = send(process, headers, path, method)
                    assert (answer.status_code, answer.json()["error"]) == (404, "unknown_sandbox"), (name, method, path)
        if credentials:
            for headers in [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "AWS4-HMAC-SHA256 Credential=test/20261128/us-east-1/s3/aws4_request"}]:
                assert send(process, headers).status_code == 404
                assert send(process, headers | {"Host": "localhost", "x-virga-sandbox": "z1"}).status_code == 404
        assert sandboxes(process, **credentials) == {"default": "open"}
        assert send(process, credentials, "/_virga/health").status_code == 200
        assert sandboxes(process, **credentials) == {"default": "open", "z1": "open"}
        assert process.stop() == 0


def evict(process):
    """Opens another sandbox, where only one may be open."""
    assert requests.get(f"{process.url}/_virga/health", headers={"x-virga-sandbox": "other"}).status_code == 200
    assert sandboxes(process)["z1"] == "evicted"


def test_pages_open_no_evicted_sandbox():
    with Cloud.ephemeral("--sandboxes-open", "1") as process:
        for name in ["z1", "other"]:
            Sandbox.create(process, name, port=False)
        evict(process)
        for name, headers in FOREIGN.items():
            answer = send(process, headers)
            assert (answer.status_code, answer.json()["error"]) == (403, "page_refused"), name
            assert sandboxes(process)["z1"] == "evicted", name
        # An application sends its user to the login page; a user types the address; a program calls.
        for headers in [NAVIGATION, TYPED, {}]:
            assert send(process, headers, "/idp/company/.well-known/openid-configuration").status_code == 200
            assert sandboxes(process)["z1"] == "open"
            evict(process)
        assert process.stop() == 0
