"""Tokens and parameters that AssumeRoleWithWebIdentity refuses, each with its error."""

import base64
import json

import pytest
from joserfc import jwk, jwt

from clients import assume, refused, role_arn
from cloud import BUCKET
from test_web_identity import NOT_AUTHORIZED, OPENID_PROVIDERS, PROVIDERS

NOT_VALIDATED = "The web identity token provided could not be validated"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_role_of_another_provider_is_refused(cloud, provider):
    other = "google" if provider != "google" else "company"
    with refused("AccessDenied", 403, NOT_AUTHORIZED):
        assume(cloud, provider, cloud.token(provider, "alice"), RoleArn=role_arn(other))


def test_a_role_that_does_not_exist_is_refused_in_the_same_words(cloud):
    with refused("AccessDenied", 403, NOT_AUTHORIZED):
        assume(cloud, "company", cloud.token("company", "alice"), RoleArn=role_arn("nowhere"))


@pytest.mark.parametrize("arn", ["personal-files-company-role", f"arn:aws:s3:::{BUCKET}/{'x' * 20}"])
def test_something_that_is_no_role_is_invalid(cloud, arn):
    with refused("ValidationError", 400, "ARN is invalid"):
        assume(cloud, "company", cloud.token("company", "alice"), RoleArn=arn)


def test_a_token_for_an_audience_that_is_not_registered_is_refused(cloud):
    token = cloud.token("company", "alice", claims={"aud": "somebody-else"})
    with refused("InvalidIdentityToken", 400, NOT_VALIDATED):
        assume(cloud, "company", token)


def test_several_audiences_need_an_authorized_party(cloud):
    token = cloud.token("company", "alice", claims={"aud": ["web-app", "another"]})
    with refused("InvalidIdentityToken", 400, "more than one audience while authorized party is not present"):
        assume(cloud, "company", token)


@pytest.mark.parametrize("token", ["garbage", "a.b.c", "EAAB0not-a-jwt"])
def test_something_that_is_no_token_is_refused(cloud, token):
    with refused("InvalidIdentityToken", 400) as refusal:
        assume(cloud, "company", token)
    assert refusal.message == (
        "The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)")


def unverified(token):
    """Header and claims of a token, without verification."""
    return tuple(json.loads(base64.urlsafe_b64decode(part + "==")) for part in token.split(".")[:2])


def encoded(document):
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


@pytest.mark.parametrize("provider", OPENID_PROVIDERS)
@pytest.mark.parametrize("key_id", ["the issuer's", "a strange one"])
def test_a_forged_token_is_refused(cloud, provider, key_id):
    header, claims = unverified(cloud.token(provider, "alice"))
    if key_id == "a strange one":
        header["kid"] = "strange"
    forged = jwt.encode(header, claims, jwk.RSAKey.generate_key(2048))
    with refused("InvalidIdentityToken", 400):
        assume(cloud, provider, forged)


def test_a_token_without_a_signature_is_refused(cloud):
    header, claims, _ = cloud.token("company", "alice").split(".")
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "company", f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{claims}.")
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "company", f"{header}.{claims}.")


def test_altered_claims_break_the_signature(cloud):
    header, _, signature = cloud.token("company", "alice").split(".")
    _, claims = unverified(cloud.token("company", "alice"))
    claims["sub"] = cloud.issue("company", "bob")["subject"]
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "company", f"{header}.{encoded(claims)}.{signature}")


def test_a_token_of_an_issuer_without_a_provider_is_refused(cloud):
    token = cloud.token("company", "alice", claims={"iss": "https://issuer.example"})
    with refused("InvalidIdentityToken", 400):
        assume(cloud, "company", token)


@pytest.mark.parametrize("provider", OPENID_PROVIDERS)
def test_an_expired_token_is_refused_and_says_when_it_expired(cloud, provider):
    token = cloud.token(provider, "alice", lifetime=3600)
    cloud.age("PT1H5M30S")
    with refused(
            "ExpiredTokenException", 400,
            r"Token expired: current date/time \d+ must be before the expiration date/time \d+"):
        assume(cloud, provider, token)


def test_a_token_is_accepted_within_five_minutes_after_its_end(cloud):
    token = cloud.token("company", "alice", lifetime=3600)
    cloud.age("PT1H4M")
    assert assume(cloud, "company", token)["Credentials"]


@pytest.mark.parametrize("provider", ["facebook", "amazon"])
def test_an_expired_access_token_is_rejected(cloud, provider):
    token = cloud.token(provider, "alice", lifetime=3600)
    cloud.age("PT2H")
    with refused("IDPRejectedClaim", 403, "responded with HTTP/1.1 400 Bad Request"):
        assume(cloud, provider, token)


def test_an_identity_token_with_a_provider_name_is_refused(cloud):
    token = cloud.token("google", "alice")
    with refused("InvalidIdentityToken", 400, "Provided Token is not a Login With Amazon token"):
        assume(cloud, "google", token, ProviderId="www.amazon.com")
    with refused("IDPRejectedClaim", 403):
        assume(cloud, "google", token, ProviderId="graph.facebook.com")
    with refused("AccessDenied", 403, "Unrecognized OAuth provider"):
        assume(cloud, "google", token, ProviderId="accounts.google.com")


@pytest.mark.parametrize("provider", ["facebook", "amazon"])
def test_an_access_token_without_a_provider_name_is_no_identity_token(cloud, provider):
    with refused("InvalidIdentityToken", 400, "not a valid JWT"):
        assume(cloud, provider, cloud.token(provider, "alice"), ProviderId=None)


def test_an_access_token_of_the_other_provider_is_refused(cloud):
    with refused("IDPRejectedClaim", 403):
        assume(cloud, "facebook", cloud.token("amazon", "alice"))
    with refused("InvalidIdentityToken", 400, "Provided Token is not a Login With Amazon token"):
        assume(cloud, "amazon", cloud.token("facebook", "alice"))


@pytest.mark.parametrize("parameters", [
    {"DurationSeconds": 899}, {"DurationSeconds": 43201}, {"RoleSessionName": "x"}, {"RoleSessionName": "with space"},
    {"RoleSessionName": "x" * 65}, {"RoleSessionName": None}, {"WebIdentityToken": None}, {"RoleArn": None},
    {"WebIdentityToken": "abc"}, {"WebIdentityToken": "x" * 20001}, {"Policy": "{" + " " * 2048}, {"Policy": ""},
    {"RoleArn": "arn:x"}, {"ProviderId": "x"}],
    ids=lambda parameters: "-".join(f"{name}={value}"[:32] for name, value in parameters.items()))
def test_parameters_out_of_bounds_are_validation_errors(cloud, parameters):
    with refused("ValidationError", 400):
        assume(cloud, "company", cloud.token("company", "alice"), **parameters)


def test_a_session_longer_than_the_role_allows_is_refused(cloud):
    with refused("ValidationError", 400, "exceeds the MaxSessionDuration set for this role"):
        assume(cloud, "company", cloud.token("company", "alice"), DurationSeconds=43200)
