"""From a user pool to an identity pool to S3: the whole way of an application of Amazon Cognito."""

import pytest

from clients import client, refused
from cloud import ACCOUNT, REGION
from identity_pools import BUCKET, enter, role, role_arn
from sandboxes import Sandbox
from user_pools import claims

POOL = f"{REGION}:00000000-0000-4000-8000-000000000009"
PASSWORD = "Correct-horse-1"
SEED = {"accounts": [{
    "id": ACCOUNT, "name": "pools", "rootKeys": [{"id": "test", "secret": "test"}],
    "roles": [role("member", "authenticated", pool=POOL), role("admin", "authenticated", pool=POOL)],
    "identityPools": [{"id": POOL, "name": "shop", "authenticatedRole": role_arn("member")}],
    "buckets": [{"name": BUCKET}]}]}


@pytest.fixture(scope="module")
def cloud(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield cloud


@pytest.fixture
def app(cloud):
    """A user pool with a user in a group whose role is `admin`, and the identity pool that accepts its tokens."""
    people = client(cloud, "cognito-idp")
    pool = people.create_user_pool(PoolName="people")["UserPool"]["Id"]
    app = people.create_user_pool_client(UserPoolId=pool, ClientName="app", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH"])
    people.admin_create_user(UserPoolId=pool, Username="alice", MessageAction="SUPPRESS")
    people.admin_set_user_password(UserPoolId=pool, Username="alice", Password=PASSWORD, Permanent=True)
    people.create_group(UserPoolId=pool, GroupName="admins", RoleArn=role_arn("admin"), Precedence=1)
    name = f"cognito-idp.{REGION}.amazonaws.com/{pool}"
    client_id = app["UserPoolClient"]["ClientId"]
    client(cloud, "cognito-identity").update_identity_pool(
        IdentityPoolId=POOL, IdentityPoolName="shop", AllowUnauthenticatedIdentities=False,
        CognitoIdentityProviders=[{"ProviderName": name, "ClientId": client_id, "ServerSideTokenCheck": True}])
    yield people, pool, client_id, name
    people.delete_user_pool(UserPoolId=pool)


def sign_in(people, client_id):
    return people.initiate_auth(
        ClientId=client_id, AuthFlow="USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": "alice", "PASSWORD": PASSWORD})["AuthenticationResult"]


def test_c36_the_group_of_a_user_chooses_the_role(cloud, app):
    people, pool, client_id, name = app
    client(cloud, "cognito-identity").set_identity_pool_roles(
        IdentityPoolId=POOL, Roles={"authenticated": role_arn("member")},
        RoleMappings={f"{name}:{client_id}": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}})
    for expected in ["member", "admin"]:
        identity, s3, keys = enter(cloud, {name: sign_in(people, client_id)["IdToken"]}, POOL)
        assert f":assumed-role/{expected}/" in client(cloud, "sts", **keys).get_caller_identity()["Arn"]
        s3.put_object(Bucket=BUCKET, Key=f"{identity}/a.txt", Body=b"mine")
        with refused("AccessDenied", 403):
            s3.put_object(Bucket=BUCKET, Key="other/a.txt", Body=b"not mine")
        people.admin_add_user_to_group(UserPoolId=pool, Username="alice", GroupName="admins")


def test_c9_the_user_pool_is_asked_for_each_token(cloud, app):
    people, pool, client_id, name = app
    tokens = sign_in(people, client_id)
    enter(cloud, {name: tokens["IdToken"]}, POOL)
    people.global_sign_out(AccessToken=tokens["AccessToken"])
    with refused("NotAuthorizedException", 400, "^.*Invalid login token"):
        enter(cloud, {name: tokens["IdToken"]}, POOL)
    with refused("NotAuthorizedException", 400, "Missing a required claim: aud"):
        enter(cloud, {name: sign_in(people, client_id)["AccessToken"]}, POOL)
    other = sign_in(people, client_id)["IdToken"]
    people.admin_disable_user(UserPoolId=pool, Username="alice")
    with refused("NotAuthorizedException", 400):
        enter(cloud, {name: other}, POOL)


def test_c9_a_token_is_accepted_until_it_expires_where_the_user_pool_is_not_asked(cloud, app):
    people, pool, client_id, name = app
    client(cloud, "cognito-identity").update_identity_pool(
        IdentityPoolId=POOL, IdentityPoolName="shop", AllowUnauthenticatedIdentities=False,
        CognitoIdentityProviders=[{"ProviderName": name, "ClientId": client_id}])
    tokens = sign_in(people, client_id)
    people.global_sign_out(AccessToken=tokens["AccessToken"])
    people.admin_disable_user(UserPoolId=pool, Username="alice")
    enter(cloud, {name: tokens["IdToken"]}, POOL)
    cloud.age("PT70M")
    with refused("NotAuthorizedException", 400, "Token expired"):
        enter(cloud, {name: tokens["IdToken"]}, POOL)


def test_c39_an_identity_pool_accepts_the_name_of_the_host_as_the_key_of_a_login(cloud, app):
    people, pool, client_id, name = app
    token = sign_in(people, client_id)["IdToken"]
    identity, _, _ = enter(cloud, {name: token}, POOL)
    # Amplify takes the key from the issuer in the token or in the configuration, without its scheme.
    assert claims(token)["iss"] == f"https://{name}"
    assert enter(cloud, {f"{cloud.url.removeprefix('http://')}/{pool}": token}, POOL)[0] == identity
