"""The administration of the mobile cloud in the web console: users, keys, JWT issuers, policies, and what apps left."""

import json

import pytest
import requests
from lxml import html
from selenium.webdriver.common.by import By

from cloud import Cloud
from console import CONSOLE, Reader, console_browser, open_page, own_violations, press, text
from console_checks import PAYLOADS, check_pages, expect_harmless
from navigation import patiently
from ridgeline import TOKEN_CONFIGURATION, Backend, access_token, bearer, jwt
from test_console_mobile import said, show, try_out
from test_mobile_certified_issuers import CertifiedIssuer


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


@pytest.fixture
def reader(ridgeline):
    return Reader(ridgeline)


def configuration(cloud):
    return json.loads(cloud.control("GET", f"mobile/policies/{TOKEN_CONFIGURATION}")["value"])


def refused_fields(reader):
    """The identifiers of the fields that the page marks as wrong."""
    assert reader.status == 400, reader.page.text
    page = html.fromstring(reader.page.text)
    linked = {link[1:] for link in page.xpath("//*[@role='alert']//a/@href") if link.startswith("#")}
    marked = set(page.xpath("//*[@aria-invalid='true']/@id"))
    assert marked <= linked, "each field is in the summary"
    return marked


# Mobile User Management


def test_realms_roles_and_users(ridgeline, reader):
    show(reader, "users")
    reader.press("Create role", role="Ranger")
    assert "Ranger" in ridgeline.control("GET", "mobile/roles")["roles"]
    reader.press("Create role", role="Ranger")
    assert refused_fields(reader) == {"new-role-role"}
    show(reader, "users")
    reader.press("Delete Technician")
    assert "Nothing was deleted" in reader.page.text and "Technician" in ridgeline.control("GET", "mobile/roles")["roles"]
    show(reader, "users")
    reader.press("Create realm", name="Guests", version="1.0", properties="cabin, phone")
    assert ridgeline.control("GET", "mobile/realms/Guests(1.0)")["properties"] == ["cabin", "phone"]
    reader.press("Create user", username="gina", email="gina@example.com", password="secret", roles=["Ranger"], **{"property-0": "Edelweiss"})
    user = ridgeline.control("GET", "mobile/realms/Guests(1.0)/users/gina")
    assert user["roles"] == ["Ranger"] and user["properties"] == {"cabin": "Edelweiss"}
    reader.press("Create user", username="gina")
    assert refused_fields(reader) == {"new-user-username"}
    show(reader, "users/Guests(1.0)/gina")
    reader.press("Save user", roles=["Ranger", "Manager"])
    changed = ridgeline.control("GET", "mobile/realms/Guests(1.0)/users/gina")
    assert changed["roles"] == ["Ranger", "Manager"] and changed["id"] == user["id"] and changed["email"] == "gina@example.com"
    reader.press("Save user", roles=["Stranger"])
    assert refused_fields(reader) == {"user-roles"}
    show(reader, "users/Guests(1.0)")
    reader.press("Import users", file="First Name,Last Name,Email,User Login\nUrs,Ulrich,urs@example.com,urs\n")
    assert "urs" in said(reader.page.text)
    reader.press("Import users", file="First Name,Last Name,Email\nUrs,Ulrich,no address\n")
    assert "Line 2" in reader.page.text
    show(reader, "users/Guests(1.0)")
    reader.press("Delete gina")
    assert [user["username"] for user in ridgeline.control("GET", "mobile/realms/Guests(1.0)/users")["users"]] == ["urs"]


def test_a_user_with_a_new_role_passes_in_the_tester(ridgeline, reader):
    who = {"method": "basic", "username": "emil", "password": "emil-password"}
    assert "HTTP status 403" in try_out(reader, "incidents(1.0)", fresh=True, **who)
    show(reader, "users/Default(1.0)/emil")
    reader.press("Save user", roles=["Technician"])
    assert "HTTP status 200" in try_out(reader, "incidents(1.0)", fresh=True, **who)


# Keys & Certificates


