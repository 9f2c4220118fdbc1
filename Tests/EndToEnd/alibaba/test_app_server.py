"""The app server of `seed/alibaba.json5`: credentials for users, signatures for apps without credentials, and the metadata of its
machine."""

import base64
import hashlib
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import formatdate

import oss2
import pytest
import requests
from alibabacloud_credentials.client import Client as CredentialsClient
from alibabacloud_credentials.models import Config as CredentialsConfig
from alibabacloud_credentials.http import HttpOptions
from alibabacloud_credentials.provider import EcsRamRoleCredentialsProvider, URLCredentialsProvider
from cloud import TIMEOUT_SECONDS
from harbour import PHOTOS, PROVIDER, SEED, UID, WARDEN, WEB_CLIENT, Keys, bucket, keys_of, refused
from sandboxes import Sandbox

METADATA = "/latest/meta-data/ram/security-credentials/"


def sts(cloud, **options):
    """Calls the demo server's endpoint of the mobile SDKs."""
    return requests.get(f"{cloud.url}/sts/getsts", **options)


def test_the_demo_server_asks_nobody_and_gives_the_guests_folder_away(harbour):
    for method in ("GET", "POST"):
        response = requests.request(method, f"{harbour.url}/sts/getsts")
        answer = response.json()
        assert response.status_code == 200 and answer["StatusCode"] == "200"
        assert set(answer) == {"AccessKeyId", "AccessKeySecret", "SecurityToken", "Expiration", "StatusCode"}
        guest = bucket(harbour, PHOTOS, keys_of(answer))
        guest.put_object("guest/x", b"x")
        with refused("AccessDenied", 403):
            guest.get_object("alice/hello.txt")


def test_people_come_with_a_password_or_an_id_token(harbour):
    def folder(response):
        answer = response.json()
        keys = keys_of(answer)
        entries = harbour.control("GET", "journal")["entries"]
        # The newest entry is first.
        name = next(entry["caller"] for entry in entries if entry["face"] == "appserver")
        bucket(harbour, PHOTOS, keys).put_object(f"{name}/mine", b"x")
        with refused("AccessDenied", 403):
            bucket(harbour, PHOTOS, keys).put_object("guest/mine", b"x")
        return name

    assert folder(sts(harbour, params={"user": "alice", "password": "alice-password"})) == "alice"
    assert folder(requests.post(f"{harbour.url}/sts/getsts", data={"user": "bob", "password": "bob-password"})) == "bob"
    assert folder(sts(harbour, auth=("alice", "alice-password"))) == "alice"
    token = harbour.token(PROVIDER, "bob", client=WEB_CLIENT)
    assert folder(sts(harbour, headers={"Authorization": f"Bearer {token}"})) == "bob"
    assert folder(sts(harbour, params={"id_token": token})) == "bob"
    wrong = [
        {"auth": ("alice", "bob-password")}, {"auth": ("eve", "eve-password")}, {"params": {"user": "alice"}},
        {"params": {"id_token": harbour.token(PROVIDER, "bob", client="regatta-web")}}, {"headers": {"Authorization": "Bearer x"}}]
    for options in wrong:
        response = sts(harbour, **options)
        # The credentials provider of the SDK for Android ignores the body of a response from status 400 on.
        assert response.status_code == 200 and response.json()["StatusCode"] == "401" and "AccessKeyId" not in response.json()


def test_a_session_may_be_shorter_than_the_article_allows(harbour):
    answer = sts(harbour, params={"duration": "2"}).json()
    left = time.mktime(time.strptime(answer["Expiration"], "%Y-%m-%dT%H:%M:%SZ")) - time.mktime(time.gmtime())
    assert left <= 2
    harbour.age("PT3S")
    with refused("SecurityTokenExpired", 403):
        bucket(harbour, PHOTOS, keys_of(answer)).put_object("guest/x", b"x")


def test_it_fails_on_demand_as_the_demo_server_does(harbour):
    harbour.control("POST", "faults", {"service": "appserver", "error": "InternalError", "times": 2})
    response = sts(harbour)
    assert response.status_code == 200
    assert response.json()["StatusCode"] == "500" and response.json()["ErrorCode"] == "InternalError" and response.json()["ErrorMessage"]
    response = requests.get(f"{harbour.url}/distribute-token.json")
    assert response.status_code == 200 and response.json()["StatusCode"] == 500
    assert sts(harbour).json()["StatusCode"] == "200"


def test_the_self_signed_mode_signs_a_request_for_an_app_without_keys(harbour):
    body, date = b"signed elsewhere", formatdate(usegmt=True)
    md5 = base64.b64encode(hashlib.md5(body).digest()).decode()
    content = f"PUT\n{md5}\ntext/plain\n{date}\n/{PHOTOS}/self signed.txt"
    answers = [
        requests.post(f"{harbour.url}/sign", data=content.encode(), headers={"Content-Type": "text/plain"}).text,
        requests.post(f"{harbour.url}/sign", data={"content": content}).json()["authorization"],
        requests.post(f"{harbour.url}/sign", json={"content": content}).json()["authorization"]]
    assert len(set(answers)) == 1 and answers[0].startswith(f"OSS {WARDEN.id}:")
    response = requests.put(
        f"{harbour.url}/{PHOTOS}/self%20signed.txt", data=body,
        headers={"Date": date, "Content-MD5": md5, "Content-Type": "text/plain", "Authorization": answers[0]})
    assert response.status_code == 200, response.text
    assert bucket(harbour, PHOTOS).get_object("self signed.txt").read() == body
    # A string with another line feed has another signature.
    other = requests.post(f"{harbour.url}/sign", data=(content + "\n").encode(), headers={"Content-Type": "text/plain"}).text
    assert other != answers[0]


