"""Client libraries at the social lookalikes: Facebook's two Python clients, Google's, Authlib's, and Chromium at each dialog."""

import base64
import json
from urllib.parse import parse_qs, urlencode, urlsplit

import facebook
import google.auth.exceptions
import google.auth.transport.requests
import google.oauth2.credentials
import google.oauth2.id_token
import google.oauth2.service_account
import pyfacebook
import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import url_contains

from clients import assume, refused
from cloud import Cloud
from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Page, Person
from navigation import patiently, press
from test_browser import application  # noqa: F401

APP, SECRET = "1234567890123456", "facebook-app-secret"
AMAZON_CLIENT, AMAZON_SECRET = "amzn1.application-oa2-client.personalfiles", "amazon-client-secret"
GOOGLE_CLIENT, GOOGLE_SECRET = "1234567890.apps.googleusercontent.com", "google-client-secret"
ROBOT = "robot@project.iam.gserviceaccount.com"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def graph(cloud, monkeypatch):
    """facebook-sdk, directed to this process by its own variables."""
    monkeypatch.setattr(facebook, "FACEBOOK_GRAPH_URL", f"{cloud.url}/idp/facebook/")
    monkeypatch.setattr(facebook, "FACEBOOK_WWW_URL", f"{cloud.url}/idp/facebook/")
    return lambda token=None: facebook.GraphAPI(token, version="3.1")


def test_facebook_sdk_goes_from_the_dialog_to_a_long_token(cloud, graph):
    url = graph().get_auth_url(APP, REDIRECT_URI, ["email"])
    code = Person("alice").authorize(url).query["code"]
    answer = graph().get_access_token_from_code(code, REDIRECT_URI, APP, SECRET)
    api = graph(answer["access_token"])
    assert api.get_object("me", fields="id,name,email")["email"] == "alice@example.com"
    assert api.get_permissions("me") == {"public_profile", "email"}
    longer = api.extend_access_token(APP, SECRET)
    assert longer["expires_in"] == 5184000
    data = api.debug_access_token(longer["access_token"], APP, SECRET)["data"]
    assert data["is_valid"] and data["expires_at"] - data["issued_at"] == 5184000
    assert graph().get_app_access_token(APP, SECRET) == f"{APP}|{SECRET}"


def test_facebook_sdk_reads_a_signed_request_and_its_code(cloud, graph):
    url = graph().get_auth_url(APP, REDIRECT_URI, response_type="token,signed_request")
    signed = Person("bob").authorize(url).fragment["signed_request"]
    data = facebook.parse_signed_request(signed, SECRET)
    assert data["user_id"] == cloud.issue("facebook", "bob")["subject"]
    assert facebook.parse_signed_request(signed, "wrong") is False
    token = graph().get_access_token_from_code(data["code"], "", APP, SECRET)["access_token"]
    assert graph(token).get_object("me")["id"] == data["user_id"]


def test_facebook_sdk_reads_pictures(cloud, graph):
    api = graph(cloud.token("facebook", "alice"))
    assert api.get_object("me", fields="picture.type(large)")["picture"]["data"]["width"] == 200
    picture = api.get_object("me/picture", type="large")
    assert picture["mime-type"].startswith("image/png") and picture["data"].startswith(b"\x89PNG")


def test_facebook_sdk_makes_and_deletes_test_users(cloud, graph):
    api = graph(f"{APP}|{SECRET}")
    user = api.put_object(APP, "accounts/test-users", name="Tess Tester", permissions="email")
    assert graph(user["access_token"]).get_object("me", fields="email")["email"] == user["email"]
    assert [listed["id"] for listed in api.get_connections(APP, "accounts/test-users")["data"]] == [user["id"]]
    answer = assume(cloud, "facebook", user["access_token"])
    assert answer["SubjectFromWebIdentityToken"] == user["id"]
    assert api.delete_object(user["id"]) == {"success": True}
    with pytest.raises(facebook.GraphAPIError) as raised:
        graph(user["access_token"]).get_object("me")
    assert raised.value.code == 190
    with refused("IDPRejectedClaim", 403, "graph.facebook.com responded with HTTP/1.1 400 Bad Request"):
        assume(cloud, "facebook", user["access_token"])


