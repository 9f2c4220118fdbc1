"""STS in full: roles, sessions, federated users, external issuers, and tokens for external services."""

import base64
import hmac
import json
import sys
import time
import urllib.parse
from pathlib import Path

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import pytest
import requests
from joserfc import jwk, jwt

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, TIMEOUT_SECONDS, Cloud
from issuer import Issuer

OTHER = "111111111111"
AWS = Path(sys.executable).parent / "aws"
UNREACHABLE = "could not be reached"


def arn(role):
    return f"arn:aws:iam::{ACCOUNT}:role/{role}"


def statement(action="*", resource="*", **more):
    return {"Effect": "Allow", "Action": action, "Resource": resource} | more


def document(*statements):
    return {"Version": "2012-10-17", "Statement": list(statements)}


def trust(principal, action="sts:AssumeRole", **more):
    return document({"Effect": "Allow", "Principal": principal, "Action": action} | more)


def role(name, trust_policy, *statements, **more):
    return {"name": name, "trustPolicy": trust_policy, "policies": {"p": document(*statements)} if statements else {}} | more


def user(name, *statements):
    return {"name": name, "accessKeys": [{"id": f"AKIA{name.upper()}00000000", "secret": name}],
            "policies": {"p": document(*statements)} if statements else {}}


def keys(name):
    return {"aws_access_key_id": f"AKIA{name.upper()}00000000", "aws_secret_access_key": name}


ALL = ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"]


def seed(issuers):
    ann = {"AWS": f"arn:aws:iam::{ACCOUNT}:user/ann"}
    elsewhere = [role(
        f"elsewhere-{number}",
        trust({"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{url.partition('://')[2]}"}, "sts:AssumeRoleWithWebIdentity"),
        statement("s3:ListAllMyBuckets")) for number, url in enumerate(issuers)]
    return {"accounts": [
        {"id": ACCOUNT, "name": "virga", "rootKeys": [{"id": "test", "secret": "test"}],
         "openIDConnectProviders": [{"url": url, "clientIDs": ["web"]} for url in issuers],
         "users": [user("ann"), user("bob", statement(["sts:*", "s3:*", "iam:GetUser"]))],
         "buckets": [{"name": "shared"}],
         "roles": [
             role("for-ann", trust(ann), statement("s3:*")),
             role("external", trust(ann, Condition={"StringEquals": {"sts:ExternalId": "secret"}})),
             role("for-account", trust({"AWS": ACCOUNT}, ALL), statement(["s3:*", "sts:*"]), maximumSessionDuration=43200),
             role("next", trust({"AWS": arn("for-account")}, ALL), maximumSessionDuration=43200),
             role("for-others", trust({"AWS": OTHER})), *elsewhere]},
        {"id": OTHER, "name": "other", "users": [user("dora", statement("sts:*"))]}]}


@pytest.fixture(scope="module")
def issuer(tmp_path_factory):
    with Issuer(tmp_path_factory.mktemp("issuer")) as issuer:
        yield issuer


@pytest.fixture(scope="module")
def process_of_sts(environment_of_the_tests, tmp_path_factory, issuer):
    path = tmp_path_factory.mktemp("seed") / "sts.json5"
    path.write_text(json.dumps(seed([issuer.url, "https://localhost:1"])))
    with Cloud.ephemeral("--seed", path, "--trust-ca", issuer.authority) as cloud:
        yield cloud


@pytest.fixture
def sts(process_of_sts, issuer):
    """The process with its seed; the external issuer answers."""
    process_of_sts.reset()
    issuer.failures = 0
    issuer.asked.clear()
    return process_of_sts


def take(sts, name, caller, **parameters):
    return client(sts, "sts", **caller).assume_role(RoleArn=arn(name), RoleSessionName="session", **parameters)


