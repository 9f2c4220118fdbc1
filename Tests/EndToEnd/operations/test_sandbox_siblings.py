"""Tokens, assertions and codes of one sandbox at every door of another one with the same signing keys, and of a sandbox after its reset.

The holder of a sandbox may give its tokens any claims. `kid` and the identifiers of assertions are all that separates the sandboxes.
"""

import base64
import json
import time
import uuid
import zlib
from urllib.parse import parse_qs, quote, urlencode, urljoin, urlsplit

import pytest
import requests
from joserfc import jwk, jwt

import ridgeline
import test_claim_types as readers
from clients import assume, client
from cloud import ACCOUNT, REPOSITORY, Cloud
from login_page import REDIRECT_URI, Page, Person
from sandboxes import Sandbox
from test_sandbox_credentials import assertion, assumed_with_saml, flow_at, outcome_of, process  # noqa: F401

COMPANY, HARBOUR = ("company", "alice", "web-app"), ("harbour", "alice", "harbour-web")
EXCHANGER = ("company", "alice", readers.EXCHANGER)
RIDGELINE, GOOGLE = ("ridgeline", "tessa", "ridgeline-app"), ("google", "alice", None)
CONSUMER = "/mobile/platform/sso/redirect"


@pytest.fixture(scope="module", params=["made from the same seed", "a copy", "the same after its reset"])
def pair(request, process):  # noqa: F811
    """The sandbox that issues, the one with the same keys whose doors are tried, and what happens between the two."""
    def reset():
        one.reset()
        readers.register_exchanger(one)

    with Sandbox.create(process) as one:
        readers.register_exchanger(one)
        if request.param == "made from the same seed":
            with Sandbox.create(process) as other:
                readers.register_exchanger(other)
                yield one, other, lambda: None
        elif request.param == "a copy":
            for provider, user, _ in (COMPANY, HARBOUR, RIDGELINE, GOOGLE):
                one.token(provider, user)
            with one.fork() as other:
                yield one, other, lambda: None
        else:
            yield one, one, reset


def part(token, index):
    text = token.split(".")[index]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


# Doors for ID tokens: whose tokens they read, and whether they accept one.

def read_by(reader):
    return lambda cloud, token: readers.gives(reader(cloud)[0](token))


def assumed_with_google(cloud, token):
    return outcome_of(lambda: assume(cloud, "google", token)) == 200


def google_information(cloud, token):
    return readers.gives(requests.get(f"{cloud.url}/idp/google/tokeninfo", params={"id_token": token}))


def claims_of_certified_issuer(cloud):
    """The claims of a token for an issuer that is registered with its certificate."""
    return {"iss": "https://login.ridgeline.example/saml", "aud": cloud.url + ridgeline.EXCHANGE, "sub": "tessa"}


def exchanged_at_the_relay(cloud, token):
    return readers.gives(ridgeline.Backend(cloud, "LiftCare").exchange_saml(token))


def logout_hint(cloud, token):
    """The hint of a logout: without a valid one there is no return to the client."""
    answer = requests.get(flow_at(cloud).metadata["end_session_endpoint"], allow_redirects=False, params={
        "id_token_hint": token, "post_logout_redirect_uri": readers.SIGNED_OUT})
    return readers.gives(answer)


ID_TOKENS = {
    "AssumeRoleWithWebIdentity": (COMPANY, read_by(readers.web_identity)),
    "AssumeRoleWithWebIdentity, Google": (GOOGLE, assumed_with_google),
    "AssumeRoleWithOIDC": (HARBOUR, read_by(readers.ram)),
    "business server": (HARBOUR, read_by(readers.app_server)),
    "JWT exchange of the mobile cloud": (RIDGELINE, read_by(readers.relay)),
    "JWT of an issuer with certificates": (RIDGELINE, exchanged_at_the_relay),
    "token exchange, ID token": (EXCHANGER, read_by(readers.token_exchange("id_token"))),
    "token exchange, JWT": (EXCHANGER, read_by(readers.token_exchange("jwt"))),
    "actor's token": (EXCHANGER, read_by(readers.actor)),
    "Google's tokeninfo": (GOOGLE, google_information),
    "hint of a logout": (EXCHANGER, logout_hint)}


def names_of_key(cloud, provider, name):
    """The names under which a sandbox publishes the key with a name: also those of the epochs that it shares with its copies."""
    published = requests.get(flow_at(cloud, provider).metadata["jwks_uri"]).json()["keys"]
    return [key["kid"] for key in published if key["kid"][:22] == name[:22]]


