"""Logins to the mobile cloud with generic clients: an OAuth library, curl with HTTP Basic, and cross-site requests of a browser."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from ridgeline import Backend, bearer, refusal

USER = "/mobile/platform/users/~"
TOKEN_PATHS = ["/oam/oauth2/tokens", "/oauth2/v1/token", "/token"]


@pytest.fixture
def care(ridgeline):
    return Backend(ridgeline, "LiftCare")


def session(care, method="client_secret_basic"):
    return OAuth2Session(care.clientID, care.clientSecret, token_endpoint_auth_method=method)


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
@pytest.mark.parametrize("path", TOKEN_PATHS + [path + "/" for path in TOKEN_PATHS])
def test_an_oauth_library_gets_a_users_token(ridgeline, care, path, method):
    """(R132, R134, R135, R137, R141, X23)"""
    client = session(care, method)
    token = client.fetch_token(ridgeline.url + path, grant_type="password", username="dora", password="dora-password")
    assert token["token_type"] == "Bearer" and token["expires_in"] == 28800 and "refresh_token" not in token
    answer = client.get(ridgeline.url + USER)
    assert answer.status_code == 200 and answer.json()["username"] == "dora"


def test_an_oauth_library_gets_a_clients_token(ridgeline, care):
    """(R136, R143, R145)"""
    client = session(care)
    token = client.fetch_token(ridgeline.url + "/token", grant_type="client_credentials", scope="any")
    assert token["expires_in"] == 604800 and token["oracle_tk_context"] == "client_assertion"
    assert client.get(ridgeline.url + "/mobile/platform/users/login").status_code == 200
    assert client.get(ridgeline.url + "/mobile/platform/appconfig/client").json() == {
        "theme": "dark", "reportsPerPage": 20, "offline": True}
    # No user is logged in.
    refusal(client.get(ridgeline.url + USER), 401)


def test_an_oauth_library_understands_refusals(ridgeline, care):
    """(R142, R144)"""
    with pytest.raises(OAuthError) as fault:
        session(care).fetch_token(ridgeline.url + "/token", grant_type="password", username="dora", password="wrong")
    assert fault.value.error == "invalid_grant"
    with pytest.raises(OAuthError) as fault:
        OAuth2Session(care.clientID, "wrong").fetch_token(ridgeline.url + "/token", grant_type="client_credentials")
    assert fault.value.error == "invalid_client"
    with pytest.raises(OAuthError) as fault:
        session(care).refresh_token(ridgeline.url + "/token", refresh_token="anything")
    assert fault.value.error == "unsupported_grant_type"


def test_tokens_end(ridgeline, care):
    """Tokens expire by the sandbox's clock, and at a reset."""
    user, client = care.token(grant_type="password", username="dora", password="dora-password"), care.token(grant_type="client_credentials")
    login = "/mobile/platform/users/login"
    ridgeline.age("PT7H59M")
    assert care.call("GET", login, bearer(user)).status_code == 200
    ridgeline.age("PT1M")
    answer = care.call("GET", login, bearer(user))
    refusal(answer, 401, "expired")
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert care.call("GET", login, bearer(client)).status_code == 200
    ridgeline.reset()
    refusal(care.call("GET", login, bearer(client)), 401)


def test_basic_with_the_backend(ridgeline, care):
    """(R146, R147, R148) In the form of `requests` and of curl."""
    headers = {"Oracle-Mobile-Backend-ID": care.id}
    answer = requests.get(ridgeline.url + USER, auth=("dora", "dora-password"), headers=headers)
    assert answer.status_code == 200 and answer.json()["station"] == "Valley"
    answer = requests.get(ridgeline.url + USER, auth=("dora", "wrong"), headers=headers)
    refusal(answer, 401)
    assert answer.headers["WWW-Authenticate"].startswith("Basic ")
    refusal(requests.get(ridgeline.url + USER, auth=("dora", "dora-password")), 400)
    refusal(requests.get(ridgeline.url + USER, auth=("dora", "dora-password"), headers={"Oracle-Mobile-Backend-ID": "none"}), 404)


def test_a_header_with_a_space_before_its_colon_is_no_header(ridgeline):
    """(R131, X21, RFC 9112 section 5.1)"""
    skiers, address = Backend(ridgeline, "Skiers"), urlsplit(ridgeline.url)
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall((
            f"GET /mobile/platform/users/~ HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Basic {skiers.anonymous_key}\r\n"
            f"Oracle-Mobile-Backend-ID: {skiers.id}\r\nOracle-Mobile-Social-Identity-Provider : facebook\r\n"
            "Oracle-Mobile-Social-Access-Token : EAAB\r\nConnection: close\r\n\r\n").encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400 "), answer


def test_a_user_changes_properties(ridgeline, care):
    """Only properties of the realm can be changed, and the changes persist."""
    answer = care.call("PATCH", USER, care.basic("dora"), {"station": "Summit", "phone": "+41 27 555 01 03"})
    assert answer.status_code == 200, answer.text
    assert care.call("GET", USER, care.basic("dora")).json()["station"] == "Summit"
    refusal(care.call("PUT", USER, care.basic("dora"), {"firstName": "Dolores"}), 400, "firstName")
    head = requests.head(ridgeline.url + USER, headers=care.basic("dora"))
    assert head.status_code == 200 and not head.content and int(head.headers["Content-Length"]) > 0


@pytest.fixture
def page():
    """An empty page at another port, from which the browser makes cross-site requests. Each host name is another origin."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>app</title>")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def fetched(browser, url, headers, method="GET"):
    """The response that a script of the page can read, with credentials as the SDK's `withCredentials` requests; None if the browser
    hides it."""
    return browser.execute_async_script(
        """
        const [url, headers, method, done] = arguments;
        fetch(url, {headers, method, credentials: "include"})
            .then(async answer => done([answer.status, await answer.text()]))
            .catch(() => done(null));
        """, url, headers, method)


def test_a_browser_lets_trusted_origins_call(ridgeline, care, page, browser):
    """(R149, R150, R151, R153, R155)"""
    ridgeline.control("PUT", "mobile/policies/Security_AllowOrigin", {"value": "https://other.example, http://local*:*"})
    browser.get(f"http://localhost:{page}/")
    status, text = fetched(browser, ridgeline.url + USER, care.basic("dora"))
    assert status == 200 and json.loads(text)["username"] == "dora"
    # The script can read error responses, too, and no dialog asks for a password.
    status, text = fetched(browser, ridgeline.url + USER, care.basic("dora", "wrong"))
    assert status == 401 and json.loads(text)["o:errorCode"].startswith("MOBILE-")
    assert fetched(browser, ridgeline.url + "/mobile/platform/nothing", care.basic("dora"), "DELETE")[0] == 404
    # The same server with another host name is another origin.
    browser.get(f"http://127.0.0.1:{page}/")
    assert fetched(browser, ridgeline.url + USER, care.basic("dora")) is None
    ridgeline.control("DELETE", "mobile/policies/Security_AllowOrigin")
    browser.get(f"http://localhost:{page}/")
    assert fetched(browser, ridgeline.url + USER, care.basic("dora")) is None
