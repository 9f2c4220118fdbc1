"""The exchange of SAML assertions and JWTs for tokens of the mobile cloud by GET, over sockets."""

import base64
import gzip

import pytest
import requests
from lxml import etree

from token_exchange import claims, exchange, me, start  # noqa: F401, a fixture

ASSERTION = "{urn:oasis:names:tc:SAML:2.0:assertion}Assertion"


def external_token(response):
    """The token that an app makes of the response in its web view: the assertion, compressed, in base64."""
    assertion = etree.fromstring(base64.b64decode(response)).find(ASSERTION)
    return base64.b64encode(gzip.compress(etree.tostring(assertion))).decode()


@pytest.fixture
def sign_on(start):
    """A cloud, and an assertion of its provider for the exchange endpoint."""
    cloud = start()
    audience = f"{cloud.url}/mobile/platform/sso/exchange-token"
    cloud.control("PUT", "providers/company/service-providers", {
        "entityID": audience, "assertionConsumerServices": [f"{cloud.url}/mobile/platform/sso/redirect"],
        "attributes": [{"name": "mail", "claim": "email"}, {"name": "roles", "claim": "roles"}]})

    def sign_on(**options):
        answer = cloud.control("POST", "tokens", {"provider": "company", "user": "tessa", "serviceProvider": audience, **options})
        return external_token(answer["SAMLResponse"])

    return cloud, sign_on


def test_an_assertion_of_our_own_provider_is_exchanged(sign_on):
    """(R14-R16, R18, R23, R24, R26-R33, X4, X5)"""
    cloud, sign_on = sign_on
    answer = exchange(cloud, sign_on())
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"access_token", "expires_in", "token_type"}
    said = claims(answer.json()["access_token"])
    assert said["sub"] == "tessa@depot.example" and said["roles"] == ["Technician"]
    assert me(cloud, answer).status_code == 200
    # The backend is in the token: another one in the header changes nothing (R33).
    other = requests.get(f"{cloud.url}/mobile/platform/users/~", headers={
        "Authorization": f"Bearer {answer.json()['access_token']}", "oracle-mobile-backend-id": "yard-id"})
    assert other.status_code == 200 and claims(answer.json()["access_token"])["backend_id"] == "depot-id"


@pytest.mark.parametrize("wrong, detail", [
    ("expired", "User assertion from issuer https://login.depot.example/saml has expired."),
    ("notYetValid", "The assertion of issuer https://login.depot.example/saml is not valid yet."),
    ("wrongAudience", "The assertion of issuer https://login.depot.example/saml is for another audience: https://elsewhere.example/metadata."),
    ("wrongIssuer", "Issuer https://elsewhere.example/idp has not been configured."),
    ("unsignedAssertion", "The assertion is not signed."),
    ("flippedSignatureBit", "No certificate of the issuer belongs to the key that signed the assertion."),
    ("otherKey", "No certificate of the issuer belongs to the key that signed the assertion."),
    ("sha1", "The assertion is signed with http://www.w3.org/2000/09/xmldsig#rsa-sha1, which is not accepted.")])
def test_an_assertion_with_a_fault_is_refused(sign_on, wrong, detail):
    cloud, sign_on = sign_on
    answer = exchange(cloud, sign_on(fault=wrong))
    assert (answer.status_code, answer.json()["detail"]) == (401, detail)
    assert answer.json()["status"] == 401 and answer.json()["o:errorCode"].startswith("MOBILE-")


def test_the_backend_must_be_named(sign_on):
    """(R12, R30)"""
    cloud, sign_on = sign_on
    token = sign_on()
    url = f"{cloud.url}/mobile/platform/sso/exchange-token"
    assert requests.get(url, headers={"Authorization": f"Bearer {token}"}).status_code == 400
    assert exchange(cloud, token, **{"oracle-mobile-backend-id": "nobody"}).json()["o:errorCode"] == "MOBILE-58026"
    assert exchange(cloud, token, backend=1).status_code == 200


def test_a_bomb_is_refused(sign_on):
    cloud, _ = sign_on
    bomb = base64.b64encode(gzip.compress(b" " * 30_000_000, 9)).decode()
    answer = exchange(cloud, bomb)
    assert (answer.status_code, answer.json()["detail"]) == (
        401, "The Base64 of the token does not decode to gzip data, or the data is too long.")
