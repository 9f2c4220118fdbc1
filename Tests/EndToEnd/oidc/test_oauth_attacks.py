"""The attacks of RFC 9700 (OAuth 2.0 Security Best Current Practice) section 4 on authorization servers, and open redirects."""

import base64
import hashlib
from urllib.parse import quote, urlencode, urlsplit

import pytest
import requests

from login_page import OTHER_REDIRECT_URI, REDIRECT_URI, Page, Person, Redirect

VERIFIER = "verifier-" + "v" * 40
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
WEB = ("web-app", "web-app-client-secret")

# Each provider: the path of its authorization endpoint, and a registered client of the seed.
PROVIDERS = {
    "company": ("/idp/company/authorize", "web-app"),
    "google": ("/idp/google/o/oauth2/v2/auth", "1234567890.apps.googleusercontent.com"),
    "facebook": ("/idp/facebook/dialog/oauth", "1234567890123456"),
    "amazon": ("/idp/amazon/ap/oa", "amzn1.application-oa2-client.personalfiles")}

# Section 4.1.1 and the redirect tricks of public reports. The registered one is http://localhost:8765/callback.
TRICKS = [
    "https://evil.example/", "//evil.example/callback", "http://localhost:8765.evil.example/callback", "http://localhost:8765@evil.example/callback",
    "http://localhost:8765\\@evil.example/callback", "http://evil.example#http://localhost:8765/callback", "http://evil.example?http://localhost:8765/callback",
    "http://localhost:8765/callback/../evil", "http://localhost:8765/callback/..%2fevil", "http://localhost:8765/callback%2f..%2fevil",
    "http://localhost:8765/callback#fragment", "http://localhost:8765/callback?next=https://evil.example", "http://localhost:8765/callback%00.evil.example",
    "http://localhost:8765/callback\r\nLocation: https://evil.example", "http://localhost:8765/callback ", " http://localhost:8765/callback",
    "http://localhost:8765/callbackevil", "http://localhost:8765/Callback", "http://localhost:8765//callback", "http://localhost:8765/./callback",
    "http://localhost:8765/%63allback", "https://localhost:8765/callback", "http://localhost:87650/callback", "http://localhost/callback",
    "http://\u217c\u1d52\u1d9calhost:8765/callback", "http://localhost.:8765/callback", "http://user@localhost:8765/callback", "http://[::1]:8765/callback",
    "http://2130706433:8765/callback", "javascript:alert(1)//localhost:8765/callback", "data:text/html,x", "", "/callback", "http://localhost:8765"]


def endpoint(cloud, provider="company"):
    return cloud.url + PROVIDERS[provider][0]


def request(provider="company", **parameters):
    scope = {"facebook": "email", "amazon": "profile"}.get(provider, "openid")
    standard = {"client_id": PROVIDERS[provider][1], "response_type": "code", "redirect_uri": REDIRECT_URI, "scope": scope, "state": "s"}
    return {name: value for name, value in (standard | parameters).items() if value is not None}


def expect_no_redirect(cloud, response):
    """Expects a page for the user that leads nowhere else by itself."""
    location = response.headers.get("Location", "")
    assert not location or urlsplit(location).netloc in ("", urlsplit(cloud.url).netloc), location
    assert "http-equiv" not in response.text.lower() and "Refresh" not in response.headers
    if location:
        return expect_no_redirect(cloud, requests.get(requests.compat.urljoin(response.url, location), allow_redirects=False))
    assert response.status_code >= 400, response.url
    assert 'href="javascript' not in response.text and "<script>alert" not in response.text


@pytest.mark.parametrize("provider", PROVIDERS)
def test_only_the_registered_redirect_uri_is_used(cloud, provider):
    url = endpoint(cloud, provider)
    sound = requests.get(url, params=request(provider, redirect_uri=REDIRECT_URI), allow_redirects=True)
    assert sound.status_code == 200 and Page(sound).is_login, sound.text
    for trick in TRICKS:
        # Facebook allows this one for every app in development.
        if (provider, trick) == ("facebook", "http://localhost/callback"):
            continue
        expect_no_redirect(cloud, requests.get(url, params=request(provider, redirect_uri=trick), allow_redirects=False))


