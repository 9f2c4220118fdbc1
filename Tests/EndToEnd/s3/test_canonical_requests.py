"""Changes to signed requests that a canonical form could hide. Each signed request is changed on its way; the signature must cover it.

What Signature Version 4 leaves out stays without effect: unsigned headers and the fragment. (S3 API Reference, "Authenticating Requests
(AWS Signature Version 4)".)"""

import socket
from urllib.parse import quote, urlsplit

import pytest
import requests
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from clients import client, sign
from cloud import REGION
from test_connections import answer, connect

SECRET = "canary of another object"


@pytest.fixture
def objects(root, bucket):
    """An object that the signature is for, and others that it must not reach."""
    for key in ["a", "b", "../a", "a/../b", "a//b", "./a", "%61", "a b", "a+b", "A"]:
        root.put_object(Bucket=bucket, Key=key, Body=b"granted" if key == "a" else SECRET.encode())
    return bucket


def send(cloud, line, fields, body=b""):
    """The status and body of the response to exactly these bytes."""
    with connect(cloud) as connection:
        head = line + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
        connection.sendall(head.encode("utf-8", "surrogateescape") + body)
        connection.shutdown(socket.SHUT_WR)
        status, _, content = answer(connection.makefile("rb"))
        return int(status.split()[1]), content


def signed_get(cloud, path, method="GET", **headers):
    """The headers of a request for a path, as pairs."""
    request = AWSRequest(method=method, url=cloud.url + path, headers=headers)
    sign(request)
    return [("Host", f"127.0.0.1:{cloud.port}"), *request.headers.items()]


@pytest.mark.parametrize("path", [
    "/{0}/b", "/{0}/../{0}/b", "/{0}/a/../b", "/{0}/./b", "/{0}//a", "//{0}/a", "/{0}/a/", "/{0}/a%00", "/{0}/%2e%2e/{0}/b", "/{0}/a%2F..%2Fb",
    "/{0}/a%252F..%252Fb", "/{0}/A", "/{0}/a%20", "/{0}/a?", "/{0}/a?x", "/{0}/a?x=", "/{0}/a?versionId=null", "/{0}/a?acl", "/{0}/a;x", "/{0}\\a",
    "http://evil.example/{0}/b", "/{0}/a?response-content-type=text%2Fhtml", "/{0}/a#b"])
def test_another_target_than_the_signed_one(cloud, objects, path):
    fields = signed_get(cloud, f"/{objects}/a")
    assert send(cloud, f"GET /{objects}/a HTTP/1.1", fields) == (200, b"granted")
    status, body = send(cloud, f"GET {path.format(objects)} HTTP/1.1", fields)
    # An empty query is the same canonical request.
    if path.endswith("?"):
        assert (status, body) == (200, b"granted")
    else:
        assert status in (400, 403, 404) and SECRET.encode() not in body, (status, body)


@pytest.mark.parametrize("spelling", ["/{0}/%61", "/%77orkshop/a", "/{0}/a"])
def test_another_spelling_of_the_same_target_is_the_same(cloud, objects, spelling):
    """Percent-encoding of unreserved characters is normalized by the canonical form, once."""
    fields = signed_get(cloud, f"/{objects}/a")
    status, body = send(cloud, f"GET {spelling.format(objects)} HTTP/1.1", fields)
    assert (status, body) == (200, b"granted") or status == 403


@pytest.mark.parametrize("change", {
    "method": lambda fields: fields, "host": lambda fields: [("Host", "personal-files.localhost"), *fields[1:]],
    "port": lambda fields: [("Host", "127.0.0.1:1"), *fields[1:]],
    "second date": lambda fields: [*fields, ("X-Amz-Date", "20300101T000000Z")], "added amz header": lambda fields: [*fields, ("x-amz-acl", "public-read")],
    "added token": lambda fields: [*fields, ("x-amz-security-token", "x")],
    "added value": lambda fields: [*fields, ("x-amz-meta-a", "two")], "joined value": lambda fields: [(n, "one,two" if n == "x-amz-meta-a" else v) for n, v in fields],
    "split value": lambda fields: [f for f in fields if f[0] != "x-amz-meta-a"] + [("x-amz-meta-a", "o"), ("x-amz-meta-a", "ne")],
    "removed header": lambda fields: [f for f in fields if f[0] != "x-amz-meta-a"],
    "second authorization": lambda fields: [*fields, ("Authorization", "AWS4-HMAC-SHA256 x")],
    "payload hash": lambda fields: [(n, "UNSIGNED-PAYLOAD" if n.lower() == "x-amz-content-sha256" else v) for n, v in fields]}.items(), ids=lambda row: row[0])
