"""`aws login`: AWS Sign-In's page, its tokens with DPoP, and the login provider of botocore. The numbers in the names are those of
`Tests/Conformance/Credentials.md`."""

import base64
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import uuid
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec

from clients import client
from cloud import TIMEOUT_SECONDS, Cloud, clean_environment, executable, run

ACCOUNT = "111122223333"
ALICE, BOB, ROOT_USER = f"arn:aws:iam::{ACCOUNT}:user/alice", f"arn:aws:iam::{ACCOUNT}:user/bob", f"arn:aws:iam::{ACCOUNT}:root"
CLIENT = "arn:aws:signin:::devtools/same-device"
REDIRECT = "http://127.0.0.1:4000/oauth/callback"
ACCESS = "arn:aws:iam::aws:policy/SignInLocalDevelopmentAccess"
SEED = {"accounts": [{
    "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "files"}],
    "users": [
        {"name": "alice", "attachedPolicies": [ACCESS, "arn:aws:iam::aws:policy/IAMReadOnlyAccess"],
         "policies": {"own": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}}},
        {"name": "bob"}]}]}


@pytest.fixture(scope="module")
def process(tmp_path_factory, environment_of_the_tests):
    file = tmp_path_factory.mktemp("signin") / "seed.json"
    file.write_text(json.dumps(SEED))
    with Cloud.ephemeral("--seed", file) as cloud:
        cloud.seed = file
        yield cloud


@pytest.fixture
def cloud(process):
    process.reset()
    return process


def challenge(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


class Login:
    """A client like `aws login`."""

    def __init__(self, cloud, key=None):
        self.cloud = cloud
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.verifier = "v" * 43

    def proof(self, **changes):
        members = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key()))
        header = {"typ": "dpop+jwt", "jwk": {name: members[name] for name in ["kty", "crv", "x", "y"]}} | changes.pop("header", {})
        claims = {"htm": "POST", "htu": f"{self.cloud.url}/v1/token", "iat": int(time.time()), "jti": str(uuid.uuid4())} | changes
        return jwt.encode(claims, self.key, algorithm="ES256", headers=header)

    def page(self, **changes):
        parameters = {
            "response_type": "code", "client_id": CLIENT, "state": "s", "code_challenge_method": "SHA-256", "scope": "openid",
            "redirect_uri": REDIRECT, "code_challenge": challenge(self.verifier)} | changes
        return requests.get(f"{self.cloud.url}/v1/authorize", params=parameters)

    def press(self, page, headers=None, **button):
        form = re.search(r'name="form" value="([^"]+)"', page.text)[1]
        return requests.post(f"{self.cloud.url}/v1/authorize", data={"form": form} | button, headers=headers, allow_redirects=False)

    def code(self, identity=ALICE):
        answer = self.press(self.page(), identity=identity)
        assert answer.status_code == 302, answer.text
        query = parse_qs(urlsplit(answer.headers["Location"]).query)
        assert answer.headers["Location"].startswith(REDIRECT + "?") and query["state"] == ["s"]
        return query["code"][0]

    def token(self, proof=None, **members):
        headers = {} if proof == "" else {"DPoP": proof or self.proof()}
        return requests.post(f"{self.cloud.url}/v1/token", json={"clientId": CLIENT} | members, headers=headers)

    def exchange(self, code=None, proof=None, **changes):
        members = {"grantType": "authorization_code", "code": code or self.code(), "codeVerifier": self.verifier, "redirectUri": REDIRECT}
        return self.token(proof, **members | changes)

    def refresh(self, token, proof=None, **changes):
        return self.token(proof, **{"grantType": "refresh_token", "refreshToken": token} | changes)


def keys(answer):
    token = answer.json()["accessToken"]
    return {"aws_access_key_id": token["accessKeyId"], "aws_secret_access_key": token["secretAccessKey"],
            "aws_session_token": token["sessionToken"]}


