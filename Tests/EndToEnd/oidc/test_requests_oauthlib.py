"""requests-oauthlib, with its own compliance fix for Facebook, at the Facebook lookalike. Only the URLs are changed."""

import pytest
from requests_oauthlib import OAuth2Session
from requests_oauthlib.compliance_fixes import facebook_compliance_fix

from login_page import REDIRECT_URI, Person

APP, SECRET = "1234567890123456", "facebook-app-secret"


@pytest.mark.parametrize("header", [True, False], ids=["basic", "body"])
def test_it_signs_in_at_facebook(cloud, monkeypatch, header):
    """By default it sends id and secret by HTTP Basic."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    session = facebook_compliance_fix(OAuth2Session(APP, redirect_uri=REDIRECT_URI, scope=["email"]))
    graph = f"{cloud.url}/idp/facebook/v19.0"
    url, _ = session.authorization_url(f"{graph}/dialog/oauth")
    session.fetch_token(
        f"{graph}/oauth/access_token", client_secret=SECRET, include_client_id=None if header else True,
        authorization_response=Person("alice").authorize(url).url)
    assert session.get(f"{graph}/me?fields=name").json()["name"] == "Alice Archer"
