"""The exchange of tokens of external issuers for those of the mobile cloud: JWTs by POST, SAML assertions and JWTs by GET, over sockets."""

import base64
import contextlib
import datetime
import gzip
import json
import time

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from joserfc import jwk, jwt
from lxml import etree
from onelogin.saml2.constants import OneLogin_Saml2_Constants
from onelogin.saml2.utils import OneLogin_Saml2_Utils

from cloud import Cloud
from issuer import Issuer
from sandboxes import Sandbox

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
CLIENT_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
ASSERTION = "{urn:oasis:names:tc:SAML:2.0:assertion}Assertion"
COMPANY = "https://login.depot.example"
BACKENDS = [
    {"name": "Depot", "id": "depot-id", "clientID": "depot-client", "clientSecret": "depot-secret"},
    {"name": "Yard", "id": "yard-id", "clientID": "yard-client", "clientSecret": "yard-secret"}]


def seed(folder, *issuers, mobile=None, **root):
    """The file of a seed whose mobile cloud trusts a provider of this process and further issuers; lists in `mobile` are extended by
    them."""
    own = {
        "issuerName": COMPANY, "virtualUserEnabled": True, "audience": ["depot-app"], "roleAttributes": ["roles"],
        "roleMappings": [{"tokenRole": "field", "mappedRoles": ["Technician"]}],
        "jwks": {"discoveryUri": COMPANY + "/.well-known/openid-configuration"}}
    document = {
        "identityProviders": [{
            "name": "company", "kind": "openIDConnect", "issuer": COMPANY, "clients": [{"id": "depot-app"}],
            "saml": {"entityID": COMPANY + "/saml", "serviceProviders": []},
            "people": [{"name": "tessa", "password": "p", "subject": "employee-1", "claims": {
                "email": "tessa@depot.example", "roles": ["field"]}}]}],
        "mobileCloud": {
            "roles": ["Technician", "Guest"], "realms": [{"name": "Default", "users": [{"username": "person-1", "roles": ["Guest"]}]}],
            "backends": BACKENDS, "certificates": [{"alias": "company", "identityProvider": "company"}],
            "samlIssuers": [{
                "name": COMPANY + "/saml", "certificateSubjectNames": ["CN=company"], "virtualUserEnabled": True,
                "userAttribute": "mail", "roleAttributes": ["roles"],
                "roleMappings": [{"tokenRole": "field", "mappedRoles": ["Technician"]}]}],
            "policies": {"Security_AuthTokenConfiguration": {"issuers": [own, *issuers], **root}}}}
    for name, more in (mobile or {}).items():
        document["mobileCloud"][name] += more
    file = folder / "depot.json5"
    file.write_text(json.dumps(document))
    return file


def trusted(issuer, **members):
    return {
        "issuerName": issuer.url, "virtualUserEnabled": True, "roleAttributes": ["roles"], "audience": ["web"],
        "jwks": {"discoveryUri": f"{issuer.url}/.well-known/openid-configuration", "allowHttp": True, "minReloadInterval": 60}} | members


@pytest.fixture
def issuer():
    """An external issuer: a listener with its own keys."""
    with Issuer() as issuer:
        yield issuer


@pytest.fixture
def start(process, tmp_path):
    """Starts a mobile cloud that trusts these issuers: a sandbox, or a process if it needs arguments."""
    with contextlib.ExitStack() as clouds:
        def start(*issuers, arguments=(), mobile=None, **root):
            file = seed(tmp_path, *issuers, mobile=mobile, **root)
            if not arguments:
                return clouds.enter_context(Sandbox.seeded(process, file.read_text()))
            cloud = clouds.enter_context(Cloud.ephemeral("--seed", file, *arguments))
            clouds.callback(lambda: cloud.stop() == 0 or pytest.fail(cloud.logged()))
            return cloud

        yield start


