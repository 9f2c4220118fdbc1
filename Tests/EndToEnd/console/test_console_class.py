"""The class view: what students see, and the progress of each."""

from urllib.parse import urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from clients import assume, client, keys_of
from cloud import BUCKET, Cloud
from console import axe_violations, CONSOLE, console_browser, follow, Forms, log_in, open_link, open_page, own_violations, press, Reader, text
from console_checks import check_pages, expect_harmless, PAYLOADS
from navigation import patiently
from test_console_access import sign_in, TOKEN
from school import add, BEARER, classroom, enter, joined, sandbox_shown, School, school, state  # noqa: F401, a fixture


def test_a_student_joins_by_the_class_link_and_logs_in(school):
    code = school.control("GET", "class")["class"]["code"]
    with console_browser() as browser:
        open_page(browser, school, f"join?code={code}")
        browser.find_element(By.ID, "name").send_keys("Zoë Müller")
        press(browser, "Join")
        assert "Welcome, Zoë Müller" in text(browser)
        follow(browser, browser.find_element(By.LINK_TEXT, "Open your console").click)
        sandbox = state(school, "Zoë Müller")["sandbox"]
        assert sandbox.startswith("zo-m-ller-") or sandbox.startswith("zo")
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == sandbox
        follow(browser, browser.find_element(By.LINK_TEXT, "Start a walk").click)
        log_in(browser)
        press(browser, "Get credentials")
        press(browser, "Read")
        press(browser, "Try to read")
        progress = state(school, "Zoë Müller")["progress"]
        assert progress["steps"] == ["login", "credentials", "read", "refused"]
        assert progress["last_refusal"]["error"] == "AccessDenied" and progress["refusals"] == 1 and progress["active"]
        open_link(browser, "Home")
        assert "Your steps: 4 of 7" in text(browser)
        done = [item.find_element(By.TAG_NAME, "strong").text for item in browser.find_elements(By.CSS_SELECTOR, ".tasks .reached")]
        assert [title.removeprefix("✓ ") for title in done] == ["Log in", "Get credentials", "Read an object", "Be refused"]
        assert axe_violations(browser) == []
        assert own_violations(browser) == []


def test_links_to_sandboxes_sign_in_at_localhost(school):
    code = school.control("GET", "class")["class"]["code"]
    at = school.url.replace("127.0.0.1", "localhost") + CONSOLE
    with console_browser() as browser:
        browser.get(f"{at}join?code={code}")
        browser.find_element(By.ID, "name").send_keys("Anna")
        press(browser, "Join")
        browser.find_element(By.LINK_TEXT, "Open your console").click()
        patiently(browser).until(lambda driver: driver.title == "Home – Virga console")
        sandbox = state(school, "Anna")["sandbox"]
        assert urlsplit(browser.current_url).hostname == f"{sandbox}.sandbox.localhost"
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == sandbox
    with console_browser() as browser:
        browser.get(at)
        sign_in(browser, TOKEN)
        browser.get(f"{at}sandboxes/named/{sandbox}")
        browser.find_element(By.LINK_TEXT, "Open the console").click()
        patiently(browser).until(lambda driver: driver.title == "Home – Virga console")
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == sandbox
        browser.find_element(By.LINK_TEXT, "Back to the class").click()
        patiently(browser).until(lambda driver: driver.title == "Class – Virga console")
        assert browser.current_url == f"{at}sandboxes/class"


def test_the_class_view_shows_students_that_join(school):
    with console_browser() as browser:
        open_page(browser, school)
        sign_in(browser, TOKEN)
        open_page(browser, school, "sandboxes/class")
        assert "No student has joined." in text(browser)
        for name in ["Anna", "Ben"]:
            add(school, name)
            patiently(browser).until(lambda driver: name in text(driver))
        browser.find_element(By.ID, "names").send_keys("Carla")
        assert browser.execute_script("return document.querySelector('[data-class]').dataset.count") == "3"


