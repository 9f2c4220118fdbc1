"""SAML 2.0 sign-on, from the login page to service providers with strict checks."""

import base64
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
import requests
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Constants
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML
from saml2.response import StatusNoAuthnContext, StatusNoPassive
from saml2.saml import NAMEID_FORMAT_EMAILADDRESS, NAMEID_FORMAT_PERSISTENT, NAMEID_FORMAT_TRANSIENT

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, BUCKET
from login_page import Page, Person, Redirect, Refusal
from service_providers import (
    ASSERTION, BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, PROTOCOL, SIGNATURE, KeyPair, OneLogin, PySAML2, location_in, message_in,
    provider_metadata, register, response_in, sign_on, sign_on_with, status_of, submit)

SCHEMAS = {"metadata": "saml-schema-metadata-2.0.xsd", "protocol": "saml-schema-protocol-2.0.xsd"}
EMAIL = "urn:oid:0.9.2342.19200300.100.1.3"


def check_schema(text, kind):
    checked = OneLogin_Saml2_XML.validate_xml(text, SCHEMAS[kind])
    assert not isinstance(checked, str), f"{checked}:\n{text}"


def test_metadata_hold_to_the_schema(cloud):
    text = provider_metadata(cloud)
    check_schema(text.encode(), "metadata")
    assert requests.get(f"{cloud.url}/FederationMetadata/2007-06/FederationMetadata.xml").text == text


# Each part of a response that may be signed, and each algorithm of encryption.
@pytest.mark.parametrize("signs", [["assertion"], ["response"], ["assertion", "response"]], ids="-".join)
def test_python3_saml_finds_what_it_wants_signed(cloud, keys, signs):
    provider = OneLogin(
        cloud, keys, signs=signs, encrypts=False,
        security={"wantAssertionsSigned": "assertion" in signs, "wantMessagesSigned": "response" in signs})
    auth, form = sign_on_with(provider, Person("alice", "alice-password"))
    assert auth.get_nameid() == "alice"
    assert auth.get_attributes()[EMAIL] == ["alice@company.example"]
    assert auth.get_session_index()
    check_schema(base64.b64decode(form.fields["SAMLResponse"]), "protocol")
    response = response_in(form)
    signed = [part for part, element in [("assertion", response.find(ASSERTION + "Assertion")), ("response", response)]
              if element.find(SIGNATURE) is not None]
    assert signed == signs


@pytest.mark.parametrize("content", ["aes128-cbc", "aes192-cbc", "aes256-cbc", "aes128-gcm", "aes192-gcm", "aes256-gcm"])
def test_python3_saml_opens_encrypted_assertions(cloud, keys, content):
    provider = OneLogin(
        cloud, keys, encryption={"content": content}, signs=["assertion", "response"],
        security={"wantAssertionsEncrypted": True, "wantMessagesSigned": True})
    auth, form = sign_on_with(provider, Person("bob"))
    assert auth.get_nameid() == "bob"
    assert response_in(form).find(ASSERTION + "Assertion") is None
    check_schema(base64.b64decode(form.fields["SAMLResponse"]), "protocol")


@pytest.mark.parametrize("hashing", ["sha256", "sha384", "sha512"])
def test_python3_saml_verifies_each_digest(cloud, keys, hashing):
    provider = OneLogin(cloud, keys, signatureHash=hashing, signs=["assertion", "response"], security={"wantMessagesSigned": True})
    sign_on_with(provider, Person("carol"))


def test_python3_saml_refuses_the_digest_of_old(cloud, keys):
    provider = OneLogin(cloud, keys, signatureHash="sha1", encrypts=False)
    person = Person("alice")
    auth = provider.auth()
    assert "deprecated" in provider.refuse(sign_on(person, person.open(auth.login())), auth.get_last_request_id()).lower()


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
@pytest.mark.parametrize("binding", [BINDING_HTTP_REDIRECT, BINDING_HTTP_POST], ids=["redirect", "post"])
def test_pysaml2_signs_on_by_both_bindings(cloud, keys, tmp_path, binding, encrypted):
    provider = PySAML2(cloud, keys, tmp_path, encrypted=encrypted, want_response_signed=True, signs=["assertion", "response"])
    assert provider.registered["encrypts"] == encrypted
    person = Person("alice", "alice-password")
    identifier, arguments = provider.request(binding, relay_state="here & there")
    if binding == BINDING_HTTP_REDIRECT:
        step = person.open(location_in(arguments))
    else:
        step = submit(person, arguments["data"], cloud.url)
    form = sign_on(person, step)
    assert form.fields["RelayState"] == "here & there"
    response = provider.accept(form, identifier)
    assert response.name_id.text == "alice"
    assert response.ava["mail"] == ["alice@company.example"]
    assert response.ava["givenName"] == ["Alice"]
    assert response.in_response_to == identifier


