"""Identity in the web console: people and clients of providers, users and roles of accounts."""

import json
from urllib.parse import quote

import pytest
import requests
from lxml import html
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import client
from cloud import BUCKET, Cloud
from console import CONSOLE, Reader, console_browser, follow, log_in, open_page, own_violations, press, text
from console_checks import PAYLOADS, check_pages, expect_harmless

ACCOUNT = "identity/accounts/000000000000"
ALIBABA = "identity/accounts/1234567890123456"
READING = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}
METADATA = """<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://app.example/saml">
<SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://app.example/acs" index="0"/>
</SPSSODescriptor></EntityDescriptor>"""


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


@pytest.fixture
def reader(cloud):
    return Reader(cloud)


def block(page, name):
    [found] = html.fromstring(page.text).xpath(f"//pre[@id='{name}']")
    return found.text_content()


def own_text(reader):
    return html.fromstring(reader.page.text).text_content()


# Identity providers.

def test_providers_and_accounts_are_listed(cloud, reader):
    page = reader.open("identity").text
    for name in ["facebook", "amazon", "google", "company", "000000000000", "1234567890123456"]:
        assert name in page
    page = reader.open("identity/providers/company").text.replace("<wbr>", "")
    assert f"{cloud.url}/idp/company" in page and "https://login.company.example" in page and "http://virga:" in page
    assert "employee-0001-alice" in page and "web-app" in page and "urn:amazon:webservices" in page


def test_a_claim_is_edited_and_seen_in_a_previewed_token(cloud, reader):
    reader.open("identity/providers/company/people/alice")
    reader.press("Preview a token")
    assert json.loads(block(reader.page, "preview-claims"))["email"] == "alice@company.example"
    [form] = [form for form in reader.page.forms if form["label"].strip() == "Save the person"]
    claims = json.loads(form["fields"]["claims"]) | {"email": "new@company.example", "department": "research"}
    reader.press("Save the person", claims=json.dumps(claims))
    assert "Saved." in reader.page.text
    reader.press("Preview a token")
    decoded = json.loads(block(reader.page, "preview-claims"))
    assert decoded["email"] == "new@company.example" and decoded["sub"] == "employee-0001-alice"
    assert json.loads(block(reader.page, "preview-profile"))["email"] == "new@company.example"
    reader.press("Preview a token", type="access_token")
    assert "access_token for web-app" in reader.page.text
    reader.press("Preview an assertion")
    assert "new@company.example" in block(reader.page, "preview-xml") and "RoleSessionName" in own_text(reader)


@pytest.mark.parametrize("provider", ["facebook", "amazon", "google"])
def test_tokens_of_every_provider_are_previewed(cloud, reader, provider):
    reader.open(f"identity/providers/{provider}/people/alice")
    reader.press("Preview a token")
    assert reader.status == 200 and "Alice Archer" in block(reader.page, "preview-profile")
    assert "Identifier at each client" in reader.page.text


def test_faults_are_shown_at_their_field_and_nothing_typed_is_lost(cloud, reader):
    reader.open("identity/providers/facebook")
    reader.press("Add the person", name="dora", subject="4711", password="dora-password", claims="no JSON", block="checkpoint")
    page = html.fromstring(reader.page.text)
    [field] = page.xpath("//textarea[@id='claims']")
    assert field.get("aria-invalid") == "true" and field.text.strip() == "no JSON"
    [fault] = page.xpath(f"//p[@id='{field.get('aria-describedby')}']")
    assert "claims is not valid JSON: line 1, column 2: " in fault.text_content()
    reader.press("Add the person", name="dora", subject="4711", password="dora-password", claims="[1]", block="checkpoint")
    page = html.fromstring(reader.page.text)
    assert page.xpath("//textarea[@id='claims']/@aria-invalid") == ["true"]
    assert "claims must be a JSON object." in page.xpath("string(//p[@id='claims-fault'])")
    assert page.xpath("//input[@id='subject']/@value") == ["4711"]
    reader.press("Add the person", name="dora", subject="4711", password="dora-password", claims="{}", block="checkpoint")
    assert "Created." in reader.page.text and "checkpoint" in reader.page.text
    assert cloud.control("GET", "providers/facebook/people/dora")["facebook"] == {"block": "checkpoint"}
    assert "checkpoint" in reader.open("identity/providers/facebook").text
    reader.press("Add the person", name="dora", subject="1", password="p", claims="{}")
    assert "another name" in reader.page.text
    reader.open("identity/providers/facebook/people/dora")
    reader.press("Save the person", subject="100001234567890")
    assert "conflict" in reader.page.text
    reader.press("Delete the person")
    assert "Deleted." in reader.page.text
    assert requests.get(f"{cloud.url}/_virga/providers/facebook/people/dora").status_code == 404


