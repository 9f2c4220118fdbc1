"""Identity pools of Amazon Cognito, with boto3 and requests as applications call them."""

import jwt
import pytest
import requests

from clients import anonymous, client, keys_of, refused
from identity_pools import BUCKET, COMPANY, KEYS, POOL, PROVIDER, SEED, enter, login, role_arn, session_keys
from sandboxes import Sandbox


@pytest.fixture(scope="module")
def cloud(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.mark.parametrize("provider", KEYS)
def test_c7_c15_each_person_has_a_folder(cloud, provider):
    identity, s3, _ = enter(cloud, login(cloud, provider))
    s3.put_object(Bucket=BUCKET, Key=f"{identity}/a.txt", Body=b"mine")
    assert s3.get_object(Bucket=BUCKET, Key=f"{identity}/a.txt")["Body"].read() == b"mine"
    other, theirs, _ = enter(cloud, login(cloud, user="bob"))
    assert other != identity
    with refused("AccessDenied", 403):
        theirs.get_object(Bucket=BUCKET, Key=f"{identity}/a.txt")


def test_c13_a_guest_reaches_s3_and_nothing_that_guests_never_reach(cloud):
    identity, s3, keys = enter(cloud)
    s3.put_object(Bucket=BUCKET, Key=f"{identity}/a.txt", Body=b"guest")
    with refused("AccessDenied", 403):
        client(cloud, "iam", **keys).list_roles()
    _, _, keys = enter(cloud, login(cloud))
    assert client(cloud, "iam", **keys).list_roles()["Roles"]


def test_c24_the_classic_flow(cloud):
    pools = anonymous(cloud, "cognito-identity")
    logins = login(cloud)
    identity = pools.get_id(IdentityPoolId=POOL, Logins=logins)["IdentityId"]
    token = pools.get_open_id_token(IdentityId=identity, Logins=logins)["Token"]
    answer = anonymous(cloud, "sts").assume_role_with_web_identity(
        RoleArn=role_arn("member"), RoleSessionName="web-identity", WebIdentityToken=token)
    assert answer["SubjectFromWebIdentityToken"] == identity
    s3 = client(cloud, "s3", **keys_of(answer))
    s3.put_object(Bucket=BUCKET, Key=f"{identity}/b.txt", Body=b"classic")
    with refused("AccessDenied", 403):
        anonymous(cloud, "sts").assume_role_with_web_identity(
            RoleArn=role_arn("guest"), RoleSessionName="web-identity", WebIdentityToken=token)


def test_c19_a_library_verifies_the_token(cloud):
    pools = anonymous(cloud, "cognito-identity")
    identity = pools.get_id(IdentityPoolId=POOL)["IdentityId"]
    token = pools.get_open_id_token(IdentityId=identity)["Token"]
    keys = requests.get(f"{cloud.url}/.well-known/jwks_uri").json()["keys"]
    named = next(key for key in keys if key["kid"] == jwt.get_unverified_header(token)["kid"])
    claims = jwt.decode(
        token, jwt.PyJWK(named, algorithm="RS512").key, algorithms=["RS512"], audience=POOL, issuer=f"https://{PROVIDER}")
    assert claims["amr"] == ["unauthenticated"]
    assert claims["exp"] - claims["iat"] == 600


def test_c21_c22_a_server_of_the_developer_logs_users_in(cloud):
    server = client(cloud, "cognito-identity")
    answer = server.get_open_id_token_for_developer_identity(IdentityPoolId=POOL, Logins={"login.shop": "u1"}, TokenDuration=60)
    assert server.lookup_developer_identity(IdentityPoolId=POOL, DeveloperUserIdentifier="u1")["IdentityId"] == answer["IdentityId"]
    session = anonymous(cloud, "cognito-identity").get_credentials_for_identity(
        IdentityId=answer["IdentityId"], Logins={PROVIDER: answer["Token"]})
    s3 = client(cloud, "s3", **session_keys(session))
    s3.put_object(Bucket=BUCKET, Key=f"{answer['IdentityId']}/a.txt", Body=b"developer")


def test_c3_c4_pools_are_created_listed_and_deleted(cloud):
    pools = client(cloud, "cognito-identity")
    pool = pools.create_identity_pool(IdentityPoolName="temporary", AllowUnauthenticatedIdentities=True)["IdentityPoolId"]
    names = [found["IdentityPoolName"] for page in pools.get_paginator("list_identity_pools").paginate(MaxResults=1)
             for found in page["IdentityPools"]]
    assert sorted(names) == ["shop", "temporary"]
    assert pools.set_identity_pool_roles(IdentityPoolId=pool, Roles={"unauthenticated": role_arn("guest")})
    assert pools.get_identity_pool_roles(IdentityPoolId=pool)["Roles"] == {"unauthenticated": role_arn("guest")}
    pools.delete_identity_pool(IdentityPoolId=pool)
    with refused("ResourceNotFoundException", 400, f"IdentityPool '{pool}' not found."):
        pools.describe_identity_pool(IdentityPoolId=pool)


def test_c8_errors_are_in_the_body_and_in_the_headers(cloud):
    answer = requests.post(
        cloud.url, json={"IdentityPoolId": POOL, "Logins": {COMPANY: "x"}},
        headers={"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSCognitoIdentityService.GetId"})
    message = "Invalid login token. Not a valid OpenId Connect identity token."
    assert answer.status_code == 400
    assert answer.json() == {"__type": "NotAuthorizedException", "message": message}
    assert answer.headers["x-amzn-ErrorType"] == "NotAuthorizedException:"
    assert answer.headers["x-amzn-ErrorMessage"] == message


def test_c5_pages_of_other_origins_may_call(cloud):
    origin = {"Origin": "https://app.example"}
    preflight = requests.options(
        cloud.url, headers=origin | {
            "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,x-amz-target"})
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert preflight.headers["Access-Control-Allow-Headers"] == "content-type,x-amz-target"
