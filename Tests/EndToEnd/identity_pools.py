"""Seeds and steps of the tests of identity pools of Amazon Cognito."""

from clients import anonymous, client, keys_of
from cloud import ACCOUNT, REGION

POOL = f"{REGION}:00000000-0000-4000-8000-000000000001"
PROVIDER = "cognito-identity.amazonaws.com"
COMPANY = "login.company.example"
BUCKET = "folders"
KEYS = {"company": COMPANY, "google": "accounts.google.com", "facebook": "graph.facebook.com", "amazon": "www.amazon.com"}


def role_arn(name):
    return f"arn:aws:iam::{ACCOUNT}:role/{name}"


def role(name, method, folder=f"${{{PROVIDER}:sub}}", actions=("sts:AssumeRoleWithWebIdentity",), pool=POOL):
    """A role for the identities of a pool that opens one folder of the bucket."""
    condition = {"StringEquals": {f"{PROVIDER}:aud": pool}, "ForAnyValue:StringLike": {f"{PROVIDER}:amr": method}}
    trust = {"Effect": "Allow", "Principal": {"Federated": PROVIDER}, "Action": list(actions), "Condition": condition}
    return {
        "name": name, "trustPolicy": {"Version": "2012-10-17", "Statement": [trust]},
        "policies": {"folder": {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": ["s3:GetObject", "s3:PutObject"], "Resource": f"arn:aws:s3:::{BUCKET}/{folder}/*"},
            {"Effect": "Allow", "Action": "iam:ListRoles", "Resource": "*"}]}}}


def people(**subjects):
    return [{"name": name, "subject": subject, "password": "p"} for name, subject in subjects.items()]


SEED = {
    "accounts": [{
        "id": ACCOUNT, "name": "pools", "rootKeys": [{"id": "test", "secret": "test"}],
        "openIDConnectProviders": [{"url": f"https://{COMPANY}", "clientIDs": ["web"]}],
        "roles": [
            role("member", "authenticated"), role("admin", "authenticated"), role("guest", "unauthenticated"),
            role(
                "tagged", "authenticated", folder="${aws:PrincipalTag/username}",
                actions=["sts:AssumeRoleWithWebIdentity", "sts:TagSession"])],
        "identityPools": [{
            "id": POOL, "name": "shop", "allowGuests": True, "developerProvider": "login.shop",
            "socialLogins": {
                "graph.facebook.com": "1234", "accounts.google.com": "g-web", "www.amazon.com": "amzn1.application.shop"},
            "openIDConnectProviders": [f"arn:aws:iam::{ACCOUNT}:oidc-provider/{COMPANY}"],
            "authenticatedRole": role_arn("member"), "guestRole": role_arn("guest")}],
        "buckets": [{"name": BUCKET}]}],
    "identityProviders": [
        {"name": "company", "issuer": f"https://{COMPANY}", "clients": [{"id": "web"}],
         "people": people(alice="employee-1", bob="employee-2")},
        {"name": "google", "clients": [{"id": "g-web"}], "people": people(alice="110169")},
        {"name": "facebook", "clients": [{"id": "1234"}], "people": people(alice="10000")},
        {"name": "amazon", "clients": [{"id": "amzn1.client.shop", "applicationID": "amzn1.application.shop"}],
         "people": people(alice="amzn1.account.A")}]}


def session_keys(answer):
    """The credentials of a pool, which have `SecretKey` in place of `SecretAccessKey`, as keyword arguments of `client`."""
    issued = answer["Credentials"]
    return keys_of({"Credentials": issued | {"SecretAccessKey": issued["SecretKey"]}})


def with_logins(logins):
    return {"Logins": logins} if logins else {}


def identity_of(cloud, logins=None, pool=POOL):
    return anonymous(cloud, "cognito-identity").get_id(IdentityPoolId=pool, **with_logins(logins))["IdentityId"]


def credentials(cloud, identity, logins=None, **more):
    """The answer of the enhanced flow."""
    return anonymous(cloud, "cognito-identity").get_credentials_for_identity(IdentityId=identity, **with_logins(logins), **more)


def enter(cloud, logins=None, pool=POOL):
    """The enhanced flow: an identity, a client of S3 with its credentials, and these."""
    identity = identity_of(cloud, logins, pool)
    answer = credentials(cloud, identity, logins)
    assert answer["IdentityId"] == identity
    return identity, client(cloud, "s3", **session_keys(answer)), session_keys(answer)


def login(cloud, provider="company", user="alice", **options):
    return {KEYS[provider]: cloud.token(provider, user, **options)}