def test_home_shows_no_key_that_does_not_work(school):
    [anna] = add(school, "Anna")
    home = enter(joined(school, anna["code"])).page.text
    [key] = [account for account in school.control("GET", f"sandboxes/{anna['sandbox']}/seed")["accounts"]][0]["rootKeys"]
    assert f"AWS_ACCESS_KEY_ID={key['id']} AWS_SECRET_ACCESS_KEY=YOUR_SECRET_ACCESS_KEY" in home
    assert key["id"] != "test" and key["secret"] not in home and '"test"' not in home and "LTAI5tVirgaRoot000000001" not in home
    assert "sandboxes?keys=show" in home


def test_the_class_page_says_how_other_machines_reach_it(school):
    reader = Reader(school)
    reader.open()
    reader.press("Sign in", token=TOKEN)
    page = reader.open("sandboxes/class").text
    assert "restart with <code>--console-port 4567</code>" in page
    with classroom(limit=5) as other:
        reader = Reader(other.console)
        reader.open()
        reader.press("Sign in", token=TOKEN)
        page = reader.open("sandboxes/class").text
        assert f"http://NAME-OF-THIS-MACHINE:{urlsplit(other.console.url).port}/" in page


def test_the_keyboard_alone_joins_a_class(school):
    code = school.control("GET", "class")["class"]["code"]
    with console_browser() as browser:
        open_page(browser, school, f"join?code={code}")
        field = browser.switch_to.active_element
        assert field.get_attribute("id") == "name", "the field has the focus"
        field.send_keys("Anna")
        follow(browser, lambda: field.send_keys(Keys.ENTER))
        for _ in range(10):
            if browser.switch_to.active_element.text == "Open your console":
                break
            browser.switch_to.active_element.send_keys(Keys.TAB)
        follow(browser, lambda: browser.switch_to.active_element.send_keys(Keys.ENTER))
        assert browser.find_element(By.CSS_SELECTOR, ".state dd").text == state(school, "Anna")["sandbox"]


def test_the_console_of_a_student_has_no_right_over_the_process(school):
    [anna, ben] = add(school, "Anna", "Ben")
    reader = enter(joined(school, anna["code"]))
    assert sandbox_shown(reader) == anna["sandbox"]
    own = f"{urlsplit(reader.page.url).scheme}://{urlsplit(reader.page.url).netloc}"
    for path in ["sandboxes", "sandboxes/class", "sandboxes/class/links", f"sandboxes/named/{ben['sandbox']}"]:
        answer = reader._at(reader.session.get(own + CONSOLE + path))
        assert answer.status_code == 200 and "You are signed in to one sandbox." in answer.text
        assert ben["code"] not in answer.text and ben["sandbox"] not in answer.text
    assert reader.session.get(f"{own}{CONSOLE}sandboxes/named/{ben['sandbox']}/seed").status_code == 400
    seed = reader.session.get(f"{own}{CONSOLE}sandboxes/named/{anna['sandbox']}/seed")
    assert seed.ok and seed.json()["accounts"]
    # Each action of the process, with a valid form of the student's own page.
    form = next(form["fields"]["form"] for form in reader.page.forms if "form" in form["fields"])
    for action in [f"named/{ben['sandbox']}/reset", f"named/{ben['sandbox']}/delete", f"named/{ben['sandbox']}/open", "create", "class/code",
                   "class/end", f"class/renew/{ben['sandbox']}", "class/reset", "class/add", "class/begin"]:
        answer = reader.session.post(
            f"{own}{CONSOLE}sandboxes/{action}", headers={"Origin": own},
            data={"form": form, "word": ben["sandbox"] if "delete" in action else "end", "names": "x", "limit": "1", "name": "x"})
        assert answer.status_code == 400 and "control token is not the one" in answer.text, action
    answer = reader.session.post(f"{own}{CONSOLE}sandboxes/named/{anna['sandbox']}/open", headers={"Origin": own}, data={"form": form})
    assert answer.status_code == 400
    assert [student["code"] for student in school.control("GET", "class")["students"]] == [anna["code"], ben["code"]]


