"""The web console: what a person sees and does, in headless Chromium and without scripts."""

import subprocess
import sys
from urllib.parse import urlsplit

import pytest
import requests
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import client
from cloud import BUCKET, clean_environment
from console import CONSOLE, Reader, console_browser, follow, open_page, own_violations, press, text
from navigation import patiently
from walking import Walker


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


@pytest.fixture
def reader(cloud):
    return Reader(cloud)


def journal(cloud, **parameters):
    return cloud.control("GET", "journal", params={"limit": 1000} | parameters)["entries"]


def refuse_something(cloud):
    """Lets the developer ask for what no policy allows, and returns the entry's number."""
    with pytest.raises(Exception, match="AccessDenied"):
        client(cloud, "s3", **developer_keys(cloud)).list_buckets()
    return journal(cloud, denied="true")[0]["number"]


def developer_keys(cloud):
    """The access key of the seed's developer."""
    account = cloud.control("GET", "seed")["accounts"][0]
    [user] = [user for user in account["users"] if user["name"] == "developer"]
    return {"aws_access_key_id": user["accessKeys"][0]["id"], "aws_secret_access_key": user["accessKeys"][0]["secret"]}


def test_a_newcomer_walks_from_the_login_to_a_refusal_in_eight_clicks(cloud, browser):
    clicks = 0

    def count(act):
        nonlocal clicks
        clicks += 1
        follow(browser, act)

    def button(name):
        return browser.find_element(By.XPATH, f"//main//button[normalize-space()='{name}']")

    open_page(browser, cloud)
    count(browser.find_element(By.LINK_TEXT, "Start a walk").click)
    count(browser.find_element(By.LINK_TEXT, "Log in with Google").click)
    count(browser.find_element(By.CSS_SELECTOR, "button[name=person][value=alice]").click)
    count(browser.find_element(By.CSS_SELECTOR, "button[name=action][value=allow]").click)
    assert "Alice Archer has an id_token" in text(browser)
    count(button("Get credentials").click)
    page = text(browser)
    assert "Your folder personal-files/110169484474386276334/" in page
    assert "Files outside your folder" in page and "alice at company: " in page and "bob at facebook: " in page
    count(button("Read").click)
    assert "Hello Alice, you came with Google." in text(browser)
    count(button("Try to read").click)
    page = text(browser)
    assert "AccessDenied" in page and "does not apply" in page and "What would allow this" in page
    assert "arn:aws:s3:::personal-files/110169484474386276334/*" in page, "the variable is resolved"
    assert clicks <= 8
    assert own_violations(browser) == []


@pytest.mark.parametrize("provider", ["Facebook", "Amazon", "Google", "company"])
def test_every_provider_leads_to_an_object_without_scripts(cloud, reader, provider):
    reader.open("playground")
    reader.link(f"Log in with {provider}")
    login = [form for form in reader.page.forms if "username" in form["fields"]][0]
    response = reader.session.post(login["action"], data={"form": login["fields"]["form"], "person": "alice"})
    reader._at(response)
    if "/callback" not in response.url and "/playground/" not in response.url:
        consent = reader.page.forms[0]
        response = reader.session.post(consent["action"], data=consent["fields"] | {"action": "allow"})
        reader._at(response)
    assert reader.status == 200 and "Alice Archer" in reader.page.text
    assert "Get credentials" in [form["label"].strip() for form in reader.page.forms]
    reader.press("Get credentials")
    assert "AccessKeyId" in reader.page.text, reader.page.text
    reader.press("Read")
    assert "Hello Alice, you came with" in reader.page.text