def invalid(answer):
    assert (answer.status_code, answer.json()["error"]) == (400, "INVALID_REQUEST"), answer.text
    assert answer.headers["x-amzn-errortype"] == "ValidationException"
    return True


def denied(answer, error):
    assert (answer.status_code, answer.json()["error"]) == (403, error), answer.text
    assert answer.headers["x-amzn-errortype"] == "AccessDeniedException"
    return True


@pytest.mark.parametrize("identity", [ALICE, ROOT_USER])
def test_k21_k22_the_credentials_are_those_of_the_person(cloud, identity):
    """For 15 minutes, with the rights of the person, also in IAM."""
    answer = Login(cloud).exchange(Login(cloud).code(identity))
    assert answer.status_code == 200, answer.text
    document = answer.json()
    assert (document["tokenType"], document["expiresIn"]) == ("aws_sigv4", 900)
    assert client(cloud, "sts", **keys(answer)).get_caller_identity()["Arn"] == identity
    assert client(cloud, "s3", **keys(answer)).list_objects_v2(Bucket="files")["KeyCount"] == 0
    assert client(cloud, "iam", **keys(answer)).get_user(UserName="bob")["User"]["UserName"] == "bob"
    cloud.age("PT901S")
    with pytest.raises(Exception, match="ExpiredToken"):
        client(cloud, "sts", **keys(answer)).get_caller_identity()


def test_k23_the_id_token_names_the_identity(cloud):
    token = Login(cloud).exchange().json()["idToken"]
    claims = jwt.decode(token, options={"verify_signature": False, "verify_aud": False})
    assert jwt.get_unverified_header(token)["alg"] == "ES384"
    assert claims["iss"] == "https://signin.aws.amazon.com/signin" and claims["aud"] == CLIENT
    assert claims["sub"] == claims["session_arn"] == ALICE and claims["exp"] - claims["iat"] == 900


@pytest.mark.parametrize("changes", [
    {"code_challenge_method": "S256"}, {"code_challenge_method": "plain"}, {"code_challenge": "short"}, {"response_type": "token"},
    {"client_id": "other"}, {"scope": "email"}, {"state": ""}, {"redirect_uri": "http://evil.example/oauth/callback"},
    {"redirect_uri": "http://127.0.0.1:0/oauth/callback"}, {"redirect_uri": "http://127.0.0.1:4000/other"}])
def test_k21_requests_of_the_page_are_checked(cloud, changes):
    """SHA-256 only."""
    assert invalid(Login(cloud).page(**changes))


def test_k21_the_page_can_be_left(cloud):
    login = Login(cloud)
    answer = login.press(login.page(), action="deny")
    assert answer.headers["Location"] == f"{REDIRECT}?error=access_denied&state=s"
    assert invalid(login.press(login.page(), identity="arn:aws:iam::111122223333:user/nobody"))


@pytest.mark.parametrize("changes", [
    {"verifier": "w" * 43}, {"redirectUri": REDIRECT.replace("4000", "4001")}, {"clientId": "arn:aws:signin:::devtools/cross-device"},
    {"grantType": "password"}, {"code": "x"}, {"codeVerifier": ""}, {"unknown": "x"}])
def test_k21_codes_are_bound(cloud, changes):
    login = Login(cloud)
    code = login.code()
    login.verifier = changes.pop("verifier", login.verifier)
    assert invalid(login.exchange(**{"code": code} | changes))


def test_k22_codes_are_used_once_and_expire(cloud):
    login = Login(cloud)
    code = login.code()
    assert login.exchange(code).status_code == 200
    assert denied(login.exchange(code), "AUTHCODE_EXPIRED")
    code = login.code()
    cloud.age("PT601S")
    assert denied(login.exchange(code), "AUTHCODE_EXPIRED")


@pytest.mark.parametrize("changes", [
    {"htm": "GET"}, {"htu": "https://evil.example/v1/token"}, {"iat": 0}, {"jti": ""}, {"header": {"typ": "JWT"}}])