def post(cloud, assertion, backend=0, headers=None, **fields):
    """The response to an exchange. The client authenticates in the body unless `fields` change that (None removes a parameter)."""
    client = {"client_id": BACKENDS[backend]["clientID"], "client_secret": BACKENDS[backend]["clientSecret"]}
    form = {"grant_type": JWT_BEARER, "assertion": assertion} | client | fields
    return requests.post(
        f"{cloud.url}/mobile/platform/auth/token", {name: value for name, value in form.items() if value is not None}, headers=headers)


def refusal(answer):
    return answer.status_code, answer.json()["error"], answer.json()["error_description"]


def claims(token):
    """The claims of a token of the mobile cloud, decoded as the JavaScript SDK does, which supports only the standard base64 alphabet."""
    middle = token.split(".")[1]
    assert not set(middle) & set("-_")
    return json.loads(base64.b64decode(middle + "=" * (-len(middle) % 4)))


def me(cloud, answer):
    return requests.get(f"{cloud.url}/mobile/platform/users/~", headers={"Authorization": f"Bearer {answer.json()['access_token']}"})


# JWTs by POST.


def test_a_token_of_our_own_provider_is_exchanged_in_each_of_the_three_ways(start):
    """(R39, R41, R89-R96, X2, X12)"""
    cloud = start()
    token = cloud.token("company", "tessa", client="depot-app")
    basic = base64.b64encode(b"depot-client:depot-secret").decode()
    client_token = requests.post(
        f"{cloud.url}/oam/oauth2/tokens", {"grant_type": "client_credentials"}, auth=("depot-client", "depot-secret")).json()["access_token"]
    nothing = {"client_id": None, "client_secret": None}
    answers = [
        post(cloud, token, headers={"Authorization": f"Basic {basic}"}, **nothing),
        post(cloud, token, headers={"Authorization": f"Bearer {basic}"}, **nothing),
        post(cloud, token),
        post(cloud, token, client_assertion_type=CLIENT_ASSERTION, client_assertion=client_token, **nothing)]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        assert answer.headers["Content-Type"].startswith("application/json") and answer.headers["Cache-Control"] == "no-store"
        body = answer.json()
        assert set(body) == {"access_token", "token_type", "id_token", "expires_in"}
        assert (body["token_type"], body["id_token"], body["expires_in"]) == ("Bearer", None, 21600)
        said = claims(body["access_token"])
        assert said["sub"] == "employee-1" and said["roles"] == ["Technician"] and said["exp"] - said["iat"] == 21600
        assert me(cloud, answer).status_code == 200


def test_our_own_provider_is_meant_by_each_spelling_of_its_name(start):
    """(R48) Tokens contain the issuer with the host of the request."""
    cloud = start()
    for host in ["127.0.0.1", "localhost"]:
        url = f"http://{host}:{cloud.port}"
        issued = requests.post(f"{url}/_virga/tokens", json={"provider": "company", "user": "tessa", "client": "depot-app"}).json()
        assert post(cloud, issued["token"]).status_code == 200


def test_a_foreign_issuer_is_asked_for_its_keys_and_a_rotation_is_learnt_after_the_interval(start, issuer):
    """(R76, R81) The control API ages the clock."""
    cloud = start(trusted(issuer))
    assert post(cloud, issuer.token(roles="Technician")).status_code == 200
    assert post(cloud, issuer.token()).status_code == 200
    assert issuer.asked == ["/.well-known/openid-configuration", "/keys"]
    issuer.rotate()
    status, error, description = refusal(post(cloud, issuer.token()))
    assert (status, error) == (400, "invalid_grant")
    assert description.startswith(f"No matching public key found for issuer {issuer.url}.")
    assert len(issuer.asked) == 2
    cloud.age("PT1M")
    assert post(cloud, issuer.token()).status_code == 200
    assert len(issuer.asked) == 4


def test_keys_that_are_old_are_asked_for_again(start, issuer):
    """(R82)"""
    cloud = start(trusted(issuer))
    assert post(cloud, issuer.token()).status_code == 200
    cloud.age("PT8H1S")
    assert post(cloud, issuer.token()).status_code == 200
    assert len(issuer.asked) == 4


