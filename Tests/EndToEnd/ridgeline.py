"""Ridgeline, the company of `seed/mobile-cloud.json5`, and the logins of its users at the mobile cloud."""

import base64
import gzip
import json
import re
from contextlib import contextmanager

import requests
from lxml import etree

from cloud import REPOSITORY, Cloud

SEED = REPOSITORY / "seed" / "mobile-cloud.json5"
PROVIDER, ISSUER = "ridgeline", "https://login.ridgeline.example"
FACEBOOK_APP = "2345678901234567"
EXCHANGE, REDIRECT = "/mobile/platform/sso/exchange-token", "/mobile/platform/sso/redirect"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
TOKEN_CONFIGURATION = "Security_AuthTokenConfiguration"
ERROR_MEMBERS = {"type", "status", "title", "detail", "o:ecid", "o:errorCode", "o:errorPath"}


@contextmanager
def serving(*arguments):
    """Runs a process with the seed. Its port does not end in 1, which the SDK would interpret differently."""
    while True:
        with Cloud.ephemeral("--seed", SEED, *arguments) as cloud:
            if cloud.url.endswith("1"):
                continue
            yield cloud
            assert cloud.process.poll() is None, f"ended by itself with {cloud.process.returncode}:\n{cloud.logged()}"
            assert cloud.stop() == 0, cloud.logged()
            return


class Backend:
    """A backend for an app: the keys of its configuration file, and the calls of a program without the SDK."""

    def __init__(self, cloud, name):
        self.cloud, self.name = cloud, name
        self.record = cloud.control("GET", f"mobile/backends/{name}(1.0)")

    def __getattr__(self, member):
        return self.record[member]

    @property
    def anonymous_key(self):
        return base64.b64encode(f"{self.anonymousUser}:{self.anonymousPassword}".encode()).decode()

    @property
    def anonymous(self):
        return {"Authorization": f"Basic {self.anonymous_key}", "Oracle-Mobile-Backend-ID": self.id}

    def basic(self, username, password=None):
        text = f"{username}:{password or username + '-password'}"
        return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode(), "Oracle-Mobile-Backend-ID": self.id}

    def facebook(self, token):
        return self.anonymous | {
            "Oracle-Mobile-Social-Identity-Provider": "facebook", "Oracle-Mobile-Social-Access-Token": token}

    @property
    def client(self):
        """Way 1 of the JWT exchange, and the authentication at the token endpoint."""
        return self.clientID, self.clientSecret

    def call(self, method, path, headers=None, body=None):
        return requests.request(method, self.cloud.url + path, headers=headers, json=body, allow_redirects=False)

    def custom(self, method, path, headers=None, body=None):
        return self.call(method, f"/mobile/custom/{path}", headers, body)

    # The relay.

    def exchange_saml(self, token):
        """Calls the exchange endpoint with GET and a token of an external issuer."""
        return self.call("GET", EXCHANGE, {"Authorization": f"Bearer {token}", "Oracle-Mobile-Backend-ID": self.id})

    def exchange_jwt(self, token, client=True, **fields):
        """Posts to the JWT exchange; `client` sends the client's credentials by way 1."""
        form = {"grant_type": JWT_BEARER, "assertion": token} | fields
        return requests.post(f"{self.cloud.url}/mobile/platform/auth/token", data=form, auth=self.client if client else None)

    def token(self, **form):
        """Requests a token at the OAuth token endpoint."""
        answer = requests.post(f"{self.cloud.url}/oam/oauth2/tokens", data=form, auth=self.client)
        assert answer.status_code == 200, answer.text
        return answer.json()["access_token"]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def access_token(answer):
    """The token in a successful response of the relay."""
    assert answer.status_code == 200, answer.text
    return answer.json()["access_token"]


def register_app(cloud, entity_id=None):
    """Registers the mobile cloud at the company's identity provider with this process's URL, as the seed does for port 4566."""
    entity_id = entity_id or cloud.url + EXCHANGE
    cloud.control("PUT", f"providers/{PROVIDER}/service-providers", {
        "entityID": entity_id, "name": "Ridgeline's mobile cloud",
        "assertionConsumerServices": [cloud.url + REDIRECT, cloud.url + REDIRECT + "/saml"],
        "attributes": [{"name": "mail", "claim": "email"}, {"name": "roles", "claim": "roles"}]})
    return entity_id


def saml_response(cloud, user, entity_id=None, **order):
    """The XML of a response about an employee, which an app's web view reads from the form."""
    answer = cloud.control("POST", "tokens", {
        "provider": PROVIDER, "user": user, "serviceProvider": entity_id or cloud.url + EXCHANGE, **order})
    return base64.b64decode(answer["SAMLResponse"])


def external_token(response):
    """The token that an app makes of it: the assertion with the namespaces of its ancestors, compressed, in base64."""
    assertion = etree.fromstring(response).find("{urn:oasis:names:tc:SAML:2.0:assertion}Assertion")
    return base64.b64encode(gzip.compress(etree.tostring(assertion, with_tail=False))).decode()


def saml_token(cloud, user, **order):
    return external_token(saml_response(cloud, user, **order))


def jwt(cloud, user, **order):
    """An ID token of an employee for the company's app."""
    return cloud.token(PROVIDER, user, client="ridgeline-app", **order)


def configure_tokens(cloud, change):
    """Changes the first issuer of the token configuration, and makes the relay reload the policy."""
    value = cloud.control("GET", f"mobile/policies/{TOKEN_CONFIGURATION}")
    configuration = json.loads(value["value"])
    change(configuration["issuers"][0])
    cloud.control("PUT", f"mobile/policies/{TOKEN_CONFIGURATION}", {"value": json.dumps(configuration)})
    # Longer than policyMaxReloadInterval.
    cloud.age("PT2M1S")


def refusal(answer, status, detail=None):
    """Checks the platform's error document; returns its code."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    error = answer.json()
    assert set(error) - {"o:errorDetails"} == ERROR_MEMBERS and error["status"] == status, error
    assert re.fullmatch(r"MOBILE-\d{5}", error["o:errorCode"]), error
    if detail:
        assert re.search(detail, error["detail"]), error
    return error["o:errorCode"]


def oauth_refusal(answer, status, error, description=None):
    """Checks an OAuth error (RFC 6749 section 5.2)."""
    assert (answer.status_code, answer.json()["error"]) == (status, error), f"{answer.status_code} {answer.text}"
    if description:
        assert re.search(description, answer.json()["error_description"]), answer.text


def configuration(cloud):
    """The configuration files of the apps, as their developers write them for the SDK."""
    backends = {name: Backend(cloud, name) for name in ("LiftCare", "CablePartners", "Skiers", "Screens")}
    care, skiers = backends["LiftCare"], backends["Skiers"]
    endpoint = f"{cloud.url}/oam/oauth2/tokens"
    client = {"clientId": care.clientID, "clientSecret": care.clientSecret, "tokenEndpoint": endpoint}
    return {
        "LiftCare": {
            "baseUrl": cloud.url,
            "authorization": {
                "basicAuth": {"backendId": care.id, "anonymousToken": care.anonymous_key},
                "oAuth": client, "ssoAuth": client, "tokenAuth": {"backendId": care.id}}},
        "Skiers": {
            "baseUrl": cloud.url,
            "authorization": {
                "facebookAuth": {"facebookAppId": FACEBOOK_APP, "backendId": skiers.id, "anonymousToken": skiers.anonymous_key}}}}
