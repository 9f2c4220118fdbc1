"""The pages of the mobile cloud in the web console: backends, keys, the API tester, and their refusals."""

import base64
from urllib.parse import unquote

import pytest
import requests
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from cloud import Cloud
from console import CONSOLE, Reader, console_browser, follow, open_page, own_violations, press, text
from ridgeline import bearer, jwt, saml_response

CARE, SKIERS = "backends/LiftCare(1.0)", "backends/Skiers(1.0)"


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


@pytest.fixture
def reader(ridgeline):
    return Reader(ridgeline)


def backend(cloud, name="LiftCare"):
    return cloud.control("GET", f"mobile/backends/{name}(1.0)")


def show(reader, path=""):
    """Opens a page of the mobile cloud and returns it as a tree."""
    reader.open("mobile" + (f"/{path}" if path else ""))
    assert reader.status == 200, reader.page.text
    return html.fromstring(reader.page.text)


def said(page):
    """The text of a page without its white space."""
    return " ".join((html.fromstring(page) if isinstance(page, str) else page).text_content().split())


def try_out(reader, api, **fields):
    """Presses *Test Endpoint* with these fields. Returns the page's text."""
    if fields.pop("fresh", False) or reader.page is None or "/test" not in reader.page.url:
        show(reader, f"apis/{api}/test")
    form = reader.page.forms[[form["fields"].get("endpoint") is not None for form in reader.page.forms].index(True)]
    chosen = form["fields"] | {"do": "test", "backend": "LiftCare", "version": "1.0"} | fields
    origin = "/".join(reader.page.url.split("/")[:3])
    reader._at(reader.session.post(form["action"], data=chosen, headers={"Origin": origin}))
    return said(reader.page.text)


# The pages of a backend


def test_backends_are_listed_created_and_deleted(ridgeline, reader):
    page = show(reader)
    assert "LiftCare" in said(page) and "HTTP Basic" in said(page)
    reader.press("Create", name="Winter", version="2.0")
    assert "Created." in reader.page.text and "Winter(2.0) Settings" in said(reader.page.text)
    assert backend(ridgeline) and ridgeline.control("GET", "mobile/backends/Winter(2.0)")["oauth"] is True
    show(reader)
    reader.press("Create", name="no name", version="1.0")
    assert reader.status == 400
    page = html.fromstring(reader.page.text)
    assert page.xpath("//*[@id='new-name'][@aria-invalid='true'][@value='no name']"), "the refusal is at its field"
    assert page.xpath("//*[@role='alert']//a[@href='#new-name']"), "and in the summary"
    show(reader)
    reader.press("Create", name="Winter", version="2.0")
    assert "exists already" in reader.page.text
    show(reader)
    reader.press("Delete Winter(2.0)")
    assert "Deleted." in reader.page.text and "Winter" not in said(reader.page.text)


def test_settings_show_keys_and_urls(ridgeline, reader):
    page = said(show(reader, CARE))
    record = backend(ridgeline)
    for shown in ["OAuth Consumer ON", "HTTP Basic ON", record["id"], record["clientID"], record["clientSecret"], record["anonymousKey"],
                  "Enable Single Sign-On", "Base URL", ridgeline.url, "OAuth Token Endpoint", "/oam/oauth2/tokens", "SSO Token Endpoint",
                  "/mobile/platform/sso/token", "Social Login", "Facebook app ID"]:
        assert shown in page, shown
    folded = html.fromstring(reader.page.text).xpath("//details[not(@open)]//pre")
    assert {record["clientSecret"], record["anonymousKey"]} <= {block.text_content() for block in folded}, "secrets are folded"


def test_keys_are_refreshed_and_revoked(ridgeline, reader):
    before = backend(ridgeline)
    show(reader, CARE)
    reader.press("Refresh client secret")
    assert "Saved." in reader.page.text
    after = backend(ridgeline)
    assert after["clientSecret"] != before["clientSecret"] and after["anonymousKey"] == before["anonymousKey"]
    reader.press("Revoke anonymous key")
    last = backend(ridgeline)
    assert last["basic"] is False and last["anonymousKey"] != before["anonymousKey"] and last["oauth"] is True


def test_a_switch_that_something_needs_says_what_to_do(ridgeline, reader):
    show(reader, CARE)
    reader.press("OAuth Consumer ON")
    assert reader.status == 400 and "First clear" in said(reader.page.text) and backend(ridgeline)["oauth"] is True
    reader.press("Save single sign-on")
    assert backend(ridgeline)["sso"] is False
    reader.press("OAuth Consumer ON")
    assert backend(ridgeline)["oauth"] is False and "OAuth Consumer OFF" in said(reader.page.text)
    show(reader, SKIERS)
    reader.press("HTTP Basic ON")
    assert "First switch Facebook off" in said(reader.page.text)