def test_an_issuer_that_fails_is_asked_again_by_the_next_token(start, issuer):
    cloud = start(trusted(issuer))
    issuer.failures = 1
    description = refusal(post(cloud, issuer.token()))[2]
    assert description == (
        f"No matching public key found for issuer {issuer.url}. "
        f"{issuer.url}/.well-known/openid-configuration answered with the status 503.")
    assert post(cloud, issuer.token()).status_code == 200


def test_http_must_be_allowed(start, issuer):
    """(R80)"""
    jwks = {"discoveryUri": f"{issuer.url}/.well-known/openid-configuration"}
    cloud = start(trusted(issuer, jwks=jwks))
    assert refusal(post(cloud, issuer.token()))[2].endswith("is not HTTPS. Set allowHttp to permit it.")
    assert issuer.asked == []


def test_versions_of_tls_are_as_configured(start, tmp_path):
    """(R85) A server that supports TLS 1.2 and 1.3 cannot be reached by 1.1 and older, nor by SSL."""
    with Issuer(tmp_path) as issuer:
        discovery = f"{issuer.url}/.well-known/openid-configuration"
        for versions, is_reached in [(None, True), (["TLSv1.2"], True), (["TLS"], True), (["TLSv1", "TLSv1.1"], False), (["SSLv3"], False)]:
            jwks = {"discoveryUri": discovery} | ({"tlsVersions": versions} if versions else {})
            cloud = start(trusted(issuer, jwks=jwks), arguments=("--trust-ca", issuer.authority))
            answer = post(cloud, issuer.token())
            assert answer.status_code == (200 if is_reached else 400), (versions, answer.text)
        # The authority of the server's certificate is not trusted.
        cloud = start(trusted(issuer, jwks={"discoveryUri": discovery}))
        assert refusal(post(cloud, issuer.token()))[2] == (
            f"No matching public key found for issuer {issuer.url}. {discovery} did not answer.")


def test_a_foreign_issuers_person_is_a_user_of_the_realm_where_virtual_users_are_off(start, issuer):
    """(R53, R70, R97, R100, R101)"""
    cloud = start(trusted(issuer, virtualUserEnabled=False))
    answer = post(cloud, issuer.token(roles="Technician"))
    assert answer.status_code == 200, answer.text
    assert me(cloud, answer).json()["username"] == "person-1"
    status, error, description = refusal(post(cloud, issuer.token(sub="person-2")))
    assert (status, error, description) == (
        400, "invalid_grant", "The realm Default(1.0) of the backend has no user named person-2.")


def fault(name, description, issuer=None, claims=None, status=400, error="invalid_grant", **request):
    return pytest.param(issuer or {}, claims or {}, request, (status, error, description), id=name)


