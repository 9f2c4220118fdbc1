"""Every kind of credential across the copies of a sandbox.

What is issued before a snapshot is good in the sandbox itself and in every copy. What is issued afterwards is good in the sandbox alone.
A reset ends both.
"""

import base64
import itertools
import json
from contextlib import contextmanager

import botocore.exceptions
import oss2
import pytest
import requests
from aliyunsdkcore.acs_exception.exceptions import ServerException
from botocore.config import Config

import harbour
import ridgeline
from clients import anonymous, assume, client, error_of, keys_of
from cloud import ACCOUNT, BUCKET, REPOSITORY, Cloud
from login_page import Person, Redirect
from openid_flow import Flow
from sandboxes import Sandbox
from vending_client import AnonymousMachine

CALLER = {"aws_access_key_id": "AKIAVIRGACALLER00000", "aws_secret_access_key": "caller/secret/access/key/0123456789abcde"}
# What the seeds of the examples lack: a role for AssumeRole, and a provider with JWT access tokens.
FURTHER = {
    "accounts": [{
        "id": ACCOUNT,
        "users": [{
            "name": "caller", "accessKeys": [{"id": CALLER["aws_access_key_id"], "secret": CALLER["aws_secret_access_key"]}],
            "policies": {"assume": {"Version": "2012-10-17", "Statement": [{
                "Effect": "Allow", "Action": "sts:AssumeRole", "Resource": "*"}]}}}],
        "roles": [{
            "name": "worker",
            "trustPolicy": {"Version": "2012-10-17", "Statement": [{
                "Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "Action": "sts:AssumeRole"}]},
            "policies": {"all": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}}}]}],
    "identityProviders": [{
        "name": "staff", "kind": "openIDConnect", "issuer": "https://login.staff.example", "accessTokenFormat": "jwt",
        "clients": [{"id": "web-app", "secret": "web-app-client-secret", "redirectURIs": ["http://localhost:8765/callback"]}],
        "people": [{"name": "alice", "password": "alice-password", "subject": "staff-1", "claims": {"name": "Alice Archer"}}]}]}
KEY = "employee-0001-alice/hello.txt"


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory):
    further = tmp_path_factory.mktemp("seed") / "further.json5"
    further.write_text(json.dumps(FURTHER))
    names = ["personal-file-store", "mobile-cloud", "alibaba", "vending-machine"]
    seeds = [argument for name in names for argument in ("--seed", REPOSITORY / "seed" / f"{name}.json5")]
    with Cloud.ephemeral(*seeds, "--seed", further) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def outcome_of(attempt):
    """200, or the status and code of the refusal."""
    try:
        attempt()
    except botocore.exceptions.ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]
    except oss2.exceptions.OssError as error:
        return error.status, error.code
    except ServerException as error:
        return error.http_status, error.error_code
    return 200


def reading(cloud, keys, bucket=BUCKET, key=KEY):
    """Puts with temporary keys what they may write."""
    return outcome_of(lambda: client(cloud, "s3", **keys).put_object(Bucket=bucket, Key=key, Body=b"x"))


def worker(cloud):
    """The keys of AssumeRole."""
    sts = client(cloud, "sts", **CALLER)
    return keys_of(sts.assume_role(RoleArn=f"arn:aws:iam::{ACCOUNT}:role/worker", RoleSessionName="tester"))


def flow_at(cloud, provider="company"):
    """A client of a provider of the cloud."""
    flow = Flow.__new__(Flow)
    flow.response_type, flow.mode = "code", "default"
    flow.client_id, flow.client_secret = "web-app", "web-app-client-secret"
    flow.issuer = f"{cloud.url}/idp/{provider}"
    flow.metadata = requests.get(f"{flow.issuer}/.well-known/openid-configuration").json()
    return flow


def code(cloud, provider="company", **parameters):
    answer = flow_at(cloud, provider).ask(Person("alice", "alice-password"), **parameters)
    return answer.parameters["code"]


def redeemed(cloud, provider="company", **parameters):
    answer = flow_at(cloud, provider).redeem(code(cloud, provider, **parameters))
    assert answer.status_code == 200, answer.text
    return answer.json()