def test_a_certificate_and_an_issuer_are_added_and_their_token_is_exchanged(ridgeline, reader):
    certified = CertifiedIssuer()
    show(reader, "keys")
    reader.press("Add certificate", alias="certified", pem="no certificate")
    assert refused_fields(reader) == {"add-pem"}
    reader.press("Add certificate", alias="certified", pem=certified.certificate)
    page = html.fromstring(reader.page.text)
    assert "Created." in reader.page.text
    [subject] = [value for value in page.xpath("//input[@name='subjects']/@value") if "certified.example" in value]
    reader.press("Save and Close", name=certified.name, enabled="on")
    assert "new-issuer-subjects" in refused_fields(reader), "one subject name at least"
    reader.press(
        "Save and Close", name=certified.name, enabled="on", subjects=[subject], virtualUserEnabled="on", roleAttributes="roles",
        roleMappings="Technician = Technician, Manager", defaultRoles=["Partner"])
    [issuer] = [issuer for issuer in ridgeline.control("GET", "mobile/saml-issuers")["samlIssuers"] if issuer["name"] == certified.name]
    assert issuer["roleMappings"] == [{"tokenRole": "Technician", "mappedRoles": ["Technician", "Manager"]}]
    assert issuer["defaultRoles"] == ["Partner"] and issuer["virtualUserEnabled"] is True
    answer = Backend(ridgeline, "LiftCare").exchange_saml(certified.token())
    me = requests.get(f"{ridgeline.url}/mobile/custom/profile/me", headers=bearer(access_token(answer))).json()
    assert me["username"] == "person-9" and me["roles"] == ["Manager", "Technician"]
    page = try_out(reader, "profile(1.0)", fresh=True, method="sso", token=certified.assertion(f"{ridgeline.url}/mobile/platform/sso/exchange-token"))
    assert '"username": "person-9"' in page
    show(reader, "keys")
    reader.link(certified.name)
    reader.press("Save and Close", subjects=[subject], defaultRoles=["Stranger"])
    assert refused_fields(reader) == {"issuer-defaultRoles"}
    show(reader, "keys")
    reader.press(f"Delete {certified.name}")
    reader.press("Delete certified")
    assert [item["alias"] for item in ridgeline.control("GET", "mobile/certificates")["certificates"]] == ["ridgeline"]


# JWT issuers

BASIC = {"issuerName": "https://new.example", "enabled": "on", "requireClientAuth": "on", "source": "jwks", "allowed": "any"}


def test_a_jwt_issuer_is_added_by_the_form(ridgeline, reader):
    show(reader, "jwt/new")
    reader.press("Save issuer", **BASIC | {"discoveryUri": "https://new.example/discovery", "roleAttributes": "roles, groups",
                                         "tokenTimeoutSeconds": "60", "filter-name-0": "email", "filter-values-0": "*@new.example"})
    assert "Saved." in reader.page.text
    assert configuration(ridgeline)["issuers"][1] == {
        "issuerName": "https://new.example", "jwks": {"discoveryUri": "https://new.example/discovery"}, "tokenTimeoutSeconds": 60,
        "roleAttributes": ["roles", "groups"], "filters": [{"name": "email", "values": ["*@new.example"]}]}


def test_saving_an_unchanged_form_changes_nothing(ridgeline, reader):
    before = configuration(ridgeline)
    page = show(reader, "jwt/0")
    checked = {}
    for box in page.xpath("//form[@id='issuer']//input[@type='checkbox'][@checked]"):
        checked.setdefault(box.get("name"), []).append(box.get("value"))
    reader.press("Save issuer", **checked)
    assert "Saved." in reader.page.text and configuration(ridgeline) == before


WRONG = [
    ("tokenTimeoutSeconds", "soon", "tokenTimeoutSeconds"), ("tokenTimeoutSeconds", "0", "tokenTimeoutSeconds"),
    ("tokenTimeoutPolicy", "Never", "tokenTimeoutPolicy"), ("userMappingAttribute", "name", "userMappingAttribute"),
    ("connectTimeout", "0", "jwks.connectTimeout"), ("minReloadInterval", "-1", "jwks.minReloadInterval"),
    ("tlsVersions", "TLSv9", "jwks.tlsVersions"), ("issuerName", "https://login.ridgeline.example", "issuerName"),
    ("roleMappings", "= Technician", "roleMappings[0].tokenRole"), ("discoveryUri", "", "jwks.jwksUri"),
    ("authorizationHeader", "Bearer a\nb", "jwks.authorizationHeader")]


