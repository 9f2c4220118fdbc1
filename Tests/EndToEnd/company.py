"""An issuer with its own users, for the relying parties that a test registers there."""

import base64
import json
from contextlib import contextmanager

import requests

from cloud import Cloud

PEOPLE = {
    "alice": {
        "name": "Alice Archer", "given_name": "Alice", "family_name": "Archer", "email": "alice@company.example",
        "email_verified": True, "phone_number": "+44 20 7946 0001", "phone_number_verified": False,
        "address": {"street_address": "1 Example Street", "locality": "London", "country": "GB"}, "locale": "en-GB",
        "preferred_username": "alice", "profile": "https://company.example/alice", "website": "https://alice.example",
        "picture": "https://company.example/alice.png", "zoneinfo": "Europe/London", "birthdate": "1984-02-29",
        "gender": "female", "nickname": "Al", "middle_name": "Ada", "updated_at": 1700000000},
    "bob": {
        "name": "Bob Baker", "given_name": "Bob", "family_name": "Baker", "email": "bob@company.example",
        "email_verified": True},
}


def subject(name):
    return f"employee-{name}"


def seed(clients=(), **provider):
    """A seed with one issuer, `company`."""
    people = [{"name": name, "password": f"{name}-password", "subject": subject(name), "claims": claims}
              for name, claims in PEOPLE.items()]
    return {
        "accounts": [{"id": "000000000000", "name": "virga", "rootKeys": [{"id": "test", "secret": "test"}]}],
        "identityProviders": [
            {"name": "company", "kind": "openIDConnect", "issuer": "https://login.company.example", "clients": list(clients),
             "people": people, **provider}]}


@contextmanager
def company(folder, clients=(), port=0, **provider):
    """Runs a process with that seed. Its issuer's URL is `issuer(cloud)`."""
    file = folder / "seed.json5"
    file.write_text(json.dumps(seed(clients, **provider)))
    with Cloud("--port", port, "--ephemeral", "--seed", file) as cloud:
        yield cloud
        assert cloud.process.poll() is None, f"ended by itself with {cloud.process.returncode}:\n{cloud.logged()}"
        assert cloud.stop() == 0, cloud.logged()


def issuer(cloud):
    return f"{cloud.url}/idp/company"


def identity_provider_metadata(cloud):
    """The issuer's metadata as a SAML identity provider."""
    response = requests.get(f"{issuer(cloud)}/saml/metadata")
    assert response.status_code == 200, response.text
    return response.text


def register_service_provider(cloud, metadata, **decisions):
    """Registers an application at the SAML identity provider by its metadata, with further settings of an administrator."""
    return cloud.control("PUT", "providers/company/service-providers", {"metadata": metadata, **decisions})


def decoded(message):
    """The XML of a posted message."""
    return base64.b64decode(message).decode()
