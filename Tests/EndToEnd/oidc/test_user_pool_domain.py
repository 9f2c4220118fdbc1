"""The domain of a user pool of Amazon Cognito: Authlib and requests at its endpoints."""

from urllib.parse import urljoin

import jwt
import pytest
import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from clients import client, refused
from cloud import REPOSITORY, TIMEOUT_SECONDS
from login_page import REDIRECT_URI, Page
from sandboxes import Sandbox
from user_pools import claims, codes

POOL = "us-east-1_Lighthous"
WEB = "lighthouseweb"
PASSWORD = "Lamp-0il-1858"
MACHINE = ("lighthousemachine", "lighthouse-machine-secret")
HOST = "lighthouse.auth.us-east-1.amazoncognito.com"


@pytest.fixture(scope="module")
def process_of_domain(process):
    with Sandbox.seeded(process, (REPOSITORY / "seed" / "user-pools.json5").read_text()) as cloud:
        yield cloud


@pytest.fixture
def lighthouse(process_of_domain):
    process_of_domain.reset()
    return process_of_domain


@pytest.fixture
def base(lighthouse):
    """The URL of the pool's domain."""
    return f"{lighthouse.url}/{POOL}"


def test_c43_an_app_gets_tokens_of_its_own(base):
    for method in ("client_secret_basic", "client_secret_post"):
        session = OAuth2Session(*MACHINE, scope="harbour/read", token_endpoint_auth_method=method)
        token = session.fetch_token(f"{base}/oauth2/token", grant_type="client_credentials")
        assert token["token_type"] == "Bearer" and "id_token" not in token and "refresh_token" not in token
        found = claims(token["access_token"])
        assert found["scope"] == "harbour/read" and found["sub"] == found["client_id"] == MACHINE[0] and "username" not in found


def test_c42_refusals_have_the_code_of_the_service(base):
    def post(**form):
        return requests.post(f"{base}/oauth2/token", data=form, timeout=TIMEOUT_SECONDS)

    identity = {"client_id": MACHINE[0], "client_secret": MACHINE[1]}
    for form, code in [
        (identity, "invalid_request"),
        (identity | {"grant_type": "password"}, "unsupported_grant_type"),
        (identity | {"grant_type": "client_credentials", "client_secret": "wrong"}, "invalid_client"),
        (identity | {"grant_type": "client_credentials", "scope": "harbour/delete"}, "invalid_scope"),
    ]:
        answer = post(**form)
        assert answer.status_code == 400 and answer.json() == {"error": code}


def test_c45_the_domain_is_at_its_host_name_and_below_the_pool(lighthouse, base):
    form = {"grant_type": "client_credentials"}
    for url, headers in [(base, {}), (lighthouse.url, {"Host": HOST})]:
        answer = requests.post(f"{url}/oauth2/token", data=form, auth=MACHINE, headers=headers, timeout=TIMEOUT_SECONDS)
        assert answer.status_code == 200 and answer.json()["token_type"] == "Bearer"
    admin = client(lighthouse, "cognito-idp")
    assert admin.describe_user_pool_domain(Domain="lighthouse")["DomainDescription"]["UserPoolId"] == POOL
    with refused("InvalidParameterException", 400, "User pool already has domain configured."):
        admin.create_user_pool_domain(Domain="other", UserPoolId=POOL)
    admin.delete_user_pool_domain(Domain="lighthouse", UserPoolId=POOL)
    assert admin.describe_user_pool_domain(Domain="lighthouse")["DomainDescription"] == {}
    gone = requests.post(f"{base}/oauth2/token", data=form, auth=MACHINE, timeout=TIMEOUT_SECONDS)
    assert gone.status_code == 400


class Visitor:
    """A person with a browser at the pages of the domain."""

    def __init__(self, base):
        self.base, self.browser = base, requests.Session()

    def open(self, url):
        """Opens a page, or returns the URL of the app that a redirect leads to."""
        return self._follow(self.browser.get(url, allow_redirects=False, timeout=TIMEOUT_SECONDS))

    def send(self, page, **filled):
        form = page.form
        assert set(filled) <= set(form.fields), f"no fields {set(filled)}, only {set(form.fields)}"
        data = form.fields | filled | dict(form.buttons)
        url = urljoin(page.url, form.action)
        return self._follow(self.browser.post(url, data=data, allow_redirects=False, timeout=TIMEOUT_SECONDS))

    def _follow(self, response):
        while response.is_redirect:
            location = urljoin(response.url, response.headers["Location"])
            if not location.startswith(self.base):
                return location
            response = self.browser.get(location, allow_redirects=False, timeout=TIMEOUT_SECONDS)
        return Page(response)


def relying_party(base):
    return OAuth2Session(
        WEB, redirect_uri=REDIRECT_URI, scope="openid email harbour/read", code_challenge_method="S256", token_endpoint_auth_method="none")


