"""TLS: certificates of the process's own authority, HTTP/2 beside HTTP/1.1, the same cloud with both."""

import hashlib
import re
import socket
import ssl
import subprocess

import boto3
import pytest
import requests
from botocore.config import Config
from requests.adapters import HTTPAdapter

from clients import ROOT
from cloud import BUCKET, REGION, TIMEOUT_SECONDS, Cloud, run


@pytest.fixture(scope="module")
def secure(tmp_path_factory, environment_of_the_tests):
    """A cloud that listens over HTTP and HTTPS, with the path of its CA certificate."""
    file = tmp_path_factory.mktemp("tls") / "ca.pem"
    with Cloud.ephemeral("--tls-port", 0, "--ca-file", file, "--alias", "storage.example", listeners=2) as cloud:
        cloud.authority = file
        cloud.url, cloud.secure_url = sorted(cloud.urls)
        cloud.secure_port = int(cloud.secure_url.rsplit(":", 1)[1])
        yield cloud


def handshake(cloud, name, protocols=("http/1.1",)):
    """Makes a TLS handshake with verification. Returns certificate and protocol."""
    context = ssl.create_default_context(cafile=cloud.authority)
    context.set_alpn_protocols(list(protocols))
    with socket.create_connection(("127.0.0.1", cloud.secure_port)) as plain:
        with context.wrap_socket(plain, server_hostname=name) as connection:
            return connection.getpeercert(), connection.selected_alpn_protocol(), connection.version()


def curl(cloud, path, *arguments, name="localhost", **options):
    return subprocess.run(
        ["curl", "--silent", "--show-error", "--cacert", cloud.authority,
         "--resolve", f"{name}:{cloud.secure_port}:127.0.0.1", f"https://{name}:{cloud.secure_port}{path}", *arguments],
        capture_output=True, timeout=TIMEOUT_SECONDS, **options)


@pytest.mark.parametrize("name", [
    "localhost", "127.0.0.1", "s3.localhost", "box.localhost", "a.dotted.box.s3.localhost", "virga", "storage.example",
    "box.storage.example", "a.b.s3.storage.example", "s3.amazonaws.com", "box.s3.eu-central-1.amazonaws.com", "sts.amazonaws.com",
    "sts.eu-west-1.amazonaws.com", "sts.eu-west-1.api.aws", "box.s3.eu-west-1.api.aws", "iam.amazonaws.com", "graph.facebook.com",
    "accounts.google.com", "api.amazon.com", "box.oss-cn-hangzhou.aliyuncs.com"])
def test_every_name_of_the_process_has_a_certificate(secure, name):
    certificate, _, version = handshake(secure, name)
    assert version in ("TLSv1.2", "TLSv1.3")
    assert certificate["issuer"] != certificate["subject"]


def test_hosts_that_a_seed_gives_have_certificates(tmp_path):
    seed, file = tmp_path / "hosts.json5", tmp_path / "ca.pem"
    seed.write_text("""{
        accounts: [{id: "000000000000", rootKeys: [{id: "test", secret: "test"}], buckets: [{name: "www.company.example"}]}],
        alibaba: {accounts: [{id: "1234567890123456", rootKeys: [{id: "LTAIroot", secret: "root"}],
          buckets: [{name: "photos", acl: "public-read", hosts: ["photos.company.example"], objects: [{key: "a", text: "seen"}]}]}]},
        vendingMachines: {account: "000000000000", anonymous: {hosts: ["tvm.company.example"]}},
    }""")
    with Cloud.ephemeral("--tls-port", 0, "--ca-file", file, "--seed", seed, listeners=2) as cloud:
        cloud.authority = file
        cloud.secure_port = int(max(cloud.urls).rsplit(":", 1)[1])
        for name in ["photos.company.example", "tvm.company.example", "www.company.example"]:
            assert ("DNS", name) in handshake(cloud, name)[0]["subjectAltName"]
        assert curl(cloud, "/a", name="photos.company.example").stdout == b"seen"
        with pytest.raises(ssl.SSLCertVerificationError):
            handshake(cloud, "other.company.example")


def test_more_names_than_are_remembered_have_certificates(secure):
    for number in [*range(1001), 0]:
        handshake(secure, f"a.b{number}.s3.localhost")


def test_a_name_that_is_none_of_ours_has_none(secure):
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(secure, "www.example.org")


def test_a_client_that_does_not_know_the_authority_refuses(secure):
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(f"{secure.secure_url}/_virga/health")


def test_the_authority_is_told_to_everybody(secure):
    for url, options in [(secure.url, {}), (secure.secure_url, {"verify": str(secure.authority)})]:
        answer = requests.get(f"{url}/_virga/ca.pem", **options)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "application/x-pem-file"
        assert answer.text == secure.authority.read_text()
    assert "PRIVATE" not in secure.authority.read_text()


def test_a_plain_cloud_has_no_authority():
    with Cloud.ephemeral() as cloud:
        assert requests.get(f"{cloud.url}/_virga/ca.pem").status_code == 404


def test_plain_listeners_are_told_of_first(secure):
    assert [url.split(":")[0] for url in secure.urls] == ["http", "https"]


@pytest.mark.parametrize("offered, chosen", [
    (["h2", "http/1.1"], "h2"), (["http/1.1"], "http/1.1"), (["h2"], "h2"), (["spdy/3"], None)])
def test_the_client_chooses_the_protocol(secure, offered, chosen):
    assert handshake(secure, "localhost", offered)[1] == chosen


