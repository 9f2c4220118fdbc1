"""Who can reach what, the coverage of policies as a map, and decisions over time, in the web console."""

import json
from contextlib import suppress
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import requests
from lxml import html
from selenium.webdriver.common.by import By

from clients import assume, client, refused
from cloud import ACCOUNT, BUCKET, Cloud
from console import CONSOLE, console_browser, follow, open_page, own_violations, press, text
from console_checks import HEAVIEST, PAYLOADS, check_html, check_pages, expect_harmless, weight
from sandboxes import Sandbox
from test_console_hostile_text import seed as hostile_seed

REACH, USAGE = "policies/reach", "policies/usage"
DEVELOPER_KEYS = {"aws_access_key_id": "AKIAVIRGADEVELOPER00", "aws_secret_access_key": "developer/secret/access/key/0123456789ab"}


@pytest.fixture
def own(process):
    """A sandbox with the built-in seed, in which nothing is recorded yet."""
    with Sandbox.create(process) as sandbox:
        yield sandbox


@pytest.fixture
def browser():
    with console_browser() as browser:
        yield browser


def rows(page):
    """The cells of each caller, as words and links, by the head of the row."""
    found = {}
    for row in html.fromstring(page).xpath("//table[@class='matrix']/tbody/tr"):
        head = " ".join(row.xpath("string(th)").split())
        found[head] = [(cell.text_content().split()[-1], cell.xpath("string(a/@href)")) for cell in row.xpath("td")]
    return found


def use_policies(cloud):
    """Sends requests that policies allow and deny, as the developer."""
    s3 = client(cloud, "s3", **DEVELOPER_KEYS)
    s3.put_object(Bucket=BUCKET, Key="a.txt", Body=b"a")
    with refused("AccessDenied", 403):
        s3.list_buckets()


def prepared(cloud, browser):
    open_page(browser, cloud, REACH)
    yield "reach"
    open_page(browser, cloud, f"{REACH}?access=list&kind=role&bucket={BUCKET}")
    yield "reach-list"
    open_page(browser, cloud, f"{REACH}?bucket=none")
    yield "reach-refused"
    open_page(browser, cloud, USAGE)
    yield "usage-empty"
    press(browser, "Record requests")
    use_policies(cloud)
    open_page(browser, cloud, USAGE)
    yield "usage"
    follow(browser, browser.find_element(By.CSS_SELECTOR, "table.stacked tbody a").click)
    yield "coverage"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_sound(own, scheme):
    check_pages(own, prepared, scheme)


@pytest.mark.parametrize("access", ["read", "write", "delete", "list"])
def test_cells_agree_with_explanations(own, access):
    answer = own.control("GET", "reach", params={"access": access, "limit": 100})
    assert len(answer["callers"]) == answer["total"] and len(answer["places"]) > 1
    seen = set()
    for caller in answer["callers"]:
        assert len(caller["cells"]) == len(answer["places"])
        for place, cell in zip(answer["places"], caller["cells"]):
            role = cell["through"] if caller["kind"] == "person" else caller["id"]
            if role is None:
                assert cell["reach"] == "denied"
                continue
            ways = {way["role"]: way for way in caller["ways"]}
            context = place["context"] | ways.get(cell["through"], {}).get("context", {})
            question = {"as": role, "action": place["action"], "resource": place["resource"]}
            decision = own.control("POST", "explain", question | {"context": context})
            seen.add(cell["reach"])
            if cell["reach"] != "conditional" and caller["kind"] != "person":
                assert (decision["decision"] == "allowed") == (cell["reach"] == "allowed"), (caller["name"], place["resource"])
            elif cell["reach"] == "allowed":
                assert decision["decision"] == "allowed", (caller["name"], place["resource"])
    assert {"allowed", "denied"} <= seen


def test_each_cell_opens_the_simulator_with_its_question(own):
    for head, cells in rows(requests.get(own.url + CONSOLE + REACH).text).items():
        for word, link in cells[:2]:
            fields = parse_qs(urlsplit(link).query, keep_blank_values=True)
            assert urlsplit(link).path == CONSOLE + "policies" and fields["action"] == ["s3:GetObject"], link
            answer = requests.get(own.url + link)
            assert answer.status_code == 200
            document = html.fromstring(answer.text)
            assert document.get_element_by_id("as").get("value") == fields["as"][0]
            assert document.get_element_by_id("resource").text.strip() == fields["resource"][0]
            if fields["as"][0] and word == "allowed":
                assert "Allowed" in document.xpath("string(//h2[@id='result'])"), (head, link)