def test_k21_proofs_are_checked(cloud, changes):
    login = Login(cloud)
    assert invalid(login.exchange(proof=login.proof(**changes)))


def test_k21_proofs_are_required_and_used_once(cloud):
    """Real AWS refuses a call without one in the same way."""
    login = Login(cloud)
    assert invalid(login.exchange(proof=""))
    proof = login.proof()
    first = login.exchange(proof=proof)
    assert first.status_code == 200
    assert invalid(login.refresh(first.json()["refreshToken"], proof=proof))


def test_k21_k22_refresh_tokens_rotate_and_are_bound_to_the_key(cloud):
    login = Login(cloud)
    first = login.exchange().json()["refreshToken"]
    assert invalid(Login(cloud).refresh(first))
    second = login.refresh(first)
    assert second.status_code == 200 and "idToken" not in second.json()
    assert client(cloud, "sts", **keys(second)).get_caller_identity()["Arn"] == ALICE
    assert denied(login.refresh(first), "TOKEN_EXPIRED")
    third = login.refresh(second.json()["refreshToken"])
    assert third.status_code == 200
    # After a minute, the second use of a refresh token ends the login (RFC 9700 section 4.14.2).
    cloud.age("PT61S")
    assert denied(login.refresh(first), "TOKEN_EXPIRED")
    assert denied(login.refresh(third.json()["refreshToken"]), "TOKEN_EXPIRED")


def test_k22_sessions_end_after_twelve_hours(cloud):
    login = Login(cloud)
    token = login.exchange().json()["refreshToken"]
    cloud.age("PT11H50M")
    answer = login.refresh(token)
    assert answer.status_code == 200 and answer.json()["expiresIn"] <= 600
    cloud.age("PT11M")
    assert denied(login.refresh(answer.json()["refreshToken"]), "TOKEN_EXPIRED")


def test_k22_the_login_profile_limits_the_session(cloud):
    """MaxSigninSessionDuration."""
    client(cloud, "iam").create_login_profile(UserName="alice", Password="Correct-horse-7", MaxSigninSessionDuration=3600)
    login = Login(cloud)
    token = login.exchange().json()["refreshToken"]
    cloud.age("PT1H1S")
    assert denied(login.refresh(token), "TOKEN_EXPIRED")


def test_k22_changed_credentials_end_the_session(cloud):
    login = Login(cloud)
    token = login.exchange().json()["refreshToken"]
    client(cloud, "iam").create_login_profile(UserName="alice", Password="Correct-horse-7")
    assert denied(login.refresh(token), "USER_CREDENTIALS_CHANGED")


def test_k22_k36_policies_decide(cloud):
    """Bob has no permission to log in; alice loses hers."""
    login = Login(cloud)
    assert denied(login.press(login.page(), identity=BOB), "INSUFFICIENT_PERMISSIONS")
    token = login.exchange().json()["refreshToken"]
    client(cloud, "iam").detach_user_policy(UserName="alice", PolicyArn=ACCESS)
    assert denied(login.refresh(token), "INSUFFICIENT_PERMISSIONS")
    entry = next(entry for entry in cloud.control("GET", "journal")["entries"] if entry["face"] == "signin")
    assert entry["decisions"][0]["action"] == "signin:CreateOAuth2Token" and entry["caller"] == ALICE


def test_k21_another_device_shows_the_code(cloud):
    """`aws login --remote`."""
    login = Login(cloud)
    remote, redirect = "arn:aws:signin:::devtools/cross-device", f"{cloud.url}/v1/sessions/confirmation"
    answer = login.press(login.page(client_id=remote, redirect_uri=redirect), identity=ALICE)
    shown = re.search(r'<code id="code">([^<]+)</code>', requests.get(answer.headers["Location"]).text)[1]
    query = parse_qs(base64.b64decode(shown).decode())
    assert query["state"] == ["s"]
    assert login.exchange(query["code"][0], clientId=remote, redirectUri=redirect).status_code == 200


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "same-origin"}, {"Host": "rebound.example"}])
def test_k38_pages_and_rebound_names_get_no_credentials(cloud, headers):
    login = Login(cloud)
    members = {"clientId": CLIENT, "grantType": "authorization_code", "code": login.code(), "codeVerifier": login.verifier,
               "redirectUri": REDIRECT}
    answer = requests.post(f"{cloud.url}/v1/token", json=members, headers={"DPoP": login.proof()} | headers)
    assert answer.status_code == 403 and "secretAccessKey" not in answer.text
    if "Sec-Fetch-Site" not in headers:
        assert login.press(login.page(), headers=headers, identity=ALICE).status_code == 403


