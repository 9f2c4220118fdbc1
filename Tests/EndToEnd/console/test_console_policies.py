"""The policy simulator of the web console: who may do what, with saved policies and with edits that are not saved."""

import json
from urllib.parse import quote, urlencode, urlsplit

import pytest
import requests
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import assume, client
from cloud import ACCOUNT, BUCKET, run
from console import Reader, console_browser, follow, open_page, own_violations, press, text
from console_checks import PAYLOADS, check_pages, expect_harmless
from sandboxes import Sandbox
from test_console import refuse_something

DEVELOPER = f"arn:aws:iam::{ACCOUNT}:user/developer"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
GOOGLE = f"arn:aws:iam::{ACCOUNT}:role/personal-files-google"
OBJECT = f"arn:aws:s3:::{BUCKET}/a.txt"

WORDS = {"allowed": "allowed", "explicitDeny": "denied explicitly", "implicitDeny": "nothing allows it"}


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


@pytest.fixture
def reader(cloud):
    return Reader(cloud)


def question(**fields):
    return "policies?" + urlencode(fields, doseq=True)


def ask(reader, **fields):
    reader.open(question(**fields))
    assert reader.status == 200, reader.page.text
    return html.fromstring(reader.page.text)


def results(document):
    """The rows of the result: the decision in words, the action and the resource."""
    rows = document.xpath("//div[@aria-label='Decisions']//tbody/tr")
    return [tuple(" ".join(cell.text_content().split()) for cell in row.xpath("td")) for row in rows]


def editors(document):
    """The policies that can be edited, by their names."""
    names = [field.get("value") for field in document.xpath("//input[@name='policy-name']")]
    return dict(zip(names, document.xpath("//textarea[@name='policy-text']")))


def run_form(reader, edits=None, **changed):
    """Sends the question of the page, with edited policies by their names."""
    document = html.fromstring(reader.page.text)
    [form] = [form for form in document.forms if (form.get("action") or "").endswith("/policies/run")]
    fields = []
    name = None
    for field in form.xpath(".//input[@name]|.//textarea[@name]|.//select[@name]"):
        value = field.value if field.tag != "input" else field.get("value") or ""
        if field.get("name") == "policy-name":
            name = value
        if field.get("name") == "policy-text" and edits and name in edits:
            value = edits[name]
        if field.get("name") in changed:
            value = changed[field.get("name")]
        fields.append((field.get("name"), value or ""))
    response = reader.session.post(reader.cloud.url + urlsplit(form.get("action")).path, data=fields, headers={"Origin": reader.cloud.url})
    reader._at(response)
    return html.fromstring(reader.page.text)


@pytest.mark.parametrize("caller", [ROOT, DEVELOPER, "test", "anonymous", GOOGLE])
def test_the_simulator_equals_explain(cloud, reader, caller):
    actions, resources = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], [OBJECT, f"arn:aws:s3:::{BUCKET}/b/c.txt"]
    document = ask(reader, **{"as": caller, "action": actions, "resource": resources})
    shown = results(document)
    assert len(shown) == 6
    traces = document.xpath("//section[contains(@class,'decision')]")
    for number, (resource, action) in enumerate((resource, action) for resource in resources for action in actions):
        output = run("explain", "--endpoint", cloud.url, "--as", caller, "--action", action, "--resource", resource, "--json")
        answer = json.loads(output.stdout)
        assert shown[number] == (f"{'✓' if answer['decision'] == 'allowed' else '✗'} {WORDS[answer['decision']]}", action, resource)
        for statement in answer["statements"]:
            assert ("applies" if statement["applies"] else "does not apply") in traces[number].text_content()
        if answer.get("message"):
            assert answer["message"] in document.text_content()


def test_the_last_refusal_of_the_journal_is_the_first_question(cloud, browser):
    cloud.control("DELETE", "journal")
    open_page(browser, cloud, "policies")
    assert "Choose a caller" in text(browser)
    number = refuse_something(cloud)
    open_page(browser, cloud, "policies")
    page = text(browser)
    assert f"request {number}" in page and "nothing allows it" in page and browser.find_element(By.ID, "as").get_attribute("value") == DEVELOPER
    assert "s3:ListAllMyBuckets" in browser.find_element(By.ID, "action").get_attribute("value")
    assert own_violations(browser) == []