@pytest.mark.parametrize("door", ID_TOKENS)
def test_no_door_accepts_an_id_token_of_another_sandbox(pair, door):
    (provider, user, client), is_accepted = ID_TOKENS[door]
    issuing, trying, change = pair
    options = {"client": client} if client else {}
    claims = claims_of_certified_issuer(trying) if is_accepted == exchanged_at_the_relay else {}
    own = trying.token(provider, user, **options, claims=claims)
    assert is_accepted(trying, own)
    orders = {"its own kid": {}, "no kid": {"fault": "missingKeyID"}, "a kid of null": {"header": {"kid": None}}}
    if issuing is not trying:
        orders |= {name: {"header": {"kid": name}} for name in names_of_key(trying, provider, part(own, 0)["kid"])}
    forged = {name: issuing.token(provider, user, **options, claims=part(own, 1), **order) for name, order in orders.items()}
    change()
    assert [name for name, token in forged.items() if is_accepted(trying, token)] == []
    assert is_accepted(trying, trying.token(provider, user, **options, claims=claims))


# Doors for the login of a browser at the mobile cloud: the identity provider's answer comes from the other sandbox.

def mobile_login(trying, answering, backend, person):
    """Begins a login at one sandbox's mobile cloud, and answers it at the identity provider of another one. Returns the relay's answer."""
    browser = requests.Session()
    start = browser.get(f"{trying.url}/mobile/platform/sso/token", allow_redirects=False, params={
        "clientID": ridgeline.Backend(trying, backend).clientID, "format": "json"})
    url = urlsplit(start.headers["Location"])
    parameters = {name: values[0] for name, values in parse_qs(url.query).items()}
    if "SAMLRequest" in parameters:
        message = zlib.decompress(base64.b64decode(parameters["SAMLRequest"]), -15).decode()
        deflated = zlib.compressobj(wbits=-15)
        message = deflated.compress(message.replace(f'Destination="{trying.url}', f'Destination="{answering.url}').encode())
        parameters["SAMLRequest"] = base64.b64encode(message + deflated.flush()).decode()
    answer = person.browser.get(f"{answering.url}{url.path}?{urlencode(parameters)}")
    while CONSUMER not in answer.headers.get("Location", ""):
        form = Page(answer).form
        if "SAMLResponse" in form.fields:
            back = browser.post(form.action, data=form.fields, allow_redirects=False)
            # The page of the first URL posts it again, so that the browser sends its cookie.
            if not back.is_redirect and "SAMLResponse" in back.text:
                back = browser.post(urljoin(form.action, Page(back).form.action), data=Page(back).form.fields, allow_redirects=False)
            break
        fields = form.fields | ({"username": person.name, "password": person.password} if "username" in form.fields else {})
        button = ("action", "login") if "username" in form.fields else ("action", "allow")
        answer = person.browser.post(urljoin(answer.url, form.action), data=fields | dict([button]), allow_redirects=False)
    else:
        back = browser.get(answer.headers["Location"], allow_redirects=False)
    return browser.get(urljoin(trying.url, back.headers["Location"])) if back.is_redirect else back


@pytest.mark.parametrize("backend, name", [("LiftCare", "tessa"), ("CablePartners", "pavel")])
def test_no_login_of_a_browser_is_answered_by_another_sandbox(pair, backend, name):
    issuing, trying, change = pair
    if issuing is trying:
        pytest.skip("a login that began before a reset ends with it")
    description = {"metadata": requests.get(f"{trying.url}{CONSUMER}/saml/metadata").text}
    for sandbox in (issuing, trying):
        sandbox.control("PUT", "providers/ridgeline/service-providers", description)
    own = mobile_login(trying, trying, backend, Person(name, f"{name}-password"))
    assert own.status_code == 200 and "access_token" in own.text, own.text
    foreign = mobile_login(trying, issuing, backend, Person(name, f"{name}-password"))
    assert foreign.status_code in (400, 401), foreign.text
    assert "access_token" not in foreign.text


# Functions that issue something at one sandbox, or present it at another one.

def exchanged_assertion(issuing, trying):
    ridgeline.register_app(issuing, trying.url + ridgeline.EXCHANGE)
    return ridgeline.saml_token(issuing, "tessa", entity_id=trying.url + ridgeline.EXCHANGE)


def exchanged_as_client(cloud, token):
    backend = ridgeline.Backend(cloud, "LiftCare")
    return readers.gives(backend.exchange_jwt(
        ridgeline.jwt(cloud, "tessa"), client=False, client_assertion=token,
        client_assertion_type="urn:ietf:params:oauth:client-assertion-type:jwt-bearer"))


def minted(kind, **options):
    return lambda issuing, _: issuing.token("company", "alice", client=readers.EXCHANGER, type=kind, **options)


def introspected(cloud, token):
    answer = requests.post(flow_at(cloud).metadata["introspection_endpoint"], data={"token": token}, auth=("web-app", "web-app-client-secret"))
    return answer.json()["active"]