def test_single_sign_on_needs_an_identity_provider(ridgeline, reader):
    realm = ridgeline.control("GET", "mobile/realms/Default(1.0)")
    del realm["signOn"]
    ridgeline.control("PUT", "mobile/realms/Default(1.0)", realm)
    record = backend(ridgeline, "Screens")
    del record["environmentURLs"]
    ridgeline.control("PUT", "mobile/backends/Screens(1.0)", record | {"oauth": True})
    assert "SSO is not set up for your Oracle Cloud account" in said(show(reader, "backends/Screens(1.0)"))


def test_facebook_settings_switch_the_login(ridgeline, reader):
    show(reader, "backends/Screens(1.0)")
    reader.press("Switch Facebook on", appID="2345678901234567", appSecret=" ")
    assert reader.status == 400
    assert html.fromstring(reader.page.text).xpath("//*[@id='facebook-appSecret'][@aria-invalid='true']")
    reader.press("Switch Facebook on", appID="2345678901234567", appSecret="ridgeline-facebook-secret")
    assert backend(ridgeline, "Screens")["facebook"]["appID"] == "2345678901234567"
    assert "Facebook ON" in said(reader.page.text) and "can use no other login" in said(reader.page.text)
    reader.press("Switch Facebook off")
    assert "facebook" not in backend(ridgeline, "Screens")


def test_apis_are_selected_one_by_one(ridgeline, reader):
    show(reader, CARE + "/apis")
    reader.press("Select them one by one")
    reader.press("Remove incidents(1.0)")
    assert "incidents(1.0)" not in backend(ridgeline)["apis"]
    assert "does not have the custom API" in try_out(reader, "incidents(1.0)", method="basic", username="dora", password="dora-password")
    show(reader, CARE + "/apis")
    reader.press("+ add incidents(1.0)")
    assert "incidents(1.0)" in backend(ridgeline)["apis"]


def test_configuration_files_of_the_sdks_are_shown(ridgeline, reader):
    page = said(show(reader, CARE + "/sdk"))
    for part in ["OMC.plist", "oracle_mobile_cloud_config.xml", "oracle_mobile_cloud_config.js", backend(ridgeline)["clientSecret"], ridgeline.url]:
        assert part in page, part


# The API tester


def test_http_basic_off_and_the_tester_refuses_and_on_and_it_passes(ridgeline, browser):
    open_page(browser, ridgeline, "mobile/" + CARE)
    press(browser, "HTTP Basic ON")
    open_page(browser, ridgeline, "mobile/apis/profile(1.0)/test?backend=LiftCare(1.0)")
    assert "HTTP Basic is off in this backend" in text(browser)
    assert not browser.find_elements(By.ID, "method-basic"), "it is not offered"
    browser.execute_script("document.getElementById('method-oauth').value = 'basic'")
    press(browser, "Test Endpoint")
    assert "The request was not sent" in text(browser) and "HTTP Basic is off in this backend" in text(browser)
    open_page(browser, ridgeline, "mobile/" + CARE)
    press(browser, "HTTP Basic OFF")
    open_page(browser, ridgeline, "mobile/apis/profile(1.0)/test?backend=LiftCare(1.0)")
    browser.find_element(By.ID, "username").send_keys("dora")
    browser.find_element(By.ID, "password").send_keys("dora-password")
    press(browser, "Test Endpoint")
    page = text(browser)
    assert "HTTP status 200" in page and '"username": "dora"' in page and "allowed" in page
    assert own_violations(browser) == []


def test_the_tester_explains_a_missing_role_and_login_required_off_passes(ridgeline, reader):
    """R119: if the test user lacks the role, *Login Required* can be switched off for the test."""
    who = {"method": "basic", "username": "emil", "password": "emil-password"}
    page = try_out(reader, "incidents(1.0)", fresh=True, **who)
    assert "HTTP status 403" in page and "Role decision" in page and "denied" in page and "Technician" in page
    assert "switch Login Required off for the test" in page
    show(reader, "apis/incidents(1.0)")
    reader.press("Login Required ON")
    assert ridgeline.control("GET", "mobile/apis/incidents(1.0)")["access"] == "open"
    assert "HTTP status 200" in try_out(reader, "incidents(1.0)", fresh=True, **who)
    show(reader, "apis/incidents(1.0)")
    reader.press("Login Required OFF")
    restored = ridgeline.control("GET", "mobile/apis/incidents(1.0)")
    assert restored["roles"] == ["Technician", "Manager"] and restored["endpoints"][2]["roles"] == ["Manager"]


