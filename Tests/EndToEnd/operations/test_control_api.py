"""The control API under /_virga/: health, reset, tokens, journal, and access."""

import base64
import json
import socket
from urllib.parse import quote

import pytest
import requests

from clients import anonymous, assume, client, keys_of, refused, session
from cloud import BUCKET, Cloud


def claims_of(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def test_health_is_answered(cloud):
    response = requests.get(f"{cloud.url}/_virga/health")
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.json()["status"] == "ok"


def test_reset_restores_the_seed(cloud):
    s3 = client(cloud, "s3")
    s3.create_bucket(Bucket="mine")
    s3.put_object(Bucket=BUCKET, Key="new", Body=b"x")
    seeded = s3.list_objects_v2(Bucket=BUCKET)["Contents"][0]["Key"]
    s3.delete_object(Bucket=BUCKET, Key=seeded)

    cloud.reset()

    assert [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]] == [BUCKET]
    keys = [entry["Key"] for entry in s3.list_objects_v2(Bucket=BUCKET)["Contents"]]
    assert seeded in keys and "new" not in keys


def test_what_was_issued_before_a_reset_is_unknown_afterwards(cloud):
    facebook, company = cloud.token("facebook", "alice"), cloud.token("company", "alice")
    cloud.reset()
    with refused("IDPRejectedClaim", 403):
        assume(cloud, "facebook", facebook)
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "company", company)


@pytest.mark.parametrize("provider", ["company", "google", "facebook", "amazon"])
@pytest.mark.parametrize("user", ["alice", "bob", "carol"])
def test_a_token_is_issued_to_every_seeded_person(cloud, provider, user):
    issued = cloud.issue(provider, user)
    assert set(issued) == {"token", "type", "subject", "client", "expires_in"}
    assert 3500 < issued["expires_in"]
    assert assume(cloud, provider, issued["token"])["SubjectFromWebIdentityToken"] == issued["subject"]


def test_a_token_has_the_client_lifetime_and_claims_that_were_asked_for(cloud):
    issued = cloud.issue("company", "alice", client="cli", lifetime=120, claims={"department": "engineering", "amr": ["pwd"]})
    claims = claims_of(issued["token"])
    assert (issued["client"], issued["expires_in"]) == ("cli", 120)
    assert claims["exp"] - claims["iat"] == 120
    assert claims["department"] == "engineering" and claims["amr"] == ["pwd"]
    assert "cli" in (claims["aud"], claims.get("azp"))


@pytest.mark.parametrize("body", [
    {"provider": "company"}, {"user": "alice"}, {"provider": "company", "user": "alice", "lifetime": "long"},
    {"provider": "company", "user": "alice", "lifetime": 0}, {"provider": "company", "user": "alice", "surprise": 1},
    {"provider": "facebook", "user": "alice", "claims": {"email": "a@b"}}, {"provider": 1, "user": "alice"}, []])
def test_a_request_for_a_token_that_makes_no_sense_says_why(cloud, body):
    response = requests.post(f"{cloud.url}/_virga/tokens", json=body)
    assert response.status_code == 400
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.json()["error"] and response.json()["message"]


@pytest.mark.parametrize("body, error", [
    ({"provider": "nobody", "user": "alice"}, "unknown_provider"), ({"provider": "company", "user": "mallory"}, "unknown_user"),
    ({"provider": "company", "user": "alice", "client": "unknown"}, "unknown_client")])
def test_a_token_of_something_that_is_not_there_is_not_found(cloud, body, error):
    response = requests.post(f"{cloud.url}/_virga/tokens", json=body)
    assert (response.status_code, response.json()["error"]) == (404, error)


def test_a_body_that_is_no_json_is_refused(cloud):
    response = requests.post(f"{cloud.url}/_virga/tokens", data="{", headers={"Content-Type": "application/json"})
    assert response.status_code == 400


def journal(cloud, **parameters):
    return cloud.control("GET", "journal", params=parameters)["entries"]


def test_the_journal_shows_caller_and_decision(cloud):
    s3, subject = session(cloud, "company", "alice")
    s3.put_object(Bucket=BUCKET, Key=f"{subject}/note", Body=b"x")
    with refused("AccessDenied", 403):
        s3.get_object(Bucket=BUCKET, Key="somebody-else/note")

    denied, allowed = journal(cloud)[:2]
    assert (denied["method"], denied["status"], denied["error"]) == ("GET", 403, "AccessDenied")
    assert denied["caller"].endswith(":assumed-role/personal-files-company/tester")
    decision = denied["decisions"][0]
    assert (decision["action"], decision["allowed"]) == ("s3:GetObject", False)
    assert decision["resource"] == f"arn:aws:s3:::{BUCKET}/somebody-else/note"
    assert any("login.company.example:sub" in line or subject in line for line in decision["trace"])
    assert (allowed["method"], allowed["status"], allowed["decisions"][0]["allowed"]) == ("PUT", 200, True)