@pytest.mark.parametrize("provider", ["facebook", "amazon", "google", "company"])
def test_every_experiment_has_the_expected_code_and_undo_leaves_a_passing_walk(cloud, reader, provider):
    reader.open("playground")
    number = [form["fields"].get("provider") for form in reader.page.forms if form["label"].strip() == "Issue a token"].index(provider)
    reader.press("Issue a token", number, person="alice")
    reader.press("Get credentials")
    runs = [form for form in reader.page.forms if form["label"].strip() == "Run"]
    assert len(runs) >= 12
    # The aging comes last, because it makes the credentials of the walk expire.
    for number, form in enumerate(runs):
        reader.press("Run", number)
        assert reader.status == 200, (form["fields"]["experiment"], reader.page.text)
        assert "not as expected" not in reader.page.text, form["fields"]["experiment"]
    assert "not run" not in reader.page.text
    reader.press("Undo all")
    assert "Everything is as it was before." in reader.page.text
    assert cloud.control("GET", "clock")["ages"] == [] and cloud.control("GET", "faults")["faults"] == []
    reader.press("Get credentials")
    reader.press("Read")
    assert "Hello Alice" in reader.page.text


def test_a_trust_policy_is_edited_refused_undone_and_allowed(cloud, reader):
    reader.open("playground")
    number = [form["fields"].get("provider") for form in reader.page.forms if form["label"].strip() == "Issue a token"].index("google")
    reader.press("Issue a token", number, person="alice")
    [form] = [form for form in reader.page.forms if form["label"].strip() == "Save trust policy"]
    document = form["fields"]["document"].replace("1234567890.apps.googleusercontent.com", "another-app")
    reader.press("Save trust policy", document=document)
    assert "Saved." in reader.page.text
    reader.press("Get credentials")
    assert "AccessDenied" in reader.page.text and "does not apply" in reader.page.text
    reader.press("Save trust policy", document="no JSON")
    assert "was not saved" in reader.page.text
    reader.open(urlsplit(reader.page.url).path.rsplit("/", 1)[0])
    reader.press("Undo all")
    assert "does not apply" not in reader.page.text, "the result of the changed policy is gone"
    reader.press("Get credentials")
    assert "AccessKeyId" in reader.page.text


def test_files_are_written_listed_and_deleted_with_the_credentials(cloud, reader):
    reader.open("playground")
    reader.press("Issue a token", 0, person="alice")
    reader.press("Get credentials")
    reader.press("Write", text="from the console")
    assert "note.txt" in reader.page.text
    entry = journal(cloud, operation="PutObject")[0]
    assert entry["status"] == 200 and "assumed-role" in entry["caller"]
    [note] = [number for number, form in enumerate(form for form in reader.page.forms if form["label"].strip() == "Presign")
              if form["fields"]["key"].endswith("note.txt")]
    reader.press("Presign", note)
    [block] = html.fromstring(reader.page.text).xpath("//pre[@id='presigned-url']")
    assert requests.get(block.text_content()).text == "from the console"
    reader.press("Delete", note)
    assert journal(cloud, operation="DeleteObject")[0]["status"] == 204
    reader.press("Send", target=f"/{BUCKET}?list-type=2")
    assert "AccessDenied" in reader.page.text


@pytest.mark.parametrize("provider, path", [("google", "web-identity"), ("facebook", "web-identity"), ("company", "saml")])
def test_the_copied_programs_run(cloud, tmp_path, provider, path):
    walker = Walker(cloud)
    walker.start(path, provider=provider, person="alice")
    walker.act("assume")
    names = [name.strip() for name in html.fromstring(walker.page.text).xpath("//section[@id='code']//label/text()")]
    environment = clean_environment(HOME=str(tmp_path), AWS_ACCESS_KEY_ID="", PYTHONWARNINGS="ignore")
    for number, name in enumerate(names):
        program = walker.code(f"code-{number}")
        script = tmp_path / "program.mjs"
        script.write_text(program)
        runs = {"Python (boto3)": [sys.executable, "-c", program], "AWS CLI": ["bash", "-c", program], "curl": ["bash", "-c", program],
                "JavaScript (Node.js without packages)": ["node", str(script)]}
        if name == "JavaScript (AWS SDK v3)":  # The SDK is in no mirror of the tests.
            continue
        result = subprocess.run(runs[name], text=True, capture_output=True, cwd=tmp_path, env=environment)
        assert result.returncode == 0 and "Hello Alice" in result.stdout, (name, result.stdout, result.stderr)


