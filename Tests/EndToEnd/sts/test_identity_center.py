"""IAM Identity Center with the seed `credentials.json5`: its services, its pages, and the SDK's provider of credentials. The K numbers are those of
the requirements."""

import base64
import datetime
import hashlib
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
from urllib.parse import urlencode

import boto3
import botocore.exceptions
import pytest
import requests
from botocore import UNSIGNED
from botocore.config import Config

from clients import client, refused
from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment, executable, run
from login_page import OTHER_REDIRECT_URI, Page, Person

SEED = REPOSITORY / "seed/credentials.json5"
ACCOUNT = "000000000000"
START_URL = "https://d-0123456789.awsapps.com/start"
SCOPE = "sso:account:access"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
ROLE = r"arn:aws:sts::000000000000:assumed-role/AWSReservedSSO_{}_[0-9a-f]{{16}}/{}"

# The caller, by the default chain of botocore.
CALLER = "import boto3; print(boto3.client('sts').get_caller_identity()['Arn'])"


@pytest.fixture(scope="module")
def shop_process(environment_of_the_tests):
    with Cloud.ephemeral("--seed", SEED) as cloud:
        yield cloud


@pytest.fixture
def shop(shop_process):
    shop_process.reset()
    return shop_process


def unsigned(cloud, service):
    config = Config(retries={"total_max_attempts": 1}, signature_version=UNSIGNED)
    return boto3.Session().client(service, endpoint_url=cloud.url, region_name="us-east-1", config=config)


def register(cloud, **members):
    """A registered client: what every request of it contains."""
    answer = unsigned(cloud, "sso-oidc").register_client(**{"clientName": "cli", "clientType": "public", "scopes": [SCOPE]} | members)
    return {name: answer[name] for name in ["clientId", "clientSecret"]}


def decide(url, user="alice", action="allow"):
    """Logs in at the page of a device, and decides."""
    person = Person(user, f"{user}-password")
    step = person.sign_in(person.open(url))
    assert isinstance(step, Page) and step.is_consent, step.text
    return person.press(step, ("action", action))


def start(cloud, keys):
    return unsigned(cloud, "sso-oidc").start_device_authorization(**keys, startUrl=START_URL)


def poll(cloud, keys, begun):
    return unsigned(cloud, "sso-oidc").create_token(**keys, grantType=DEVICE, deviceCode=begun["deviceCode"])


def logged_in(cloud, user="alice", **registration):
    """The tokens of a person who has approved a device, and the client."""
    keys = register(cloud, **registration)
    begun = start(cloud, keys)
    decide(begun["verificationUriComplete"], user)
    return poll(cloud, keys, begun), keys


def raises(service, name):
    """Expects an error that a service's model has. Each client has classes of its own for it."""
    assert issubclass(getattr(service.exceptions, name), botocore.exceptions.ClientError)
    return pytest.raises(botocore.exceptions.ClientError, match=rf"\({name}\)")


# The OIDC service.

def test_k15_a_device_gets_tokens_once_and_refreshes_them(shop):
    oidc = unsigned(shop, "sso-oidc")
    tokens, keys = logged_in(shop)
    assert (tokens["tokenType"], tokens["expiresIn"]) == ("Bearer", 3600)
    renewed = oidc.create_token(**keys, grantType="refresh_token", refreshToken=tokens["refreshToken"])
    assert renewed["accessToken"] != tokens["accessToken"] and renewed["refreshToken"] != tokens["refreshToken"]
    with raises(oidc, "InvalidGrantException"):
        oidc.create_token(**keys, grantType="refresh_token", refreshToken=tokens["refreshToken"])


def test_k15_errors_have_type_status_and_error(shop):
    answer = requests.post(f"{shop.url}/token", json={"clientId": "x", "clientSecret": "x", "grantType": "refresh_token", "refreshToken": "x"})
    assert (answer.status_code, answer.headers["x-amzn-ErrorType"]) == (401, "InvalidClientException")
    assert answer.json()["error"] == "invalid_client"
    oidc = unsigned(shop, "sso-oidc")
    with raises(oidc, "InvalidClientMetadataException") as error:
        register(shop, clientType="confidential")
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400 and error.value.response["error"] == "invalid_client_metadata"
    with raises(oidc, "InvalidRequestException"):
        oidc.start_device_authorization(**register(shop), startUrl="https://other.awsapps.com/start")
    with raises(oidc, "UnsupportedGrantTypeException"):
        oidc.create_token(**register(shop), grantType="password")
    with raises(oidc, "InvalidRedirectUriException"):
        register(shop, redirectUris=["http://elsewhere.example/callback"])


