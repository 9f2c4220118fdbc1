"""The links of a class: what they open, and what they do not."""

from urllib.parse import urlsplit

import pytest
import requests

from console import CONSOLE, console_browser, follow, text
from navigation import patiently
from test_console_access import foreign_site
from school import add, enter, joined, sandbox_shown, school, state  # noqa: F401, a fixture


def test_a_link_works_in_one_browser_at_a_time(school):
    [anna] = add(school, "Anna")
    first = joined(school, anna["code"])
    assert "Welcome, <bdi>Anna" in first.page.text
    second = joined(school, anna["code"])
    assert second.status == 409 and "Another browser is signed in with this link" in second.page.text
    assert not [cookie for cookie in second.session.cookies]
    # The same browser may return.
    first.open(f"join?code={anna['code']}")
    first.press("Enter")
    enter(first)
    first.press("Sign out")
    third = enter(joined(school, anna["code"]))
    assert sandbox_shown(third) == anna["sandbox"]


def test_a_preview_of_a_link_does_not_use_it_up(school):
    [anna] = add(school, "Anna")
    for _ in range(3):
        assert requests.get(f"{school.url}{CONSOLE}join?code={anna['code']}").ok
    assert state(school, "Anna")["signedIn"] is False
    assert "Welcome, <bdi>Anna" in joined(school, anna["code"]).page.text


@pytest.mark.parametrize("act", ["revoke", "renew", "remove", "end", "delete"])
def test_a_revoked_link_signs_out_and_in_no_more(school, act):
    [anna] = add(school, "Anna")
    reader = enter(joined(school, anna["code"]))
    own = reader.page.url
    assert reader.session.get(own, allow_redirects=False).status_code == 200
    match act:
        case "revoke":
            school.control("DELETE", f"class/students/{anna['sandbox']}/code")
        case "renew":
            new = school.control("POST", f"class/students/{anna['sandbox']}/code")
        case "remove":
            school.control("DELETE", f"class/students/{anna['sandbox']}")
        case "end":
            school.control("DELETE", "class")
        case "delete":
            school.control("DELETE", f"sandboxes/{anna['sandbox']}")
            school.control("POST", "sandboxes", {"name": anna["sandbox"]})
    if act != "delete":
        assert reader.session.get(own, allow_redirects=False).headers["Location"] == CONSOLE + "sign-in"
    assert joined(school, anna["code"]).status == 404
    reader.open("join")
    assert reader.status == 404 and "Welcome" not in reader.page.text
    if act == "renew":
        assert new["code"] != anna["code"] and sandbox_shown(enter(joined(school, new["code"]))) == anna["sandbox"]


def test_the_class_link_never_opens_the_sandbox_of_another_student(school):
    code = school.control("GET", "class")["class"]["code"]
    school.control("POST", "sandboxes", {"name": "gw0"})
    [carla] = add(school, "Carla")
    anna = joined(school, code, "Join", name="Anna")
    for name in ["Anna", " anna ", "ANNA", "carla", "Carla"]:
        thief = joined(school, code, "Join", name=name)
        assert thief.status == 409 and "A student with this name has joined" in thief.page.text, name
        assert not list(thief.session.cookies)
    for name in ["gw0", "default", state(school, "Anna")["sandbox"]]:
        other = enter(joined(school, code, "Join", name=name))
        assert sandbox_shown(other) not in ("gw0", "default", state(school, "Anna")["sandbox"], carla["sandbox"])
    # In the same browser the link leads back, whatever is typed.
    anna.open(f"join?code={code}")
    anna.press("Join", name="Ben")
    assert "Welcome, <bdi>Anna" in anna.page.text
    assert [student["name"] for student in school.control("GET", "class")["students"] if student["name"] == "Ben"] == []