def test_a_client_is_added_changed_and_deleted(cloud, reader):
    reader.open("identity/providers/company")
    reader.press("Add the client", id="shop", secret="shop-secret", title="The shop", uris="http://localhost:1/a\r\nhttp://localhost:1/b",
                 metadata='{"subject_type": "pairwise"}')
    assert "Created." in reader.page.text
    assert cloud.control("GET", "providers/company/clients/shop")["redirectURIs"] == ["http://localhost:1/a", "http://localhost:1/b"]
    page = reader.open("identity/providers/company/people/alice").text
    subject = cloud.issue("company", "alice", client="shop")["subject"]
    assert subject != "employee-0001-alice" and subject in page, "the subject is pairwise"
    reader.open("identity/providers/company/clients/shop")
    reader.press("Save the client", metadata='{"subject_type": "neither"}')
    [field] = html.fromstring(reader.page.text).xpath("//textarea[@id='metadata']")
    assert field.get("aria-invalid") == "true" and "neither" in field.text
    reader.press("Delete the client")
    assert requests.get(f"{cloud.url}/_virga/providers/company/clients/shop").status_code == 404


def test_secrets_are_folded(cloud, reader):
    for path, secret in [("identity/providers/company", "web-app-client-secret"), ("identity/providers/company/clients/web-app", "web-app-client-secret"),
                         ("identity/providers/company/people/alice", "alice-password")]:
        page = html.fromstring(reader.open(path).text)
        places = page.xpath(f"//*[contains(text(), '{secret}')] | //input[@value='{secret}']")
        assert places and all(place.xpath("ancestor::details[not(@open)]") for place in places), path


def test_service_providers_are_registered_by_metadata(cloud, reader):
    reader.open("identity/providers/company")
    reader.press("Register", descriptor="<x/>")
    assert "EntityDescriptor" in reader.page.text and "&lt;x/&gt;" in reader.page.text
    reader.press("Register", descriptor=METADATA)
    assert "Created." in reader.page.text and "https://app.example/acs" in reader.page.text
    reader.open("identity/providers/company/people/bob")
    reader.press("Preview an assertion", service=quote("https://app.example/saml", safe=""))
    assert "https://app.example/acs" in block(reader.page, "preview-xml")
    reader.open("identity/providers/company")
    number = [form["fields"].get("entity") for form in reader.page.forms if form["label"].strip() == "Remove"].index(quote("https://app.example/saml", safe=""))
    reader.press("Remove", number)
    assert "Deleted." in reader.page.text and "https://app.example/acs" not in reader.page.text


def test_keys_are_rotated(cloud, reader):
    cloud.token("company", "alice")
    reader.open("identity/providers/company")
    reader.press("Rotate the keys", overlap="PT1H")
    assert "A new key signs." in reader.page.text and "retired" in reader.page.text and "published until" in reader.page.text


def test_people_are_logged_out_and_their_grants_revoked(cloud, browser, reader):
    open_page(browser, cloud, "playground")
    log_in(browser, "company")
    access = cloud.token("company", "alice", type="access_token", scope="openid offline_access")
    userinfo = f"{cloud.url}/idp/company/userinfo"
    assert requests.get(userinfo, headers={"Authorization": f"Bearer {access}"}).status_code == 200
    reader.open("identity/providers/company/people/alice")
    reader.press("Log out")
    assert "Ended." in reader.page.text and "No browser session." in reader.page.text
    assert cloud.control("GET", "providers/company/sessions")["sessions"] == []
    reader.press("Revoke all tokens and consents")
    assert requests.get(userinfo, headers={"Authorization": f"Bearer {access}"}).status_code == 401
    other = cloud.token("company", "bob", type="access_token")
    assert requests.get(userinfo, headers={"Authorization": f"Bearer {other}"}).status_code == 200


