"""The mobile cloud with the requests of the MCS JavaScript SDK for browsers, byte for byte, in each of its modes."""

import base64
import plistlib
from urllib.parse import urlsplit

import pytest
import requests
from lxml import etree

from mobile_sdk import Browser, InAppBrowser, MobileBackend, credentials
from ridgeline import Backend, configuration, refusal, saml_token

SESSION, DEVICE = "11111111-2222-4333-8444-555555555555", "66666666-7777-4888-9999-000000000000"
NOW, REQUEST_TIME = 1_447_089_992_345, "2015-11-09T17:26:32.345Z"
DIAGNOSTICS = (
    f"Oracle-Mobile-DIAGNOSTIC-SESSION-ID: {SESSION}\r\nOracle-Mobile-DEVICE-ID: {DEVICE}\r\n"
    f"Oracle-Mobile-CLIENT-REQUEST-TIME: {REQUEST_TIME}\r\n")
CARE_ID = "5c1e9f4a-3b7d-4e0c-9a52-6d8f0b1a7c31"
CLIENT = base64.b64encode(b"b8a0c6d2-51f7-4c9e-8e13-0f9d2a7b4e60:liftcare-client-secret").decode()
ANONYMOUS = base64.b64encode(b"RIDGELINE_LIFTCARE_MOBILE_ANONYMOUS_APPID:liftcare-anonymous").decode()


@pytest.fixture
def sdk(ridgeline):
    def make(name="LiftCare", **members):
        return MobileBackend(configuration(ridgeline)[name] | members, Browser(NOW), SESSION, DEVICE)

    return make


def request(cloud, line, headers, body=""):
    """A request as it was sent; `line` is its first line without the version."""
    length = f"Content-Length: {len(body)}\r\n" if line.startswith(("POST", "PUT")) else ""
    return (f"{line} HTTP/1.1\r\nHost: {urlsplit(cloud.url).netloc}\r\nConnection: keep-alive\r\n{length}{headers}"
            f"Accept: */*\r\n\r\n{body}").encode()


def test_basic_mode(ridgeline, sdk):
    """(R8, R146, R147, R148)"""
    backend = sdk()
    authorization = backend.set_authentication_type("basicAuth")
    assert authorization.authenticate("dora", "dora-password").status == 200
    proof = f"Oracle-Mobile-Backend-Id: {CARE_ID}\r\nOracle-Mobile-Application-Key: undefined\r\n"
    basic = "Authorization: Basic ZG9yYTpkb3JhLXBhc3N3b3Jk\r\n"
    assert backend.sent[-1] == request(ridgeline, f"GET /mobile/platform/users/login?_={NOW}", basic + proof)

    me = backend.current_user()
    assert backend.sent[-1] == request(ridgeline, f"GET /mobile/platform/users/~?_={NOW}", DIAGNOSTICS + basic + proof)
    assert me.status == 200 and me.data["username"] == "dora" and me.data["firstName"] == "Dora"
    # The SDK treats unknown members as properties of the realm.
    known = {"id", "username", "email", "firstName", "lastName", "links"}
    assert {name: me.data[name] for name in me.data if name not in known} == {"station": "Valley"}

    answer = backend.custom_code("profile/me/")
    assert backend.sent[-1] == request(
        ridgeline, f"GET /mobile/custom/profile/me?_={NOW}", DIAGNOSTICS + basic + proof + "Content-Type: application/json\r\n")
    assert answer.status == 200 and answer.data["username"] == "dora"


def test_the_downloaded_configuration_file(ridgeline):
    """(R8) The control API's file for the SDK is sufficient for a login; iOS and Android get the same keys."""
    url = f"{ridgeline.url}/_virga/mobile/backends/LiftCare(1.0)/sdk"
    config = requests.get(f"{url}/oracle_mobile_cloud_config.json").json()["mobileBackends"]["LiftCare"]
    backend = MobileBackend(config, Browser(NOW), SESSION, DEVICE)
    for way in ("basicAuth", "oAuth"):
        assert backend.set_authentication_type(way).authenticate("dora", "dora-password").status == 200
    properties = plistlib.loads(requests.get(f"{url}/OMC.plist").content)["mobileBackends"]["LiftCare"]
    assert properties["default"] is True and properties["baseURL"] == ridgeline.url
    basic = properties["authorization"]["Basic"]
    assert basic == {"mobileBackendID": CARE_ID, "anonymousKey": ANONYMOUS}
    android = etree.fromstring(requests.get(f"{url}/oracle_mobile_cloud_config.xml").content).find("mobileBackend")
    assert android.findtext("authorization/basic/anonymousKey") == basic["anonymousKey"]
    assert android.findtext("authorization/oauth/oAuthTokenEndPoint") == config["authorization"]["oAuth"]["tokenEndpoint"]


