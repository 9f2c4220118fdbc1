"""social-auth-core, the backends behind the social logins of Django, Flask and others, at Google, Facebook, a realm of Keycloak and the issuer
`company`. The website is the smallest that the library accepts: its users, its sessions and its storage are in memory."""

from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import requests
from social_core.actions import do_auth, do_complete, do_disconnect
from social_core.backends.facebook import FacebookOAuth2
from social_core.backends.google import GoogleOAuth2
from social_core.backends.keycloak import KeycloakOAuth2
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.exceptions import AuthCanceled, AuthCredentialError, AuthProviderError, AuthResponseError, AuthSessionError
from social_core.storage import AssociationMixin, BaseStorage, NonceMixin, UserMixin
from social_core.strategy import BaseStrategy

from cloud import REPOSITORY
from company import issuer
from login_page import REDIRECT_URI, Person
from sandboxes import Sandbox

# The URLs in the library, and where they are here.
HOSTS = {
    "https://accounts.google.com": "/idp/google", "https://www.googleapis.com": "/idp/google",
    "https://www.facebook.com": "/idp/facebook", "https://graph.facebook.com": "/idp/facebook"}

GOOGLE = {
    "SOCIAL_AUTH_GOOGLE_OAUTH2_KEY": "1234567890.apps.googleusercontent.com",
    "SOCIAL_AUTH_GOOGLE_OAUTH2_SECRET": "google-client-secret"}
FACEBOOK = {
    "SOCIAL_AUTH_FACEBOOK_KEY": "1234567890123456", "SOCIAL_AUTH_FACEBOOK_SECRET": "facebook-app-secret",
    "SOCIAL_AUTH_FACEBOOK_SCOPE": ["email"],
    "SOCIAL_AUTH_FACEBOOK_PROFILE_EXTRA_PARAMS": {"fields": "id,name,first_name,last_name,email"}}


class Account(UserMixin):
    """A user's account at a provider."""

    def __init__(self, user, uid, provider, id_key):
        self.user, self.uid, self.provider, self.id_key, self.extra_data = user, uid, provider, id_key, {}

    def save(self):
        pass


class Users(UserMixin):
    """The users and their accounts."""

    def __init__(self):
        self.users, self.accounts = [], []

    def save(self):
        pass

    def changed(self, user):
        pass

    def user_model(self):
        return SimpleNamespace

    def username_max_length(self):
        return 150

    def get_username(self, user):
        return user.username

    def user_exists(self, username):
        return any(user.username == username for user in self.users)

    def create_user(self, username, email=None):
        user = SimpleNamespace(
            id=len(self.users) + 1, username=username, email=email, first_name="", last_name="", is_active=True, is_authenticated=True)
        self.users.append(user)
        return user

    def get_social_auth(self, provider, uid, id_key=None):
        found = [account for account in self.accounts if (account.provider, account.uid) == (provider, uid)]
        return next((account for account in found if id_key in (None, account.id_key)), None)

    def create_social_auth(self, user, uid, provider, id_key=""):
        self.accounts.append(Account(user, uid, provider, id_key))
        return self.accounts[-1]

    def get_social_auth_for_user(self, user, provider=None, id=None):
        return [account for account in self.accounts if account.user is user and account.provider == provider]

    def allowed_to_disconnect(self, user, backend_name, association_id=None):
        return True

    def disconnect(self, entry):
        self.accounts.remove(entry)


class Nonces(NonceMixin):
    def __init__(self):
        self.used = set()

    def use(self, server_url, timestamp, salt):
        self.used.add((server_url, timestamp, salt))
        return True

    def consume(self, server_url, timestamp, salt):
        known = (server_url, timestamp, salt) in self.used
        self.used.discard((server_url, timestamp, salt))
        return known


class Association(AssociationMixin):
    def __init__(self, id, server_url, association):
        self.id, self.server_url, self.handle = id, server_url, association.handle
        self.issued, self.lifetime, self.assoc_type = association.issued, association.lifetime, association.assoc_type


class Associations(AssociationMixin):
    def __init__(self):
        self.stored = []

    def store(self, server_url, association):
        self.stored.append(Association(len(self.stored), server_url, association))

    def get(self, server_url, handle):
        return [entry for entry in self.stored if (entry.server_url, entry.handle) == (server_url, handle)]

    def remove(self, ids_to_delete):
        self.stored = [entry for entry in self.stored if entry.id not in ids_to_delete]


