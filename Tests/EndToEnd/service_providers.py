"""SAML service providers of two independent libraries: python3-saml and pysaml2."""

import base64
import datetime
import zlib
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from onelogin.saml2.settings import OneLogin_Saml2_Settings
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.metadata import entity_descriptor

from login_page import REDIRECT_URI, Page, Redirect

PROVIDER = "company"
ASSERTION = "{urn:oasis:names:tc:SAML:2.0:assertion}"
PROTOCOL = "{urn:oasis:names:tc:SAML:2.0:protocol}"
SIGNATURE = "{http://www.w3.org/2000/09/xmldsig#}Signature"
STATUS = "urn:oasis:names:tc:SAML:2.0:status:"


class KeyPair:
    """A key and its certificate, as PEM."""

    def __init__(self, name):
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.timezone.utc)
        certificate = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=365)).sign(key, hashes.SHA256()))
        self.key = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
        self.certificate = certificate.public_bytes(serialization.Encoding.PEM).decode()


def register(cloud, metadata, **decisions):
    """Registers a service provider by its metadata, with further settings of an administrator."""
    if isinstance(metadata, bytes):
        metadata = metadata.decode()
    return cloud.control("PUT", f"providers/{PROVIDER}/service-providers", {"metadata": metadata, **decisions})


def provider_metadata(cloud):
    response = requests.get(f"{cloud.url}/idp/{PROVIDER}/saml/metadata")
    assert response.status_code == 200, response.text
    return response.text


def message_in(url):
    """The message in a redirect."""
    query = parse_qs(urlsplit(url).query)
    [text] = query.get("SAMLResponse") or query["SAMLRequest"]
    return ElementTree.fromstring(zlib.decompress(base64.b64decode(text), -15))


def status_of(message):
    """The status codes of a response, from the outermost inwards, without their common prefix."""
    return [code.get("Value").removeprefix(STATUS) for code in message.iter(PROTOCOL + "StatusCode")]


def sign_on(person, step):
    """Logs in if there is a login page, and returns the form that the browser then posts to the service provider."""
    if isinstance(step, Page) and step.is_login:
        step = person.sign_in(step)
    assert isinstance(step, Page), f"{step.url}: {getattr(step, 'text', '')}"
    assert "SAMLResponse" in step.form.fields, step.text
    return step.form


def response_in(form):
    return ElementTree.fromstring(base64.b64decode(form.fields["SAMLResponse"]))


class OneLogin:
    """A service provider made with python3-saml in its strictest configuration."""

    acs = REDIRECT_URI + "/onelogin/acs"
    slo = REDIRECT_URI + "/onelogin/slo"
    entity_id = "urn:example:onelogin"

    def __init__(self, cloud, keys, *, security=None, name_id_format=Constants.NAMEID_UNSPECIFIED, slo=True, **decisions):
        service = {
            "entityId": self.entity_id, "assertionConsumerService": {"url": self.acs, "binding": Constants.BINDING_HTTP_POST},
            "NameIDFormat": name_id_format, "x509cert": keys.certificate, "privateKey": keys.key}
        if slo:
            service["singleLogoutService"] = {"url": self.slo, "binding": Constants.BINDING_HTTP_REDIRECT}
        self.settings = {
            "strict": True, "debug": True, "sp": service,
            "security": {
                "authnRequestsSigned": True, "logoutRequestSigned": True, "logoutResponseSigned": True, "wantAssertionsSigned": True,
                "wantNameId": True, "requestedAuthnContext": True, "signatureAlgorithm": Constants.RSA_SHA256,
                "digestAlgorithm": Constants.SHA256, "rejectDeprecatedAlgorithm": True, "metadataValidUntil": None,
                **(security or {})}}
        metadata = OneLogin_Saml2_Settings(self.settings, sp_validation_only=True).get_sp_metadata()
        self.registered = register(cloud, metadata, **decisions)
        self.settings["idp"] = OneLogin_Saml2_IdPMetadataParser.parse(provider_metadata(cloud))["idp"]

    def auth(self, url=None, **post):
        """The library's object for one request of a browser, to a URL with its query or with a form."""
        parts = urlsplit(url or self.acs)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        return OneLogin_Saml2_Auth({
            "https": "off", "http_host": parts.netloc, "script_name": parts.path, "get_data": query, "post_data": post,
            "query_string": parts.query}, self.settings)

    def accept(self, form, request_id=None):
        """Validates a response, in which everything must be valid."""
        assert form.action == self.acs
        auth = self.auth(form.action, **form.fields)
        auth.process_response(request_id=request_id)
        assert auth.get_errors() == [], auth.get_last_error_reason()
        assert auth.is_authenticated()
        return auth

    def refuse(self, form, request_id=None):
        """Validates a response that must be invalid; returns the reason."""
        auth = self.auth(form.action, **form.fields)
        auth.process_response(request_id=request_id)
        assert auth.get_errors() and not auth.is_authenticated()
        return auth.get_last_error_reason()