def test_another_header_than_the_signed_one(cloud, objects, change):
    name, edit = change
    fields = signed_get(cloud, f"/{objects}/new", "PUT", **{"x-amz-meta-a": "one", "Content-Length": "0"})
    method = "DELETE" if name == "method" else "PUT"
    status, body = send(cloud, f"{method} /{objects}/new HTTP/1.1", edit(fields))
    assert status in (400, 403), (status, body)
    assert send(cloud, f"PUT /{objects}/new HTTP/1.1", fields)[0] == 200


def test_spaces_in_values_are_one_space(cloud, objects):
    """Runs of spaces are the same canonical value, so the stored metadata is what was signed or the trimmed form of it."""
    fields = signed_get(cloud, f"/{objects}/new", "PUT", **{"x-amz-meta-a": "one two", "Content-Length": "0"})
    status, _ = send(cloud, f"PUT /{objects}/new HTTP/1.1", [(n, "  one   two " if n == "x-amz-meta-a" else v) for n, v in fields])
    assert status in (200, 403)


def test_the_body_is_the_signed_one(cloud, objects):
    fields = signed_get(cloud, f"/{objects}/new", "PUT", **{"Content-Length": "2"})
    status, body = send(cloud, f"PUT /{objects}/new HTTP/1.1", fields, b"no")
    assert status == 400 and b"XAmzContentSHA256Mismatch" in body


def presigned(cloud, path, expires=600, query=""):
    request = AWSRequest(method="GET", url=f"{cloud.url}{path}{query}")
    S3SigV4QueryAuth(Credentials("test", "test"), "s3", REGION, expires=expires).add_auth(request)
    return request.url


@pytest.mark.parametrize("edit", {
    "longer": lambda url: url.replace("Expires=600", "Expires=6000"), "second expiry": lambda url: url + "&X-Amz-Expires=6000",
    "first expiry": lambda url: url.replace("?", "?X-Amz-Expires=6000&"), "added parameter": lambda url: url + "&acl",
    "added header name": lambda url: url.replace("SignedHeaders=host", "SignedHeaders=host%3Bx-amz-acl"),
    "no host": lambda url: url.replace("SignedHeaders=host", "SignedHeaders="), "another scope": lambda url: url.replace("us-east-1", "eu-west-1"),
    "lower names": lambda url: url.replace("X-Amz-Signature", "x-amz-signature"), "encoded name": lambda url: url.replace("X-Amz-Expires", "X-Amz-%45xpires").replace("=600", "=6000"),
    "short signature": lambda url: url[:-2], "long signature": lambda url: url + "00", "capital signature": lambda url: url[:-64] + url[-64:].upper(),
    "no signature": lambda url: url[:url.index("&X-Amz-Signature")], "null signature": lambda url: url[:-64] + "0" * 64,
    "another algorithm": lambda url: url.replace("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"), "semicolons": lambda url: url.replace("&", ";")}.items(), ids=lambda row: row[0])
def test_a_changed_url_is_refused(cloud, objects, edit):
    url = presigned(cloud, f"/{objects}/a")
    assert requests.get(url).content == b"granted"
    changed = edit[1](url)
    if changed == url:
        pytest.skip("nothing to change")
    parts = urlsplit(changed)
    status, body = send(cloud, f"GET {parts.path}?{parts.query} HTTP/1.1", [("Host", parts.netloc)])
    assert status in (400, 403) and body != b"granted", (status, body)


def test_a_plus_is_not_a_space(cloud, root, objects):
    for key, other in [("a b", "a+b"), ("a+b", "a b")]:
        root.put_object(Bucket=objects, Key=key, Body=key.encode())
    for key in ["a b", "a+b"]:
        url = presigned(cloud, f"/{objects}/{quote(key)}")
        parts = urlsplit(url)
        assert send(cloud, f"GET {parts.path}?{parts.query} HTTP/1.1", [("Host", parts.netloc)]) == (200, key.encode())
        wrong = parts.path.replace("%20", "+") if " " in key else parts.path.replace("%2B", "%20")
        assert send(cloud, f"GET {wrong}?{parts.query} HTTP/1.1", [("Host", parts.netloc)])[0] == 403


def test_a_signature_for_one_service_is_none_for_another(cloud, root):
    request = AWSRequest(method="POST", url=cloud.url + "/", data="Action=ListUsers&Version=2010-05-08", headers={"Content-Type": "application/x-www-form-urlencoded"})
    sign(request)
    response = requests.post(request.url, data=request.data, headers=dict(request.headers))
    assert response.status_code >= 400 and "<Users>" not in response.text
    assert client(cloud, "iam").list_users()["Users"] is not None
