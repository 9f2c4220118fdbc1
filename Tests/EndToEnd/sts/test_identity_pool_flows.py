"""Identity pools of Amazon Cognito in detail: which calls need a signature, roles, tags, linked logins, developers, and boto of 2015."""

import time
from concurrent.futures import ThreadPoolExecutor

import boto.cognito.identity.layer1
import pytest
import requests
from boto.regioninfo import RegionInfo
from botocore import xform_name

from clients import ROOT, anonymous, client, keys_of, refused
from cloud import ACCOUNT
from identity_pools import (
    BUCKET, COMPANY, POOL, PROVIDER, SEED, credentials, enter, identity_of, login, role_arn, session_keys)
from sandboxes import Sandbox

COMPANY_ARN = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{COMPANY}"
CONFIGURATION = "Invalid identity pool configuration. Check assigned IAM roles for this pool."


@pytest.fixture(scope="module")
def pools_process(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def cloud(pools_process):
    pools_process.reset()
    return pools_process


@pytest.fixture
def owner(cloud):
    return client(cloud, "cognito-identity")


def caller(cloud, answer):
    return client(cloud, "sts", **session_keys(answer)).get_caller_identity()["Arn"]


def test_c1_four_operations_need_no_signature(cloud):
    app = anonymous(cloud, "cognito-identity")
    model = app.meta.service_model
    signed = [name for name in model.operation_names if model.operation_model(name).auth_type != "none"]
    assert len(model.operation_names) == 23 and len(signed) == 19
    for name in signed:
        with refused("MissingAuthenticationTokenException", 400, "Missing Authentication Token"):
            getattr(app, xform_name(name))()
    for name in set(model.operation_names) - set(signed):
        with refused("ValidationException", 400):
            getattr(app, xform_name(name))()


def test_c1_a_wrong_signature_of_an_unsigned_call_is_not_looked_at(cloud):
    answer = requests.post(
        cloud.url, json={"IdentityPoolId": POOL}, timeout=10, headers={
            "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityService.GetId",
            "Authorization": "AWS4-HMAC-SHA256 nonsense"})
    assert answer.status_code == 200 and answer.json()["IdentityId"]


def test_c2_violated_constraints_are_named(cloud):
    with refused("ValidationException", 400, "1 validation error detected: Value '{graph.facebook.com=}' at 'logins' failed to satisfy"):
        anonymous(cloud, "cognito-identity").get_id(IdentityPoolId=POOL, Logins={"graph.facebook.com": ""})


def test_c6_concurrent_first_logins_have_one_identity(cloud):
    logins = login(cloud)
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: identity_of(cloud, logins), range(8)))
    assert len(found) == 1 and identity_of(cloud) not in found


def test_c8_an_identity_with_logins_is_forbidden_without_them(cloud):
    identity = identity_of(cloud, login(cloud))
    with refused("NotAuthorizedException", 400, f"Access to Identity '{identity}' is forbidden."):
        credentials(cloud, identity)
    with refused("NotAuthorizedException", 400, "Issuer doesn't match providerName"):
        credentials(cloud, identity, {"Facebook": cloud.token("company", "alice")})


def test_c10_rules_choose_the_role(cloud, owner):
    rule = {"Claim": "sub", "MatchType": "Equals", "Value": "employee-1", "RoleARN": role_arn("admin")}
    mapping = {"Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": {"Rules": [rule]}}
    with refused("InvalidParameterException", 400, r"\(login.other.example\) is not a valid RoleMapping ProviderName"):
        owner.set_identity_pool_roles(
            IdentityPoolId=POOL, Roles={"authenticated": role_arn("member")}, RoleMappings={"login.other.example": mapping})
    owner.set_identity_pool_roles(
        IdentityPoolId=POOL, Roles={"authenticated": role_arn("member")}, RoleMappings={COMPANY_ARN: mapping})
    logins = login(cloud)
    assert ":assumed-role/admin/" in caller(cloud, credentials(cloud, identity_of(cloud, logins), logins))
    others = login(cloud, user="bob")
    with refused("NotAuthorizedException", 400, "The ambiguous role mapping rules denied this request."):
        credentials(cloud, identity_of(cloud, others), others)
    # Logins without a mapping get the pool's role.
    google = login(cloud, "google")
    assert ":assumed-role/member/" in caller(cloud, credentials(cloud, identity_of(cloud, google), google))


def test_c11_sessions_have_the_name_and_the_duration_of_aws(cloud):
    logins = login(cloud)
    answer = credentials(cloud, identity_of(cloud, logins), logins)
    assert 3590 <= answer["Credentials"]["Expiration"].timestamp() - time.time() <= 3610
    assert caller(cloud, answer) == f"arn:aws:sts::{ACCOUNT}:assumed-role/member/CognitoIdentityCredentials"


def test_c11_a_changed_policy_holds_at_once(cloud):
    identity, s3, _ = enter(cloud, login(cloud))
    s3.put_object(Bucket=BUCKET, Key=f"{identity}/a.txt", Body=b"mine")
    client(cloud, "iam").delete_role_policy(RoleName="member", PolicyName="folder")
    with refused("AccessDenied", 403):
        s3.get_object(Bucket=BUCKET, Key=f"{identity}/a.txt")


def test_c12_the_journal_shows_why_a_role_is_not_given(cloud, owner):
    owner.set_identity_pool_roles(IdentityPoolId=POOL, Roles={"authenticated": role_arn("guest")})
    logins = login(cloud)
    identity = identity_of(cloud, logins)
    with refused("InvalidIdentityPoolConfigurationException", 400, CONFIGURATION):
        credentials(cloud, identity, logins)
    entry = next(entry for entry in cloud.control("GET", "journal")["entries"] if entry["operation"] == "GetCredentialsForIdentity")
    assert entry["face"] == "cognito-identity" and entry["caller"] == f"{PROVIDER}:{identity}"
    decision = entry["decisions"][0]
    assert (decision["action"], decision["resource"], decision["allowed"]) == (
        "sts:AssumeRoleWithWebIdentity", role_arn("guest"), False)