def test_every_method_of_a_backend_is_tried(ridgeline, reader):
    user = {"username": "dora", "password": "dora-password"}
    for method in ["basic", "oauth"]:
        assert '"username": "dora"' in try_out(reader, "profile(1.0)", fresh=True, method=method, **user)
    assert "HTTP status 200" in try_out(reader, "lifts(1.0)", fresh=True, method="basic"), "with the anonymous key"
    assert "HTTP status 200" in try_out(reader, "lifts(1.0)", fresh=True, method="oauth"), "with client credentials"
    page = try_out(reader, "profile(1.0)", fresh=True, method="basic", username="dora", password="wrong")
    assert "HTTP status 401" in page and "MOBILE-58003" in page
    page = try_out(reader, "profile(1.0)", fresh=True, method="oauth", username="dora", password="wrong")
    assert "The request was not sent" in page and "Get a token with OAuth failed" in page
    page = try_out(reader, "profile(1.0)", fresh=True, method="facebook", backend="LiftCare")
    assert "Facebook is off in this backend" in page


@pytest.mark.parametrize("name, person, user", [("LiftCare", "tessa", "tessa"), ("CablePartners", "pavel", "p.petrov")])
def test_the_page_gets_a_token_by_itself(ridgeline, browser, name, person, user):
    """R13, R119: the tester takes an SSO token of a backend with *Enable Single Sign-On*; SAML and OpenID Connect."""
    open_page(browser, ridgeline, f"mobile/apis/profile(1.0)/test?backend={name}(1.0)")
    assert not browser.find_element(By.ID, "choose").is_displayed(), "the script applies a choice"
    assert "Returns the caller." in text(browser)
    follow(browser, browser.find_element(By.ID, "method-sso").click)
    assert f"/mobile/platform/sso/token?clientID={backend(ridgeline, name)['clientID']}" in browser.page_source
    browser.find_element(By.CSS_SELECTOR, f"#person option[value={person}]").click()
    press(browser, "Get a token")
    token = browser.find_element(By.ID, "token").get_attribute("value")
    assert requests.get(f"{ridgeline.url}/mobile/platform/users/~", headers=bearer(token)).json()["username"] == user
    press(browser, "Test Endpoint")
    page = text(browser)
    assert "HTTP status 200" in page and f'"username": "{user}"' in page and '"method": "singleSignOn"' in page
    assert own_violations(browser) == []


def test_an_identity_provider_that_does_not_know_the_address(reader):
    with Cloud.ephemeral("--seed", "seed/mobile-cloud.json5") as cloud:
        reader = Reader(cloud)
        page = try_out(reader, "profile(1.0)", fresh=True, method="sso", person="tessa", do="token")
        address = f"{cloud.url}/mobile/platform/sso/exchange-token"
        assert f"The identity provider ridgeline does not know this address. Register {address} in Identity" in page
        assert f'href="{CONSOLE}identity/providers/ridgeline"' in reader.page.text
        assert cloud.stop() == 0


def test_the_tester_names_the_users_of_the_backend(ridgeline, reader):
    assert "Users of this backend: " in (page := said(show(reader, "apis/profile(1.0)/test?backend=LiftCare(1.0)")))
    assert all(name in page for name in ["tessa", "marc", "dora", "emil"])


def test_the_tester_keeps_the_backend_that_led_to_it(ridgeline, reader):
    page = show(reader, CARE + "/apis")
    assert page.xpath("//nav[@aria-label='Mobile backend']//a[@aria-current]/text()") == ["APIs of this backend"]
    show(reader, "apis/profile(1.0)/test?backend=LiftCare(1.0)")
    page = html.fromstring((try_out(reader, "profile(1.0)", method="basic"), reader.page.text)[1])
    [link] = page.xpath("//a[normalize-space()='APIs of this backend']/@href")
    assert unquote(link) == f"{CONSOLE}mobile/{CARE}/apis"


def test_the_tester_takes_tokens_of_third_parties(ridgeline, reader):
    """R119: the field also takes a third party's token: a JWT, a SAML response as the provider posts it."""
    page = try_out(reader, "profile(1.0)", fresh=True, method="sso", token=jwt(ridgeline, "nina"))
    assert '"username": "nina"' in page and "Exchange the JWT" in page
    response = base64.b64encode(saml_response(ridgeline, "marc")).decode()
    page = try_out(reader, "profile(1.0)", fresh=True, method="sso", token=response)
    assert '"username": "marc"' in page and "Exchange the token" in page
    page = try_out(reader, "profile(1.0)", fresh=True, method="sso", token="nonsense")
    assert "The request was not sent" in page and "failed" in page
    page = try_out(reader, "profile(1.0)", fresh=True, method="sso", token="")
    assert "Paste a token, or press Get a token." in page


