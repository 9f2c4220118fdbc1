"""`--trust-forwarded`: which client, scheme and host a proxy reports, and who is believed.

The requests come from 127.0.0.1, and those of an untrusted peer from 127.0.0.2.
"""

import json
import socket
from urllib.parse import urlsplit

import pytest
import requests
from botocore.awsrequest import AWSRequest
from requests.adapters import HTTPAdapter

from clients import ROOT, client, sign
from cloud import BUCKET, Cloud, run

SHARD = "s1.virga.example"


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests):
    with Cloud.ephemeral("--alias", SHARD, "--trust-forwarded", "127.0.0.1,10.0.0.0/8", "--trust-forwarded", "2001:db8::/32") as cloud:
        yield cloud


class From(HTTPAdapter):
    """Sends from another loopback address."""

    def __init__(self, address):
        self.address = address
        super().__init__()

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, source_address=(self.address, 0), **options)


def get(cloud, path, headers=(), *, method="GET", peer="127.0.0.1"):
    """Sends a request with exactly these headers, a name perhaps repeatedly, and returns its journal entry and the response."""
    with socket.create_connection(("127.0.0.1", cloud.port), source_address=(peer, 0)) as connection:
        fields = dict(headers) if isinstance(headers, dict) else headers
        lines = [f"{name}: {value}\r\n" for name, value in (fields.items() if isinstance(fields, dict) else fields)]
        if not any(line.lower().startswith("host:") for line in lines):
            lines.append(f"Host: localhost:{cloud.port}\r\n")
        connection.sendall(f"{method} {path} HTTP/1.1\r\n{''.join(lines)}Connection: close\r\n\r\n".encode())
        answer = b""
        while piece := connection.recv(1 << 16):
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
    entry = cloud.control("GET", "journal?limit=1&exclude=path:/_virga/journal")["entries"][0]
    return entry, int(lines[0].split()[1]), fields, body


def described(entry):
    return entry["source_ip"], entry["scheme"], entry["host"]


def client_of(cloud, headers, **options):
    """The client, scheme and host of a request to `inner:4566`."""
    fields = list(headers.items()) if isinstance(headers, dict) else headers
    return described(get(cloud, f"/{BUCKET}", [("Host", "inner:4566"), *fields], **options)[0])


OWN = ("127.0.0.1", "http", "inner:4566")


@pytest.mark.parametrize("headers, expected", [
    ({}, OWN),
    ({"X-Forwarded-For": "203.0.113.7"}, ("203.0.113.7", "http", "inner:4566")),
    ({"X-Forwarded-For": "203.0.113.7:4711"}, ("203.0.113.7", "http", "inner:4566")),
    ({"X-Forwarded-For": "[2001:db9::7]:4711"}, ("2001:db9::7", "http", "inner:4566")),
    ({"X-Forwarded-For": "2001:db9::7"}, ("2001:db9::7", "http", "inner:4566")),
    ({"X-Forwarded-Proto": "https"}, ("unknown", "https", "inner:4566")),
    ({"X-Forwarded-Proto": "HTTPS"}, ("unknown", "https", "inner:4566")),
    ({"X-Forwarded-Proto": "wss"}, ("unknown", "https", "inner:4566")),
    ({"X-Forwarded-Host": SHARD}, ("unknown", "http", SHARD)),
    ({"X-Forwarded-Host": f"{SHARD}:8443", "X-Forwarded-Port": "443"}, ("unknown", "http", f"{SHARD}:8443")),
    # The port completes a host without one, unless it is the scheme's own.
    ({"X-Forwarded-Host": SHARD, "X-Forwarded-Port": "8443", "X-Forwarded-Proto": "https"}, ("unknown", "https", f"{SHARD}:8443")),
    ({"X-Forwarded-Host": SHARD, "X-Forwarded-Port": "443", "X-Forwarded-Proto": "https"}, ("unknown", "https", SHARD)),
    ({"X-Forwarded-Host": SHARD, "X-Forwarded-Port": "80"}, ("unknown", "http", SHARD)),
    ({"Forwarded": f"for=203.0.113.7;proto=https;host={SHARD}"}, ("203.0.113.7", "https", SHARD)),
    ({"Forwarded": f'For="[2001:db9::7]:4711";Proto=HTTPS;Host="{SHARD}:8443";by=10.0.0.1'}, ("2001:db9::7", "https", f"{SHARD}:8443")),
    ({"Forwarded": 'for="203.0.113.\\7"'}, ("203.0.113.7", "http", "inner:4566")),
    ({"Forwarded": 'for=203.0.113.7;ext="a,b;c=d"'}, ("203.0.113.7", "http", "inner:4566")),
    ({"Forwarded": ", for=203.0.113.7 ,"}, ("203.0.113.7", "http", "inner:4566")),
])
def test_a_trusted_proxy_says_who_the_client_is(cloud, headers, expected):
    assert client_of(cloud, headers) == expected


