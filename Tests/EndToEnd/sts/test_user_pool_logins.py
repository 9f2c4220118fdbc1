"""From a user pool to an identity pool to S3: the whole way of an application of Amazon Cognito."""

import pytest

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, REGION
from sandboxes import Sandbox

PROVIDER = "cognito-identity.amazonaws.com"
POOL = f"{REGION}:00000000-0000-4000-8000-000000000009"
PASSWORD = "Correct-horse-1"


def role(name):
    trust = {
        "Effect": "Allow", "Principal": {"Federated": PROVIDER}, "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {
            "StringEquals": {f"{PROVIDER}:aud": POOL}, "ForAnyValue:StringLike": {f"{PROVIDER}:amr": "authenticated"}}}
    folder = {"Effect": "Allow", "Action": "s3:PutObject", "Resource": f"arn:aws:s3:::folders/${{{PROVIDER}:sub}}/*"}
    return {
        "name": name, "trustPolicy": {"Version": "2012-10-17", "Statement": [trust]},
        "policies": {"folder": {"Version": "2012-10-17", "Statement": [folder]}}}


SEED = {"accounts": [{
    "id": ACCOUNT, "name": "pools", "rootKeys": [{"id": "test", "secret": "test"}], "roles": [role("member"), role("admin")],
    "identityPools": [{"id": POOL, "name": "shop", "authenticatedRole": f"arn:aws:iam::{ACCOUNT}:role/member"}],
    "buckets": [{"name": "folders"}]}]}


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
    people.create_group(UserPoolId=pool, GroupName="admins", RoleArn=f"arn:aws:iam::{ACCOUNT}:role/admin", Precedence=1)
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


def enter(cloud, logins):
    pools = anonymous(cloud, "cognito-identity")
    identity = pools.get_id(IdentityPoolId=POOL, Logins=logins)["IdentityId"]
    issued = pools.get_credentials_for_identity(IdentityId=identity, Logins=logins)["Credentials"]
    return identity, keys_of({"Credentials": issued | {"SecretAccessKey": issued["SecretKey"]}})


def test_c36_the_group_of_a_user_chooses_the_role(cloud, app):
    people, pool, client_id, name = app
    client(cloud, "cognito-identity").set_identity_pool_roles(
        IdentityPoolId=POOL, Roles={"authenticated": f"arn:aws:iam::{ACCOUNT}:role/member"},
        RoleMappings={f"{name}:{client_id}": {"Type": "Token", "AmbiguousRoleResolution": "AuthenticatedRole"}})
    for expected in ["member", "admin"]:
        identity, keys = enter(cloud, {name: sign_in(people, client_id)["IdToken"]})
        assert f":assumed-role/{expected}/" in client(cloud, "sts", **keys).get_caller_identity()["Arn"]
        client(cloud, "s3", **keys).put_object(Bucket="folders", Key=f"{identity}/a.txt", Body=b"mine")
        with refused("AccessDenied", 403):
            client(cloud, "s3", **keys).put_object(Bucket="folders", Key="other/a.txt", Body=b"not mine")
        people.admin_add_user_to_group(UserPoolId=pool, Username="alice", GroupName="admins")


def test_c9_the_user_pool_is_asked_for_each_token(cloud, app):
    people, pool, client_id, name = app
    tokens = sign_in(people, client_id)
    enter(cloud, {name: tokens["IdToken"]})
    people.global_sign_out(AccessToken=tokens["AccessToken"])
    with refused("NotAuthorizedException", 400, "^.*Invalid login token"):
        enter(cloud, {name: tokens["IdToken"]})
    with refused("NotAuthorizedException", 400, "Missing a required claim: aud"):
        enter(cloud, {name: sign_in(people, client_id)["AccessToken"]})
    other = sign_in(people, client_id)["IdToken"]
    people.admin_disable_user(UserPoolId=pool, Username="alice")
    with refused("NotAuthorizedException", 400):
        enter(cloud, {name: other})