def test_the_sdks_take_the_metadata_for_a_url_of_credentials(harbour):
    role = requests.get(harbour.url + METADATA).text
    assert role == "machines"
    held = oss2.credentials.EcsRamRoleCredentialsProvider(harbour.url + METADATA + role).get_credentials()
    assert held.access_key_id.startswith("STS.")
    machine = Keys(held.access_key_id, held.access_key_secret, held.security_token)
    provider = URLCredentialsProvider(uri=harbour.url + METADATA + role)
    taken = provider.get_credentials()
    config = CredentialsConfig(type="credentials_uri", credentials_uri=harbour.url + METADATA + role)
    client = CredentialsClient(config)
    assert client.get_credential().security_token.startswith("CAIS")
    for keys in (machine, Keys(taken.get_access_key_id(), taken.get_access_key_secret(), taken.get_security_token())):
        assert bucket(harbour, PHOTOS, keys).get_object("alice/hello.txt").read() == b"Hello Alice, this is your folder.\n"
        with refused("AccessDenied", 403):
            bucket(harbour, PHOTOS, keys).put_object("alice/hello.txt", b"")


def test_the_metadata_of_the_hardened_mode_want_a_token_of_their_own(harbour):
    lifetime = {"X-aliyun-ecs-metadata-token-ttl-seconds": "60"}
    token = requests.put(f"{harbour.url}/latest/api/token", headers=lifetime).text
    field = {"X-aliyun-ecs-metadata-token": token}
    assert requests.get(harbour.url + METADATA, headers=field).text == "machines"
    answer = requests.get(harbour.url + METADATA + "machines", headers=field).json()
    assert answer["Code"] == "Success"
    harbour.age("PT61S")
    assert requests.get(harbour.url + METADATA, headers=field).status_code == 401
    assert requests.put(f"{harbour.url}/latest/api/token").status_code == 400


def test_the_provider_of_machines_takes_both_modes(harbour):
    """The provider uses a fixed address, which a proxy maps to this server."""
    options = HttpOptions(proxy=harbour.url, connect_timeout=TIMEOUT_SECONDS * 1000, read_timeout=TIMEOUT_SECONDS * 1000)
    for hardened in (True, False):
        provider = EcsRamRoleCredentialsProvider(http_options=options, async_update_enabled=False, disable_imds_v1=hardened)
        taken = provider.get_credentials()
        keys = Keys(taken.get_access_key_id(), taken.get_access_key_secret(), taken.get_security_token())
        assert bucket(harbour, PHOTOS, keys).get_object("alice/hello.txt").read() == b"Hello Alice, this is your folder.\n"


def test_its_paths_are_those_of_buckets_where_no_seed_has_one(cloud):
    for path in ("/sts/getsts", "/distribute-token.json", "/sign", METADATA):
        assert requests.get(cloud.url + path).headers["Content-Type"] == "application/xml"


@pytest.mark.parametrize("path", ["/sts/getsts", "/distribute-token.json"])
def test_every_answer_says_when_it_was_made(harbour, path):
    assert requests.get(harbour.url + path).headers["Date"].endswith("GMT")


def test_answers_name_the_user_of_the_session(harbour):
    answer = requests.get(f"{harbour.url}/distribute-token.json").json()
    assert answer["federatedUser"] == f"{UID}:guest" and json.dumps(answer)


@pytest.fixture(scope="module")
def closed(process):
    """An app server that requires a login."""
    text = SEED.read_text()
    assert text.count('openTo: "guest",') == 1
    with Sandbox.seeded(process, text.replace('openTo: "guest",', "")) as cloud:
        yield cloud


class AndroidProvider:
    """OSSAuthCredentialsProvider of the SDK for Android, which ignores the body from status 400 on, and then reads the member
    StatusCode."""

    def __init__(self, url):
        self.url = url

    def token(self):
        try:
            with urllib.request.urlopen(self.url) as response:
                answer = json.loads(response.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"the provider reads nothing of an answer of {error.code}") from error
        if int(answer["StatusCode"]) == 200:
            return keys_of(answer)
        raise PermissionError(f"ErrorCode: {answer['ErrorCode']}| ErrorMessage: {answer['ErrorMessage']}")


@pytest.mark.parametrize("path", ["/sts/getsts", "/distribute-token.json"])
def test_the_provider_for_android_reads_why_a_login_is_missing(closed, path):
    with pytest.raises(PermissionError, match=r"^ErrorCode: \w+\| ErrorMessage: .+"):
        AndroidProvider(closed.url + path).token()
    query = urllib.parse.urlencode({"user": "alice", "password": "alice-password"})
    keys = AndroidProvider(f"{closed.url}{path}?{query}").token()
    bucket(closed, PHOTOS, keys).put_object("alice/mine", b"x")
    wrong = urllib.parse.urlencode({"user": "alice", "password": "bob-password"})
    with pytest.raises(PermissionError, match="ErrorCode"):
        AndroidProvider(f"{closed.url}{path}?{wrong}").token()
