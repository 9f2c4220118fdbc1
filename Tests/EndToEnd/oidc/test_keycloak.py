"""An issuer under Keycloak's paths, with Keycloak's own Python client and with Authlib."""

import base64
import hashlib
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwk, jwt
from keycloak import KeycloakOpenID
from keycloak.exceptions import KeycloakAuthenticationError, KeycloakPostError

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, REPOSITORY, Cloud
from login_page import REDIRECT_URI, Page, Person
from sandboxes import Sandbox

ROLE = f"arn:aws:iam::{ACCOUNT}:role/realm"
SPELLINGS = ["/auth", ""]


@pytest.fixture(scope="module")
def realm_process(process):
    with Sandbox.seeded(process, (REPOSITORY / "seed" / "keycloak.json5").read_text()) as cloud:
        yield cloud


@pytest.fixture
def cloud(realm_process):
    realm_process.reset()
    return realm_process


@pytest.fixture(params=SPELLINGS)
def base(request, cloud):
    """The realm's URL."""
    return f"{cloud.url}{request.param}/realms/demorealm"


def keycloak(base, client_id="my_client", secret="my_client_secret"):
    server = base.removesuffix("realms/demorealm")
    return KeycloakOpenID(server_url=server, realm_name="demorealm", client_id=client_id, client_secret_key=secret)


def claims_of(base, token):
    keys = jwk.KeySet.import_key_set(requests.get(f"{base}/protocol/openid-connect/certs").json())
    return jwt.decode(token, keys, algorithms=["RS256"]).claims


def assume(cloud, token):
    return anonymous(cloud, "sts").assume_role_with_web_identity(
        RoleArn=ROLE, RoleSessionName="tester", WebIdentityToken=token)


def post(base, path, status, data, **options):
    answer = requests.post(f"{base}/protocol/openid-connect{path}", data=data, **options)
    assert answer.status_code == status, answer.text
    return answer


def test_a_person_by_password(cloud, base):
    issued = keycloak(base).token("testuser", "password", scope="openid")
    assert issued["token_type"] == "Bearer" and issued["expires_in"] == 3600 and issued["refresh_token"]
    claims = claims_of(base, issued["access_token"])
    assert claims.items() >= {
        "iss": base, "aud": "account", "azp": "my_client", "typ": "Bearer", "acr": "1", "scope": "openid profile email",
        "preferred_username": "testuser", "email": "testuser@example.com", "email_verified": True, "name": "Test User",
        "sub": "9754a26f-d7b0-4da0-8c1d-0b4d2a5b9d31"}.items()
    assert "offline_access" in claims["realm_access"]["roles"]
    identity = claims_of(base, issued["id_token"])
    assert (identity["aud"], identity["iss"], identity["typ"]) == ("my_client", base, "ID")
    answer = assume(cloud, issued["access_token"])
    assert answer["SubjectFromWebIdentityToken"] == claims["sub"]
    assert answer["Audience"] == "my_client"
    client(cloud, "s3", **keys_of(answer)).create_bucket(Bucket="workshop")


def test_a_client_for_itself(cloud, base):
    issued = keycloak(base).token(grant_type="client_credentials")
    assert "refresh_token" not in issued and "id_token" not in issued
    claims = claims_of(base, issued["access_token"])
    assert claims["preferred_username"] == "service-account-my_client" and claims["azp"] == "my_client"
    again = claims_of(base, keycloak(base).token(grant_type="client_credentials")["access_token"])
    assert again["sub"] == claims["sub"] and again["jti"] != claims["jti"]
    assert assume(cloud, issued["access_token"])["SubjectFromWebIdentityToken"] == claims["sub"]


def test_tokens_are_renewed_and_ended(cloud, base):
    server = keycloak(base)
    issued = server.token("testuser", "password")
    # A refresh token can be used again, as two tabs of a browser do.
    for _ in range(2):
        renewed = server.refresh_token(issued["refresh_token"])
        assert renewed["session_state"] == issued["session_state"]
    assert claims_of(base, renewed["access_token"])["sub"] == claims_of(base, issued["access_token"])["sub"]
    assert server.introspect(renewed["access_token"])["active"]
    server.logout(renewed["refresh_token"])
    assert server.introspect(renewed["access_token"]) == {"active": False}
    with pytest.raises(KeycloakPostError, match="Session not active"):
        server.refresh_token(renewed["refresh_token"])