def test_k15_create_token_with_iam_is_refused_by_name(shop):
    with pytest.raises(botocore.exceptions.ClientError, match="Virga does not serve sso-oauth"):
        client(shop, "sso-oidc").create_token_with_iam(clientId="arn:aws:sso::000000000000:application/x/y", grantType="authorization_code")


def test_k16_pending_slow_down_expired_and_denied_by_the_clock_of_the_sandbox(shop):
    oidc, keys = unsigned(shop, "sso-oidc"), register(shop)
    begun = start(shop, keys)
    with raises(oidc, "AuthorizationPendingException"):
        poll(shop, keys, begun)
    with raises(oidc, "SlowDownException"):
        poll(shop, keys, begun)
    shop.age("PT11S")
    with raises(oidc, "AuthorizationPendingException"):
        poll(shop, keys, begun)
    shop.age("PT10M")
    with raises(oidc, "ExpiredTokenException"):
        poll(shop, keys, begun)
    begun = start(shop, keys)
    decide(begun["verificationUriComplete"], action="deny")
    with raises(oidc, "AccessDeniedException"):
        poll(shop, keys, begun)


# The access portal.

def test_k17_the_portal_shows_what_is_assigned_to_people_and_groups(shop):
    portal = unsigned(shop, "sso")
    for user, roles in [("alice", ["Administrator", "Orders"]), ("bob", ["Orders"]), ("carol", [])]:
        token = logged_in(shop, user)[0]["accessToken"]
        accounts = portal.list_accounts(accessToken=token)["accountList"]
        assert [account["accountId"] for account in accounts] == [ACCOUNT] * bool(roles)
        if roles:
            listed = portal.list_account_roles(accessToken=token, accountId=ACCOUNT)["roleList"]
            assert listed == [{"roleName": role, "accountId": ACCOUNT} for role in roles]


def test_k17_no_access_unauthorized_and_pages(shop):
    portal, token = unsigned(shop, "sso"), logged_in(shop, "bob")[0]["accessToken"]
    with refused("ForbiddenException", 403, "No access"):
        portal.get_role_credentials(accessToken=token, accountId=ACCOUNT, roleName="Administrator")
    with raises(portal, "UnauthorizedException") as error:
        portal.list_accounts(accessToken="x")
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 401
    token = logged_in(shop)[0]["accessToken"]
    pages = list(portal.get_paginator("list_account_roles").paginate(
        accessToken=token, accountId=ACCOUNT, PaginationConfig={"PageSize": 1}))
    assert [page["roleList"][0]["roleName"] for page in pages] == ["Administrator", "Orders"]


def credentials(cloud, token, role):
    found = unsigned(cloud, "sso").get_role_credentials(accessToken=token, accountId=ACCOUNT, roleName=role)["roleCredentials"]
    keys = {"aws_access_key_id": found["accessKeyId"], "aws_secret_access_key": found["secretAccessKey"],
            "aws_session_token": found["sessionToken"]}
    return keys, found["expiration"]


def test_k17_credentials_expire_in_milliseconds_and_outlive_the_logout(shop):
    token = logged_in(shop)[0]["accessToken"]
    keys, expiration = credentials(shop, token, "Administrator")
    seconds = expiration / 1000 - datetime.datetime.now(datetime.timezone.utc).timestamp()
    assert 7200 - TIMEOUT_SECONDS < seconds <= 7201
    portal = unsigned(shop, "sso")
    portal.logout(accessToken=token)
    with raises(portal, "UnauthorizedException"):
        portal.list_accounts(accessToken=token)
    assert re.fullmatch(ROLE.format("Administrator", "alice"), client(shop, "sts", **keys).get_caller_identity()["Arn"])


