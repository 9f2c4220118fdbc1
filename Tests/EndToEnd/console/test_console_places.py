"""The script of the console wherever its pages are shown: at loopback, at a name over plain HTTP, and at a name over TLS. Over plain HTTP,
browsers report neither `Sec-Fetch-Site` nor `Origin` with a script's reads of its own origin, and have no `navigator.clipboard`."""

import contextlib
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from cloud import free_port
from console import CONSOLE, console_browser, follow, log_in, own_violations, press, text
from hostile_pages import foreign_site
from navigation import patiently
from ridgeline import SEED as RIDGELINE
from school import School, classroom, state
from test_console_access import TOKEN, sign_in

PLACES = ["loopback", "name over HTTP", "name over TLS"]
# Set to keep pictures of what the browsers show.
PICTURES = os.environ.get("VIRGA_TEST_PICTURES")


def keep_picture(browser, name):
    if PICTURES:
        browser.save_screenshot(str(Path(PICTURES) / f"{name}.png"))


@contextlib.contextmanager
def console_at(place, *arguments):
    """Yields a process, the origin of its console at a place, and a browser that has signed in there."""
    port = free_port()
    with School.ephemeral("--control-token", TOKEN, "--console-port", port, "--tls-port", 0, "--alias", "teacher", *arguments,
                          listeners=2) as cloud, console_browser(hosts=["teacher"], accepts_certificates=True) as browser:
        secure = next(url for url in cloud.urls if url.startswith("https:"))
        origin = {"loopback": f"http://127.0.0.1:{port}", "name over HTTP": f"http://teacher:{port}",
                  "name over TLS": f"https://teacher:{urlsplit(secure).port}"}[place]
        browser.get(origin + CONSOLE)
        sign_in(browser, TOKEN)
        trustworthy = browser.execute_script("return [isSecureContext, Boolean(navigator.clipboard)]")
        assert trustworthy == [place != "name over HTTP"] * 2
        yield cloud, origin, browser
        assert cloud.stop() == 0, cloud.logged()


def go(browser, origin, path):
    browser.get(origin + CONSOLE + path)


def copied(browser, button):
    """Presses a button that copies, and returns what a paste gives."""
    button.click()
    patiently(browser).until(lambda driver: button.text == "Copied")
    assert browser.switch_to.active_element == button, "the focus stays"
    browser.execute_script("""const area = document.createElement('textarea'); area.id = 'pasted'
        document.getElementById('pasted')?.remove(); document.querySelector('main').append(area); area.focus()""")
    area = browser.find_element(By.ID, "pasted")
    area.send_keys(Keys.CONTROL, "v")
    patiently(browser).until(lambda driver: area.get_attribute("value"))
    return area.get_attribute("value")


def buttons_to_copy(browser):
    """Returns the copy buttons, each with the text that it copies."""
    buttons = browser.find_elements(By.CSS_SELECTOR, "[data-copy]")
    return [(button, browser.execute_script("return document.getElementById(arguments[0]).textContent", button.get_attribute("data-copy")))
            for button in buttons]


@pytest.mark.parametrize("place", PLACES)
def test_scripts_work_wherever_pages_do(place):
    with console_at(place) as (cloud, origin, browser):
        # Live rows of the journal, and the pause.
        go(browser, origin, "journal")
        patiently(browser).until(lambda driver: driver.find_element(By.ID, "connection").text == "live")
        requests.get(f"{cloud.url}/personal-files")
        patiently(browser).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "tr.fresh"))
        assert "ListObjects" in browser.find_element(By.CSS_SELECTOR, "tr.fresh").text
        browser.find_element(By.CSS_SELECTOR, "[data-pause]").click()
        assert browser.find_element(By.ID, "connection").text == "paused"
        # Filters apply at once, and empty fields stay away.
        follow(browser, browser.find_element(By.NAME, "denied").click)
        assert urlsplit(browser.current_url).query == "denied=true"
        # The class view.
        cloud.control("PUT", "class", {})
        go(browser, origin, "sandboxes/class")
        patiently(browser).until(lambda driver: driver.find_element(By.ID, "connection").text == "· live")
        cloud.control("POST", "class/students", {"names": ["Anna"]})
        patiently(browser).until(lambda driver: "Anna" in text(driver))
        # The clock, a question before a destructive button, and copying.
        go(browser, origin, "")
        shown = browser.find_element(By.CSS_SELECTOR, "time[data-clock]").text
        patiently(browser).until(lambda driver: driver.find_element(By.CSS_SELECTOR, "time[data-clock]").text != shown)
        # The implicit flow returns in the fragment, a countdown runs, and a token is copied.
        go(browser, origin, "playground")
        follow(browser, browser.find_element(By.LINK_TEXT, "Use the implicit flow").click)
        follow(browser, browser.find_element(By.CSS_SELECTOR, "button[name=person][value=alice]").click)
        browser.find_element(By.CSS_SELECTOR, "button[name=action][value=allow]").click()
        patiently(browser).until(lambda driver: "Alice Archer has an access_token" in text(driver))
        assert browser.current_url.startswith(f"{origin}{CONSOLE}playground/")
        left = browser.find_element(By.CSS_SELECTOR, "[data-remaining]").text
        patiently(browser).until(lambda driver: driver.find_element(By.CSS_SELECTOR, "[data-remaining]").text != left)
        browser.find_element(By.XPATH, "//button[normalize-space()='Forget this walk'] | //form[@data-confirm]//button").click()
        browser.switch_to.alert.dismiss()
        assert "Alice Archer has an access_token" in text(browser)
        assert own_violations(browser) == []


