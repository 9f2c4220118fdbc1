"""mozilla-django-oidc, the OpenID Connect client of many Django sites, in a small Django project in this process. Its settings are those of
its documentation: the endpoints, the client, and the algorithm of ID tokens."""

from urllib.parse import parse_qs, urlencode, urlsplit

import django
import pytest
import requests
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import include, path

from company import issuer
from login_page import REDIRECT_URI, Page, Person, Redirect
from openid_flow import alice

SITE = urlsplit(REDIRECT_URI)
# The library's path of the callback ends with a slash.
CALLBACK, GOODBYE = f"{REDIRECT_URI}/", f"{REDIRECT_URI}/goodbye"
CLIENT, SECRET = "django-site", "the-secret-of-this-site-with-256-bits"


def home(request):
    return HttpResponse(request.user.email if request.user.is_authenticated else "anonymous")


def logout_url(request):
    """The URL to which the site sends a user who logs out: the issuer's logout endpoint."""
    query = {"id_token_hint": request.session["oidc_id_token"], "post_logout_redirect_uri": GOODBYE}
    return f"{settings.END_SESSION_ENDPOINT}?{urlencode(query)}"


@pytest.fixture(scope="module", autouse=True)
def project():
    """The Django project. Its users and sessions are in a database in memory. A process can configure Django only once."""
    settings.configure(
        SECRET_KEY="the-key-of-this-site", ALLOWED_HOSTS=[SITE.hostname], LOGGING_CONFIG=None, LOGIN_REDIRECT_URL="/", LOGOUT_REDIRECT_URL="/",
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "mozilla_django_oidc"],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
            "mozilla_django_oidc.middleware.SessionRefresh"],
        AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        LOGIN_REDIRECT_URL_FAILURE="/?failed", OIDC_STORE_ID_TOKEN=True, OIDC_OP_LOGOUT_URL_METHOD=f"{__name__}.logout_url",
        # The endpoints are read when the middleware is loaded; `site` sets them.
        OIDC_RP_CLIENT_ID=CLIENT, OIDC_RP_CLIENT_SECRET=SECRET)
    django.setup()
    settings.ROOT_URLCONF = (path("", home), path("", include("mozilla_django_oidc.urls")))
    call_command("migrate", verbosity=0)
    yield
    connection.close()


@pytest.fixture
def site(cloud):
    """Starts the site with further settings and without users. Returns a browser's session at it."""
    metadata = requests.get(f"{issuer(cloud)}/.well-known/openid-configuration").json()
    overrides = []

    def start(algorithm="HS256", **further):
        # HS256 is the library's default, which needs no setting.
        signing = {} if algorithm == "HS256" else {"OIDC_RP_SIGN_ALGO": algorithm}
        cloud.control("PUT", f"providers/company/clients/{CLIENT}", {
            "id": CLIENT, "secret": SECRET, "redirectURIs": [CALLBACK],
            "metadata": {"id_token_signed_response_alg": algorithm, "post_logout_redirect_uris": [GOODBYE]}})
        overrides.append(override_settings(**{
            "OIDC_OP_AUTHORIZATION_ENDPOINT": metadata["authorization_endpoint"], "OIDC_OP_TOKEN_ENDPOINT": metadata["token_endpoint"],
            "OIDC_OP_USER_ENDPOINT": metadata["userinfo_endpoint"], "OIDC_OP_JWKS_ENDPOINT": metadata["jwks_uri"],
            "END_SESSION_ENDPOINT": metadata["end_session_endpoint"], **signing, **further}))
        overrides[-1].enable()
        call_command("flush", verbosity=0, interactive=False)
        return Client(HTTP_HOST=SITE.netloc)

    yield start
    for override in reversed(overrides):
        override.disable()


def users():
    from django.contrib.auth.models import User

    return list(User.objects.values_list("email", flat=True))


def authorize(browser, person):
    """Starts a login at the site and completes it at the issuer. Returns the redirect to the site."""
    started = browser.get("/authenticate/")
    assert started.status_code == 302
    redirect = person.authorize(started["Location"])
    assert redirect.url.startswith(f"{CALLBACK}?")
    return redirect


def arrive(browser, redirect):
    """The site's response to the redirect."""
    return browser.get(f"/callback/?{urlsplit(redirect.url).query}")


def log_in(browser, person):
    answer = arrive(browser, authorize(browser, person))
    assert (answer.status_code, answer["Location"]) == (302, "/")
    return browser.get("/").content.decode()


