"""The mobile cloud from end to end: from the login at a provider to a custom API that requires a role, with every possible refusal."""

import base64
import gzip
import json

import pytest
import requests

from cloud import Cloud
from login_page import Person
from mobile_sdk import InAppBrowser
from ridgeline import (
    ISSUER, SEED, TOKEN_CONFIGURATION, Backend, access_token, bearer, configure_tokens, external_token, jwt, oauth_refusal, refusal,
    register_app, saml_response, saml_token)

INCIDENTS = "incidents/incidents"


@pytest.fixture
def care(ridgeline):
    return Backend(ridgeline, "LiftCare")


# Employees.


def check_roles(care, technician, manager):
    """Calls with tokens of a technician and of a manager, after any exchange, which must have the access of their roles."""
    for token in (technician, manager):
        answer = care.custom("GET", INCIDENTS, bearer(token))
        assert answer.status_code == 200 and answer.json()["items"][0]["id"] == 101, answer.text
    refusal(care.custom("DELETE", f"{INCIDENTS}/101", bearer(technician)), 403)
    answer = care.custom("DELETE", f"{INCIDENTS}/101", bearer(manager))
    assert answer.status_code == 204 and not answer.content


def test_employees_come_by_saml(ridgeline, care):
    """The assertion of a login, compressed, is exchanged for a token of the relay.

    (R9, R16, R18, R26, R28, R29, R30, R31, R32, R33, R97, R98, R99, R101)
    """
    tokens = {user: access_token(care.exchange_saml(saml_token(ridgeline, user))) for user in ("tessa", "marc")}
    check_roles(care, tokens["tessa"], tokens["marc"])
    me = care.call("GET", "/mobile/platform/users/~", bearer(tokens["tessa"])).json()
    assert (me["username"], me["firstName"], me["station"]) == ("tessa", "Tessa", "Summit")
    # The backend is that of the token, whatever the header says.
    headers = bearer(tokens["tessa"]) | {"Oracle-Mobile-Backend-ID": Backend(ridgeline, "Screens").id}
    assert care.custom("GET", INCIDENTS, headers).status_code == 200


def test_an_assertion_from_the_login_page_does_as_well(ridgeline, care):
    """(R14, R17, R26, R87) The assertion that a web view reads from the form to the app's fictitious URL."""
    person = Person("marc", "marc-password")
    page = person.open(
        f"{ridgeline.url}/idp/ridgeline/adfs/ls/idpinitiatedsignon?loginToRp={ridgeline.url}/mobile/platform/sso/exchange-token")
    page = person.sign_in(page)
    assert page.form.action == f"{ridgeline.url}/mobile/platform/sso/redirect"
    token = external_token(base64.b64decode(page.form.fields["SAMLResponse"]))
    answer = care.custom("GET", INCIDENTS, bearer(access_token(care.exchange_saml(token))))
    assert answer.status_code == 200


def test_employees_come_by_jwt(ridgeline, care):
    """(R38, R40, R41, R42, R53, R54, R61, R73, R75, R76, R89, R90, R91, R92, R96) An ID token is exchanged for a token of the relay."""
    tokens = {user: access_token(care.exchange_jwt(jwt(ridgeline, user))) for user in ("tessa", "marc")}
    check_roles(care, tokens["tessa"], tokens["marc"])
    # Nina has no account; her name and roles are those of her token.
    nina = access_token(care.exchange_jwt(jwt(ridgeline, "nina")))
    refusal(care.custom("GET", INCIDENTS, bearer(nina)), 403)
    assert care.custom("GET", "profile/me", bearer(nina)).json()["username"] == "nina"


def test_the_exchange_of_jwts_has_three_ways_to_say_who_the_client_is(ridgeline, care):
    """(R91, R92, R93, R95)"""
    token = jwt(ridgeline, "tessa")
    by_header = care.exchange_jwt(token)
    body = {"client_id": care.clientID, "client_secret": care.clientSecret}
    by_body = care.exchange_jwt(token, client=False, **body)
    by_token = care.exchange_jwt(
        token, client=False, client_assertion_type="urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion=care.token(grant_type="client_credentials"))
    for answer in (by_header, by_body, by_token):
        assert care.custom("GET", INCIDENTS, bearer(access_token(answer))).status_code == 200
        document = answer.json()
        assert document["token_type"] == "Bearer" and document["id_token"] is None and document["expires_in"] == 21_600, document
        assert set(document) == {"access_token", "token_type", "id_token", "expires_in"}
    oauth_refusal(care.exchange_jwt(token, client=False, **body | {"client_secret": "wrong"}), 401, "invalid_client")


def test_the_relays_tokens_end(ridgeline, care):
    """(R58, R120) Tokens expire six hours after the exchange, by the sandbox's clock."""
    by_saml = access_token(care.exchange_saml(saml_token(ridgeline, "tessa")))
    by_jwt = access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))
    ridgeline.age("PT5H59M")
    for token in (by_saml, by_jwt):
        assert care.custom("GET", INCIDENTS, bearer(token)).status_code == 200
    ridgeline.age("PT1M1S")
    for token in (by_saml, by_jwt):
        refusal(care.custom("GET", INCIDENTS, bearer(token)), 401)


