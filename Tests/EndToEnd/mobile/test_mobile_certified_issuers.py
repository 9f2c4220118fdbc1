"""The exchange of tokens of an external issuer that is registered with its certificate, by POST and by GET."""

import base64
import datetime
import gzip
import time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from joserfc import jwk, jwt
from onelogin.saml2.constants import OneLogin_Saml2_Constants
from onelogin.saml2.utils import OneLogin_Saml2_Utils

from token_exchange import claims, exchange, me, post, refusal, start  # noqa: F401, a fixture


class CertifiedIssuer:
    """Signs JWTs with joserfc and assertions with xmlsec1. The certificate of its key has a long subject."""

    name = "https://certified.example/issuer"
    # The subject of the certificate in an administrator's spelling.
    subject = "cn=certified.example, ou=Lifts\\, North, o=Depot AG, c=CH"

    def __init__(self):
        key = rsa.generate_private_key(65537, 2048)
        parts = [(NameOID.COUNTRY_NAME, "CH"), (NameOID.ORGANIZATION_NAME, "Depot AG"),
                 (NameOID.ORGANIZATIONAL_UNIT_NAME, "Lifts, North"), (NameOID.COMMON_NAME, "certified.example")]
        subject = x509.Name([x509.NameAttribute(*part) for part in parts])
        now = datetime.datetime.now(datetime.timezone.utc)
        certificate = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2)).sign(key, hashes.SHA256()))
        self.certificate = certificate.public_bytes(serialization.Encoding.PEM).decode()
        self.key = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

    def token(self, **claims):
        now = int(time.time())
        claims = {"iss": self.name, "sub": "person-9", "roles": ["Technician"], "iat": now, "exp": now + 600} | claims
        return jwt.encode({"alg": "PS256"}, claims, jwk.RSAKey.import_key(self.key), algorithms=["PS256"])

    def assertion(self, audience):
        def moment(minutes):
            return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

        document = f"""
            <saml2:Assertion xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" ID="_9" Version="2.0" IssueInstant="{moment(0)}">
            <saml2:Issuer>{self.name}</saml2:Issuer>
            <saml2:Subject><saml2:NameID>person-9</saml2:NameID>
            <saml2:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
            <saml2:SubjectConfirmationData NotOnOrAfter="{moment(5)}" Recipient="http://app.example/mobile/platform/sso/redirect"/>
            </saml2:SubjectConfirmation></saml2:Subject>
            <saml2:Conditions NotBefore="{moment(-1)}" NotOnOrAfter="{moment(5)}"><saml2:AudienceRestriction>
            <saml2:Audience>{audience}</saml2:Audience></saml2:AudienceRestriction></saml2:Conditions>
            <saml2:AuthnStatement AuthnInstant="{moment(0)}"/>
            <saml2:AttributeStatement><saml2:Attribute Name="roles"><saml2:AttributeValue>Technician</saml2:AttributeValue>
            </saml2:Attribute></saml2:AttributeStatement></saml2:Assertion>"""
        signed = OneLogin_Saml2_Utils.add_sign(
            document, self.key, self.certificate, sign_algorithm=OneLogin_Saml2_Constants.RSA_SHA256,
            digest_algorithm=OneLogin_Saml2_Constants.SHA256)
        return base64.b64encode(gzip.compress(signed)).decode()


@pytest.fixture
def certified():
    return CertifiedIssuer()


@pytest.fixture
def certified_cloud(start, certified):
    """A cloud in which the issuer is registered for both."""
    return start(
        {"issuerName": certified.name, "virtualUserEnabled": True, "roleAttributes": ["roles"],
         "certificateSubjectNames": [certified.subject]},
        mobile={
            "certificates": [{"alias": "certified", "pem": certified.certificate}],
            "samlIssuers": [{
                "name": certified.name, "certificateSubjectNames": [certified.subject], "virtualUserEnabled": True,
                "roleAttributes": ["roles"]}]})


def test_jwts_of_an_issuer_are_exchanged_by_its_certificate_at_both_doors(certified_cloud, certified):
    """(R37, R62)"""
    for answer in [post(certified_cloud, certified.token()), exchange(certified_cloud, certified.token())]:
        assert answer.status_code == 200, answer.text
        said = claims(answer.json()["access_token"])
        assert (said["sub"], said["issuer"], said["roles"]) == ("person-9", certified.name, ["Technician"])
    stranger = CertifiedIssuer().token()
    assert refusal(post(certified_cloud, stranger)) == (
        400, "invalid_grant", f"The signature of the token from issuer {certified.name} is wrong.")
    assert exchange(certified_cloud, stranger).json()["detail"] == f"The signature of the token from issuer {certified.name} is wrong."


def test_assertions_that_xmlsec_signs_are_exchanged_by_the_certificate(certified_cloud, certified):
    """(R14, R18, R20, R21)"""
    audience = f"{certified_cloud.url}/mobile/platform/sso/exchange-token"
    answer = exchange(certified_cloud, certified.assertion(audience))
    assert answer.status_code == 200, answer.text
    assert claims(answer.json()["access_token"])["sub"] == "person-9" and me(certified_cloud, answer).status_code == 200
    stranger = exchange(certified_cloud, CertifiedIssuer().assertion(audience))
    assert stranger.json()["detail"] == "No certificate of the issuer belongs to the key that signed the assertion."
    # A token that was issued for five minutes has expired after them.
    token = certified.assertion(audience)
    certified_cloud.age("PT5M")
    assert exchange(certified_cloud, token).json()["detail"] == f"User assertion from issuer {certified.name} has expired."