def test_the_script_of_a_students_page_reads_no_list(school):
    [anna] = add(school, "Anna")
    with console_browser() as browser:
        def status(path):
            return browser.execute_async_script(
                """const done = arguments[1]
                const token = document.querySelector('meta[name=virga-token]').content
                fetch(arguments[0], {headers: {'x-virga-console': token}}).then(answer => done(answer.status))""", path)

        open_page(browser, school, f"join?code={anna['code']}")
        press(browser, "Enter")
        follow(browser, browser.find_element(By.LINK_TEXT, "Open your console").click)
        assert status("/_virga/journal") == 200
        assert [status(path) for path in ["/_virga/sandboxes", "/_virga/class", "/_virga/snapshots"]] == [401, 401, 401]
        open_page(browser, school)
        sign_in(browser, TOKEN)
        assert [status(path) for path in ["/_virga/sandboxes", "/_virga/class"]] == [200, 401]


def test_a_class_meets_at_the_consoles_own_port():
    with classroom(limit=5) as school:
        code = school.control("GET", "class")["class"]["code"]
        host = f"classroom:{urlsplit(school.console.url).port}"

        def at(path, session=None, method="GET", **options):
            return (session or requests).request(
                method, school.console.url + CONSOLE + path, headers={"Host": host} | options.pop("headers", {}), allow_redirects=False, **options)

        assert requests.get(school.url + CONSOLE + f"join?code={code}", headers={"Host": f"classroom:{school.port}"}).status_code == 403
        browsers = {}
        for name in ["Anna", "Ben"]:
            answer = at("join", method="POST", data={"code": code, "name": name}, headers={"Origin": f"http://{host}"})
            assert answer.status_code == 303 and answer.headers["Location"] == CONSOLE
            cookies = dict(cookie.split(";")[0].split("=", 1) for cookie in answer.raw.headers.getlist("Set-Cookie"))
            browsers[name] = cookies
            home = at("", cookies=cookies).text
            sandbox = state(school, name)["sandbox"]
            assert f"<dd><bdi>{sandbox}</bdi>" in home
            port = urlsplit(school.control("GET", f"sandboxes/{sandbox}")["portURL"]).port
            assert f"AWS_ENDPOINT_URL=http://classroom:{port}" in home
            assert "You are signed in to one sandbox." in at("sandboxes", cookies=cookies).text
        # Another sandbox in the cookie is not chosen.
        [console] = [name for name in browsers["Anna"] if name.startswith("virga-console")]
        token = browsers["Anna"][console].split("~")[1]
        for value in [f"{state(school, 'Ben')['sandbox']}~{token}", f"default~{token}", f"~{token}", token, f"none~{token}"]:
            assert at("", cookies={console: value}).headers["Location"] == CONSOLE + "sign-in", value
        assert len(school.control("GET", "sandboxes")["sandboxes"]) == 3


def test_the_teacher_visits_a_student_at_the_consoles_own_port():
    with classroom() as school:
        [anna] = add(school, "Anna")
        host = f"classroom:{urlsplit(school.console.url).port}"
        cookies = {}

        def at(path, **form):
            """Opens a page, or sends a form, as a browser at the name of the machine."""
            method, options = ("POST", {"data": form}) if form else ("GET", {})
            answer = requests.request(
                method, school.console.url + CONSOLE + path, cookies=cookies, allow_redirects=False,
                headers={"Host": host, "Origin": f"http://{host}"} if form else {"Host": host}, **options)
            for cookie in answer.raw.headers.getlist("Set-Cookie"):
                cookies.update([cookie.split(";")[0].split("=", 1)])
            return Forms(answer)

        def send(page, label):
            [form] = [form for form in page.forms if form["label"].strip() == label]
            at(urlsplit(form["action"]).path.removeprefix(CONSOLE), **form["fields"])

        at("sign-in", token=TOKEN)
        send(at(f"sandboxes/named/{anna['sandbox']}"), "Open the console")
        home = at("")
        assert f"<dd><bdi>{anna['sandbox']}</bdi>" in home.text and "You are in the sandbox" in home.text
        send(home, "Back to the class")
        assert "<dd><bdi>default</bdi>" in at("").text and "Anna" in at("sandboxes/class").text