def test_basic_mode_without_a_user(ridgeline, sdk):
    """(R146, R147)"""
    backend = sdk()
    authorization = backend.set_authentication_type("basicAuth")
    assert authorization.authenticate_anonymous().status == 200
    assert backend.sent[-1] == request(
        ridgeline, f"GET /mobile/platform/users/login?_={NOW}",
        f"Oracle-Mobile-Backend-Id: {CARE_ID}\r\nAuthorization: Basic {ANONYMOUS}\r\nOracle-Mobile-Application-Key: undefined\r\n")
    assert backend.custom_code("lifts/lifts").data["items"]
    assert backend.load_app_config().data == {"theme": "dark", "reportsPerPage": 20, "offline": True}
    assert backend.custom_code("profile/me").status == 401
    assert backend.current_user().status == 401


def test_basic_mode_sends_a_byte_for_each_character(ridgeline, sdk):
    """Characters beyond ASCII are not sent as UTF-8."""
    ridgeline.control("PUT", "mobile/realms/Default(1.0)/users/jos%C3%A9", {"username": "josé", "password": "contraseña"})
    backend = sdk()
    assert backend.set_authentication_type("basicAuth").authenticate("josé", "contraseña").status == 200
    assert base64.b64encode("josé:contraseña".encode("latin-1")) in backend.sent[-1]
    assert backend.current_user().data["username"] == "josé"


def test_basic_mode_with_the_wrong_password(ridgeline, sdk):
    """(R148)"""
    backend = sdk()
    answer = backend.set_authentication_type("basicAuth").authenticate("dora", "wrong")
    assert answer.status == 401 and answer.data["o:errorCode"].startswith("MOBILE-")


def test_an_application_key_is_taken(sdk):
    backend = sdk(applicationKey="0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d")
    assert backend.set_authentication_type("basicAuth").authenticate("dora", "dora-password").status == 200
    assert b"Oracle-Mobile-Application-Key: 0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d\r\n" in backend.sent[-1]


def test_oauth_mode(ridgeline, sdk):
    """(R132, R133, R134, R135, R137, R139, R141) The keys are those of the backend, and one token is for all its APIs."""
    backend = sdk()
    answer = backend.set_authentication_type("oAuth").authenticate("dora", "dora-password")
    form = "grant_type=password&username=dora&password=dora-password"
    assert backend.sent[-1] == request(
        ridgeline, f"POST /oam/oauth2/tokens/?_={NOW}",
        "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n"
        f"Authorization: Basic {CLIENT}\r\nOracle-Mobile-Application-Key: undefined\r\n", form)
    assert answer.status == 200 and answer.data["token_type"] == "Bearer" and answer.data["expires_in"] > 0

    assert backend.current_user().data["username"] == "dora"
    bearer = f"Authorization: Bearer {answer.data['access_token']}\r\nOracle-Mobile-Application-Key: undefined\r\n"
    assert backend.sent[-1] == request(ridgeline, f"GET /mobile/platform/users/~?_={NOW}", DIAGNOSTICS + bearer)
    assert backend.custom_code("profile/me").data["username"] == "dora"
    # A dispatcher has neither the role of technicians nor that of managers.
    assert backend.custom_code("incidents/incidents").status == 403


def test_oauth_mode_without_a_user(ridgeline, sdk):
    """(R135, R136, R143)"""
    config = configuration(ridgeline)["LiftCare"]
    config["authorization"]["oAuth"]["userIdentityDomainName"] = "ridgeline"
    backend = MobileBackend(config, Browser(NOW), SESSION, DEVICE)
    answer = backend.set_authentication_type("oAuth").authenticate_anonymous()
    assert backend.sent[-1] == request(
        ridgeline, f"POST /oam/oauth2/tokens/?_={NOW}",
        "Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\nX-USER-IDENTITY-DOMAIN-NAME: ridgeline\r\n"
        f"Authorization: Basic {CLIENT}\r\nOracle-Mobile-Application-Key: undefined\r\n", "grant_type=client_credentials")
    assert answer.status == 200 and answer.data["access_token"].startswith("eyJ") and answer.data["expires_in"] == 604_800
    assert backend.custom_code("lifts/lifts/summit").data == {"id": "summit", "state": "open"}
    assert backend.custom_code("profile/me").status == 401


