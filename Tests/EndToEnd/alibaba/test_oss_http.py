"""OSS without an SDK: host names, browsers' forms and preflights, and anonymous callers."""

import base64
import datetime
import hashlib
import hmac
import json
import xml.etree.ElementTree as ElementTree

import oss2
import pytest
import requests
from oss2.models import BucketCors, BucketReferer, BucketWebsite, CorsRule

from harbour import CHARTS, PHOTOS, PHOTOS_HOST, REGION, UID, WARDEN, authentication, bucket, folder_policy, refused, session


def error(answer, code, status):
    """Checks the error document, and returns it."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    document = ElementTree.fromstring(answer.content)
    assert (document.tag, document.findtext("Code")) == ("Error", code), answer.text
    assert document.findtext("RequestId") == answer.headers["x-oss-request-id"] and document.findtext("HostId")
    if document.findtext("EC"):
        assert answer.headers["x-oss-ec"] == document.findtext("EC")
    return document


def test_a_bucket_is_found_by_every_name_it_has(harbour):
    for host, path in (
            (f"{CHARTS}.oss-cn-hangzhou.aliyuncs.com", "/basin.txt"), (f"{CHARTS}.oss-cn-hangzhou-internal.aliyuncs.com", "/basin.txt"),
            ("localhost", f"/{CHARTS}/basin.txt"), ("127.0.0.1", f"/{CHARTS}/basin.txt")):
        answer = requests.get(harbour.url + path, headers={"Host": host})
        assert answer.content == b"Four metres at low tide.\n", f"{host}: {answer.text}"
        assert len(answer.headers["x-oss-request-id"]) == 24 and answer.headers["Server"] == "AliyunOSS"


def test_a_custom_domain_is_signed_for_the_bucket_behind_it(harbour, monkeypatch):
    """The signature does not cover the host name, which is not in the DNS either: the client sends it as a header."""
    photos = oss2.Bucket(authentication(WARDEN), f"http://{PHOTOS_HOST}", PHOTOS, is_cname=True, region=REGION)
    signed = photos.sign_url("GET", "alice/hello.txt", 60, slash_safe=True)
    assert signed.startswith(f"http://{PHOTOS_HOST}/alice/hello.txt?")
    answer = requests.get(signed.replace(f"http://{PHOTOS_HOST}", harbour.url), headers={"Host": PHOTOS_HOST})
    assert answer.content == b"Hello Alice, this is your folder.\n", answer.text


def test_whoever_has_no_keys_is_told_so(harbour):
    answer = requests.get(f"{harbour.url}/{PHOTOS}/alice/hello.txt")
    error(answer, "AccessDenied", 403)
    answer = requests.head(f"{harbour.url}/{CHARTS}/missing")
    assert answer.status_code == 404 and not answer.content
    document = ElementTree.fromstring(base64.b64decode(answer.headers["x-oss-err"]))
    assert (document.findtext("Code"), document.findtext("Key")) == ("NoSuchKey", "missing")


def test_bodies_in_chunks_of_another_cloud_are_refused(harbour):
    url = bucket(harbour, PHOTOS).sign_url("PUT", "x", 60, headers={"x-oss-meta-a": "b"})
    answer = requests.put(url, data=b"4;chunk-signature=0\r\ntext\r\n0;chunk-signature=0\r\n\r\n", headers={
        "x-oss-meta-a": "b", "Content-Encoding": "aws-chunked", "x-amz-decoded-content-length": "4"})
    assert answer.status_code == 400, answer.text
    assert not bucket(harbour, PHOTOS).object_exists("x")


def test_plain_chunks_are_taken(harbour):
    photos = bucket(harbour, PHOTOS)
    answer = requests.put(photos.sign_url("PUT", "x", 60), data=iter([b"te", b"xt"]))
    assert answer.status_code == 200, answer.text
    assert photos.get_object("x").read() == b"text"


# Forms.

def form(keys=WARDEN, *, version="v1", name=PHOTOS, conditions=(), lifetime=600, **fields):
    """The fields of a form as a web page has them, signed."""
    now = datetime.datetime.now(datetime.timezone.utc)
    date, stamp = now.strftime("%Y%m%d"), now.strftime("%Y%m%dT%H%M%SZ")
    conditions = [{"bucket": name}, ["starts-with", "$key", ""], *conditions]
    signing = {}
    if version == "v4":
        signing = {"x-oss-signature-version": "OSS4-HMAC-SHA256", "x-oss-date": stamp,
                   "x-oss-credential": f"{keys.id}/{date}/{REGION}/oss/aliyun_v4_request"}
        conditions += [{name: value} for name, value in signing.items()]
    if keys.token:
        signing["x-oss-security-token"] = keys.token
        conditions.append({"x-oss-security-token": keys.token})
    expiration = (now + datetime.timedelta(seconds=lifetime)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    policy = base64.b64encode(json.dumps({"expiration": expiration, "conditions": conditions}).encode()).decode()
    if version == "v4":
        key = f"aliyun_v4{keys.secret}".encode()
        for part in (date, REGION, "oss", "aliyun_v4_request"):
            key = hmac.digest(key, part.encode(), hashlib.sha256)
        signing["x-oss-signature"] = hmac.new(key, policy.encode(), hashlib.sha256).hexdigest()
    else:
        signature = hmac.digest(keys.secret.encode(), policy.encode(), hashlib.sha1)
        signing |= {"OSSAccessKeyId": keys.id, "Signature": base64.b64encode(signature).decode()}
    return {"policy": policy, **signing, **fields}


def submit(cloud, fields, content=b"text", filename="photo.jpg", name=PHOTOS, content_type="image/jpeg"):
    return requests.post(
        f"{cloud.url}/{name}/", data=fields, files={"file": (filename, content, content_type)}, allow_redirects=False)


@pytest.mark.parametrize("version", ["v1", "v4"])
def test_a_form_stores_what_its_policy_allows(harbour, version):
    photos = bucket(harbour, PHOTOS)
    answer = submit(harbour, form(version=version, key="alice/${filename}", conditions=[["content-length-range", 1, 10]]))
    assert (answer.status_code, answer.content) == (204, b""), answer.text
    assert photos.get_object("alice/photo.jpg").read() == b"text"
    answer = submit(harbour, form(version=version, key="alice/two", success_action_status="201",
                                  conditions=[{"success_action_status": "201"}]))
    document = ElementTree.fromstring(answer.content)
    assert (answer.status_code, document.tag, document.findtext("Key")) == (201, "PostResponse", "alice/two")
    assert document.findtext("ETag") == answer.headers["ETag"]
    error(submit(harbour, form(version=version, key="a", conditions=[["content-length-range", 1, 3]])), "EntityTooLarge", 400)
    error(submit(harbour, form(version=version, key="bob/x", conditions=[["starts-with", "$key", "alice/"]])), "AccessDenied", 403)
    error(submit(harbour, form(version=version, key="a", lifetime=-60)), "AccessDenied", 403)
    wrong = form(version=version, key="a")
    wrong["x-oss-signature" if version == "v4" else "Signature"] = "0" * 64 if version == "v4" else "AAAA"
    error(submit(harbour, wrong), "SignatureDoesNotMatch", 403)


def test_a_form_redirects_where_it_says(harbour):
    answer = submit(harbour, form(key="alice/x", success_action_redirect="http://localhost:8765/done",
                                  conditions=[["starts-with", "$success_action_redirect", "http://"]]))
    assert answer.status_code == 303 and answer.headers["Location"].startswith("http://localhost:8765/done")


def test_a_form_of_a_session_reaches_its_prefix_alone(harbour):
    alice = session(harbour, folder_policy("alice/"))
    for version in ("v1", "v4"):
        assert submit(harbour, form(alice, version=version, key="alice/x")).status_code == 204
        error(submit(harbour, form(alice, version=version, key="bob/x")), "AccessDenied", 403)


def test_a_form_without_a_signature_needs_a_public_bucket(harbour):
    error(submit(harbour, {"key": "x"}), "AccessDenied", 403)
    public = bucket(harbour, "guestbook")
    public.create_bucket(oss2.BUCKET_ACL_PUBLIC_READ_WRITE)
    answer = requests.post(f"{harbour.url}/guestbook/", data={"key": "x", "x-oss-meta-a": "b"}, files={"file": b"text"})
    assert answer.status_code == 204, answer.text
    assert public.get_object("x").read() == b"text"


# Preflights.

def test_a_preflight_is_answered_by_the_rules(harbour):
    photos = bucket(harbour, PHOTOS)
    ask = lambda origin, method="PUT", headers="x-oss-meta-a": requests.options(f"{harbour.url}/{PHOTOS}/alice/x", headers={
        "Origin": origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers})
    error(ask("http://app.example"), "AccessForbidden", 403)
    photos.put_bucket_cors(BucketCors([CorsRule(
        allowed_origins=["http://*.example"], allowed_methods=["GET", "PUT"], allowed_headers=["x-oss-*"], expose_headers=["ETag"],
        max_age_seconds=60)]))
    answer = ask("http://app.example")
    assert answer.status_code == 200, answer.text
    expected = {"Access-Control-Allow-Origin": "http://app.example", "Access-Control-Allow-Methods": "GET, PUT",
                "Access-Control-Allow-Headers": "x-oss-meta-a", "Access-Control-Max-Age": "60"}
    assert {name: answer.headers.get(name) for name in expected} == expected
    for refusal in (ask("http://app.elsewhere"), ask("http://app.example", "DELETE"), ask("http://app.example", headers="x-other")):
        error(refusal, "AccessForbidden", 403)
    got = requests.get(photos.sign_url("GET", "alice/hello.txt", 60), headers={"Origin": "http://app.example"})
    assert got.headers["Access-Control-Allow-Origin"] == "http://app.example" and got.headers["Access-Control-Expose-Headers"] == "ETag"


def test_pages_are_served_as_a_website(harbour):
    site = bucket(harbour, "harbour-site")
    site.create_bucket(oss2.BUCKET_ACL_PUBLIC_READ)
    site.put_bucket_website(BucketWebsite("index.html", "error.html"))
    site.put_object("index.html", b"home", headers={"Content-Type": "text/html"})
    site.put_object("error.html", b"lost", headers={"Content-Type": "text/html"})
    host = {"Host": "harbour-site.oss-cn-hangzhou.aliyuncs.com"}
    assert requests.get(harbour.url + "/", headers=host).content == b"home"
    answer = requests.get(harbour.url + "/missing", headers=host)
    assert (answer.status_code, answer.content) == (404, b"lost")


def test_referers_keep_other_sites_out(harbour):
    charts = bucket(harbour, CHARTS)
    charts.put_bucket_referer(BucketReferer(False, ["http://*.harbour.example"]))
    ask = lambda **headers: requests.get(f"{harbour.url}/{CHARTS}/basin.txt", headers=headers)
    assert ask(Referer="http://www.harbour.example/page").status_code == 200
    error(ask(Referer="http://thief.example/"), "AccessDenied", 403)
    error(ask(), "AccessDenied", 403)


def test_an_error_tells_where_to_read_on(harbour):
    with refused("NoSuchBucket", 404, "The specified bucket does not exist."):
        bucket(harbour, "nowhere").list_objects()
    document = error(requests.get(harbour.url + "/x", headers={"Host": "nowhere.oss-cn-hangzhou.aliyuncs.com"}), "NoSuchBucket", 404)
    assert (document.findtext("BucketName"), document.findtext("EC")) == ("nowhere", "0015-00000101")


def test_errors_on_demand_are_those_of_oss(harbour):
    harbour.control("POST", "faults", {"service": "oss", "action": "GetObject", "error": "ServiceUnavailable", "times": 1})
    with pytest.raises(oss2.exceptions.ServerError) as raised:
        bucket(harbour, CHARTS).get_object("basin.txt")
    assert raised.value.status == 503 and raised.value.code == "ServiceUnavailable"
    assert bucket(harbour, CHARTS).get_object("basin.txt").read()


def test_decisions_are_in_the_journal(harbour):
    alice = session(harbour, folder_policy("alice/"))
    with refused("AccessDenied", 403) as refusal:
        bucket(harbour, PHOTOS, alice).get_object("bob/hello.txt")
    entry = harbour.control("GET", "journal", params={"face": "oss"})["entries"][0]
    assert (entry["operation"], entry["status"], entry["error"]) == ("GetObject", 403, "AccessDenied")
    assert entry["caller"] == f"acs:ram::{UID}:assumed-role/app-user/alice"
    decision = entry["decisions"][0]
    assert (decision["action"], decision["allowed"]) == ("oss:GetObject", False)
    assert decision["resource"] == f"acs:oss:oss-{REGION}:{UID}:{PHOTOS}/bob/hello.txt" and decision["trace"]
    assert refusal.value.request_id