def test_the_class_view_is_live_and_acts_on_the_whole_class(school):
    made = add(school, "Anna", "Ben")
    with console_browser() as browser:
        open_page(browser, school)
        sign_in(browser, TOKEN)
        open_page(browser, school, "sandboxes/class")
        assert "2 of 40 students" in text(browser) and "not yet" in text(browser)
        cloud = Cloud.__new__(Cloud)
        cloud.url, cloud.authority = school.control("GET", f"sandboxes/{made[0]['sandbox']}")["portURL"], None
        token = requests.post(f"{cloud.url}/_virga/tokens", json={"provider": "company", "user": "alice"}, headers=BEARER).json()["token"]
        s3 = client(cloud, "s3", **keys_of(assume(cloud, "company", token)))
        s3.put_object(Bucket=BUCKET, Key="employee-0001-alice/x", Body=b"x")
        s3.get_object(Bucket=BUCKET, Key="employee-0001-alice/x")
        with pytest.raises(Exception, match="AccessDenied"):
            s3.get_object(Bucket=BUCKET, Key="employee-0002-bob/x")
        tile = f"[data-sandbox='{made[0]['sandbox']}']"
        patiently(browser).until(
            lambda driver: len(driver.find_elements(By.CSS_SELECTOR, f"{tile} li.reached")) == 5 and "s3 GetObject: AccessDenied" in text(driver))
        assert "s ago" in browser.find_element(By.CSS_SELECTOR, tile).text
        browser.find_element(By.XPATH, "//summary[contains(text(),'For the whole class')]").click()
        browser.find_element(By.XPATH, "//button[text()='Reset all']").click()
        browser.switch_to.alert.accept()
        patiently(browser).until(lambda driver: "done=" in driver.current_url)
        assert "Every sandbox of the class starts again." in text(browser)
        assert state(school, "Anna")["progress"]["steps"] == []
        assert own_violations(browser) == []


def test_students_share_a_key_of_the_issuer_and_no_token(school):
    """RSA keys are slow to create: a class would wait for them when everyone logs in at once."""
    clouds = []
    for student in add(school, "Anna", "Ben"):
        at = Cloud.__new__(Cloud)
        at.url, at.authority = school.control("GET", f"sandboxes/{student['sandbox']}")["portURL"], None
        clouds.append(at)
    keys = [requests.get(f"{at.url}/idp/company/jwks").json()["keys"] for at in clouds]
    assert keys[0][0]["n"] == keys[1][0]["n"] and keys[0][0]["kid"] != keys[1][0]["kid"]
    token = requests.post(f"{clouds[0].url}/_virga/tokens", json={"provider": "company", "user": "alice"}, headers=BEARER).json()["token"]
    assume(clouds[0], "company", token)
    with pytest.raises(Exception, match="InvalidIdentityToken"):
        assume(clouds[1], "company", token)
    with School.ephemeral("--control-token", TOKEN) as other:
        other.control("PUT", "class", {})
        [anna] = add(other, "Anna")
        url = other.control("GET", f"sandboxes/{anna['sandbox']}")["portURL"]
        assert requests.get(f"{url}/idp/company/jwks").json()["keys"][0]["n"] != keys[0][0]["n"]