def test_single_sign_on_is_offered_only_where_it_is_enabled(ridgeline, reader):
    """R13: the API tester needs *Enable Single Sign-On*."""
    show(reader, CARE)
    reader.press("Save single sign-on")
    page = show(reader, "apis/profile(1.0)/test?backend=LiftCare(1.0)")
    assert not page.xpath("//*[@id='method-sso']") and "Enable Single Sign-On in the backend's Settings." in said(page)
    assert "The request was not sent" in try_out(reader, "profile(1.0)", method="sso", token="x")


def test_facebook_users_call_a_social_api(ridgeline, reader):
    show(reader, "apis/reports(1.0)/test?backend=Skiers(1.0)")
    page = try_out(reader, "reports(1.0)", backend="Skiers", method="facebook", person="frida", do="token")
    [token] = html.fromstring(reader.page.text).xpath("//textarea[@id='token']")
    assert token.text_content().strip(), page
    assert "100002345678901" in try_out(reader, "reports(1.0)", backend="Skiers", method="facebook", token=token.text_content().strip())
    assert "requires a login" in try_out(reader, "reports(1.0)", backend="Skiers", method="facebook", token="")


def test_parameters_bodies_and_examples(ridgeline, reader):
    page = show(reader, "apis/lifts(1.0)/test?endpoint=1&example=1")
    assert page.xpath("//input[@id='parameter-id']/@value") == ["1"]
    fields = {"method": "basic", "endpoint": "1", "parameter-id": "summit/1 ü"}
    assert '"id": "summit/1 ü"' in try_out(reader, "lifts(1.0)", **fields)
    page = show(reader, "apis/incidents(1.0)/test?endpoint=1&example=1")
    assert '"title"' in page.xpath("//textarea[@id='body']")[0].text_content()
    page = try_out(reader, "incidents(1.0)", endpoint="1", method="sso", token=jwt(ridgeline, "tessa"), body='{"title": "ice"}')
    assert "HTTP status 201" in page and '"reportedBy": "tessa"' in page
    assert "HTTP status 403" in try_out(
        reader, "incidents(1.0)", endpoint="2", method="sso", token=jwt(ridgeline, "tessa"), **{"parameter-id": "101"})
    assert "HTTP status 200" in try_out(reader, "platform", fresh=True, endpoint="1", method="basic")


def test_default_test_credentials_fill_a_new_test(ridgeline, reader):
    show(reader, "apis/profile(1.0)/test")
    reader.press("Save", backend="LiftCare", version="1.0", method="oauth", username="dora", password="dora-password")
    page = show(reader, "apis/profile(1.0)/test")
    assert page.xpath("//input[@id='username']/@value") == ["dora"] and page.xpath("//*[@id='method-oauth'][@checked]")
    ridgeline.reset()
    page = show(reader, "apis/profile(1.0)/test")
    assert page.xpath("//input[@id='username']/@value") == [""], "a reset ends them"


def test_security_has_social_login_and_roles_of_endpoints(ridgeline, reader):
    show(reader, "apis/incidents(1.0)")
    reader.press("Save roles", roles=["Technician", "Dispatcher"], **{"endpoint-0": ["Partner"]})
    api = ridgeline.control("GET", "mobile/apis/incidents(1.0)")
    assert api["roles"] == ["Technician", "Dispatcher"] and api["endpoints"][0]["roles"] == ["Partner"]
    reader.press("Save roles", roles=["Stranger"])
    assert reader.status == 400 and "one of the mobile cloud's roles, not 'Stranger'" in said(reader.page.text)
    show(reader, "apis/incidents(1.0)")
    reader.press("Social Login OFF")
    assert ridgeline.control("GET", "mobile/apis/incidents(1.0)")["access"] == "social"
    reader.press("Save the document", document="{")
    assert "Enter a JSON object." in reader.page.text


def test_the_keyboard_is_enough_to_test_an_endpoint(ridgeline, browser):
    open_page(browser, ridgeline, "mobile/apis/lifts(1.0)/test?backend=LiftCare(1.0)")
    browser.find_element(By.ID, "main").send_keys("")
    browser.execute_script("document.getElementById('main').focus()")
    for _ in range(60):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        active = browser.switch_to.active_element
        assert active.value_of_css_property("outline-style") != "none", active.get_attribute("outerHTML")
        if active.text == "Test Endpoint":
            break
    assert active.text == "Test Endpoint"
    follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
    assert "HTTP status 200" in text(browser)


def test_without_a_mobile_cloud_the_page_says_how_to_start_one(cloud):
    answer = requests.get(cloud.url + CONSOLE + "mobile")
    assert "virga serve --seed seed/mobile-cloud.json5" in answer.text