@pytest.mark.parametrize("field, value, place", WRONG)
def test_an_invalid_field_is_refused_at_its_place_as_the_relay_would(ridgeline, reader, field, value, place):
    before = configuration(ridgeline)
    show(reader, "jwt/new")
    reader.press("Save issuer", **BASIC | {"discoveryUri": "https://new.example/discovery", field: value})
    marked = refused_fields(reader)
    name = "jwksUri" if field == "discoveryUri" else field
    assert marked == {f"issuer-{name}"}
    assert configuration(ridgeline) == before, "nothing was saved"
    # The JSON beside the form shows what was refused; the relay names the same place.
    refused = json.loads(html.fromstring(reader.page.text).xpath("//textarea[@id='json-json']")[0].text_content())
    if place == "issuerName":
        return
    seen = before | {"issuers": [refused | {"issuerName": "https://login.ridgeline.example"}]}
    ridgeline.control("PUT", f"mobile/policies/{TOKEN_CONFIGURATION}", {"value": json.dumps(seen)})
    ridgeline.age("PT2M1S")
    answer = Backend(ridgeline, "LiftCare").exchange_jwt(jwt(ridgeline, "tessa"))
    assert f"issuers[0].{place} must be" in answer.json()["error_description"]


def test_json_and_intervals_are_checked(ridgeline, reader):
    show(reader, "jwt")
    reader.press("Save intervals", policyMinReloadInterval="x", policyMaxReloadInterval="60")
    assert refused_fields(reader) == {"intervals-policyMinReloadInterval"}
    reader.press("Save intervals", policyMinReloadInterval="5", policyMaxReloadInterval="60")
    assert configuration(ridgeline)["policyMaxReloadInterval"] == 60
    reader.press("Save JSON", json="{")
    assert "This is not JSON" in reader.page.text
    show(reader, "jwt")
    reader.press("Save JSON", json=json.dumps({"issuers": [{"issuerName": "a", "enabled": "yes", "jwks": {"allowHttp": 1}}]}))
    page = said(reader.page.text)
    assert reader.status == 400 and "issuers[0].enabled" in page and "issuers[0].jwks.allowHttp" in page and "issuers[0].jwks.jwksUri" in page
    value = ridgeline.control("GET", f"mobile/policies/{TOKEN_CONFIGURATION}")["value"]
    assert "\n" not in value


def test_a_broken_filter_is_shown_loudly(ridgeline, reader):
    show(reader, "jwt/0")
    document = configuration(ridgeline)["issuers"][0] | {"filters": [{"name": "email", "values": []}, {"name": "x", "type": "only", "values": ["y"]}]}
    reader.press("Save JSON", json=json.dumps(document))
    for path in ["jwt", "jwt/0"]:
        page = show(reader, path)
        [alarm] = page.xpath("//*[@role='alert']")
        assert "A broken filter matches nothing" in said(alarm) and "values is missing or empty" in said(alarm)
        assert "type must be include or exclude" in said(alarm)
    ridgeline.age("PT2M1S")
    assert "filters" in Backend(ridgeline, "LiftCare").exchange_jwt(jwt(ridgeline, "tessa")).json()["error_description"]


# Environment Policies


def test_policies_are_exported_edited_and_imported(ridgeline, reader):
    show(reader, "policies")
    answer = reader.session.get(f"{ridgeline.url}{CONSOLE}mobile/policies/export")
    assert "attachment" in answer.headers["Content-Disposition"] and "*.*.Security_AllowOrigin=" in answer.text
    for value in ["an hour", "+60", "0"]:
        reader.press("Save policy", name="Security_TokenExchangeTimeoutSecs", value=value)
        assert refused_fields(reader) == {"policy-value"}, value
    reader.press("Save policy", name="Security_TokenExchangeTimeoutSecs", value="3600")
    assert ridgeline.control("GET", "mobile/policies/Security_TokenExchangeTimeoutSecs")["value"] == "3600"
    reader.press("Import policies", file="no properties")
    assert refused_fields(reader) == {"import-file"}
    reader.press("Import policies", file=answer.text)
    assert ridgeline.control("GET", "mobile/policies/Security_TokenExchangeTimeoutSecs")["value"] == "21600"
    reader.press("Remove Security_AllowOrigin")
    assert "not set" in said(reader.page.text)
    reader.press("Restore all defaults")
    assert ridgeline.control("GET", "mobile/policies/Security_AllowOrigin")["value"] == "disallow"


