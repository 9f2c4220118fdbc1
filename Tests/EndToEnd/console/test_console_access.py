"""Who may use the web console: sign-in, its own port, and pages that attack it from a bucket or another site."""

import html
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By

from cloud import Cloud, free_port
from clients import client
from console import CONSOLE, Reader, console_browser, follow, open_page, own_violations, press, text
from hostile_pages import foreign_site
from navigation import chromium, patiently
from port_mapping import published

TOKEN = "the-control-token"
NAVIGATION = {"User-Agent": "Mozilla/5.0", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.fixture
def guarded():
    with Cloud.ephemeral("--control-token", TOKEN) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def sign_in(browser, token):
    browser.find_element(By.ID, "token").send_keys(token)
    press(browser, "Sign in")


def test_the_control_token_signs_in_until_sign_out(guarded, browser):
    open_page(browser, guarded)
    sign_in(browser, "wrong")
    assert "This is not the control token." in text(browser)
    sign_in(browser, TOKEN)
    assert browser.find_element(By.TAG_NAME, "h1").text == "Home"
    cookie = browser.get_cookie(f"virga-console-{guarded.port}")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and TOKEN not in cookie["value"]
    open_page(browser, guarded, "journal")
    client(guarded, "s3").list_buckets()
    patiently(browser).until(lambda driver: "s3 ListBuckets" in text(driver))
    press(browser, "Sign out", within="//header")
    assert "Sign in" in text(browser)
    browser.add_cookie({"name": cookie["name"], "value": cookie["value"], "path": "/_virga/"})
    open_page(browser, guarded)
    assert browser.current_url.endswith("/sign-in"), "the old cookie is worth nothing"
    assert own_violations(browser) == []


def test_the_printed_url_signs_in_once(guarded):
    [url] = [line.split()[1] for line in guarded.logged().splitlines() if line.startswith("  console")]
    session = requests.Session()
    assert session.get(url, headers=NAVIGATION).url == guarded.url + CONSOLE
    assert requests.get(url, headers=NAVIGATION).status_code == 403


def test_the_sixth_attempt_in_a_minute_is_refused(guarded):
    for _ in range(5):
        assert requests.post(guarded.url + CONSOLE + "sign-in", data={"token": "wrong"}).status_code == 403
    answer = requests.post(guarded.url + CONSOLE + "sign-in", data={"token": TOKEN}, allow_redirects=False)
    assert answer.status_code == 429 and "Set-Cookie" not in answer.headers


def test_two_processes_keep_both_sessions(guarded, browser):
    with Cloud.ephemeral("--control-token", TOKEN) as other:
        for cloud in [guarded, other]:
            open_page(browser, cloud)
            sign_in(browser, TOKEN)
        for cloud in [guarded, other]:
            open_page(browser, cloud)
            assert browser.find_element(By.TAG_NAME, "h1").text == "Home"
        assert other.stop() == 0


def test_a_browser_at_the_root_is_sent_to_the_console_and_no_sdk_is(cloud, root):
    def at_root(method="GET", path="/", **headers):
        return requests.request(method, cloud.url + path, headers={"Accept": "text/html,*/*"} | headers, allow_redirects=False)

    answer = at_root()
    assert answer.status_code == 303 and answer.headers["Location"] == CONSOLE
    for answer in [at_root(path="/?x=1"), at_root(method="HEAD"), at_root(Authorization="AWS4-HMAC-SHA256 x"), at_root(Accept="*/*"),
                   at_root(Accept="application/json, text/html"), at_root(Host="files.s3.localhost"), at_root(Host="s3.localhost"),
                   at_root(Host="sts.amazonaws.com"), at_root(method="POST")]:
        assert answer.status_code != 303, answer.request.headers
    assert root.list_buckets()["Buckets"]


def test_the_console_can_be_off():
    with Cloud.ephemeral("--no-console") as cloud:
        assert requests.get(cloud.url + CONSOLE).status_code == 404
        assert requests.get(cloud.url + "/", headers={"Accept": "text/html"}, allow_redirects=False).status_code != 303
        assert "console" not in cloud.logged()
        answer = requests.get(f"{cloud.url}/idp/company/authorize", params={
            "response_type": "code", "client_id": "web-app", "scope": "openid", "redirect_uri": f"{cloud.url}{CONSOLE}callback"})
        assert "registered" in answer.text and answer.status_code == 400
        assert cloud.stop() == 0


def test_the_callback_is_a_redirect_uri_at_the_own_address_only(cloud):
    def page(uri):
        return requests.get(f"{cloud.url}/idp/company/authorize", params={
            "response_type": "code", "client_id": "web-app", "scope": "openid", "redirect_uri": uri})

    assert page(f"{cloud.url}{CONSOLE}callback").status_code == 200
    for uri in [f"http://evil.example{CONSOLE}callback", f"{cloud.url}{CONSOLE}callback?x", f"{cloud.url}{CONSOLE}callback/",
                f"http://127.0.0.1:1{CONSOLE}callback", f"{cloud.url}@evil.example{CONSOLE}callback"]:
        assert page(uri).status_code == 400, uri


def read_as_alice(browser, origin):
    """Logs alice in at the console of an origin, and reads her file."""
    browser.get(origin + CONSOLE + "playground")
    follow(browser, browser.find_element(By.LINK_TEXT, "Log in with Google").click)
    follow(browser, browser.find_element(By.CSS_SELECTOR, "button[name=person][value=alice]").click)
    follow(browser, browser.find_element(By.CSS_SELECTOR, "button[name=action][value=allow]").click)
    assert browser.current_url.startswith(origin) and "Alice Archer" in text(browser)
    press(browser, "Get credentials")
    press(browser, "Read")
    assert "Hello Alice" in text(browser)


def test_the_own_port_serves_the_console_and_no_buckets():
    port = free_port()
    with Cloud.ephemeral("--console-port", port) as cloud:
        own = f"http://127.0.0.1:{port}"
        assert f"console   {own}{CONSOLE}" in cloud.logged()
        assert requests.get(own + "/", allow_redirects=False).headers["Location"] == CONSOLE
        assert requests.get(own + CONSOLE).status_code == 200
        assert requests.get(own + CONSOLE, headers={"Host": f"virga:{port}"}).status_code == 200
        assert f"AWS_ENDPOINT_URL={cloud.url}" in requests.get(own + CONSOLE).text
        for path in ["/personal-files", "/idp/company/authorize", "/favicon.ico"]:
            assert requests.get(own + path).status_code == 404
        assert requests.post(own + "/", data={"Action": "GetCallerIdentity"}).status_code == 404
        answer = requests.get(cloud.url + CONSOLE, headers={"Host": f"virga:{cloud.port}"})
        assert answer.status_code == 403 and f"http://virga:{port}{CONSOLE}" in answer.text
        with console_browser() as browser:
            read_as_alice(browser, own)
        assert cloud.stop() == 0


def test_the_own_port_is_known_by_its_listener_behind_a_port_mapping():
    port = free_port()
    with Cloud.ephemeral("--console-port", port) as cloud, published(port) as outer:
        own = f"http://127.0.0.1:{outer}"
        # The listener decides. The host may have any port, or none.
        for host in [f"127.0.0.1:{outer}", f"virga:{outer}", f"virga:{port}", f"virga:{cloud.port}", "virga", f"x.localhost:{cloud.port}"]:
            assert requests.get(own + CONSOLE, headers={"Host": host}).status_code == 200, host
            for path in ["/personal-files", "/idp/company/authorize", "/favicon.ico"]:
                assert requests.get(own + path, headers={"Host": host}).status_code == 404, host
            answer = requests.get(own + "/", headers={"Host": host}, allow_redirects=False)
            assert answer.status_code == 303 and answer.headers["Location"] == CONSOLE
        assert f"AWS_ENDPOINT_URL=http://virga:{cloud.port}" in requests.get(own + CONSOLE, headers={"Host": f"virga:{outer}"}).text
        # At the main port, a host with the number of the console's port changes nothing.
        for host in [f"virga:{port}", f"x.localhost:{port}", f"virga:{outer}"]:
            assert requests.get(cloud.url + CONSOLE, headers={"Host": host}).status_code == 403, host
        assert requests.get(f"{cloud.url}/personal-files", headers={"Host": f"127.0.0.1:{port}"}).status_code == 403
        with console_browser() as browser:
            read_as_alice(browser, own)
        assert cloud.stop() == 0


def test_the_callback_at_a_mapped_port_counts_for_logins_that_the_console_began_there():
    port = free_port()
    with Cloud.ephemeral("--control-token", TOKEN, "--console-port", port) as cloud, published(port) as outer:
        def callback(uri=f"http://127.0.0.1:{outer}{CONSOLE}callback", **parameters):
            return requests.get(f"{cloud.url}/idp/company/authorize", params={
                "response_type": "code", "client_id": "web-app", "scope": "openid", "redirect_uri": uri} | parameters).status_code

        own = f"http://127.0.0.1:{outer}{CONSOLE}"
        session = requests.Session()
        assert "Sign in" in session.get(own, headers=NAVIGATION).text
        session.post(own + "sign-in", data={"token": TOKEN})

        def state(host=None):
            page = session.get(own + "playground", headers=NAVIGATION | ({"Host": host} if host else {})).text
            [url] = [html.unescape(url) for url in re.findall(r'href="([^"]*)"', page) if "/idp/company/authorize" in url][:1]
            return parse_qs(urlsplit(url).query)

        # A request to the console's port changes nothing for other requests, whatever its host.
        login = state()
        assert login["redirect_uri"] == [f"http://127.0.0.1:{outer}{CONSOLE}callback"]
        assert callback() == 400
        assert callback(state="x") == 400
        assert callback(state=login["state"][0]) == 200
        assert callback(state=login["state"][0] + "x") == 400
        # The proof of one address is none of another.
        other = f"http://127.0.0.1:1{CONSOLE}callback"
        assert callback(other) == 400
        assert callback(other, state=login["state"][0]) == 400
        session.cookies.set("virga-console-1", session.cookies[f"virga-console-{outer}"], path="/_virga/")
        elsewhere = state(host="127.0.0.1:1")
        assert elsewhere["redirect_uri"] == [other]
        assert callback(other) == 400
        assert callback(f"http://127.0.0.1:2{CONSOLE}callback", state=elsewhere["state"][0]) == 400
        assert callback(f"http://evil.example{CONSOLE}callback", state=elsewhere["state"][0]) == 400
        assert callback(state=elsewhere["state"][0]) == 400
        # The number of the listener is a setting.
        assert callback(f"http://127.0.0.1:{port}{CONSOLE}callback") == 200
        assert cloud.stop() == 0


def test_a_saml_login_returns_to_a_mapped_port_only_with_the_proof_of_that_address_and_sandbox():
    port = free_port()
    with Cloud.ephemeral("--console-port", port) as cloud, published(port) as outer:
        cloud.control("POST", "sandboxes", {"name": "other"})

        def login(host):
            """The request of the link to the provider, in the console at a host."""
            page = requests.get(f"http://127.0.0.1:{outer}{CONSOLE}playground?path=saml", headers=NAVIGATION | {"Host": host}).text
            [url] = [html.unescape(url) for url in re.findall(r'href="([^"]*)"', page) if "/idp/company/saml/sso?" in url]
            return {name: value for name, [value] in parse_qs(urlsplit(url).query).items()}

        def status(request, host="127.0.0.1", **fields):
            return requests.get(f"{cloud.url}/idp/company/saml/sso", params=request | fields, headers={"Host": f"{host}:{cloud.port}"}).status_code

        here, elsewhere, other = (login(host) for host in [f"127.0.0.1:{outer}", "127.0.0.1:1", f"other.localhost:{outer}"])
        assert status(here) == 200
        assert status(elsewhere) == 200
        assert status(other, "other.localhost") == 200
        proof = here["RelayState"]
        for state in ["", proof.partition("~")[0], proof + "x", elsewhere["RelayState"], other["RelayState"]]:
            assert status(here, RelayState=state) == 400, state
        # The proof of one address or sandbox is none of another.
        assert status(elsewhere, RelayState=proof) == 400
        assert status(other, "other.localhost", RelayState=proof) == 400
        sandbox = {"SAMLRequest": here["SAMLRequest"], "RelayState": proof}
        assert requests.get(f"{cloud.url}/idp/company/saml/sso", params=sandbox, headers={"x-virga-sandbox": "other"}).status_code == 400
        assert cloud.stop() == 0


def test_a_foreign_host_at_the_consoles_port_adds_no_redirect_uri():
    port = free_port()
    with Cloud.ephemeral("--console-port", port) as cloud:
        for number in [1, 9999, cloud.port + 1]:
            for host in [f"127.0.0.1:{number}", f"localhost:{number}"]:
                assert requests.get(f"http://127.0.0.1:{port}{CONSOLE}", headers={"Host": host}).status_code == 200
                answer = requests.get(f"{cloud.url}/idp/company/authorize", headers={"Host": f"{host.split(':')[0]}:{cloud.port}"}, params={
                    "response_type": "code", "client_id": "web-app", "scope": "openid", "redirect_uri": f"http://{host}{CONSOLE}callback"})
                assert answer.status_code == 400, host
        assert cloud.stop() == 0


def test_a_host_that_browsers_do_not_trust_gets_no_console(cloud):
    answer = requests.get(cloud.url + CONSOLE, headers={"Host": f"virga:{cloud.port}"})
    assert answer.status_code == 403 and "--console-port" in answer.text
    assert f"http://127.0.0.1:{cloud.port}{CONSOLE}" in answer.text
    for host in ["evil.example", "cloud.test"]:
        assert requests.get(cloud.url + CONSOLE, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("headers", [
    {"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Dest": "iframe"}, {"Origin": "http://evil.example"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "null"}, {"Host": "evil.example"}])
def test_attacks_on_forms_change_nothing(cloud, root, headers):
    reader = Reader(cloud)
    reader.open()
    [form] = [form for form in reader.page.forms if form["label"].strip() == "Reset"]
    root.create_bucket(Bucket="still-here")
    sent = {"Origin": cloud.url, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"} | headers
    answer = requests.post(form["action"], data=form["fields"] | {"word": "reset"}, headers=sent)
    assert answer.status_code == 403
    forged = requests.post(form["action"], data={"form": "open.1.x", "word": "reset"}, headers={"Origin": cloud.url})
    assert forged.status_code == 403
    assert "still-here" in [bucket["Name"] for bucket in root.list_buckets()["Buckets"]]


ATTACK = """
const report = window.report = {}
const attempt = async (name, act) => { try { report[name] = String(await act()) } catch (error) { report[name] = error.name } }
const read = url => fetch(url, {credentials: 'include'}).then(answer => answer.text())
;(async () => {
  await attempt('reset', () => fetch('%(url)s/_virga/reset', {method: 'POST'}).then(answer => answer.status))
  await attempt('page', () => read('%(url)s/_virga/ui/'))
  await attempt('journal', () => read('%(url)s/_virga/ui/journal'))
  await attempt('control', () => read('%(url)s/_virga/journal'))
  await attempt('frame', () => new Promise(resolve => {
    const frame = document.createElement('iframe')
    frame.src = '%(url)s/_virga/ui/'
    frame.onload = () => { try { resolve(frame.contentDocument.documentElement.textContent) } catch (error) { resolve(error.name) } }
    document.body.append(frame)
  }))
  await attempt('window', () => new Promise(resolve => {
    const other = open('%(url)s/_virga/ui/')
    setTimeout(() => { try { resolve(other.document.documentElement.textContent) } catch (error) { resolve(error.name) } }, 1500)
  }))
  await attempt('worker', () => navigator.serviceWorker.register('%(url)s/box/evil.js', {scope: '/'}).then(() => 'registered'))
  window.finished = true
})()
"""


@pytest.mark.parametrize("place", ["bucket", "site"])
def test_a_hostile_page_reads_nothing_and_changes_nothing(cloud, root, browser, place):
    root.create_bucket(Bucket="box")
    script = f"<!doctype html><title>evil</title><body><script>{ATTACK % {'url': cloud.url}}</script></body>"
    root.put_object(Bucket="box", Key="evil.html", Body=script.encode(), ContentType="text/html")
    root.put_object(Bucket="box", Key="evil.js", Body=b"", ContentType="text/javascript")
    with foreign_site() as (port, pages):
        pages["/evil.html"] = script
        url = f"http://127.0.0.1:{port}/evil.html"
        if place == "bucket":
            url = root.generate_presigned_url("get_object", Params={"Bucket": "box", "Key": "evil.html"})
        browser.get(url)
        patiently(browser).until(lambda driver: driver.execute_script("return window.finished === true"))
        report = browser.execute_script("return window.report")
    assert "registered" not in report.values()
    for name, seen in report.items():
        assert "Start a walk" not in seen and "virga-token" not in seen and '"entries"' not in seen, (name, seen)
    assert report["reset"] in ("403", "TypeError"), report
    assert "box" in [bucket["Name"] for bucket in root.list_buckets()["Buckets"]]


PRELOAD = """self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.registration.navigationPreload.enable()));
self.addEventListener('fetch', event => { if (event.preloadResponse && event.request.mode === 'navigate')
  event.respondWith(event.preloadResponse.then(answer => answer.text()).then(take)) });"""
RACE = """self.addEventListener('install', event => { self.skipWaiting(); event.addRoutes({
  condition: {urlPattern: new URLPattern({pathname: '/_virga/ui/*'})}, source: 'race-network-and-fetch-handler'}) });
self.addEventListener('fetch', event => { if (event.request.mode === 'navigate')
  event.respondWith(fetch(event.request).then(answer => answer.text()).then(take)) });"""
TAKE = """const take = async text => {
  const token = /virga-token" content="([^"]+)"/.exec(text)?.[1];
  const answer = await fetch('/_virga/journal/capture', {method: 'PUT', body: '{}', headers: {'x-virga-console': String(token)}});
  return new Response(`taken: ${answer.status}`) };
"""


@pytest.mark.parametrize("worker", [PRELOAD, RACE], ids=["preload", "race"])
def test_a_service_worker_of_a_deleted_bucket_cannot_use_the_console(cloud, worker):
    s3, page = client(cloud, "s3"), "<script>navigator.serviceWorker.register('/sw.js')</script>"
    s3.create_bucket(Bucket="evil-worker")
    for key, body, kind in [("page.html", page, "text/html"), ("sw.js", TAKE + worker, "text/javascript")]:
        s3.put_object(Bucket="evil-worker", Key=key, Body=body.encode(), ContentType=kind)
    s3.delete_public_access_block(Bucket="evil-worker")
    s3.put_bucket_policy(Bucket="evil-worker", Policy=json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::evil-worker/*"}]}))
    origin = f"http://evil-worker.localhost:{cloud.port}"
    with chromium() as browser:
        browser.get(origin + "/page.html")
        browser.execute_async_script("const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true))")
        requests.post(cloud.url + "/_virga/reset")
        browser.get(origin + CONSOLE + "journal")
        patiently(browser).until(lambda driver: text(driver))
        assert "taken: 200" not in text(browser)
        assert requests.get(cloud.url + "/_virga/journal/capture").json() == {"capture": None}