def change(cloud, **members):
    """Changes members of the realm."""
    cloud.control("PUT", "providers/demorealm", cloud.control("GET", "providers/demorealm") | members)


def test_refresh_tokens_that_are_revoked_by_their_use(cloud, base):
    change(cloud, revokeRefreshToken=True)
    server = keycloak(base)
    issued = server.token("testuser", "password")
    renewed = server.refresh_token(issued["refresh_token"])
    with pytest.raises(KeycloakPostError, match="Maximum allowed refresh token reuse exceeded"):
        server.refresh_token(issued["refresh_token"])
    assert server.introspect(renewed["access_token"]) == {"active": False}


def realm_with_api(cloud):
    """Lets two clients exchange tokens, and gives the user a role of one of them."""
    realm = cloud.control("GET", "providers/demorealm")
    for one in realm["clients"][:2]:
        one["grants"] = ["password", "urn:ietf:params:oauth:grant-type:token-exchange"]
    realm["people"][0]["claims"]["resource_access"] = {"web": {"roles": ["reader"]}}
    cloud.control("PUT", "providers/demorealm", realm)


def test_token_exchange(cloud, base):
    realm_with_api(cloud)
    server = keycloak(base)
    issued = server.token("testuser", "password", scope="openid")
    assert set(claims_of(base, issued["access_token"])["aud"]) == {"account", "web"}
    access = "urn:ietf:params:oauth:token-type:access_token"
    exchanged = server.exchange_token(
        issued["access_token"], audience="web", subject_token_type=access, requested_token_type=access)
    assert exchanged["issued_token_type"] == access
    claims = claims_of(base, exchanged["access_token"])
    assert claims["aud"] == ["web"] and claims["azp"] == "my_client"
    assert claims_of(base, exchanged["id_token"])["sub"] == claims["sub"]
    with pytest.raises(KeycloakPostError, match="requested_subject.* is not supported for standard token exchange"):
        server.exchange_token(
            issued["access_token"], subject="somebody", subject_token_type=access, requested_token_type=access)
    with pytest.raises(KeycloakPostError, match="supports access tokens only"):
        server.exchange_token(
            issued["id_token"], subject_token_type="urn:ietf:params:oauth:token-type:id_token", requested_token_type=access)


def test_a_script_posts_user_name_and_password(base):
    server = keycloak(base)
    with requests.Session() as browser:
        page = browser.get(server.auth_url(REDIRECT_URI, scope="openid", state="s"))
        assert 'id="kc-form-login"' in page.text and 'id="kc-login"' in page.text
        action = urljoin(page.url, Page(page).form.action)
        wrong = browser.post(action, {"username": "testuser", "password": "wrong"})
        assert "Invalid username or password." in wrong.text and 'id="input-error"' in wrong.text
        action = urljoin(page.url, Page(wrong).form.action)
        redirect = browser.post(action, {"username": "testuser@example.com", "password": "password"}, allow_redirects=False)
        code = parse_qs(urlsplit(redirect.headers["Location"]).query)["code"][0]
        # The next client needs no page.
        other = keycloak(base, "web", "web_secret").auth_url(REDIRECT_URI, scope="openid", state="s")
        assert "code=" in browser.get(f"{other}&prompt=none", allow_redirects=False).headers["Location"]
    issued = server.token(grant_type="authorization_code", code=code, redirect_uri=REDIRECT_URI)
    assert server.userinfo(issued["access_token"])["email"] == "testuser@example.com"
    with pytest.raises(KeycloakPostError, match="Code not valid"):
        server.token(grant_type="authorization_code", code=code, redirect_uri=REDIRECT_URI)