@pytest.mark.parametrize("username, password, form", [
    ("a b[1]", "p[2] &c", "username=a%20b[1]&password=p%5B2%5D+%26c"),
    ("x y@ridgeline.example", "[&]", "username=x+y%40ridgeline.example&password=%5B%26%5D"),
    ("ü+~(x)", "ø=1/2 [3]", "username=%C3%BC%2B~(x)&password=%C3%B8%3D1%2F2%20[3]"),
])
def test_oauth_mode_encodes_in_its_own_way(ridgeline, sdk, username, password, form):
    """(R135)"""
    user = {"username": username, "password": password}
    ridgeline.control("PUT", f"mobile/realms/Default(1.0)/users/{requests.utils.quote(username, safe='')}", user)
    assert credentials(username, password) == "grant_type=password&" + form
    backend = sdk()
    assert backend.set_authentication_type("oAuth").authenticate(username, password).status == 200
    assert backend.sent[-1].endswith(form.encode())
    assert backend.current_user().data["username"] == username


def test_single_sign_on_mode(ridgeline, sdk):
    """(R9, R102, R104, R109, R137)"""
    backend = sdk()
    answer = backend.set_authentication_type("ssoAuth").authenticate(InAppBrowser("tessa"))
    assert answer["token_type"] == "Bearer" and answer["expires_in"] == 21_600
    assert backend.current_user().data["username"] == "tessa"
    bearer = f"Authorization: Bearer {answer['access_token']}\r\nOracle-Mobile-Application-Key: undefined\r\n"
    assert backend.sent[-1] == request(ridgeline, f"GET /mobile/platform/users/~?_={NOW}", DIAGNOSTICS + bearer)
    assert backend.custom_code("incidents/incidents").data["items"][0]["id"] == 101
    assert backend.custom_code("incidents/incidents", "POST", {"title": "Ice"}).data == {"title": "Ice", "reportedBy": "tessa"}
    assert backend.sent[-1].endswith(b'\r\nContent-Type: application/json\r\nAccept: */*\r\n\r\n{"title":"Ice"}')


def test_single_sign_on_mode_of_somebody_without_an_account(ridgeline, sdk):
    """The SDK reads `status` if there is no token."""
    backend = sdk()
    answer = backend.set_authentication_type("ssoAuth").authenticate(InAppBrowser("nina"))
    assert "access_token" not in answer and answer["status"] >= 401


def test_single_sign_on_mode_without_a_user(ridgeline, sdk):
    backend = sdk()
    assert backend.set_authentication_type("ssoAuth").authenticate_anonymous().status == 200
    assert backend.custom_code("lifts/lifts").status == 200


def test_token_mode(ridgeline, sdk):
    """(R9, R16, R28, R29, R30, R31, R32, R33)"""
    backend = sdk()
    authorization = backend.set_authentication_type("tokenAuth")
    token = saml_token(ridgeline, "marc")
    answer = authorization.authenticate(token)
    assert backend.sent[-1] == request(
        ridgeline, f"GET /mobile/platform/sso/exchange-token?format=json&_={NOW}",
        f"{DIAGNOSTICS}Oracle-Mobile-Application-Key: undefined\r\nAuthorization: Bearer {token}\r\n"
        f"Oracle-Mobile-Backend-Id: {CARE_ID}\r\n")
    assert answer.status == 200, answer.content
    claims = authorization.claims
    assert claims["sub"] == "marc" and claims["exp"] - claims["iat"] == answer.data["expires_in"]
    assert backend.custom_code("incidents/incidents/101", "DELETE").status == 204
    bearer = f"Authorization: Bearer {answer.data['access_token']}\r\nOracle-Mobile-Application-Key: undefined\r\n"
    assert backend.sent[-1] == request(
        ridgeline, f"DELETE /mobile/custom/incidents/incidents/101?_={NOW}", DIAGNOSTICS + bearer + "Content-Type: application/json\r\n")