def userinfo(cloud, token, provider="company"):
    answer = requests.get(flow_at(cloud, provider).metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"})
    return 200 if answer.ok else (answer.status_code, answer.headers["WWW-Authenticate"].partition('error="')[2].partition('"')[0])


def granted(cloud, **form):
    answer = requests.post(
        flow_at(cloud).metadata["token_endpoint"], data={"redirect_uri": "http://localhost:8765/callback"} | form,
        auth=("web-app", "web-app-client-secret"))
    return 200 if answer.ok else (answer.status_code, answer.json()["error"])


def logged_in(cloud):
    person = Person("alice", "alice-password")
    person.authorize(flow_at(cloud).url())
    return person.browser.cookies


def remembered(cloud, cookies):
    """Whether a login page knows the browser."""
    person = Person("alice", "alice-password")
    person.browser.cookies.update(cookies)
    step = person.open(flow_at(cloud).url(prompt="none"))
    assert isinstance(step, Redirect), step
    return 200 if "code" in step.query else (302, step.query["error"])


def assertion(cloud):
    return cloud.issue("company", "alice", serviceProvider="urn:amazon:webservices")["SAMLResponse"]


def assumed_with_saml(cloud, response):
    return outcome_of(lambda: anonymous(cloud, "sts").assume_role_with_saml(
        RoleArn=f"arn:aws:iam::{ACCOUNT}:role/personal-files-saml", PrincipalArn=f"arn:aws:iam::{ACCOUNT}:saml-provider/company",
        SAMLAssertion=response))


def relay_token(cloud):
    return ridgeline.access_token(ridgeline.Backend(cloud, "LiftCare").exchange_jwt(ridgeline.jwt(cloud, "tessa")))


def relayed(cloud, token):
    answer = requests.get(f"{cloud.url}/mobile/platform/users/~", headers=ridgeline.bearer(token))
    return 200 if answer.ok else (answer.status_code, ridgeline.refusal(answer, answer.status_code))


def vended(cloud):
    device = AnonymousMachine(f"{cloud.url}/tvm/anonymous")
    device.register()
    return device.uid, device.token()[0]


def client_credential(cloud):
    return ridgeline.Backend(cloud, "LiftCare").token(grant_type="password", username="dora", password="dora-password")


def presigned(version):
    def presign(cloud):
        config = Config(signature_version=version, s3={"addressing_style": "path"})
        return client(cloud, "s3", config=config, **worker(cloud)).generate_presigned_url(
            "put_object", Params={"Bucket": BUCKET, "Key": "presigned"})
    return presign


def presigned_for_oss(version):
    def presign(cloud):
        return harbour.bucket(cloud, harbour.PHOTOS, harbour.session(cloud), version).sign_url(
            "GET", "alice/hello.txt", 600, slash_safe=True)
    return presign


def fetched(method):
    def fetch(cloud, url):
        # The signature may be about the host that the URL was made for. The port says which sandbox is meant.
        host, _, path = url.removeprefix("http://").partition("/")
        answer = requests.request(method, f"{cloud.url}/{path}", headers={"Host": host}, data=b"x" if method == "PUT" else None)
        return 200 if answer.ok else (answer.status_code, error_of(answer)["Code"])
    return fetch


# How each kind is issued and used, and how it is refused.
KINDS = {
    "session of AssumeRole": (worker, reading, (400, "InvalidToken")),
    "session of AssumeRoleWithWebIdentity": (
        lambda cloud: keys_of(assume(cloud, "company", cloud.token("company", "alice"))), reading, (400, "InvalidToken")),
    "sealed access token": (lambda cloud: redeemed(cloud)["access_token"], userinfo, (401, "invalid_token")),
    "access token of Facebook": (
        lambda cloud: cloud.token("facebook", "alice"),
        lambda cloud, token: outcome_of(lambda: assume(cloud, "facebook", token)), (403, "IDPRejectedClaim")),
    "access token of Amazon": (
        lambda cloud: cloud.token("amazon", "alice"),
        lambda cloud, token: outcome_of(lambda: assume(cloud, "amazon", token)), (403, "IDPRejectedClaim")),
    "JWT access token": (
        lambda cloud: redeemed(cloud, "staff")["access_token"], lambda cloud, token: userinfo(cloud, token, "staff"),
        (401, "invalid_token")),
    "ID token": (
        lambda cloud: cloud.token("company", "alice"),
        lambda cloud, token: outcome_of(lambda: assume(cloud, "company", token)), (400, "InvalidIdentityToken")),
    "ID token of Google": (
        lambda cloud: cloud.token("google", "alice"),
        lambda cloud, token: outcome_of(lambda: assume(cloud, "google", token)), (400, "InvalidIdentityToken")),
    "refresh token": (
        lambda cloud: redeemed(cloud, scope="openid offline_access", prompt="consent")["refresh_token"],
        lambda cloud, token: granted(cloud, grant_type="refresh_token", refresh_token=token), (400, "invalid_grant")),
    "authorization code": (
        code, lambda cloud, text: granted(cloud, grant_type="authorization_code", code=text), (400, "invalid_grant")),
    "login cookie": (logged_in, remembered, (302, "login_required")),
    "SAML assertion": (assertion, assumed_with_saml, (400, "InvalidIdentityToken")),
    "relay token": (relay_token, relayed, (401, "MOBILE-58004")),
    "OAuth token of a backend": (client_credential, relayed, (401, "MOBILE-58004")),
    "credentials of a vending machine": (
        vended, lambda cloud, made: reading(cloud, made[1], "tidepool", f"{made[0]}/a.txt"), (400, "InvalidToken")),
    "session of Alibaba Cloud": (
        harbour.session,
        lambda cloud, keys: outcome_of(lambda: harbour.bucket(cloud, harbour.PHOTOS, keys).get_object("alice/hello.txt")),
        (403, "InvalidSecurityToken")),
    "presigned URL of S3, V4": (presigned("s3v4"), fetched("PUT"), (400, "InvalidToken")),
    "presigned URL of S3, V2": (presigned("s3"), fetched("PUT"), (400, "InvalidToken")),
    "presigned URL of OSS, V1": (presigned_for_oss("v1"), fetched("GET"), (403, "InvalidSecurityToken")),
    "presigned URL of OSS, V2": (presigned_for_oss("v2"), fetched("GET"), (403, "InvalidSecurityToken")),
    "presigned URL of OSS, V4": (presigned_for_oss("v4"), fetched("GET"), (403, "InvalidSecurityToken")),
}
PLACES = ["the sandbox itself", "a sibling", "a fork of the sibling", "itself after restore", "itself after reset"]


@contextmanager
def place(name, sandbox, snapshot):
    """The copy of a sandbox in which a credential is tried."""
    if name == "a sibling" or name == "a fork of the sibling":
        with Sandbox.create(sandbox.process_, **{"from": snapshot}) as sibling:
            if name == "a sibling":
                yield sibling
            else:
                with sibling.fork() as fork:
                    yield fork
        return
    if name == "itself after restore":
        sandbox.restore(snapshot)
    if name == "itself after reset":
        sandbox.reset()
    yield sandbox


def is_good(age, where):
    return where != "itself after reset" if age == "before" else where == "the sandbox itself"


@pytest.mark.parametrize("kind, age, where", list(itertools.product(KINDS, ["before", "after"], PLACES)))
def test_a_credential_is_good_where_it_was_issued_and_in_later_copies_alone(process, kind, age, where):
    issue, use, refusal = KINDS[kind]
    with Sandbox.create(process) as sandbox:
        # Keys that are created on demand exist before the snapshot in any case.
        credential = issue(sandbox)
        snapshot = sandbox.snapshot()
        if age == "after":
            credential = issue(sandbox)
        with place(where, sandbox, snapshot) as cloud:
            assert use(cloud, credential) == (200 if is_good(age, where) else refusal)
    process.control("DELETE", f"snapshots/{snapshot}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_credential_is_refused_by_other_sandboxes_from_the_same_seed(process, kind):
    """Fresh sandboxes sign with the key pairs of their template, each under names of its own."""
    issue, use, refusal = KINDS[kind]
    with Sandbox.create(process) as sandbox, Sandbox.create(process) as sibling:
        issue(sibling)
        credential = issue(sandbox)
        assert use(sibling, credential) == refusal
        assert use(process, credential) == refusal
        sibling.reset()
        assert use(sibling, credential) == refusal
        assert use(sandbox, credential) == 200


def test_fresh_sandboxes_share_key_pairs_until_they_rotate_them(process):
    def keys(cloud):
        """The names under which the key pairs sign: they come before those of earlier epochs."""
        published = requests.get(flow_at(cloud).metadata["jwks_uri"]).json()["keys"]
        return {key["n"]: key["kid"] for key in reversed(published)}

    with Sandbox.create(process) as one, Sandbox.create(process) as other:
        first, second = keys(one), keys(other)
        assert first.keys() == second.keys() and set(first.values()).isdisjoint(second.values())
        assert keys(process).keys().isdisjoint(first)
        token = other.token("company", "alice")
        one.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT0S"})
        assert keys(one).keys().isdisjoint(second) and keys(other) == second
        assert outcome_of(lambda: assume(other, "company", token)) == 200


def test_published_keys_name_those_of_earlier_epochs(process):
    """A relying party that keeps the keys by `kid` can verify a token of the template at every copy."""
    def names(cloud):
        return {key["kid"] for key in requests.get(flow_at(cloud).metadata["jwks_uri"]).json()["keys"]}

    def name_of(token):
        header = token.partition(".")[0]
        return json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]

    with Sandbox.create(process) as sandbox:
        older = name_of(sandbox.token("company", "alice"))
        snapshot = sandbox.snapshot()
        newer = name_of(sandbox.token("company", "alice"))
        assert older != newer and {older, newer} <= names(sandbox)
        with Sandbox.create(process, **{"from": snapshot}) as sibling:
            assert older in names(sibling) and newer not in names(sibling)


def test_a_revocation_in_one_copy_is_none_in_another(process):
    with Sandbox.create(process) as sandbox:
        token = redeemed(sandbox)["access_token"]
        with Sandbox.create(process, **{"from": sandbox.snapshot()}) as sibling:
            answer = requests.post(
                flow_at(sandbox).metadata["revocation_endpoint"], data={"token": token}, auth=("web-app", "web-app-client-secret"))
            assert answer.status_code == 200
            assert userinfo(sandbox, token) == (401, "invalid_token")
            assert userinfo(sibling, token) == 200