def test_a_user_takes_a_role(sts):
    answer = take(sts, "for-ann", keys("ann"))
    assert answer["AssumedRoleUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/for-ann/session"
    assert "PackedPolicySize" not in answer
    session = keys_of(answer)
    identity = client(sts, "sts", **session).get_caller_identity()
    assert identity["UserId"] == answer["AssumedRoleUser"]["AssumedRoleId"]
    client(sts, "s3", **session).put_object(Bucket="shared", Key="a", Body=b"a")
    with refused("AccessDenied", 403, f"User: arn:aws:iam::{ACCOUNT}:user/bob is not authorized to perform: sts:AssumeRole "
                 f"on resource: {arn('for-ann')}$"):
        take(sts, "for-ann", keys("bob"))


def test_boto3_takes_a_role_by_its_own_profile(sts, tmp_path, monkeypatch):
    config = tmp_path / "config"
    config.write_text(
        f"[profile ann]\naws_access_key_id = {keys('ann')['aws_access_key_id']}\naws_secret_access_key = ann\n"
        f"[profile external]\nrole_arn = {arn('external')}\nsource_profile = ann\nexternal_id = secret\nrole_session_name = mine\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_ENDPOINT_URL", sts.url)
    session = boto3.Session(profile_name="external", region_name="eu-central-1")
    assert session.client("sts").get_caller_identity()["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/external/mine"
    with refused("AccessDenied", 403):
        take(sts, "external", keys("ann"))


def test_the_command_line_takes_a_role(sts, tool):
    environment = {"AWS_ACCESS_KEY_ID": keys("ann")["aws_access_key_id"], "AWS_SECRET_ACCESS_KEY": "ann",
                   "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": sts.url}
    answer = json.loads(tool(
        str(AWS), "sts", "assume-role", "--role-arn", arn("for-ann"), "--role-session-name", "shell", **environment))
    credentials = answer["Credentials"]
    session = environment | {
        "AWS_ACCESS_KEY_ID": credentials["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": credentials["SecretAccessKey"],
        "AWS_SESSION_TOKEN": credentials["SessionToken"]}
    assert json.loads(tool(str(AWS), "sts", "get-caller-identity", **session))["Arn"].endswith("assumed-role/for-ann/shell")
    info = tool(str(AWS), "sts", "get-access-key-info", "--access-key-id", credentials["AccessKeyId"], **environment | {
        "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"})
    assert json.loads(info)["Account"] == ACCOUNT
    token = json.loads(tool(str(AWS), "sts", "get-session-token", "--duration-seconds", "900", **environment))
    assert token["Credentials"]["AccessKeyId"].startswith("ASIA")
    federated = tool(str(AWS), "sts", "get-federation-token", "--name", "guest", "--policy", json.dumps(document(statement())),
                     **environment | {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"})
    assert json.loads(federated)["FederatedUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT}:federated-user/guest"


def test_another_account_needs_both_sides(sts):
    assert take(sts, "for-others", keys("dora"))
    for name, caller in [("for-account", "dora"), ("for-others", "bob")]:
        with refused("AccessDenied", 403):
            take(sts, name, keys(caller))


def test_the_root_user_takes_no_role(sts):
    with refused("AccessDenied", 403, "Roles may not be assumed by root accounts."):
        client(sts, "sts").assume_role(RoleArn=arn("for-account"), RoleSessionName="session")


def test_a_session_policy_limits_the_role(sts):
    policy = json.dumps(document(statement("s3:PutObject", "arn:aws:s3:::shared/mine/*")))
    answer = take(sts, "for-ann", keys("ann"), Policy=policy)
    assert 0 < answer["PackedPolicySize"] <= 100
    s3 = client(sts, "s3", **keys_of(answer))
    s3.put_object(Bucket="shared", Key="mine/a", Body=b"a")
    with refused("AccessDenied", 403, "because no session policy allows the s3:PutObject action"):
        s3.put_object(Bucket="shared", Key="yours/a", Body=b"a")


def test_what_a_chain_keeps_and_how_long_it_lasts(sts):
    first = take(
        sts, "for-account", keys("bob"), SourceIdentity="bob", Tags=[{"Key": "team", "Value": "red"}], TransitiveTagKeys=["team"],
        DurationSeconds=43200)
    session = keys_of(first)
    second = take(sts, "next", session)
    assert second["SourceIdentity"] == "bob"
    with refused("ValidationError", 400, "exceeds the 1 hour session limit for roles assumed by role chaining"):
        take(sts, "next", session, DurationSeconds=3601)
    with refused("InvalidParameterValue", 400, "conflicts with a transitive tag key from the calling session"):
        take(sts, "next", session, Tags=[{"Key": "Team", "Value": "blue"}])
    with refused("ValidationError", 400, "The source identity is already set for this assume role session"):
        take(sts, "next", session, SourceIdentity="ann")


def test_a_federated_user_may_what_user_and_policy_allow(sts):
    policy = json.dumps(document(statement(["s3:PutObject", "iam:*"])))
    answer = client(sts, "sts", **keys("bob")).get_federation_token(Name="guest", Policy=policy)
    assert answer["FederatedUser"]["FederatedUserId"] == f"{ACCOUNT}:guest"
    session = keys_of(answer)
    s3 = client(sts, "s3", **session)
    s3.put_object(Bucket="shared", Key="a", Body=b"a")
    with refused("AccessDenied", 403):
        s3.get_object(Bucket="shared", Key="a")
    with refused("InvalidClientTokenId", 403):
        client(sts, "iam", **session).list_users()
    with refused("AccessDenied", 403, "Cannot call GetFederationToken with session credentials"):
        client(sts, "sts", **session).get_federation_token(Name="guest")
    nothing = client(sts, "sts", **keys("bob")).get_federation_token(Name="guest")
    with refused("AccessDenied", 403):
        client(sts, "s3", **keys_of(nothing)).put_object(Bucket="shared", Key="a", Body=b"a")


def test_a_bucket_policy_may_name_a_federated_user(sts):
    nothing = client(sts, "sts", **keys("bob")).get_federation_token(Name="guest")
    statement = {"Effect": "Allow", "Principal": {"AWS": nothing["FederatedUser"]["Arn"]}, "Action": "s3:PutObject",
                 "Resource": "arn:aws:s3:::shared/*"}
    client(sts, "s3").put_bucket_policy(Bucket="shared", Policy=json.dumps(document(statement)))
    client(sts, "s3", **keys_of(nothing)).put_object(Bucket="shared", Key="a", Body=b"a")


def test_a_session_of_a_user_reaches_little_of_sts(sts):
    session = keys_of(client(sts, "sts", **keys("bob")).get_session_token())
    client(sts, "s3", **session).put_object(Bucket="shared", Key="a", Body=b"a")
    assert take(sts, "for-account", session)
    with refused("AccessDenied", 403, "Cannot call GetSessionToken with session credentials"):
        client(sts, "sts", **session).get_session_token()
    with refused("InvalidClientTokenId", 403):
        client(sts, "iam", **session).list_users()


def one_time_password(seed, time):
    """A password by RFC 6238, for a seed in base32."""
    code = hmac.digest(base64.b32decode(seed), int(time // 30).to_bytes(8, "big"), "sha1")
    start = code[-1] & 15
    return f"{(int.from_bytes(code[start:start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def test_a_device_opens_what_asks_for_one(sts):
    iam = client(sts, "iam")
    device = iam.create_virtual_mfa_device(VirtualMFADeviceName="bobs")["VirtualMFADevice"]
    serial, seed = device["SerialNumber"], device["Base32StringSeed"]
    now = sts.freeze()
    iam.enable_mfa_device(
        UserName="bob", SerialNumber=serial, AuthenticationCode1=one_time_password(seed, now - 30),
        AuthenticationCode2=one_time_password(seed, now))
    iam.create_role(RoleName="guarded", AssumeRolePolicyDocument=json.dumps(trust(
        {"AWS": ACCOUNT}, Condition={"Bool": {"aws:MultiFactorAuthPresent": "true"}})))
    with refused("AccessDenied", 403, "is not authorized to perform: sts:AssumeRole"):
        take(sts, "guarded", keys("bob"))
    caller = client(sts, "sts", **keys("bob"))
    # The next password is accepted as well, and has not been used.
    code = one_time_password(seed, now + 30)
    session = keys_of(caller.get_session_token(SerialNumber=serial, TokenCode=code))
    assert take(sts, "guarded", session)
    assert client(sts, "iam", **session).get_user()["User"]["UserName"] == "bob"
    with refused("AccessDenied", 403, "MultiFactorAuthentication failed with invalid MFA one time pass code. $"):
        caller.get_session_token(SerialNumber=serial, TokenCode=code)
    with refused("AccessDenied", 403, "unable to validate MFA code.  Please verify your MFA serial number is valid"):
        client(sts, "sts", **keys("ann")).get_session_token(SerialNumber=serial, TokenCode=code)


# External issuers.


def federate(sts, token, number=0, **config):
    configuration = botocore.config.Config(**config) if config else None
    return anonymous(sts, "sts", configuration).assume_role_with_web_identity(
        RoleArn=arn(f"elsewhere-{number}"), RoleSessionName="session", WebIdentityToken=token)


def test_a_token_of_an_issuer_elsewhere_is_verified_by_its_keys(sts, issuer):
    for _ in range(3):
        answer = federate(sts, issuer.token())
    assert answer["Provider"] == f"arn:aws:iam::{ACCOUNT}:oidc-provider/{issuer.url.partition('://')[2]}"
    assert answer["SubjectFromWebIdentityToken"] == "person-1"
    client(sts, "s3", **keys_of(answer)).list_buckets()
    assert issuer.asked == ["/.well-known/openid-configuration", "/keys"]
    with refused("InvalidIdentityToken", 400, "could not be validated"):
        federate(sts, issuer.token(aud="other"))


def test_a_new_key_of_the_issuer_is_found(sts, issuer):
    federate(sts, issuer.token())
    old = issuer.token()
    issuer.rotate()
    federate(sts, issuer.token())
    assert issuer.asked.count("/keys") == 2
    with refused("InvalidIdentityToken", 400, "Couldn't retrieve verification key from your identity provider,  please"):
        federate(sts, old)


def test_an_issuer_that_does_not_answer_is_an_error_that_clients_retry(sts, issuer):
    with refused("IDPCommunicationError", 400, UNREACHABLE):
        federate(sts, issuer.token(iss="https://localhost:1"), number=1)
    issuer.failures = 1
    with refused("IDPCommunicationError", 400, UNREACHABLE):
        federate(sts, issuer.token())
    for mode in ["legacy", "standard"]:
        sts.reset()
        issuer.asked.clear()
        issuer.failures = 2
        answer = federate(sts, issuer.token(), retries={"total_max_attempts": 3, "mode": mode})
        assert answer["ResponseMetadata"]["RetryAttempts"] == 2
        assert issuer.asked == ["/.well-known/openid-configuration"] * 3 + ["/keys"]


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(environment_of_the_tests, issuer, tmp_path):
    path = tmp_path / "sts.json5"
    path.write_text(json.dumps(seed([issuer.url])))
    with Cloud.ephemeral("--seed", path) as cloud, refused("IDPCommunicationError", 400, UNREACHABLE):
        federate(cloud, issuer.token())


def test_an_issuer_over_http_is_taken_where_a_flag_says_so(environment_of_the_tests):
    with Issuer(algorithm="ES384") as issuer:
        with Cloud.ephemeral() as strict, refused("InvalidInput", 400, "The URL must begin with https://"):
            client(strict, "iam").create_open_id_connect_provider(Url=issuer.url, ClientIDList=["web"])
        with Cloud.ephemeral("--issuers-over-http") as cloud:
            iam = client(cloud, "iam")
            provider = iam.create_open_id_connect_provider(Url=issuer.url, ClientIDList=["web"])["OpenIDConnectProviderArn"]
            assert provider == f"arn:aws:iam::{ACCOUNT}:oidc-provider/{issuer.url.removeprefix('http://')}"
            iam.create_role(RoleName="elsewhere-0", AssumeRolePolicyDocument=json.dumps(
                trust({"Federated": provider}, "sts:AssumeRoleWithWebIdentity")))
            answer = federate(cloud, issuer.token())
            assert answer["Provider"] == provider
            assert client(cloud, "sts", **keys_of(answer)).get_caller_identity()["Arn"].endswith(":assumed-role/elsewhere-0/session")
            iam.delete_open_id_connect_provider(OpenIDConnectProviderArn=provider)
            with refused("InvalidIdentityToken", 400, "The web identity token provided could not be validated"):
                federate(cloud, issuer.token())


# Tokens for external services.


def test_an_account_issues_tokens_that_others_can_verify(sts):
    iam = client(sts, "iam")
    caller = client(sts, "sts", **keys("bob"))
    wanted = {"Audience": ["https://api.example"], "SigningAlgorithm": "ES384", "Tags": [{"Key": "job", "Value": "7"}]}
    with refused("OutboundWebIdentityFederationDisabledException", 403):
        caller.get_web_identity_token(**wanted)
    with refused("FeatureDisabled", 404, f"Outbound identity federation is disabled for account {ACCOUNT}"):
        iam.get_outbound_web_identity_federation_info()
    issuer = iam.enable_outbound_web_identity_federation()["IssuerIdentifier"]
    with refused("FeatureEnabled", 409, f"Outbound identity federation is already enabled for account {ACCOUNT}"):
        iam.enable_outbound_web_identity_federation()
    info = iam.get_outbound_web_identity_federation_info()
    assert (info["IssuerIdentifier"], info["JwtVendingEnabled"]) == (issuer, True)

    metadata = requests.get(f"{issuer}/.well-known/openid-configuration").json()
    assert metadata["issuer"] == issuer
    published = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    for algorithm in ["RS256", "ES384"]:
        token = caller.get_web_identity_token(**wanted | {"SigningAlgorithm": algorithm})["WebIdentityToken"]
        claims = jwt.decode(token, published, algorithms=[algorithm]).claims
        assert (claims["iss"], claims["aud"]) == (issuer, "https://api.example")
        assert claims["sub"] == f"arn:aws:iam::{ACCOUNT}:user/bob"
        assert claims["exp"] - claims["iat"] == 300
        assert claims["https://sts.amazonaws.com/"] == {
            "aws_account": ACCOUNT, "source_region": "us-east-1", "request_tags": {"job": "7"},
            "principal_id": f"arn:aws:iam::{ACCOUNT}:user/bob"}

    iam.disable_outbound_web_identity_federation()
    with refused("FeatureDisabled", 404, f"Outbound identity federation is already disabled for account {ACCOUNT}"):
        iam.disable_outbound_web_identity_federation()
    with refused("OutboundWebIdentityFederationDisabledException", 403):
        caller.get_web_identity_token(**wanted)
    assert requests.get(metadata["jwks_uri"]).status_code == 200
    assert iam.enable_outbound_web_identity_federation()["IssuerIdentifier"] == issuer


def in_json(cloud, keys, **fields):
    """A signed call that requests a response in JSON."""
    request = botocore.awsrequest.AWSRequest(
        "POST", cloud.url + "/", data=urllib.parse.urlencode(fields | {"Version": "2011-06-15"}),
        headers={"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"})
    botocore.auth.SigV4Auth(botocore.credentials.Credentials(*keys), "sts", "us-east-1").add_auth(request)
    return requests.post(request.url, data=request.data, headers=dict(request.headers), timeout=TIMEOUT_SECONDS)


def test_answers_are_json_for_those_who_ask_for_it(cloud):
    answer = in_json(cloud, ("test", "test"), Action="GetCallerIdentity")
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "application/json"
    assert answer.json() == {"GetCallerIdentityResponse": {
        "GetCallerIdentityResult": {"Account": ACCOUNT, "Arn": f"arn:aws:iam::{ACCOUNT}:root", "UserId": ACCOUNT},
        "ResponseMetadata": {"RequestId": answer.headers["x-amzn-RequestId"]}}}
    moment = cloud.freeze()
    credentials = in_json(cloud, ("test", "test"), Action="GetSessionToken").json()["GetSessionTokenResponse"]["GetSessionTokenResult"]
    assert credentials["Credentials"]["Expiration"] == moment + 3600
    refusal = in_json(cloud, ("AKIANOBODY", "test"), Action="GetCallerIdentity")
    assert (refusal.status_code, refusal.json()) == (403, {
        "Error": {"Code": "InvalidClientTokenId", "Message": "The security token included in the request is invalid.", "Type": "Sender"},
        "RequestId": refusal.headers["x-amzn-RequestId"]})