def test_amazons_implicit_flow_returns_in_the_fragment(cloud, browser):
    open_page(browser, cloud, "playground")
    follow(browser, browser.find_element(By.LINK_TEXT, "Use the implicit flow").click)
    browser.find_element(By.CSS_SELECTOR, "button[name=person][value=alice]").click()
    allow = "//button[@name='action'][@value='allow']"
    patiently(browser).until(lambda driver: driver.find_elements(By.XPATH, allow) or "/playground/" in driver.current_url)
    if browser.find_elements(By.XPATH, allow):
        browser.find_element(By.XPATH, allow).click()
    patiently(browser).until(lambda driver: "/playground/" in driver.current_url and "Alice Archer has an access_token" in text(driver))
    assert "Check the token at Amazon" in text(browser)
    press(browser, "Get credentials")
    press(browser, "Read")
    assert "Hello Alice" in text(browser)
    assert own_violations(browser) == []


def test_a_shared_walk_reopens_its_settings_and_no_secret(cloud, reader):
    walker = Walker(cloud)
    walker.start("web-identity", provider="google", person="bob")
    walker.act("assume", session="shared-session", duration="1800")
    link = walker.code("share-url")
    token = walker.code("token-raw")
    assert token not in link and "SecretAccessKey" not in link
    other = Walker(cloud)
    other.open(link)
    assert "A shared walk" in other.shown and "shared-session" in other.shown
    other.send(next(form for form in other.page.forms if form["label"].strip() == "Start this walk"))
    assert "Bob Baker" in other.shown
    other.act("assume")
    assert "assumed-role/personal-files-google/shared-session" in other.shown


def test_the_reads_of_the_console_are_not_in_the_journal(cloud):
    walker = Walker(cloud)
    walker.start("web-identity", provider="google", person="alice")
    walker.act("assume")
    assert journal(cloud, face="iam") == []
    assert {entry["operation"] for entry in journal(cloud, face="s3")} == {"ListObjectsV2"} and len(journal(cloud, face="s3")) == 1


def test_an_access_token_is_refused_by_sts(cloud):
    walker = Walker(cloud)
    walker.start("web-identity", provider="company")
    walker.act("token", person="alice", type="access_token")
    walker.act("assume")
    assert "InvalidIdentityToken" in walker.shown


def test_a_request_appears_in_the_open_journal(cloud, root, browser):
    open_page(browser, cloud, "journal?face=s3")
    root.put_object(Bucket=BUCKET, Key="seen-live.txt", Body=b"x")
    patiently(browser).until(lambda driver: "seen-live.txt" in text(driver))
    assert "1 new request" in browser.find_element(By.ID, "live").get_attribute("textContent")
    # The URL has the filter, so it opens the same view again.
    browser.get(browser.current_url)
    rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert rows and all("s3 " in row.text for row in rows)
    browser.find_element(By.CSS_SELECTOR, "[data-pause]").click()
    root.put_object(Bucket=BUCKET, Key="not-seen.txt", Body=b"x")
    assert browser.find_element(By.ID, "connection").text == "paused" and "not-seen.txt" not in text(browser)
    cloud.reset()
    browser.find_element(By.CSS_SELECTOR, "[data-pause]").click()
    patiently(browser).until(lambda driver: "The cloud was reset" in text(driver))
    assert own_violations(browser) == []


