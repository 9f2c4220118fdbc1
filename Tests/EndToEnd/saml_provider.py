"""An external SAML identity provider: pysaml2, which signs with xmlsec1."""

import base64
import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from saml2 import BINDING_HTTP_POST
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

from cloud import ACCOUNT

AUDIENCE = "urn:amazon:webservices"
RECIPIENT = "https://signin.aws.amazon.com/saml"
ATTRIBUTE = "https://aws.amazon.com/SAML/Attributes/"
# The metadata of Amazon that pysaml2 needs.
AMAZON = f"""
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{AUDIENCE}">
<SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" WantAssertionsSigned="true">
<AssertionConsumerService index="1" isDefault="true" Binding="{BINDING_HTTP_POST}" Location="{RECIPIENT}"/></SPSSODescriptor>
</EntityDescriptor>"""


def certified_key(directory, name):
    """Files of a new key and of its certificate, which expired long ago."""
    key = rsa.generate_private_key(65537, 2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    start = datetime.datetime(2020, 1, 1)
    certificate = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(start).not_valid_after(start + datetime.timedelta(days=30))
        .sign(key, hashes.SHA256()))
    key_file, certificate_file = directory / f"{name}.key", directory / f"{name}.pem"
    key_file.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return key_file, certificate_file


class SAMLProvider:
    """An identity provider with its own key."""

    def __init__(self, directory, entity_id="https://idp.elsewhere.example/saml"):
        self.entity_id = entity_id
        key, certificate = certified_key(directory, "provider")
        policy = {"default": {"lifetime": {"minutes": 5}, "attribute_restrictions": None,
                              "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:uri"}}
        self.configuration = IdPConfig().load({
            "entityid": entity_id, "key_file": str(key), "cert_file": str(certificate), "metadata": {"inline": [AMAZON]},
            "service": {"idp": {"endpoints": {"single_sign_on_service": [(entity_id + "/sso", BINDING_HTTP_POST)]}, "policy": policy}}})
        self.server = Server(config=self.configuration)

    @property
    def metadata(self):
        return str(entity_descriptor(self.configuration))

    def response(self, role, name="alice", provider="elsewhere", recipient=RECIPIENT, algorithm=SIG_RSA_SHA256, digest=DIGEST_SHA256,
                 sign_assertion=True, sign_response=False, **attributes):
        """The document of a response about `name`; attributes are those of AWS, without their prefix."""
        arns = f"arn:aws:iam::{ACCOUNT}:role/{role},arn:aws:iam::{ACCOUNT}:saml-provider/{provider}"
        attributes = {"Role": [arns], "RoleSessionName": [name]} | attributes
        return str(self.server.create_authn_response(
            {ATTRIBUTE + key: value for key, value in attributes.items()}, None, recipient, sp_entity_id=AUDIENCE,
            name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=name),
            authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password", "authn_auth": self.entity_id},
            sign_assertion=sign_assertion, sign_response=sign_response, sign_alg=algorithm, digest_alg=digest))

    def assertion(self, *arguments, **options):
        """A response in the form that AssumeRoleWithSAML accepts."""
        return encoded(self.response(*arguments, **options))


def encoded(document):
    return base64.b64encode(document.encode()).decode()
