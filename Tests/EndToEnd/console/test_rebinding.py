"""DNS rebinding: a page of evil.example whose name now leads to this machine. To the browser it has the origin of the server."""

import pytest
import requests

from clients import client
from hostile_pages import signed_call

EVIL = "evil.example"
# A page's own requests to its origin, a form of it, and a navigation.
FETCH = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
POST = FETCH | {"Origin": f"http://{EVIL}"}
NAVIGATION = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
# Browsers omit these headers for HTTP hosts that are not loopback, which is what this name is to them.
PLAIN = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0"}
SENDERS = {"fetch": FETCH, "post": POST, "navigation": NAVIGATION, "plain": PLAIN, "plain post": PLAIN | {"Origin": f"http://{EVIL}"},
           "old browser": PLAIN | {"Referer": f"http://{EVIL}/page"}}


@pytest.mark.parametrize("sender", SENDERS)
def test_the_control_api_is_closed(cloud, sender):
    headers = SENDERS[sender] | {"Host": f"{EVIL}:{cloud.port}"}
    for method, path in [("GET", "journal"), ("GET", "openapi.json"), ("GET", "sandboxes"), ("GET", "info"), ("POST", "reset"),
                         ("POST", "tokens"), ("POST", "sandboxes"), ("POST", "clock"), ("POST", "send"), ("DELETE", "sandboxes/default")]:
        answer = requests.request(method, f"{cloud.url}/_virga/{path}", headers=headers, json={} if method == "POST" else None)
        assert answer.status_code == 403, (method, path, answer.text)
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("sender", SENDERS)
def test_the_console_and_the_login_pages_are_closed(cloud, sender):
    headers = SENDERS[sender] | {"Host": f"{EVIL}:{cloud.port}"}
    query = "client_id=web-app&response_type=code&redirect_uri=http://localhost:8765/callback&scope=openid"
    for path in ["/_virga/ui/", "/_virga/ui/journal", f"/idp/company/authorize?{query}", "/idp/company/account"]:
        answer = requests.get(cloud.url + path, headers=headers, allow_redirects=True)
        assert answer.status_code in (403, 404), (path, answer.text)
        assert "password" not in answer.text


@pytest.mark.parametrize("sender", SENDERS)
def test_a_well_known_key_signs_nothing(cloud, root, sender):
    """The page signs for the host that it has, with the keys that everybody knows."""
    class Rebound:
        url, authority = f"http://{EVIL}:{cloud.port}", None

    headers = SENDERS[sender] | {"Host": f"{EVIL}:{cloud.port}"}
    for method in ["GET", "POST"]:
        url = signed_call(Rebound, method, Action="CreateUser", UserName="mallory").replace(EVIL, "127.0.0.1")
        answer = requests.request(method, url, headers=headers)
        assert answer.status_code == 403, answer.text
    presigned = client(Rebound, "s3").generate_presigned_url("list_buckets").replace(EVIL, "127.0.0.1")
    answer = requests.get(presigned, headers=headers)
    assert answer.status_code in (403, 404) and "<Buckets>" not in answer.text
    assert "mallory" not in str(client(cloud, "iam").list_users()["Users"])


@pytest.mark.parametrize("host", ["127.0.0.1.evil.example", "localhost.evil.example", "evil.example.", "LOCALHOST.evil.example", "127.0.0.1@evil.example",
                                  "evil.example:80:80", "evil.example%00localhost", "evil.example,localhost", "xn--lcalhost-n2a", "0x7f000001.example"])
def test_a_name_that_resembles_an_own_one_is_foreign(cloud, host):
    answer = requests.get(f"{cloud.url}/_virga/journal", headers={"Host": host, "Sec-Fetch-Site": "same-origin"})
    assert answer.status_code in (400, 403), answer.text