def test_a_reset_ends_every_token(ridgeline, care):
    token = access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))
    ridgeline.reset()
    refusal(care.custom("GET", INCIDENTS, bearer(token)), 401)


def test_browsers_log_in_at_the_exchange_endpoint_as_well(ridgeline, care):
    """(R102, R103, R104) A path for both: with `clientID` and without a bearer token it is for browsers."""
    browser = InAppBrowser("marc")
    page = browser.log_in(f"{ridgeline.url}/mobile/platform/sso/exchange-token?clientID={care.clientID}&format=json")
    token = json.loads(page.text)["access_token"]
    assert care.custom("DELETE", f"{INCIDENTS}/101", bearer(token)).status_code == 204
    # The browser's cookie identifies the user from now on, in an app of the same realm.
    again = browser.browser.get(f"{ridgeline.url}/mobile/platform/sso/token?clientID={care.clientID}&format=json", allow_redirects=False)
    assert again.status_code == 200 and again.json()["access_token"]


def test_partners_log_in_by_openid_connect(ridgeline):
    """(R9, R11, R107) Their realm finds them by their email address."""
    partners = Backend(ridgeline, "CablePartners")
    page = InAppBrowser("pavel").log_in(
        f"{ridgeline.url}/mobile/platform/sso/token?clientID={partners.clientID}&format=json")
    token = json.loads(page.text)["access_token"]
    me = partners.call("GET", "/mobile/platform/users/~", bearer(token)).json()
    assert (me["username"], me["email"]) == ("p.petrov", "pavel@cables.example")
    # Employees are not in this realm.
    page = InAppBrowser("tessa").log_in(f"{ridgeline.url}/mobile/platform/sso/token?clientID={partners.clientID}&format=json")
    answer = json.loads(page.text)
    assert (answer["status"], answer["detail"]) == (
        403, "The realm Partners(1.0) has no user with the email address tessa@ridgeline.example.")


# Errors of the exchange.


def test_jwts_of_the_wrong_audience_are_refused(ridgeline, care):
    """(R50, R51, R52)"""
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa", fault="wrongAudience")), 400, "invalid_grant", "audience")
    # Without a list the audience is the relay itself, by its base URL or a path below.
    configure_tokens(ridgeline, lambda issuer: issuer.pop("audience"))
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa")), 400, "invalid_grant", "audience")
    for path in ("", "/", "/mobile", "/mobile/platform/", "/mobile/platform/auth", "/mobile/platform/auth/token"):
        access_token(care.exchange_jwt(jwt(ridgeline, "tessa", claims={"aud": ridgeline.url + path})))
    oauth_refusal(
        care.exchange_jwt(jwt(ridgeline, "tessa", claims={"aud": ridgeline.url + "/mobile/custom"})), 400, "invalid_grant", "audience")


def test_jwts_that_have_expired_are_refused(ridgeline, care):
    description = f"{ISSUER}|/idp/ridgeline.*expired"
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa", fault="expired")), 400, "invalid_grant", description)
    token = jwt(ridgeline, "tessa")
    ridgeline.age("PT1H5M")
    oauth_refusal(care.exchange_jwt(token), 400, "invalid_grant", "expired")


@pytest.mark.parametrize("fault", [
    "flippedSignatureBit", "otherKey", "unknownKeyID", "algNone", "hs256WithPublicKey", "emptySignature", "embeddedKey", "keySetURL"])
def test_jwts_that_are_not_the_issuers_are_refused(ridgeline, care, fault):
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa", fault=fault)), 400, "invalid_grant")


def test_jwts_of_issuers_that_nobody_configured_are_refused(ridgeline, care):
    """(R48)"""
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa", fault="wrongIssuer")), 400, "invalid_grant", "not been configured")


def test_a_disabled_issuer_is_refused(ridgeline, care):
    """(R45, R49)"""
    configure_tokens(ridgeline, lambda issuer: issuer.update(enabled=False))
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa")), 400, "invalid_grant", "^Issuer .+/idp/ridgeline is disabled.$")


def test_what_a_filter_keeps_out_is_refused(ridgeline, care):
    """(R63, R64, R65, R66)"""
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "pavel")), 400, "invalid_grant", "filter")
    excluded = {"name": "roles", "type": "exclude", "values": ["Mana*"]}
    configure_tokens(ridgeline, lambda issuer: issuer["filters"].append(excluded))
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "marc")), 400, "invalid_grant", "filter")
    access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))