def test_two_redirect_uris_are_refused(cloud):
    for uris in [(REDIRECT_URI, "https://evil.example/"), ("https://evil.example/", REDIRECT_URI)]:
        query = urlencode(request(redirect_uri=None)) + "".join(f"&redirect_uri={quote(uri, safe='')}" for uri in uris)
        expect_no_redirect(cloud, requests.get(f"{endpoint(cloud)}?{query}", allow_redirects=False))


def redeem(cloud, code, client=WEB, **parameters):
    return requests.post(f"{cloud.url}/idp/company/token", auth=client, data={
        name: value for name, value in {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, **parameters}.items()
        if value is not None})


def code_of(cloud, **parameters):
    return Person("alice").authorize(f"{endpoint(cloud)}?{urlencode(request(**parameters))}").query


def test_an_error_names_the_issuer_against_mix_up(cloud):
    """Section 4.4, RFC 9207: the client compares `iss`, in successes and errors."""
    answer = code_of(cloud)
    assert answer["iss"] == f"{cloud.url}/idp/company"
    refused = Person("alice").authorize(f"{endpoint(cloud)}?{urlencode(request(response_type='magic'))}").query
    assert refused["error"] and refused["iss"] == f"{cloud.url}/idp/company"


def test_a_code_of_one_issuer_is_unknown_at_another(cloud):
    code = code_of(cloud)["code"]
    for path in ["/idp/google/token", "/idp/amazon/auth/o2/token", "/idp/facebook/oauth/access_token"]:
        answer = requests.post(cloud.url + path, data={
            "grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI, "client_id": "web-app", "client_secret": WEB[1]})
        assert answer.status_code >= 400 and "access_token" not in answer.text, path


def test_an_injected_code_fits_no_other_session(cloud):
    """Section 4.5: the code of the attacker's login, or a stolen one, in the session of another user."""
    stolen = code_of(cloud, code_challenge=CHALLENGE, code_challenge_method="S256", nonce="theirs")["code"]
    for parameters in [{}, {"code_verifier": None}, {"code_verifier": "x" * 43}, {"code_verifier": CHALLENGE}, {"code_verifier": ""},
                       {"code_verifier": VERIFIER + "\0"}, {"code_verifier": VERIFIER, "redirect_uri": OTHER_REDIRECT_URI},
                       {"code_verifier": VERIFIER, "redirect_uri": None}]:
        answer = redeem(cloud, stolen, **parameters)
        assert answer.status_code == 400 and answer.json()["error"] in ("invalid_grant", "invalid_request"), parameters
    other = redeem(cloud, stolen, client=None, client_id="cli", code_verifier=VERIFIER)
    assert other.status_code in (400, 401) and "access_token" not in other.text
    # It stays with its owner, and the nonce in the ID token reveals an injection to a client without PKCE.
    assert redeem(cloud, stolen, code_verifier=VERIFIER).json()["id_token"]


@pytest.mark.parametrize("parameters", [
    {"code_challenge_method": "S256"}, {"code_challenge": CHALLENGE, "code_challenge_method": "none"},
    {"code_challenge": CHALLENGE, "code_challenge_method": ""}, {"code_challenge": "", "code_challenge_method": "S256"},
    {"code_challenge": CHALLENGE + "=", "code_challenge_method": "S256"}, {"code_challenge": "short", "code_challenge_method": "S256"},
    {"code_challenge": CHALLENGE, "code_challenge_method": "s256"}])
def test_a_weakened_challenge_is_refused(cloud, parameters):
    """Section 4.8: PKCE downgrade."""
    answer = code_of(cloud, **parameters)
    assert answer["error"] == "invalid_request" and "code" not in answer


def test_a_removed_challenge_is_noticed(cloud):
    """Section 4.8.2: a verifier for a request from which the challenge was removed."""
    code = code_of(cloud)["code"]
    assert redeem(cloud, code, code_verifier=VERIFIER).json()["error"] == "invalid_grant"


def test_a_plain_challenge_is_not_a_digest(cloud):
    code = code_of(cloud, code_challenge=CHALLENGE, code_challenge_method="plain")
    if "error" not in code:
        assert redeem(cloud, code["code"], code_verifier=VERIFIER).json()["error"] == "invalid_grant"


def test_credentials_are_not_in_redirects_and_pages_are_not_cached(cloud):
    """Sections 4.2 and 4.3: leaks by Referer, history and caches; section 4.12: status 307 would repeat a password."""
    person = Person("alice", "alice-password")
    page = person.open(f"{endpoint(cloud)}?{urlencode(request())}")
    form = page.form
    answer = person.browser.post(requests.compat.urljoin(page.url, form.action), allow_redirects=False, data=form.fields | {
        "username": "alice", "password": "alice-password", "action": "login"})
    assert answer.status_code in (200, 302, 303) and "alice-password" not in answer.headers.get("Location", "") + answer.text
    for response in [answer, requests.get(page.url)]:
        assert "no-store" in response.headers["Cache-Control"]
        assert response.headers["Referrer-Policy"] in ("no-referrer", "same-origin", "origin")
    tokens = redeem(cloud, code_of(cloud)["code"])
    assert "no-store" in tokens.headers["Cache-Control"]


def test_a_login_page_is_not_framed(cloud):
    """Section 4.16: clickjacking."""
    page = requests.get(endpoint(cloud), params=request())
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_a_token_for_one_audience_opens_nothing_else(cloud):
    """Section 4.10: an access token at STS, and an ID token at userinfo."""
    tokens = redeem(cloud, code_of(cloud)["code"]).json()
    answer = requests.get(f"{cloud.url}/idp/company/userinfo", headers={"Authorization": f"Bearer {tokens['id_token']}"})
    assert answer.status_code == 401
    answer = requests.post(cloud.url, data={
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleSessionName": "abc", "WebIdentityToken": tokens["access_token"],
        "RoleArn": "arn:aws:iam::000000000000:role/personal-files-company"})
    assert answer.status_code == 400 and b"InvalidIdentityToken" in answer.content


def test_a_stranger_cannot_log_out_to_elsewhere(cloud):
    """Section 4.11: open redirects of the authorization server."""
    for path in ["/idp/company/logout", "/realms/company/protocol/openid-connect/logout"]:
        for query in [{"post_logout_redirect_uri": "https://evil.example/"}, {"post_logout_redirect_uri": "https://evil.example/", "client_id": "web-app"},
                      {"redirect_uri": "https://evil.example/"}, {"post_logout_redirect_uri": "//evil.example", "client_id": "web-app", "state": "s"}]:
            response = requests.get(cloud.url + path, params=query, allow_redirects=False)
            assert "evil.example" not in response.headers.get("Location", ""), (path, query)


@pytest.mark.parametrize("path", [
    "//evil.example", "/\\evil.example", "/%2f%2fevil.example", "//evil.example/%2f..", "/idp/company//evil.example", "/idp//evil.example/authorize",
    "/login?next=//evil.example", "/idp/company/login?return=https://evil.example", "/adfs/ls/?wctx=https://evil.example&wreply=https://evil.example",
    "/idp/company/saml/sso?RelayState=https://evil.example", "/_virga/ui//evil.example", "/_virga/ui/?next=//evil.example",
    "/_virga/ui/sign-in?to=//evil.example", "/mobile/platform/sso/redirect?RelayState=https://evil.example"])
def test_no_path_redirects_to_another_host(cloud, path):
    with requests.Session() as browser:
        for headers in [{}, {"User-Agent": "Mozilla/5.0", "Accept": "text/html", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}]:
            prepared = requests.Request("GET", cloud.url, headers=headers).prepare()
            prepared.url = cloud.url + path
            response = browser.send(prepared, allow_redirects=False)
            location = response.headers.get("Location", "")
            assert not location.startswith("//") and "\\" not in location
            assert urlsplit(location).netloc in ("", urlsplit(cloud.url).netloc), location


def test_a_stolen_session_of_another_person_gets_no_code(cloud):
    """Section 4.7: cross-site request forgery of the login form; its token belongs to one browser."""
    page = Person("alice").open(f"{endpoint(cloud)}?{urlencode(request())}")
    answer = requests.post(requests.compat.urljoin(page.url, page.form.action), allow_redirects=False, data=page.form.fields | {
        "username": "alice", "password": "alice-password", "action": "login"})
    assert answer.status_code >= 400 and "code=" not in answer.headers.get("Location", "")
    assert not isinstance(answer, Redirect)