class PySAML2:
    """A service provider made with pysaml2, which calls xmlsec1."""

    acs = REDIRECT_URI + "/pysaml2/acs"
    slo = REDIRECT_URI + "/pysaml2/slo"
    entity_id = "urn:example:pysaml2"

    def __init__(self, cloud, keys, folder, *, encrypted=False, want_response_signed=False, **decisions):
        key, certificate = folder / "pysaml2.key", folder / "pysaml2.crt"
        key.write_text(keys.key)
        certificate.write_text(keys.certificate)
        metadata = folder / "provider.xml"
        metadata.write_text(provider_metadata(cloud))
        settings = {
            "entityid": self.entity_id, "xmlsec_binary": "/usr/bin/xmlsec1", "key_file": str(key), "cert_file": str(certificate),
            "accepted_time_diff": 1, "allow_unknown_attributes": True, "metadata": {"local": [str(metadata)]},
            "service": {"sp": {
                "endpoints": {
                    "assertion_consumer_service": [(self.acs, BINDING_HTTP_POST)],
                    "single_logout_service": [(self.slo, BINDING_HTTP_REDIRECT), (self.slo, BINDING_HTTP_POST)]},
                "authn_requests_signed": True, "logout_requests_signed": True, "logout_responses_signed": True,
                "want_assertions_signed": True, "want_response_signed": want_response_signed, "allow_unsolicited": True,
                "signing_algorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
                "digest_algorithm": "http://www.w3.org/2001/04/xmlenc#sha256"}}}
        if encrypted:
            settings["encryption_keypairs"] = [{"key_file": str(key), "cert_file": str(certificate)}]
        configuration = SPConfig().load(settings)
        self.registered = register(cloud, str(entity_descriptor(configuration)), **decisions)
        self.client = Saml2Client(config=configuration)
        [self.provider] = self.client.metadata.with_descriptor("idpsso")

    def request(self, binding=BINDING_HTTP_REDIRECT, **parameters):
        """The identifier of an authentication request, and the browser's next step."""
        identifier, _, arguments = self.client.prepare_for_negotiated_authenticate(
            entityid=self.provider, binding=binding, sign=True, **parameters)
        return identifier, arguments

    def accept(self, form, request_id=None):
        assert form.action == self.acs
        response = self.client.parse_authn_request_response(
            form.fields["SAMLResponse"], BINDING_HTTP_POST, outstanding={request_id: "/"} if request_id else {})
        assert response is not None
        return response


def location_in(arguments):
    return dict(arguments["headers"])["Location"]


def submit(person, html, url):
    """Submits the form of a page that a library wrote."""
    answer = requests.Response()
    answer.url, answer._content, answer.encoding = url, html.encode() if isinstance(html, str) else html, "utf-8"
    [form] = Page(answer).forms
    return person._follow(person.browser.post(form.action, data=form.fields, allow_redirects=False))


__all__ = [
    "ASSERTION", "BINDING_HTTP_POST", "BINDING_HTTP_REDIRECT", "KeyPair", "OneLogin", "PROTOCOL", "PySAML2", "Redirect", "SIGNATURE",
    "location_in", "message_in", "provider_metadata", "register", "response_in", "sign_on", "status_of", "submit"]


def sign_on_with(provider, person):
    """Goes from a service provider to its response. Returns the library's result and the form with the response."""
    auth = provider.auth()
    form = sign_on(person, person.open(auth.login("/inside")))
    assert form.fields["RelayState"] == "/inside"
    return provider.accept(form, auth.get_last_request_id()), form