def test_a_backend_that_the_issuer_is_not_for_is_refused(ridgeline):
    """(R68, R69)"""
    partners = Backend(ridgeline, "CablePartners")
    oauth_refusal(partners.exchange_jwt(jwt(ridgeline, "tessa")), 400, "invalid_grant", "backend")
    configure_tokens(ridgeline, lambda issuer: issuer["allowedMbes"].append({"clientId": partners.clientID}))
    access_token(partners.exchange_jwt(jwt(ridgeline, "tessa")))


def test_a_clients_own_token_is_no_users(ridgeline, care):
    """(R56, R57)"""
    own = {"preferred_username": "ridgeline-app", "client_id": "ridgeline-app"}
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa", claims=own)), 400, "invalid_grant", "client")
    # A user's token may contain the client it was issued for.
    access_token(care.exchange_jwt(jwt(ridgeline, "tessa", claims={"client_id": "ridgeline-app"})))
    configure_tokens(ridgeline, lambda issuer: issuer.pop("clientIdAttribute"))
    access_token(care.exchange_jwt(jwt(ridgeline, "tessa", claims=own)))


def test_a_client_without_its_secret_is_refused(ridgeline, care):
    """(R55, R94)"""
    token = jwt(ridgeline, "tessa")
    oauth_refusal(care.exchange_jwt(token, client=False, client_id=care.clientID), 401, "invalid_client")
    configure_tokens(ridgeline, lambda issuer: issuer.update(requireClientAuth=False))
    token = jwt(ridgeline, "tessa")
    access_token(care.exchange_jwt(token, client=False, client_id=care.clientID))
    # The client ID is still required, and a wrong secret is refused.
    oauth_refusal(care.exchange_jwt(token, client=False), 401, "invalid_client", "does not name its client")
    oauth_refusal(care.exchange_jwt(token, client=False, client_id=care.clientID, client_secret="wrong"), 401, "invalid_client")


def test_a_new_key_of_the_issuer_counts(ridgeline, care):
    """(R81) An unknown key is fetched, unless the last fetch was within the minute, by the sandbox's clock."""
    access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))
    ridgeline.control("POST", "keys/rotate", {"provider": "ridgeline", "overlap": "PT0S"})
    oauth_refusal(care.exchange_jwt(jwt(ridgeline, "tessa")), 400, "invalid_grant", "^No matching public key found for issuer ")
    ridgeline.age("PT1M1S")
    access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))


@pytest.mark.parametrize("fault", [
    "expired", "notYetValid", "wrongAudience", "wrongIssuer", "unsignedAssertion", "unsigned", "flippedSignatureBit", "sha1", "otherKey"])
def test_assertions_that_are_not_to_be_believed_are_refused(ridgeline, care, fault):
    """(R14, R18, R20, R21)"""
    refusal(care.exchange_saml(saml_token(ridgeline, "tessa", fault=fault)), 401)


def test_an_assertion_is_for_the_exchange_endpoint(ridgeline, care):
    """(R18)"""
    entity_id = register_app(ridgeline, "https://elsewhere.example/mobile/platform/sso/exchange-token")
    refusal(care.exchange_saml(external_token(saml_response(ridgeline, "tessa", entity_id))), 401, "audience|Audience")


def test_somebody_without_an_account_is_refused(ridgeline, care):
    """(R97, R98, R99)"""
    refusal(care.exchange_saml(saml_token(ridgeline, "nina")), 403)
    # An account in another realm does not help.
    ridgeline.control("PUT", "mobile/realms/Partners(1.0)/users/nina", {"username": "nina"})
    refusal(care.exchange_saml(saml_token(ridgeline, "nina")), 403)
    ridgeline.control("PUT", "mobile/realms/Default(1.0)/users/nina", {"username": "nina"})
    access_token(care.exchange_saml(saml_token(ridgeline, "nina")))


@pytest.mark.parametrize("token", [
    "e30", base64.b64encode(b"<Assertion/>").decode(), base64.b64encode(gzip.compress(b"<Assertion/>")).decode(),
    base64.b64encode(gzip.compress(b"\0" * (16 << 20))).decode()], ids=["nothing", "not compressed", "no assertion", "a bomb"])
def test_what_is_no_assertion_is_refused(care, token):
    """(R26)"""
    refusal(care.exchange_saml(token), 401)


def test_the_exchange_of_assertions_names_a_backend(ridgeline, care):
    """(R30)"""
    token = saml_token(ridgeline, "tessa")
    refusal(care.call("GET", "/mobile/platform/sso/exchange-token", bearer(token)), 400)
    headers = bearer(token) | {"Oracle-Mobile-Backend-ID": "00000000-0000-4000-8000-000000000000"}
    answer = care.call("GET", "/mobile/platform/sso/exchange-token", headers)
    assert refusal(answer, 404) == "MOBILE-58026"