def test_a_provider_is_added_and_deleted(cloud, reader):
    reader.open("identity")
    reader.press("Add the provider", document="[]")
    assert "JSON object with a name" in reader.page.text
    reader.open("identity")
    reader.press("Add the provider")
    assert "Created." in reader.page.text and "login.partner.example" in reader.page.text
    assert requests.get(f"{cloud.url}/idp/partner/.well-known/openid-configuration").status_code == 200
    reader.press("Delete the provider")
    assert "Deleted." in reader.page.text and "partner" not in [provider["name"] for provider in cloud.control("GET", "info")["providers"]]


# Accounts.

def test_an_attached_policy_turns_a_refusal_into_success(cloud, root, reader):
    root.put_object(Bucket=BUCKET, Key="shared/note", Body=b"for dora", ContentType="text/plain")
    reader.open(ACCOUNT)
    reader.press("Create the user", **{"user-name": "dora"})
    assert "Created." in reader.page.text
    dora = "arn:aws:iam::000000000000:user/dora"
    assert "AccessDenied" in reader.open(f"store/{BUCKET}?key=shared/note&as={dora}").text
    reader.open(ACCOUNT)
    reader.press("Create the policy", **{"policy-name": "reading", "document": json.dumps(READING)})
    assert "Created." in reader.page.text
    reader.open(f"{ACCOUNT}/users/dora")
    reader.press("Attach", attached="arn:aws:iam::000000000000:policy/reading")
    assert "Saved." in reader.page.text
    assert "for dora" in reader.open(f"store/{BUCKET}?key=shared/note&as={dora}").text
    reader.open(f"{ACCOUNT}/policies/{quote('arn:aws:iam::000000000000:policy/reading', safe='')}")
    reader.press("Save as the new version", document=json.dumps(READING).replace(f"{BUCKET}/*", "elsewhere/*"))
    assert "Saved." in reader.page.text
    assert "AccessDenied" in reader.open(f"store/{BUCKET}?key=shared/note&as={dora}").text
    reader.open(f"{ACCOUNT}/users/dora")
    reader.press("Add the policy", **{"policy-name": "own", "document": json.dumps(READING)})
    assert "for dora" in reader.open(f"store/{BUCKET}?key=shared/note&as={dora}").text
    reader.open(f"{ACCOUNT}/users/dora")
    reader.press("Save the policy", document="no JSON")
    assert "MalformedPolicyDocument" in reader.page.text and ">no JSON<" in reader.page.text.replace("\n", "")
    reader.press("Detach")
    reader.press("Delete the policy")
    reader.press("Delete the user")
    assert "Deleted." in reader.page.text and "dora" not in [user["UserName"] for user in client(cloud, "iam").list_users()["Users"]]


def test_keys_are_created_used_and_deleted(cloud, reader):
    reader.open(f"{ACCOUNT}/users/developer")
    assert "never" in reader.page.text
    reader.press("Create an access key")
    page = html.fromstring(reader.page.text)
    secret = block(reader.page, "secret-0")
    [fold] = page.xpath("//details[pre or .//pre[@id='secret-0']][not(@open)]")
    key = fold.xpath("summary")[0].text_content().split()[-1]
    assert requests.get(reader.page.url.split("?")[0]).text.count(secret) == 0, "it is shown only once"
    client(cloud, "s3", aws_access_key_id=key, aws_secret_access_key=secret).list_objects_v2(Bucket=BUCKET)
    page = reader.open(f"{ACCOUNT}/users/developer").text
    assert "by s3" in html.fromstring(page).text_content()
    numbers = [form["fields"].get("key") for form in reader.page.forms if form["label"].strip() == "Deactivate"]
    reader.press("Deactivate", numbers.index(key))
    assert "inactive" in reader.page.text
    with pytest.raises(Exception, match="InvalidAccessKeyId"):
        client(cloud, "s3", aws_access_key_id=key, aws_secret_access_key=secret).list_objects_v2(Bucket=BUCKET)
    deletions = [form["fields"].get("key") for form in reader.page.forms if form["label"].strip() == "Delete"]
    reader.press("Delete", deletions.index(key))
    assert "Deleted." in reader.page.text