def test_a_person_reaches_the_own_folder_through_a_role(own):
    document = own.control("GET", "reach", params={"kind": "person", "bucket": BUCKET, "limit": 100})
    alice = next(caller for caller in document["callers"] if (caller["name"], caller["id"]) == ("alice", "google"))
    assert [way["role"].rsplit("/", 1)[1] for way in alice["ways"]] == ["personal-files-google"]
    subject = alice["ways"][0]["context"]["accounts.google.com:sub"]
    cells = {place["prefix"]: cell["reach"] for place, cell in zip(document["places"], alice["cells"])}
    assert cells.pop(f"{subject}/") == "allowed"
    assert set(cells.values()) == {"denied"}


def test_a_live_session_is_a_row(own):
    answer = assume(own, "google", own.token("google", "alice"))
    arn, subject = answer["AssumedRoleUser"]["Arn"], answer["SubjectFromWebIdentityToken"]
    document = own.control("GET", "reach", params={"kind": "session", "bucket": BUCKET, "prefix": f"{subject}/"})
    [session] = document["callers"]
    assert session["name"] == arn and session["cells"] == [{"reach": "allowed", "through": None}]
    assert arn in requests.get(f"{own.url}{CONSOLE}{REACH}?kind=session").text


def test_the_filters_are_a_plain_form(own, browser):
    open_page(browser, own, REACH)
    browser.find_element(By.CSS_SELECTOR, "#access option[value=list]").click()
    browser.find_element(By.CSS_SELECTOR, "#kind option[value=user]").click()
    press(browser, "Show")
    assert "access=list" in browser.current_url and "kind=user" in browser.current_url
    page = text(browser)
    assert "developer" in page and "s3:ListBucket" in page and "person at" not in page
    follow(browser, browser.find_element(By.CSS_SELECTOR, "table.matrix td a").click)
    assert browser.find_element(By.ID, "action").get_attribute("value") == "s3:ListBucket"
    assert own_violations(browser) == []


def test_a_large_cloud_is_divided_into_pages(process):
    count = 45
    seed = {"accounts": [{
        "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}],
        "users": [{"name": f"{'u' * 50}{number}"} for number in range(count)],
        "buckets": [{"name": f"bucket-{number:02}", "objects": [
            {"key": f"{prefix * 200}/{'k' * 700}", "text": "x"} for prefix in "abcdef"]} for number in range(20)]}]}
    with Sandbox.seeded(process, json.dumps(seed)) as sandbox, console_browser() as browser:
        open_page(browser, sandbox, f"{REACH}?kind=user")
        names, pages = [], 0
        while True:
            assert weight(browser) < HEAVIEST
            names += [row.text.split("\n")[0] for row in browser.find_elements(By.CSS_SELECTOR, "table.matrix tbody th")]
            pages += 1
            links = browser.find_elements(By.LINK_TEXT, "Next callers")
            if not links:
                break
            follow(browser, links[0].click)
        assert len(names) == len(set(names)) == count and pages > 1
        assert "Only the first prefixes are shown" in text(browser)


def test_decisions_are_drawn_with_numbers_beside_them(own, browser):
    open_page(browser, own, USAGE)
    assert "No decision is recorded." in text(browser)
    press(browser, "Record requests")
    assert "Requests are recorded" in text(browser)
    use_policies(own)
    history = own.control("GET", "usage/history")
    assert history["allowed"] > 0 and history["denied"] > 0
    open_page(browser, own, USAGE)
    facts = {row.find_element(By.TAG_NAME, "dt").text: row.find_element(By.TAG_NAME, "dd").text
             for row in browser.find_elements(By.CSS_SELECTOR, ".facts div")}
    assert facts["✓ allowed"] == str(history["allowed"]) and facts["✗ denied"] == str(history["denied"])
    assert browser.find_elements(By.CSS_SELECTOR, "svg.pic rect.good") and browser.find_elements(By.CSS_SELECTOR, "svg.pic rect.bad")
    outside = browser.execute_script(
        """const whole = document.querySelector('svg.pic').getBoundingClientRect()
        const isOutside = box => box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1
        return [...document.querySelectorAll('svg.pic text, svg.pic rect')].filter(part => isOutside(part.getBoundingClientRect())).length""")
    assert outside == 0
    press(browser, "Stop recording")
    assert not own.control("GET", "usage")["enabled"]


