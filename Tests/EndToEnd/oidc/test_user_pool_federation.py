"""Sign-in at a user pool of Amazon Cognito with the identity providers of the same sandbox."""

import secrets
from urllib.parse import urlencode, urlsplit

import pytest
import requests

from clients import client
from cloud import TIMEOUT_SECONDS
from login_page import REDIRECT_URI, Person
from sandboxes import Sandbox, resolving_names_below_localhost
from user_pools import claims

POOL = "us-east-1_Harbour00"
PROVIDERS = {
    "Company": {"type": "OIDC", "attributeMapping": {"email": "email", "name": "name"}, "details": {
        "client_id": "pool", "client_secret": "pool-client-secret", "authorize_scopes": "openid email profile",
        "oidc_issuer": "https://login.harbour.example", "attributes_request_method": "GET"}},
    "Google": {"type": "Google", "attributeMapping": {"email": "email", "email_verified": "email_verified"}, "details": {
        "client_id": "1.apps.googleusercontent.com", "client_secret": "google-secret", "authorize_scopes": "openid email profile"}},
    "Facebook": {"type": "Facebook", "attributeMapping": {"email": "email", "name": "name"}, "details": {
        "client_id": "1234567890123456", "client_secret": "facebook-secret", "authorize_scopes": "public_profile,email"}},
    "LoginWithAmazon": {"type": "LoginWithAmazon", "attributeMapping": {"email": "email", "name": "name"}, "details": {
        "client_id": "amzn1.application-oa2-client.pool", "client_secret": "amazon-secret", "authorize_scopes": "profile"}},
}


def seed(callback):
    person = {"name": "ann", "password": "ann-password", "claims": {"email": "ann@harbour.example", "email_verified": True, "name": "Ann Archer"}}

    def provider(name, subject, **more):
        details = PROVIDERS[name]["details"]
        application = {"id": details["client_id"], "secret": details["client_secret"], "redirectURIs": [callback]}
        return {"clients": [application | more.pop("application", {})], "people": [person | {"subject": subject}]} | more

    return {
        "accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}], "userPools": [{
            "id": POOL, "name": "harbour", "domain": "harbour",
            "identityProviders": [{"name": name} | settings for name, settings in PROVIDERS.items()],
            "clients": [{
                "id": "web", "name": "web", "oauthFlows": ["code"], "oauthScopes": ["openid"], "callbackURLs": [REDIRECT_URI],
                "identityProviders": ["COGNITO", *PROVIDERS]}]}]}],
        "identityProviders": [
            provider("Company", "1", name="company", issuer="https://login.harbour.example"),
            provider("Google", "110169484474386276334", name="google"),
            provider("Facebook", "100001234567890", name="facebook"),
            provider(
                "LoginWithAmazon", "amzn1.account.AHARBOUR", name="amazon", application={"applicationID": "amzn1.application.pool"}),
        ]}


@pytest.fixture
def harbour(process, monkeypatch):
    resolving_names_below_localhost(monkeypatch)
    name = f"t-{secrets.token_hex(4)}"
    base = f"http://{name}.localhost:{urlsplit(process.url).port}/{POOL}"
    with Sandbox.seeded(process, seed(f"{base}/oauth2/idpresponse"), name=name) as cloud:
        cloud.pool = base
        yield cloud


def sign_in(harbour, provider, person=None):
    """The claims of the ID token after a sign-in with a provider."""
    query = {"client_id": "web", "response_type": "code", "redirect_uri": REDIRECT_URI, "scope": "openid", "identity_provider": provider}
    end = (person or Person("ann", "ann-password")).authorize(f"{harbour.pool}/oauth2/authorize?{urlencode(query)}")
    assert "error" not in end.query, end.query
    form = {"grant_type": "authorization_code", "client_id": "web", "code": end.query["code"], "redirect_uri": REDIRECT_URI}
    answer = requests.post(f"{harbour.pool}/oauth2/token", data=form, timeout=TIMEOUT_SECONDS)
    assert answer.status_code == 200, answer.text
    return claims(answer.json()["id_token"])


@pytest.mark.parametrize("provider", PROVIDERS)
def test_c46_people_of_providers_sign_in_at_the_pool(harbour, provider):
    found = sign_in(harbour, provider)
    assert found["cognito:username"].startswith(f"{provider}_") and found["identities"][0]["providerName"] == provider
    assert found["email"] == "ann@harbour.example"


def test_c48_people_have_a_username_and_mapped_attributes(harbour):
    person = Person("ann", "ann-password")
    first, second = sign_in(harbour, "Company", person), sign_in(harbour, "Company", Person("ann", "ann-password"))
    assert first["sub"] == second["sub"] and first["cognito:username"] == "Company_1" and first["name"] == "Ann Archer"
    assert first["email_verified"] is False and first["cognito:groups"] == [f"{POOL}_Company"]
    user = client(harbour, "cognito-idp").admin_get_user(UserPoolId=POOL, Username="Company_1")
    assert user["UserStatus"] == "EXTERNAL_PROVIDER"
    assert sign_in(harbour, "Google")["email_verified"] is True
