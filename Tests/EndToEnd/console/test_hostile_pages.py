"""Pages in a browser cannot act with the cloud's own origin: neither a foreign site nor a document in a bucket. Chromium runs every
attempt. The journal shows which of them arrived, and the cloud's state shows that none had an effect."""

import json

import pytest
import requests
from botocore.config import Config
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import url_contains

from clients import client
from cloud import Cloud, Endpoint
from hostile_pages import KINDS, document, foreign_site, signed_call, upload_form
from navigation import patiently
from test_browser import authorization_url

REFUSED = "page_refused"


@pytest.fixture
def victim(cloud, root, bucket):
    """A bucket with data to lose, and with the files of an attack."""
    root.put_object(Bucket=bucket, Key="canary", Body=b"alive")
    root.put_object(Bucket=bucket, Key="worker.js", Body=b"onfetch = () => {}", ContentType="text/javascript")
    return bucket


@pytest.fixture
def site():
    with foreign_site() as site:
        yield site


def plan_of(cloud, browser, root, bucket, control=None):
    """The data that a page needs. The form's token is genuine, of the same browser, as if it had been stolen."""
    _, login = authorization_url(cloud)
    browser.get(login)
    form = browser.find_element(By.NAME, "form").get_attribute("value")
    return {
        "cloud": cloud.url, "control": control or f"{cloud.url}/_virga", "login": login, "form": form,
        "calls": {method: signed_call(cloud, method, Action="CreateUser", UserName=f"mallory-{method}") for method in ["GET", "POST"]},
        "worker": root.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "worker.js"})}


def run(browser, url):
    """Opens a page and returns the report of its script."""
    browser.get(url)
    patiently(browser).until(lambda driver: driver.execute_script("return window.finished === true"))
    return browser.execute_script("return window.report")


def journal(cloud, **parameters):
    return cloud.control("GET", "journal", params={"limit": 1000} | parameters)["entries"]


def expect_untouched(cloud, root, bucket):
    """Expects that nothing was reset, moved, issued, created or uploaded."""
    assert {entry["Key"] for entry in root.list_objects_v2(Bucket=bucket)["Contents"]} <= {"canary", "page", "worker.js"}
    assert root.get_object(Bucket=bucket, Key="canary")["Body"].read() == b"alive"
    clock = cloud.control("GET", "clock")
    assert clock["mode"] == "running" and not clock["ages"]
    assert not [user for user in client(cloud, "iam").list_users()["Users"] if user["UserName"].startswith("mallory")]
    assert {entry["status"] for entry in journal(cloud, operation="/tokens")} <= {401, 403}
    assert [entry["status"] for entry in journal(cloud, operation="/reset")].count(200) == 1, "the test's own"
    assert not [entry for entry in journal(cloud, face="company") if entry["caller"]], "nobody logged in"


def expect_arrived(cloud, browser, report):
    """Expects that the attempts arrived, each was refused, and no script could read anything."""
    assert len(report) == 24
    seen = {(entry["method"], entry["target"].partition("?")[0]): entry for entry in journal(cloud, error=REFUSED)}
    for call in [("POST", "/_virga/reset"), ("POST", "/_virga/tokens"), ("POST", "/_virga/clock"), ("GET", "/_virga/journal"),
                 ("OPTIONS", "/_virga/tokens"), ("OPTIONS", "/_virga/reset"), ("GET", "/idp/company/authorize")]:
        assert seen[call]["status"] == 403, call
    # It was sent from another window, which may take longer than the page.
    forms = patiently(browser).until(lambda _: journal(cloud, error="foreign_form"))
    assert [(entry["method"], entry["target"]) for entry in forms] == [("POST", "/idp/company/sign-in")]
    calls = journal(cloud, face="iam", error="AccessDenied")
    assert {entry["method"] for entry in calls} == {"GET", "POST"} and all("mallory" in entry["target"] for entry in calls)
    for name, outcome in report.items():
        assert outcome in {"", "opaque", "sent", "TypeError", "SecurityError", "NotSupportedError"}, (name, outcome)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["another site", "another port"])
def test_a_foreign_page_opens_nothing(cloud, root, victim, browser, site, host):
    port, pages = site
    pages["/page"] = document("html", plan_of(cloud, browser, root, victim))
    report = run(browser, f"http://{host}:{port}/page")
    # The document may use its own cookies and storage.
    report.pop("cookies"), report.pop("storage")
    expect_arrived(cloud, browser, report | {"cookies": "", "storage": ""})
    expect_untouched(cloud, root, victim)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_in_a_bucket_opens_nothing(cloud, root, victim, browser, kind):
    root.put_object(Bucket=victim, Key="page", ContentType=KINDS[kind], Body=document(kind, plan_of(cloud, browser, root, victim)))
    report = run(browser, root.generate_presigned_url("get_object", Params={"Bucket": victim, "Key": "page"}))
    expect_arrived(cloud, browser, report)
    assert (report["cookies"], report["storage"], report["worker"]) == ("SecurityError",) * 3
    expect_untouched(cloud, root, victim)


