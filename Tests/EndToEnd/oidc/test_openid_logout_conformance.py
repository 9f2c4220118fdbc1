"""Tests of the OpenID conformance suite's modules of the RP-initiated and Back-channel logout plans, each under its module's name.
`Tests/Conformance/OpenID.md` lists plans, modules and these tests."""

import base64
import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode

import pytest
import requests
from joserfc import jwk, jwt

import company
from cloud import TIMEOUT_SECONDS
from login_page import REDIRECT_URI, Page, Redirect
from openid_flow import Flow, alice

GOODBYE = f"{REDIRECT_URI}/goodbye"
EVENT = "http://schemas.openid.net/event/backchannel-logout"


class Receiver:
    """The back-channel logout endpoint of a client. Posted tokens can be waited for; `status` is its response."""

    def __init__(self):
        self.received = queue.Queue()
        self.status = 200
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.received.put((self.headers["Content-Type"], parse_qs(body.decode())))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/backchannel_logout"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def token(self):
        kind, form = self.received.get(timeout=TIMEOUT_SECONDS)
        assert kind.partition(";")[0] == "application/x-www-form-urlencoded"
        assert set(form) == {"logout_token"}
        return form["logout_token"][0]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory, receiver):
    def client(name, **metadata):
        return {"id": name, "secret": f"{name}-secret", "redirectURIs": [REDIRECT_URI],
                "metadata": {"post_logout_redirect_uris": [GOODBYE], **metadata}}

    clients = [
        client("conformance"),
        client("notified", backchannel_logout_uri=receiver.url, backchannel_logout_session_required=True)]
    with company.company(tmp_path_factory.mktemp("company"), clients) as cloud:
        yield cloud


class SignedIn:
    """A user who has logged in at a client and then opens the logout endpoint."""

    def __init__(self, cloud, client="conformance"):
        self.flow = Flow(cloud, client=(client, f"{client}-secret"))
        self.person = alice()
        self.tokens = self.flow.tokens(self.flow.authorize(self.person))
        self.hint = self.tokens["id_token"]

    def log_out(self, **parameters):
        return self.person.open(f"{self.flow.metadata['end_session_endpoint']}?{urlencode(parameters)}")

    @property
    def is_logged_in(self):
        answer = self.flow.ask(self.person, prompt="none")
        assert answer.parameters.get("error") in (None, "login_required")
        return "error" not in answer.parameters

    def confirm(self, step):
        """Confirms the logout if the page asks."""
        if isinstance(step, Page) and step.forms:
            step = self.person.press(step, ("action", "logout"))
        return step


@pytest.fixture
def signed_in(cloud):
    return SignedIn(cloud)


def is_kept_at_the_issuer(step):
    """Whether the user sees an error page or a question, without a redirect."""
    return not isinstance(step, Redirect)


def test_rp_initiated_logout_discovery_endpoint_verification(cloud):
    assert Flow(cloud).metadata["end_session_endpoint"].startswith(company.issuer(cloud))


def test_rp_initiated_logout(signed_in):
    step = signed_in.log_out(id_token_hint=signed_in.hint, post_logout_redirect_uri=GOODBYE, state="of-mind")
    step = signed_in.confirm(step)
    assert isinstance(step, Redirect) and step.url == f"{GOODBYE}?state=of-mind"
    assert not signed_in.is_logged_in


def test_rp_initiated_logout_by_post(signed_in):
    """RP-Initiated Logout 1.0 section 2: the endpoint accepts both methods."""
    response = signed_in.person.browser.post(
        signed_in.flow.metadata["end_session_endpoint"], allow_redirects=False,
        data={"id_token_hint": signed_in.hint, "post_logout_redirect_uri": GOODBYE, "state": "s"})
    step = signed_in.confirm(signed_in.person._follow(response))
    assert isinstance(step, Redirect) and step.url == f"{GOODBYE}?state=s"
    assert not signed_in.is_logged_in


def test_rp_initiated_logout_no_state(signed_in):
    step = signed_in.confirm(signed_in.log_out(id_token_hint=signed_in.hint, post_logout_redirect_uri=GOODBYE))
    assert isinstance(step, Redirect) and step.url == GOODBYE
    assert not signed_in.is_logged_in


@pytest.mark.parametrize("uri", [
    "https://rp.example/goodbye", f"{REDIRECT_URI}/other", REDIRECT_URI, f"{GOODBYE}/", GOODBYE.upper()])
def test_rp_initiated_logout_bad_post_logout_redirect_uri(signed_in, uri):
    step = signed_in.log_out(id_token_hint=signed_in.hint, post_logout_redirect_uri=uri, state="s")
    assert is_kept_at_the_issuer(step)
    assert is_kept_at_the_issuer(signed_in.confirm(step))


