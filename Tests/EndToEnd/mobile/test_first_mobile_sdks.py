"""The AWS mobile SDKs, version 1: requests in the exact form of the SDK for iOS, sent over a bare socket."""

import base64
import datetime
import hashlib
import hmac
import socket
from email.utils import formatdate, parsedate_to_datetime
from urllib.parse import quote

import pytest
from clients import client
from cloud import ACCOUNT, BUCKET
from lxml import etree

FORM = "application/x-www-form-urlencoded; charset=utf-8"


class Answer:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        status, *fields = head.decode("latin-1").split("\r\n")
        self.status = int(status.split()[1])
        self.fields = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}

    def __getitem__(self, name):
        """The text of the first element with a name, in any namespace."""
        found = etree.fromstring(self.body).xpath("//*[local-name() = $name]", name=name)
        return found[0].text if found else None


def send(cloud, method, target, fields, body=b"", host=None):
    """Sends one request byte for byte; headers may be repeated."""
    head = [f"{method} {target} HTTP/1.1", f"Host: {host or f'127.0.0.1:{cloud.port}'}"]
    head += [f"{name}: {value}" for name, value in fields]
    head += [f"Content-Length: {len(body)}"] if body or method in ("POST", "PUT") else []
    with socket.create_connection(("127.0.0.1", cloud.port)) as connection:
        connection.sendall("\r\n".join([*head, "Connection: close", "", ""]).encode() + body)
        data = b""
        while piece := connection.recv(65536):
            data += piece
    answer = Answer(data)
    # The SDK sets its clock by this header.
    parsedate_to_datetime(answer.fields["date"])
    return answer


def mac(key, text, digest=hashlib.sha256):
    return hmac.new(key if isinstance(key, bytes) else key.encode(), text.encode(), digest).digest()


def encoded(parameters):
    return "&".join(sorted(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in parameters.items()))


def version4(body, key, secret, host, service="sts"):
    """The headers of a signature that covers only host and date."""
    now = datetime.datetime.now(datetime.UTC)
    stamp, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
    scope = f"{day}/us-east-1/{service}/aws4_request"
    request = f"POST\n/\n\nhost:{host}\nx-amz-date:{stamp}\n\nhost;x-amz-date\n{hashlib.sha256(body.encode()).hexdigest()}"
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signing = b"AWS4" + secret.encode()
    for part in scope.split("/"):
        signing = mac(signing, part)
    return [
        ("X-Amz-Date", stamp),
        ("Authorization", f"AWS4-HMAC-SHA256 Credential={key}/{scope}, SignedHeaders=host;x-amz-date, "
                          f"Signature={mac(signing, text).hex()}")]


def call_sts(cloud, parameters, key="test", secret="test", host="sts.amazonaws.com", service="sts", tries=1):
    body = encoded({"Version": "2011-06-15", **parameters})
    fields = version4(body, key, secret, host, service)
    return send(cloud, "POST", "/", [("Content-Type", FORM)] * tries + fields, body.encode(), host)


def session(cloud):
    answer = call_sts(cloud, {"Action": "GetFederationToken", "Name": "guest", "Policy":
                              '{"Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'})
    assert answer.status == 200, answer.body
    return answer["AccessKeyId"], answer["SecretAccessKey"], answer["SessionToken"]


def s3(cloud, method, resource, target, keys, fields=(), body=b"", bucket=None, content_type=FORM):
    """A request of the SDK's S3 client, signed with Version 2 in the header."""
    key, secret, token = keys
    date = formatdate(usegmt=True)
    amz = dict(fields) | ({"x-amz-security-token": token} if token else {})
    md5 = base64.b64encode(hashlib.md5(body).digest()).decode() if body else ""
    lines = "".join(f"{name}:{value}\n" for name, value in sorted(amz.items()))
    signature = base64.b64encode(mac(secret, f"{method}\n{md5}\n{content_type}\n{date}\n{lines}{resource}", hashlib.sha1)).decode()
    head = [("Date", date), ("Content-Type", content_type), *amz.items(), ("Authorization", f"AWS {key}:{signature}")]
    return send(cloud, method, target, head + ([("Content-MD5", md5)] if md5 else []), body,
                f"{bucket}.s3.amazonaws.com" if bucket else None)


@pytest.mark.parametrize("tries", [1, 2, 3])
def test_retries_add_the_content_type_again(cloud, tries):
    assert call_sts(cloud, {"Action": "GetSessionToken", "DurationSeconds": "3600"}, tries=tries).status == 200
    body = encoded({"Version": "2011-06-15", "Action": "GetCallerIdentity"})
    joined = [("Content-Type", ", ".join([FORM] * tries))] + version4(body, "test", "test", "localhost", "(null)")
    assert send(cloud, "POST", "/", joined, body.encode(), "localhost")["Account"] == ACCOUNT


def test_the_service_has_no_name_where_the_host_is_none_of_amazon(cloud):
    host = f"127.0.0.1:{cloud.port}"
    answer = call_sts(cloud, {"Action": "GetCallerIdentity"}, host=host, service="(null)")
    assert (answer.status, answer["Account"]) == (200, ACCOUNT)
    answer = call_sts(cloud, {"Action": "GetCallerIdentity"}, secret="wrong", host=host, service="(null)")
    assert (answer.status, answer["Code"]) == (403, "SignatureDoesNotMatch")