def test_a_role_and_a_group_are_created_and_used(cloud, reader):
    reader.open(ACCOUNT)
    reader.press("Create the role", **{"role-name": "visitor", "description": "for a test"})
    assert "Created." in reader.page.text and "for a test" in reader.page.text and "sts:AssumeRole" in reader.page.text
    reader.press("Save the trust policy", document='{"Version": "2012-10-17", "Statement": []}')
    assert "MalformedPolicyDocument" in reader.page.text
    reader.open(ACCOUNT)
    reader.press("Create the role", **{"role-name": "bad name", "description": "typed"})
    assert "ValidationError" in reader.page.text and "typed" in reader.page.text
    reader.open(ACCOUNT)
    reader.press("Create the group", **{"group-name": "crew"})
    reader.press("Attach", attached="arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess")
    reader.open(f"{ACCOUNT}/users/developer")
    reader.press("Join", joined="crew")
    assert "Saved." in reader.page.text
    assert "developer" in reader.open(f"{ACCOUNT}/groups/crew").text
    assert BUCKET in reader.open("store?as=arn:aws:iam::000000000000:user/developer").text
    reader.open(f"{ACCOUNT}/users/developer")
    reader.press("Leave")
    reader.open(f"{ACCOUNT}/groups/crew")
    reader.press("Detach")
    reader.press("Delete the group")
    assert "Deleted." in reader.page.text


def test_ram_is_administered(cloud, reader):
    reader.open(ALIBABA)
    reader.press("Create the user", **{"user-name": "sailor"})
    reader.press("Attach", attached="System/AliyunOSSReadOnlyAccess")
    assert "Saved." in reader.page.text and "AliyunOSSReadOnlyAccess" in reader.page.text
    reader.press("Create an access key")
    assert block(reader.page, "secret-0")
    assert "personal-photos" in reader.open("store?as=acs:ram::1234567890123456:user/sailor").text
    reader.open(f"{ALIBABA}/roles/app-user")
    reader.press("Save the trust policy", document="no JSON")
    assert "MalformedPolicyDocument" in reader.page.text or "InvalidParameter" in reader.page.text
    reader.open(ALIBABA)
    reader.press("Create the policy", **{"policy-name": "photos"})
    assert "Created." in reader.page.text
    reader.open(f"{ALIBABA}/policies/Custom%2Fphotos")
    reader.press("Save as the new version")
    assert "Saved." in reader.page.text
    reader.open(ALIBABA)
    reader.press("Create the group", **{"group-name": "crew"})
    reader.open(f"{ALIBABA}/users/sailor")
    reader.press("Join", joined="crew")
    assert "sailor" in reader.open(f"{ALIBABA}/groups/crew").text
    reader.open(f"{ALIBABA}/users/sailor")
    reader.press("Leave")
    reader.press("Detach")
    reader.press("Delete")
    reader.press("Delete the user")
    assert "Deleted." in reader.page.text


# Hostile texts.