@pytest.mark.parametrize("headers, expected", [
    # The client sent the first address itself.
    ({"X-Forwarded-For": "192.0.2.1, 203.0.113.7"}, "203.0.113.7"),
    # Other trusted proxies are passed over, in either form and in several headers.
    ({"X-Forwarded-For": "192.0.2.1, 203.0.113.7, 10.1.2.3, 2001:db8::5"}, "203.0.113.7"),
    ([("X-Forwarded-For", "192.0.2.1, 203.0.113.7"), ("X-Forwarded-For", "10.1.2.3")], "203.0.113.7"),
    ({"X-Forwarded-For": "203.0.113.7, ::ffff:10.1.2.3"}, "203.0.113.7"),
    ({"Forwarded": 'for=192.0.2.1, for=203.0.113.7, for="[2001:db8::5]"'}, "203.0.113.7"),
    # All are proxies: the outermost is the client.
    ({"X-Forwarded-For": "10.0.0.9, 10.0.0.8"}, "10.0.0.9"),
    # Nothing left of an unknown or malformed address is believed, and the proxy is not the client.
    ({"X-Forwarded-For": "203.0.113.7, unknown, 10.0.0.8"}, "unknown"),
    ({"X-Forwarded-For": "203.0.113.7, 10.0.0.8.9"}, "unknown"),
    ({"X-Forwarded-For": "203.0.113.7,"}, "unknown"),
    ({"X-Forwarded-For": ""}, "unknown"),
    ({"Forwarded": "for=203.0.113.7, for=_hidden"}, "unknown"),
    ({"Forwarded": "for=203.0.113.7, for=unknown;proto=https"}, "unknown"),
    # The client opened a quoted string.
    ({"Forwarded": 'for="x, for=203.0.113.9"'}, "unknown"),
    # Characters that merge with the comma after or before them.
    *(({"X-Forwarded-For": f"x{joiner}, 203.0.113.9"}, "203.0.113.9") for joiner in "\u0301\u200d\u0600\u070f\u08e2\u0d4e\U000110bd"),
    *(({"X-Forwarded-For": f"203.0.113.9,{joiner}127.0.0.1"}, "unknown") for joiner in "\u0301\u200d\ufe0f"),
])
def test_the_client_is_the_rightmost_address_that_is_no_proxy(cloud, headers, expected):
    assert client_of(cloud, headers)[0] == expected


@pytest.mark.parametrize("headers, expected", [
    # Both proxies add to the lists: the second scheme is that between them.
    ({"X-Forwarded-For": "203.0.113.7, 10.0.0.8", "X-Forwarded-Proto": "https, http"}, "https"),
    # The client sent `https` itself.
    ({"X-Forwarded-For": "192.0.2.1, 203.0.113.7, 10.0.0.8", "X-Forwarded-Proto": "https, http, http"}, "http"),
    ({"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https, http"}, "http"),
    # One proxy reports it, the other passes it on.
    ({"X-Forwarded-For": "203.0.113.7, 10.0.0.8", "X-Forwarded-Proto": "https"}, "https"),
    ({"Forwarded": "for=203.0.113.7;proto=https, for=10.0.0.8;proto=http"}, "https"),
    ({"Forwarded": "for=192.0.2.1;proto=https, for=203.0.113.7;proto=http, for=10.0.0.8;proto=http"}, "http"),
    ({"Forwarded": "for=unknown;proto=https"}, "https"),
])
def test_the_scheme_is_the_one_that_the_client_used(cloud, headers, expected):
    assert client_of(cloud, headers)[1] == expected