def inspected(cloud, text):
    """Whether an inspection calls a response valid. It says of roles what AssumeRoleWithSAML would."""
    answer = requests.post(f"{cloud.url}/_virga/inspect", json={"text": text}).json()
    accepting = [role["arn"] for role in answer.get("roles") or [] if role["accepts"]]
    assert bool(accepting) == answer["valid"], answer
    return answer["valid"]


def exchanged_as(kind):
    return lambda cloud, token: readers.gives(readers.token_exchange(kind)(cloud)[0](token))


OTHERS = {
    "assertion, AWS": (lambda issuing, _: assertion(issuing), lambda cloud, text: assumed_with_saml(cloud, text) == 200),
    "assertion, inspection": (lambda issuing, _: assertion(issuing), inspected),
    "assertion, mobile cloud": (exchanged_assertion, exchanged_at_the_relay),
    "client assertion, mobile cloud": (
        lambda issuing, _: ridgeline.Backend(issuing, "LiftCare").token(grant_type="client_credentials"), exchanged_as_client),
    "access token, introspection": (minted("access_token"), introspected),
    "JWT access token, introspection": (minted("access_token", format="jwt"), introspected),
    "refresh token, introspection": (minted("refresh_token", scope="openid offline_access"), introspected),
    "access token, token exchange": (minted("access_token"), exchanged_as("access_token")),
    "JWT access token, token exchange": (minted("access_token", format="jwt"), exchanged_as("jwt")),
    "refresh token, token exchange": (minted("refresh_token", scope="openid offline_access"), exchanged_as("refresh_token"))}


@pytest.mark.parametrize("kind", OTHERS)
def test_nothing_else_of_another_sandbox_is_accepted(pair, kind):
    issue, is_accepted = OTHERS[kind]
    issuing, trying, change = pair
    assert is_accepted(trying, issue(trying, trying))
    foreign = issue(issuing, trying)
    change()
    assert not is_accepted(trying, foreign)
    assert is_accepted(trying, issue(trying, trying))


# Doors for assertions of clients (RFC 7523). A client's keys can be at the address of a sandbox's own.

ELSEWHERE, GRANTEE = "https://issuer.elsewhere.example", "grantee"
BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def register_clients(cloud, publisher):
    """Registers a client whose keys are those that a sandbox publishes, and one that presents its assertions."""
    cloud.control("PUT", f"providers/company/clients/{quote(ELSEWHERE, safe='')}", {
        "id": ELSEWHERE, "redirectURIs": [], "grants": ["client_credentials", BEARER], "metadata": {
            "jwks_uri": flow_at(publisher).metadata["jwks_uri"], "token_endpoint_auth_method": "private_key_jwt"}})
    cloud.control("PUT", f"providers/company/clients/{GRANTEE}", {
        "id": GRANTEE, "secret": "grantee-secret", "redirectURIs": [], "grants": [BEARER]})


def authenticated_as_client(cloud, token):
    return readers.gives(requests.post(flow_at(cloud).metadata["token_endpoint"], data={
        "grant_type": "client_credentials", "client_assertion": token,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}))


def redeemed_as_grant(cloud, token):
    return readers.gives(requests.post(flow_at(cloud).metadata["token_endpoint"], auth=(GRANTEE, "grantee-secret"), data={
        "grant_type": BEARER, "assertion": token, "scope": "openid"}))


CLIENT_ASSERTIONS = {
    "authentication of a client": (ELSEWHERE, authenticated_as_client),
    "assertion as a grant": ("employee-0001-alice", redeemed_as_grant)}


@pytest.mark.parametrize("door", CLIENT_ASSERTIONS)
def test_no_identity_provider_accepts_a_client_assertion_of_another_sandbox(pair, door):
    subject, is_accepted = CLIENT_ASSERTIONS[door]
    issuing, trying, change = pair

    def signed(sandbox, **order):
        return sandbox.token("company", "alice", client="web-app", **order, claims={
            "iss": ELSEWHERE, "sub": subject, "aud": flow_at(trying).metadata["token_endpoint"], "jti": str(uuid.uuid4())})

    register_clients(trying, publisher=trying)
    assert is_accepted(trying, signed(trying))
    forged = {name: signed(issuing, **order) for name, order in {
        "its own kid": {}, "no kid": {"fault": "missingKeyID"}, "a kid of null": {"header": {"kid": None}}}.items()}
    change()
    register_clients(trying, publisher=trying)
    assert [name for name, token in forged.items() if is_accepted(trying, token)] == []
    assert is_accepted(trying, signed(trying))
    # A client whose keys are at the address of the other sandbox signs with those.
    register_clients(trying, publisher=issuing)
    assert is_accepted(trying, signed(issuing))