def test_k37_hosts_of_the_service_are_known(cloud):
    """Its hosts answer in its protocol, also for other calls."""
    for host in ["us-east-1.signin.aws.amazon.com", "signin.aws.amazon.com", "signin.eu-west-1.amazonaws.com"]:
        answer = requests.post(f"{cloud.url}/v1/token", json={"clientId": CLIENT}, headers={"Host": host})
        assert invalid(answer)
    other = requests.post(f"{cloud.url}/list-sessions", json={}, headers={"Host": "signin.us-east-1.amazonaws.com"})
    assert other.status_code == 404 and "Virga does not serve this call of signin" in other.json()["message"]


def test_k36_the_journal_has_no_secrets(cloud):
    login = Login(cloud)
    answer = login.exchange()
    secrets = [keys(answer)["aws_secret_access_key"], keys(answer)["aws_session_token"], answer.json()["refreshToken"]]
    journal = requests.get(f"{cloud.url}/_virga/journal").text
    assert '"signin"' in journal and not any(secret in journal for secret in secrets)


# The caller, by the login provider of botocore, and the file that it writes.
CALLER = "import boto3; print(boto3.client('sts').get_caller_identity()['Arn'])"


def cache_of(folder):
    return next(folder.glob("*.json"))


def test_k23_botocore_refreshes_a_login(cloud, tmp_path):
    """The cache that `virga env` writes, made old."""
    variables = run("env", "--endpoint", cloud.url, "--credentials", "login:alice", "--format", "github", TMPDIR=str(tmp_path)).stdout
    environment = clean_environment(**dict(line.split("=", 1) for line in variables.splitlines() if "=" in line))

    def caller():
        result = subprocess.run([sys.executable, "-c", CALLER], env=environment, text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
        return result.stdout.strip(), result.stderr

    assert caller() == (ALICE, "")
    file = cache_of(tmp_path / f"virga-{os.geteuid()}")
    before = json.loads(file.read_text())
    before["accessToken"]["expiresAt"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    file.write_text(json.dumps(before))
    assert caller() == (ALICE, "")
    after = json.loads(file.read_text())
    assert after["refreshToken"] != before["refreshToken"] and after["accessToken"]["accountId"] == ACCOUNT
    cloud.age("PT13H")
    after["accessToken"]["expiresAt"] = before["accessToken"]["expiresAt"]
    file.write_text(json.dumps(after))
    assert "LoginRefreshRequired" in caller()[1]


def test_k39_run_gives_programs_a_login(process, tmp_path):
    """The user's own files are hidden."""
    files = tmp_path / ".aws"
    files.mkdir()
    (files / "credentials").write_text("[default]\naws_access_key_id = AKIAMINE\naws_secret_access_key = mine\n")
    result = subprocess.run(
        [executable(), "run", "--seed", process.seed, "--credentials", "login", "--quiet", "--", sys.executable, "-c", CALLER],
        env=clean_environment(HOME=str(tmp_path)), text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert result.stdout == ALICE + "\n", result.stderr


def test_errors_on_demand(cloud):
    cloud.control("POST", "faults", {"service": "signin", "error": "ServiceUnavailable", "action": "CreateOAuth2Token"})
    login = Login(cloud)
    assert login.exchange().status_code == 503
    assert "signin" in cloud.control("GET", "info")["services"]
