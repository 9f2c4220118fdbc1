"""Google's own Python library as the relying party: verification, errors, and refreshes."""

import base64
import json

import google.auth.exceptions
import google.auth.transport.requests
import google.oauth2.credentials
import google.oauth2.id_token
import pytest
import requests

from login_page import REDIRECT_URI, Person

CLIENT, SECRET = "1234567890.apps.googleusercontent.com", "google-client-secret"

# The key set as X.509 certificates by key id, which is the library's default, and as JWKs.
CERTIFICATES = ["/oauth2/v1/certs", "/oauth2/v3/certs"]


@pytest.fixture
def google_url(cloud):
    return f"{cloud.url}/idp/google"


def sign_in(url, **parameters):
    """The response of the token endpoint after alice has logged in."""
    metadata = requests.get(f"{url}/.well-known/openid-configuration").json()
    request = requests.Request("GET", metadata["authorization_endpoint"], params={
        "response_type": "code", "client_id": CLIENT, "redirect_uri": REDIRECT_URI, "scope": "openid email profile",
        "state": "s", **parameters}).prepare().url
    redirect = Person("alice", "alice-password").authorize(request)
    answer = requests.post(metadata["token_endpoint"], data={
        "grant_type": "authorization_code", "code": redirect.query["code"], "redirect_uri": REDIRECT_URI,
        "client_id": CLIENT, "client_secret": SECRET})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def verify(google_url, monkeypatch):
    """Verifies a Google ID token with the library. Only the URL of the key set is changed."""

    def verify(token, audience=CLIENT, path=CERTIFICATES[0], **options):
        monkeypatch.setattr(google.oauth2.id_token, "_GOOGLE_OAUTH2_CERTS_URL", f"{google_url}{path}")
        return google.oauth2.id_token.verify_oauth2_token(
            token, google.auth.transport.requests.Request(), audience=audience, **options)

    return verify


@pytest.mark.parametrize("path", CERTIFICATES)
def test_a_token_is_verified(cloud, google_url, verify, path):
    claims = verify(sign_in(google_url, nonce="n-0S6")["id_token"], path=path)
    assert claims["iss"] == "https://accounts.google.com"
    assert (claims["aud"], claims["azp"], claims["nonce"]) == (CLIENT, CLIENT, "n-0S6")
    assert claims["sub"] == cloud.issue("google", "alice")["subject"] and claims["email"] == "alice@example.com"


def test_a_token_of_the_control_api_is_verified(cloud, verify):
    assert verify(cloud.token("google", "alice"))["email"] == "alice@example.com"


def test_a_credential_of_the_button_is_verified(google_url, verify):
    """An application compares the field with its own cookie, and verifies the credential."""
    alice = Person("alice", "alice-password")
    page = alice.open(requests.Request("GET", f"{google_url}/gsi/select", params={
        "client_id": CLIENT, "login_uri": REDIRECT_URI, "g_csrf_token": "cookie-1", "nonce": "n-1"}).prepare().url)
    page = alice.press(alice.sign_in(page), ("action", "allow"))
    assert page.form.action == REDIRECT_URI
    fields = page.form.fields
    assert (fields["g_csrf_token"], fields["client_id"]) == ("cookie-1", CLIENT)
    claims = verify(fields["credential"])
    assert (claims["email"], claims["nonce"]) == ("alice@example.com", "n-1")


def test_a_token_for_another_client_is_refused(google_url, verify):
    with pytest.raises(google.auth.exceptions.InvalidValue, match="audience"):
        verify(sign_in(google_url)["id_token"], audience="somebody-else.apps.googleusercontent.com")


def test_a_token_that_was_changed_is_refused(google_url, verify):
    header, claims, signature = sign_in(google_url)["id_token"].split(".")
    changed = json.loads(base64.urlsafe_b64decode(claims + "==")) | {"email": "mallory@example.com"}
    claims = base64.urlsafe_b64encode(json.dumps(changed).encode()).decode().rstrip("=")
    with pytest.raises((google.auth.exceptions.MalformedError, google.auth.exceptions.InvalidValue, ValueError), match="signature"):
        verify(f"{header}.{claims}.{signature}")


def test_a_token_of_another_issuer_is_refused(cloud, verify):
    """Signed by a key that Google does not publish."""
    with pytest.raises((google.auth.exceptions.GoogleAuthError, ValueError), match="(?i)key id|signature"):
        verify(cloud.token("company", "alice"), audience="web-app")


def test_a_token_that_has_expired_is_refused(cloud, google_url, verify):
    """The library uses real time, so the token is issued in the past."""
    cloud.control("POST", "clock", {"set": "2026-01-01T00:00:00Z"})
    token = cloud.token("google", "alice")
    with pytest.raises(google.auth.exceptions.InvalidValue, match="expired"):
        verify(token)


def test_credentials_refresh_themselves(google_url, verify):
    answer = sign_in(google_url, access_type="offline", prompt="consent")
    credentials = google.oauth2.credentials.Credentials(
        answer["access_token"], refresh_token=answer["refresh_token"], token_uri=f"{google_url}/token", client_id=CLIENT,
        client_secret=SECRET)
    credentials.refresh(google.auth.transport.requests.Request())
    assert credentials.token != answer["access_token"] and credentials.valid
    assert verify(credentials.id_token)["sub"] == verify(answer["id_token"])["sub"]
    session = google.auth.transport.requests.AuthorizedSession(credentials)
    assert session.get(f"{google_url}/v1/userinfo").json()["email"] == "alice@example.com"


def test_credentials_that_were_revoked_cannot_refresh(google_url):
    answer = sign_in(google_url, access_type="offline", prompt="consent")
    requests.post(f"{google_url}/revoke", data={"token": answer["refresh_token"]}).raise_for_status()
    credentials = google.oauth2.credentials.Credentials(
        None, refresh_token=answer["refresh_token"], token_uri=f"{google_url}/token", client_id=CLIENT, client_secret=SECRET)
    with pytest.raises(google.auth.exceptions.RefreshError, match="invalid_grant"):
        credentials.refresh(google.auth.transport.requests.Request())