class Website(BaseStrategy):
    """A website with one backend and one browser session. `data` is the query of the current request."""

    def __init__(self, cloud, backend, settings):
        storage = BaseStorage()
        storage.user, storage.nonce, storage.association = Users(), Nonces(), Associations()
        super().__init__(storage)
        self.settings = {"SOCIAL_AUTH_LOGIN_REDIRECT_URL": "/home", **settings}
        self.session, self.data = {}, {}

        def local(url):
            for host, place in HOSTS.items():
                if url.startswith(f"{host}/"):
                    return cloud.url + place + url.removeprefix(host)
            return url

        class Local(backend):
            """The backend with the URLs of the cloud."""

            def auth_url(self):
                return local(super().auth_url())

            def request(self, url, *arguments, **named):
                return super().request(local(url), *arguments, **named)

        self.backend = Local

    def get_backend(self, name, redirect_uri=REDIRECT_URI, **named):
        return self.backend(self, redirect_uri=redirect_uri)

    def get_setting(self, name):
        return self.settings[name]

    def request_host(self):
        return urlsplit(REDIRECT_URI).netloc

    def build_absolute_uri(self, path=None):
        return path

    def get_request_data(self, merge=True):
        return self.data

    def redirect(self, url):
        return url

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value

    def session_pop(self, name):
        return self.session.pop(name, None)

    def start(self):
        """The URL to which the site sends the browser."""
        self.data = {}
        return do_auth(self.get_backend(self.backend.name))

    def arrive(self, redirect):
        """Handles the redirect of the provider. Returns the account that logged in."""
        logged_in = []
        self.data = redirect.query
        place = do_complete(self.get_backend(self.backend.name), login=lambda backend, user, account: logged_in.append(account))
        assert urlsplit(place).path == "/home"
        [account] = logged_in
        return account

    def log_in(self, person):
        return self.arrive(person.authorize(self.start()))

    def disconnect(self, account):
        """Removes the account from the user, and revokes its token."""
        self.data = {}
        do_disconnect(self.get_backend(self.backend.name), account.user, None)


def details(account):
    return account.user.username, account.user.email, account.user.first_name, account.user.last_name


def test_google_logs_a_user_in(cloud):
    site = Website(cloud, GoogleOAuth2, GOOGLE)
    person = Person("alice", "alice-password")
    account = site.log_in(person)
    assert account.uid == cloud.issue("google", "alice")["subject"]
    assert details(account) == ("alice", "alice@example.com", "Alice", "Archer")
    assert site.log_in(person) is account
    assert len(site.storage.user.users) == 1
    assert site.log_in(Person("bob")).user.email == "bob@example.com"


def test_google_refreshes_and_revokes(cloud):
    site = Website(cloud, GoogleOAuth2, {
        **GOOGLE, "SOCIAL_AUTH_GOOGLE_OAUTH2_AUTH_EXTRA_ARGUMENTS": {"access_type": "offline", "prompt": "consent"},
        "SOCIAL_AUTH_REVOKE_TOKENS_ON_DISCONNECT": True})
    account = site.log_in(Person("alice"))
    first = account.extra_data["access_token"]
    assert account.extra_data["refresh_token"]
    account.refresh_token(site)
    assert account.extra_data["access_token"] != first
    site.disconnect(account)
    assert site.storage.user.accounts == []
    with pytest.raises(AuthCredentialError) as raised:
        account.refresh_token(site)
    assert raised.value.provider_code == "invalid_grant"


def test_facebook_logs_a_user_in(cloud):
    """It proves its calls with the app's secret. It stores the scopes that Facebook returns."""
    site = Website(cloud, FacebookOAuth2, FACEBOOK | {
        "SOCIAL_AUTH_FACEBOOK_AUTH_EXTRA_ARGUMENTS": {"response_type": "code,granted_scopes"}})
    account = site.log_in(Person("alice", "alice-password"))
    assert account.uid == cloud.issue("facebook", "alice")["subject"]
    assert details(account) == ("AliceArcher", "alice@example.com", "Alice", "Archer")
    assert account.extra_data["expires_in"] > 0
    assert sorted(account.extra_data["granted_scopes"]) == ["email", "public_profile"]


def test_facebook_extends_and_revokes(cloud):
    site = Website(cloud, FacebookOAuth2, FACEBOOK | {"SOCIAL_AUTH_REVOKE_TOKENS_ON_DISCONNECT": True})
    account = site.log_in(Person("bob"))
    first = account.extra_data["access_token"]
    account.refresh_token(site)
    token = account.extra_data["access_token"]
    assert token != first
    assert account.extra_data["expires_in"] == 5184000
    site.disconnect(account)
    answer = requests.get(f"{cloud.url}/idp/facebook/me", params={"access_token": token})
    assert answer.json()["error"]["code"] == 190