def test_c14_claims_become_tags_of_the_session(cloud, owner):
    owner.set_principal_tag_attribute_map(IdentityPoolId=POOL, IdentityProviderName=COMPANY_ARN, UseDefaults=True)
    found = owner.get_principal_tag_attribute_map(IdentityPoolId=POOL, IdentityProviderName=COMPANY_ARN)
    assert found["PrincipalTags"] == {"client": "aud", "username": "sub"}
    logins = login(cloud)
    identity = identity_of(cloud, logins)
    # The role's trust policy does not allow sts:TagSession.
    with refused("InvalidIdentityPoolConfigurationException", 400, CONFIGURATION):
        credentials(cloud, identity, logins)
    owner.set_identity_pool_roles(IdentityPoolId=POOL, Roles={"authenticated": role_arn("tagged")})
    s3 = client(cloud, "s3", **session_keys(credentials(cloud, identity, logins)))
    s3.put_object(Bucket=BUCKET, Key="employee-1/a.txt", Body=b"mine")
    with refused("AccessDenied", 403):
        s3.put_object(Bucket=BUCKET, Key="employee-2/a.txt", Body=b"not mine")


def test_c16_credentials_and_logins_expire_by_the_clock(cloud):
    logins = login(cloud)
    identity, s3, _ = enter(cloud, logins)
    cloud.age("PT70M")
    with refused("ExpiredToken", 400):
        s3.put_object(Bucket=BUCKET, Key=f"{identity}/a.txt", Body=b"late")
    with refused("NotAuthorizedException", 400, r"Invalid login token. Token expired: \d+ >= \d+"):
        credentials(cloud, identity, logins)


def test_c17_logins_are_linked_merged_and_unlinked(cloud):
    company, google = login(cloud), login(cloud, "google")
    guest = identity_of(cloud)
    assert credentials(cloud, guest, company | google)["IdentityId"] == guest
    assert identity_of(cloud, company) == identity_of(cloud, google) == guest
    with refused("NotAuthorizedException", 400, "is forbidden"):
        credentials(cloud, guest)
    facebook = login(cloud, "facebook")
    other = identity_of(cloud, facebook)
    # The identity of the other login takes over the logins; the answer has its identifier.
    assert credentials(cloud, guest, google | facebook)["IdentityId"] == other
    assert identity_of(cloud, company) == other
    app = anonymous(cloud, "cognito-identity")
    app.unlink_identity(IdentityId=other, Logins=facebook, LoginsToRemove=["graph.facebook.com"])
    assert identity_of(cloud, facebook) != other and identity_of(cloud, google) == other
    second = login(cloud, user="bob")
    identity_of(cloud, second)
    with refused("ResourceConflictException", 400):
        credentials(cloud, other, google | second)


def test_c23_identities_of_developers(cloud, owner):
    def token(user, **more):
        return owner.get_open_id_token_for_developer_identity(IdentityPoolId=POOL, Logins={"login.shop": user}, **more)

    one, two = token("u1")["IdentityId"], token("u2")["IdentityId"]
    assert owner.lookup_developer_identity(IdentityPoolId=POOL, IdentityId=one)["DeveloperUserIdentifierList"] == ["u1"]
    assert owner.lookup_developer_identity(IdentityPoolId=POOL, DeveloperUserIdentifier="u2")["IdentityId"] == two
    with refused("ResourceConflictException", 400):
        owner.lookup_developer_identity(IdentityPoolId=POOL, IdentityId=one, DeveloperUserIdentifier="u2")
    with refused("DeveloperUserAlreadyRegisteredException", 400):
        token("u1", IdentityId=two)
    merged = owner.merge_developer_identities(
        IdentityPoolId=POOL, SourceUserIdentifier="u1", DestinationUserIdentifier="u2", DeveloperProviderName="login.shop")
    assert merged["IdentityId"] == two
    users = owner.lookup_developer_identity(IdentityPoolId=POOL, IdentityId=two)["DeveloperUserIdentifierList"]
    assert sorted(users) == ["u1", "u2"]
    owner.unlink_developer_identity(
        IdentityPoolId=POOL, IdentityId=two, DeveloperProviderName="login.shop", DeveloperUserIdentifier="u1")
    assert token("u1")["IdentityId"] not in (one, two)


def test_c24_boto_2_signs_the_public_calls_too(cloud):
    region = RegionInfo(name="us-east-1", endpoint="127.0.0.1")
    pools = boto.cognito.identity.layer1.CognitoIdentityConnection(port=cloud.port, is_secure=False, region=region, **ROOT)
    logins = login(cloud, "facebook")
    identity = pools.get_id(ACCOUNT, POOL, logins)["IdentityId"]
    token = pools.get_open_id_token(identity, logins)["Token"]
    answer = anonymous(cloud, "sts").assume_role_with_web_identity(
        RoleArn=role_arn("member"), RoleSessionName="ProviderSession", WebIdentityToken=token)
    client(cloud, "s3", **keys_of(answer)).put_object(Bucket=BUCKET, Key=f"{identity}/a.txt", Body=b"classic")
    pools.auth_service_name, pools.auth_region_name = "cognito-identity", "us-east-1"
    issued = pools.get_open_id_token_for_developer_identity(POOL, {"login.shop": "u1"}, token_duration=60)
    assert pools.lookup_developer_identity(POOL, developer_user_identifier="u1")["IdentityId"] == issued["IdentityId"]