def test_a_chosen_file_fills_the_field(ridgeline, browser, tmp_path):
    file = tmp_path / "policies.properties"
    file.write_text("*.*.Security_AllowOrigin=https://app.example\n")
    open_page(browser, ridgeline, "mobile/policies")
    browser.find_element(By.CSS_SELECTOR, "input[data-into=import-file]").send_keys(str(file))
    patiently(browser).until(lambda driver: driver.find_element(By.ID, "import-file").get_attribute("value") == file.read_text())
    press(browser, "Import policies")
    assert ridgeline.control("GET", "mobile/policies/Security_AllowOrigin")["value"] == "https://app.example"
    assert own_violations(browser) == []


# What apps left


def test_collections_events_devices_notifications_and_locations(ridgeline, reader):
    assert "ridgeline-manuals" in said(show(reader, "collections"))
    assert "Snow groomer 7" in said(show(reader, "locations"))
    assert "No app has sent an event." in said(show(reader, "analytics"))
    event = [{"name": "lift-opened", "type": "custom", "timestamp": "2026-01-01T00:00:00.000Z"}]
    page = try_out(reader, "platform", fresh=True, endpoint="4", method="basic", body=json.dumps(event))
    assert "HTTP status 202" in page, page
    assert "lift-opened" in said(show(reader, "analytics"))
    assert "No app has registered a device." in said(show(reader, "devices"))
    assert "Custom code has sent no notification." in said(show(reader, "notifications"))


# What holds for every page

PATHS = {
    "backends": "", "settings": "backends/LiftCare(1.0)", "settings-facebook": "backends/Skiers(1.0)", "backend-apis": "backends/LiftCare(1.0)/apis",
    "sdk": "backends/LiftCare(1.0)/sdk", "apis": "apis", "security": "apis/incidents(1.0)", "users": "users", "realm": "users/Default(1.0)",
    "user": "users/Default(1.0)/marc", "keys": "keys", "jwt": "jwt", "jwt-issuer": "jwt/0", "policies": "policies",
    "collections": "collections", "analytics": "analytics", "devices": "devices", "notifications": "notifications", "locations": "locations",
    "tester": "apis/profile(1.0)/test?backend=LiftCare(1.0)", "tester-sso": "apis/incidents(1.0)/test?backend=CablePartners(1.0)&endpoint=1"}


def prepared(cloud, browser):
    for name, path in PATHS.items():
        open_page(browser, cloud, "mobile/" + path if path else "mobile")
        yield f"mobile-{name}"
    reader = Reader(cloud)
    try_out(reader, "incidents(1.0)", fresh=True, method="basic", username="emil", password="emil-password")
    browser.get(reader.page.url)
    yield "mobile-tester-refused"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(ridgeline, scheme):
    check_pages(ridgeline, prepared, scheme)


def test_reading_pages_changes_nothing(ridgeline):
    before = ridgeline.control("GET", "seed")
    for path in PATHS.values():
        assert requests.get(f"{ridgeline.url}{CONSOLE}mobile" + (f"/{path}" if path else "")).status_code == 200, path
    assert ridgeline.control("GET", "seed") == before


# Hostile texts

TEXTS = [payload for payload in PAYLOADS if len(payload) < 500]