def test_coverage_is_a_map_of_the_text(own):
    own.control("PUT", "usage", {"enabled": True})
    use_policies(own)
    for policy in own.control("GET", "usage/coverage")["policies"]:
        page = requests.get(f"{own.url}{CONSOLE}policies/coverage", params={"file": policy["file"]})
        assert page.status_code == 200
        document = html.fromstring(page.text)
        shown = [" ".join(part.xpath("string(p)").split()) for part in document.xpath("//div[@class='map']/div[starts-with(@class,'use')]")]
        words = {"decided": "✓ decided", "applied": "○ used", "never": "– never"}
        assert [line.split(" Statement")[0] for line in shown] == [words[statement["use"]] for statement in policy["statements"]]
        lines = "\n".join(document.xpath("//div[@class='map']//pre/text()"))
        assert json.loads(lines) == policy["document"]
    used = [policy for policy in own.control("GET", "usage/coverage")["policies"] if any(s["use"] == "decided" for s in policy["statements"])]
    assert used


def test_the_page_of_a_managed_policy_has_its_coverage(own):
    arn = client(own, "iam").create_policy(PolicyName="mine", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [{"Sid": "All", "Effect": "Allow", "Action": "s3:Put*", "Resource": "*"}]}))["Policy"]["Arn"]
    page = f"{own.url}{CONSOLE}identity/accounts/{ACCOUNT}/policies/{quote(arn, safe='')}"
    assert "No request is recorded." in requests.get(page).text
    client(own, "iam").attach_user_policy(UserName="developer", PolicyArn=arn)
    own.control("PUT", "usage", {"enabled": True})
    use_policies(own)
    answer = requests.get(page)
    assert "Statement 1 “<bdi>All</bdi>” (Allow): it applied to" in answer.text
    check_html(page)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    with Cloud.ephemeral("--usage", "--seed", hostile_seed(tmp_path_factory.mktemp("hostile") / "seed.json5")) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def test_hostile_texts_stay_text(hostile, browser):
    iam = client(hostile, "iam")
    iam.create_user(UserName="guest")
    for number, payload in enumerate(PAYLOADS):
        statement = {"Sid": "Hostile", "Effect": "Allow", "Action": "s3:*", "Resource": f"arn:aws:s3:::box/{payload[:500]}"}
        policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
        # Not every text is one that IAM accepts.
        with suppress(iam.exceptions.MalformedPolicyDocumentException, iam.exceptions.ClientError):
            iam.put_user_policy(UserName="guest", PolicyName=f"p{number}", PolicyDocument=policy)
        requests.get(f"{hostile.url}/box/{quote(payload[:500])}")
    files = [policy["file"] for policy in hostile.control("GET", "usage/coverage")["policies"]]
    paths = [REACH, f"{REACH}?bucket=box", f"{REACH}?bucket=box&access=list", USAGE]
    paths += [f"policies/coverage?file={quote(file, safe='')}" for file in files]
    for payload in PAYLOADS:
        for name in ["access", "kind", "bucket", "from"]:
            paths.append(f"{REACH}?{name}={quote(payload[:500])}")
        paths.append(f"{REACH}?bucket=box&prefix={quote(payload[:500])}")
        paths.append(f"policies/coverage?file={quote(payload[:500], safe='')}")
    for number, path in enumerate(paths):
        answer = requests.get(hostile.url + CONSOLE + path)
        assert answer.status_code in (200, 400, 404) and "<script>window" not in answer.text and "<img" not in answer.text, path
        if number < 8 or number % 9 == 0:
            open_page(browser, hostile, path)
            expect_harmless(browser, path)
            check_html(browser.current_url)
