"""The Shibboleth service provider, on OpenSAML's C++ stack: its daemon and its Apache module, with encrypted assertions."""

import json
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
import requests

import company
from apache import Apache, Daemon, Visitor, key_pair, readable_folder
from cloud import free_port
from login_page import Page, Refusal
from programs import installed

ENTITY = "urn:example:shibboleth"

SHIBBOLETH = """
<SPConfig xmlns="urn:mace:shibboleth:3.0:native:sp:config" clockSkew="60">
    <OutOfProcess logger="{folder}/console.logger" tranLogFormat="%u"/>
    <InProcess logger="{folder}/console.logger"/>
    <TCPListener address="127.0.0.1" port="{listener}" acl="127.0.0.1"/>
    <ApplicationDefaults entityID="{entity}" REMOTE_USER="mail" signing="{signing}" signingAlg="{algorithm}">
        <Sessions lifetime="28800" timeout="3600" relayState="ss:mem" checkAddress="false" handlerSSL="false"
                  cookieProps="http" redirectLimit="exact">
            <SSO entityID="{issuer}" outgoingBindings="{bindings}">SAML2</SSO>
            <Logout asynchronous="false">SAML2 Local</Logout>
            <Handler type="MetadataGenerator" Location="/Metadata" signing="false"/>
            <Handler type="Session" Location="/Session" showAttributeValues="true" contentType="application/json"/>
        </Sessions>
        <Errors supportContact="root@localhost"/>
        <MetadataProvider type="XML" validate="true" path="{folder}/idp.xml"/>
        <AttributeExtractor type="XML" validate="true" reloadChanges="false" path="{folder}/attribute-map.xml"/>
        <CredentialResolver type="File" use="signing" key="{folder}/sp.key" certificate="{folder}/sp.cert"/>
        <CredentialResolver type="File" use="encryption" key="{folder}/sp.key" certificate="{folder}/sp.cert"/>
    </ApplicationDefaults>
    <SecurityPolicyProvider type="XML" validate="true" path="/etc/shibboleth/security-policy.xml"/>
    <ProtocolProvider type="XML" validate="true" reloadChanges="false" path="/etc/shibboleth/protocols.xml"/>
</SPConfig>
"""

ATTRIBUTES = """
<Attributes xmlns="urn:mace:shibboleth:2.0:attribute-map">
    <Attribute name="urn:oid:0.9.2342.19200300.100.1.1" id="uid"/>
    <Attribute name="urn:oid:0.9.2342.19200300.100.1.3" id="mail"/>
    <Attribute name="urn:oid:2.16.840.1.113730.3.1.241" id="displayName"/>
</Attributes>
"""

LOGGER = """
log4j.rootCategory=INFO, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%p %c: %m%n
"""

APACHE = """
UseCanonicalName On
ShibConfig {folder}/shibboleth2.xml
ShibCompatValidUser Off
<Location /Shibboleth.sso>
    AuthType None
    Require all granted
</Location>
<Location /protected>
    AuthType shibboleth
    ShibRequestSetting requireSession 1
    Require shib-session
</Location>
"""

REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
SHA1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory):
    with company.company(tmp_path_factory.mktemp("company"), saml={}) as cloud:
        yield cloud


@pytest.fixture
def cloud(process):
    process.reset()
    return process


@pytest.fixture
def alice():
    return Visitor("alice", "alice-password")


@contextmanager
def service_provider(cloud, bindings=REDIRECT, signing="true", algorithm=SHA256, **decisions):
    """The daemon and its Apache, registered by the metadata that they publish."""
    listener = free_port()
    with readable_folder() as daemon_folder, readable_folder() as folder:
        values = {
            "folder": folder, "listener": listener, "entity": ENTITY, "bindings": bindings, "signing": signing,
            "algorithm": algorithm, "issuer": f"{company.issuer(cloud)}/saml/metadata"}
        (folder / "shibboleth2.xml").write_text(SHIBBOLETH.format(**values).lstrip())
        (folder / "attribute-map.xml").write_text(ATTRIBUTES.lstrip())
        (folder / "console.logger").write_text(LOGGER)
        (folder / "idp.xml").write_text(company.identity_provider_metadata(cloud))
        key, certificate = key_pair()
        (folder / "sp.key").write_text(key)
        (folder / "sp.cert").write_text(certificate)
        shibd = Daemon(
            installed("shibd"), "-F", "-f", "-c", folder / "shibboleth2.xml", "-p", daemon_folder / "shibd.pid",
            folder=daemon_folder, port=listener)
        with shibd, Apache(folder, free_port(), ["shib"], APACHE) as apache:
            apache.daemon = shibd
            response = requests.get(f"{apache.url}/Shibboleth.sso/Metadata")
            assert response.status_code == 200, response.text
            company.register_service_provider(cloud, response.text, **decisions)
            yield apache


