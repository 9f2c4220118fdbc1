"""SAML 2.0 single logout: the end of a session reaches every service provider of it."""

import pytest

from login_page import Page, Person, Redirect
from service_providers import (
    BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, OneLogin, PySAML2, location_in, message_in, response_in, sign_on, sign_on_with, status_of,
    submit)


def test_a_service_provider_ends_the_session(cloud, onelogin):
    person = Person("alice", "alice-password")
    auth, _ = sign_on_with(onelogin, person)
    logout = onelogin.auth()
    step = person.open(logout.logout(
        return_to="/bye", name_id=auth.get_nameid(), session_index=auth.get_session_index(), nq=auth.get_nameid_nq(),
        name_id_format=auth.get_nameid_format(), spnq=auth.get_nameid_spnq()))
    assert isinstance(step, Redirect) and step.query["RelayState"] == "/bye"
    assert status_of(message_in(step.url)) == ["Success"]
    answer = onelogin.auth(step.url)
    answer.process_slo(keep_local_session=True, request_id=logout.get_last_request_id())
    assert answer.get_errors() == [], answer.get_last_error_reason()
    assert person.open(onelogin.auth().login()).is_login


@pytest.mark.parametrize("binding", [BINDING_HTTP_REDIRECT, BINDING_HTTP_POST], ids=["redirect", "post"])
def test_a_logout_goes_round_all_service_providers(cloud, keys, tmp_path, onelogin, binding):
    pysaml2 = PySAML2(cloud, keys, tmp_path)
    person = Person("alice", "alice-password")
    sign_on_with(onelogin, person)
    identifier, arguments = pysaml2.request()
    session = pysaml2.accept(sign_on(person, person.open(location_in(arguments))), identifier)
    # pysaml2 starts the logout.
    [(_, (used, request))] = pysaml2.client.do_logout(
        session.name_id, [pysaml2.provider], reason="", expire=None, sign=True, expected_binding=binding,
        sign_alg="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", digest_alg="http://www.w3.org/2001/04/xmlenc#sha256").items()
    assert used == binding
    if binding == BINDING_HTTP_REDIRECT:
        step = person.open(location_in(request))
    else:
        step = submit(person, request["data"], cloud.url)
    # The other one is notified, through the browser, and confirms.
    assert isinstance(step, Redirect) and step.url.startswith(onelogin.slo)
    told = onelogin.auth(step.url)
    back = told.process_slo()
    assert told.get_errors() == [], told.get_last_error_reason()
    step = person.open(back)
    # The first one gets its response, by the binding that it used.
    if binding == BINDING_HTTP_REDIRECT:
        assert step.url.startswith(pysaml2.slo)
        message, signature = step.query["SAMLResponse"], step.query["Signature"]
        assert signature and status_of(message_in(step.url)) == ["Success"]
    else:
        assert step.form.action == pysaml2.slo
        message = step.form.fields["SAMLResponse"]
        assert status_of(response_in(step.form)) == ["Success"]
    assert pysaml2.client.parse_logout_request_response(message, binding).status_ok()
    assert person.open(onelogin.auth().login()).is_login


def test_a_logout_that_not_everybody_confirms_is_partial(cloud, keys, pysaml2):
    silent = OneLogin(cloud, keys, slo=False)
    person = Person("alice", "alice-password")
    sign_on_with(silent, person)
    identifier, arguments = pysaml2.request()
    session = pysaml2.accept(sign_on(person, person.open(location_in(arguments))), identifier)
    [(_, (_, request))] = pysaml2.client.do_logout(
        session.name_id, [pysaml2.provider], reason="", expire=None, sign=True, expected_binding=BINDING_HTTP_REDIRECT).items()
    step = person.open(location_in(request))
    assert status_of(message_in(step.url)) == ["Success", "PartialLogout"]


@pytest.mark.parametrize("where", ["/idp/company/saml/logout", "/adfs/ls/?wa=wsignout1.0"])
def test_a_logout_begins_at_the_identity_provider(cloud, onelogin, where):
    person = Person("alice", "alice-password")
    sign_on_with(onelogin, person)
    step = person.open(cloud.url + where)
    assert step.url.startswith(onelogin.slo)
    told = onelogin.auth(step.url)
    page = person.open(told.process_slo())
    assert told.get_errors() == []
    assert isinstance(page, Page) and "You are logged out." in page.text and "Not every site" not in page.text
    assert person.open(onelogin.auth().login()).is_login


def test_a_logout_of_openid_connect_reaches_service_providers(cloud, onelogin):
    person = Person("alice", "alice-password")
    sign_on_with(onelogin, person)
    step = person.press(person.open(f"{cloud.url}/idp/company/logout"), ("action", "logout"))
    assert isinstance(step, Redirect) and step.url.startswith(onelogin.slo)
    told = onelogin.auth(step.url)
    page = person.open(told.process_slo())
    assert told.get_errors() == [] and "You are logged out." in page.text
    assert person.open(onelogin.auth().login()).is_login


def test_a_logout_in_the_name_of_another_is_refused(cloud, onelogin):
    person = Person("alice", "alice-password")
    auth, _ = sign_on_with(onelogin, person)
    step = person.open(onelogin.auth().logout(name_id="bob", session_index=auth.get_session_index()))
    assert status_of(message_in(step.url)) == ["Requester", "UnknownPrincipal"]
    assert not person.open(onelogin.auth().login()).is_login
