"""Apache's OpenID Connect module as a relying party: it logs users in, refreshes their tokens and logs them out."""

import base64
import json
from contextlib import contextmanager
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import pytest
import requests

import company
from apache import Apache, Visitor, readable_folder
from cloud import free_port
from login_page import REDIRECT_URI, Page, Redirect, Refusal
from openid_flow import RESPONSE_TYPES, Flow

CLIENT = "apache"
ALGORITHMS = ["RS384", "PS256", "ES256"]
METHODS = ["client_secret_basic", "client_secret_post", "client_secret_jwt"]

CONFIGURATION = """
OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID "{client}"
OIDCClientSecret "{secret}"
OIDCRedirectURI http://localhost:{port}/protected/redirect_uri
OIDCCryptoPassphrase a-passphrase-of-the-test
OIDCPKCEMethod S256
OIDCScope "openid profile email"
OIDCPassClaimsAs environment
OIDCPassIDTokenAs claims serialized
OIDCPassRefreshToken On
OIDCInfoHook iat access_token access_token_expires id_token userinfo refresh_token session
{further}
<Location /protected>
    AuthType openid-connect
    Require valid-user
</Location>
"""


@pytest.fixture(scope="module")
def port():
    return free_port()


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests, tmp_path_factory, port):
    site = f"http://localhost:{port}"

    def client(name, **metadata):
        return {
            "id": name, "secret": f"{name}-client-secret-of-32-characters", "name": f"Apache ({name})",
            "redirectURIs": [f"{site}/protected/redirect_uri"],
            "metadata": {
                "post_logout_redirect_uris": [f"{site}/bye.html"],
                "backchannel_logout_uri": f"{site}/protected/redirect_uri?logout=backchannel",
                "backchannel_logout_session_required": True, **metadata}}

    clients = [client(CLIENT, response_types=RESPONSE_TYPES)]
    clients += [client(name, id_token_signed_response_alg=name) for name in ALGORITHMS]
    clients += [client(name, token_endpoint_auth_method=name) for name in METHODS]
    clients += [
        client("keyed", token_endpoint_auth_method="private_key_jwt", jwks_uri=f"{site}/protected/redirect_uri?jwks=rsa"),
        client("signing", request_object_signing_alg="RS256", jwks_uri=f"{site}/protected/redirect_uri?jwks=rsa"),
        client("signed userinfo", userinfo_signed_response_alg="RS256")]
    clients.append({"id": "other", "secret": "other-secret", "redirectURIs": [REDIRECT_URI],
                    "metadata": {"post_logout_redirect_uris": [f"{REDIRECT_URI}/goodbye"]}})
    with company.company(tmp_path_factory.mktemp("company"), clients) as cloud:
        yield cloud


@contextmanager
def started(cloud, port, further="", client=CLIENT):
    cloud.reset()
    with readable_folder() as folder:
        with Apache(folder, port, ["auth_openidc"], CONFIGURATION.format(
                issuer=company.issuer(cloud), client=client, secret=f"{client}-client-secret-of-32-characters", port=port,
                further=further)) as apache:
            yield apache


@pytest.fixture
def apache(cloud, port):
    with started(cloud, port) as apache:
        yield apache


@pytest.fixture
def alice():
    return Visitor("alice", "alice-password")


def information(visitor, apache):
    """The module's information about the visitor's session."""
    answer = visitor.browser.get(f"{apache.url}/protected/redirect_uri?info=json")
    assert answer.status_code == 200, answer.text
    return answer.json()


def must_sign_in(visitor, apache):
    """Whether the page leads to the login page again."""
    step = visitor.open(apache.page)
    return isinstance(step, Page) and step.is_login


def test_a_visitor_signs_in_and_the_application_knows_who_it_is(cloud, apache, alice):
    environment = alice.environment(apache.page)
    assert environment["REMOTE_USER"] == f"{company.subject('alice')}@{company.issuer(cloud)}"
    assert environment["OIDC_CLAIM_sub"] == company.subject("alice")
    assert environment["OIDC_CLAIM_iss"] == company.issuer(cloud)
    assert environment["OIDC_CLAIM_aud"] == CLIENT
    # From userinfo, since the ID token of a code flow need not contain them.
    assert environment["OIDC_CLAIM_name"] == "Alice Archer"
    assert environment["OIDC_CLAIM_email"] == "alice@company.example"
    assert environment["OIDC_access_token"] and environment["OIDC_id_token"].count(".") == 2
    # The session is the module's own, without a request to the issuer.
    again = alice.browser.get(apache.page, allow_redirects=False)
    assert again.status_code == 200 and again.json()["OIDC_CLAIM_sub"] == company.subject("alice")


