"""SimpleSAMLphp, which universities use, as a service provider and as an identity provider."""

import base64
import contextlib
import json
from urllib.parse import urlencode

import pytest

import company
import simplesamlphp
from apache import Visitor
from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, BUCKET
from login_page import Page
from saml_provider import AMAZON, ATTRIBUTE, RECIPIENT

PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
MAIL = "urn:oid:0.9.2342.19200300.100.1.3"
PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
PROVIDER_ARN = f"arn:aws:iam::{ACCOUNT}:saml-provider/university"
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/files"


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


@pytest.fixture
def started(cloud):
    """Starts an application, which is registered by the metadata that it publishes. It ends with the test."""
    with contextlib.ExitStack() as stack:

        def start(settings=None, **decisions):
            usual = {"idp": f"{company.issuer(cloud)}/saml/metadata", "sign.authnrequest": True, "sign.logout": True}
            server = stack.enter_context(simplesamlphp.serving(
                company.identity_provider_metadata(cloud), application=usual | (settings or {})))
            company.register_service_provider(cloud, server.service_metadata, **decisions)
            return server

        yield start


def login(server, **parameters):
    """The page with parameters of a login, by SimpleSAMLphp's names."""
    return f"{server.page}?{urlencode({'login': json.dumps(parameters)})}"


@pytest.mark.parametrize("encrypts", [True, False], ids=["encrypted", "in the clear"])
@pytest.mark.parametrize("signs", [["assertion"], ["response"], ["assertion", "response"]], ids="+".join)
def test_a_user_signs_on(cloud, alice, started, signs, encrypts):
    server = started({"assertion.encryption": encrypts}, signs=signs, encrypts=encrypts)
    user = alice.environment(server.page)
    assert user["provider"] == f"{company.issuer(cloud)}/saml/metadata"
    assert user["format"] == TRANSIENT
    assert user["context"] == PASSWORD
    assert user["session"]
    assert user["attributes"][MAIL] == ["alice@company.example"]


@pytest.mark.parametrize("content", ["aes128-cbc", "aes256-cbc", "aes128-gcm", "aes256-gcm"])
def test_every_encryption_can_be_read(cloud, alice, started, content):
    server = started({"assertion.encryption": True})
    [registered] = cloud.control("GET", "providers/company/service-providers")["serviceProviders"]
    registered["encryption"]["content"] = content
    cloud.control("PUT", "providers/company/service-providers", registered)
    assert alice.environment(server.page)["attributes"][MAIL] == ["alice@company.example"]


@pytest.mark.parametrize("format", [PERSISTENT, EMAIL])
def test_the_name_has_the_requested_format(alice, started, format):
    server = started({"NameIDPolicy": {"Format": format, "AllowCreate": True}})
    user = alice.environment(server.page)
    assert user["format"] == format
    assert (user["name"] == "alice@company.example") == (format == EMAIL)


def test_a_login_can_be_forced_and_forbidden(alice, started):
    server = started()
    refused_login = alice.visit(login(server, isPassive=True))
    assert "NoPassive" in refused_login.text
    alice.environment(server.page)
    # The identity provider's own session serves a second login without a page.
    quiet = alice.open(login(server, isPassive=True))
    assert isinstance(quiet, Page)
    assert not quiet.is_login
    assert alice.open(login(server, ForceAuthn=True)).is_login


def test_a_requested_context_decides(alice, started):
    server = started()
    user = alice.environment(login(server, **{"saml:AuthnContextClassRef": PASSWORD}))
    assert user["context"] == PASSWORD
    step = alice.visit(login(server, **{"saml:AuthnContextClassRef": "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI"}))
    assert "NoAuthnContext" in step.text


def is_signed_in(alice, server):
    answer = alice.browser.get(server.page, allow_redirects=False)
    return answer.status_code == 200 and answer.text.startswith("{")