def test_facebook_refuses_a_wrong_secret(cloud):
    site = Website(cloud, FacebookOAuth2, FACEBOOK | {"SOCIAL_AUTH_FACEBOOK_SECRET": "wrong"})
    with pytest.raises(AuthProviderError) as raised:
        site.log_in(Person("alice"))
    assert raised.value.provider_code == 1
    assert raised.value.detail == "Error validating client secret."


@pytest.mark.parametrize("backend, settings", [(GoogleOAuth2, GOOGLE), (FacebookOAuth2, FACEBOOK)], ids=["google", "facebook"])
def test_a_user_may_cancel(cloud, backend, settings):
    site = Website(cloud, backend, settings)
    person = Person("alice")
    page = person.sign_in(person.open(site.start()))
    redirect = person.press(page, ("action", "deny"))
    with pytest.raises(AuthCanceled):
        site.arrive(redirect)


@pytest.fixture(scope="module")
def realm(process):
    """A realm of Keycloak."""
    with Sandbox.seeded(process, (REPOSITORY / "seed" / "keycloak.json5").read_text()) as cloud:
        yield cloud


def keycloak_settings(realm, **further):
    base = f"{realm.url}/realms/demorealm"
    return {
        "SOCIAL_AUTH_KEYCLOAK_KEY": "my_client", "SOCIAL_AUTH_KEYCLOAK_SECRET": "my_client_secret",
        "SOCIAL_AUTH_KEYCLOAK_PUBLIC_KEY": requests.get(base).json()["public_key"],
        "SOCIAL_AUTH_KEYCLOAK_AUTHORIZATION_URL": f"{base}/protocol/openid-connect/auth",
        "SOCIAL_AUTH_KEYCLOAK_ACCESS_TOKEN_URL": f"{base}/protocol/openid-connect/token", **further}


class KeycloakAccount(KeycloakOAuth2):
    """The documentation of the backend requires a mapper that adds the client to the audience. Keycloak's own default is `account`."""

    def audience(self):
        return "account"


def test_keycloak_logs_a_user_in(realm):
    site = Website(realm, KeycloakAccount, keycloak_settings(realm))
    account = site.log_in(Person("testuser", "password"))
    assert account.uid == "9754a26f-d7b0-4da0-8c1d-0b4d2a5b9d31"
    assert details(account) == ("testuser", "testuser@example.com", "Test", "User")


def test_keycloaks_default_audience_is_not_the_client(realm):
    site = Website(realm, KeycloakOAuth2, keycloak_settings(realm))
    with pytest.raises(AuthResponseError) as raised:
        site.log_in(Person("testuser", "password"))
    assert raised.value.claim == "aud"


def company_settings(cloud, **further):
    return {
        "SOCIAL_AUTH_OIDC_OIDC_ENDPOINT": issuer(cloud), "SOCIAL_AUTH_OIDC_KEY": "web-app",
        "SOCIAL_AUTH_OIDC_SECRET": "web-app-client-secret", **further}


@pytest.mark.parametrize("further", [
    {}, {"SOCIAL_AUTH_OIDC_USE_PKCE": True}, {"SOCIAL_AUTH_OIDC_TOKEN_ENDPOINT_AUTH_METHOD": "client_secret_post"},
    {"SOCIAL_AUTH_OIDC_PROMPT": "login", "SOCIAL_AUTH_OIDC_MAX_AGE": 60, "SOCIAL_AUTH_OIDC_DISPLAY": "page"}],
    ids=["default", "pkce", "post", "prompt"])
def test_openid_connect_logs_a_user_in(cloud, further):
    site = Website(cloud, OpenIdConnectAuth, company_settings(cloud, **further))
    account = site.log_in(Person("alice", "alice-password"))
    assert account.uid == cloud.issue("company", "alice")["subject"]
    assert details(account)[1:] == ("alice@company.example", "Alice", "Archer")


def test_openid_connect_refreshes(cloud):
    """The library compares issuer, subject, audience, nonce and time of login with those of the first ID token."""
    site = Website(cloud, OpenIdConnectAuth, company_settings(
        cloud, SOCIAL_AUTH_OIDC_SCOPE=["offline_access"], SOCIAL_AUTH_OIDC_PROMPT="consent"))
    account = site.log_in(Person("alice"))
    first = dict(account.extra_data)
    account.refresh_token(site)
    assert account.extra_data["access_token"] != first["access_token"]
    assert account.extra_data["id_token"] != first["id_token"]


def test_a_redirect_is_accepted_once(cloud):
    site = Website(cloud, OpenIdConnectAuth, company_settings(cloud))
    redirect = Person("alice").authorize(site.start())
    site.arrive(redirect)
    with pytest.raises(AuthSessionError):
        site.arrive(redirect)
