"""Apache's OpenID Connect module as a relying party: it signs people in, keeps their tokens fresh and signs them out."""

import json

import pytest
import requests

import company
from apache import Apache, Visitor, free_port, readable_folder
from login_page import Page, Redirect

CLIENT, SECRET = "apache", "apache-client-secret"

CONFIGURATION = """
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client}
OIDCClientSecret {secret}
OIDCRedirectURI http://localhost:{port}/protected/redirect_uri
OIDCCryptoPassphrase a-passphrase-of-the-test
OIDCPKCEMethod S256
OIDCScope "openid profile email"
OIDCPassClaimsAs environment
OIDCPassIDTokenAs claims serialized
OIDCPassRefreshToken On
OIDCInfoHook iat access_token access_token_expires id_token userinfo refresh_token session
{further}
<Location /protected>
    AuthType openid-connect
    Require valid-user
</Location>
"""


@pytest.fixture(scope="module")
def port():
    return free_port()


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory, port):
    site = f"http://localhost:{port}"
    client = {
        "id": CLIENT, "secret": SECRET, "name": "Apache", "redirectURIs": [f"{site}/protected/redirect_uri"],
        "metadata": {
            "post_logout_redirect_uris": [f"{site}/bye"],
            "backchannel_logout_uri": f"{site}/protected/redirect_uri?logout=backchannel",
            "backchannel_logout_session_required": True}}
    with company.company(tmp_path_factory.mktemp("company"), [client]) as cloud:
        yield cloud


def started(cloud, folder, port, further=""):
    return Apache(folder, port, ["auth_openidc"], CONFIGURATION.format(
        issuer=company.issuer(cloud), client=CLIENT, secret=SECRET, port=port, further=further))


@pytest.fixture
def apache(cloud, port):
    cloud.reset()
    with readable_folder() as folder, started(cloud, folder, port) as apache:
        yield apache


@pytest.fixture
def alice():
    return Visitor("alice", "alice-password")


def information(visitor, apache):
    """What the module keeps about the visitor's session."""
    answer = visitor.browser.get(f"{apache.url}/protected/redirect_uri?info=json")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_visitor_signs_in_and_the_application_knows_who_it_is(cloud, apache, alice):
    environment = alice.environment(apache.page)
    assert environment["REMOTE_USER"] == f"{company.subject('alice')}@{company.issuer(cloud)}"
    assert environment["OIDC_CLAIM_sub"] == company.subject("alice")
    assert environment["OIDC_CLAIM_iss"] == company.issuer(cloud)
    assert environment["OIDC_CLAIM_aud"] == CLIENT
    # From userinfo, since the ID token of a code flow need not carry them.
    assert environment["OIDC_CLAIM_name"] == "Alice Archer"
    assert environment["OIDC_CLAIM_email"] == "alice@company.example"
    assert environment["OIDC_access_token"] and environment["OIDC_id_token"].count(".") == 2
    # The session is the module's own: no way leads back to the issuer.
    again = alice.browser.get(apache.page, allow_redirects=False)
    assert again.status_code == 200 and again.json()["OIDC_CLAIM_sub"] == company.subject("alice")
