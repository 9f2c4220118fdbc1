"""How clients reach a sandbox: by its name and by its port, over HTTP and over HTTPS."""

import contextlib
import json
import subprocess
from urllib.parse import parse_qs, urlsplit

import boto3
import oss2
import pytest
import requests
from botocore.config import Config
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

import harbour
import mobile_sdk
from clients import ROOT, assume, client, keys_of, refused
from cloud import BUCKET, REGION, TIMEOUT_SECONDS, clean_environment
from login_page import Person
from navigation import chromium, patiently, press
from ridgeline import Backend
from sandboxes import Sandbox, refusal, resolving_names_below_localhost, serving
from test_aws_command_line import AWS

KEY = "note.txt"


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory):
    with serving(tmp_path_factory) as cloud:
        yield cloud


@pytest.fixture
def sandbox(process):
    with Sandbox.create(process) as sandbox:
        yield sandbox


@pytest.fixture(params=["name", "port"])
def way(request, monkeypatch):
    resolving_names_below_localhost(monkeypatch)
    return request.param


@pytest.fixture(params=["http", "https"])
def reached(request, way, process, sandbox, monkeypatch):
    """A URL of the sandbox and the file of the CA certificate to trust."""
    secure = request.param == "https"
    if secure:
        # It comes before the trusted authorities of a session.
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(process.authority_file))
    if way == "port":
        url = sandbox.answer["securePortURL" if secure else "portURL"]
    else:
        port = next(url for url in process.urls if url.startswith(request.param + ":")).rsplit(":", 1)[1]
        url = f"{request.param}://{sandbox.name}.sandbox.localhost:{port}"
    return url, str(process.authority_file) if secure else None


def s3_at(url, authority=None, **options):
    return boto3.client("s3", endpoint_url=url, region_name=REGION, verify=authority, config=Config(
        signature_version="s3v4", retries={"total_max_attempts": 1}, **options), **ROOT)


@pytest.mark.parametrize("style", ["path", "virtual"])
def test_boto3_reaches_the_sandbox_alone(process, sandbox, reached, way, style):
    url, authority = reached
    if way == "port" and style == "virtual":
        # The port decides, whatever the name.
        url = url.replace("127.0.0.1", "localhost")
    s3 = s3_at(url, authority, s3={"addressing_style": style})
    s3.put_object(Bucket=BUCKET, Key=KEY, Body=b"here")
    assert s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"here"
    with refused("NoSuchKey", 404):
        client(process, "s3").get_object(Bucket=BUCKET, Key=KEY)


def test_oss2_reaches_the_sandbox_alone(process, sandbox, reached):
    url, authority = reached
    session = oss2.Session()
    session.session.verify = authority or True
    bucket = oss2.Bucket(
        harbour.authentication(harbour.WARDEN), url, harbour.PHOTOS, region=harbour.REGION, session=session)
    bucket.put_object(KEY, b"here")
    assert bucket.get_object(KEY).read() == b"here"
    with harbour.refused("NoSuchKey", 404):
        harbour.bucket(process, harbour.PHOTOS).get_object(KEY)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_aws_command_line_reaches_it_by_port(process, sandbox, scheme, tmp_path):
    url = sandbox.answer["securePortURL" if scheme == "https" else "portURL"]
    (tmp_path / "note").write_text("here")
    subprocess.run(
        [AWS, "s3", "cp", tmp_path / "note", f"s3://{BUCKET}/{KEY}"], check=True, capture_output=True, env=clean_environment(
            AWS_ENDPOINT_URL=url, AWS_DEFAULT_REGION=REGION, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test",
            AWS_CA_BUNDLE=str(process.authority_file)))
    assert client(sandbox, "s3").get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"here"