def test_the_session_token_is_a_parameter_of_the_body(cloud):
    key, secret, token = session(cloud)
    answer = call_sts(cloud, {"Action": "GetCallerIdentity", "SecurityToken": token}, key, secret)
    assert answer["Arn"] == f"arn:aws:sts::{ACCOUNT}:federated-user/guest"
    assert call_sts(cloud, {"Action": "GetCallerIdentity"}, key, secret)["Code"] == "InvalidClientTokenId"


@pytest.mark.parametrize("verb", ["GET", "POST"])
@pytest.mark.parametrize("method", ["HmacSHA256", "HmacSHA1"])
def test_sts_takes_version_2_of_the_query_protocol(cloud, method, verb):
    host = f"127.0.0.1:{cloud.port}"
    parameters = {
        "Action": "GetSessionToken", "Version": "2011-06-15", "AWSAccessKeyId": "test", "SignatureVersion": "2",
        "SignatureMethod": method, "Timestamp": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")}
    digest = hashlib.sha1 if method == "HmacSHA1" else hashlib.sha256
    code = mac("test", f"{verb}\n{host}\n/\n{encoded(parameters)}", digest)

    def answer(signature):
        text = encoded(parameters | {"Signature": base64.b64encode(signature).decode()})
        if verb == "GET":
            return send(cloud, "GET", f"/?{text}", [], host=host)
        return send(cloud, "POST", "/", [("Content-Type", FORM)], text.encode(), host)

    assert answer(code)["AccessKeyId"].startswith("ASIA")
    wrong = answer(code[::-1])
    assert (wrong.status, wrong["Code"]) == (403, "SignatureDoesNotMatch")


def test_a_web_identity_needs_no_signature(cloud):
    parameters = {
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "DurationSeconds": "3600", "ProviderId": "graph.facebook.com",
        "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/personal-files-facebook", "RoleSessionName": "AmazonWIFCredentialsProvider",
        "WebIdentityToken": cloud.token("facebook", "alice")}
    answer = send(cloud, "POST", "/", [("Content-Type", FORM)] * 2, encoded(parameters).encode(), "sts.amazonaws.com")
    assert answer.status == 200, answer.body
    datetime.datetime.strptime(answer["Expiration"], "%Y-%m-%dT%H:%M:%SZ")


def test_s3_takes_sessions_with_version_2_by_the_name_of_the_bucket(cloud):
    keys = session(cloud)
    body = "grüße".encode()
    put = s3(cloud, "PUT", f"/{BUCKET}/guest/a%20b.txt", "/guest/a%20b.txt", keys, body=body, bucket=BUCKET, content_type="text/plain")
    assert put.status == 200 and put.fields["etag"] == f'"{hashlib.md5(body).hexdigest()}"'
    # The content type is sent and signed even without a body.
    get = s3(cloud, "GET", f"/{BUCKET}/guest/a%20b.txt", "/guest/a%20b.txt", keys, bucket=BUCKET)
    assert (get.status, get.body) == (200, body)
    listing = s3(cloud, "GET", f"/{BUCKET}/", "/?prefix=guest%2F&max-keys=10", keys, bucket=BUCKET)
    assert listing["Key"] == "guest/a b.txt"
    versions = s3(cloud, "GET", f"/{BUCKET}/?versions", "/?versions&prefix=guest%2F", keys, bucket=BUCKET)
    assert versions["Key"] == "guest/a b.txt"
    assert s3(cloud, "GET", f"/{BUCKET}/?acl", "/?acl", keys, bucket=BUCKET).status == 200
    path = s3(cloud, "GET", f"/{BUCKET}/guest/a%20b.txt", f"/{BUCKET}/guest/a%20b.txt", keys)
    assert path.body == body


def test_a_presigned_url_carries_the_token_as_if_it_were_a_field(cloud):
    key, secret, token = session(cloud)
    client(cloud, "s3").put_object(Bucket=BUCKET, Key="guest/x", Body=b"presigned")
    expires = int(datetime.datetime.now(datetime.UTC).timestamp()) + 600
    text = f"GET\n\n\n{expires}\nx-amz-security-token:{token}\n/{BUCKET}/guest/x"
    query = encoded({"x-amz-security-token": token, "AWSAccessKeyId": key, "Expires": str(expires),
                     "Signature": base64.b64encode(mac(secret, text, hashlib.sha1)).decode()})
    answer = send(cloud, "GET", f"/guest/x?{query}", [], host=f"{BUCKET}.s3.amazonaws.com")
    assert (answer.status, answer.body) == (200, b"presigned")


def test_the_codes_that_make_the_sdk_refresh(cloud):
    keys = session(cloud)

    def get(key, secret, token):
        answer = s3(cloud, "GET", f"/{BUCKET}/", "/", (key, secret, token), bucket=BUCKET)
        return answer.status, answer["Code"]

    cloud.age("PT2H")
    assert get(*keys) == (400, "ExpiredToken")
    fresh = session(cloud)
    assert get(*fresh[:2], keys[2]) == (400, "InvalidToken")
    assert get(*fresh[:2], "nonsense") == (400, "InvalidToken")
    assert get(*fresh[:2], None) == (403, "InvalidAccessKeyId")
    assert get(fresh[0], "wrong", fresh[2]) == (403, "SignatureDoesNotMatch")
    # A session that expired long ago still has the error for expired ones.
    cloud.age("P30D")
    assert get(*keys) == (400, "ExpiredToken")
    cloud.control("POST", "faults", {"service": "s3", "error": "TokenRefreshRequired", "times": 1})
    keys = session(cloud)
    assert get(*keys) == (400, "TokenRefreshRequired")
    assert get(*keys)[0] == 200