@pytest.mark.parametrize("members, changes, request_fields, expected", [
    fault("wrong audience (R50)", "The token from issuer URL is for another audience: elsewhere.", claims={"aud": "elsewhere"}),
    fault("wrong address (R51, R52)", "The token from issuer URL is for another audience: http://elsewhere.example/mobile.",
          issuer={"audience": []}, claims={"aud": "http://elsewhere.example/mobile"}),
    fault("expired", "User assertion from issuer URL has expired.", claims={"iat": 1000, "exp": 2000}),
    fault("disabled issuer (R49)", "Issuer URL is disabled.", issuer={"enabled": False}),
    fault("unknown issuer", "Issuer https://elsewhere.example has not been configured.", claims={"iss": "https://elsewhere.example"}),
    fault("filtered out (R63)", "The token from issuer URL does not satisfy the issuer's filters.",
          issuer={"filters": [{"name": "department", "values": ["lifts*"]}]}, claims={"department": "kitchen"}),
    fault("malformed filter (R67)", "The token from issuer URL does not satisfy the issuer's filters.", issuer={"filters": [{"name": "sub"}]}),
    fault("backend not allowed (R68)", "Tokens from issuer URL must not be used with the backend Depot(1.0).",
          issuer={"allowedMbes": [{"name": "Yard", "version": "1.0"}]}),
    fault("client token as user token (R56)", "The token from issuer URL is a client's, which must not become a user's.",
          issuer={"clientIdAttribute": "client_id"}, claims={"client_id": "person-1"}),
    fault("missing client secret (R55)", "The issuer of the token requires client authentication.", status=401,
          error="invalid_client", client_secret=None),
    fault("wrong client secret", "The client ID or the client secret is wrong.", status=401, error="invalid_client", client_secret="x"),
    fault("malformed configuration", "Issuer URL has not been configured. Security_AuthTokenConfiguration: issuers[1].enabled must be "
          "true or false.", issuer={"enabled": "yes"}),
])
def test_each_refusal_is_exact(start, issuer, members, changes, request_fields, expected):
    cloud = start(trusted(issuer, **members))
    status, error, description = expected
    answer = post(cloud, issuer.token(**changes), **request_fields)
    assert refusal(answer) == (status, error, description.replace("URL", issuer.url))
    assert answer.headers["Cache-Control"] == "no-store" and ("WWW-Authenticate" in answer.headers) == (status == 401)
    journal = cloud.control("GET", "journal")["entries"]
    entry = next(one for one in journal if one["target"] == "/mobile/platform/auth/token")
    assert (entry["face"], entry["operation"], entry["status"], entry["error"]) == ("mobile", "exchangeToken", status, error)


def test_the_audience_is_the_base_url_under_each_name(start, issuer):
    """(R51)"""
    cloud = start(trusted(issuer, audience=[]), arguments=("--alias", "mcs.depot.example"))
    paths = ["", "/mobile", "/mobile/platform", "/mobile/platform/auth", "/mobile/platform/auth/token"]
    for host in ["localhost", "127.0.0.1", "mcs.depot.example"]:
        for path in [end for path in paths for end in (path, path + "/")]:
            assert post(cloud, issuer.token(aud=f"http://{host}:{cloud.port}{path}")).status_code == 200
    assert refusal(post(cloud, issuer.token(aud=f"http://other.depot.example:{cloud.port}/mobile")))[1] == "invalid_grant"


def test_a_token_ends_with_the_other_one_where_the_issuer_says_so(start, issuer):
    """(R59)"""
    cloud = start(trusted(issuer, tokenTimeoutPolicy="FromExternalToken"))
    answer = post(cloud, issuer.token(exp=int(time.time()) + 300))
    assert 280 <= answer.json()["expires_in"] <= 300
    assert me(cloud, answer).status_code == 200
    cloud.age("PT5M")
    assert me(cloud, answer).status_code == 401


# Assertions and JWTs by GET.


def exchange(cloud, token, backend=0, query="?format=json&_=1", **headers):
    headers = {"Authorization": f"Bearer {token}", "oracle-mobile-backend-id": BACKENDS[backend]["id"]} | headers
    return requests.get(f"{cloud.url}/mobile/platform/sso/exchange-token{query}", headers=headers)


def external_token(response):
    """The token that an app makes of the response in its web view: the assertion, compressed, in base64."""
    assertion = etree.fromstring(base64.b64decode(response)).find(ASSERTION)
    return base64.b64encode(gzip.compress(etree.tostring(assertion))).decode()


@pytest.fixture
def sign_on(start):
    """A cloud, and an assertion of its provider for the exchange endpoint."""
    cloud = start()
    audience = f"{cloud.url}/mobile/platform/sso/exchange-token"
    cloud.control("PUT", "providers/company/service-providers", {
        "entityID": audience, "assertionConsumerServices": [f"{cloud.url}/mobile/platform/sso/redirect"],
        "attributes": [{"name": "mail", "claim": "email"}, {"name": "roles", "claim": "roles"}]})

    def sign_on(**options):
        answer = cloud.control("POST", "tokens", {"provider": "company", "user": "tessa", "serviceProvider": audience, **options})
        return external_token(answer["SAMLResponse"])

    return cloud, sign_on