def test_all_are_restored_and_one_failure_does_not_stop_the_rest(school):
    made = add(school, "Anna", "Ben", "Carla")
    school.control("POST", f"sandboxes/{made[0]['sandbox']}/snapshots", {"name": "base"})
    assert school.control("POST", "class/reset", {"snapshot": "base"}) == {"done": 3, "failed": []}
    assert {found["from"] for found in school.control("GET", "sandboxes")["sandboxes"][1:]} == {"base"}
    assert school.refused("POST", "class/reset", {"snapshot": "none"}) == (404, "unknown_snapshot")
    assert school.control("DELETE", "class", params={"sandboxes": "true"}) == {"done": 3, "failed": []}
    assert len(school.control("GET", "sandboxes")["sandboxes"]) == 1
    assert school.control("GET", "class") == {"class": None, "students": []}
    assert school.refused("POST", "class/reset") == (404, "no_class")


def test_progress_outlives_the_closing_of_a_sandbox_and_ends_with_a_restore():
    with School.ephemeral("--control-token", TOKEN, "--sandboxes-open", "1") as school:
        school.control("PUT", "class", {})
        [anna] = add(school, "Anna")
        url = school.control("GET", f"sandboxes/{anna['sandbox']}")["portURL"]
        requests.post(f"{url}/_virga/tokens", json={"provider": "company", "user": "alice"}, headers=BEARER)
        add(school, "Ben")
        assert school.control("GET", f"sandboxes/{anna['sandbox']}")["state"] == "evicted"
        assert state(school, "Anna")["progress"]["steps"] == ["login"]
        with pytest.raises(Exception, match="InvalidIdentityToken"):
            cloud = Cloud.__new__(Cloud)
            cloud.url, cloud.authority = url, None
            assume(cloud, "company", "a.b.c")
        assert state(school, "Anna")["progress"]["steps"] == ["login", "broken"]
        school.control("POST", f"sandboxes/{anna['sandbox']}/snapshots", {"name": "base"})
        school.control("POST", f"sandboxes/{anna['sandbox']}/restore", {"snapshot": "base"})
        assert state(school, "Anna")["progress"]["steps"] == []
        assert school.stop() == 0


@pytest.mark.parametrize("method, path, body, status, error", [
    ("PUT", "class", {"limit": 0}, 400, "malformed_member"), ("PUT", "class", {"root": "test"}, 400, "malformed_member"),
    ("PUT", "class", {"from": "nowhere"}, 404, "unknown_origin"), ("PUT", "class", {"expires": "soon"}, 400, "malformed_member"),
    ("PUT", "class", {"size": 1}, 400, "unknown_member"), ("POST", "class/students", {"names": []}, 400, "malformed_member"),
    ("POST", "class/students", {"names": [1]}, 400, "malformed_member"), ("POST", "class/students", {}, 400, "malformed_member"),
    ("DELETE", "class/students/none", None, 404, "unknown_student"), ("POST", "class/students/none/code", None, 404, "unknown_student"),
    ("GET", "class/join", None, 404, "unknown_code"), ("POST", "class/join", {}, 404, "unknown_code"),
    ("POST", "class/join", {"session": "student-x"}, 404, "unknown_code"), ("PATCH", "class", {}, 405, "method_not_allowed")])
def test_refusals_of_calls(school, method, path, body, status, error):
    assert school.refused(method, path, body) == (status, error)


def test_a_class_without_a_control_token_says_that_nothing_is_protected(cloud):
    reader = Reader(cloud)
    reader.open("sandboxes/class")
    assert "This server has no control token" in reader.page.text
    reader.press("Begin", limit="3")
    try:
        code = cloud.control("GET", "class")["class"]["code"]
        student = joined(cloud, code, "Join", name="Anna")
        assert sandbox_shown(enter(student)).startswith("anna-")
    finally:
        cloud.control("DELETE", "class", params={"sandboxes": "true"})