def test_facebook_mode(ridgeline, sdk):
    """(R121, R125, R126, R131)"""
    backend = sdk("Skiers")
    authorization = backend.set_authentication_type("facebookAuth")
    answer = authorization.authenticate(InAppBrowser("frida"), f"{ridgeline.url}/idp/facebook")
    skiers = Backend(ridgeline, "Skiers")
    me = backend.custom_code("reports/me")
    assert backend.sent[-1] == request(
        ridgeline, f"GET /mobile/custom/reports/me?_={NOW}",
        f"{DIAGNOSTICS}Authorization: Basic {skiers.anonymous_key}\r\nOracle-Mobile-Social-Access-Token: {answer['access_token']}\r\n"
        f"Oracle-Mobile-Social-Identity-Provider: facebook\r\nOracle-Mobile-Backend-Id: {skiers.id}\r\n"
        "Oracle-Mobile-Application-Key: undefined\r\nContent-Type: application/json\r\n")
    assert me.status == 200 and me.data["identityProvider"] == "facebook", me.content
    # An API without login, and platform APIs for every caller.
    assert backend.custom_code("lifts/lifts").status == 200
    assert backend.load_app_config().status == 200
    assert backend.register_device("token", "example.skiers", "1.0", "ANDROID").status == 201
    assert backend.flush_analytics([{"name": "Ride", "timestamp": "2015-11-09T17:26:32.345Z", "type": "custom"}]).status == 202


def test_facebook_mode_without_a_user(ridgeline, sdk):
    """(R126)"""
    backend = sdk("Skiers")
    # Before a login the calls have no credentials.
    backend.set_authentication_type("facebookAuth")
    assert backend.custom_code("reports/me").status == 401
    skiers = Backend(ridgeline, "Skiers")
    refusal(skiers.custom("GET", "reports/me", skiers.anonymous), 401)


def test_the_browser_asks_first_where_the_app_comes_from_another_site(ridgeline):
    """(R149, R150) A preflight for every header that the SDK sends, and credentials for the origin itself."""
    origin = "http://localhost:8765"
    names = ("authorization,content-type,oracle-mobile-application-key,oracle-mobile-backend-id,oracle-mobile-client-request-time,"
             "oracle-mobile-device-id,oracle-mobile-diagnostic-session-id,oracle-mobile-social-access-token,"
             "oracle-mobile-social-identity-provider,oracle-mobile-name,if-match,x-user-identity-domain-name,"
             "oracle-mobile-sync-agent,oracle-mobile-analytics-session-id")
    for path in ("/mobile/custom/lifts/lifts", "/mobile/platform/users/login", "/oam/oauth2/tokens/"):
        answer = requests.options(ridgeline.url + path, headers={
            "Origin": origin, "Access-Control-Request-Method": "GET" if "oam" not in path else "POST",
            "Access-Control-Request-Headers": names})
        assert answer.status_code == 200 and answer.headers["Access-Control-Allow-Origin"] == origin, (path, answer.status_code, answer.headers)
        assert answer.headers["Access-Control-Allow-Credentials"] == "true"
        allowed = {name.strip().lower() for name in answer.headers["Access-Control-Allow-Headers"].split(",")}
        assert set(names.split(",")) <= allowed
    backend = MobileBackend(configuration(ridgeline)["LiftCare"], Browser(NOW, origin=origin))
    answer = backend.set_authentication_type("basicAuth").authenticate("dora", "wrong")
    assert answer.status == 401 and answer.headers["access-control-allow-origin"] == origin
    assert answer.headers["access-control-allow-credentials"] == "true" and "origin" in answer.headers["vary"].lower()
    # The SDK reads properties of objects from headers that a browser shows only to scripts of the allowed origin.
    exposed = {name.strip() for name in answer.headers["access-control-expose-headers"].split(",")}
    assert {"Oracle-Mobile-Name", "Oracle-Mobile-Created-By", "ETag"} <= exposed
    # A site that is not trusted gets no CORS headers.
    stranger = MobileBackend(configuration(ridgeline)["LiftCare"], Browser(NOW, origin="http://localhost:9999"))
    answer = stranger.set_authentication_type("basicAuth").authenticate("dora", "dora-password")
    assert "access-control-allow-origin" not in answer.headers
