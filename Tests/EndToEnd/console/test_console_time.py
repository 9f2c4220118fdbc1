"""The page about the clock and the errors on demand of the web console."""

import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import assume, client, refused
from cloud import BUCKET
from console import Reader, console_browser, follow, open_page, own_violations, press, text
from console_checks import PAYLOADS, check_pages, expect_harmless
from sandboxes import Sandbox


@pytest.fixture
def own(process):
    """A sandbox with the built-in seed, whose time and services a test may change."""
    with Sandbox.create(process) as sandbox:
        yield sandbox


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def clock(cloud):
    return cloud.control("GET", "clock")


def faults(cloud):
    return cloud.control("GET", "faults")["faults"]


@pytest.mark.parametrize("button, seconds", [("+5 min", 300), ("+1 h 5 min", 3900), ("+1 day", 86400)])
def test_time_passes_by_a_button(own, button, seconds):
    reader = Reader(own)
    reader.open("time")
    reader.press(button)
    assert "The time is moved." in reader.page.text and [age["age"] for age in clock(own)["ages"]] == [f"PT{seconds}S"]
    reader.press("Resume real time")
    assert clock(own)["ages"] == [] and clock(own)["mode"] == "running"


def test_the_clock_is_frozen_set_and_resumed(own, browser):
    open_page(browser, own, "time")
    press(browser, "Freeze")
    assert "stands still" in text(browser) and clock(own)["mode"] == "frozen"
    press(browser, "Let it run on")
    assert clock(own)["mode"] == "set" and "behind real time" in text(browser)
    field = browser.find_element(By.ID, "date")
    browser.execute_script("arguments[0].value = '2030-05-06T07:08:09'", field)
    press(browser, "Set")
    assert clock(own)["now"].startswith("2030-05-06T07:08:") and "ahead of real time" in text(browser)
    press(browser, "Resume real time")
    assert clock(own)["mode"] == "running" and "runs with real time" in text(browser)
    assert own_violations(browser) == []


def test_any_duration_and_date_can_be_typed_and_mistakes_are_said_in_their_place(own):
    reader = Reader(own)
    reader.open("time")
    reader.press("Pass", **{"for": "PT15M"})
    assert clock(own)["ages"][0]["age"] == "PT900S"
    reader.press("Pass", **{"for": "soon"})
    assert reader.status == 400 and "PT1H5M" in reader.page.text and 'value="soon"' in reader.page.text
    reader.press("Set", date="yesterday")
    assert reader.status == 400 and "must be a date" in reader.page.text
    reader.press("Set", date="2031-01-01T00:00")
    assert clock(own)["now"].startswith("2031-01-01T00:00:")


def test_what_expires_next_is_listed(own):
    reader = Reader(own)
    reader.open("time")
    assert "Nothing: there are no sessions" in reader.page.text
    assume(own, "google", own.token("google", "alice"), DurationSeconds=900)
    own.control("POST", "keys/rotate", {"provider": "company", "overlap": "PT1H"})
    reader.open("time")
    rows = [row.text_content() for row in html.fromstring(reader.page.text).xpath("//div[@aria-label='What expires next']//tbody/tr")]
    assert "Session" in rows[0] and "personal-files-google" in rows[0] and "Replaced key" in rows[1]
    reader.press("+5 min")
    rows = [row.text_content() for row in html.fromstring(reader.page.text).xpath("//div[@aria-label='What expires next']//tbody/tr")]
    assert "expires in 9 min" in rows[0] or "expires in 10 min" in rows[0]


def test_sts_is_throttled_twice_by_a_button(own, browser):
    open_page(browser, own, "time")
    press(browser, "STS throttles two calls")
    assert "Created." in text(browser) and "1 error on demand" in text(browser)
    for _ in range(2):
        with refused("Throttling", 400):
            client(own, "sts").get_caller_identity()
    assert client(own, "sts").get_caller_identity()["Account"]
    open_page(browser, own, "time")
    page = text(browser)
    assert "used up" in page and "2 of 2" in page
    press(browser, "Remove")
    assert faults(own) == [] and "There are none" in text(browser)
    assert own_violations(browser) == []


@pytest.mark.parametrize("button, rule", [
    ("S3 responds after two seconds", {"service": "s3", "latency_ms": 2000, "times": "always"}),
    ("The response to an upload is lost", {"service": "s3", "action": "PutObject", "connection": "answer", "times": 1})])
