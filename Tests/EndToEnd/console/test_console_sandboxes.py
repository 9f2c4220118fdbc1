"""The console's list of sandboxes and snapshots, and the console within a sandbox."""

import re

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import client
from cloud import BUCKET, Cloud
from console import CONSOLE, Reader, console_browser, follow, open_link, open_page, own_violations, press, text
from console_checks import PAYLOADS, check_pages, expect_harmless
from sandboxes import Sandbox
from test_console_access import TOKEN, sign_in


@pytest.fixture
def own():
    """A process without other sandboxes."""
    with Cloud.ephemeral() as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def reader(own):
    return Reader(own)


def names(cloud):
    return [found["name"] for found in cloud.control("GET", "sandboxes")["sandboxes"]]


def content(cloud, name):
    port = cloud.control("GET", f"sandboxes/{name}")["portURL"]

    class At:
        url, authority = port, None

    return [found["Key"] for found in client(At, "s3").list_objects_v2(Bucket=BUCKET).get("Contents", [])], At


def test_a_sandbox_is_created_opened_and_deleted_by_clicks(own):
    with console_browser() as browser:
        open_page(browser, own, "sandboxes")
        assert "There is only the default sandbox." in text(browser)
        browser.find_element(By.ID, "name").send_keys("worker-1")
        press(browser, "Create")
        assert "Created." in text(browser) and names(own) == ["default", "worker-1"]
        open_link(browser, "Open the console")
        assert browser.current_url.startswith(own.control("GET", "sandboxes/worker-1")["portURL"])
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == "worker-1"
        open_page(browser, own, "sandboxes/named/worker-1")
        browser.find_element(By.XPATH, "//summary[text()='Delete this sandbox']").click()
        browser.find_element(By.ID, "word").send_keys("worker-1")
        press(browser, "Delete")
        assert "Deleted." in text(browser) and names(own) == ["default"]
        assert own_violations(browser) == []


def test_state_is_kept_restored_forked_and_reset_without_scripts(own, reader):
    reader.open("sandboxes")
    reader.press("Create", name="a", **{"from": "seed", "port": "true"})
    before, at = content(own, "a")
    client(at, "s3").put_object(Bucket=BUCKET, Key="kept", Body=b"x")
    reader.press("Take the snapshot", name="base")
    assert "The snapshot is taken." in reader.page.text
    client(at, "s3").delete_object(Bucket=BUCKET, Key="kept")
    reader.press("Restore", snapshot="base")
    assert "kept" in content(own, "a")[0]
    reader.press("Fork", name="b")
    assert reader.page.url.split("?")[0].endswith("/sandboxes/named/b") and "kept" in content(own, "b")[0]
    reader.press("Reset")
    assert content(own, "b")[0] == before and "kept" in content(own, "a")[0]
    reader.open("sandboxes")
    reader.press("Create", name="c", **{"from": "base", "port": "true"})
    assert "kept" in content(own, "c")[0]
    reader.open("sandboxes")
    reader.press("Delete")
    assert own.control("GET", "snapshots") == {"snapshots": []}


def test_a_deletion_needs_the_name(own, reader):
    own.control("POST", "sandboxes", {"name": "kept"})
    reader.open("sandboxes/named/kept")
    reader.press("Delete", word="other")
    assert "Nothing was changed." in reader.page.text and "kept" in names(own)
    reader.open("sandboxes/named/default")
    assert "Delete this sandbox" not in reader.page.text


@pytest.mark.parametrize("name, message", [("Upper", "is not a valid name"), ("s3", "is reserved"), ("twice", "Use PUT"), ("-", "not a valid name")])
def test_refusals_of_names_are_shown(own, reader, name, message):
    own.control("POST", "sandboxes", {"name": "twice"})
    reader.open("sandboxes")
    reader.press("Create", name=name)
    assert reader.status == 400 and message in reader.page.text
    assert sorted(names(own)) == ["default", "twice"]


def test_a_sandbox_is_downloaded_as_a_seed_that_fills_another_one(own, reader):
    own.control("POST", "sandboxes", {"name": "a", "port": True})
    _, at = content(own, "a")
    client(at, "s3").create_bucket(Bucket="made-by-hand")
    reader.open("sandboxes/named/a")
    answer = reader.link("Download as a seed")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="seed.json5"'
    with Cloud.ephemeral() as other:
        copy = other.control("POST", "sandboxes", {"name": "copy", "port": True, "from": {"seed": answer.json()}})
        assert copy["name"] == "copy"
        found = requests.get(f"{copy['portURL']}/_virga/seed").json()
        assert "made-by-hand" in [bucket["name"] for account in found["accounts"] for bucket in account.get("buckets", [])]


def test_calls_of_a_sandbox_by_name(own):
    own.control("POST", "sandboxes", {"name": "a", "port": True})
    _, at = content(own, "a")
    client(at, "s3").create_bucket(Bucket="soon-gone")
    seed = own.control("GET", "sandboxes/a/seed")
    assert "soon-gone" in [bucket["name"] for account in seed["accounts"] for bucket in account.get("buckets", [])]
    assert own.control("POST", "sandboxes/a/reset") == {"status": "ok"}
    assert "soon-gone" not in str(own.control("GET", "sandboxes/a/seed"))
    for method, path in [("GET", "sandboxes/none/seed"), ("POST", "sandboxes/none/reset")]:
        assert requests.request(method, f"{own.url}/_virga/{path}").status_code == 404
    assert requests.get(f"{own.url}/_virga/sandboxes?other=1").json()["error"] == "unknown_parameter"
    assert requests.get(f"{own.url}/_virga/sandboxes?progress=1").json()["error"] == "malformed_parameter"


