"""Each document of the control API can be read, changed and written back without loss."""

from urllib.parse import quote

import pytest
import requests

from cloud import REPOSITORY, Cloud
from service_providers import KeyPair

# Their PUT is a command, and their GET is a report about its effects.
COMMANDS = {
    "/usage": "PUT turns the recording on or off; GET lists what was recorded",
    "/journal/capture": "PUT begins for a duration; GET returns the end",
    "/sandboxes/{name}": "PUT is an order; GET describes the sandbox",
    "/class": "PUT has settings; GET also lists the students",
    "/snapshots/{name}/file": "PUT imports a database under a new name",
}


@pytest.fixture(scope="module")
def cloud():
    seeds = [argument for name in ["personal-file-store", "mobile-cloud"] for argument in ("--seed", REPOSITORY / "seed" / f"{name}.json5")]
    with Cloud.ephemeral(*seeds) as cloud:
        cloud.control("PUT", "mobile/saml-issuers/company", {"name": "company", "certificateSubjectNames": ["CN=company"]})
        yield cloud


def named(part):
    return f"{part['name']}({part.get('version', '1.0')})"


def documents(cloud):
    """The paths of all documents, by the templates of their calls."""
    found = {"/mobile/roles": [{}], "/mobile/locations": [{}], "/mobile/policies": [{}]}
    providers = cloud.control("GET", "providers")["providers"]
    found["/providers/{name}"] = [{"name": provider["name"]} for provider in providers]
    for member, key in [("people", "name"), ("clients", "id")]:
        found[f"/providers/{{name}}/{member}/{{id}}"] = [
            {"name": provider["name"], "id": part[key]}
            for provider in providers for part in cloud.control("GET", f"providers/{provider['name']}/{member}")[member]]
    found["/providers/{name}/apps/{id}"] = [
        {"name": "facebook", "id": app["id"]} for app in cloud.control("GET", "providers/facebook/apps")["apps"]]
    for segment, member, name in [
        ("backends", "backends", named), ("realms", "realms", named), ("apis", "apis", named),
        ("certificates", "certificates", lambda part: part["alias"]), ("saml-issuers", "samlIssuers", lambda part: part["name"]),
        ("team-members", "teamMembers", lambda part: part["name"]), ("collections", "collections", lambda part: part["id"]),
    ]:
        parts = cloud.control("GET", f"mobile/{segment}")[member]
        found[f"/mobile/{segment}/{{name}}"] = [{"name": name(part)} for part in parts]
        if segment == "realms":
            found["/mobile/realms/{realm}/users/{name}"] = [
                {"realm": named(part), "name": user["username"]} for part in parts for user in part.get("users", [])]
    policies = cloud.control("GET", "mobile/policies", headers={"Accept": "application/json"})["policies"]
    found["/mobile/policies/{name}"] = [{"name": name} for name in policies]
    return found


def test_every_document_can_be_written_back(cloud):
    paths = cloud.control("GET", "openapi.json")["paths"]
    both = {path for path, item in paths.items() if {"get", "put"} <= item.keys()}
    known = documents(cloud)
    assert both - known.keys() == COMMANDS.keys() | {"/providers/{name}/service-providers", "/seed"}
    for template in sorted(known):
        assert known[template], f"the seeds have nothing at {template}"
        for values in known[template]:
            path = template.format(**{name: quote(value, safe="") for name, value in values.items()})
            options = {"headers": {"Accept": "application/json"}}
            before = requests.get(f"{cloud.url}/_virga{path}", **options)
            assert before.status_code == 200, (path, before.text)
            written = requests.put(f"{cloud.url}/_virga{path}", json=before.json(), **options)
            assert (written.status_code, written.json()) == (200, before.json()), path
            assert requests.get(f"{cloud.url}/_virga{path}", **options).json() == before.json(), path


def test_every_service_provider_can_be_written_back(cloud):
    for provider in cloud.control("GET", "providers")["providers"]:
        if not provider["saml"]:
            continue
        path = f"providers/{provider['name']}/service-providers"
        before = cloud.control("GET", path)
        document = cloud.control("GET", f"providers/{provider['name']}")
        assert before["serviceProviders"] == document["saml"].get("serviceProviders", [])
        for one in before["serviceProviders"]:
            assert cloud.control("PUT", path, one) == one
        assert cloud.control("GET", path) == before


def test_the_seed_can_be_written_back(cloud):
    before = cloud.control("GET", "seed")
    cloud.control("PUT", "seed", before)
    assert cloud.control("GET", "seed") == before


def test_a_change_of_a_service_provider_loses_nothing(cloud):
    path, pair = "providers/ridgeline/service-providers", KeyPair("sp")
    full = {
        "entityID": "urn:example:full", "name": "Full",
        "assertionConsumerServices": [{"location": "https://sp.example/acs", "binding": "post", "index": 3, "isDefault": True}],
        "singleLogoutServices": [{"location": "https://sp.example/slo", "binding": "redirect", "responseLocation": "https://sp.example/done"}],
        "unsupportedEndpoints": [{
            "kind": "AssertionConsumerService", "binding": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact",
            "location": "https://sp.example/artifact", "index": 4}],
        "nameIDFormats": ["persistent"], "nameIDClaim": "email", "attributes": [{"name": "mail", "claim": "email"}],
        "signs": ["response"], "signatureHash": "sha512", "encrypts": True,
        "encryption": {"certificate": pair.certificate, "content": "aes128-cbc", "keyTransport": "rsa-oaep"},
        "signingCertificates": [pair.certificate], "requiresSignedRequests": True, "assertionLifetime": 60, "sessionLifetime": 600}
    cloud.control("PUT", path, full)
    [before] = [one for one in cloud.control("GET", path)["serviceProviders"] if one["entityID"] == full["entityID"]]
    assert before.keys() == full.keys()
    cloud.control("PUT", path, before | {"name": "Changed"})
    [after] = [one for one in cloud.control("GET", path)["serviceProviders"] if one["entityID"] == full["entityID"]]
    assert after == before | {"name": "Changed"}


def test_a_change_of_an_app_loses_nothing(cloud):
    app = {
        "id": "4711", "secret": "s", "name": "Skiers", "redirectURIs": ["https://skiers.example/cb"], "tokenParameter": "token",
        "metadata": {"logo_uri": "https://skiers.example/logo.png"}, "facebook": {"requireAppSecret": True, "appScopedIDs": False}}
    cloud.control("PUT", "providers/facebook/apps/4711", app)
    before = cloud.control("GET", "providers/facebook/apps/4711")
    assert before == app
    cloud.control("PUT", "providers/facebook/apps/4711", before | {"name": "Changed"})
    assert cloud.control("GET", "providers/facebook/apps/4711") == app | {"name": "Changed"}


@pytest.mark.parametrize("members, place", [
    ({"encrypts": True}, "encrypts"), ({"requiresSignedRequests": True}, "requiresSignedRequests"),
    ({"nameIDFormats": ["kerberos"]}, "nameIDFormats[0]")])
def test_a_setting_that_cannot_be_honoured_is_refused(cloud, members, place):
    provider = {"entityID": "urn:example:refused", "assertionConsumerServices": ["https://sp.example/acs"], **members}
    answer = requests.put(f"{cloud.url}/_virga/providers/ridgeline/service-providers", json=provider)
    assert (answer.status_code, answer.json()["error"]) == (400, "malformed_service_provider")
    assert answer.json()["message"].startswith(f"Expected at {place} "), answer.text