def test_the_name_is_what_was_asked_for(cloud, pysaml2):
    def name(name_format, person):
        identifier, arguments = pysaml2.request(nameid_format=name_format)
        return pysaml2.accept(sign_on(person, person.open(location_in(arguments))), identifier).name_id

    email = name(NAMEID_FORMAT_EMAILADDRESS, Person("alice"))
    assert (email.text, email.format) == ("alice@company.example", NAMEID_FORMAT_EMAILADDRESS)
    first, again, other = [name(NAMEID_FORMAT_PERSISTENT, Person(who)) for who in ["alice", "alice", "bob"]]
    assert first.text == again.text != other.text
    assert (first.format, first.sp_name_qualifier) == (NAMEID_FORMAT_PERSISTENT, pysaml2.entity_id)
    first, again = [name(NAMEID_FORMAT_TRANSIENT, Person("alice")) for _ in range(2)]
    assert first.text != again.text


def test_a_persistent_name_is_another_at_each_service_provider(cloud, keys, pysaml2):
    onelogin = OneLogin(cloud, keys, name_id_format=Constants.NAMEID_PERSISTENT)
    person = Person("alice")
    auth, _ = sign_on_with(onelogin, person)
    identifier, arguments = pysaml2.request(nameid_format=NAMEID_FORMAT_PERSISTENT)
    form = sign_on(person, person.open(location_in(arguments)))
    assert pysaml2.accept(form, identifier).name_id.text != auth.get_nameid()


def test_one_login_serves_service_providers_and_clients(cloud, onelogin, pysaml2):
    person = Person("alice", "alice-password")
    sign_on_with(onelogin, person)
    identifier, arguments = pysaml2.request()
    step = person.open(location_in(arguments))
    assert not step.is_login
    pysaml2.accept(sign_on(person, step), identifier)
    step = person.open(
        f"{cloud.url}/idp/company/authorize?response_type=code&client_id=web-app&scope=openid&redirect_uri=http://localhost:8765/callback")
    assert isinstance(step, Redirect) or not step.is_login


def test_a_login_can_be_forced(pysaml2):
    person = Person("alice", "alice-password")
    for _ in range(2):
        identifier, arguments = pysaml2.request(force_authn="true")
        step = person.open(location_in(arguments))
        assert step.is_login
        pysaml2.accept(person.sign_in(step).form, identifier)


def test_a_login_can_be_forbidden(pysaml2):
    identifier, arguments = pysaml2.request(is_passive="true")
    form = sign_on(Person("alice"), Person("alice").open(location_in(arguments)))
    assert status_of(response_in(form)) == ["Responder", "NoPassive"]
    with pytest.raises(StatusNoPassive):
        pysaml2.accept(form, identifier)


@pytest.mark.parametrize("comparison, wanted, granted", [
    ("exact", "PasswordProtectedTransport", True), ("exact", "Password", True), ("exact", "X509", False),
    ("minimum", "Password", True), ("minimum", "X509", False), ("better", "Password", True),
    ("better", "PasswordProtectedTransport", False), ("maximum", "PasswordProtectedTransport", True)])
def test_the_context_of_the_login_is_what_was_asked_for(pysaml2, comparison, wanted, granted):
    prefix = "urn:oasis:names:tc:SAML:2.0:ac:classes:"
    person = Person("alice")
    identifier, arguments = pysaml2.request(
        requested_authn_context={"authn_context_class_ref": [prefix + wanted], "comparison": comparison})
    form = sign_on(person, person.open(location_in(arguments)))
    if granted:
        stated = pysaml2.accept(form, identifier).authn_info()[0][0]
        assert stated == prefix + (wanted if comparison == "exact" else "PasswordProtectedTransport")
    else:
        assert status_of(response_in(form)) == ["Responder", "NoAuthnContext"]
        with pytest.raises(StatusNoAuthnContext):
            pysaml2.accept(form, identifier)