def test_the_request_carries_a_challenge_a_nonce_and_a_state(apache):
    answer = requests.get(apache.page, allow_redirects=False)
    query = parse_qs(urlsplit(answer.headers["Location"]).query)
    assert query["code_challenge_method"] == ["S256"] and query["code_challenge"] and query["nonce"] and query["state"]


@pytest.mark.parametrize("response_type", [kind for kind in RESPONSE_TYPES if "id_token" in kind or kind == "code"])
def test_every_response_type_arrives_by_form(cloud, port, alice, response_type):
    further = f'OIDCResponseMode form_post\nOIDCResponseType "{response_type}"'
    with started(cloud, port, further) as apache:
        environment = alice.environment(apache.page)
        assert environment["OIDC_CLAIM_sub"] == company.subject("alice")
        assert environment["OIDC_CLAIM_name"] == "Alice Archer"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_id_token_is_signed_as_the_client_is_registered(cloud, port, alice, algorithm):
    with started(cloud, port, f"OIDCIDTokenSignedResponseAlg {algorithm}", client=algorithm) as apache:
        environment = alice.environment(apache.page)
        header = json.loads(base64.urlsafe_b64decode(environment["OIDC_id_token"].split(".")[0] + "=="))
        assert header["alg"] == algorithm and environment["OIDC_CLAIM_sub"] == company.subject("alice")


@pytest.mark.parametrize("method", METHODS)
def test_the_client_proves_who_it_is(cloud, port, alice, method):
    with started(cloud, port, f"OIDCProviderTokenEndpointAuth {method}", client=method) as apache:
        assert alice.environment(apache.page)["OIDC_CLAIM_sub"] == company.subject("alice")


KEYS = """
OIDCPrivateKeyFiles {{folder}}/client.key
OIDCPublicKeyFiles {{folder}}/client.cert
"""


def test_the_client_proves_who_it_is_by_a_key_that_it_publishes(cloud, port, alice):
    """`private_key_jwt`; the issuer fetches the key set from the module."""
    with started(cloud, port, KEYS.format() + "OIDCProviderTokenEndpointAuth private_key_jwt", client="keyed") as apache:
        assert alice.environment(apache.page)["OIDC_CLAIM_sub"] == company.subject("alice")


def test_the_request_may_be_a_signed_object(cloud, port, alice):
    request = {
        "copy_and_remove_from_request": ["nonce", "state", "redirect_uri"],
        "copy_from_request": ["response_type", "scope", "client_id"], "crypto": {"sign_alg": "RS256"},
        "request_object_type": "request"}
    quoted = json.dumps(request).replace('"', '\\"').replace("{", "{{").replace("}", "}}")
    with started(cloud, port, KEYS.format() + f'OIDCRequestObject "{quoted}"', client="signing") as apache:
        location = requests.get(apache.page, allow_redirects=False).headers["Location"]
        assert "redirect_uri" not in parse_qs(urlsplit(location).query) and "request=ey" in location
        assert alice.environment(apache.page)["OIDC_CLAIM_sub"] == company.subject("alice")


def test_the_request_may_come_by_post(cloud, port, alice):
    with started(cloud, port, "OIDCProviderAuthRequestMethod POST") as apache:
        page = alice.open(apache.page)
        assert page.forms[0].fields["response_type"] == "code"
        assert alice.environment(apache.page)["OIDC_CLAIM_sub"] == company.subject("alice")


@pytest.mark.parametrize("client, kind, further", [
    (CLIENT, "application/json", "OIDCUserInfoTokenMethod post_param"),
    ("signed userinfo", "application/jwt", "OIDCUserInfoSignedResponseAlg RS256")], ids=["token in the form", "signed answer"])
def test_userinfo_is_asked_in_another_way(cloud, port, alice, client, kind, further):
    with started(cloud, port, further, client) as apache:
        environment = alice.environment(apache.page)
        assert environment["OIDC_CLAIM_name"] == "Alice Archer" and environment["OIDC_CLAIM_email"] == "alice@company.example"
        answer = requests.get(
            f"{company.issuer(cloud)}/userinfo", headers={"Authorization": f"Bearer {environment['OIDC_access_token']}"})
        assert answer.headers["Content-Type"].partition(";")[0] == kind