# The screens of stations, without a login.


def test_screens_show_what_is_open(ridgeline):
    """(R2, R5, R126, R127, R140, R146, R147)"""
    screens = Backend(ridgeline, "Screens")
    assert screens.custom("GET", "lifts/lifts", screens.anonymous).json()["items"][0]["id"] == "summit"
    assert screens.custom("GET", "lifts/lifts/valley", screens.anonymous).json() == {"id": "valley", "state": "open"}
    refusal(screens.custom("GET", "profile/me", screens.anonymous), 401)
    refusal(screens.custom("GET", INCIDENTS, screens.anonymous), 401)
    assert screens.call("GET", "/mobile/platform/appconfig/client", screens.anonymous).json() == {}
    # OAuth is off.
    answer = requests.post(f"{ridgeline.url}/oam/oauth2/tokens", data={"grant_type": "client_credentials"}, auth=screens.client)
    oauth_refusal(answer, 400, "unauthorized_client", r"OAuth Consumer is not enabled in the mobile backend Screens\(1.0\)")


# The rest of the cloud.


def test_the_journal_tells_who_called_and_why_not(ridgeline, care):
    token = access_token(care.exchange_jwt(jwt(ridgeline, "tessa")))
    code = refusal(care.custom("DELETE", f"{INCIDENTS}/101", bearer(token)), 403)
    [entry] = ridgeline.control("GET", "journal?face=mobile&status=403&limit=1")["entries"]
    assert "tessa" in entry["caller"] and entry["error"] == code, entry
    assert "Manager" in json.dumps(entry["decisions"]), entry


def test_errors_on_demand_reach_the_mobile_cloud(ridgeline, care):
    ridgeline.control("POST", "faults", {"service": "mobile", "error": {"code": "Broken", "status": 503, "message": "On demand"}})
    refusal(care.custom("GET", "lifts/lifts", care.anonymous), 503)
    assert care.custom("GET", "lifts/lifts", care.anonymous).status_code == 200


def test_a_folder_keeps_the_mobile_cloud(tmp_path):
    """Backends, users and policies are stored like other records: a restart finds them, and tokens remain valid."""
    with Cloud.over(tmp_path, "--seed", SEED) as cloud:
        care = Backend(cloud, "LiftCare")
        token = care.token(grant_type="password", username="dora", password="dora-password")
        cloud.control("PUT", f"mobile/policies/{TOKEN_CONFIGURATION}", {"value": '{"issuers": []}'})
        assert cloud.stop() == 0
    with Cloud.over(tmp_path, "--seed", SEED) as cloud:
        care = Backend(cloud, "LiftCare")
        assert care.call("GET", "/mobile/platform/users/~", bearer(token)).json()["username"] == "dora"
        assert cloud.control("GET", f"mobile/policies/{TOKEN_CONFIGURATION}")["value"] == '{"issuers": []}'


def test_people_of_google_come_by_its_id_tokens():
    """(R76, R81) Its discovery document and its keys are on two hosts. A key that is published later is accepted after the interval."""
    with Cloud.ephemeral("--seed", SEED.with_name("personal-file-store.json5"), "--seed", SEED) as cloud:
        care = Backend(cloud, "LiftCare")
        google = {
            "issuerName": "https://accounts.google.com", "virtualUserEnabled": True, "usernameAttribute": "email",
            "audience": ["1234567890.apps.googleusercontent.com"],
            "jwks": {"discoveryUri": "https://accounts.google.com/.well-known/openid-configuration"}}
        cloud.control("PUT", f"mobile/policies/{TOKEN_CONFIGURATION}", {"value": json.dumps({"issuers": [google]})})
        token = access_token(care.exchange_jwt(cloud.token("google", "alice")))
        assert care.custom("GET", "profile/me", bearer(token)).json()["username"] == "alice@example.com"
        cloud.control("POST", "keys/rotate", {"provider": "google", "overlap": "PT0S"})
        oauth_refusal(
            care.exchange_jwt(cloud.token("google", "alice")), 400, "invalid_grant",
            "^No matching public key found for issuer https://accounts.google.com. ")
        cloud.age("PT1M1S")
        access_token(care.exchange_jwt(cloud.token("google", "alice")))


def test_a_cloud_without_a_mobile_cloud_has_no_token_endpoint(cloud):
    """Without a mobile cloud, a path such as /token is a bucket's."""
    assert requests.get(f"{cloud.url}/token").headers["Content-Type"] == "application/xml"
    refusal(requests.get(f"{cloud.url}/mobile/custom/lifts/lifts"), 404)