@pytest.mark.parametrize("place", PLACES)
def test_every_copy_button_copies(place):
    with console_at(place) as (cloud, origin, browser):
        cloud.control("PUT", "class", {})
        cloud.control("POST", "class/students", {"names": ["Anna"]})
        seen = 0
        for path in ["", "journal", "playground", "tokens", "policies", "store", "identity", "mobile", "time", "sandboxes", "sandboxes/class",
                     "sandboxes/class/links", "sandboxes/named/default"]:
            go(browser, origin, path)
            for button, expected in buttons_to_copy(browser):
                # Opening a fold may close another one, and choosing a tab hides another part.
                browser.execute_script(
                    "const panel = arguments[0].closest('.panel'); if (panel) panel.previousElementSibling.firstElementChild.checked = true", button)
                browser.execute_script(
                    "for (let fold = arguments[0].closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true", button)
                assert button.is_displayed(), path
                assert copied(browser, button) == expected, path
                seen += 1
            assert own_violations(browser) == [], path
        assert seen >= 5


@pytest.mark.parametrize("place", PLACES)
def test_scripts_of_the_mobile_cloud_work_wherever_pages_do(place, tmp_path):
    file = tmp_path / "policies.properties"
    file.write_text("*.*.Security_AllowOrigin=https://app.example\n")
    with console_at(place, "--seed", RIDGELINE) as (cloud, origin, browser):
        go(browser, origin, "mobile/policies")
        browser.find_element(By.CSS_SELECTOR, "input[data-into=import-file]").send_keys(str(file))
        patiently(browser).until(lambda driver: driver.find_element(By.ID, "import-file").get_attribute("value") == file.read_text())
        press(browser, "Import policies")
        assert cloud.control("GET", "mobile/policies/Security_AllowOrigin")["value"] == "https://app.example"
        assert own_violations(browser) == []


def test_a_class_works_at_a_name_over_plain_http():
    with classroom(limit=5) as school, contextlib.ExitStack() as stack:
        origin = f"http://teacher:{urlsplit(school.console.url).port}"
        teacher, anna, ben = [stack.enter_context(console_browser(hosts=["teacher"])) for _ in range(3)]
        go(teacher, origin, "")
        sign_in(teacher, TOKEN)
        go(teacher, origin, "sandboxes/class")
        patiently(teacher).until(lambda driver: driver.find_element(By.ID, "connection").text == "· live")
        link = f"join?code={school.control('GET', 'class')['class']['code']}"
        for browser, name in [(anna, "Anna"), (ben, "Ben")]:
            go(browser, origin, link)
            browser.find_element(By.ID, "name").send_keys(name)
            press(browser, "Join")
            assert state(school, name)["sandbox"] in text(browser)
            patiently(teacher).until(lambda driver: name in text(driver))
        # Each student logs in; one reads a file, and the other is refused.
        for browser in [anna, ben]:
            follow(browser, browser.find_element(By.LINK_TEXT, "Start a walk").click)
            log_in(browser)
            press(browser, "Get credentials")
        press(anna, "Read")
        press(ben, "Try to read")

        def reached(name):
            tile = teacher.find_element(By.CSS_SELECTOR, f"[data-sandbox='{state(school, name)['sandbox']}']")
            return [step.get_attribute("data-step") for step in tile.find_elements(By.CSS_SELECTOR, "[data-step].reached")]

        patiently(teacher).until(lambda driver: reached("Anna") == ["login", "credentials", "read"])
        patiently(teacher).until(lambda driver: reached("Ben") == ["login", "credentials", "refused"])
        assert "AccessDenied" in text(teacher)
        assert teacher.find_element(By.ID, "connection").text == "· live"
        keep_picture(teacher, "class")
        # The journal of each student is live, and shows the own sandbox alone.
        for browser, name in [(anna, "Anna"), (ben, "Ben")]:
            go(browser, origin, "journal")
            patiently(browser).until(lambda driver: driver.find_element(By.ID, "connection").text == "live")
            rows = len(browser.find_elements(By.CSS_SELECTOR, "tr[data-number]"))
            sandbox = state(school, name)["sandbox"]
            requests.get(f"{school.url}/personal-files", headers={"x-virga-sandbox": sandbox})
            patiently(browser).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "tr.fresh"))
            assert len(browser.find_elements(By.CSS_SELECTOR, "tr[data-number]")) > rows
            keep_picture(browser, f"journal-{name}")
            # Each copies how clients reach the sandbox.
            go(browser, origin, "")
            button, expected = next(pair for pair in buttons_to_copy(browser) if pair[0].is_displayed())
            assert copied(browser, button) == expected
            keep_picture(browser, f"copied-{name}")
            assert own_violations(browser) == []
        go(teacher, origin, "sandboxes/class")
        button, expected = next(pair for pair in buttons_to_copy(teacher) if pair[0].is_displayed())
        assert copied(teacher, button) == expected
        assert own_violations(teacher) == []


