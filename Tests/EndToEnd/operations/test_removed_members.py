"""What an identity provider issued, after its provider, client or person was removed and another one got the name."""

import json
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests
from joserfc import jwk, jwt

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


@contextmanager
def late_keys(key):
    """The server of a client's keys: its URL, and the events that a request has arrived and that it is answered."""
    arrived, released = threading.Event(), threading.Event()
    body = json.dumps({"keys": [key.as_dict(private=False)]}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            arrived.set()
            released.wait()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/keys", arrived, released
    finally:
        released.set()
        server.shutdown()
        server.server_close()


KEYED, UNKNOWN = f"{COMPANY}/clients/keyed", "The client is unknown, or the assertion is not signed with its key."

IN_FLIGHT = {
    "removed": (KEYED, False, 401, {"error": "invalid_client", "error_description": UNKNOWN}),
    "removed and added again": (KEYED, True, 401, {"error": "invalid_client", "error_description": UNKNOWN}),
    "removed with its provider": (COMPANY, False, 404, {
        "error": "unknown_provider", "error_description": "There is no identity provider of this name."}),
    "removed and added again with its provider": (COMPANY, True, 404, {
        "error": "unknown_provider", "error_description": "There is no identity provider of this name."}),
    "added again after another client was removed": (f"{COMPANY}/clients/web-app", True, 200, None)}


@pytest.mark.parametrize("name", IN_FLIGHT)
def test_a_request_in_flight_gets_no_token_when_its_client_is(sandbox, name):
    path, again, status, answer = IN_FLIGHT[name]
    key = jwk.ECKey.generate_key("P-256", {"kid": "mine"})
    with late_keys(key) as (url, arrived, released), ThreadPoolExecutor() as pool:
        sandbox.control("PUT", KEYED, {
            "id": "keyed", "redirectURIs": [REDIRECT_URI], "grants": ["client_credentials"],
            "metadata": {"token_endpoint_auth_method": "private_key_jwt", "jwks_uri": url}})
        endpoint = f"{sandbox.url}/idp/company/token"

        def ask():
            now = int(time.time())
            claims = {"iss": "keyed", "sub": "keyed", "aud": endpoint, "iat": now, "exp": now + 300, "jti": str(uuid.uuid4())}
            return requests.post(endpoint, data={
                "grant_type": "client_credentials", "client_assertion": jwt.encode({"alg": "ES256", "kid": "mine"}, claims, key),
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"})

        asked = pool.submit(ask)
        # A request that does not fetch the keys fails below.
        asked.add_done_callback(lambda _: arrived.set())
        arrived.wait()
        document = sandbox.control("GET", path)
        sandbox.control("DELETE", path)
        if again:
            sandbox.control("PUT", path, document)
        released.set()
        response = asked.result()
        assert response.status_code == status, response.text
        assert answer is None or response.json() == answer
        if again:
            assert ask().status_code == 200


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
