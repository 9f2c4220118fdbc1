"""What an identity provider issued, after its provider, client or person was removed and another one got the name."""

import pytest
import requests

from clients import assume
from login_page import REDIRECT_URI, Person, Redirect
from sandboxes import Sandbox
from test_sandbox_credentials import flow_at, granted, outcome_of, process, userinfo  # noqa: F401

SCOPE = "openid offline_access"


@pytest.fixture
def sandbox(process):  # noqa: F811
    with Sandbox.create(process) as sandbox:
        yield sandbox


class Issued:
    """What alice and her client got by a login, and whether each part is still good."""

    def __init__(self, cloud):
        self.cloud, self.flow, self.alice = cloud, flow_at(cloud), Person("alice", "alice-password")
        tokens = self.flow.redeem(self._code(self.alice)).json()
        self.access, self.refresh, self.identity = tokens["access_token"], tokens["refresh_token"], tokens["id_token"]
        self.second = self._code(self.alice)

    def _code(self, person):
        step = person.authorize(self.flow.url(scope=SCOPE, prompt="consent"))
        assert isinstance(step, Redirect)
        return step.query["code"]

    def good(self):
        """The parts that are accepted. The silent login needs the browser session and the consent."""
        silent = self.alice.open(self.flow.url(scope="openid", prompt="none"))
        attempts = {
            "access token": userinfo(self.cloud, self.access),
            "refresh token": granted(self.cloud, grant_type="refresh_token", refresh_token=self.refresh),
            "code": granted(self.cloud, grant_type="authorization_code", code=self.second, redirect_uri=REDIRECT_URI),
            "silent login": 200 if "code" in silent.query else silent.query["error"],
            "ID token": outcome_of(lambda: assume(self.cloud, "company", self.identity))}
        return {name for name, outcome in attempts.items() if outcome == 200}


ALL = {"access token", "refresh token", "code", "silent login", "ID token"}


def replaced(path, **changes):
    def door(cloud):
        document = cloud.control("GET", path)
        cloud.control("DELETE", path)
        cloud.control("PUT", path, document | changes)
    return door


def changed(path, **changes):
    return lambda cloud: cloud.control("PUT", path, cloud.control("GET", path) | changes)


COMPANY, CLIENT, ALICE = (f"providers/company{part}" for part in ("", "/clients/web-app", "/people/alice"))

# What stays good. An ID token is valid until it expires, or until its key is gone.
DOORS = {
    "the provider is deleted and made again": (replaced(COMPANY), set()),
    "the client is deleted and made again": (replaced(CLIENT), {"ID token"}),
    "the person is deleted and made again": (replaced(ALICE), {"ID token"}),
    "another person gets the name": (replaced(ALICE, subject="employee-9999-mallory"), {"ID token"}),
    "the person gets another subject": (changed(ALICE, subject="employee-9999-mallory"), {"ID token"}),
    "the provider is sent again": (changed(COMPANY), ALL),
    "the client is sent again": (changed(CLIENT), ALL),
    "the person is sent again": (changed(ALICE), ALL)}


@pytest.mark.parametrize("name", DOORS)
def test_what_was_issued_is_revoked_when(sandbox, name):
    door, remaining = DOORS[name]
    issued = Issued(sandbox)
    door(sandbox)
    assert issued.good() == remaining
    assert Issued(sandbox).good() == ALL


def test_a_registration_access_token_does_not_open_another_client_of_the_identifier(sandbox):
    registered = requests.post(f"{sandbox.url}/idp/company/register", json={"redirect_uris": [REDIRECT_URI]}).json()
    place, headers = registered["registration_client_uri"], {"Authorization": f"Bearer {registered['registration_access_token']}"}
    assert requests.get(place, headers=headers).status_code == 200
    client = f"providers/company/clients/{registered['client_id']}"
    sandbox.control("DELETE", client)
    sandbox.control("PUT", client, {"id": registered["client_id"], "secret": "another", "redirectURIs": [REDIRECT_URI]})
    assert requests.get(place, headers=headers).status_code == 401


ADMINISTERED = {
    "another secret": ({"secret": "another"}, 401),
    "no open registration": ({"openRegistration": False}, 401),
    "another name": ({"name": "Another"}, 200)}


@pytest.mark.parametrize("name", ADMINISTERED)
def test_a_registration_access_token_after_the_administrator_gives_the_client(sandbox, name):
    changes, status = ADMINISTERED[name]
    registered = requests.post(f"{sandbox.url}/idp/company/register", json={"redirect_uris": [REDIRECT_URI]}).json()
    place, headers = registered["registration_client_uri"], {"Authorization": f"Bearer {registered['registration_access_token']}"}
    changed(f"providers/company/clients/{registered['client_id']}", **changes)(sandbox)
    assert requests.get(place, headers=headers).status_code == status


def test_a_registration_access_token_stays_when_the_client_changes_its_own_registration(sandbox):
    document = {"redirect_uris": [REDIRECT_URI]}
    registered = requests.post(f"{sandbox.url}/idp/company/register", json=document).json()
    place, headers = registered["registration_client_uri"], {"Authorization": f"Bearer {registered['registration_access_token']}"}
    for method in ("none", "client_secret_basic"):
        body = document | {"client_id": registered["client_id"], "token_endpoint_auth_method": method}
        assert requests.put(place, headers=headers, json=body).status_code == 200
        assert requests.get(place, headers=headers).status_code == 200