# A trust with a copy of the metadata has the key also when the sandbox does not have it any more.

DEPARTURES = {
    "a rotation": lambda sandbox: sandbox.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT0S"}),
    "the removal of the provider": lambda sandbox: sandbox.control("DELETE", "providers/company")}


def trust_copy_of_metadata(sandbox):
    metadata = requests.get(f"{sandbox.url}/idp/company/saml/metadata").text
    client(sandbox, "iam").update_saml_provider(
        SAMLProviderArn=f"arn:aws:iam::{ACCOUNT}:saml-provider/company", SAMLMetadataDocument=metadata)


@pytest.mark.parametrize("departure", DEPARTURES)
def test_a_copy_of_the_metadata_accepts_no_assertion_of_another_sandbox_after(process, departure):  # noqa: F811
    with Sandbox.create(process) as one, Sandbox.create(process) as other:
        trust_copy_of_metadata(one)
        own, foreign = assertion(one), assertion(other)
        DEPARTURES[departure](one)
        assert assumed_with_saml(one, own) == 200
        assert assumed_with_saml(one, foreign) == (400, "InvalidIdentityToken")


def test_a_copy_of_the_metadata_accepts_no_assertion_of_another_sandbox_after_a_restart(tmp_path):
    arguments = tmp_path, "--seed", REPOSITORY / "seed" / "personal-file-store.json5"
    with Cloud.over(*arguments) as cloud:
        one, other = Sandbox.create(cloud), Sandbox.create(cloud)
        trust_copy_of_metadata(one)
        own, foreign = assertion(one), assertion(other)
        DEPARTURES["a rotation"](one)
        assert cloud.stop() == 0, cloud.logged()
    with Cloud.over(*arguments) as cloud:
        one = Sandbox(cloud, cloud.control("GET", f"sandboxes/{one.name}"))
        assert assumed_with_saml(one, own) == 200
        assert assumed_with_saml(one, foreign) == (400, "InvalidIdentityToken")


def test_a_copy_of_the_metadata_in_the_seed_accepts_no_assertion_from_before_a_reset(process):  # noqa: F811
    with Sandbox.create(process) as sandbox:
        seed = sandbox.control("GET", "seed")
        account = next(account for account in seed["accounts"] if account["id"] == ACCOUNT)
        account["samlProviders"] = [{
            "name": "company", "metadata": requests.get(f"{sandbox.url}/idp/company/saml/metadata").text}]
        sandbox.control("PUT", "seed", seed)
        earlier = assertion(sandbox)
        DEPARTURES["a rotation"](sandbox)
        assert assumed_with_saml(sandbox, earlier) == 200
        sandbox.reset()
        assert assumed_with_saml(sandbox, earlier) == (400, "InvalidIdentityToken")


def test_what_a_client_signs_is_for_one_sandbox(pair):
    """Client assertions (RFC 7523) and request objects (RFC 9101) name the sandbox in `aud`; the clients of both have the same keys."""
    issuing, trying, _ = pair
    if issuing is trying or trying.answer["from"] != "seed":
        pytest.skip("a client's own key outlives a reset, and the names of a sandbox mean its copies as well")
    key = jwk.generate_key("EC", "P-256", {"kid": "mine"}, private=True)
    trying.control("PUT", "providers/company/clients/signing", {
        "id": "signing", "redirectURIs": [REDIRECT_URI], "grants": ["client_credentials"],
        "metadata": {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [key.as_dict(private=False)]}}})

    def authenticated(audience):
        now = int(time.time())
        claims = {
            "iss": "signing", "sub": "signing", "aud": f"{audience}/idp/company/token", "iat": now, "exp": now + 60,
            "jti": str(uuid.uuid4())}
        return readers.gives(requests.post(f"{trying.url}/idp/company/token", data={
            "grant_type": "client_credentials", "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": jwt.encode({"alg": "ES256", "kid": "mine"}, claims, key, algorithms=["ES256"])}))

    def authorized(audience):
        parameters = {"client_id": "signing", "response_type": "code", "redirect_uri": REDIRECT_URI, "scope": "openid"}
        claims = parameters | {"iss": "signing", "aud": f"{audience}/idp/company"}
        # Errors go to the client.
        return isinstance(Person("alice").open(f"{trying.url}/idp/company/authorize?" + urlencode(parameters | {
            "request": jwt.encode({"alg": "ES256", "kid": "mine"}, claims, key, algorithms=["ES256"])})), Page)

    for is_accepted in (authenticated, authorized):
        assert is_accepted(trying.url)
        assert not is_accepted(issuing.url)
        assert not is_accepted(issuing.named_url)