def test_a_person_who_cancels_is_sent_back(pysaml2):
    person = Person("alice")
    _, arguments = pysaml2.request()
    form = sign_on(person, person.press(person.open(location_in(arguments)), ("action", "deny")))
    response = response_in(form)
    assert status_of(response) == ["Responder", "AuthnFailed"]
    assert response.find(ASSERTION + "Assertion") is None


def test_an_answer_can_travel_in_the_query(cloud, keys):
    location = OneLogin.acs
    entity = f"""<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:example:relay">
      <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <AssertionConsumerService Binding="{Constants.BINDING_HTTP_REDIRECT}" Location="{location}" index="0"/>
      </SPSSODescriptor></EntityDescriptor>"""
    register(cloud, entity, signs=["assertion", "response"])
    person = Person("alice")
    step = person.sign_in(person.open(f"{cloud.url}/adfs/ls/idpinitiatedsignon?loginToRp=urn:example:relay&RelayState=x%26y"))
    assert isinstance(step, Redirect) and step.url.startswith(location)
    assert step.query.get("RelayState") == "x&y", step.url
    assert step.query["SigAlg"].endswith("#rsa-sha256")
    response = message_in(step.url)
    assert response.find(SIGNATURE) is None and response.find(f"{ASSERTION}Assertion/{SIGNATURE}") is not None


# Errors, and where they are reported.

def test_an_unknown_service_provider_is_told_nothing(cloud, pysaml2):
    _, arguments = pysaml2.request()
    url = f"providers/company/service-providers?{urlencode({'entityID': pysaml2.entity_id})}"
    cloud.control("DELETE", url)
    step = Person("alice").open(location_in(arguments))
    assert isinstance(step, Refusal) and "unknown_service_provider" in step.text


def test_an_endpoint_that_is_not_registered_is_never_used(pysaml2):
    _, arguments = pysaml2.request(assertion_consumer_service_urls=["http://evil.example/acs"])
    step = Person("alice").open(location_in(arguments))
    assert isinstance(step, Refusal) and "evil.example" not in step.text


def test_a_request_must_be_signed_where_metadata_say_so(onelogin):
    auth = onelogin.auth()
    url = auth.login()
    bare = url[:url.index("&SigAlg=")]
    step = Person("alice").open(bare)
    assert isinstance(step, Refusal) and "signature_missing" in step.text


@pytest.mark.parametrize("damage", [
    lambda url: url.replace("RelayState=", "RelayState=x"), lambda url: url.replace("rsa-sha256", "rsa-sha512"),
    lambda url: url.replace("&Signature=", "&Signature=AAAA")], ids=["relay-state", "algorithm", "value"])
def test_a_changed_request_is_refused(onelogin, damage):
    url = onelogin.auth().login("/inside")
    assert damage(url) != url
    step = Person("alice").open(damage(url))
    assert isinstance(step, Refusal) and "invalid_signature" in step.text


def test_a_request_of_another_key_is_refused(cloud, onelogin):
    other = OneLogin.__new__(OneLogin)
    stranger = KeyPair("stranger")
    other.settings = onelogin.settings | {
        "sp": onelogin.settings["sp"] | {"x509cert": stranger.certificate, "privateKey": stranger.key}}
    step = Person("alice").open(other.auth().login())
    assert isinstance(step, Refusal) and "invalid_signature" in step.text


@pytest.mark.parametrize("parameters", [
    {}, {"SAMLRequest": "garbage"}, {"SAMLRequest": base64.b64encode(b"<x/>").decode()},
    {"SAMLRequest": base64.b64encode(b"<!DOCTYPE x [<!ENTITY e 'e'>]><x>&e;</x>").decode()}])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_is_no_request_is_answered_with_a_page(cloud, method, parameters):
    where = {"params": parameters} if method == "GET" else {"data": parameters}
    response = requests.request(method, f"{cloud.url}/idp/company/saml/sso", **where)
    assert response.status_code == 400 and "invalid_request" in response.text


# Sign-on that the identity provider starts.

@pytest.mark.parametrize("page", [
    "/adfs/ls/idpinitiatedsignon", "/adfs/ls/IdpInitiatedSignOn.aspx", "/idp/company/adfs/ls/idpinitiatedsignon.aspx"])