@pytest.mark.parametrize("headers", [
    {"X-Forwarded-Proto": "gopher"}, {"X-Forwarded-Proto": ""}, {"X-Forwarded-Host": ""}, {"X-Forwarded-Host": "a b"},
    {"X-Forwarded-Host": "a/b"}, {"X-Forwarded-Host": "user@a"}, {"X-Forwarded-Host": "a:b"}, {"X-Forwarded-Host": "a:99999"},
    {"X-Forwarded-Host": ":80"}, {"X-Forwarded-Host": "http://a"}, {"X-Forwarded-Port": "8443"}, {"X-Forwarded-Port": "x"},
    {"Forwarded": "for"}, {"Forwarded": "for="}, {"Forwarded": 'for="203.0.113.7'}, {"Forwarded": "for=203.0.113.7;for=192.0.2.1"},
    {"Forwarded": "for = 203.0.113.7"}, {"Forwarded": "for=203.0.113.7;proto=https;(x)=y"}, {"Forwarded": 'for="203.0.113.7"x'},
    {"Forwarded": "203.0.113.7"}, {"Forwarded": ""},
])
def test_malformed_values_are_ignored(cloud, headers):
    assert client_of(cloud, headers) == ("unknown", "http", "inner:4566")


def test_the_forms_do_not_mix(cloud):
    """Scheme and host are those of X-Forwarded-…, but the client could have sent either, so its address is unknown if they differ."""
    headers = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=192.0.2.1;proto=https;host=evil.example"}
    assert client_of(cloud, headers) == ("unknown", "http", "inner:4566")


SPOOFED = {
    "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "X-Forwarded-Port": "99",
    "Forwarded": "for=203.0.113.7;proto=https;host=evil.example"}


def test_headers_of_other_peers_are_ignored(cloud):
    assert client_of(cloud, SPOOFED, peer="127.0.0.2") == ("127.0.0.2", "http", "inner:4566")
    with Cloud.ephemeral() as other:
        assert client_of(other, SPOOFED) == OWN