def hostile_seed(path):
    """A seed with the payloads in each text of a mobile cloud that can hold them."""
    safe = [f"n{number}" for number in range(len(TEXTS))]
    path.write_text(json.dumps({
        "accounts": [{"id": "000000000000", "name": "virga", "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "box"}]}],
        "mobileCloud": {
            "roles": TEXTS,
            "realms": [{"name": "Default", "properties": TEXTS[:3], "users": [
                {"username": f"u{number} {text.replace(':', '')}", "firstName": text, "email": f"{number}{text}", "roles": [text]}
                for number, text in enumerate(TEXTS)]}],
            "backends": [{"name": name, "anonymousUser": text.replace(":", ""), "clientID": f"{name}{text}", "clientSecret": text, "apis": "all",
                          "id": f"id-{name}"} for name, text in zip(safe, TEXTS)],
            "customAPIs": [{"name": "api", "roles": TEXTS, "endpoints": [
                {"path": "/" + text.translate(str.maketrans("", "", "{}*/")), "body": text} for text in TEXTS]}, {
                "name": "open", "access": "open", "endpoints": [{"path": f"/{number}", "body": text} for number, text in enumerate(TEXTS)]}],
            "certificates": [{"alias": text, "pem": CertifiedIssuer().certificate} for text in TEXTS[:2]],
            "samlIssuers": [{"name": text, "certificateSubjectNames": [text], "userAttribute": text, "roleAttributes": [text],
                             "roleMappings": [{"tokenRole": text, "mappedRoles": [text]}], "defaultRoles": [text]} for text in TEXTS],
            "collections": [{"id": text, "description": text, "bucket": "box", "permissions": {"READ": [text]}} for text in TEXTS],
            "locations": {"places": [{"id": number, "name": text, "label": text, "description": text} for number, text in enumerate(TEXTS)]},
            "policies": {f"P{number}": text for number, text in enumerate(TEXTS)} | {text: text for text in TEXTS[:2]} | {
                TOKEN_CONFIGURATION: {"issuers": [
                    {"issuerName": text, "audience": [text], "filters": [{"name": text, "type": text, "values": [text]}], "issuerRoles": [text]}
                    for text in TEXTS]}}}}))
    return path


def test_hostile_texts_stay_text(tmp_path, browser):
    with Cloud.ephemeral("--seed", hostile_seed(tmp_path / "seed.json5")) as cloud:
        care = Backend(cloud, "n0")
        events = [{"name": text, "type": "custom", "timestamp": "2026-01-01T00:00:00.000Z", "properties": {"text": text}} for text in TEXTS]
        assert care.call("POST", "/mobile/platform/analytics/events", care.anonymous, events).status_code == 202
        care.call("POST", "/mobile/platform/devices/register", care.anonymous, {
            "notificationToken": TEXTS[0], "notificationProvider": "FCM", "mobileClient": {"id": TEXTS[1], "platform": "ANDROID", "version": TEXTS[2]}})
        name = [user["username"] for user in cloud.control("GET", "mobile/realms/Default(1.0)/users")["users"]][0]
        paths = [
            "", "backends/n0(1.0)", "backends/n1(1.0)/apis", "backends/n1(1.0)/sdk", "apis", "apis/api(1.0)", "apis/api(1.0)/test", "users",
            "users/Default(1.0)", f"users/Default(1.0)/{requests.utils.quote(name, safe='')}", "keys",
            f"keys/{requests.utils.quote(TEXTS[0], safe='')}", "jwt", "jwt/0", "jwt/4", "policies", f"policies?policy={requests.utils.quote(TEXTS[1])}",
            "collections", "analytics", "devices", "notifications", "locations"]
        reader = Reader(cloud)
        for number in (0, 1, 3):
            # A custom API's answer and what was typed.
            try_out(reader, "open(1.0)", fresh=True, backend="n0", endpoint=str(number), method="basic", query=TEXTS[number], body=TEXTS[number])
            assert "HTTP status 200" in said(reader.page.text)
            paths.append(reader.page.url.split("/_virga/ui/mobile/")[1])
            try_out(reader, "open(1.0)", backend="n0", method="sso", token=TEXTS[number], username=TEXTS[number])
            paths.append(reader.page.url.split("/_virga/ui/mobile/")[1])
        for path in paths:
            open_page(browser, cloud, "mobile/" + path if path else "mobile")
            assert "Refused" not in browser.title and "That did not work" not in text(browser), (path, text(browser)[:500])
            expect_harmless(browser, path)
        assert own_violations(browser) == []
        assert cloud.stop() == 0


@pytest.mark.parametrize("path, label, field", [
    ("", "Create", "name"), ("users", "Create realm", "name"), ("users/Default(1.0)", "Create user", "username"), ("jwt/new", "Save issuer", "audience"),
    ("policies", "Import policies", "file"), ("keys", "Add certificate", "pem"), ("apis/profile(1.0)", "Save the document", "document")])
def test_what_was_typed_into_a_refused_form_stays_text(ridgeline, reader, path, label, field):
    for payload in TEXTS:
        show(reader, path)
        reader.press(label, **{field: payload})
        page = html.fromstring(reader.page.text)
        assert not page.xpath("//main//script|//main//svg|//main//img|//base|//main//meta"), payload
        if reader.status == 400 and payload.isprintable():
            typed = [page.get("value") if page.tag == "input" else page.text_content() for page in page.xpath(f"//*[@name='{field}']")]
            assert payload in [text and text.strip() for text in typed], (payload, typed)
