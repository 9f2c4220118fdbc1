"""URLs that clients name never lead this process to metadata services, follow no redirects, and carry no rights of the process."""

import base64
import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import botocore.exceptions
import pytest
import requests
from joserfc import jwk, jwt

import harbour
from clients import anonymous, client
from cloud import REPOSITORY, Cloud
from issuer import Issuer
from login_page import REDIRECT_URI, Page, Person

# Link-local addresses, in spellings that naive filters do not recognize. None of them is ever connected to.
METADATA = ["http://169.254.169.254/latest/meta-data/iam", "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/",
            "http://[::ffff:169.254.169.254]/", "http://[fe80::1]/", "http://[fd00:ec2::254]/", "http://100.100.100.200/latest/meta-data/"]
REFUSED = "A request to a link-local or metadata address was not sent"
HARBOUR = REPOSITORY / "seed" / "alibaba.json5"


@pytest.fixture(scope="module")
def process(environment_of_the_tests):
    with Cloud.ephemeral("--issuers-over-http", "--seed", REPOSITORY / "seed" / "personal-file-store.json5", "--seed", HARBOUR) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def cloud(process):
    process.reset()
    return process


@contextlib.contextmanager
def expect_refused(cloud):
    """Expects that the process refuses to send a request because of its address."""
    before = cloud.logged().count(REFUSED)
    yield
    assert cloud.logged().count(REFUSED) > before