def test_an_assertion_of_our_own_provider_is_exchanged(sign_on):
    """(R14-R16, R18, R23, R24, R26-R33, X4, X5)"""
    cloud, sign_on = sign_on
    answer = exchange(cloud, sign_on())
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"access_token", "expires_in", "token_type"}
    said = claims(answer.json()["access_token"])
    assert said["sub"] == "tessa@depot.example" and said["roles"] == ["Technician"]
    assert me(cloud, answer).status_code == 200
    # The backend is in the token: another one in the header changes nothing (R33).
    other = requests.get(f"{cloud.url}/mobile/platform/users/~", headers={
        "Authorization": f"Bearer {answer.json()['access_token']}", "oracle-mobile-backend-id": "yard-id"})
    assert other.status_code == 200 and claims(answer.json()["access_token"])["backend_id"] == "depot-id"


@pytest.mark.parametrize("wrong, detail", [
    ("expired", "User assertion from issuer https://login.depot.example/saml has expired."),
    ("notYetValid", "The assertion of issuer https://login.depot.example/saml is not valid yet."),
    ("wrongAudience", "The assertion of issuer https://login.depot.example/saml is for another audience: https://elsewhere.example/metadata."),
    ("wrongIssuer", "Issuer https://elsewhere.example/idp has not been configured."),
    ("unsignedAssertion", "The assertion is not signed."),
    ("flippedSignatureBit", "No certificate of the issuer belongs to the key that signed the assertion."),
    ("otherKey", "No certificate of the issuer belongs to the key that signed the assertion."),
    ("sha1", "The assertion is signed with http://www.w3.org/2000/09/xmldsig#rsa-sha1, which is not accepted.")])
def test_an_assertion_with_a_fault_is_refused(sign_on, wrong, detail):
    cloud, sign_on = sign_on
    answer = exchange(cloud, sign_on(fault=wrong))
    assert (answer.status_code, answer.json()["detail"]) == (401, detail)
    assert answer.json()["status"] == 401 and answer.json()["o:errorCode"].startswith("MOBILE-")


def test_the_backend_must_be_named(sign_on):
    """(R12, R30)"""
    cloud, sign_on = sign_on
    token = sign_on()
    url = f"{cloud.url}/mobile/platform/sso/exchange-token"
    assert requests.get(url, headers={"Authorization": f"Bearer {token}"}).status_code == 400
    assert exchange(cloud, token, **{"oracle-mobile-backend-id": "nobody"}).json()["o:errorCode"] == "MOBILE-58026"
    assert exchange(cloud, token, backend=1).status_code == 200


def test_a_bomb_is_refused(sign_on):
    cloud, _ = sign_on
    bomb = base64.b64encode(gzip.compress(b" " * 30_000_000, 9)).decode()
    answer = exchange(cloud, bomb)
    assert (answer.status_code, answer.json()["detail"]) == (
        401, "The Base64 of the token does not decode to gzip data, or the data is too long.")


# An external issuer that is registered with its certificate.