def check_signed_in(cloud, environment):
    assert environment["mail"] == environment["REMOTE_USER"] == "alice@company.example"
    assert (environment["uid"], environment["displayName"]) == ("alice", "Alice Archer")
    assert environment["Shib_Identity_Provider"] == f"{company.issuer(cloud)}/saml/metadata"
    assert environment["Shib_AuthnContext_Class"] == "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"


def test_a_visitor_signs_in_with_an_encrypted_assertion(cloud, alice):
    with service_provider(cloud) as apache:
        step = alice.visit(apache.page, until="SAMLResponse")
        response = company.decoded(alice.carried(step).fields["SAMLResponse"])
        assert "EncryptedAssertion" in response and "alice@company.example" not in response
        step = alice.go_on(step)
        assert isinstance(step, Page) and step.text.startswith("{"), f"{step.text}\n{apache.daemon.logged()}"
        check_signed_in(cloud, alice.environment(apache.page))


@pytest.mark.parametrize("content", [
    "aes128-cbc", "aes192-cbc", "aes256-cbc", "aes128-gcm", "aes192-gcm", "aes256-gcm"])
@pytest.mark.parametrize("transport", ["rsa-oaep-mgf1p", "rsa-oaep"])
def test_every_way_to_encrypt_is_understood(cloud, alice, content, transport):
    decisions = {"encryption": {"content": content, "keyTransport": transport}}
    with service_provider(cloud, **decisions) as apache:
        step = alice.visit(apache.page, until="SAMLResponse")
        response = company.decoded(alice.carried(step).fields["SAMLResponse"])
        assert f"#{content}" in response and f"#{transport}" in response
        step = alice.go_on(step)
        assert isinstance(step, Page) and step.text.startswith("{"), f"{step.text}\n{apache.daemon.logged()}"


def test_the_request_may_come_by_post(cloud, alice):
    with service_provider(cloud, bindings=POST) as apache:
        page = alice.open(apache.page)
        assert isinstance(page, Page) and "SAMLRequest" in page.forms[0].fields
        check_signed_in(cloud, alice.environment(apache.page))


@pytest.mark.parametrize("signing, required", [("true", True), ("false", False)], ids=["signed", "unsigned"])
def test_requests_may_be_signed(cloud, alice, signing, required):
    with service_provider(cloud, signing=signing, requiresSignedRequests=required) as apache:
        check_signed_in(cloud, alice.environment(apache.page))


def test_a_request_that_is_signed_with_sha1_is_refused(cloud, alice):
    with service_provider(cloud, bindings=POST, algorithm=SHA1) as apache:
        refused = alice.visit(apache.page)
        assert isinstance(refused, Refusal) and "signature" in refused.text


def test_an_unsigned_request_is_refused_where_it_must_be_signed(cloud, alice):
    with service_provider(cloud, signing="false", requiresSignedRequests=True) as apache:
        step = alice.visit(apache.page)
        assert not (isinstance(step, Page) and (step.is_login or step.text.startswith("{")))


@pytest.mark.parametrize("parts", [["assertion"], ["response"], ["assertion", "response"]], ids="+".join)
def test_either_part_of_the_answer_may_be_signed(cloud, alice, parts):
    with service_provider(cloud, signs=parts, encrypts=False) as apache:
        check_signed_in(cloud, alice.environment(apache.page))


def test_the_application_may_ask_for_a_fresh_login(cloud, alice):
    """`ForceAuthn`: the user logs in again, although the identity provider has a session."""
    with service_provider(cloud) as apache:
        alice.environment(apache.page)
        login = f"{apache.url}/Shibboleth.sso/Login"
        quietly = alice.visit(f"{login}?{urlencode({'target': apache.page})}", until="password")
        assert quietly.text.startswith("{"), "asked without need"
        again = alice.visit(f"{login}?{urlencode({'target': apache.page, 'forceAuthn': 'true'})}", until="password")
        assert again.is_login
        check_signed_in(cloud, json.loads(alice.go_on(again).text))


def test_a_logout_at_the_application_ends_the_identity_providers_session(cloud, alice):
    with service_provider(cloud) as apache:
        alice.environment(apache.page)
        leaving = urlencode({"return": f"{apache.url}/bye.html"})
        step = alice.visit(f"{apache.url}/Shibboleth.sso/Logout?{leaving}")
        assert step.url.startswith(f"{apache.url}/"), f"{step.url}\n{step.text}\n{apache.daemon.logged()}"
        assert alice.visit(apache.page, until="password").is_login


def test_a_logout_at_the_identity_provider_reaches_the_application(cloud, alice):
    with service_provider(cloud) as apache:
        alice.environment(apache.page)
        step = alice.open(f"{company.issuer(cloud)}/saml/logout")
        while isinstance(step, Page) and step.forms:
            carried = alice.carried(step)
            step = alice.send(step, carried) if carried else alice.press(step, ("action", "logout"))
        assert isinstance(step, Page), f"{step.status} {step.text}"
        assert alice.visit(apache.page, until="password").is_login