def test_rp_initiated_logout_query_added_to_post_logout_redirect_uri(signed_in):
    step = signed_in.log_out(id_token_hint=signed_in.hint, post_logout_redirect_uri=f"{GOODBYE}?foo=bar", state="s")
    assert is_kept_at_the_issuer(step)
    assert is_kept_at_the_issuer(signed_in.confirm(step))


def recoded(token, header=None, signature=None):
    """The token with another header or signature."""
    parts = token.split(".")
    if header:
        parts[0] = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    if signature is not None:
        parts[2] = signature
    return ".".join(parts)


def check_untrusted_hint(signed_in, hint):
    """Expects that a hint with an untrusted signature neither ends the session nor redirects."""
    step = signed_in.log_out(id_token_hint=hint, post_logout_redirect_uri=GOODBYE, state="s")
    assert is_kept_at_the_issuer(step)
    assert signed_in.is_logged_in, "logged out without being asked"


def test_rp_initiated_logout_modified_id_token_hint(signed_in):
    check_untrusted_hint(signed_in, recoded(signed_in.hint, {"alg": "none"}, ""))


def test_rp_initiated_logout_bad_id_token_hint(signed_in):
    header = json.loads(base64.urlsafe_b64decode(signed_in.hint.split(".")[0] + "=="))
    claims = json.loads(base64.urlsafe_b64decode(signed_in.hint.split(".")[1] + "=="))
    foreign = jwk.RSAKey.generate_key(2048)
    check_untrusted_hint(signed_in, jwt.encode({"alg": "RS256", "kid": header["kid"]}, claims, foreign))


def test_rp_initiated_logout_no_id_token_hint(signed_in):
    step = signed_in.log_out(post_logout_redirect_uri=GOODBYE, state="s")
    assert is_kept_at_the_issuer(step)


def check_log_out_page(signed_in, **parameters):
    step = signed_in.confirm(signed_in.log_out(**parameters))
    assert isinstance(step, Page) and not step.is_login
    assert not signed_in.is_logged_in


def test_rp_initiated_logout_no_params(signed_in):
    check_log_out_page(signed_in)


def test_rp_initiated_logout_only_state(signed_in):
    check_log_out_page(signed_in, state="of-mind")


def test_rp_initiated_logout_no_post_logout_redirect_uri(signed_in):
    check_log_out_page(signed_in, id_token_hint=signed_in.hint, state="of-mind")


def test_backchannel_logout_discovery_endpoint_verification(cloud):
    metadata = Flow(cloud).metadata
    assert metadata["backchannel_logout_supported"] is True
    assert metadata["backchannel_logout_session_supported"] is True
    assert metadata["end_session_endpoint"].startswith(company.issuer(cloud))


def test_backchannel_rp_initiated_logout(cloud, receiver):
    signed_in = SignedIn(cloud, "notified")
    identity = signed_in.flow.verified(signed_in.hint).claims
    step = signed_in.confirm(
        signed_in.log_out(id_token_hint=signed_in.hint, post_logout_redirect_uri=GOODBYE, state="of-mind"))
    assert isinstance(step, Redirect) and step.url == f"{GOODBYE}?state=of-mind"
    check_logout_token(signed_in.flow, receiver.token(), identity)
    assert not signed_in.is_logged_in


def check_logout_token(flow, token, identity):
    """Back-Channel Logout 1.0 sections 2.4 and 2.6."""
    keys = jwk.KeySet.import_key_set(requests.get(flow.metadata["jwks_uri"]).json())
    decoded = jwt.decode(token, keys, algorithms=["RS256"])
    assert decoded.header["typ"] == "logout+jwt"
    claims = decoded.claims
    assert claims["iss"] == flow.issuer and claims["aud"] in (flow.client_id, [flow.client_id])
    assert (claims["sub"], claims["sid"]) == (identity["sub"], identity["sid"])
    assert claims["events"] == {EVENT: {}} and claims["jti"] and "nonce" not in claims
    assert flow.begun <= claims["iat"] <= time.time() < claims["exp"]


def test_a_client_that_fails_does_not_keep_the_person(cloud, receiver):
    """Back-Channel Logout 1.0 section 2.5: the logout continues even if the client fails."""
    receiver.status = 400
    try:
        signed_in = SignedIn(cloud, "notified")
        step = signed_in.confirm(signed_in.log_out(id_token_hint=signed_in.hint, post_logout_redirect_uri=GOODBYE))
        assert isinstance(step, Redirect) and step.url == GOODBYE
        assert receiver.token() and not signed_in.is_logged_in
    finally:
        receiver.status = 200