# What a page of another origin tries with the token of a page of the console, which it cannot have, and with the cookies of the browser.
ATTACK = """
const report = window.report = {}
const attempt = async (name, act) => { try { report[name] = String(await act()) } catch (error) { report[name] = error.name } }
const url = %(url)s, token = %(token)s
const loaded = element => new Promise(resolve => { element.onload = element.onerror = () => resolve('sent'); document.body.append(element) })
const made = (name, attributes) => Object.assign(document.createElement(name), attributes)
const posted = (path, type) => {
  const frame = made('iframe', {name: 'answer' + Math.random()}), done = loaded(frame)
  const form = made('form', {method: 'post', action: url + path, target: frame.name, enctype: type})
  form.append(made('input', {name: '{"form":"', value: '"}'}))
  document.body.append(form); form.submit()
  return done
}
;(async () => {
  for (const path of ['/_virga/sandboxes?progress=true', '/_virga/journal', '/_virga/journal/capture', '/_virga/class'])
    for (const mode of ['cors', 'no-cors', 'same-origin'])
      for (const headers of [{}, {'x-virga-console': token}])
        for (const method of ['GET', 'POST', 'PUT'])
          await attempt(`${method} ${path} ${mode} ${Object.keys(headers)}`, () =>
            fetch(url + path, {method, mode, headers, credentials: 'include'}).then(answer => answer.text()))
  await attempt('image', () => loaded(made('img', {src: url + '/_virga/journal'})))
  await attempt('script', () => loaded(made('script', {src: url + '/_virga/journal'})))
  await attempt('frame', () => loaded(made('iframe', {src: url + '/_virga/ui/'})))
  await attempt('form', () => posted('/_virga/reset', 'text/plain'))
  await attempt('console form', () => posted('/_virga/ui/reset', 'application/x-www-form-urlencoded'))
  await attempt('event source', () => new Promise(resolve => {
    const source = new EventSource(url + '/_virga/journal', {withCredentials: true})
    source.onopen = () => resolve('opened'); source.onerror = () => { source.close(); resolve('sent') } }))
  await attempt('web socket', () => new Promise(resolve => {
    const socket = new WebSocket(url.replace('http', 'ws') + '/_virga/journal')
    socket.onopen = () => resolve('opened'); socket.onerror = () => resolve('sent') }))
  await attempt('worker', () => navigator.serviceWorker.register(url + '/_virga/ui/assets/console.js').then(() => 'registered'))
  window.finished = true
})()
"""


@pytest.mark.parametrize("attacker", ["teacher", "evil.teacher", "evil.example"], ids=["another port", "a name below", "another site"])
def test_pages_of_other_origins_achieve_nothing_at_a_name_over_plain_http(attacker):
    with classroom(limit=5) as school, foreign_site() as (port, pages), \
            console_browser(hosts=["teacher", "evil.teacher", "evil.example"]) as browser:
        origin = f"http://teacher:{urlsplit(school.console.url).port}"
        go(browser, origin, "")
        sign_in(browser, TOKEN)
        token = browser.find_element(By.CSS_SELECTOR, "meta[name=virga-token]").get_attribute("content")
        generation = school.control("GET", "info")["generation"]
        script = ATTACK % {"url": json.dumps(origin), "token": json.dumps(token)}
        pages["/evil.html"] = f"<!doctype html><title>evil</title><body><script>{script}</script></body>"
        browser.get(f"http://{attacker}:{port}/evil.html")
        patiently(browser).until(lambda driver: driver.execute_script("return window.finished === true"))
        report = browser.execute_script("return window.report")
        assert len(report) == 72 + 8
        for name, outcome in report.items():
            # The body of a response to `no-cors` is empty for scripts; a refusal may be read by pages, which need the token of the API.
            assert outcome in ("", "sent", "TypeError", "SecurityError") or "token_missing" in outcome or "method_not_allowed" in outcome, (
                name, outcome)
        assert school.control("GET", "info")["generation"] == generation
        assert school.control("GET", "journal/capture") == {"capture": None}
        # The page itself still may.
        go(browser, origin, "journal")
        patiently(browser).until(lambda driver: driver.find_element(By.ID, "connection").text == "live")