def test_policies_see_the_client(cloud):
    policy = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::forwarded/*",
         "Condition": {"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}, "Bool": {"aws:SecureTransport": "true"}}}]}
    s3 = client(cloud, "s3")
    s3.create_bucket(Bucket="forwarded")
    s3.delete_public_access_block(Bucket="forwarded")
    s3.put_bucket_policy(Bucket="forwarded", Policy=json.dumps(policy))
    s3.put_object(Bucket="forwarded", Key="a", Body=b"seen")

    def status(**options):
        return get(cloud, "/forwarded/a", **options)[1]

    good = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
    assert status(headers=good) == 200
    assert status(headers=good, peer="127.0.0.2") == 403
    assert status(headers=good | {"X-Forwarded-For": "203.0.113.7, 192.0.2.1"}) == 403
    assert status(headers=good | {"X-Forwarded-Proto": "http"}) == 403


@pytest.mark.parametrize("operator", ["IpAddress", "NotIpAddress"])
def test_an_unknown_client_passes_no_condition_on_its_address(cloud, operator):
    s3 = client(cloud, "s3")
    name = f"unknown-{operator.lower()}"
    s3.create_bucket(Bucket=name)
    s3.delete_public_access_block(Bucket=name)
    s3.put_object(Bucket=name, Key="a", Body=b"seen")
    condition = {operator: {"aws:SourceIp": "127.0.0.0/8"}}

    def statement(effect, condition=None):
        each = {"Effect": effect, "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{name}/*"}
        return each | ({"Condition": condition} if condition else {})

    def statuses(*statements):
        s3.put_bucket_policy(Bucket=name, Policy=json.dumps({"Version": "2012-10-17", "Statement": list(statements)}))
        unknown = [{"X-Forwarded-For": "unknown"}, {"Forwarded": 'for="x, for=203.0.113.9"'}, {"X-Forwarded-For": "203.0.113.9, x\u0600"}]
        return {get(cloud, f"/{name}/a", headers=headers)[1] for headers in unknown}

    assert statuses(statement("Allow")) == {200}
    assert statuses(statement("Allow", condition)) == {403}
    assert statuses(statement("Allow"), statement("Deny", condition)) == {403}


def test_an_undeclared_proxy_does_not_open_the_control_api():
    with Cloud.ephemeral() as cloud:
        for headers in [{"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-Proto": "http"}, {"Forwarded": "for=127.0.0.1"}]:
            assert requests.get(f"{cloud.url}/_virga/seed", headers=headers).status_code == 403, headers
        assert requests.get(f"{cloud.url}/_virga/seed").status_code == 200


@pytest.mark.parametrize("host", [
    "evil.example/.localhost", "evil.example#.localhost", "evil.example?.localhost", "127.0.0.1:1, evil", "u@localhost", "a b", "[::1",
    "a\u0301.localhost", "localhost:x", "\\.localhost"])
def test_a_host_that_is_none_is_refused(cloud, host):
    with socket.create_connection(("127.0.0.1", cloud.port)) as connection:
        connection.sendall(f"GET /_virga/info HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 400"


@pytest.mark.parametrize("headers", [
    {"X-Forwarded-Proto": "https", "X-Forwarded-Host": f"a.sandbox.{SHARD}"},
    {"Forwarded": f"for=203.0.113.7;proto=https;host=a.sandbox.{SHARD}"}])
def test_urls_are_those_of_the_client(cloud, headers):
    cloud.control("PUT", "sandboxes/a", {})
    _, status, _, body = get(cloud, "/idp/company/.well-known/openid-configuration", [("Host", "inner:4566"), *headers.items()])
    assert status == 200
    document = json.loads(body)
    assert document["issuer"] == f"https://a.sandbox.{SHARD}/idp/company"
    assert {urlsplit(document[each]).netloc for each in document if each.endswith("_endpoint")} == {f"a.sandbox.{SHARD}"}


def signed_for(host, method, path, scheme="https", body=b""):
    request = AWSRequest(method=method, url=f"{scheme}://{host}{path}", data=body, headers={})
    sign(request, ROOT)
    return dict(request.headers)


@pytest.mark.parametrize("host, reported", [
    (f"{BUCKET}.s3.{SHARD}", {"X-Forwarded-Host": f"{BUCKET}.s3.{SHARD}"}),
    (f"{BUCKET}.s3.{SHARD}:8443", {"X-Forwarded-Host": f"{BUCKET}.s3.{SHARD}:8443"}),
    (f"{BUCKET}.s3.{SHARD}:8443", {"X-Forwarded-Host": f"{BUCKET}.s3.{SHARD}", "X-Forwarded-Port": "8443"}),
    (f"{BUCKET}.s3.{SHARD}", {"Forwarded": f"host={BUCKET}.s3.{SHARD};proto=https"}),
])
def test_a_signature_covers_the_host_that_the_client_addressed(cloud, host, reported):
    """The proxy rewrote the host, and the name in the signature also determines the bucket."""
    headers = signed_for(host, "PUT", "/by-host", body=b"12345") | {"X-Forwarded-Proto": "https"} | reported
    if "Forwarded" in reported:
        del headers["X-Forwarded-Proto"]

    def put(fields, peer="127.0.0.1"):
        with requests.Session() as session:
            session.mount("http://", From(peer))
            return session.put(f"{cloud.url}/by-host", data=b"12345", headers=fields | {"Host": "inner:4566"}).status_code

    assert put(headers) == 200
    assert client(cloud, "s3").get_object(Bucket=BUCKET, Key="by-host")["Body"].read() == b"12345"
    assert put(headers, "127.0.0.2") != 200


def test_a_presigned_url_of_the_public_name_works(cloud):
    class Public:
        url, authority = f"https://{SHARD}", None

    client(cloud, "s3").put_object(Bucket=BUCKET, Key="presigned", Body=b"by url")
    url = urlsplit(client(Public, "s3").generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "presigned"}))
    forwarded = {"Host": "inner", "X-Forwarded-Host": url.netloc, "X-Forwarded-Proto": "https"}
    assert get(cloud, f"{url.path}?{url.query}", forwarded)[3] == b"by url"
    assert get(cloud, f"{url.path}?{url.query}", {"Host": "inner"})[1] == 403


def test_the_request_log_has_client_and_scheme():
    with Cloud.ephemeral("--trust-forwarded", "127.0.0.0/8", "--log-format", "json") as cloud:
        get(cloud, "/personal-files", {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"})
        cloud.stop()
        lines = [json.loads(line) for line in cloud.logged().splitlines()]
        line = next(line for line in lines if line.get("path") == "/personal-files")
        assert (line["source_ip"], line["scheme"]) == ("203.0.113.7", "https")


@pytest.mark.parametrize("text", ["10.0.0.1/8", "10.0.0.0/33", "10.0.0", "proxy.example", "2001:db8::1/32", "10.0.0.0/+8", "/8"])
def test_a_wrong_range_is_an_error(text):
    refused = run("serve", "--port", 0, "--trust-forwarded", text)
    assert refused.returncode == 64
    assert f"--trust-forwarded must be IP addresses or ranges without host bits, such as 10.0.0.0/8, not '{text}'." in refused.stderr
    assert run("serve", "--port", 0, VIRGA_TRUST_FORWARDED=f"127.0.0.1, {text}").returncode == 64


def test_the_setting_can_be_a_variable():
    with Cloud.ephemeral(VIRGA_TRUST_FORWARDED="10.0.0.0/8, 127.0.0.1") as cloud:
        assert client_of(cloud, {"X-Forwarded-For": "203.0.113.7"})[0] == "203.0.113.7"


def test_clients_behind_a_proxy_need_the_control_token():
    """Only this machine reaches the listener, but the proxy lets others in."""
    other = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
    with Cloud.ephemeral("--trust-forwarded", "127.0.0.1") as cloud:
        before = cloud.control("GET", "info")["generation"]
        for method, path in [("POST", "reset"), ("GET", "seed"), ("GET", "info"), ("GET", "ui/"), ("GET", "ui/journal")]:
            answer = requests.request(method, f"{cloud.url}/_virga/{path}", headers=other | {"Host": "localhost"})
            assert answer.status_code == 403 and "alice" not in answer.text, (method, path)
        for unclear in [{"Forwarded": "for=_hidden"}, {"X-Forwarded-For": "unknown"}, {"X-Forwarded-For": "203.0.113.7, unknown"},
                        {"X-Forwarded-Host": "localhost"}, {"X-Forwarded-For": "127.0.0.1", "Forwarded": "for=203.0.113.7"}]:
            answer = requests.get(f"{cloud.url}/_virga/seed", headers=unclear)
            assert answer.status_code == 403 and "alice" not in answer.text, unclear
        assert cloud.control("GET", "info")["generation"] == before
        assert requests.get(f"{cloud.url}/_virga/health", headers=other).status_code == 200
        assert cloud.stop() == 0
    with Cloud.ephemeral("--trust-forwarded", "127.0.0.1", "--control-token", "s3cret") as cloud:
        answer = requests.get(f"{cloud.url}/_virga/info", headers=other | {"Authorization": "Bearer s3cret"})
        assert answer.status_code == 200
        assert cloud.stop() == 0