@pytest.mark.parametrize("algorithm", ["HS256", "RS256", "ES256"])
def test_a_user_is_created_at_the_first_login(site, algorithm):
    browser = site(algorithm)
    assert browser.get("/").content == b"anonymous"
    assert log_in(browser, alice()) == "alice@company.example"
    assert log_in(site_of_another(browser), alice()) == "alice@company.example"
    assert users() == ["alice@company.example"]
    assert log_in(site_of_another(browser), Person("bob")) == "bob@company.example"
    assert users() == ["alice@company.example", "bob@company.example"]


def site_of_another(browser):
    """The session of another browser at the same site."""
    return Client(**browser.defaults)


@pytest.mark.parametrize("further", [
    {"OIDC_USE_PKCE": True}, {"OIDC_TOKEN_USE_BASIC_AUTH": True}, {"OIDC_USE_NONCE": False},
    {"OIDC_AUTH_REQUEST_EXTRA_PARAMS": {"prompt": "login", "ui_locales": "de"}}], ids=["pkce", "basic", "no-nonce", "extra"])
def test_its_settings_reach_the_issuer(site, further):
    assert log_in(site(**further), alice()) == "alice@company.example"


def test_a_token_with_another_secret_is_refused(site, cloud):
    """The site still has the secret of before, and the issuer another one for the same client."""
    browser = site()
    redirect = authorize(browser, alice())
    client = {"id": CLIENT, "secret": SECRET[::-1], "formerSecret": SECRET, "redirectURIs": [CALLBACK]}
    cloud.control("PUT", f"providers/company/clients/{CLIENT}", client | {"metadata": {"id_token_signed_response_alg": "HS256"}})
    assert arrive(browser, redirect).status_code == 400
    assert users() == []


def test_a_code_is_accepted_once(site):
    """The site forgets a state with its first use, and the issuer a code."""
    browser = site()
    redirect = authorize(browser, alice())
    assert arrive(browser, redirect)["Location"] == "/"
    assert arrive(browser, redirect).status_code == 400
    with pytest.raises(requests.HTTPError, match="invalid_grant"):
        other = site_of_another(browser)
        state = parse_qs(urlsplit(other.get("/authenticate/")["Location"]).query)["state"][0]
        other.get("/callback/", {"code": redirect.query["code"], "state": state})


def test_a_wrong_secret_is_refused(site):
    browser = site(OIDC_RP_CLIENT_SECRET="wrong")
    with pytest.raises(requests.HTTPError, match="status: 401, body: .*invalid_client"):
        arrive(browser, authorize(browser, alice()))
    assert users() == []


def test_a_user_who_declines_is_not_logged_in(site):
    browser = site()
    person = alice()
    page = person.open(browser.get("/authenticate/")["Location"])
    redirect = person.press(page, ("action", "deny"))
    assert redirect.query["error"] == "access_denied"
    assert arrive(browser, redirect)["Location"] == "/?failed"
    assert users() == []


def test_a_logout_ends_both_sessions(site):
    browser = site()
    person = alice()
    log_in(browser, person)
    silent = browser.get("/authenticate/")["Location"] + "&prompt=none"
    assert "code" in person.open(silent).query
    answer = browser.post("/logout/")
    assert browser.get("/").content == b"anonymous"
    step = person.open(answer["Location"])
    assert isinstance(step, Redirect)
    assert step.url == GOODBYE
    step = person.open(browser.get("/authenticate/")["Location"])
    assert isinstance(step, Page)
    assert step.is_login


def test_an_old_session_is_renewed_without_a_page(site):
    """The library's middleware sends the browser to the issuer with `prompt=none`."""
    browser = site(OIDC_RENEW_ID_TOKEN_EXPIRY_SECONDS=-1)
    person = alice()
    arrive(browser, authorize(browser, person))
    renewing = browser.get("/")
    assert parse_qs(urlsplit(renewing["Location"]).query)["prompt"] == ["none"]
    with override_settings(OIDC_RENEW_ID_TOKEN_EXPIRY_SECONDS=900):
        arrive(browser, person.open(renewing["Location"]))
    assert browser.get("/").content == b"alice@company.example"


def test_a_session_that_the_issuer_has_ended_is_not_renewed(site):
    browser = site(OIDC_RENEW_ID_TOKEN_EXPIRY_SECONDS=-1)
    arrive(browser, authorize(browser, alice()))
    stranger = alice().open(browser.get("/")["Location"])
    assert stranger.query["error"] == "login_required"
    assert arrive(browser, stranger)["Location"] == "/?failed"
    assert browser.get("/").content == b"anonymous"