def test_k18_the_reserved_role_is_listed_and_not_changed(shop):
    iam = client(shop, "iam")
    role, = [role for role in iam.list_roles(PathPrefix="/aws-reserved/")["Roles"] if "_Orders_" in role["RoleName"]]
    assert role["Path"] == "/aws-reserved/sso.amazonaws.com/"
    statement, = role["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Action"] == ["sts:AssumeRoleWithSAML", "sts:TagSession"]
    provider = statement["Principal"]["Federated"]
    assert provider in [entry["Arn"] for entry in iam.list_saml_providers()["SAMLProviderList"]]
    assert "portal.sso.us-east-1.amazonaws.com" in iam.get_saml_provider(SAMLProviderArn=provider)["SAMLMetadataDocument"]
    for change in [
            lambda: iam.delete_role(RoleName=role["RoleName"]),
            lambda: iam.update_role(RoleName=role["RoleName"], Description="x"),
            lambda: iam.tag_role(RoleName=role["RoleName"], Tags=[{"Key": "team", "Value": "x"}]),
            lambda: iam.untag_role(RoleName=role["RoleName"], TagKeys=["team"]),
            lambda: iam.attach_role_policy(RoleName=role["RoleName"], PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess"),
            lambda: iam.delete_role_policy(RoleName=role["RoleName"], PolicyName="orders"),
            lambda: iam.update_assume_role_policy(RoleName=role["RoleName"], PolicyDocument=json.dumps(role["AssumeRolePolicyDocument"]))]:
        with refused("UnmodifiableEntity", 400):
            change()


def test_k18_credentials_reach_what_the_permission_set_allows(shop):
    s3 = client(shop, "s3", **credentials(shop, logged_in(shop, "bob")[0]["accessToken"], "Orders")[0])
    assert s3.get_object(Bucket="shop", Key="orders/1.txt")["Body"].read() == b"One teapot.\n"
    with refused("AccessDenied", 403):
        s3.get_object(Bucket="shop", Key="payments/1.txt")


# botocore's provider of credentials, with a token cache.

def offered(cloud, home, name="bob/Orders"):
    """Writes the files of a logged-in home folder. Returns the path of the cached token."""
    files = cloud.control("POST", "credentials", {"kind": "identity-center", "name": name})["files"]
    for path, text in files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    return next(home / path for path in files if "/cache/" in path)


def caller(cloud, home):
    environment = clean_environment(
        HOME=str(home), AWS_CONFIG_FILE=str(home / ".aws/config"), AWS_SHARED_CREDENTIALS_FILE="/dev/null", AWS_ENDPOINT_URL=cloud.url,
        AWS_EC2_METADATA_DISABLED="true")
    result = subprocess.run([sys.executable, "-c", CALLER], env=environment, text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    return result.stdout.strip() or result.stderr


def change_token(cache, **changes):
    token = json.loads(cache.read_text()) | changes
    cache.write_text(json.dumps({name: value for name, value in token.items() if value is not None}))
    return token


def soon(minutes):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_k19_botocore_uses_the_cached_token_and_refreshes_it_near_the_end(shop, tmp_path):
    cache = offered(shop, tmp_path)
    assert re.fullmatch(ROLE.format("Orders", "bob"), caller(shop, tmp_path))
    before = change_token(cache, expiresAt=soon(5))
    assert re.fullmatch(ROLE.format("Orders", "bob"), caller(shop, tmp_path))
    after = json.loads(cache.read_text())
    assert after["accessToken"] != before["accessToken"] and after["refreshToken"] != before["refreshToken"]


def test_k19_an_expired_registration_is_not_refreshed(shop, tmp_path):
    cache = offered(shop, tmp_path)
    before = change_token(cache, expiresAt=soon(5), registrationExpiresAt="2020-01-01T00:00:00Z")
    assert re.fullmatch(ROLE.format("Orders", "bob"), caller(shop, tmp_path))
    assert json.loads(cache.read_text())["accessToken"] == before["accessToken"]


def test_k19_a_legacy_profile_is_not_refreshed(shop, tmp_path):
    token = json.loads(offered(shop, tmp_path).read_text())
    (tmp_path / ".aws/config").write_text(
        f"[default]\nsso_start_url = {START_URL}\nsso_region = us-east-1\nsso_account_id = {ACCOUNT}\nsso_role_name = Orders\n"
        "region = us-east-1\n")
    cache = tmp_path / f".aws/sso/cache/{hashlib.sha1(START_URL.encode()).hexdigest()}.json"
    cache.write_text(json.dumps(token | {"expiresAt": soon(5)}))
    assert re.fullmatch(ROLE.format("Orders", "bob"), caller(shop, tmp_path))
    assert json.loads(cache.read_text())["accessToken"] == token["accessToken"]
    cache.write_text(json.dumps(token | {"expiresAt": "2020-01-01T00:00:00Z"}))
    assert "UnauthorizedSSOTokenError" in caller(shop, tmp_path)


# The pages.

def test_k20_pkce_as_the_command_line_does_it(shop):
    """The redirect URI is registered without a port; the start URL is never fetched."""
    oidc = unsigned(shop, "sso-oidc")
    keys = register(
        shop, redirectUris=["http://127.0.0.1/callback"], grantTypes=["authorization_code", "refresh_token"], issuerUrl=START_URL)
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = urlencode({
        "response_type": "code", "client_id": keys["clientId"], "redirect_uri": OTHER_REDIRECT_URI, "state": "s",
        "code_challenge_method": "S256", "scopes": SCOPE, "code_challenge": challenge})
    answer = Person("alice", "alice-password").authorize(f"{shop.url}/authorize?{query}")
    assert answer.query["state"] == "s"
    exchange = keys | {"grantType": "authorization_code", "code": answer.query["code"], "redirectUri": OTHER_REDIRECT_URI}
    with raises(oidc, "InvalidGrantException"):
        oidc.create_token(**exchange, codeVerifier="a" * 43)
    tokens = oidc.create_token(**exchange, codeVerifier=verifier)
    assert tokens["refreshToken"]
    with raises(oidc, "InvalidGrantException"):
        oidc.create_token(**exchange, codeVerifier=verifier)
    refusal = Person("alice", "alice-password").authorize(f"{shop.url}/authorize?{query}", consent="deny")
    assert refusal.query == {"error": "access_denied", "state": "s"}


def test_k20_a_library_logs_in_with_a_device_and_lists_roles(shop, monkeypatch):
    """aws-sso-lib, with the loop of the AWS CLI."""
    from aws_sso_lib import list_available_accounts, list_available_roles, login

    for name, value in {"AWS_ENDPOINT_URL": shop.url, "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}.items():
        monkeypatch.setenv(name, value)
    cache = {}
    login(START_URL, "us-east-1", sso_cache=cache, user_auth_handler=lambda **code: decide(code["verificationUriComplete"]))
    assert list(list_available_accounts(START_URL, "us-east-1", sso_cache=cache)) == [(ACCOUNT, "virga")]
    roles = [role for *_, role in list_available_roles(START_URL, "us-east-1", sso_cache=cache)]
    assert roles == ["Administrator", "Orders"]


def test_k20_the_hosts_of_the_services_and_of_the_portal(shop):
    def at(host, path, **options):
        return requests.request(options.pop("method", "GET"), shop.url + path, headers={"Host": host} | options.pop("headers", {}),
                                allow_redirects=False, **options)

    answer = at("oidc.us-east-1.amazonaws.com", "/client/register", method="POST", json={"clientName": "a", "clientType": "public"})
    assert answer.status_code == 200
    answer = at("portal.sso.us-east-1.amazonaws.com", "/assignment/accounts")
    assert (answer.status_code, answer.headers["x-amzn-ErrorType"]) == (401, "UnauthorizedException")
    answer = at("d-0123456789.awsapps.com", "/start")
    assert answer.headers["Location"] == "http://d-0123456789.awsapps.com/idp/staff/identity-center/device"
    assert "Connect a device" in at("d-0123456789.awsapps.com", "/idp/staff/identity-center/device").text


# What all doors have.

def test_k36_the_journal_has_the_decision_and_no_secrets(shop):
    tokens, keys = logged_in(shop, "bob")
    found, _ = credentials(shop, tokens["accessToken"], "Orders")
    entries = shop.control("GET", "journal")["entries"]
    entry = next(entry for entry in entries if entry["operation"] == "GetRoleCredentials")
    assert (entry["face"], entry["caller"]) == ("sso", "bob") and "sts:AssumeRoleWithSAML" in json.dumps(entry["decisions"])
    journal = requests.get(f"{shop.url}/_virga/journal").text
    assert '"sso-oidc"' in journal
    for secret in [tokens["accessToken"], tokens["refreshToken"], keys["clientSecret"], found["aws_secret_access_key"]]:
        assert secret not in journal


def test_k37_without_a_seed_the_paths_are_as_before(cloud):
    with pytest.raises(botocore.exceptions.ClientError, match="Virga does not serve sso-oauth"):
        unsigned(cloud, "sso-oidc").register_client(clientName="cli", clientType="public")
    answer = requests.get(f"{cloud.url}/authorize?response_type=code&client_id=x")
    assert "<Code>NoSuchBucket</Code>" in answer.text


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "rebound.example"}])
def test_k38_browsers_and_rebound_hosts_get_nothing(shop, headers):
    token = logged_in(shop)[0]["accessToken"]
    target = f"{shop.url}/federation/credentials?role_name=Orders&account_id={ACCOUNT}"
    answer = requests.get(target, headers=headers | {"x-amz-sso_bearer_token": token})
    assert answer.status_code == 403 and "secretAccessKey" not in answer.text
    answer = requests.post(f"{shop.url}/client/register", json={"clientName": "a", "clientType": "public"}, headers=headers)
    assert answer.status_code == 403


