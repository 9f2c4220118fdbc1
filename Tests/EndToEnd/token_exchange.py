"""A mobile cloud that trusts issuers, and its exchange of their tokens."""

import base64
import contextlib
import json

import pytest
import requests

from cloud import Cloud
from sandboxes import Sandbox

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
COMPANY = "https://login.depot.example"
BACKENDS = [
    {"name": "Depot", "id": "depot-id", "clientID": "depot-client", "clientSecret": "depot-secret"},
    {"name": "Yard", "id": "yard-id", "clientID": "yard-client", "clientSecret": "yard-secret"}]


def seed(folder, *issuers, mobile=None, **root):
    """The file of a seed whose mobile cloud trusts a provider of this process and further issuers; lists in `mobile` are extended by
    them."""
    own = {
        "issuerName": COMPANY, "virtualUserEnabled": True, "audience": ["depot-app"], "roleAttributes": ["roles"],
        "roleMappings": [{"tokenRole": "field", "mappedRoles": ["Technician"]}],
        "jwks": {"discoveryUri": COMPANY + "/.well-known/openid-configuration"}}
    document = {
        "identityProviders": [{
            "name": "company", "kind": "openIDConnect", "issuer": COMPANY, "clients": [{"id": "depot-app"}],
            "saml": {"entityID": COMPANY + "/saml", "serviceProviders": []},
            "people": [{"name": "tessa", "password": "p", "subject": "employee-1", "claims": {
                "email": "tessa@depot.example", "roles": ["field"]}}]}],
        "mobileCloud": {
            "roles": ["Technician", "Guest"], "realms": [{"name": "Default", "users": [{"username": "person-1", "roles": ["Guest"]}]}],
            "backends": BACKENDS, "certificates": [{"alias": "company", "identityProvider": "company"}],
            "samlIssuers": [{
                "name": COMPANY + "/saml", "certificateSubjectNames": ["CN=company"], "virtualUserEnabled": True,
                "userAttribute": "mail", "roleAttributes": ["roles"],
                "roleMappings": [{"tokenRole": "field", "mappedRoles": ["Technician"]}]}],
            "policies": {"Security_AuthTokenConfiguration": {"issuers": [own, *issuers], **root}}}}
    for name, more in (mobile or {}).items():
        document["mobileCloud"][name] += more
    file = folder / "depot.json5"
    file.write_text(json.dumps(document))
    return file


@pytest.fixture
def start(process, tmp_path):
    """Starts a mobile cloud that trusts these issuers: a sandbox, or a process if it needs arguments."""
    with contextlib.ExitStack() as clouds:
        def start(*issuers, arguments=(), mobile=None, **root):
            file = seed(tmp_path, *issuers, mobile=mobile, **root)
            if not arguments:
                return clouds.enter_context(Sandbox.seeded(process, file.read_text()))
            cloud = clouds.enter_context(Cloud.ephemeral("--seed", file, *arguments))
            clouds.callback(lambda: cloud.stop() == 0 or pytest.fail(cloud.logged()))
            return cloud

        yield start


def post(cloud, assertion, backend=0, headers=None, **fields):
    """The response to an exchange. The client authenticates in the body unless `fields` change that (None removes a parameter)."""
    client = {"client_id": BACKENDS[backend]["clientID"], "client_secret": BACKENDS[backend]["clientSecret"]}
    form = {"grant_type": JWT_BEARER, "assertion": assertion} | client | fields
    return requests.post(
        f"{cloud.url}/mobile/platform/auth/token", {name: value for name, value in form.items() if value is not None}, headers=headers)


def refusal(answer):
    return answer.status_code, answer.json()["error"], answer.json()["error_description"]


def claims(token):
    """The claims of a token of the mobile cloud, decoded as the JavaScript SDK does, which supports only the standard base64 alphabet."""
    middle = token.split(".")[1]
    assert not set(middle) & set("-_")
    return json.loads(base64.b64decode(middle + "=" * (-len(middle) % 4)))


def me(cloud, answer):
    return requests.get(f"{cloud.url}/mobile/platform/users/~", headers={"Authorization": f"Bearer {answer.json()['access_token']}"})


# Assertions and JWTs by GET.


def exchange(cloud, token, backend=0, query="?format=json&_=1", **headers):
    headers = {"Authorization": f"Bearer {token}", "oracle-mobile-backend-id": BACKENDS[backend]["id"]} | headers
    return requests.get(f"{cloud.url}/mobile/platform/sso/exchange-token{query}", headers=headers)