@contextlib.contextmanager
def redirecting(location):
    """A server that redirects every request. Yields its URL and the paths that were requested."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


def called_back(cloud, url):
    """The response to an upload whose callback is at a URL."""
    shop = harbour.bucket(cloud, harbour.PHOTOS)
    order = base64.b64encode(json.dumps({"callbackUrl": url, "callbackBody": "a=b"}).encode()).decode()
    answer = shop.put_object("x", b"text", headers={"x-oss-callback": order})
    return answer.status, answer.resp.read()


@pytest.mark.parametrize("url", METADATA)
def test_a_callback_of_an_upload(cloud, url):
    with expect_refused(cloud):
        status, body = called_back(cloud, url)
    assert status == 203 and b"CallbackFailed" in body


def exchange(cloud, token):
    with pytest.raises(botocore.exceptions.ClientError) as raised:
        anonymous(cloud, "sts").assume_role_with_web_identity(
            RoleArn="arn:aws:iam::000000000000:role/nowhere-0000", RoleSessionName="session", WebIdentityToken=token)
    return raised.value.response["Error"]["Code"]


def test_an_issuer_of_iam(cloud):
    url = "http://169.254.169.254"
    client(cloud, "iam").create_open_id_connect_provider(Url=url, ClientIDList=["web"])
    with Issuer() as issuer, expect_refused(cloud):
        assert exchange(cloud, issuer.token(iss=url)) == "IDPCommunicationError"


@pytest.mark.parametrize("url", METADATA)
def test_keys_that_the_metadata_of_an_issuer_name(cloud, url):
    with Issuer() as issuer, expect_refused(cloud):
        sound = issuer.metadata
        issuer.metadata = lambda: sound() | {"jwks_uri": url}
        client(cloud, "iam").create_open_id_connect_provider(Url=issuer.url, ClientIDList=["web"])
        assert exchange(cloud, issuer.token()) == "IDPCommunicationError"


def metadata_of(cloud):
    return requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()


def register(cloud, **document):
    response = requests.post(metadata_of(cloud)["registration_endpoint"], json={"redirect_uris": [REDIRECT_URI]} | document)
    assert response.status_code == 201, response.text
    return response.json()


def test_keys_of_an_application(cloud):
    key = jwk.ECKey.generate_key("P-256", {"kid": "1"})
    app = register(cloud, jwks_uri="http://169.254.169.254/keys", token_endpoint_auth_method="private_key_jwt")
    endpoint = metadata_of(cloud)["token_endpoint"]
    assertion = jwt.encode({"alg": "ES256", "kid": "1"}, {
        "iss": app["client_id"], "sub": app["client_id"], "aud": endpoint, "jti": "1", "iat": int(time.time()),
        "exp": int(time.time()) + 60}, key)
    with expect_refused(cloud):
        answer = requests.post(endpoint, data={
            "grant_type": "client_credentials", "client_assertion": assertion,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"})
    assert answer.status_code in (400, 401), answer.text


def test_a_request_object_of_an_application(cloud):
    url = "http://169.254.169.254/request"
    app = register(cloud, request_uris=[url], request_object_signing_alg="none")
    query = {"client_id": app["client_id"], "response_type": "code", "scope": "openid", "request_uri": url, "redirect_uri": REDIRECT_URI}
    with expect_refused(cloud):
        answer = requests.get(f"{metadata_of(cloud)['authorization_endpoint']}?{urlencode(query)}", allow_redirects=False)
    assert answer.status_code in (302, 303, 400) and "code=" not in answer.headers.get("Location", "")


def test_a_logout_message_to_an_application(cloud):
    metadata = metadata_of(cloud)
    app = register(cloud, backchannel_logout_uri="http://169.254.169.254/logout")
    person = Person("alice")
    query = {"client_id": app["client_id"], "response_type": "code", "scope": "openid", "redirect_uri": REDIRECT_URI, "state": "s"}
    code = person.authorize(f"{metadata['authorization_endpoint']}?{urlencode(query)}").query["code"]
    tokens = requests.post(metadata["token_endpoint"], auth=(app["client_id"], app["client_secret"]), data={
        "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI}).json()
    with expect_refused(cloud):
        step = person.open(f"{metadata['end_session_endpoint']}?{urlencode({'id_token_hint': tokens['id_token']})}")
        while isinstance(step, Page) and any(form.buttons for form in step.forms):
            step = person.press(step, step.form.buttons[0])


def test_a_redirect_is_not_followed(cloud):
    with redirecting("http://127.0.0.1:1/never") as (target, never), redirecting(f"{target}/hidden") as (url, asked):
        status, body = called_back(cloud, url)
        assert status == 203 and b"Error status : 302" in body
        client(cloud, "iam").create_open_id_connect_provider(Url=url.replace("127.0.0.1", "localhost"), ClientIDList=["web"])
        with Issuer() as issuer:
            assert exchange(cloud, issuer.token(iss=url.replace("127.0.0.1", "localhost"))) == "IDPCommunicationError"
        assert len(asked) == 2 and never == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://127.0.0.1:25/x", "ftp://127.0.0.1/x", "unix:///run/x"])
def test_another_scheme_is_refused(cloud, url):
    try:
        status, body = called_back(cloud, url)
    except harbour.oss2.exceptions.OssError as error:
        status, body = error.status, b""
    assert status in (203, 400) and b"root:" not in body


def test_a_callback_to_the_own_control_api_has_no_rights():
    with Cloud.ephemeral("--control-token", "s3cret", "--seed", HARBOUR) as cloud:
        # The host is loopback, or a name that is answered inside the process.
        for host in [cloud.url, "http://virga", "http://default.sandbox.localhost"]:
            status, body = called_back(cloud, f"{host}/_virga/reset")
            assert status == 203 and b"CallbackFailed" in body, host
        assert harbour.bucket(cloud, harbour.PHOTOS).get_object("x").read() == b"text", "nothing was reset"
        assert cloud.stop() == 0


def test_a_callback_to_the_own_control_api_is_not_sent():
    with Cloud.ephemeral("--seed", HARBOUR) as cloud:
        for host in [cloud.url, f"http://localhost:{cloud.port}", "http://virga"]:
            for path in ["/_virga/reset", "/_virga?x", "/_virga/send#x"]:
                status, body = called_back(cloud, host + path)
                assert status == 203 and b"CallbackFailed" in body, host + path
        assert harbour.bucket(cloud, harbour.PHOTOS).get_object("x").read() == b"text", "nothing was reset"
        assert cloud.stop() == 0


def test_a_seed_of_the_start_may_name_such_a_host(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text("{eventTargets: {'arn:aws:sns:us-east-1:000000000000:topic': 'http://169.254.169.254/events'}}")
    with Cloud.ephemeral("--seed", seed, "--seed", HARBOUR, "--no-outbound") as cloud:
        status, _ = called_back(cloud, "http://169.254.169.254/x")
        # The switch applies, and not the list.
        assert status == 203 and REFUSED not in cloud.logged()
        assert cloud.stop() == 0