def test_a_client_with_a_wrong_secret_gets_nobody_in(cloud, port, alice):
    with started(cloud, port, "OIDCClientSecret wrong") as apache:
        step = alice.visit(apache.page)
        assert step.url.startswith(f"{apache.url}/protected/redirect_uri") and "OIDC_CLAIM_sub" not in step.text
        assert "invalid_client" in apache.logged()


REFRESHING = """
OIDCScope "openid profile email offline_access"
OIDCAuthRequestParams prompt=consent
"""


def test_the_application_asks_for_a_fresh_access_token(cloud, port, alice):
    """With the module's refresh hook, repeatedly: each refresh token is replaced by another."""
    with started(cloud, port, REFRESHING) as apache:
        tokens = [alice.environment(apache.page)["OIDC_access_token"]]
        for _ in range(3):
            hook = urlencode({"refresh": apache.page, "access_token": tokens[-1]})
            tokens.append(alice.environment(f"{apache.url}/protected/redirect_uri?{hook}")["OIDC_access_token"])
        assert len(set(tokens)) == 4
        assert information(alice, apache)["access_token"] == tokens[-1]
        userinfo = requests.get(
            f"{company.issuer(cloud)}/userinfo", headers={"Authorization": f"Bearer {tokens[-1]}"})
        assert userinfo.status_code == 200 and userinfo.json()["sub"] == company.subject("alice")


def test_access_tokens_are_refreshed_before_they_expire(cloud, port, alice):
    """With a margin as long as the token's lifetime, every visit refreshes."""
    with started(cloud, port, REFRESHING + "OIDCRefreshAccessTokenBeforeExpiry 3600 logout_on_error") as apache:
        tokens = [alice.environment(apache.page)["OIDC_access_token"] for _ in range(3)]
        assert len(set(tokens)) == 3
        # After the user's consent is deleted, the session of the application ends.
        cloud.reset()
        assert "OIDC_CLAIM_sub" not in alice.open(apache.page).text
        assert must_sign_in(alice, apache)


def log_out(visitor, apache):
    leaving = urlencode({"logout": f"{apache.url}/bye.html"})
    step = visitor.open(f"{apache.url}/protected/redirect_uri?{leaving}")
    if isinstance(step, Page) and ("action", "logout") in [button for form in step.forms for button in form.buttons]:
        step = visitor.press(step, ("action", "logout"))
    return step


def test_a_logout_at_the_application_ends_the_issuers_session(apache, alice):
    alice.environment(apache.page)
    step = log_out(alice, apache)
    assert isinstance(step, Page) and step.url.startswith(f"{apache.url}/bye.html"), step.text
    assert "Goodbye from the application" in step.text
    assert must_sign_in(alice, apache)


def test_a_logout_elsewhere_reaches_the_application_by_the_back_channel(cloud, apache, alice):
    alice.environment(apache.page)
    bob = Visitor("bob", "bob-password")
    bob.environment(apache.page)
    # The same browser logs in at another client, without typing anything, and logs out from there.
    other = Flow(cloud, client=("other", "other-secret"))
    answer = other.authorize(alice)
    assert "login" not in answer.pages
    hint = other.tokens(answer)["id_token"]
    leaving = urlencode({"id_token_hint": hint, "post_logout_redirect_uri": f"{REDIRECT_URI}/goodbye"})
    assert isinstance(alice.open(f"{other.metadata['end_session_endpoint']}?{leaving}"), Redirect)
    assert must_sign_in(alice, apache)
    # Bob's session remains.
    assert bob.browser.get(apache.page, allow_redirects=False).json()["OIDC_CLAIM_sub"] == company.subject("bob")


def test_the_application_takes_a_key_that_it_has_not_seen(cloud, apache, alice):
    """The new key after a rotation is fetched as soon as a token names it; the old one is removed from the key set."""
    def key_id(visitor):
        token = visitor.environment(apache.page)["OIDC_id_token"]
        return json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "=="))["kid"]

    first = key_id(alice)
    cloud.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT1H"})
    second = key_id(Visitor("alice", "alice-password"))
    assert first != second
    assert {first, second} <= {key["kid"] for key in requests.get(jwks_uri(cloud)).json()["keys"]}
    cloud.age("PT2H")
    third = key_id(Visitor("bob", "bob-password"))
    kids = {key["kid"] for key in requests.get(jwks_uri(cloud)).json()["keys"]}
    assert third == second and second in kids and first not in kids