def test_k39_run_logs_in_and_hides_the_files_of_the_user(tmp_path):
    files = tmp_path / ".aws"
    files.mkdir()
    (files / "credentials").write_text("[default]\naws_access_key_id = AKIAMINE\naws_secret_access_key = mine\n")
    script = 'aws sts get-caller-identity --query Arn --output text && aws s3 ls && echo "$HOME"'
    result = subprocess.run(
        [executable(), "run", "--seed", SEED, "--credentials", "identity-center:alice/Orders", "--quiet", "--", "sh", "-c", script],
        env=clean_environment(HOME=str(tmp_path)), text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    lines = result.stdout.splitlines()
    assert re.fullmatch(ROLE.format("Orders", "alice"), lines[0]), result.stderr
    assert lines[-1] != str(tmp_path) and not pathlib.Path(lines[-1]).exists()


def test_k39_env_writes_a_private_home_folder(shop, tmp_path):
    lines = run("env", "--endpoint", shop.url, "--credentials", "identity-center:bob", TMPDIR=str(tmp_path)).stdout
    environment = clean_environment(AWS_ACCESS_KEY_ID="AKIAFOREIGN", AWS_SECRET_ACCESS_KEY="x", AWS_PROFILE="work")
    result = subprocess.run(
        ["sh", "-c", lines + '"$@"', "sh", sys.executable, "-c", CALLER], env=environment, text=True, capture_output=True,
        timeout=TIMEOUT_SECONDS)
    assert re.fullmatch(ROLE.format("Orders", "bob"), result.stdout.strip()), result.stderr
    home, = (tmp_path / f"virga-{os.geteuid()}").glob("*-identity-center-bob")
    for folder, _, names in os.walk(home):
        assert os.stat(folder).st_mode & 0o077 == 0
        assert all(os.stat(os.path.join(folder, name)).st_mode & 0o077 == 0 for name in names)
    unknown = run("env", "--endpoint", shop.url, "--credentials", "identity-center:mallory")
    assert unknown.returncode == 1 and "There is no 'mallory'; expected one of alice/Administrator, alice/Orders, bob/Orders." in unknown.stderr
    assert run("env", "--credentials", "identity-center", "--token-file", "x").returncode == 64


def test_errors_on_demand(shop):
    shop.control("POST", "faults", {"service": "sso-oidc", "error": "ServiceUnavailable"})
    assert requests.post(f"{shop.url}/client/register", json={"clientName": "a", "clientType": "public"}).status_code == 503
    assert {"sso-oidc", "sso"} <= set(shop.control("GET", "info")["services"])
