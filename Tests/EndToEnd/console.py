"""The web console in a real browser, and without one."""

import importlib.util
import json
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import requests
from selenium import webdriver
from selenium.webdriver.common.by import By

from navigation import patiently

CONSOLE = "/_virga/ui/"
ARTIFACTS = Path(__file__).parent / "artifacts"

# Reports violations of the content security policy, errors of scripts, and scripts that should not run.
WATCH = """
window.violations = []
addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective + ' ' + event.blockedURI))
addEventListener('error', event => violations.push('error ' + event.message))
"""


@contextmanager
def console_browser(width=1280, height=900, scheme="light", hosts=(), accepts_certificates=False):
    """Headless Chromium that finds no other host than loopback, and reports each request. `hosts` are names that lead to this machine."""
    options = webdriver.ChromeOptions()
    options.accept_insecure_certs = accepts_certificates
    names = "".join(f"MAP {host} 127.0.0.1 , " for host in hosts)
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}",
                     "--disable-background-networking", "--no-first-run", "--no-proxy-server", "--hide-scrollbars",
                     f"--host-resolver-rules={names}MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE *.localhost"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        if width < 500:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        yield driver
    finally:
        driver.quit()


def open_page(browser, cloud, path=""):
    browser.get(cloud.url + CONSOLE + path)


def text(browser):
    return browser.find_element(By.TAG_NAME, "body").text


def follow(browser, act):
    """Performs an act that opens another page, and waits until the browser is there."""
    browser.execute_script("window.virgaLeft = true")
    act()
    patiently(browser).until(lambda driver: driver.execute_script("return !window.virgaLeft && document.readyState === 'complete'"))


def press(browser, name, within="//main"):
    """Presses the first button with this text."""
    button = browser.find_element(By.XPATH, f"{within}//button[normalize-space()='{name}']")
    follow(browser, button.click)


def open_link(browser, name):
    follow(browser, browser.find_element(By.XPATH, f"//a[normalize-space()='{name}']").click)


def log_in(browser, provider="Google", person="alice"):
    """Walks from the Playground to the return from the provider's login page."""
    open_link(browser, f"Log in with {provider}")
    follow(browser, browser.find_element(By.CSS_SELECTOR, f"button[name=person][value={person}]").click)
    allow = browser.find_elements(By.CSS_SELECTOR, "button[name=action][value=allow]")
    if allow:
        follow(browser, allow[0].click)


def own_violations(browser):
    """What the page's watch reported, without what the browser extension of a test adds."""
    return browser.execute_script("return window.violations")


def requested(browser):
    """The URLs of all requests since the last call."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]


def axe_violations(browser):
    """The accessibility faults of the page, by the rules of WCAG 2.2 AA."""
    package = importlib.util.find_spec("axe_playwright_python")
    assert package, "axe-playwright-python is not installed: .ci/setup test installs it"
    browser.execute_script((Path(package.origin).parent / "axe.min.js").read_text())
    result = browser.execute_async_script(
        """const done = arguments[arguments.length - 1]
        axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']}).then(done, error => done({error: String(error)}))""")
    assert "error" not in result, result["error"]
    return [f"{fault['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
            for fault in result["violations"] for node in fault["nodes"]]


def is_wider_than_window(browser):
    return browser.execute_script("return document.documentElement.scrollWidth > document.documentElement.clientWidth")


class Forms(HTMLParser):
    """The forms of a page: the action, the fields, and the text of the button."""

    def __init__(self, page):
        super().__init__()
        self.url, self.text = page.url, page.text
        self.forms, self.links, self.open, self.button, self.link, self.area, self.select = [], [], None, False, False, None, None
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.open = {"action": urljoin(self.url, values["action"]), "fields": {}, "label": ""}
            self.forms.append(self.open)
        elif tag == "a":
            self.links.append([values.get("href", ""), ""])
            self.link = True
        elif self.open is not None and tag == "input" and values.get("name"):
            if values.get("type") not in ("checkbox", "radio"):
                self.open["fields"][values["name"]] = values.get("value", "")
        elif self.open is not None and tag == "textarea":
            self.area = values["name"]
            self.open["fields"][self.area] = ""
        elif self.open is not None and tag == "select":
            self.select = values["name"]
        elif self.open is not None and tag == "option" and self.select:
            if self.select not in self.open["fields"] or "selected" in values:
                self.open["fields"][self.select] = values.get("value", "")
        elif tag == "button":
            self.button = True

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None
        elif tag == "textarea":
            if self.area and self.open is not None:
                # As browsers do (HTML standard, "newlines at the start of textarea blocks").
                self.open["fields"][self.area] = self.open["fields"][self.area].removeprefix("\n")
            self.area = None
        elif tag == "select":
            self.select = None
        elif tag == "button":
            self.button = False
        elif tag == "a":
            self.link = False

    def handle_data(self, data):
        if self.area and self.open is not None:
            self.open["fields"][self.area] += data
        elif self.button and self.open is not None:
            self.open["label"] += data
        elif self.link:
            self.links[-1][1] += data


class Reader:
    """A person who reads the console without scripts: forms are parsed and sent."""

    def __init__(self, cloud):
        self.cloud, self.session, self.page = cloud, requests.Session(), None
        self.session.headers["User-Agent"] = "Mozilla/5.0"

    def open(self, path=""):
        return self._at(self.session.get(urljoin(self.cloud.url + CONSOLE, path)))

    def press(self, label, number=0, **fields):
        """Sends the form whose button has this text."""
        form = [form for form in self.page.forms if form["label"].strip() == label][number]
        headers = {"Origin": "{0.scheme}://{0.netloc}".format(urlsplit(self.page.url))}
        return self._at(self.session.post(form["action"], data=form["fields"] | fields, headers=headers))

    def link(self, label):
        [url] = [url for url, name in self.page.links if name.strip() == label][:1]
        return self._at(self.session.get(urljoin(self.page.url, url)))

    def _at(self, response):
        while 'http-equiv="refresh"' in response.text:
            response = self.session.get(urljoin(response.url, response.text.split('content="0;url=')[1].split('"')[0]))
        self.status = response.status_code
        self.page = Forms(response)
        return response