def test_a_logout_at_the_application_ends_both_sessions(alice, started):
    server = started()
    alice.environment(server.page)
    assert is_signed_in(alice, server)
    step = alice.visit(f"{server.page}?{urlencode({'leave': server.url + '/bye.html'})}")
    assert "Goodbye from the application" in step.text
    assert not is_signed_in(alice, server)
    assert alice.visit(server.page, until="password").is_login


def test_a_logout_at_the_identity_provider_reaches_the_application(cloud, alice, started):
    server = started()
    alice.environment(server.page)
    step = alice.open(f"{company.issuer(cloud)}/saml/logout")
    while isinstance(step, Page) and step.forms:
        carried = alice.carried(step)
        step = alice.send(step, carried) if carried else alice.press(step, ("action", "logout"))
    assert isinstance(step, Page), f"{step.status} {step.text}"
    assert not is_signed_in(alice, server)


@pytest.fixture
def university(cloud):
    """SimpleSAMLphp as the identity provider that an account trusts."""
    users = {"erin:erin-password": {
        "uid": ["erin"], ATTRIBUTE + "Role": [f"{ROLE_ARN},{PROVIDER_ARN}"], ATTRIBUTE + "RoleSessionName": ["erin@university.example"],
        ATTRIBUTE + "SessionDuration": ["1800"], ATTRIBUTE + "PrincipalTag:Faculty": ["science"]}}
    with simplesamlphp.serving(AMAZON, users=users) as server:
        iam = client(cloud, "iam")
        iam.create_saml_provider(Name="university", SAMLMetadataDocument=server.provider_metadata)
        trust = {"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Principal": {"Federated": PROVIDER_ARN}, "Action": ["sts:AssumeRoleWithSAML", "sts:TagSession"],
            "Condition": {"StringEquals": {"saml:aud": RECIPIENT, "aws:RequestTag/Faculty": "science"}}}]}
        iam.create_role(RoleName="files", AssumeRolePolicyDocument=json.dumps(trust))
        iam.put_role_policy(RoleName="files", PolicyName="own", PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Action": "s3:*Object", "Resource": f"arn:aws:s3:::{BUCKET}/${{saml:sub}}/*"}]}))
        client(cloud, "s3").create_bucket(Bucket=BUCKET)
        yield server


def asserted(server):
    """The response for AWS, after a login at SimpleSAMLphp's page."""
    erin = Visitor("erin", "erin-password")
    step = erin.open(f"{server.url}/simplesaml/saml2/idp/SSOService.php?{urlencode({'spentityid': 'urn:amazon:webservices'})}")
    form = next(form for form in step.forms if "username" in form.fields)
    answer = erin.browser.post(
        form.action if form.action.startswith("http") else step.url.partition("?")[0],
        data=form.fields | {"username": erin.name, "password": erin.password})
    page = Page(answer)
    [form] = [form for form in page.forms if "SAMLResponse" in form.fields]
    assert form.action == RECIPIENT
    return form.fields["SAMLResponse"]


def assume(cloud, assertion):
    return anonymous(cloud, "sts").assume_role_with_saml(RoleArn=ROLE_ARN, PrincipalArn=PROVIDER_ARN, SAMLAssertion=assertion)


def test_a_role_is_assumed_with_its_assertion(cloud, university):
    answer = assume(cloud, asserted(university))
    assert answer["Subject"] == "erin"
    assert answer["SubjectType"] == "persistent"
    assert answer["Issuer"] == f"{university.url}/idp"
    assert answer["Audience"] == RECIPIENT
    assert answer["AssumedRoleUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT}:assumed-role/files/erin@university.example"
    s3 = client(cloud, "s3", **keys_of(answer))
    s3.put_object(Bucket=BUCKET, Key="erin/note.txt", Body=b"mine")
    with refused("AccessDenied", 403):
        s3.put_object(Bucket=BUCKET, Key="alice/note.txt", Body=b"not mine")


def test_a_changed_assertion_is_refused(cloud, university):
    text = base64.b64decode(asserted(university)).replace(b">science<", b">history<")
    with refused("InvalidIdentityToken", 400):
        assume(cloud, base64.b64encode(text).decode())