def test_pyfacebook_signs_its_requests_with_the_secret(cloud):
    api = pyfacebook.GraphAPI(
        app_id=APP, app_secret=SECRET, access_token=cloud.token("facebook", "carol"), version="v24.0",
        base_url=f"{cloud.url}/idp/facebook/")
    assert api.get_object("me", fields="id,name")["name"] == "Carol Cooper"
    assert api.debug_token(input_token=cloud.token("facebook", "carol"), access_token=f"{APP}|{SECRET}")["data"]["is_valid"]
    with pytest.raises(pyfacebook.FacebookError) as raised:
        api.get_object("4711")
    assert raised.value.code == 803


@pytest.mark.parametrize("provider, authorization, token_endpoint, client, secret, scope, profile", [
    ("facebook", "dialog/oauth", "oauth/access_token", APP, SECRET, "email", "me?fields=email"),
    ("amazon", "ap/oa", "auth/o2/token", AMAZON_CLIENT, AMAZON_SECRET, "profile", "user/profile"),
    ("google", "o/oauth2/v2/auth", "token", GOOGLE_CLIENT, GOOGLE_SECRET, "openid email", "v1/userinfo")])
def test_authlib_signs_in_with_each(cloud, provider, authorization, token_endpoint, client, secret, scope, profile):
    base = f"{cloud.url}/idp/{provider}"
    session = OAuth2Session(
        client, secret, scope=scope, redirect_uri=REDIRECT_URI, token_endpoint_auth_method="client_secret_post")
    url, state = session.create_authorization_url(f"{base}/{authorization}")
    redirect = Person("alice").authorize(url)
    # An application's server never gets the fragment that Facebook appends.
    arrived = redirect.url.partition("#")[0]
    session.fetch_token(f"{base}/{token_endpoint}", authorization_response=arrived, state=state)
    assert session.get(f"{base}/{profile}").json()["email"] == "alice@example.com"


def test_google_auth_refreshes_and_notices_the_revocation(cloud):
    base = f"{cloud.url}/idp/google"
    session = OAuth2Session(
        GOOGLE_CLIENT, GOOGLE_SECRET, scope="openid email", redirect_uri=REDIRECT_URI,
        token_endpoint_auth_method="client_secret_post")
    url, state = session.create_authorization_url(f"{base}/o/oauth2/v2/auth", access_type="offline")
    answer = session.fetch_token(
        f"{base}/token", authorization_response=Person("alice").authorize(url).url, state=state)
    credentials = google.oauth2.credentials.Credentials(
        None, refresh_token=answer["refresh_token"], token_uri=f"{base}/token", client_id=GOOGLE_CLIENT,
        client_secret=GOOGLE_SECRET)
    transport = google.auth.transport.requests.Request()
    credentials.refresh(transport)
    claims = google.oauth2.id_token.verify_token(
        credentials.id_token, transport, audience=GOOGLE_CLIENT, certs_url=f"{base}/oauth2/v1/certs")
    assert claims["email"] == "alice@example.com"
    assert requests.post(f"{base}/revoke", data={"token": credentials.token}).status_code == 200
    with pytest.raises(google.auth.exceptions.RefreshError, match="invalid_grant"):
        credentials.refresh(transport)


