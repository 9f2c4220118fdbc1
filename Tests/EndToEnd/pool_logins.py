"""The ways in which people log in at an identity pool of Amazon Cognito, the seed that has one of each, and the application that uses them."""

import base64
import dataclasses
import json
from collections.abc import Callable

from botocore.exceptions import ClientError

from certificates import DAY, now
from clients import anonymous, client
from cloud import ACCOUNT, REGION
from identity_pools import BUCKET, COMPANY, POOL, PROVIDER, people, role, role_arn, session_keys, with_logins
from saml_provider import SAMLProvider
from user_pools import App

OTHER_POOL = f"{REGION}:00000000-0000-4000-8000-000000000002"
COMPANY_ARN = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{COMPANY}"
SAML_ARN = f"arn:aws:iam::{ACCOUNT}:saml-provider/elsewhere"
DEVELOPER = "login.shop"
USER_POOL, APP, OTHER_APP, PASSWORD = f"{REGION}_Harbour01", "harbourweb", "harbourother", "Correct-horse-1"
USER_POOL_NAME = f"cognito-idp.{REGION}.amazonaws.com/{USER_POOL}"
FLOWS = ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]

# The outcomes of a way.
GRANTED, WRONG, LATE, FORGED, UNLINKED, REMOVED, REFUSED, AMBIGUOUS = OUTCOMES = (
    "granted", "wrong audience", "expired", "forged", "unlinked", "provider removed", "trust refuses", "rule ambiguous")


def trusted(name, method, sid):
    """A role whose trust policy has a statement with a Sid."""
    made = role(name, method)
    made["trustPolicy"]["Statement"][0]["Sid"] = sid
    return made


MEMBER, GUEST = trusted("member", "authenticated", "Members"), trusted("guest", "unauthenticated", "Guests")


def seed(provider: SAMLProvider):
    """A pool with every kind of login, and the providers that issue their tokens, each with a second application."""
    roles = {"authenticatedRole": role_arn("member"), "guestRole": role_arn("guest")}
    apps = [{"id": app, "name": app, "flows": FLOWS} for app in (APP, OTHER_APP)]
    return {
        "accounts": [{
            "id": ACCOUNT, "name": "pools", "rootKeys": [{"id": "test", "secret": "test"}], "roles": [MEMBER, GUEST],
            "openIDConnectProviders": [{"url": f"https://{COMPANY}", "clientIDs": ["web"]}],
            "samlProviders": [{"name": "elsewhere", "metadata": provider.metadata}],
            "identityPools": [
                {"id": POOL, "name": "shop", "allowGuests": True, "developerProvider": DEVELOPER, "samlProviders": [SAML_ARN],
                 "socialLogins": {
                     "graph.facebook.com": "1234", "accounts.google.com": "g-web", "www.amazon.com": "amzn1.application.shop"},
                 "openIDConnectProviders": [COMPANY_ARN], "userPools": [{"provider": USER_POOL_NAME, "clientID": APP}]} | roles,
                {"id": OTHER_POOL, "name": "other", "developerProvider": DEVELOPER} | roles],
            "userPools": [{
                "id": USER_POOL, "name": "harbour", "clients": apps, "people": [{"username": "alice", "password": PASSWORD}]}],
            "buckets": [{"name": BUCKET}]}],
        "identityProviders": [
            {"name": "company", "issuer": f"https://{COMPANY}", "clients": [{"id": "web"}, {"id": "cli"}],
             "people": people(alice="employee-1")},
            {"name": "google", "clients": [{"id": "g-web"}, {"id": "g-other"}], "people": people(alice="110169")},
            {"name": "facebook", "clients": [{"id": "1234"}, {"id": "5678"}], "people": people(alice="10000")},
            {"name": "amazon", "people": people(alice="amzn1.account.A"), "clients": [
                {"id": "amzn1.client.shop", "applicationID": "amzn1.application.shop"},
                {"id": "amzn1.client.other", "applicationID": "amzn1.application.other"}]}]}


def forged(token):
    """A token with another first byte of its signature, or of itself if it has no parts."""
    head, dot, last = token.rpartition(".")
    return f"{head}{dot}{'B' if last[0] == 'A' else 'A'}{last[1:]}"


@dataclasses.dataclass(frozen=True)
class Visit:
    """An outcome in a sandbox, with the SAML provider outside of it."""

    cloud: object
    provider: SAMLProvider
    outcome: str

    def token(self, provider, other, **options):
        """A token of a seeded provider, for its application, or for the other one if that is the outcome."""
        if self.outcome == WRONG:
            options["client"] = other
        return self.cloud.token(provider, "alice", **options)

    def saml_response(self):
        document = self.provider.response("member")
        if self.outcome == FORGED:
            document = document.replace(">alice<", ">admin<")
        return base64.b64encode(document.encode()).decode()

    def user_pool_token(self, sign_in):
        app = App(anonymous(self.cloud, "cognito-idp"), USER_POOL, {"ClientId": OTHER_APP if self.outcome == WRONG else APP})
        return sign_in(app)("alice", PASSWORD)["AuthenticationResult"]["IdToken"]

    def developer_token(self):
        """The token that the developer's own server passes to the application, with the identity."""
        return client(self.cloud, "cognito-identity").get_open_id_token_for_developer_identity(
            IdentityPoolId=OTHER_POOL if self.outcome == WRONG else POOL, Logins={DEVELOPER: "u1"})


