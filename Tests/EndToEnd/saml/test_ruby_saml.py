"""ruby-saml, the service provider of many Rails applications. A short Ruby program handles one request of a browser: it reads its order from
a file and writes what the library says."""

import base64
import json
from pathlib import Path

import pytest

from login_page import REDIRECT_URI, Person, Redirect
from service_providers import provider_metadata, register, response_in, sign_on, status_of

PROGRAM = Path(__file__).with_name("ruby_saml.rb")
ACS, SLO = REDIRECT_URI + "/ruby/acs", REDIRECT_URI + "/ruby/slo"
EMAIL = "urn:oid:0.9.2342.19200300.100.1.3"


class RubySAML:
    """A service provider in its strictest configuration."""

    def __init__(self, cloud, keys, tool, tmp_path, **decisions):
        self.cloud, self.tool, self.order_file = cloud, tool, tmp_path / "order.json"
        self.fixed = {
            "metadata": provider_metadata(cloud), "entity": "urn:example:ruby-saml", "acs": ACS, "slo": SLO, "key": keys.key,
            "certificate": keys.certificate, "encrypted": decisions.get("encrypts", False)}
        self.registered = register(cloud, self.run("metadata")["metadata"], **decisions)

    def run(self, action, **order):
        self.order_file.write_text(json.dumps(self.fixed | {"action": action} | order))
        return json.loads(self.tool("ruby", PROGRAM, self.order_file))

    def sign_on(self, person, **order):
        """Goes from the service provider to its response. Returns what the library says of the response, and the request's identifier."""
        request = self.run("login", relay_state="/inside", **order)
        form = sign_on(person, person.open(request["url"]))
        assert form.action == ACS
        assert form.fields["RelayState"] == "/inside"
        return self.accept(form, request["id"]), request["id"]

    def accept(self, form, identifier):
        return self.run("response", response=form.fields["SAMLResponse"], id=identifier)


@pytest.fixture
def ruby(cloud, keys, tool, tmp_path):
    return lambda **decisions: RubySAML(cloud, keys, tool, tmp_path, **decisions)


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
@pytest.mark.parametrize("signs", [["assertion"], ["assertion", "response"]], ids="-".join)
def test_a_user_signs_on(ruby, signs, encrypted):
    provider = ruby(signs=signs, encrypts=encrypted)
    outcome, _ = provider.sign_on(Person("alice", "alice-password"))
    assert outcome["errors"] == []
    assert outcome["valid"]
    assert outcome["encrypted"] == encrypted
    assert outcome["name"] == "alice"
    assert outcome["attributes"][EMAIL] == ["alice@company.example"]
    assert outcome["session"]


def test_the_email_address_is_the_name(ruby):
    outcome, _ = ruby(encrypts=False).sign_on(
        Person("bob"), name_id_format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress")
    assert outcome["errors"] == []
    assert outcome["name"] == "bob@company.example"


def test_a_response_to_another_request_is_refused(ruby):
    provider = ruby(encrypts=False)
    request = provider.run("login")
    person = Person("alice")
    outcome = provider.accept(sign_on(person, person.open(request["url"])), "_another")
    assert not outcome["valid"]
    assert any("InResponseTo" in error for error in outcome["errors"])


def test_a_changed_response_is_refused(ruby):
    provider = ruby(encrypts=False)
    request = provider.run("login")
    person = Person("alice")
    form = sign_on(person, person.open(request["url"]))
    text = base64.b64decode(form.fields["SAMLResponse"]).replace(b"alice@company.example", b"admin@company.example")
    form.fields["SAMLResponse"] = base64.b64encode(text).decode()
    outcome = provider.accept(form, request["id"])
    assert not outcome["valid"]
    assert any("Invalid Signature" in error for error in outcome["errors"])


def test_a_login_can_be_forced_and_forbidden(ruby):
    provider = ruby(encrypts=False)
    person = Person("alice")
    step = person.open(provider.run("login", passive=True)["url"])
    assert status_of(response_in(step.form)) == ["Responder", "NoPassive"]
    provider.sign_on(person)
    assert not person.open(provider.run("login")["url"]).is_login
    assert person.open(provider.run("login", force=True)["url"]).is_login


def test_a_user_logs_out(ruby):
    provider = ruby(encrypts=False)
    person = Person("alice")
    outcome, _ = provider.sign_on(person)
    request = provider.run("logout", name=outcome["name"], session=outcome["session"])
    step = person.open(request["url"])
    assert isinstance(step, Redirect)
    assert step.url.startswith(SLO)
    answer = provider.run("logged-out", parameters=step.query, id=request["id"])
    assert answer["errors"] == []
    assert answer["success"]
    assert person.open(provider.run("login")["url"]).is_login