def test_the_journal_is_filtered(cloud):
    s3, subject = session(cloud, "company", "alice")
    s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{subject}/")
    client(cloud, "s3").list_buckets()
    with refused("AccessDenied", 403):
        anonymous(cloud, "s3").list_buckets()
    assert {entry["status"] for entry in journal(cloud, status=403)} == {403}
    assert {entry["face"] for entry in journal(cloud, face="sts")} == {"sts"}
    assert all("assumed-role" in entry["caller"] for entry in journal(cloud, caller="assumed-role"))
    assert len(journal(cloud, limit=1)) == 1
    denied, = journal(cloud, error="AccessDenied", face="s3")
    assert denied["caller"] is None
    assert journal(cloud, request_id=denied["request_id"]) == [denied]
    assert {entry["operation"] for entry in journal(cloud, operation="ListObjectsV2")} == {"ListObjectsV2"}
    assert journal(cloud, path="no-such-path") == []
    assert requests.get(f"{cloud.url}/_virga/journal", params={"colour": "red"}).status_code == 400


def test_the_journal_never_shows_a_secret(cloud):
    token = cloud.token("facebook", "alice")
    requests.get(f"{cloud.url}/idp/facebook/me", params={"access_token": token})
    answer = assume(cloud, "facebook", token)
    url = client(cloud, "s3").generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "x"})
    requests.get(url)
    as_alice = client(cloud, "s3", **keys_of(answer))
    requests.get(as_alice.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "x"}))
    entries = journal(cloud)
    assert {"facebook", "sts", "s3"} <= {entry["face"] for entry in entries}
    credentials = answer["Credentials"]
    for secret in [token, credentials["SecretAccessKey"], credentials["SessionToken"], url.rsplit("Signature=", 1)[1]]:
        assert secret not in json.dumps(entries) and quote(secret, safe="") not in json.dumps(entries)


def test_an_unknown_path_is_not_found(cloud):
    assert requests.get(f"{cloud.url}/_virga/nothing").status_code == 404
    wrong = requests.get(f"{cloud.url}/_virga/reset")
    assert (wrong.status_code, wrong.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
@pytest.mark.parametrize("method, path", [("POST", "reset"), ("POST", "tokens"), ("GET", "journal")])
def test_a_page_of_another_site_cannot_use_the_control_api(cloud, root, method, path, origin):
    root.create_bucket(Bucket="mine")
    response = requests.request(
        method, f"{cloud.url}/_virga/{path}", headers={"Origin": origin}, json={"provider": "company", "user": "alice"})
    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers and "token" not in response.json()
    assert root.head_bucket(Bucket="mine")


def test_a_strange_name_that_was_bound_to_this_address_opens_nothing(cloud):
    evil = {"Host": f"evil.example:{cloud.port}"}
    assert requests.get(f"{cloud.url}/_virga/health", headers=evil).status_code == 200
    for headers in [evil, evil | {"Origin": f"http://evil.example:{cloud.port}"}]:
        response = requests.get(f"{cloud.url}/_virga/journal", headers=headers)
        assert (response.status_code, response.json()["error"]) == (403, "foreign_host")
    assert requests.get(f"{cloud.url}/_virga/journal", headers={"Host": f"localhost:{cloud.port}"}).status_code == 200


@pytest.mark.parametrize("headers", [
    {"Origin": "own"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}])
def test_a_page_of_the_cloud_itself_needs_the_token(cloud, headers):
    """Any user who can store an object can have such a page."""
    headers = {name: cloud.url if value == "own" else value for name, value in headers.items()}
    response = requests.get(f"{cloud.url}/_virga/journal", headers=headers)
    assert (response.status_code, response.json()["error"]) == (403, "page_refused")
    assert "--control-token" in response.json()["message"]


@pytest.mark.parametrize("headers", [
    {"User-Agent": "Mozilla/5.0", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, {"Sec-Fetch-Mode": "cors"},
    {"User-Agent": "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1"}], ids=["typed", "Node", "PowerShell"])
def test_a_person_and_a_program_read_the_journal(cloud, headers):
    assert requests.get(f"{cloud.url}/_virga/journal", headers=headers).status_code == 200


def test_a_typed_address_changes_nothing(cloud):
    response = requests.post(f"{cloud.url}/_virga/reset", headers={"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"})
    assert (response.status_code, response.json()["error"]) == (403, "page_refused")


def test_another_machine_needs_the_control_token():
    with Cloud("--port", 0, "--ephemeral", "--host", "0.0.0.0", "--control-token", "s3cret") as cloud:
        url = f"http://127.0.0.1:{cloud.port}/_virga"
        assert requests.get(f"{url}/health").status_code == 200
        for headers in [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic s3cret"}]:
            response = requests.get(f"{url}/journal", headers=headers)
            assert response.status_code == 401, headers
            assert response.headers["WWW-Authenticate"].startswith("Bearer")
        assert requests.get(f"{url}/journal", headers={"Authorization": "Bearer s3cret"}).status_code == 200


def test_without_a_control_token_only_loopback_is_open():
    addresses = {address[4][0] for address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    outside = next(iter(addresses - {"127.0.0.1"}), "127.0.0.1")
    with Cloud("--port", 0, "--ephemeral", "--host", "0.0.0.0") as cloud:
        assert requests.get(f"http://{outside}:{cloud.port}/_virga/health").status_code == 200
        response = requests.post(f"http://{outside}:{cloud.port}/_virga/reset")
        assert response.status_code == 403