def test_presets_add_a_rule(own, button, rule):
    reader = Reader(own)
    reader.open("time")
    document = html.fromstring(reader.page.text)
    [value] = [found.get("value") for found in document.xpath("//button[@name='preset']") if found.text_content() == button]
    form = [form for form in reader.page.forms if form["action"].endswith("/time/preset")][0]
    reader._at(reader.session.post(form["action"], data=form["fields"] | {"preset": value}, headers={"Origin": own.url}))
    [added] = faults(own)
    assert rule.items() <= added.items()


def test_a_provider_cannot_be_reached(own):
    reader = Reader(own)
    reader.open("time")
    reader.press("Cannot be reached", provider="facebook")
    with refused("IDPCommunicationError", 400):
        assume(own, "facebook", own.token("facebook", "alice"))


def test_any_error_is_added_from_the_catalogue_or_as_an_own_one(own):
    reader = Reader(own)
    reader.open("time")
    codes = html.fromstring(reader.page.text).xpath("//select[@name='error']/optgroup[@label='s3']/option/@value")
    assert {"SlowDown", "NoSuchKey"} <= set(codes)
    reader.press("Add it", service="s3", action="GetObject", error="SlowDown", times="3", name="busy")
    reader.press("Add it", service="s3", action="PutObject", **{"own-code": "Teapot"}, status="418", message="short and stout", times="always", probability="50")
    first, second = faults(own)
    assert (first["error"]["code"], first["times"], first["name"]) == ("SlowDown", 3, "busy")
    assert second["error"] == {"code": "Teapot", "status": 418, "message": "short and stout"} and second["probability"] == 0.5
    with refused("SlowDown", 503):
        client(own, "s3").get_object(Bucket=BUCKET, Key="x")
    reader.open("time")
    assert "1 of 3" in reader.page.text and "by a chance of 50 %" in reader.page.text
    reader.press("Remove all errors")
    assert faults(own) == []


@pytest.mark.parametrize("fields, message", [
    ({}, "Add an effect"), ({"latency": "soon"}, "must be a number of seconds"), ({"error": "SlowDown", "times": "often"}, "must be a whole number"),
    ({"own-code": "Mine"}, "add its status"), ({"error": "SlowDown", "connection": "answer"}, "cannot be combined"),
    ({"error": "SlowDown", "probability": "200"}, "from 0 to 100")])
def test_a_rule_with_a_mistake_is_refused_and_shown_again(own, fields, message):
    reader = Reader(own)
    reader.open("time")
    reader.press("Add it", **({"name": "typed before"} | fields))
    assert reader.status == 400 and message in reader.page.text and 'value="typed before"' in reader.page.text
    assert faults(own) == []


def test_the_keyboard_is_enough(own, browser):
    open_page(browser, own, "time")
    button = browser.find_element(By.XPATH, "//button[normalize-space()='+5 min']")
    browser.execute_script("arguments[0].focus()", button)
    follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
    assert [age["age"] for age in clock(own)["ages"]] == ["PT300S"]


def prepared(cloud, browser):
    open_page(browser, cloud, "time")
    yield "time"
    assume(cloud, "google", cloud.token("google", "alice"))
    press(browser, "+1 h 5 min")
    assume(cloud, "google", cloud.token("google", "alice"))
    press(browser, "STS throttles two calls")
    cloud.control("POST", "faults", {"name": "a long name of a rule", "service": "s3", "action": "Put*", "caller": "arn:aws:iam::*:user/developer",
                                     "resource": "arn:aws:s3:::personal-files/*", "error": "SlowDown", "latency": "PT0.5S", "probability": 0.25})
    open_page(browser, cloud, "time")
    yield "time-moved"
    cloud.control("DELETE", "faults")
    press(browser, "Resume real time")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(cloud, scheme):
    check_pages(cloud, prepared, scheme)


def test_hostile_rules_stay_text(own, browser):
    for payload in PAYLOADS:
        own.control("POST", "faults", {
            "name": payload, "service": payload, "action": payload, "caller": payload, "resource": payload,
            "error": {"code": "Hostile", "status": 418, "message": payload}})
    open_page(browser, own, "time")
    expect_harmless(browser, "rules")
    reader = Reader(own)
    for number, payload in enumerate(PAYLOADS):
        reader.open("time")
        reader.press("Add it", service=payload, action=payload, error=payload, latency=payload, name=payload, message=payload)
        assert reader.status == 400 and "<script>window" not in reader.page.text and "<img" not in reader.page.text, payload
        reader.press("Pass", **{"for": payload})
        assert "<script>window" not in reader.page.text and "<img" not in reader.page.text, payload