@pytest.fixture
def robot(tmp_path):
    """A cloud whose Google has a service account, and the account's key file in Google's form."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    numbers = key.public_key().public_numbers()

    def encoded(number):
        return base64.urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8, "big")).rstrip(b"=").decode()

    web_key = {"kty": "RSA", "kid": "key-1", "use": "sig", "alg": "RS256", "n": encoded(numbers.n), "e": encoded(numbers.e)}
    seed = {"accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}], "roles": [{
        "name": "robots", "trustPolicy": {"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Principal": {"Federated": "accounts.google.com"},
            "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": {"StringEquals": {"accounts.google.com:aud": ROBOT, "accounts.google.com:oaud": "aws"}}}]}}]}],
        "identityProviders": [{"name": "google", "clients": [{
            "id": ROBOT, "grants": ["urn:ietf:params:oauth:grant-type:jwt-bearer"],
            "metadata": {"jwks": {"keys": [web_key]}, "scope": "https://www.googleapis.com/auth/userinfo.email"}}],
            "people": [{"name": "ann", "subject": "1234567", "password": "p", "claims": {"email": "ann@company.example"}}]}]}
    file = tmp_path / "seed.json5"
    file.write_text(json.dumps(seed))
    with Cloud.ephemeral("--seed", file) as cloud:
        yield cloud, {
            "type": "service_account", "client_email": ROBOT, "private_key_id": "key-1",
            "token_uri": f"{cloud.url}/idp/google/token", "private_key": key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()}


def test_google_auths_service_account_gets_its_tokens(robot):
    cloud, information = robot
    transport = google.auth.transport.requests.Request()
    credentials = google.oauth2.service_account.Credentials.from_service_account_info(
        information, scopes=["https://www.googleapis.com/auth/userinfo.email"])
    credentials.refresh(transport)
    info = requests.get(f"{cloud.url}/idp/google/tokeninfo", params={"access_token": credentials.token}).json()
    assert info["email"] == ROBOT and info["azp"] == ROBOT

    delegated = credentials.with_subject("ann@company.example")
    delegated.refresh(transport)
    userinfo = requests.get(
        f"{cloud.url}/idp/google/v1/userinfo", headers={"Authorization": f"Bearer {delegated.token}"}).json()
    assert userinfo["email"] == "ann@company.example"
    with pytest.raises(google.auth.exceptions.RefreshError, match="Invalid email"):
        credentials.with_subject("nobody@company.example").refresh(transport)


def test_a_service_accounts_id_token_opens_a_role(robot):
    cloud, information = robot
    credentials = google.oauth2.service_account.IDTokenCredentials.from_service_account_info(
        information, target_audience="aws")
    credentials.refresh(google.auth.transport.requests.Request())
    answer = assume(cloud, "google", credentials.token, RoleArn="arn:aws:iam::000000000000:role/robots")
    assert answer["Audience"] == ROBOT
    other = google.oauth2.service_account.IDTokenCredentials.from_service_account_info(
        information, target_audience="elsewhere")
    other.refresh(google.auth.transport.requests.Request())
    with refused("AccessDenied", 403):
        assume(cloud, "google", other.token, RoleArn="arn:aws:iam::000000000000:role/robots")


def test_a_person_extends_a_token_and_ends_it_on_facebooks_pages(cloud):
    base = f"{cloud.url}/idp/facebook"
    person = Person("alice", "alice-password")
    dialog = {"client_id": APP, "redirect_uri": REDIRECT_URI, "response_type": "token"}
    token = person.authorize(f"{base}/dialog/oauth?{urlencode(dialog)}").fragment["access_token"]
    page = person.open(f"{base}/tools/debug/accesstoken?{urlencode({'access_token': token})}")
    extending = next(form for form in page.forms if form.method == "post")
    assert extending.buttons == [("action", "extend")]
    extended = Page(person.browser.post(cloud.url + extending.action, data=extending.fields | {"action": "extend"}))
    long_token = extended.forms[0].fields["access_token"]
    assert long_token != token
    cloud.age("P30D")
    assert assume(cloud, "facebook", long_token)["SubjectFromWebIdentityToken"]
    with refused("IDPRejectedClaim", 403):
        assume(cloud, "facebook", token)


@pytest.mark.parametrize("provider, authorization, client, page", [
    ("facebook", "dialog/oauth", APP, "settings/applications"), ("amazon", "ap/oa", AMAZON_CLIENT, "ap/adam")])
def test_removing_an_application_closes_the_door_of_sts(cloud, provider, authorization, client, page):
    base = f"{cloud.url}/idp/{provider}"
    person = Person("bob")
    query = {"client_id": client, "redirect_uri": REDIRECT_URI, "response_type": "token", "scope": "profile"}
    if provider == "facebook":
        query["scope"] = "email"
    token = person.authorize(f"{base}/{authorization}?{urlencode(query)}").fragment["access_token"]
    assert assume(cloud, provider, token)["SubjectFromWebIdentityToken"]
    settings = person.open(f"{base}/{page}")
    person.press(settings, ("remove", client))
    with refused("IDPRejectedClaim", 403, "responded with HTTP/1.1 400 Bad Request"):
        assume(cloud, provider, token)


@pytest.mark.parametrize("error, code, status", [
    ("ServiceUnavailable", "IDPCommunicationError", 400), ("190/467", "IDPRejectedClaim", 403)])
def test_an_outage_of_the_provider_reaches_sts(cloud, error, code, status):
    token = cloud.token("facebook", "alice")
    cloud.control("POST", "faults", {"service": "facebook", "action": "Me", "error": error})
    with refused(code, status):
        assume(cloud, "facebook", token)
    assert assume(cloud, "facebook", token)


def test_a_television_signs_in_at_amazon(cloud):
    base = f"{cloud.url}/idp/amazon"
    pair = requests.post(f"{base}/auth/O2/create/codepair", data={
        "response_type": "device_code", "client_id": AMAZON_CLIENT, "scope": "profile"}).json()
    poll = {"grant_type": "device_code", "device_code": pair["device_code"], "user_code": pair["user_code"]}
    assert requests.post(f"{base}/auth/o2/token", data=poll).json()["error"] == "authorization_pending"
    person = Person("carol", "carol-password")
    page = person.sign_in(person.open(f"{pair['verification_uri']}?{urlencode({'user_code': pair['user_code']})}"))
    person.press(page, ("action", "allow"))
    answer = requests.post(f"{base}/auth/o2/token", data=poll).json()
    assert assume(cloud, "amazon", answer["access_token"])["SubjectFromWebIdentityToken"]


@pytest.mark.parametrize("provider, query", [
    ("facebook/dialog/oauth", {"client_id": APP, "scope": "email"}),
    ("amazon/ap/oa", {"client_id": AMAZON_CLIENT, "scope": "profile", "response_type": "code"}),
    ("google/o/oauth2/v2/auth", {"client_id": GOOGLE_CLIENT, "scope": "openid email", "response_type": "code"}),
    ("github/login/oauth/authorize", {"client_id": "Ov23liPersonalFiles1", "scope": "user:email"})])
def test_a_browser_goes_through_each_dialog(cloud, browser, application, provider, query):  # noqa: F811
    browser.get(f"{cloud.url}/idp/{provider}?{urlencode(query | {'redirect_uri': OTHER_REDIRECT_URI, 'state': 's'})}")
    press(browser, "person", "alice")
    press(browser, "action", "allow")
    patiently(browser).until(url_contains("127.0.0.1:8765/callback?"))
    answer = parse_qs(urlsplit(application[0]).query)
    assert answer["code"] and answer["state"] == ["s"]


def test_a_browser_leaves_a_permission_out(cloud, browser, application):  # noqa: F811
    query = {"client_id": APP, "scope": "email", "redirect_uri": OTHER_REDIRECT_URI, "response_type": "token,granted_scopes"}
    browser.get(f"{cloud.url}/idp/facebook/dialog/oauth?{urlencode(query)}")
    press(browser, "person", "bob")
    browser.find_element(By.CSS_SELECTOR, "input[name=decline][value=email]").click()
    press(browser, "action", "allow")
    patiently(browser).until(url_contains("127.0.0.1:8765/callback"))
    fragment = parse_qs(urlsplit(browser.current_url).fragment)
    assert fragment["denied_scopes"] == ["email"] and fragment["granted_scopes"] == ["public_profile"]
    assert "email" not in requests.get(
        f"{cloud.url}/idp/facebook/me", params={"access_token": fragment["access_token"][0], "fields": "email"}).json()


@pytest.mark.parametrize("host, path, form, member, address", [
    ("graph.facebook.com", "/v2.6/device/login", {"access_token": f"{APP}|{SECRET}"}, "verification_uri",
     "https://www.facebook.com/device"),
    ("api.amazon.com", "/auth/O2/create/codepair",
     {"response_type": "device_code", "client_id": AMAZON_CLIENT, "scope": "profile"}, "verification_uri",
     "https://amazon.com/us/code"),
    ("oauth2.googleapis.com", "/device/code", {"client_id": GOOGLE_CLIENT, "scope": "email"}, "verification_url",
     "https://www.google.com/device")])
def test_a_device_that_asks_the_real_host_is_sent_to_the_real_page(cloud, host, path, form, member, address):
    answer = requests.post(f"{cloud.url}{path}", data=form, headers={"Host": host}).json()
    assert answer[member] == address
    page = urlsplit(address)
    shown = requests.get(
        f"{cloud.url}{page.path}", params={"user_code": answer["user_code"]}, headers={"Host": page.hostname})
    assert shown.status_code == 200 and Page(shown).is_login and Page(shown).form.action == f"{page.path}/sign-in"


def test_facebooks_tools_lie_on_their_real_host(cloud):
    page = requests.get(f"{cloud.url}/tools/accesstoken", headers={"Host": "developers.facebook.com"})
    assert page.status_code == 200 and Page(page).is_login


@pytest.mark.parametrize("fault", ["expired", "revoked"])
@pytest.mark.parametrize("provider", ["facebook", "amazon"])
def test_a_bad_token_on_demand_is_rejected(cloud, provider, fault):
    with refused("IDPRejectedClaim", 403, "responded with HTTP/1.1 400 Bad Request"):
        assume(cloud, provider, cloud.token(provider, "alice", fault=fault))
