"""OmniAuth's strategy for OpenID Connect, the relying party of many Rails applications, on the library openid_connect. A short Ruby program
handles one request of a browser."""

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from login_page import REDIRECT_URI, Page, Person

PROGRAM = Path(__file__).with_name("omniauth.rb")
APPLICATION = REDIRECT_URI.removesuffix("/callback")


class Application:
    """The application, and the cookie of its one visitor."""

    def __init__(self, tool, tmp_path, issuer, **options):
        self.tool, self.order_file, self.cookie = tool, tmp_path / "order.json", ""
        self.fixed = {
            "issuer": issuer, "client": "web-app", "secret": "web-app-client-secret", "redirect": REDIRECT_URI, "options": options}

    def request(self, method, url, **form):
        self.order_file.write_text(json.dumps(
            self.fixed | {"method": method, "url": url, "form": form, "cookie": self.cookie}))
        answer = json.loads(self.tool("ruby", "-W0", PROGRAM, self.order_file))
        self.cookie = answer["cookie"] or self.cookie
        return answer

    def login(self):
        """The URL of the provider to which the application sends the browser."""
        answer = self.request("POST", f"{APPLICATION}/auth/company")
        assert answer["status"] == 302, answer
        return answer["location"]

    def sign_in(self, person):
        """What the application knows of the user after the login."""
        step = person.open(self.login())
        while isinstance(step, Page) and (step.is_login or step.is_consent):
            step = person.sign_in(step) if step.is_login else person.press(step, ("action", "allow"))
        if isinstance(step, Page):
            assert step.form.action == REDIRECT_URI
            answer = self.request("POST", REDIRECT_URI, **step.form.fields)
        else:
            answer = self.request("GET", f"{REDIRECT_URI}?{urlencode(step.query | step.fragment)}")
        assert answer["status"] == 200, answer
        return json.loads(answer["body"])


@pytest.fixture
def application(cloud, tool, tmp_path):
    return lambda path="/idp/company", **options: Application(tool, tmp_path, cloud.url + path, **options)


@pytest.mark.parametrize("path", ["/idp/company", "/realms/company"])
@pytest.mark.parametrize("options", [
    {}, {"pkce": True}, {"response_mode": "form_post"}, {"client_auth_method": "jwt_bearer"}, {"client_auth_method": "basic"}],
    ids=lambda options: "-".join(map(str, options.values())) or "plain")
def test_a_user_signs_in(application, path, options):
    user = application(path, **options).sign_in(Person("alice", "alice-password"))
    assert user["uid"] == user["claims"]["sub"]
    assert user["info"]["email"] == user["claims"]["email"]
    assert user["token"]


def test_a_silent_login_needs_a_session(application):
    person = Person("alice", "alice-password")
    quiet = application(prompt="none")
    step = person.open(quiet.login())
    answer = quiet.request("GET", step.url)
    assert answer["status"] == 302
    assert "message=login_required" in answer["location"]
    application().sign_in(person)
    assert quiet.sign_in(person)["token"]


def test_a_response_to_another_visitor_is_refused(application):
    person = Person("alice", "alice-password")
    first, second = application(), application()
    step = person.authorize(first.login())
    second.login()
    answer = second.request("GET", step.url)
    assert answer["status"] == 302
    assert "/auth/failure" in answer["location"]