def test_the_aws_command_line_reaches_it_by_name_through_a_proxy(process, sandbox, tmp_path):
    """A proxy of HTTP gets the name as it is written; here the process itself stands for one."""
    port = process.url.rsplit(":", 1)[1]
    (tmp_path / "note").write_text("here")
    environment = clean_environment(
        AWS_ENDPOINT_URL=f"http://{sandbox.name}.sandbox.localhost:{port}", AWS_DEFAULT_REGION=REGION, AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test", HTTP_PROXY=process.url)
    del environment["NO_PROXY"]
    subprocess.run(
        [AWS, "s3", "cp", tmp_path / "note", f"s3://{BUCKET}/{KEY}"], check=True, capture_output=True, env=environment)
    assert client(sandbox, "s3").get_object(Bucket=BUCKET, Key=KEY)["Body"].read() == b"here"


def test_a_login_stays_at_the_address_where_it_began(process, sandbox, reached):
    url, authority = reached
    metadata = requests.get(f"{url}/idp/company/.well-known/openid-configuration", verify=authority).json()
    assert metadata["issuer"] == f"{url}/idp/company"
    person = Person("alice", "alice-password")
    person.browser.verify = authority or True
    redirect = person.authorize(
        f"{metadata['authorization_endpoint']}?response_type=code&client_id=web-app&scope=openid&state=s"
        "&redirect_uri=http://localhost:8765/callback")
    assert redirect.query["iss"] == metadata["issuer"]
    answer = requests.post(metadata["token_endpoint"], verify=authority, auth=("web-app", "web-app-client-secret"), data={
        "grant_type": "authorization_code", "code": redirect.query["code"], "redirect_uri": "http://localhost:8765/callback"})
    token = answer.json()["id_token"]
    # The sandbox takes it at each of its addresses, and no other sandbox takes it.
    keys = keys_of(assume(sandbox, "company", token))
    client(sandbox, "s3", **keys).put_object(Bucket=BUCKET, Key="employee-0001-alice/x", Body=b"x")
    with refused("InvalidIdentityToken", 400):
        assume(process, "company", token)


def test_chromium_logs_in_at_the_sandbox_alone(process, sandbox, reached):
    url, authority = reached
    metadata = requests.get(f"{url}/idp/company/.well-known/openid-configuration", verify=authority).json()
    redirect = "http://localhost:8765/callback"
    login = (f"{metadata['authorization_endpoint']}?response_type=code&client_id=web-app&scope=openid&state=s&redirect_uri={redirect}")
    # Nothing listens where the application would, so that its address stays in the address bar.
    with chromium("--host-resolver-rules=MAP localhost:8765 127.0.0.1:9", authorities=False) as browser:
        browser.get(login)
        press(browser, "person", "alice")
        press(browser, "action", "allow")
        patiently(browser).until(lambda driver: driver.current_url.startswith(redirect))
        query = parse_qs(urlsplit(browser.current_url).query)
        assert query["iss"] == [metadata["issuer"]]
        # The cookie logs in at this address again, and at none of the process.
        with contextlib.suppress(WebDriverException):
            browser.get(login)
        assert browser.current_url.startswith(redirect)
        browser.get(login.replace(url, process.url))
        assert browser.find_elements(By.CSS_SELECTOR, "button[name=person][value=alice]")
    answer = requests.post(metadata["token_endpoint"], verify=authority, auth=("web-app", "web-app-client-secret"), data={
        "grant_type": "authorization_code", "code": query["code"][0], "redirect_uri": redirect})
    assert assume(sandbox, "company", answer.json()["id_token"])


def test_a_name_of_a_bucket_may_have_the_label_sandbox(process, sandbox):
    host = f"{sandbox.name}.sandbox.localhost:{process.port}"
    client(sandbox, "s3").create_bucket(Bucket="x.sandbox")
    client(sandbox, "s3").delete_public_access_block(Bucket="x.sandbox")
    client(sandbox, "s3").put_bucket_policy(Bucket="x.sandbox", Policy=json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::x.sandbox/*"}]}))
    client(sandbox, "s3").put_object(Bucket="x.sandbox", Key=KEY, Body=b"here")
    for name in (f"x.sandbox.{host}", f"x.sandbox.s3.{host}"):
        assert requests.get(f"{process.url}/{KEY}", headers={"Host": name}).text == "here", name


def test_the_header_addresses_a_sandbox_and_its_port_comes_first(process, sandbox):
    client(sandbox, "s3").put_object(Bucket=BUCKET, Key=KEY, Body=b"here")
    header = {"x-virga-sandbox": sandbox.name}
    token = requests.post(
        f"{process.url}/_virga/tokens", json={"provider": "company", "user": "alice"}, headers=header).json()["token"]
    assert assume(sandbox, "company", token)
    with refused("InvalidIdentityToken", 400):
        assume(process, "company", token)
    with Sandbox.create(process) as other:
        requests.post(f"{sandbox.url}/_virga/clock", json={"age": "PT1H"}, headers={"x-virga-sandbox": other.name}).raise_for_status()
        assert len(sandbox.control("GET", "clock")["ages"]) == 1 and not other.control("GET", "clock")["ages"]
        url = client(sandbox, "s3").generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": KEY})
        assert requests.get(url, headers={"x-virga-sandbox": other.name}).text == "here"
    assert refusal(process, "GET", "clock", headers={"x-virga-sandbox": "nowhere"}) == (404, "unknown_sandbox")
    assert refusal(process, "GET", "clock", headers={"Host": "nowhere.sandbox.localhost"}) == (404, "unknown_sandbox")


def test_the_header_does_not_open_the_control_api_to_foreign_hosts(process, sandbox):
    headers = {"x-virga-sandbox": sandbox.name, "Host": "evil.example"}
    assert refusal(process, "GET", "clock", headers=headers) == (403, "foreign_host")


def test_a_sandbox_sends_requests_to_another_one_by_name(process, sandbox):
    """An issuer in one sandbox, and an account in another that trusts it."""
    with Sandbox.create(process) as other:
        issuer = f"http://{other.name}.sandbox.localhost:{process.port}/idp/company"
        seen = requests.get(f"{process.url}/idp/company/.well-known/openid-configuration", headers={"Host": issuer.split("/")[2]})
        assert seen.json()["issuer"] == issuer
        token = requests.post(f"{process.url}/_virga/tokens", json={"provider": "company", "user": "alice"}, headers={
            "Host": issuer.split("/")[2]}).json()["token"]
        with refused("InvalidIdentityToken", 400):
            assume(sandbox, "company", token)


def operations(cloud):
    return {entry.get("operation") for entry in cloud.control("GET", "journal")["entries"]}


def test_a_go_program_reaches_the_sandbox_alone(go_program, process, sandbox, reached):
    url, authority = reached
    finished = subprocess.run([go_program("store")], text=True, capture_output=True, timeout=TIMEOUT_SECONDS, env=clean_environment(
        ENDPOINT=url, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_REGION="us-east-1",
        **{"AWS_CA_BUNDLE": authority} if authority else {}))
    assert finished.returncode == 0, finished.stderr
    # Its last step deletes the bucket.
    assert "CreateBucket" in operations(sandbox) and "CreateBucket" not in operations(process)


def test_an_app_of_the_mobile_cloud_reaches_the_sandbox_alone(process, sandbox, reached):
    url, authority = reached
    care = Backend(sandbox, "LiftCare")
    endpoint = f"{url}/oam/oauth2/tokens"
    answer = requests.post(endpoint, auth=care.client, data={
        "grant_type": "password", "username": "dora", "password": "dora-password"}, verify=authority)
    token = {"Authorization": f"Bearer {answer.json()['access_token']}"}
    me = requests.get(f"{url}/mobile/platform/users/~", headers=token, verify=authority)
    assert me.status_code == 200 and me.json()["username"] == "dora"
    # Another sandbox did not issue the token.
    assert requests.get(f"{process.url}/mobile/platform/users/~", headers=token).status_code == 401


def test_the_sdk_of_the_mobile_cloud_reaches_the_sandbox(sandbox, way, process):
    """The SDK's requests have no TLS here: it writes to a bare socket."""
    url = sandbox.url if way == "port" else f"http://{sandbox.name}.sandbox.localhost:{process.port}"
    care = Backend(sandbox, "LiftCare")
    backend = mobile_sdk.MobileBackend({"baseUrl": url, "authorization": {
        "basicAuth": {"backendId": care.id, "anonymousToken": care.anonymous_key}}})
    backend.set_authentication_type("basicAuth").authenticate("dora", "dora-password")
    assert backend.current_user().data["username"] == "dora"