def test_the_keyboard_alone_creates_a_sandbox(own):
    with console_browser() as browser:
        open_page(browser, own, "sandboxes")
        field = browser.find_element(By.ID, "name")
        for _ in range(60):
            if browser.switch_to.active_element == field:
                break
            browser.switch_to.active_element.send_keys(Keys.TAB)
        field = browser.switch_to.active_element
        assert field.get_attribute("id") == "name"
        field.send_keys("keys-only")
        follow(browser, lambda: field.send_keys(Keys.ENTER))
        assert "keys-only" in names(own)


def test_the_teacher_opens_a_sandbox_without_another_sign_in():
    with Cloud.ephemeral("--control-token", TOKEN) as cloud, console_browser() as browser:
        requests.post(f"{cloud.url}/_virga/sandboxes", json={"name": "a", "port": True}, headers={"Authorization": f"Bearer {TOKEN}"})
        open_page(browser, cloud)
        sign_in(browser, TOKEN)
        open_page(browser, cloud, "sandboxes/named/a")
        link = browser.find_element(By.LINK_TEXT, "Open the console").get_attribute("href")
        assert TOKEN not in link
        open_link(browser, "Open the console")
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == "a" and "ticket" not in browser.current_url
        # A ticket works once, and only at its own sandbox.
        for used in [link, link.replace("/enter?ticket=", "/enter?ticket=x")]:
            assert Reader(cloud).open(used).url.endswith("/sign-in")
        open_link(browser, "Back to the class")
        assert browser.current_url == f"{cloud.url}{CONSOLE}sandboxes/class"
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == "default"
        assert cloud.stop() == 0


def test_a_ticket_of_one_sandbox_opens_no_other_one():
    with Cloud.ephemeral("--control-token", TOKEN) as cloud:
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        made = [requests.post(f"{cloud.url}/_virga/sandboxes", json={"name": name, "port": True}, headers=bearer).json() for name in "ab"]
        reader = Reader(cloud)
        reader.open()
        reader.press("Sign in", token=TOKEN)
        reader.open("sandboxes/named/a")
        [ticket] = [url for url, _ in reader.page.links if "/enter?ticket=" in url]
        wrong = ticket.replace(made[0]["portURL"], made[1]["portURL"])
        assert Reader(cloud).open(wrong).url.endswith("/sign-in")
        assert Reader(cloud).open(ticket).url == made[0]["portURL"] + CONSOLE
        assert cloud.stop() == 0


def prepared(cloud, browser):
    open_page(browser, cloud, "sandboxes")
    yield "sandboxes-empty"
    cloud.control("PUT", "sandboxes/worker-1", {"port": True})
    cloud.control("PUT", "sandboxes/a-name-of-forty-characters-as-long-as-is", {"port": True, "expires": "PT2H"})
    cloud.control("POST", "sandboxes/worker-1/snapshots", {"name": "logged-in", "replace": True})
    open_page(browser, cloud, "sandboxes")
    yield "sandboxes"
    _, at = content(cloud, "worker-1")
    with pytest.raises(Exception, match="InvalidAccessKeyId"):
        client(at, "s3", aws_access_key_id="AKIAUNKNOWN", aws_secret_access_key="x").list_buckets()
    open_page(browser, cloud, "sandboxes/named/worker-1")
    yield "sandbox"
    open_page(browser, cloud, "sandboxes/named/none")
    yield "sandbox-unknown"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(own, scheme):
    check_pages(own, prepared, scheme)


def test_hostile_text_stays_text(own):
    own.control("POST", "sandboxes", {"name": "a", "port": True})
    at = own.control("GET", "sandboxes/a")["portURL"]
    with console_browser() as browser:
        for number, payload in enumerate(PAYLOADS):
            requests.put(f"{at}/personal-files/x", headers={"Authorization": f"AWS {payload}:x".encode().replace(b"\n", b"")})
            if number % 4 == 0:
                open_page(browser, own, "sandboxes/named/a")
                expect_harmless(browser, payload)
        open_page(browser, own, "sandboxes")
        expect_harmless(browser, "list")


def test_reading_pages_changes_nothing(own):
    own.control("POST", "sandboxes", {"name": "a"})
    own.control("POST", "sandboxes/a/snapshots", {"name": "base"})

    def state():
        return [(found["name"], found["created"], found["from"]) for found in own.control("GET", "sandboxes")["sandboxes"]], own.control("GET", "snapshots")

    before = state()
    for path in ["sandboxes", "sandboxes/named/a", "sandboxes/named/a/seed", "sandboxes/class", "sandboxes/class/links", "join", "enter?ticket=x",
                 "sandboxes/named/a/delete", "sandboxes/named/a/reset"]:
        requests.get(own.url + CONSOLE + path)
    assert state() == before


def test_the_token_of_a_page_is_not_valid_in_a_later_sandbox_of_the_same_name(own):
    def token_of_page(sandbox):
        return re.search('virga-token" content="([^"]+)"', Reader(sandbox).open().text)[1]

    def status(sandbox, token):
        headers = {"User-Agent": "Mozilla/5.0", "Sec-Fetch-Site": "same-origin", "x-virga-console": token}
        return requests.get(f"{sandbox.url}/_virga/journal", headers=headers).status_code

    with Sandbox.create(own, "again") as first:
        earlier = token_of_page(first)
        assert status(first, earlier) == 200
    with Sandbox.create(own, "again") as second:
        assert status(second, earlier) == 403
        assert status(second, token_of_page(second)) == 200