def prepared(school, browser):
    open_page(browser, school, "sandboxes/class")
    yield "class-empty"
    school.control("PUT", "class", {"limit": 45})
    people = [f"{first} {last}" for first in ["Anna", "Ben", "Carla", "Deniz", "Emma", "Finn", "Greta", "Hugo"]
              for last in ["Adler", "Brandt", "Conrad", "Dietrich", "Engel"]]
    made = school.control("POST", "class/students", {"names": people})["students"]
    for number, student in enumerate(made[:12]):
        url = school.control("GET", f"sandboxes/{student['sandbox']}")["portURL"]
        token = requests.post(f"{url}/_virga/tokens", json={"provider": "company", "user": "alice"}).json()["token"]
        at = Cloud.__new__(Cloud)
        at.url, at.authority = url, None
        if number > 3:
            s3 = client(at, "s3", **keys_of(assume(at, "company", token)))
            s3.put_object(Bucket=BUCKET, Key="employee-0001-alice/x", Body=b"x")
        if number > 7:
            with pytest.raises(Exception, match="AccessDenied"):
                s3.get_object(Bucket=BUCKET, Key="employee-0002-bob/x")
    open_page(browser, school, "sandboxes/class")
    yield "class"
    open_page(browser, school, "sandboxes/class/links")
    yield "class-links"
    open_page(browser, school, f"sandboxes/named/{made[9]['sandbox']}")
    yield "class-student"
    open_page(browser, school, f"join?code={school.control('GET', 'class')['class']['code']}")
    yield "join"
    browser.find_element(By.ID, "name").send_keys("Anna Adler")
    press(browser, "Join")
    yield "join-refused"
    open_page(browser, school, f"join?code={made[0]['code']}")
    press(browser, "Enter")
    yield "welcome"
    open_page(browser, school, "sandboxes/class/link")
    yield "class-link"
    open_page(browser, school, "join?code=unknown")
    yield "join-unknown"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(scheme):
    with Cloud.ephemeral() as cloud:
        check_pages(cloud, prepared, scheme)
        assert cloud.stop() == 0


def test_the_class_link_is_shown_large_with_a_qr_code(school):
    with console_browser() as browser:
        open_page(browser, school)
        sign_in(browser, TOKEN)
        open_page(browser, school, "sandboxes/class")
        open_link(browser, "Show it large, with a QR code")
        link = browser.find_element(By.CSS_SELECTOR, ".projected a").get_attribute("href")
        assert link.endswith("/join?code=" + school.control("GET", "class")["class"]["code"])
        picture = browser.find_element(By.CSS_SELECTOR, "svg.qr")
        assert picture.get_attribute("aria-label") == "QR code of the class link" and picture.size["width"] > 300
        assert axe_violations(browser) == [] and own_violations(browser) == []
        school.control("DELETE", "class/code")
        browser.refresh()
        assert "There is no class link now." in text(browser) and not browser.find_elements(By.CSS_SELECTOR, "svg.qr")


def test_forty_students_fit_on_a_screen(school):
    with console_browser(width=1280, height=900) as browser:
        add(school, *[f"Student number {number}" for number in range(40)])
        open_page(browser, school)
        sign_in(browser, TOKEN)
        open_page(browser, school, "sandboxes/class")
        last = browser.execute_script("return document.querySelector('.students').getBoundingClientRect().bottom")
        assert len(browser.find_elements(By.CSS_SELECTOR, ".students > li")) == 40 and last <= 900


def test_hostile_names_stay_text(school):
    shown = [payload for payload in PAYLOADS if len(payload) <= 40 and "\u202e" not in payload and "\u2028" not in payload]
    add(school, *shown)
    with console_browser() as browser:
        open_page(browser, school)
        sign_in(browser, TOKEN)
        for path in ["sandboxes/class", "sandboxes/class/links", f"sandboxes/named/{school.control('GET', 'class')['students'][0]['sandbox']}"]:
            open_page(browser, school, path)
            expect_harmless(browser, path)
        student = next(student for student in school.control("GET", "class")["students"] if "script" in student["name"] or "<" in student["name"])
        open_page(browser, school, f"join?code={student['code']}")
        expect_harmless(browser, "join")
        press(browser, "Enter")
        expect_harmless(browser, "welcome")