@pytest.fixture
def office(process):
    policy = {"Version": "2012-10-17", "Statement": [
        {"Sid": "Own", "Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/${aws:username}/*"},
        {"Sid": "Office", "Effect": "Deny", "Action": "s3:*", "Resource": "*", "Condition": {
            "NotIpAddress": {"aws:SourceIp": "10.0.0.0/8"}, "Bool": {"aws:SecureTransport": "true"},
            "DateGreaterThan": {"aws:CurrentTime": "2020-01-01T00:00:00Z"}, "ForAnyValue:StringEquals": {"aws:TagKeys": ["a"]}}}]}
    trust = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": "accounts.google.com"}, "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {"accounts.google.com:aud": "app"}}}]}
    seed = {"accounts": [{
        "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "box"}],
        "users": [{"name": "ann", "policies": {"own": policy}}, {"name": "bob"}],
        "roles": [{"name": "web", "trustPolicy": trust}]}]}
    with Sandbox.seeded(process, json.dumps(seed)) as sandbox:
        yield sandbox


ANN = f"arn:aws:iam::{ACCOUNT}:user/ann"
BOX = "arn:aws:s3:::box/ann/a"


def test_an_edit_decides_and_is_saved_only_when_asked(office):
    reader = Reader(office)
    document = ask(reader, **{"as": ANN, "action": "s3:PutObject", "resource": BOX})
    assert results(document)[0][0] == "✗ nothing allows it"
    edited = editors(document)["own"].value.replace("s3:GetObject", "s3:*")
    document = run_form(reader, {"own": edited})
    assert results(document)[0][0] == "✓ allowed" and "not saved" in document.text_content()
    assert "Statement" not in reader.page.url, "the edit is not in the URL"
    plain = {"as": ANN, "action": "s3:PutObject", "resource": BOX}
    assert office.control("POST", "explain", plain)["decision"] == "implicitDeny"
    reader.press("Save own")
    assert "Saved." in reader.page.text
    assert office.control("POST", "explain", plain)["decision"] == "allowed"
    assert "not saved" not in reader.page.text and results(html.fromstring(reader.page.text))[0][0] == "✓ allowed"


def test_an_edit_is_discarded_and_ended_by_a_reset(office):
    reader = Reader(office)
    ask(reader, **{"as": ANN, "action": "s3:GetObject", "resource": BOX})
    document = run_form(reader, {"own": ""})
    assert results(document)[0][0] == "✗ nothing allows it"
    url = reader.page.url
    reader.press("Discard the edits")
    assert results(html.fromstring(reader.page.text))[0][0] == "✓ allowed"
    assert requests.get(url).status_code == 404
    office.reset()
    assert requests.get(url).status_code == 404