def test_a_person_registers(cloud, base):
    url = f"{base}/protocol/openid-connect/registrations?" + urlencode({
        "client_id": "my_client", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid"})
    assert "Registration not allowed" in requests.get(url).text
    change(cloud, registrationAllowed=True)
    with requests.Session() as browser:
        page = browser.get(url)
        assert 'id="kc-register-form"' in page.text
        answer = browser.post(urljoin(page.url, Page(page).form.action), {
            "username": "nora", "password": "secret", "password-confirm": "secret", "email": "nora@example.com",
            "firstName": "Nora", "lastName": "Nord"}, allow_redirects=False)
    assert "code=" in answer.headers["Location"]
    assert keycloak(base).token("nora", "secret")["access_token"]
    assert cloud.control("GET", "providers/demorealm/people/nora")["claims"]["family_name"] == "Nord"


def test_nobody_registers_the_address_or_the_name_of_another(cloud, base):
    url = f"{base}/protocol/openid-connect/registrations?" + urlencode({
        "client_id": "my_client", "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid"})
    change(cloud, registrationAllowed=True)
    fields = {"password": "secret", "password-confirm": "secret", "firstName": "Nora", "lastName": "Nord"}
    for username, email, text in [
        ("testuser@example.com", "nora@example.com", "Username already exists."), ("TestUser", "nora@example.com", "Username already exists."),
        ("service-account-my_client", "nora@example.com", "invalid character"), ("<b>nora</b>", "nora@example.com", "invalid character"),
        ("nora", "testuser@example.com", "Email already exists."),
    ]:
        with requests.Session() as browser:
            page = browser.get(url)
            answer = browser.post(urljoin(page.url, Page(page).form.action), fields | {"username": username, "email": email}, allow_redirects=False)
        assert answer.status_code == 200 and text in answer.text, username
    assert keycloak(base).token("testuser@example.com", "password")["access_token"]


def test_users_are_asked_before_a_client_of_anybody_knows_them(cloud, base):
    def query(client, **more):
        return f"{base}/protocol/openid-connect/auth?" + urlencode({
            "client_id": client, "redirect_uri": REDIRECT_URI, "response_type": "code", "scope": "openid"} | more)

    user = Person("testuser", "password")
    assert user.authorize(query("my_client")).query["code"]
    registered = requests.post(f"{base}/clients-registrations/openid-connect", json={
        "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "none"}).json()
    step = user.open(query(registered["client_id"], prompt="none"))
    assert step.query["error"] in {"consent_required", "interaction_required"}


def test_a_disabled_account(cloud, base):
    server = keycloak(base)
    issued = server.token("testuser", "password")
    person = cloud.control("GET", "providers/demorealm/people/testuser")
    cloud.control("PUT", "providers/demorealm/people/testuser", person | {"enabled": False})
    with pytest.raises(KeycloakPostError, match="Account disabled"):
        server.token("testuser", "password")
    with pytest.raises(KeycloakPostError, match="User disabled"):
        server.refresh_token(issued["refresh_token"])
    assert server.introspect(issued["access_token"]) == {"active": False}


def test_web_origins(cloud, base):
    headers = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    preflight = requests.options(f"{base}/protocol/openid-connect/token", headers=headers)
    assert "X-Requested-With" in preflight.headers["Access-Control-Allow-Headers"]
    form = {"grant_type": "password", "username": "testuser", "password": "password"}
    for origins, expected in [(["https://app.example"], "https://app.example"), (["*"], "https://app.example"), ([], None)]:
        realm = cloud.control("GET", "providers/demorealm")
        realm["clients"][0]["webOrigins"] = origins
        cloud.control("PUT", "providers/demorealm", realm)
        answer = post(base, "/token", 200, form, auth=("my_client", "my_client_secret"), headers={"Origin": "https://app.example"})
        assert answer.headers.get("Access-Control-Allow-Origin") == expected


def test_introspection(cloud, base):
    server = keycloak(base)
    issued = server.token("testuser", "password", scope="openid")
    status = server.introspect(issued["access_token"])
    assert status.items() >= {
        "active": True, "client_id": "my_client", "username": "testuser", "token_type": "Bearer", "iss": base,
        "azp": "my_client", "sub": "9754a26f-d7b0-4da0-8c1d-0b4d2a5b9d31"}.items()
    assert server.introspect("no token") == {"active": False}
    refusal = post(base, "/token/introspect", 401, {"token": issued["access_token"]})
    assert refusal.json() == {"error": "invalid_request", "error_description": "Authentication failed."}
    post(base, "/token/introspect", 401, {"token": issued["access_token"]}, auth=("my_client", "wrong"))
    cloud.age("PT1H1M")
    assert server.introspect(issued["access_token"]) == {"active": False}
    with refused("ExpiredTokenException", 400):
        cloud.age("PT5M")
        assume(cloud, issued["access_token"])


def test_userinfo(base):
    server = keycloak(base)
    issued = server.token("testuser", "password", scope="openid")
    assert server.userinfo(issued["access_token"])["email"] == "testuser@example.com"
    with pytest.raises(KeycloakAuthenticationError):
        server.userinfo("no token")


def test_revocation(base):
    server = keycloak(base)
    issued = server.token("testuser", "password")
    # A client cannot revoke another client's token.
    post(base, "/revoke", 400, {"token": issued["access_token"]}, auth=("web", "web_secret"))
    assert server.introspect(issued["access_token"])["active"]
    post(base, "/revoke", 200, {"token": issued["access_token"]}, auth=("my_client", "my_client_secret"))
    assert not server.introspect(issued["access_token"])["active"]


def test_the_realm_shows_its_key_in_every_form(cloud, base):
    server = keycloak(base)
    document = requests.get(base).json()
    assert document["realm"] == "demorealm" and document["token-service"] == f"{base}/protocol/openid-connect"
    assert document["account-service"] == f"{base}/account"
    assert server.public_key() == document["public_key"]
    key = requests.get(f"{base}/protocol/openid-connect/certs").json()["keys"][0]
    der = base64.b64decode(key["x5c"][0])
    certificate = x509.load_der_x509_certificate(der)
    certificate.verify_directly_issued_by(certificate)
    spki = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert base64.b64encode(spki).decode() == document["public_key"]
    assert key["x5t"] == base64.urlsafe_b64encode(hashlib.sha1(der).digest()).rstrip(b"=").decode()
    cloud.reset()
    assert requests.get(f"{base}/protocol/openid-connect/certs").json()["keys"][0]["x5c"] == key["x5c"]


def test_the_certificate_outlives_the_process(tmp_path):
    certificates = []
    for _ in range(2):
        with Cloud.over(tmp_path, "--seed", REPOSITORY / "seed" / "keycloak.json5") as cloud:
            certificates.append(
                requests.get(f"{cloud.url}/realms/demorealm/protocol/openid-connect/certs").json()["keys"][0]["x5c"])
            assert cloud.stop() == 0
    assert certificates[0] == certificates[1]


def test_discovery(base):
    document = keycloak(base).well_known()
    assert document["issuer"] == base
    for name in ["authorization", "token", "userinfo", "introspection", "end_session", "revocation"]:
        assert document[f"{name}_endpoint"].startswith(f"{base}/protocol/openid-connect/")
    assert document["jwks_uri"] == f"{base}/protocol/openid-connect/certs"


def test_a_login_through_the_page(cloud, base):
    """The code flow with Authlib, and the logout in the browser."""
    document = requests.get(f"{base}/.well-known/openid-configuration").json()
    session = OAuth2Session("my_client", "my_client_secret", scope="openid", redirect_uri=REDIRECT_URI)
    url, state = session.create_authorization_url(document["authorization_endpoint"])
    person = Person("testuser", "password")
    redirect = person.authorize(url)
    issued = session.fetch_token(document["token_endpoint"], authorization_response=redirect.url, state=state)
    claims = claims_of(base, issued["access_token"])
    assert claims["azp"] == "my_client" and claims["sid"] and claims["auth_time"]
    assert assume(cloud, issued["access_token"])
    out = person.browser.get(document["end_session_endpoint"], params={
        "id_token_hint": issued["id_token"], "post_logout_redirect_uri": REDIRECT_URI, "state": "s"}, allow_redirects=False)
    assert (out.status_code, out.headers["Location"]) == (302, f"{REDIRECT_URI}?state=s")
    out = person.browser.get(document["end_session_endpoint"], params={
        "client_id": "my_client", "post_logout_redirect_uri": "https://elsewhere.example"}, allow_redirects=False)
    assert out.status_code == 400


@pytest.mark.parametrize("data, status, error, description", [
    ({"grant_type": "password", "username": "testuser", "password": "wrong"}, 401, "invalid_grant", "Invalid user credentials"),
    ({"grant_type": "password", "username": "nobody", "password": "x"}, 401, "invalid_grant", "Invalid user credentials"),
    ({"grant_type": "password"}, 401, "invalid_request", "Missing parameter: username"),
    ({"grant_type": "password", "username": "testuser"}, 401, "invalid_grant", "Invalid user credentials"),
    ({"grant_type": "client_credentials", "client_secret": "wrong"}, 401, "unauthorized_client",
     "Invalid client or Invalid client credentials"),
    ({"grant_type": "client_credentials", "client_id": "nobody"}, 401, "invalid_client",
     "Invalid client or Invalid client credentials"),
    ({"grant_type": "client_credentials", "client_id": "web", "client_secret": "web_secret"}, 401, "unauthorized_client",
     "Client not enabled to retrieve service account"),
    ({"grant_type": "password", "client_id": "web", "client_secret": "web_secret", "username": "testuser",
      "password": "password"}, 400, "unauthorized_client", "Client not allowed for direct access grants"),
    ({"grant_type": "urn:x"}, 400, "unsupported_grant_type", "Unsupported grant_type"),
    ({"grant_type": "authorization_code"}, 400, "invalid_request", "Missing parameter: code"),
    ({"grant_type": "refresh_token"}, 400, "invalid_request", "No refresh token"),
    ({}, 400, "invalid_request", "Missing form parameter: grant_type")])
def test_token_refusals(base, data, status, error, description):
    answer = post(base, "/token", status, {"client_id": "my_client", "client_secret": "my_client_secret"} | data)
    assert answer.json() == {"error": error, "error_description": description}


def test_a_public_client_with_a_password(base):
    issued = post(base, "/token", 200, {
        "grant_type": "password", "client_id": "cli", "username": "testuser", "password": "password"}).json()
    assert claims_of(base, issued["access_token"])["azp"] == "cli"
    post(base, "/token/introspect", 401, {"client_id": "cli", "token": issued["access_token"]})


def test_further_grants_at_the_provider_s_own_endpoint(cloud):
    url = f"{cloud.url}/idp/demorealm/token"
    auth = ("my_client", "my_client_secret")
    token = requests.post(url, data={"grant_type": "client_credentials"}, auth=auth).json()["access_token"]
    assert assume(cloud, token)
    issued = requests.post(url, data={
        "grant_type": "password", "username": "testuser", "password": "password", "scope": "openid offline_access"}, auth=auth).json()
    assert assume(cloud, issued["id_token"]) and issued["refresh_token"]
    refusal = requests.post(url, data={"grant_type": "client_credentials"}, auth=("web", "web_secret"))
    assert (refusal.status_code, refusal.json()["error"]) == (400, "unauthorized_client")


def test_realms_that_are_not_there(cloud):
    answer = requests.get(f"{cloud.url}/realms/nothing")
    assert (answer.status_code, answer.json()) == (404, {"error": "Realm does not exist"})
    assert requests.get(f"{cloud.url}/realms/demorealm/token").status_code == 404
    assert requests.put(f"{cloud.url}/realms/demorealm").status_code == 405


def test_a_bucket_may_be_called_as_the_path(cloud):
    s3 = client(cloud, "s3")
    s3.create_bucket(Bucket="realms")
    s3.put_object(Bucket="realms", Key="demorealm/note", Body=b"text")
    assert s3.get_object(Bucket="realms", Key="demorealm/note")["Body"].read() == b"text"
    url = s3.generate_presigned_url("get_object", Params={"Bucket": "realms", "Key": "demorealm/note"})
    assert requests.get(url).content == b"text"
    # For an unsigned request an existing realm takes precedence.
    assert requests.get(f"{cloud.url}/realms/demorealm").json()["realm"] == "demorealm"
    assert requests.get(f"{cloud.url}/realms/nothing").status_code == 403