def test_filters_are_in_the_url(cloud, browser):
    refuse_something(cloud)
    open_page(browser, cloud, "journal")
    follow(browser, browser.find_element(By.CSS_SELECTOR, "input[name=denied]").click)
    assert browser.current_url.endswith("/journal?denied=true")
    assert [row.text for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr") if "denied" not in row.text] == []


def test_requests_are_grouped_by_their_traces(cloud, browser):
    trace = "0af7651916cd43dd8448eb211c80319c"
    for path in ["/", "/personal-files", "/personal-files/missing"]:
        requests.get(cloud.url + path, headers={"traceparent": f"00-{trace}-b7ad6b7169203331-01"})
    open_page(browser, cloud, "journal")
    follow(browser, browser.find_element(By.CSS_SELECTOR, "input[name=group]").click)
    assert browser.current_url.endswith("/journal?group=trace")
    fold = browser.find_element(By.XPATH, f"//details[summary/code[.='{trace}']]")
    assert "3 requests" in fold.text and len(fold.find_elements(By.CSS_SELECTOR, "tbody tr")) == 3
    numbers = [int(row.get_attribute("data-number")) for row in fold.find_elements(By.CSS_SELECTOR, "tbody tr")]
    assert numbers == sorted(numbers)
    follow(browser, fold.find_element(By.PARTIAL_LINK_TEXT, "sequence diagram").click)
    assert trace in browser.current_url
    assert own_violations(browser) == []


def test_a_refusal_is_explained_and_replayed_as_another_caller(cloud, browser):
    number = refuse_something(cloud)
    open_page(browser, cloud)
    assert "s3 ListBuckets" in text(browser), "among the last refusals"
    open_page(browser, cloud, f"journal/{number}")
    page = text(browser)
    assert "does not apply" in page and "s3:ListAllMyBuckets" in page and "What would allow this" in page
    assert "curl" in page
    press(browser, "Replay")
    assert "This is a replay of request" in text(browser) and "denied" in text(browser)
    browser.get(f"{cloud.url}{CONSOLE}journal/{number}")
    browser.find_element(By.CSS_SELECTOR, "#as option[value$=':root']").click()
    press(browser, "Replay")
    assert "This is a replay of request" in text(browser)
    assert journal(cloud, operation="ListBuckets")[0]["status"] == 200


def test_capture_shows_headers_and_bodies(cloud, root, reader):
    reader.open("journal")
    reader.press("Capture headers and bodies for 30 minutes")
    assert "captured for 30 minutes" in reader.page.text
    root.put_object(Bucket=BUCKET, Key="captured.txt", Body=b"the captured body", ContentType="text/plain")
    reader.open(f"journal/{journal(cloud, operation='PutObject')[0]['number']}")
    assert "the captured body" in reader.page.text
    reader.open("journal")
    reader.press("Stop capturing")
    assert "Capture is off." in reader.page.text
    reader.press("Clear the journal")
    assert "Nothing yet." in reader.page.text or "The journal is empty." in reader.page.text


def test_home_shows_what_runs_and_resets_after_a_typed_word(cloud, root, browser):
    root.create_bucket(Bucket="doomed")
    open_page(browser, cloud)
    page = text(browser)
    assert "000000000000" in page and "Google" in page and f"AWS_ENDPOINT_URL={cloud.url}" in page
    browser.find_element(By.XPATH, "//summary[normalize-space()='Reset the cloud']").click()
    browser.find_element(By.ID, "word").send_keys("reset")
    press(browser, "Reset")
    assert "The cloud is reset to its seeds." in text(browser)
    assert "doomed" not in [bucket["Name"] for bucket in root.list_buckets()["Buckets"]]


def test_every_page_says_that_time_is_moved_or_an_error_waits(cloud, reader):
    cloud.age("PT1H5M")
    cloud.control("POST", "faults", {"service": "s3", "error": "SlowDown", "times": 5})
    for path in ["", "journal", "playground"]:
        reader.open(path)
        assert "Time is moved." in reader.page.text and "1 error on demand" in reader.page.text
    reader.press("Return to real time")
    reader.press("Remove all")
    assert "Time is moved." not in reader.page.text and "on demand</strong>" not in reader.page.text
    assert urlsplit(reader.page.url).path == CONSOLE + "playground"


def test_the_keyboard_is_enough(cloud, browser):
    open_page(browser, cloud)
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    assert browser.switch_to.active_element.text == "Skip to the content"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    seen = []
    for _ in range(12):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        active = browser.switch_to.active_element
        seen.append(active.text)
        outline = active.value_of_css_property("outline-style")
        assert outline != "none", active.get_attribute("outerHTML")
        if active.text == "Start a walk":
            break
    assert seen[-1] == "Start a walk", seen
    follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
    assert browser.find_element(By.TAG_NAME, "h1").text == "Playground"


def test_the_banner_prints_the_console(cloud):
    assert f"console   {cloud.url}{CONSOLE}" in cloud.logged()