def test_a_document_in_a_bucket_of_a_host_of_its_own_is_as_in_s3(cloud, root, victim, browser):
    """The document keeps its origin, which differs from those of the control API and the logins: at that host these are keys of objects."""
    host = f"http://s3.localhost:{cloud.port}"
    plan = plan_of(cloud, browser, root, victim, control=f"http://{victim}.s3.localhost:{cloud.port}/_virga")
    root.put_object(Bucket=victim, Key="page", ContentType="text/html", Body=document("html", plan))
    s3 = client(Endpoint(host, None), "s3", config=Config(s3={"addressing_style": "virtual"}))
    url = s3.generate_presigned_url("get_object", Params={"Bucket": victim, "Key": "page"})
    assert url.startswith(f"http://{victim}.s3.localhost")
    answer = requests.get(url.replace(f"{victim}.s3.localhost", "127.0.0.1"), headers={
        "Host": f"{victim}.s3.localhost:{cloud.port}", "User-Agent": "Mozilla/5.0"})
    assert answer.status_code == 200 and "Content-Security-Policy" not in answer.headers
    report = run(browser, url)
    assert report["storage"] == "kept", "the script has its origin"
    assert "<Code>AccessDenied</Code>" in report["journal cors"], "the script reads its own origin"
    assert "AccessDenied" in report["journal frame"] and "AccessDenied" in report["journal window"]
    expect_untouched(cloud, root, victim)
    assert {entry["face"] for entry in journal(cloud, path="/_virga/journal", error="AccessDenied")} == {"s3"}


def test_a_form_that_everybody_could_sign_uploads_nothing(cloud, root, victim, browser, site):
    port, pages = site
    target = root.generate_presigned_url("get_object", Params={"Bucket": victim, "Key": "uploaded"})
    pages["/page"] = upload_form(cloud, victim, "uploaded", "hostile", redirect=target)
    browser.get(f"http://localhost:{port}/page")
    browser.find_element(By.NAME, "go").click()
    patiently(browser).until(url_contains(cloud.url))
    assert "--allow-foreign-pages" in browser.page_source and "AccessDenied" in browser.page_source
    assert journal(cloud, operation="PostObject")[0]["status"] == 403
    expect_untouched(cloud, root, victim)


def test_a_form_of_a_page_that_the_bucket_allows_is_taken(cloud, root, victim, browser, site):
    port, pages = site
    origin = f"http://localhost:{port}"
    root.put_bucket_cors(Bucket=victim, CORSConfiguration={"CORSRules": [{"AllowedMethods": ["POST"], "AllowedOrigins": [origin]}]})
    pages["/page"] = upload_form(cloud, victim, "uploaded", "harmless", redirect=f"{origin}/done")
    browser.get(f"{origin}/page")
    browser.find_element(By.NAME, "go").click()
    patiently(browser).until(url_contains("/done?"))
    assert root.get_object(Bucket=victim, Key="uploaded")["Body"].read() == b"harmless"


def test_a_form_with_a_key_of_ones_own_is_taken(cloud, root, victim, browser, site):
    iam = client(cloud, "iam")
    iam.create_user(UserName="app")
    iam.attach_user_policy(UserName="app", PolicyArn="arn:aws:iam::aws:policy/AmazonS3FullAccess")
    key = iam.create_access_key(UserName="app")["AccessKey"]
    port, pages = site
    origin = f"http://localhost:{port}"
    pages["/page"] = upload_form(
        cloud, victim, "uploaded", "harmless", redirect=f"{origin}/done", aws_access_key_id=key["AccessKeyId"],
        aws_secret_access_key=key["SecretAccessKey"])
    browser.get(f"{origin}/page")
    browser.find_element(By.NAME, "go").click()
    patiently(browser).until(url_contains("/done?"))
    assert root.get_object(Bucket=victim, Key="uploaded")["Body"].read() == b"harmless"


def test_a_person_looks_into_the_journal(cloud, browser, root):
    root.list_buckets()
    browser.get(f"{cloud.url}/_virga/journal")
    assert "ListBuckets" in browser.page_source


def test_documents_of_a_bucket_still_work(cloud, root, bucket, browser):
    """Scripts, images and links of documents that users store in a bucket."""
    page = "<!doctype html><title>mine</title><script>document.title = 'ran'</script><a href='other.html' target='_blank'>other</a>"
    for key in ["a.html", "other.html"]:
        root.put_object(Bucket=bucket, Key=key, Body=page, ContentType="text/html")
    root.delete_public_access_block(Bucket=bucket)
    root.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/*"}]}))
    browser.get(f"{cloud.url}/{bucket}/a.html")
    assert browser.title == "ran"
    browser.find_element(By.LINK_TEXT, "other").click()
    patiently(browser).until(lambda driver: len(driver.window_handles) == 2)
    browser.switch_to.window(browser.window_handles[1])
    patiently(browser).until(lambda driver: driver.title == "ran")
    assert browser.current_url.endswith("/other.html")


def test_the_switch_admits_pages(environment_of_the_tests):
    with Cloud.ephemeral("--allow-foreign-pages") as cloud:
        url = signed_call(cloud, Action="CreateUser", UserName="known")
        assert requests.get(url, headers={"Origin": "https://a.example"}).status_code == 200


def test_a_page_with_the_control_token_uses_the_control_api(browser, environment_of_the_tests, site):
    port, pages = site
    pages["/page"] = "<!doctype html><title>tool</title>"
    with Cloud.ephemeral("--control-token", "s3cret") as cloud:
        browser.get(f"http://127.0.0.1:{port}/page")
        ask = """
            const [url, token, done] = arguments
            fetch(url, {method: 'POST', headers: {Authorization: 'Bearer ' + token}}).then(answer => answer.json()).then(done)"""
        assert browser.execute_async_script(ask, f"{cloud.url}/_virga/reset", "s3cret") == {"status": "ok"}
        assert browser.execute_async_script(ask, f"{cloud.url}/_virga/reset", "guess")["error"] == "token_wrong"
