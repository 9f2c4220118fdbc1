"""Skiers: users of the mobile cloud who log in with Facebook."""

import pytest
import requests

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, Cloud
from mobile_sdk import InAppBrowser
from ridgeline import FACEBOOK_APP, SEED, Backend, access_token, bearer, jwt, oauth_refusal, refusal, saml_token
from test_mobile_cloud import INCIDENTS, care  # noqa: F401, a fixture


@pytest.fixture
def skiers(ridgeline):
    return Backend(ridgeline, "Skiers")


def facebook_token(cloud, user="frida", app=FACEBOOK_APP, **order):
    return cloud.token("facebook", user, client=app, **order)


def test_skiers_come_with_facebook(ridgeline, skiers):
    """(R121, R125, R126, R129, R131)"""
    login = InAppBrowser("frida").log_in(
        f"{ridgeline.url}/idp/facebook/dialog/oauth?client_id={FACEBOOK_APP}&redirect_uri=http://localhost/callback&response_type=token",
        "http://localhost/callback")
    token = dict(pair.split("=") for pair in login.url.partition("#")[2].split("&"))["access_token"]
    me = skiers.custom("GET", "reports/me", skiers.facebook(token))
    assert me.status_code == 200, me.text
    assert me.json()["identityProvider"] == "facebook"
    answer = skiers.custom("POST", "reports/reports", skiers.facebook(token), {"text": "Fog at the summit"})
    assert answer.status_code == 201 and answer.json()["text"] == "Fog at the summit"
    # An API without login allows them, too; those of the employees do not.
    assert skiers.custom("GET", "lifts/lifts", skiers.facebook(token)).status_code == 200
    refusal(skiers.custom("GET", INCIDENTS, skiers.facebook(token)), 403)
    refusal(skiers.custom("GET", "profile/me", skiers.facebook(token)), 403)


def test_a_social_api_is_for_nobody_else(ridgeline, care, skiers):
    """(R126, R129)"""
    refusal(skiers.custom("GET", "reports/me", skiers.anonymous), 401)
    refusal(care.custom("GET", "reports/me", care.anonymous), 401)
    refusal(care.custom("GET", "reports/me", care.basic("dora")), 403)
    token = access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))
    refusal(care.custom("GET", "reports/me", bearer(token)), 403)


def test_facebook_has_to_vouch_for_the_token(ridgeline, skiers):
    """(R121, R123, R131)"""
    for token in ("garbage", facebook_token(ridgeline, app="3456789012345678"), facebook_token(ridgeline, fault="expired")):
        refusal(skiers.custom("GET", "reports/me", skiers.facebook(token)), 401)
    headers = skiers.facebook(facebook_token(ridgeline))
    assert skiers.custom("GET", "reports/me", headers).status_code == 200
    refusal(skiers.custom("GET", "reports/me", headers | {"Oracle-Mobile-Social-Identity-Provider": "myspace"}), 401)
    without_key = {name: value for name, value in headers.items() if name != "Authorization"}
    refusal(skiers.custom("GET", "reports/me", without_key), 401)


def test_a_token_that_was_made_by_hand_counts_for_longer_once_it_is_extended(ridgeline, skiers):
    """(R130) Facebook's tool issues one without the app, and the app's secret extends it to two months."""
    token = facebook_token(ridgeline)
    app = skiers.record["facebook"]
    answer = requests.get(f"{ridgeline.url}/idp/facebook/oauth/access_token", params={
        "grant_type": "fb_exchange_token", "client_id": app["appID"], "client_secret": app["appSecret"],
        "fb_exchange_token": token})
    extended = answer.json()["access_token"]
    for one in (token, extended):
        assert skiers.custom("GET", "reports/me", skiers.facebook(one)).status_code == 200
    ridgeline.age("P30D")
    refusal(skiers.custom("GET", "reports/me", skiers.facebook(token)), 401, "Facebook refuses the token")
    assert skiers.custom("GET", "reports/me", skiers.facebook(extended)).status_code == 200


def test_a_backend_with_facebook_login_is_for_that_alone(ridgeline, skiers):
    """(R122)"""
    refusal(skiers.call("GET", "/mobile/platform/users/login", skiers.basic("dora")), 401)
    answer = requests.post(f"{ridgeline.url}/oam/oauth2/tokens", data={"grant_type": "client_credentials"}, auth=skiers.client)
    oauth_refusal(answer, 400, "unauthorized_client", r"OAuth Consumer is not enabled in the mobile backend Skiers\(1.0\)")
    refusal(skiers.exchange_saml(saml_token(ridgeline, "tessa")), 401, r"not enabled in the mobile backend Skiers\(1.0\)")
    oauth_refusal(skiers.exchange_jwt(jwt(ridgeline, "tessa")), 400, "unauthorized_client")


def test_one_facebook_token_opens_both_doors_and_its_end_closes_them(ridgeline, skiers):
    """(R121) The token is accepted by the social API of the mobile cloud, and by STS for S3."""
    issued = ridgeline.issue("facebook", "frida", client=FACEBOOK_APP)
    token, subject = issued["token"], issued["subject"]

    def assume():
        return anonymous(ridgeline, "sts").assume_role_with_web_identity(
            RoleArn=f"arn:aws:iam::{ACCOUNT}:role/ridgeline-skiers", RoleSessionName="frida", WebIdentityToken=token,
            ProviderId="graph.facebook.com")

    me = skiers.custom("GET", "reports/me", skiers.facebook(token))
    assert me.status_code == 200 and me.json()["id"] == subject, me.text
    answer = assume()
    assert answer["SubjectFromWebIdentityToken"] == subject
    s3 = client(ridgeline, "s3", **keys_of(answer))
    assert s3.get_object(Bucket="ridgeline-skiers", Key=f"{subject}/hello.txt")["Body"].read().startswith(b"Hello Frida")
    with refused("AccessDenied", 403):
        s3.get_object(Bucket="ridgeline-skiers", Key="100002345678902/hello.txt")

    # She revokes her grants to the app.
    answer = requests.delete(f"{ridgeline.url}/idp/facebook/me/permissions", params={"access_token": token})
    assert answer.json() == {"success": True}
    refusal(skiers.custom("GET", "reports/me", skiers.facebook(token)), 401)
    with refused("IDPRejectedClaim", 403):
        assume()


def test_the_seed_stands_over_the_personal_file_store():
    """One process for both seeds: two companies, and one Facebook with the apps and users of each."""
    with Cloud.ephemeral("--seed", SEED.with_name("personal-file-store.json5"), "--seed", SEED) as cloud:
        skiers = Backend(cloud, "Skiers")
        assert skiers.custom("GET", "reports/me", skiers.facebook(facebook_token(cloud))).status_code == 200
        alice = cloud.token("facebook", "alice")
        refusal(skiers.custom("GET", "reports/me", skiers.facebook(alice)), 401)
        answer = anonymous(cloud, "sts").assume_role_with_web_identity(
            RoleArn=f"arn:aws:iam::{ACCOUNT}:role/personal-files-facebook", RoleSessionName="alice", WebIdentityToken=alice,
            ProviderId="graph.facebook.com")
        assert answer["SubjectFromWebIdentityToken"] == "100001234567890"
