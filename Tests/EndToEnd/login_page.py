"""A user at a provider's login page, without a browser: forms are parsed from the page and submitted."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

REDIRECT_URI = "http://localhost:8765/callback"
OTHER_REDIRECT_URI = "http://127.0.0.1:8765/callback"


@dataclass
class Form:
    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """The forms of a page: the fields that a browser would send, and the buttons."""

    def __init__(self, response):
        super().__init__()
        self.url = response.url
        self.text = response.text
        self.forms = []
        self.feed(response.text)

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append(Form(attributes.get("method", "get").lower(), attributes.get("action", "")))
        elif tag in ("input", "button") and self.forms and attributes.get("name"):
            name, value, form = attributes["name"], attributes.get("value", ""), self.forms[-1]
            kind = attributes.get("type", "submit" if tag == "button" else "text")
            if kind == "submit":
                form.buttons.append((name, value))
            elif kind not in ("checkbox", "radio") or "checked" in attributes:
                form.fields[name] = value

    @property
    def form(self):
        assert len(self.forms) == 1 and self.forms[0].method == "post", f"expected one form that is posted:\n{self.text}"
        return self.forms[0]

    @property
    def is_login(self):
        return any("username" in form.fields for form in self.forms)

    @property
    def is_consent(self):
        return any(("action", "allow") in form.buttons for form in self.forms)


class Person:
    """A user with a browser session, who logs in and consents."""

    def __init__(self, name, password=None):
        self.name, self.password = name, password
        self.browser = requests.Session()

    def open(self, url):
        """Opens an authorization URL and stops at the first page, or at a redirect to a client."""
        return self._follow(self.browser.get(url, allow_redirects=False))

    def press(self, page, button, **filled):
        """Presses a button of the page's form. Returns the next page or the redirect to a client."""
        form = page.form
        assert button in form.buttons, f"no button {button}, only {form.buttons}"
        assert set(filled) <= set(form.fields), f"no fields {set(filled)}, only {set(form.fields)}"
        return self._follow(self.browser.post(
            urljoin(page.url, form.action), data=form.fields | filled | dict([button]), allow_redirects=False))

    def sign_in(self, page):
        """Fills in the login form, or presses the user's button if there is no password to type."""
        assert page.is_login, page.text
        if self.password is None:
            return self.press(page, ("person", self.name))
        # The button of Keycloak's page has another name.
        button = next(button for button in [("action", "login"), ("login", "")] if button in page.form.buttons)
        return self.press(page, button, username=self.name, password=self.password)

    def authorize(self, url, consent="allow"):
        """Follows an authorization URL to the redirect with the response."""
        step = self.open(url)
        if isinstance(step, Page) and step.is_login:
            step = self.sign_in(step)
        if isinstance(step, Page) and step.is_consent:
            step = self.press(step, ("action", consent))
        assert isinstance(step, Redirect), f"still at {step.url}:\n{step.text}"
        return step

    def _follow(self, response):
        while response.is_redirect:
            location = urljoin(response.url, response.headers["Location"])
            if location.startswith((REDIRECT_URI, OTHER_REDIRECT_URI)):
                return Redirect(location)
            response = self.browser.get(location, allow_redirects=False)
        return Page(response) if response.ok else Refusal(response)


class Redirect:
    """The end of a flow: the client's redirect URI with the response in its query or fragment."""

    def __init__(self, url):
        self.url = url
        parts = urlsplit(url)
        self.query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.fragment = {name: values[0] for name, values in parse_qs(parts.fragment).items()}


class Refusal:
    """A page for the user, because the redirect URI cannot be trusted or the login failed."""

    def __init__(self, response):
        self.url, self.status, self.text = response.url, response.status_code, response.text
        self.page = Page(response)