def client(cloud, **configuration):
    return boto3.client("s3", endpoint_url=f"https://localhost:{cloud.secure_port}", region_name=REGION, verify=str(cloud.authority),
                        config=Config(signature_version="s3v4", retries={"total_max_attempts": 1}, **configuration), **ROOT)


@pytest.fixture
def names_below_localhost(monkeypatch):
    """Not every C library resolves them to this machine (RFC 6761 section 6.3)."""
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **named: real("127.0.0.1" if host.endswith(".localhost") else host, *rest, **named))


@pytest.mark.parametrize("style", ["path", "virtual"])
def test_boto3_works_over_tls(secure, style, names_below_localhost):
    s3 = client(secure, s3={"addressing_style": style})
    body = b"over tls " * 400_000
    s3.put_object(Bucket=BUCKET, Key=f"tls/{style}", Body=body)
    assert s3.get_object(Bucket=BUCKET, Key=f"tls/{style}")["Body"].read() == body
    assert s3.list_objects_v2(Bucket=BUCKET, Prefix="tls/")["KeyCount"] >= 1


def test_a_policy_sees_that_the_transport_is_secure(secure):
    plain = boto3.client("s3", endpoint_url=secure.url, region_name=REGION, **ROOT)
    s3 = client(secure)
    s3.create_bucket(Bucket="only-secure")
    s3.put_object(Bucket="only-secure", Key="x", Body=b"x")
    s3.put_bucket_policy(Bucket="only-secure", Policy="""{"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Principal": "*",
        "Action": "s3:GetObject", "Resource": "arn:aws:s3:::only-secure/*", "Condition": {"Bool": {"aws:SecureTransport": "false"}}}]}""")
    assert s3.get_object(Bucket="only-secure", Key="x")["Body"].read() == b"x"
    with pytest.raises(plain.exceptions.ClientError, match="AccessDenied"):
        plain.get_object(Bucket="only-secure", Key="x")


def test_absolute_urls_say_https(secure):
    metadata = requests.get(f"{secure.secure_url}/idp/company/.well-known/openid-configuration", verify=str(secure.authority)).json()
    assert metadata["issuer"] == f"{secure.secure_url}/idp/company"


class TestCurl:
    @pytest.mark.parametrize("option, version", [("--http2", "2"), ("--http1.1", "1.1")])
    def test_speaks_either_version(self, secure, option, version):
        finished = curl(secure, "/_virga/health", option, "--write-out", "\n%{http_version}")
        assert finished.stdout.decode().split("\n") == ['{"status":"ok"}', version], finished.stderr

    @pytest.mark.parametrize("option", ["--http2", "--http1.1"])
    @pytest.mark.parametrize("size", [0, 1, 70_000, 9 << 20])
    def test_moves_bodies_both_ways(self, secure, option, size, tmp_path):
        body = tmp_path / "body"
        body.write_bytes(bytes(range(251)) * (size // 251) + bytes(size % 251))
        s3 = client(secure)
        put, get = (s3.generate_presigned_url(f"{verb}_object", {"Bucket": BUCKET, "Key": f"tls/{size}{option}"}) for verb in ("put", "get"))
        path = put.split(str(secure.secure_port), 1)[1]
        finished = curl(secure, path, option, "--upload-file", body, "--write-out", "%{http_code} %{http_version}")
        assert finished.stdout.decode() == f"200 {option[6:]}", finished.stderr
        finished = curl(secure, get.split(str(secure.secure_port), 1)[1], option, "--output", tmp_path / "back")
        assert finished.returncode == 0, finished.stderr
        assert hashlib.md5((tmp_path / "back").read_bytes()).digest() == hashlib.md5(body.read_bytes()).digest()

    def test_many_streams_share_a_connection(self, secure, tmp_path):
        s3 = client(secure)
        bodies = {f"tls/many/{number}": bytes([number]) * (number * 40_000) for number in range(12)}
        configuration = []
        for key, body in bodies.items():
            s3.put_object(Bucket=BUCKET, Key=key, Body=body)
            url = s3.generate_presigned_url("get_object", {"Bucket": BUCKET, "Key": key})
            configuration += [f'url = "{url}"', f'output = "{tmp_path / key.rsplit("/", 1)[1]}"']
        file = tmp_path / "configuration"
        file.write_text("\n".join(configuration))
        finished = subprocess.run(
            ["curl", "--silent", "--show-error", "--http2", "--parallel", "--cacert", secure.authority, "--config", file,
             "--write-out", "%{http_version} %{num_connects}\n"], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        assert finished.returncode == 0, finished.stderr
        assert len(re.findall(r"^2 ", finished.stdout, re.M)) == len(bodies)
        for key, body in bodies.items():
            assert (tmp_path / key.rsplit("/", 1)[1]).read_bytes() == body


def test_the_authority_is_kept_with_the_data(tmp_path):
    texts = []
    for _ in range(2):
        with Cloud("--port", 0, "--tls-port", 0, "--data", tmp_path / "data", listeners=2) as cloud:
            texts.append(requests.get(f"{min(cloud.urls)}/_virga/ca.pem").text)
            assert cloud.stop() == 0
    assert texts[0] == texts[1]
    assert oct((tmp_path / "data" / "tls-authority.pem").stat().st_mode & 0o777) == "0o600"


def test_an_authority_needs_a_listener(tmp_path):
    finished = run("serve", "--port", 0, "--ca-file", tmp_path / "ca.pem")
    assert finished.returncode != 0
    assert "--tls-port" in finished.stderr