def test_browser_and_application_reach_the_issuer_by_different_names(environment_of_the_tests, tmp_path, alice):
    """As from outside and inside of a container: one issuer, at which each side has its own address."""
    site, issuer = free_port(), free_port()
    outside, inside = f"http://localhost:{issuer}", f"http://127.0.0.1:{issuer}"
    client = {"id": CLIENT, "secret": f"{CLIENT}-client-secret-of-32-characters",
              "redirectURIs": [f"http://localhost:{site}/protected/redirect_uri"]}
    origins = {"issuer": outside, "browser": outside, "backChannel": inside}
    with company.company(tmp_path, [client], port=issuer, origins=origins) as cloud, started(cloud, site) as apache:
        metadata = requests.get(f"{inside}/idp/company/.well-known/openid-configuration").json()
        assert {name: metadata[name].removesuffix("/idp/company").partition("/idp/")[0] for name in (
            "issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")} == {
                "issuer": outside, "authorization_endpoint": outside, "token_endpoint": inside, "userinfo_endpoint": inside,
                "jwks_uri": inside}
        location = requests.get(apache.page, allow_redirects=False).headers["Location"]
        assert location.startswith(f"{outside}/")
        environment = alice.environment(apache.page)
        assert environment["OIDC_CLAIM_iss"] == f"{outside}/idp/company"
        assert environment["OIDC_CLAIM_name"] == "Alice Archer"


def jwks_uri(cloud):
    return requests.get(f"{company.issuer(cloud)}/.well-known/openid-configuration").json()["jwks_uri"]


def callback_of(visitor, apache):
    """The address with the code to which the issuer redirects the visitor, not visited yet."""
    step = visitor.open(apache.page)
    while isinstance(step, Page):
        page, form = step, step.form
        button = ("action", "login") if step.is_login else ("action", "allow")
        filled = {"username": visitor.name, "password": visitor.password} if step.is_login else {}
        response = visitor.browser.post(
            urljoin(page.url, form.action), data=form.fields | filled | dict([button]), allow_redirects=False)
        while response.is_redirect:
            location = urljoin(response.url, response.headers["Location"])
            if location.startswith(apache.url):
                return location
            response = visitor.browser.get(location, allow_redirects=False)
        step = Page(response)
    raise AssertionError("no way led back to the application")


def test_an_answer_that_somebody_else_asked_for_is_refused(apache, alice):
    """The state binds the response to the browser that requested it (RFC 6749 section 10.12)."""
    location = callback_of(alice, apache)
    stranger = requests.Session()
    answer = stranger.get(location)
    assert "OIDC_CLAIM_sub" not in answer.text and answer.status_code == 400
    # In the right browser the same response is accepted, since its code was not redeemed.
    assert alice.browser.get(location).json()["OIDC_CLAIM_sub"] == company.subject("alice")


def test_an_answer_with_another_state_is_refused(apache, alice):
    location = callback_of(alice, apache)
    query = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
    answer = alice.browser.get(f"{location.partition('?')[0]}?{urlencode(query | {'state': 'another'})}")
    assert answer.status_code == 400 and "OIDC_CLAIM_sub" not in answer.text


def test_the_application_registers_itself(cloud, port, alice):
    """Dynamic registration, configured with nothing but a folder for the issuer's responses. The module requests every response type,
    for which the issuer requires HTTPS and another host than localhost."""
    cloud.reset()
    configuration = """
OIDCMetadataDir {folder}/metadata
OIDCRedirectURI https://127.0.0.1:{port}/protected/redirect_uri
OIDCCryptoPassphrase a-passphrase-of-the-test
OIDCPassClaimsAs environment
OIDCClientName "Apache that registered itself"
OIDCScope "openid profile"
<Location /protected>
    AuthType openid-connect
    Require valid-user
</Location>
"""
    with readable_folder() as folder:
        metadata = folder / "metadata"
        metadata.mkdir()
        metadata.chmod(0o777)
        with Apache(folder, port, ["auth_openidc"], configuration, host="127.0.0.1", scheme="https") as apache:
            alice.browser.trust_env, alice.browser.verify = False, str(folder / "client.cert")
            # The module's own page asks for the issuer.
            page = alice.open(apache.page)
            form = page.forms[0]
            chosen = urlencode(form.fields | {"iss": company.issuer(cloud)})
            environment = alice.environment(f"{apache.url}/protected/redirect_uri?{chosen}")
            assert environment["OIDC_CLAIM_sub"] == company.subject("alice")
            registered = json.loads(next(metadata.glob("*.client")).read_text())
            assert registered["client_id"] == environment["OIDC_CLAIM_aud"] and registered["client_secret"]