@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A cloud with the payloads in people, clients, attributes, roles and policies."""
    people = [{"name": f"person{number}", "password": "p", "subject": payload, "claims": {"name": payload, "email": payload, "picture": payload}}
              for number, payload in enumerate(PAYLOADS)]
    short = [payload for payload in PAYLOADS if len(payload) < 200]
    clients = [{"id": payload, "name": payload, "secret": payload, "redirectURIs": ["http://localhost/"], "metadata": {"logo_uri": payload, "client_uri": payload}}
               for payload in short]
    attributes = [{"name": payload, "values": [payload]} for payload in short]
    seed = tmp_path_factory.mktemp("hostile") / "seed.json5"
    seed.write_text(json.dumps({
        "accounts": [{
            "id": "000000000000", "name": PAYLOADS[1], "rootKeys": [{"id": "test", "secret": "test"}],
            "roles": [{"name": f"role{number}", "description": payload, "trustPolicy": {
                "Version": "2012-10-17", "Statement": [{"Sid": "Hostile", "Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole",
                                                       "Condition": {"StringEquals": {"sts:ExternalId": payload.replace("$", "")}}}]}}
                      for number, payload in enumerate(short)]}],
        "identityProviders": [
            {"name": "hostile", "issuer": "https://hostile.example", "people": people, "clients": clients, "saml": {"serviceProviders": [
                {"entityID": f"urn:{payload}", "name": payload, "assertionConsumerServices": ["https://app.example/acs"], "attributes": attributes}
                for payload in short[:5]]}},
            {"name": "facebook", "people": people[:6], "clients": [dict(one, metadata={}) for one in clients[:3]]}]}))
    with Cloud.ephemeral("--seed", seed) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def test_hostile_texts_stay_text(hostile, browser):
    pages = ["identity", "identity/providers/hostile", "identity/providers/facebook", ACCOUNT]
    pages += [f"identity/providers/hostile/people/person{number}" for number in range(len(PAYLOADS))]
    short = [payload for payload in PAYLOADS if len(payload) < 200]
    pages += [f"identity/providers/hostile/clients/{quote(payload, safe='')}" for payload in short]
    pages += [f"{ACCOUNT}/roles/role{number}" for number in range(len(short))]
    for path in pages:
        open_page(browser, hostile, path)
        assert "There is no such page" not in text(browser), path
        expect_harmless(browser, path)
    for number in range(len(PAYLOADS)):
        reader = Reader(hostile)
        reader.open(f"identity/providers/hostile/people/person{number}")
        for button in ["Preview a token", "Preview an assertion"]:
            reader.press(button)
            assert reader.status == 200 and "<script>window" not in reader.page.text and "<img" not in reader.page.text
        if number % 5 == 0:
            browser.get(reader.page.url)
            expect_harmless(browser, number)
    for payload in PAYLOADS:
        for path in ["identity/{}", "identity/providers/{}", "identity/providers/hostile/people/{}", "identity/accounts/{}", ACCOUNT + "/users/{}",
                     ACCOUNT + "/policies/{}", "identity?result={}"]:
            answer = requests.get(f"{hostile.url}{CONSOLE}{path.format(quote(payload, safe=''))}")
            assert answer.status_code in (200, 400, 404), (path, answer.text[-1000:])
            assert "<script>window" not in answer.text and "<img" not in answer.text


def test_an_empty_seed_says_what_to_add(tmp_path):
    seed = tmp_path / "empty.json5"
    seed.write_text("{}")
    with Cloud.ephemeral("--seed", seed) as cloud:
        page = requests.get(f"{cloud.url}{CONSOLE}identity").text
        assert "There is no identity provider." in page and "identityProviders: [" in page and "There is no account." in page
        assert cloud.stop() == 0


# The pages.

def prepared(cloud, browser):
    open_page(browser, cloud, "playground")
    log_in(browser, "company")
    open_page(browser, cloud, "identity")
    yield "identity"
    open_page(browser, cloud, "identity/providers/company")
    yield "identity-provider"
    open_page(browser, cloud, "identity/providers/company/people/alice")
    press(browser, "Preview a token")
    yield "identity-person"
    press(browser, "Preview an assertion")
    yield "identity-assertion"
    open_page(browser, cloud, "identity/providers/company/clients/web-app")
    yield "identity-client"
    open_page(browser, cloud, ACCOUNT)
    yield "identity-account"
    open_page(browser, cloud, f"{ACCOUNT}/users/developer")
    press(browser, "Create an access key")
    yield "identity-user"
    open_page(browser, cloud, f"{ACCOUNT}/roles/personal-files-google")
    yield "identity-role"
    open_page(browser, cloud, ALIBABA)
    yield "identity-alibaba"
    open_page(browser, cloud, f"{ACCOUNT}/users/nobody")
    yield "identity-missing"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


def test_the_keyboard_previews_a_token(cloud, browser):
    open_page(browser, cloud, "identity/providers/company/people/alice")
    browser.find_element(By.ID, "preview-client").send_keys(Keys.TAB)
    seen = []
    for _ in range(4):
        seen.append(browser.switch_to.active_element.text)
        if seen[-1] == "Preview a token":
            break
        ActionChains(browser).send_keys(Keys.TAB).perform()
    assert seen[-1] == "Preview a token", seen
    follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
    assert "employee-0001-alice" in text(browser) and "A valid token of company" in text(browser)
    assert own_violations(browser) == []


def test_reading_identity_changes_nothing(cloud):
    before = cloud.control("GET", "seed")
    for path in ["identity", "identity/providers/company", "identity/providers/company/people/alice", ACCOUNT, f"{ACCOUNT}/users/developer"]:
        assert requests.get(f"{cloud.url}{CONSOLE}{path}").status_code == 200
    assert cloud.control("GET", "seed") == before