def test_a_person_chooses_a_service_provider(cloud, onelogin, page):
    person = Person("alice", "alice-password")
    listing = person.browser.get(cloud.url + page)
    assert f'<option value="{onelogin.entity_id}">' in listing.text
    form = sign_on(person, person.open(f"{listing.url}?{urlencode({'loginToRp': onelogin.entity_id})}"))
    assert "InResponseTo" not in response_in(form).keys()
    assert onelogin.accept(form).get_nameid() == "alice"


def test_the_relay_state_is_nested_as_ad_fs_has_it(cloud, onelogin):
    nested = urlencode({"RPID": onelogin.entity_id, "RelayState": "https://app.example/?a=1&b=2"})
    person = Person("alice")
    form = sign_on(person, person.open(f"{cloud.url}/adfs/ls/idpinitiatedsignon.aspx?{urlencode({'RelayState': nested})}"))
    assert form.fields["RelayState"] == "https://app.example/?a=1&b=2"
    onelogin.accept(form)


def test_requests_are_taken_at_the_endpoint_of_ad_fs(cloud, onelogin):
    onelogin.settings["idp"]["singleSignOnService"]["url"] = f"{cloud.url}/adfs/ls/"
    sign_on_with(onelogin, Person("alice", "alice-password"))


def test_a_script_without_a_browser_signs_on(cloud, onelogin):
    """As scripts do that fetch an assertion for a command line: they fill in the fields that look like a user name and a password."""
    session = requests.Session()
    page = session.get(f"{cloud.url}/adfs/ls/IdpInitiatedSignOn.aspx", params={"loginToRp": onelogin.entity_id})
    form = Page(page).form
    payload = {}
    for name, value in form.fields.items():
        payload[name] = "alice" if "user" in name.lower() else "alice-password" if "pass" in name.lower() else value
    answer = Page(session.post(requests.compat.urljoin(page.url, form.action), data=payload)).form
    assert onelogin.accept(answer).get_nameid() == "alice"


# Assertions without a login.

def on_demand(cloud, provider, **options):
    answer = cloud.control(
        "POST", "tokens", {"provider": "company", "user": "alice", "serviceProvider": provider.entity_id, **options})

    class Form:
        action, fields = answer["assertionConsumerService"], {"SAMLResponse": answer["SAMLResponse"]}

    return answer, Form


def test_an_assertion_on_demand_is_believed(cloud, onelogin):
    answer, form = on_demand(cloud, onelogin, attributes={"team": ["red", "blue"]}, claims={"email": "a@new.example"}, lifetime=120)
    auth = onelogin.accept(form)
    assert auth.get_nameid() == answer["subject"] == "alice" and answer["expires_in"] == 120
    assert auth.get_attributes()["team"] == ["red", "blue"] and auth.get_attributes()[EMAIL] == ["a@new.example"]


@pytest.mark.parametrize("fault, reason", [
    ("expired", "expired"), ("notYetValid", "not yet valid"), ("wrongRecipient", "SubjectConfirmation"),
    ("wrongAudience", "not a valid audience"), ("wrongIssuer", "Invalid issuer"), ("unsignedAssertion", "The Assertion of the Response is not signed"),
    ("unsigned", "The Assertion of the Response is not signed"), ("flippedSignatureBit", "Signature validation failed"), ("sha1", "Deprecated signature algorithm"),
    ("otherKey", "Signature validation failed")])
def test_an_assertion_that_is_wrong_on_demand_is_refused(cloud, keys, fault, reason):
    provider = OneLogin(cloud, keys, encrypts=False)
    _, form = on_demand(cloud, provider, fault=fault)
    assert reason.lower() in provider.refuse(form).lower()


def test_service_providers_are_listed_and_replaced(cloud, onelogin):
    def listed():
        return {one["entityID"]: one for one in cloud.control("GET", "providers/company/service-providers")["serviceProviders"]}

    assert listed()[onelogin.entity_id]["signs"] == ["assertion"]
    cloud.control("PUT", "providers/company/service-providers", {
        "entityID": onelogin.entity_id, "assertionConsumerServices": [onelogin.acs], "signs": ["response"]})
    assert listed()[onelogin.entity_id]["signs"] == ["response"]
    cloud.reset()
    assert onelogin.entity_id not in listed()