class CertifiedIssuer:
    """Signs JWTs with joserfc and assertions with xmlsec1. The certificate of its key has a long subject."""

    name = "https://certified.example/issuer"
    # The subject of the certificate in an administrator's spelling.
    subject = "cn=certified.example, ou=Lifts\\, North, o=Depot AG, c=CH"

    def __init__(self):
        key = rsa.generate_private_key(65537, 2048)
        parts = [(NameOID.COUNTRY_NAME, "CH"), (NameOID.ORGANIZATION_NAME, "Depot AG"),
                 (NameOID.ORGANIZATIONAL_UNIT_NAME, "Lifts, North"), (NameOID.COMMON_NAME, "certified.example")]
        subject = x509.Name([x509.NameAttribute(*part) for part in parts])
        now = datetime.datetime.now(datetime.timezone.utc)
        certificate = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2)).sign(key, hashes.SHA256()))
        self.certificate = certificate.public_bytes(serialization.Encoding.PEM).decode()
        self.key = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

    def token(self, **claims):
        now = int(time.time())
        claims = {"iss": self.name, "sub": "person-9", "roles": ["Technician"], "iat": now, "exp": now + 600} | claims
        return jwt.encode({"alg": "PS256"}, claims, jwk.RSAKey.import_key(self.key), algorithms=["PS256"])

    def assertion(self, audience):
        def moment(minutes):
            return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

        document = f"""
            <saml2:Assertion xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" ID="_9" Version="2.0" IssueInstant="{moment(0)}">
            <saml2:Issuer>{self.name}</saml2:Issuer>
            <saml2:Subject><saml2:NameID>person-9</saml2:NameID>
            <saml2:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
            <saml2:SubjectConfirmationData NotOnOrAfter="{moment(5)}" Recipient="http://app.example/mobile/platform/sso/redirect"/>
            </saml2:SubjectConfirmation></saml2:Subject>
            <saml2:Conditions NotBefore="{moment(-1)}" NotOnOrAfter="{moment(5)}"><saml2:AudienceRestriction>
            <saml2:Audience>{audience}</saml2:Audience></saml2:AudienceRestriction></saml2:Conditions>
            <saml2:AuthnStatement AuthnInstant="{moment(0)}"/>
            <saml2:AttributeStatement><saml2:Attribute Name="roles"><saml2:AttributeValue>Technician</saml2:AttributeValue>
            </saml2:Attribute></saml2:AttributeStatement></saml2:Assertion>"""
        signed = OneLogin_Saml2_Utils.add_sign(
            document, self.key, self.certificate, sign_algorithm=OneLogin_Saml2_Constants.RSA_SHA256,
            digest_algorithm=OneLogin_Saml2_Constants.SHA256)
        return base64.b64encode(gzip.compress(signed)).decode()


@pytest.fixture
def certified():
    return CertifiedIssuer()


@pytest.fixture
def certified_cloud(start, certified):
    """A cloud in which the issuer is registered for both."""
    return start(
        {"issuerName": certified.name, "virtualUserEnabled": True, "roleAttributes": ["roles"],
         "certificateSubjectNames": [certified.subject]},
        mobile={
            "certificates": [{"alias": "certified", "pem": certified.certificate}],
            "samlIssuers": [{
                "name": certified.name, "certificateSubjectNames": [certified.subject], "virtualUserEnabled": True,
                "roleAttributes": ["roles"]}]})


def test_jwts_of_an_issuer_are_exchanged_by_its_certificate_at_both_doors(certified_cloud, certified):
    """(R37, R62)"""
    for answer in [post(certified_cloud, certified.token()), exchange(certified_cloud, certified.token())]:
        assert answer.status_code == 200, answer.text
        said = claims(answer.json()["access_token"])
        assert (said["sub"], said["issuer"], said["roles"]) == ("person-9", certified.name, ["Technician"])
    stranger = CertifiedIssuer().token()
    assert refusal(post(certified_cloud, stranger)) == (
        400, "invalid_grant", f"The signature of the token from issuer {certified.name} is wrong.")
    assert exchange(certified_cloud, stranger).json()["detail"] == f"The signature of the token from issuer {certified.name} is wrong."


def test_assertions_that_xmlsec_signs_are_exchanged_by_the_certificate(certified_cloud, certified):
    """(R14, R18, R20, R21)"""
    audience = f"{certified_cloud.url}/mobile/platform/sso/exchange-token"
    answer = exchange(certified_cloud, certified.assertion(audience))
    assert answer.status_code == 200, answer.text
    assert claims(answer.json()["access_token"])["sub"] == "person-9" and me(certified_cloud, answer).status_code == 200
    stranger = exchange(certified_cloud, CertifiedIssuer().assertion(audience))
    assert stranger.json()["detail"] == "No certificate of the issuer belongs to the key that signed the assertion."
    # A token that was issued for five minutes has expired after them.
    token = certified.assertion(audience)
    certified_cloud.age("PT5M")
    assert exchange(certified_cloud, token).json()["detail"] == f"User assertion from issuer {certified.name} has expired."
