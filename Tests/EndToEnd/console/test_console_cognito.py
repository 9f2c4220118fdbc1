"""The pages of Amazon Cognito in the web console."""

import pytest
import requests
from lxml import html

from clients import anonymous, client
from console import CONSOLE, console_browser, open_page, Reader
from console_checks import check_html, check_pages, expect_harmless, PAYLOADS
from user_pools import codes
from walking import serving

POOL, ACCOUNT = "us-east-1_Lighthous", "000000000000"
IDENTITIES = "us-east-1:11112222-3333-4444-8555-666677778888"
PERSON = "identity/user-pools/" + f"{ACCOUNT}/{POOL}/people"


@pytest.fixture(scope="module")
def pools():
    with serving("user-pools", "cognito") as cloud:
        yield cloud


@pytest.fixture
def reader(pools):
    return Reader(pools)


def rows(reader, label):
    """The cells of a table."""
    found = html.fromstring(reader.page.text).xpath(f"//div[@aria-label='{label}']//tbody/tr")
    return [[" ".join(cell.text_content().split()) for cell in row.xpath("th|td")] for row in found]


def test_pools_people_and_groups_are_shown(reader):
    reader.open("identity")
    reader.link("Amazon Cognito")
    assert [row[:2] for row in rows(reader, f"User pools of {ACCOUNT}")] == [["lighthouse", POOL]]
    assert rows(reader, f"Identity pools of {ACCOUNT}") == [["photos", IDENTITIES]]
    reader.link("lighthouse")
    people = {row[0]: row[1:3] for row in rows(reader, "People")}
    assert people["alice"] == ["CONFIRMED", "alice@lighthouse.example"] and people["bob"][0] == "FORCE_CHANGE_PASSWORD"
    assert rows(reader, "Groups") == [["keepers", "Administrators", f"arn:aws:iam::{ACCOUNT}:role/keeper", "1"]]
    assert {row[1] for row in rows(reader, "App clients")} == {"web", "server"}
    [keys] = html.fromstring(reader.page.text).xpath("//a[contains(@href,'jwks.json')]/@href")
    assert requests.get(keys).json()["keys"]
    reader.link("alice")
    assert ["custom:team", "lamp"] in rows(reader, "Attributes") and [row[0] for row in rows(reader, "Groups")] == ["keepers"]


def test_a_sent_code_is_shown_to_whom_it_went(pools, reader):
    anonymous(pools, "cognito-idp").sign_up(
        ClientId="lighthouseweb", Username="carol", Password="Lamp-0il-1858",
        UserAttributes=[{"Name": "email", "Value": "carol@lighthouse.example"}])
    code = codes(pools, user="carol")[0]["code"]
    for path in ["identity/cognito", f"identity/user-pools/{ACCOUNT}/{POOL}", f"{PERSON}/carol"]:
        reader.open(path)
        [shown] = [row for row in rows(reader, "Codes sent") if row[3] == "carol"]
        assert shown[1:3] == [code, "sign-up"] and shown[6] == POOL, path
    reader.open(f"{PERSON}/alice")
    assert rows(reader, "Codes sent") == []


def test_identities_are_shown_with_their_logins(pools, reader):
    app = anonymous(pools, "cognito-identity")
    guest = app.get_id(IdentityPoolId=IDENTITIES)["IdentityId"]
    token = pools.control("POST", "tokens", {"provider": "google", "user": "alice"})["token"]
    member = app.get_id(IdentityPoolId=IDENTITIES, Logins={"accounts.google.com": token})["IdentityId"]
    reader.open(f"identity/identity-pools/{ACCOUNT}/{IDENTITIES}")
    shown = {row[0]: row[1] for row in rows(reader, "Identities")}
    assert shown[guest] == "guest" and shown[member] == "accounts.google.com"
    assert "role/photos-guest" in html.fromstring(reader.page.text).text_content()


def test_reading_leaves_no_trace_in_the_journal(pools, reader):
    pools.control("DELETE", "journal")
    for path in ["identity/cognito", f"identity/user-pools/{ACCOUNT}/{POOL}", f"identity/identity-pools/{ACCOUNT}/{IDENTITIES}"]:
        reader.open(path)
        assert reader.status == 200
    assert pools.control("GET", "journal", params={"exclude": "face:control"})["entries"] == []


def test_other_regions_and_unknown_pools_are_explained(reader):
    reader.open("identity/cognito?region=eu-west-1")
    assert rows(reader, f"User pools of {ACCOUNT}") == [] and "There is no user pool in this region." in reader.page.text
    reader.open(f"identity/user-pools/{ACCOUNT}/us-east-1_Nothing")
    assert "ResourceNotFoundException" in reader.page.text
    reader.open(f"identity/user-pools/1/{POOL}")
    assert reader.status == 404


def prepared(cloud, browser):
    open_page(browser, cloud, "identity/cognito")
    yield "cognito"
    open_page(browser, cloud, f"identity/user-pools/{ACCOUNT}/{POOL}")
    yield "user-pool"
    open_page(browser, cloud, f"{PERSON}/alice")
    yield "user-pool-person"
    open_page(browser, cloud, f"identity/identity-pools/{ACCOUNT}/{IDENTITIES}")
    yield "identity-pool"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(pools, scheme):
    check_pages(pools, prepared, scheme)


def test_hostile_texts_stay_text(pools):
    service = client(pools, "cognito-idp")
    attributes = [payload for payload in PAYLOADS if len(payload) <= 2048]
    for number, payload in enumerate(attributes):
        service.admin_create_user(
            UserPoolId=POOL, Username=f"hostile{number}", MessageAction="SUPPRESS", UserAttributes=[{"Name": "custom:team", "Value": payload}])
    with console_browser() as browser:
        for number in range(len(attributes)):
            path = f"{PERSON}/hostile{number}"
            assert "<script>window" not in requests.get(pools.url + CONSOLE + path).text
            if number % 5 == 0:
                check_html(pools.url + CONSOLE + path)
                open_page(browser, pools, path)
                expect_harmless(browser, path)
        for payload in ["%3Cscript%3Ewindow.xss=1%3C/script%3E", "%22%3E%3Cimg%20src=x%3E", "us-east-1_%00%1b"]:
            for path in [f"identity/cognito?region={payload}", f"identity/user-pools/{ACCOUNT}/{payload}", f"identity/identity-pools/{ACCOUNT}/{payload}"]:
                open_page(browser, pools, path)
                expect_harmless(browser, path)