def test_metadata_may_be_put_as_they_are(cloud, onelogin):
    url = f"{cloud.url}/_virga/providers/company/service-providers"
    entity = """<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:example:xml">
      <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="0">
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact" Location="https://a.example/" index="0"/>
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://b.example/" index="7"/>
      </md:SPSSODescriptor></md:EntityDescriptor>"""
    response = requests.put(url, data=entity, headers={"Content-Type": "application/samlmetadata+xml"})
    assert response.status_code == 201 and not response.json()["requiresSignedRequests"]
    assert [service["index"] for service in response.json()["assertionConsumerServices"]] == [7]
    [artifact] = response.json()["unsupportedEndpoints"]
    assert artifact["binding"].endswith(":HTTP-Artifact") and artifact["index"] == 0
    assert requests.put(url, data=entity).status_code == 200
    # Requests could never be verified: there is no certificate.
    for wrong in [entity.replace('Signed="0"', 'Signed="1"'), "<x/>", entity.replace("SPSSODescriptor", "IDPSSODescriptor"), "{}", entity.replace("https://b", "ftp://b")]:
        response = requests.put(url, data=wrong)
        assert (response.status_code, response.json()["error"]) == (400, "malformed_service_provider"), wrong


def test_ids_of_requests_are_answered(pysaml2):
    """A response to one request is not accepted for another."""
    person = Person("alice")
    _, arguments = pysaml2.request()
    form = sign_on(person, person.open(location_in(arguments)))
    confirmation = response_in(form).find(f".//{ASSERTION}SubjectConfirmationData")
    assert confirmation.get("InResponseTo") == response_in(form).get("InResponseTo")
    assert confirmation.get("Recipient") == pysaml2.acs and response_in(form).find(PROTOCOL + "Status") is not None


# Sign-on to AWS.

def test_the_seeded_person_reaches_their_files_by_saml(cloud):
    provider = f"arn:aws:iam::{ACCOUNT}:saml-provider/company"
    role = f"arn:aws:iam::{ACCOUNT}:role/personal-files-saml"
    # As a browser would post it to AWS's sign-on page.
    person = Person("alice", "alice-password")
    form = sign_on(person, person.open(f"{cloud.url}/adfs/ls/idpinitiatedsignon.aspx?loginToRp=urn:amazon:webservices"))
    assert form.action == "https://signin.aws.amazon.com/saml"
    answer = anonymous(cloud, "sts").assume_role_with_saml(
        RoleArn=role, PrincipalArn=provider, SAMLAssertion=form.fields["SAMLResponse"])
    assert answer["Subject"] == "employee-0001-alice" and answer["Issuer"] == "https://login.company.example/saml"
    assert answer["AssumedRoleUser"]["Arn"].endswith("personal-files-saml/alice@company.example")
    s3 = client(cloud, "s3", **keys_of(answer))
    assert b"Alice" in s3.get_object(Bucket=BUCKET, Key="employee-0001-alice/hello.txt")["Body"].read()
    with refused("AccessDenied", 403):
        s3.get_object(Bucket=BUCKET, Key="100001234567891/notes.txt")


def test_an_account_shows_the_metadata_that_count(cloud):
    shown = client(cloud, "iam").get_saml_provider(SAMLProviderArn=f"arn:aws:iam::{ACCOUNT}:saml-provider/company")
    check_schema(shown["SAMLMetadataDocument"].encode(), "metadata")
    certificate = "{http://www.w3.org/2000/09/xmldsig#}X509Certificate"
    [ours] = ElementTree.fromstring(provider_metadata(cloud)).iter(certificate)
    [theirs] = ElementTree.fromstring(shown["SAMLMetadataDocument"]).iter(certificate)
    assert ours.text == theirs.text


def test_keys_roll_over_with_overlap(cloud, keys):
    """While both keys are published, signatures of the old one are accepted; then only those of the new one."""
    before = OneLogin(cloud, keys, encrypts=False)
    _, old = on_demand(cloud, before)
    cloud.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT1H"})
    during = OneLogin(cloud, keys, encrypts=False)
    assert len(during.settings["idp"]["x509certMulti"]["signing"]) == 2
    _, new = on_demand(cloud, during)
    during.accept(old)
    during.accept(new)
    assert "signature" in before.refuse(new).lower()
    cloud.age("PT2H")
    after = OneLogin(cloud, keys, encrypts=False)
    after.accept(on_demand(cloud, after)[1])
    assert "signature" in after.refuse(old).lower()