def log_in(base, visitor, name="alice", password=PASSWORD):
    """The session of a relying party after a login."""
    session, verifier = relying_party(base), generate_token(48)
    url, state = session.create_authorization_url(f"{base}/oauth2/authorize", code_verifier=verifier, nonce="n1")
    step = visitor.open(url)
    if isinstance(step, Page):
        step = visitor.send(step, username=name, password=password)
    session.fetch_token(f"{base}/oauth2/token", authorization_response=step, state=state, code_verifier=verifier)
    return session


def test_c40_a_relying_party_logs_in_with_pkce(lighthouse, base):
    metadata = requests.get(f"{base}/.well-known/openid-configuration", timeout=TIMEOUT_SECONDS).json()
    assert metadata["authorization_endpoint"] == f"{base}/oauth2/authorize" and metadata["token_endpoint"] == f"{base}/oauth2/token"
    visitor = Visitor(base)
    token = log_in(base, visitor).token
    keys = jwt.PyJWKClient(metadata["jwks_uri"])
    identity = jwt.decode(
        token["id_token"], keys.get_signing_key_from_jwt(token["id_token"]).key, algorithms=["RS256"], audience=WEB)
    assert identity["cognito:username"] == "alice" and identity["nonce"] == "n1" and identity["email"] == "alice@lighthouse.example"
    assert claims(token["access_token"])["scope"] == "openid email harbour/read"
    # The session in the browser answers without a page.
    assert isinstance(visitor.open(relying_party(base).create_authorization_url(
        f"{base}/oauth2/authorize", code_verifier=generate_token(48))[0]), str)


def test_c40_a_person_signs_up_on_the_pages(lighthouse, base):
    visitor, session = Visitor(base), relying_party(base)
    verifier = generate_token(48)
    url, _ = session.create_authorization_url(f"{base}/signup", code_verifier=verifier)
    page = visitor.send(
        visitor.open(url), username="carol", password=PASSWORD, **{"requiredAttributes[email]": "carol@lighthouse.example"})
    sent = codes(lighthouse, user="carol")[0]
    assert sent["purpose"] == "signUp"
    location = visitor.send(page, code=sent["code"])
    session.fetch_token(f"{base}/oauth2/token", authorization_response=location, code_verifier=verifier)
    assert claims(session.token["id_token"])["cognito:username"] == "carol"


def test_c41_errors_reach_the_error_page_or_the_app(base):
    def location(**query):
        answer = requests.get(f"{base}/oauth2/authorize", params=query, allow_redirects=False, timeout=TIMEOUT_SECONDS)
        assert answer.status_code == 302
        return answer.headers["Location"]

    good = {"client_id": WEB, "redirect_uri": REDIRECT_URI, "response_type": "code", "state": "s"}
    assert location(**good | {"redirect_uri": "https://evil.example/"}) == f"{base}/error?error=redirect_mismatch&client_id={WEB}"
    for change, code in [
        ({"response_type": "token"}, "unauthorized_client"), ({"scope": "phone"}, "invalid_scope"),
        ({"response_type": ""}, "invalid_request"), ({"code_challenge": "x"}, "invalid_request"),
    ]:
        assert location(**good | change) == f"{REDIRECT_URI}?error={code}&state=s"


def test_c44_userinfo_revocation_and_logout(lighthouse, base):
    visitor = Visitor(base)
    session = log_in(base, visitor)
    about = session.get(f"{base}/oauth2/userInfo", timeout=TIMEOUT_SECONDS).json()
    assert about["email"] == "alice@lighthouse.example" and about["email_verified"] == "true" and about["username"] == "alice"
    refreshed = session.refresh_token(f"{base}/oauth2/token", refresh_token=session.token["refresh_token"])
    assert claims(refreshed["access_token"])["origin_jti"] == claims(refreshed["id_token"])["origin_jti"]
    token = session.token["refresh_token"]
    assert session.revoke_token(f"{base}/oauth2/revoke", token=token).status_code == 200
    refused_answer = session.get(f"{base}/oauth2/userInfo", timeout=TIMEOUT_SECONDS)
    assert refused_answer.status_code == 401 and 'error="invalid_token"' in refused_answer.headers["WWW-Authenticate"]
    assert visitor.open(f"{base}/logout?client_id={WEB}&logout_uri=http://localhost:8765/") == "http://localhost:8765/"
    url = relying_party(base).create_authorization_url(f"{base}/oauth2/authorize", code_verifier=generate_token(48))[0]
    assert isinstance(visitor.open(url), Page)


def test_forms_of_other_sites_are_refused(base):
    session = requests.Session()
    query = {"client_id": WEB, "redirect_uri": REDIRECT_URI, "response_type": "code"}
    page = Page(session.get(f"{base}/login", params=query, timeout=TIMEOUT_SECONDS))
    filled = page.form.fields | {"username": "alice", "password": PASSWORD}
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = session.post(
            urljoin(page.url, page.form.action), data=filled, headers=headers, allow_redirects=False, timeout=TIMEOUT_SECONDS)
        assert answer.status_code == 403 and "Location" not in answer.headers
    answer = requests.post(urljoin(page.url, page.form.action), data=filled, allow_redirects=False, timeout=TIMEOUT_SECONDS)
    assert answer.status_code == 403, "without the cookie"