def test_the_cookie_of_one_student_is_worth_nothing_elsewhere(school):
    [anna, ben] = add(school, "Anna", "Ben")
    reader = enter(joined(school, anna["code"]))
    cookies = {cookie.name: cookie.value for cookie in reader.session.cookies}
    [console] = [value for name, value in cookies.items() if name.startswith("virga-console-")]
    [seat] = [value for name, value in cookies.items() if name.startswith("virga-seat-")]
    token = console.split("~")[1]
    ben_url = school.control("GET", f"sandboxes/{ben['sandbox']}")["portURL"]
    for url in [ben_url, school.url]:
        port = urlsplit(url).port
        for value in [console, token, f"{ben['sandbox']}~{token}", f"default~{token}", seat, f"{ben['sandbox']}~{seat}"]:
            answer = requests.get(url + CONSOLE, cookies={f"virga-console-{port}": value}, allow_redirects=False)
            assert answer.headers["Location"] == CONSOLE + "sign-in", (url, value)
    # The seat cookie does not choose another student's place with the other student's code either.
    answer = reader.session.post(f"{school.url}{CONSOLE}join", data={"code": ben["code"]}, headers={"Origin": school.url})
    assert "Welcome, <bdi>Ben" in answer.text


@pytest.mark.parametrize("code", ["", "x", "0" * 12, "0" * 16, "%00", "A" * 5000, "../../", "' or 1=1"])
def test_guessed_codes_open_nothing(school, code):
    add(school, "Anna")
    assert requests.get(f"{school.url}{CONSOLE}join", params={"code": code}).status_code == 404
    answer = requests.post(f"{school.url}{CONSOLE}join", data={"code": code, "name": "Eve"})
    assert answer.status_code == 404 and not answer.cookies
    assert [student["name"] for student in school.control("GET", "class")["students"]] == ["Anna"]


def test_codes_are_long_random_and_not_in_the_journal(school):
    made = add(school, *[f"student {number}" for number in range(20)])
    codes = [student["code"].replace("-", "") for student in made] + [school.control("GET", "class")["class"]["code"].replace("-", "")]
    assert len(set(codes)) == 21 and {len(code) for code in codes} == {16, 12}
    joined(school, made[0]["code"])
    joined(school, made[0]["code"])
    journal = str(school.control("GET", "journal", params={"limit": 1000}))
    assert made[0]["code"] not in journal and made[0]["code"] not in school.logged()
    # Typed in capitals and without hyphens it is the same code.
    assert requests.get(f"{school.url}{CONSOLE}join?code={codes[1].upper()}").ok


def test_the_number_of_students_is_limited(school):
    school.control("PUT", "class", {"limit": 2})
    code = school.control("GET", "class")["class"]["code"]
    joined(school, code, "Join", name="A")
    joined(school, code, "Join", name="B")
    third = joined(school, code, "Join", name="C")
    assert third.status == 409 and "The class has 2 students" in third.page.text
    assert school.refused("POST", "class/students", {"names": ["D"]}) == (409, "class_full")
    assert len(school.control("GET", "sandboxes")["sandboxes"]) == 3
    school.control("DELETE", "class/code")
    assert joined(school, code, "Join", name="C").status == 404


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u202eb", "a\x1bb"])
def test_names_that_cannot_be_shown_are_refused(school, name):
    code = school.control("GET", "class")["class"]["code"]
    reader = joined(school, code, "Join", name=name)
    assert reader.status == 400 and "A name has 1 to 40 characters" in reader.page.text
    assert school.control("GET", "class")["students"] == []


def test_the_class_link_in_a_hostile_page_makes_no_student(school):
    code = school.control("GET", "class")["class"]["code"]
    action = f"{school.url}{CONSOLE}join"
    page = f"""<!doctype html><body><iframe src="{action}?code={code}"></iframe>
        <form id="f" method="post" action="{action}"><input name="code" value="{code}"><input name="name" value="Victim"></form>
        <script>fetch('{action}?code={code}', {{credentials: 'include'}}).then(a => a.text()).catch(e => e.name).then(t => window.seen = t)</script>"""
    with foreign_site() as (port, pages), console_browser() as browser:
        pages["/evil.html"] = page
        browser.get(f"http://127.0.0.1:{port}/evil.html")
        patiently(browser).until(lambda driver: driver.execute_script("return window.seen"))
        assert "Join the class" not in browser.execute_script("return window.seen")
        follow(browser, lambda: browser.execute_script("document.getElementById('f').submit()"))
        assert "A page of another origin sent this form." in text(browser)
    assert school.control("GET", "class")["students"] == []
    for headers in [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site", "Origin": "null"}, {"Sec-Fetch-Dest": "iframe"},
                    {"Host": "evil.example"}]:
        assert requests.post(action, data={"code": code, "name": "Victim"}, headers=headers).status_code == 403
    assert school.control("GET", "class")["students"] == []