@dataclasses.dataclass(frozen=True)
class Way:
    """A way to log in. `proof` returns the value of the login."""

    # The key of the login, and the name of its provider in role mappings.
    key: str | None
    mapping: str | None
    proof: Callable[[Visit], str] | None
    # The member of the pool's settings that has the provider.
    setting: str
    # A role of the pool, with the Sid of the statement that trusts it.
    role: dict = dataclasses.field(default_factory=lambda: MEMBER)

    @property
    def sid(self):
        return self.role["trustPolicy"]["Statement"][0]["Sid"]

    def refuse(self, cloud):
        """Lets a statement of the role's trust policy deny what another one allows."""
        policy = self.role["trustPolicy"]
        usual = policy["Statement"][0]
        closed = {"Sid": "Closed", "Effect": "Deny"} | {name: usual[name] for name in ("Principal", "Action")}
        client(cloud, "iam").update_assume_role_policy(
            RoleName=self.role["name"], PolicyDocument=json.dumps(policy | {"Statement": [usual, closed]}))

    def remove(self, cloud):
        """Removes the provider from the pool, or closes the pool to guests."""
        pools = client(cloud, "cognito-identity")
        settings = pools.describe_identity_pool(IdentityPoolId=POOL)
        del settings["ResponseMetadata"]
        if self.key is None:
            settings[self.setting] = False
        elif self.setting == "SupportedLoginProviders":
            del settings[self.setting][self.key]
        else:
            del settings[self.setting]
        pools.update_identity_pool(**settings)

    def map(self, cloud):
        """Lets a rule that no person matches choose the role."""
        rule = {"Claim": "sub", "MatchType": "Equals", "Value": "nobody", "RoleARN": role_arn("member")}
        client(cloud, "cognito-identity").set_identity_pool_roles(
            IdentityPoolId=POOL, Roles={"authenticated": role_arn("member"), "unauthenticated": role_arn("guest")},
            RoleMappings={self.mapping: {
                "Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": {"Rules": [rule]}}})


def social(key, proof):
    return Way(key, key, proof, "SupportedLoginProviders")


def of_user_pool(sign_in):
    return Way(USER_POOL_NAME, f"{USER_POOL_NAME}:{APP}", lambda visit: visit.user_pool_token(sign_in), "CognitoIdentityProviders")


WAYS = {
    "google": social("accounts.google.com", lambda visit: visit.token("google", "g-other")),
    "facebook": social("graph.facebook.com", lambda visit: visit.token("facebook", "5678", lifetime=3600)),
    "amazon": social("www.amazon.com", lambda visit: visit.token("amazon", "amzn1.client.other", lifetime=3600)),
    "oidc": Way(COMPANY, COMPANY_ARN, lambda visit: visit.token("company", "cli"), "OpenIdConnectProviderARNs"),
    "saml": Way(SAML_ARN, SAML_ARN, Visit.saml_response, "SamlProviderARNs"),
    "user pool, password": of_user_pool(lambda app: app.password),
    "user pool, SRP": of_user_pool(lambda app: app.srp),
    "developer": Way(PROVIDER, None, None, "DeveloperProviderName"),
    "guest": Way(None, None, None, "AllowUnauthenticatedIdentities", GUEST),
}


@dataclasses.dataclass
class Refusal:
    """A refusal as an application sees it."""

    operation: str
    code: str
    message: str


class Application:
    """An application of the pool. It keeps its identity, as the mobile SDKs do."""

    def __init__(self, visit, way):
        self.visit, self.cloud, self.identity, self.logins = visit, visit.cloud, None, {}
        if way.key == PROVIDER:
            issued = visit.developer_token()
            # The other pool's token is presented for an identity of this pool.
            self.identity = issued["IdentityId"] if visit.outcome != WRONG else client(
                self.cloud, "cognito-identity").get_open_id_token_for_developer_identity(
                    IdentityPoolId=POOL, Logins={DEVELOPER: "u1"})["IdentityId"]
            self.logins = {way.key: issued["Token"]}
        elif way.key:
            self.logins = {way.key: way.proof(visit)}
        if visit.outcome == FORGED and way.key not in (None, SAML_ARN):
            self.logins = {key: forged(token) for key, token in self.logins.items()}

    def run(self):
        """Stores a file in the folder of its identity and not in another one. Returns the caller, or the refusal."""
        pools = anonymous(self.cloud, "cognito-identity")
        try:
            if not self.identity:
                self.identity = pools.get_id(IdentityPoolId=POOL, **with_logins(self.logins))["IdentityId"]
            answer = pools.get_credentials_for_identity(IdentityId=self.identity, **with_logins(self.logins))
        except ClientError as error:
            return Refusal(error.operation_name, error.response["Error"]["Code"], error.response["Error"]["Message"])
        s3 = client(self.cloud, "s3", **session_keys(answer))
        s3.put_object(Bucket=BUCKET, Key=f"{self.identity}/a.txt", Body=b"mine")
        try:
            s3.put_object(Bucket=BUCKET, Key="another/a.txt", Body=b"not mine")
        except ClientError as error:
            assert error.response["Error"]["Code"] == "AccessDenied"
        else:
            raise AssertionError("The session reaches another folder.")
        return client(self.cloud, "sts", **session_keys(answer)).get_caller_identity()["Arn"]

    def unlink(self, way):
        """Unlinks the login from the identity."""
        if way.key == PROVIDER:
            client(self.cloud, "cognito-identity").unlink_developer_identity(
                IdentityId=self.identity, IdentityPoolId=POOL, DeveloperProviderName=DEVELOPER, DeveloperUserIdentifier="u1")
        else:
            anonymous(self.cloud, "cognito-identity").unlink_identity(
                IdentityId=self.identity, Logins=self.logins, LoginsToRemove=[way.key])

    def expire(self, way):
        """Lets time pass until the login has expired."""
        if way.key == SAML_ARN:
            # Documents of another provider do not age; they expire by the clock.
            self.cloud.control("POST", "clock", {"set": (now() + DAY).strftime("%Y-%m-%dT%H:%M:%SZ")})
        else:
            self.cloud.age("PT2H")
