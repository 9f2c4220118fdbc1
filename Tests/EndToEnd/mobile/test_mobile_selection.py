"""The custom APIs that a backend offers, selected by the seed or the control API."""

import json

import pytest
import requests

from cloud import run
from ridgeline import Backend, refusal, serving

OFFERED = {"listed": ["lifts(1.0)", "profile"], "none": None, "every": "all"}


@pytest.fixture(scope="module")
def resort(environment_of_the_tests, tmp_path_factory):
    """A seed that adds backends to Ridgeline's, and a second version of an API."""
    seed = tmp_path_factory.mktemp("selection") / "seed.json5"
    seed.write_text(json.dumps({"mobileCloud": {
        "backends": [{"name": name} | ({"apis": apis} if apis else {}) for name, apis in OFFERED.items()],
        "customAPIs": [{"name": "lifts", "version": "2.0", "access": "open", "endpoints": [{"path": "/lifts", "body": {"version": 2}}]}]}}))
    with serving("--seed", seed) as cloud:
        yield cloud


@pytest.fixture(autouse=True)
def as_seeded(resort):
    resort.reset()


def lifts(backend, version=None):
    path = f"{version}/lifts/lifts" if version else "lifts/lifts"
    return backend.custom("GET", path, backend.anonymous)


def test_an_app_reaches_the_apis_that_its_backend_selects(resort):
    listed, none, every = (Backend(resort, name) for name in OFFERED)
    # The newest of the selected versions.
    assert lifts(listed).json()["items"][0]["id"] == "summit" and lifts(every).json() == {"version": 2}
    refusal(lifts(none), 404, r"backend none\(1.0\) does not have the custom API lifts")
    refusal(lifts(listed, "2.0"), 404)
    refusal(listed.custom("GET", "incidents/incidents", listed.basic("dora")), 404)
    assert listed.custom("GET", "profile/me", listed.basic("dora")).json()["username"] == "dora"
    refusal(every.custom("GET", "incidents/incidents", every.basic("dora")), 403)


def test_an_administrator_changes_the_selection(resort):
    backend = Backend(resort, "none")
    assert backend.apis == []

    def select(apis):
        record = resort.control("GET", "mobile/backends/none(1.0)")
        return requests.put(f"{resort.url}/_virga/mobile/backends/none(1.0)", json=record | {"apis": apis})

    assert select(["lifts"]).json()["apis"] == ["lifts"]
    assert lifts(backend).json() == {"version": 2}
    assert select(["lifts(1.0)"]).status_code == 200
    assert lifts(backend).json()["items"][0]["id"] == "summit"
    unknown = select(["lifts(3.0)"])
    assert unknown.status_code == 409 and "backends/none(1.0).apis[0]" in unknown.json()["message"], unknown.text
    assert select("some").status_code == 400
    assert lifts(backend).json()["items"][0]["id"] == "summit"
    assert select("all").json()["apis"] == "all"
    assert lifts(backend).json() == {"version": 2}
    # A selected API cannot be removed.
    assert select(["lifts(2.0)"]).status_code == 200
    removal = requests.delete(f"{resort.url}/_virga/mobile/apis/lifts(2.0)")
    assert removal.status_code == 409 and "apis[0]" in removal.json()["message"], removal.text
    assert select([]).status_code == 200
    refusal(lifts(backend), 404)


def test_a_seed_selects_what_exists(resort, tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text(json.dumps({"mobileCloud": {
        "realms": [{"name": "Default"}], "backends": [{"name": "app", "apis": ["nothing"]}]}}))
    result = run("serve", "--port", "0", "--ephemeral", "--seed", seed)
    assert result.returncode != 0 and "mobileCloud.backends[0].apis[0]" in result.stderr, result.stderr