def test_the_policy_of_a_bucket_is_edited_and_saved(office):
    reader = Reader(office)
    bob = f"arn:aws:iam::{ACCOUNT}:user/bob"
    document = ask(reader, **{"as": bob, "action": "s3:GetObject", "resource": "arn:aws:s3:::box/public"})
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": bob}, "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/*"}]}
    assert list(editors(document)) == ["policy of bucket box"]
    document = run_form(reader, {"policy of bucket box": json.dumps(policy)})
    assert results(document)[0][0] == "✓ allowed"
    reader.press("Save policy of bucket box")
    assert "Saved." in reader.page.text, html.fromstring(reader.page.text).text_content()
    assert json.loads(client(office, "s3").get_bucket_policy(Bucket="box")["Policy"]) == policy

    # The service refuses a policy for everybody, and the edit stays.
    public = json.dumps(policy).replace(json.dumps(bob), '"*"')
    run_form(reader, {"policy of bucket box": public})
    reader.press("Save policy of bucket box")
    assert reader.status == 400 and "BlockPublicPolicy" in reader.page.text and "not saved" in reader.page.text


def test_a_trust_policy_is_edited_for_the_users_of_a_provider(office):
    reader = Reader(office)
    fields = {"as": "accounts.google.com", "action": "sts:AssumeRoleWithWebIdentity", "resource": f"arn:aws:iam::{ACCOUNT}:role/web"}
    document = ask(reader, **fields)
    assert results(document)[0][0] == "✗ nothing allows it" and "accounts.google.com:aud" in document.text_content()
    assert results(ask(reader, **fields, key="accounts.google.com:aud", value="app"))[0][0] == "✓ allowed"
    ask(reader, **fields)
    [name] = editors(document)
    document = run_form(reader, {name: editors(document)[name].value.replace('"app"', '["app","other"]')},)
    assert results(document)[0][0] == "✗ nothing allows it"
    reader.press("Save trust policy of web")
    role = client(office, "iam").get_role(RoleName="web")["Role"]["AssumeRolePolicyDocument"]
    assert role["Statement"][0]["Condition"]["StringEquals"]["accounts.google.com:aud"] == ["app", "other"]


def test_only_the_keys_that_the_policies_read_are_asked_by_type(office):
    reader = Reader(office)
    document = ask(reader, **{"as": ANN, "action": "s3:GetObject", "resource": BOX})
    labels = {label.text_content().replace(" (one per line)", ""): label.get("for") for label in document.xpath("//label[code]")}
    assert set(labels) == {"aws:SourceIp", "aws:SecureTransport", "aws:CurrentTime", "aws:TagKeys", "aws:username"}
    kinds = {name: document.get_element_by_id(field) for name, field in labels.items()}
    assert kinds["aws:SecureTransport"].tag == "select" and kinds["aws:TagKeys"].tag == "textarea"
    assert kinds["aws:SourceIp"].get("placeholder") == "10.0.0.1"
    pairs = {"key": ["aws:SecureTransport", "aws:TagKeys", "aws:SourceIp"], "value": ["true", "a\nb", "192.168.0.1"]}
    document = ask(reader, **{"as": ANN, "action": "s3:GetObject", "resource": BOX}, **pairs)
    assert results(document)[0][0] == "✗ denied explicitly"
    assert document.get_element_by_id(labels["aws:TagKeys"]).value == "a\nb"


@pytest.mark.parametrize("edited, where", [
    ('{\n  "Version": "2012-10-17",\n  "Statement": [,]\n}', "line 3, column 17: this character is not allowed here"),
    ('{\n  "Version": "2012-10-17",\n  "Statement": [\n    {"Effect": "Maybe",\n     "Action": "*", "Resource": "*"}]\n}', "line 4"),
    ("[]", "line 1, column 1")])
def test_an_edit_with_a_mistake_says_where(office, edited, where):
    reader = Reader(office)
    ask(reader, **{"as": ANN, "action": "s3:GetObject", "resource": BOX})
    document = run_form(reader, {"own": edited})
    assert reader.status == 200
    [error] = document.xpath("//p[starts-with(@id,'policy-') and contains(@id,'-error')]")
    assert where in error.text_content(), error.text_content()
    assert editors(document)["own"].value.strip() == edited, "nothing that was typed is lost"


def test_two_callers_are_compared(cloud, reader):
    document = ask(reader, **{"as": ROOT, "other": DEVELOPER, "action": ["s3:ListAllMyBuckets"], "resource": "*"})
    assert results(document)[0][:2] == ("✓ allowed", "✗ nothing allows it")
    assert f"The same for {DEVELOPER}" in document.text_content()


def test_a_running_session_is_a_caller_to_choose(cloud, reader):
    answer = assume(cloud, "google", cloud.token("google", "alice"))
    arn, subject = answer["AssumedRoleUser"]["Arn"], answer["SubjectFromWebIdentityToken"]
    document = ask(reader, **{"as": arn, "action": "s3:GetObject", "resource": [f"arn:aws:s3:::{BUCKET}/{subject}/a", OBJECT]})
    assert [row[0] for row in results(document)] == ["✓ allowed", "✗ nothing allows it"]
    assert arn in document.xpath("//datalist[@id='callers']/option/@value")


def test_a_question_with_a_mistake_is_answered_in_its_place(cloud, reader):
    document = ask(reader, **{"as": DEVELOPER, "action": ["s3:GetObjekt", "s3:GetObject"], "resource": OBJECT})
    assert [row[0] for row in results(document)] == ["! no decision", results(document)[1][0]]
    assert "Did you mean 's3:GetObject'?" in document.text_content()
    assert "There is no principal" in ask(reader, **{"as": "nobody", "action": "s3:GetObject", "resource": OBJECT}).text_content()


def test_a_missing_value_is_named(cloud, reader):
    page = ask(reader, **{"as": "arn:aws:iam::000000000000:role/personal-files-google", "action": "s3:GetObject",
                          "resource": "arn:aws:s3:::personal-files/1/hello.txt"}).text_content()
    assert "no value for accounts.google.com:sub" in page
    assert "Fill in accounts.google.com:sub above to decide as one person." in page


def test_an_unknown_caller_gets_no_decision(cloud, reader):
    page = ask(reader, **{"as": "arn:aws:iam::000000000000:role/personal-files-googl", "action": "s3:GetObject", "resource": "arn:aws:s3:::b/k"})
    assert page.xpath("string(//h2[@id='result'])") == "No decision" and "Expected the ARN of the root user" in page.text_content()
    assert "Did you mean 'arn:aws:iam::000000000000:role/personal-files-google'?" in page.text_content()


def test_the_keyboard_is_enough(cloud, browser):
    open_page(browser, cloud, question(**{"as": DEVELOPER, "action": "s3:GetObject", "resource": OBJECT}))
    field = browser.find_element(By.ID, "as")
    field.clear()
    field.send_keys(ROOT)
    follow(browser, lambda: field.send_keys(Keys.ENTER))
    assert "Allowed" in text(browser) and quote(ROOT, safe="") in browser.current_url


def test_an_edit_is_made_in_the_browser(office, browser):
    open_page(browser, office, question(**{"as": ANN, "action": "s3:GetObject", "resource": BOX}))
    browser.find_element(By.XPATH, "//summary[contains(.,'Policy own')]").click()
    area = browser.find_element(By.XPATH, "//input[@value='own']/following-sibling::textarea")
    area.clear()
    area.send_keys('{"Version": "2012-10-17", "Statement": []')
    press(browser, "Run")
    assert "not saved" in text(browser) and "the document ends too early" in text(browser)
    press(browser, "Discard the edits")
    assert "Allowed" in text(browser)
    assert own_violations(browser) == []


def test_actions_and_resources_are_picked_from_lists(cloud, reader, browser):
    ask(reader, **{"as": DEVELOPER, "action": "s3:GetObject", "resource": OBJECT})
    document = html.fromstring(reader.page.text)
    lists = {field.get("name"): document.xpath(f"//datalist[@id='{field.get('list')}']/option/@value") for field in document.xpath("//input[@list]")}
    assert "s3:PutObject" in lists["add-action"] and f"arn:aws:s3:::{BUCKET}" in lists["add-resource"] and DEVELOPER in lists["as"]
    shown = results(run_form(reader, **{"add-action": "s3:PutObject", "add-resource": f"arn:aws:s3:::{BUCKET}"}))
    assert {row[1] for row in shown} == {"s3:GetObject", "s3:PutObject"} and {row[2] for row in shown} == {OBJECT, f"arn:aws:s3:::{BUCKET}"}
    open_page(browser, cloud, question(**{"as": DEVELOPER, "action": "s3:GetObject", "resource": OBJECT}))
    for _ in range(2):
        browser.find_element(By.ID, "add-action").send_keys("s3:PutObject", Keys.ENTER)
    assert browser.find_element(By.ID, "action").get_attribute("value") == "s3:GetObject\ns3:PutObject"
    assert browser.find_element(By.ID, "add-action").get_attribute("value") == ""
    press(browser, "Run")
    assert "of 2 allowed" in text(browser)
    assert own_violations(browser) == []


def prepared(cloud, browser):
    cloud.control("DELETE", "journal")
    open_page(browser, cloud, "policies")
    yield "policies-empty"
    refuse_something(cloud)
    open_page(browser, cloud, "policies")
    yield "policies-refused"
    open_page(browser, cloud, question(**{
        "as": GOOGLE, "other": ROOT, "action": ["s3:GetObject", "s3:PutObject", "s3:Nonsense"], "resource": [OBJECT, f"arn:aws:s3:::{BUCKET}/x/y"]}))
    yield "policies-compared"
    open_page(browser, cloud, question(**{"as": DEVELOPER, "action": "s3:ListAllMyBuckets", "resource": "*"}))
    browser.find_element(By.XPATH, "//summary[contains(.,'Policy personal-files')]").click()
    area = browser.find_element(By.XPATH, "//input[@value='personal-files']/following-sibling::textarea")
    area.clear()
    area.send_keys('{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}')
    press(browser, "Run")
    yield "policies-edited"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


def test_hostile_texts_stay_text(office, browser):
    reader = Reader(office)
    for number, payload in enumerate(PAYLOADS):
        fields = {"as": payload, "other": payload, "action": payload, "resource": payload, "key": payload, "value": payload}
        for asked in [fields, fields | {"as": ANN, "action": "s3:GetObject", "resource": f"arn:aws:s3:::box/{payload}"}]:
            reader.open(question(**asked))
            assert reader.status == 200 and "<script>window" not in reader.page.text and "<img" not in reader.page.text, payload
        ask(reader, **{"as": ANN, "action": "s3:GetObject", "resource": BOX})
        policy = {"Version": "2012-10-17", "Statement": [
            {"Sid": "x", "Effect": "Allow", "Action": "s3:*", "Resource": f"arn:aws:s3:::{payload}", "Condition": {"StringEquals": {f"aws:{payload}": payload}}}]}
        run_form(reader, {"own": json.dumps(policy) if number % 2 else payload})
        assert reader.status == 200 and "<script>window" not in reader.page.text and "<img" not in reader.page.text, payload
        if number % 5 == 0:
            browser.get(reader.page.url)
            expect_harmless(browser, payload)
