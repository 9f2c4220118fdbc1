"""A request as a value, and the signatures of the services, computed here so that a mutated request can be signed."""

import base64
import dataclasses
import datetime
import email.utils
import hashlib
import hmac
import uuid
from urllib.parse import quote

REGION = "us-east-1"
ROOT = ("test", "test")
HARBOUR = ("LTAI5tHarbourRoot0000001", "HarbourRootSecret0123456789abc")

# The query parameters that Object Storage Service and Signature Version 2 of S3 sign.
SUBRESOURCES = {
    "acl", "uploads", "location", "cors", "logging", "website", "referer", "lifecycle", "delete", "append", "tagging", "objectMeta",
    "uploadId", "partNumber", "position", "symlink", "restore", "policy", "versioning", "versions", "versionId", "encryption",
    "notification", "requestPayment", "select", "x-oss-process", "callback", "callback-var", "torrent", "partsNumber", "seal",
    "worm", "wormId", "wormExtend", "bucketInfo", "stat", "inventory", "inventoryId", "transferAcceleration", "qos", "continuation-token",
    "response-content-type", "response-content-disposition", "response-expires", "response-cache-control", "x-oss-traffic-limit"}


@dataclasses.dataclass
class Request:
    name: str
    method: str
    path: str
    query: list = dataclasses.field(default_factory=list)
    headers: list = dataclasses.field(default_factory=list)
    body: bytes = b""
    sign: object = None
    # Form fields, from which the body is made.
    form: list | None = None

    def copy(self):
        return dataclasses.replace(
            self, query=list(self.query), headers=list(self.headers), form=None if self.form is None else list(self.form))

    def content(self):
        return self.body if self.form is None else encoded(self.form)

    def bytes(self, host):
        """The message, signed if its service requires that."""
        headers = list(self.headers)
        if self.form is not None and not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        query, body = list(self.query), self.content()
        # Some operations require a digest of their document.
        if self.sign and body.lstrip()[:1] == b"<":
            headers.append(("Content-MD5", base64.b64encode(hashlib.md5(body).digest()).decode()))
        if self.sign:
            # Some signatures are part of the body.
            query, headers, *rest = self.sign(self.method, self.path, query, headers, body, host)
            body = rest[0] if rest else body
        if not any(name.lower() == "host" for name, _ in headers):
            headers.insert(0, ("Host", host))
        if (body or self.method in ("POST", "PUT")) and not any(name.lower() == "content-length" for name, _ in headers):
            headers.append(("Content-Length", str(len(body))))
        target = self.path + ("?" + encoded(query).decode() if query else "")
        lines = [f"{self.method} {target} HTTP/1.1"] + [f"{name}: {value}" for name, value in headers]
        return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


def percent(text):
    return quote(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text, safe="-_.~")


def encoded(pairs):
    return "&".join(percent(name) if value is None else f"{percent(name)}={percent(value)}" for name, value in pairs).encode()


def hmac_of(key, text, digest=hashlib.sha256):
    return hmac.new(key, text.encode("utf-8", "surrogateescape"), digest).digest()


def stamp():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")


def version4(service, keys=ROOT, presigned=False, payload=None):
    """Signature Version 4, in a header or in the query."""

    def sign(method, path, query, headers, body, host):
        time = stamp()
        scope = f"{time[:8]}/{REGION}/{service}/aws4_request"
        digest = payload or hashlib.sha256(body).hexdigest()
        headers = [pair for pair in headers if pair[0].lower() not in ("host", "x-amz-date", "authorization")] + [("Host", host)]
        if presigned:
            digest, names = "UNSIGNED-PAYLOAD", "host"
            query = query + [
                ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", f"{keys[0]}/{scope}"), ("X-Amz-Date", time),
                ("X-Amz-Expires", "600"), ("X-Amz-SignedHeaders", "host")]
            signed = [("host", host)]
        else:
            headers.append(("X-Amz-Date", time))
            if service == "s3" and not any(name.lower() == "x-amz-content-sha256" for name, _ in headers):
                headers.append(("X-Amz-Content-Sha256", digest))
            values = {}
            for name, value in headers:
                values.setdefault(name.lower(), []).append(" ".join(value.split()))
            signed = sorted((name, ",".join(texts)) for name, texts in values.items() if name != "content-length")
            names = ";".join(name for name, _ in signed)
        pairs = sorted((percent(name), percent(value or "")) for name, value in query)
        canonical = "\n".join([
            method, path, "&".join(f"{name}={value}" for name, value in pairs),
            "".join(f"{name}:{value}\n" for name, value in signed), names, digest])
        text = "\n".join([
            "AWS4-HMAC-SHA256", time, scope, hashlib.sha256(canonical.encode("utf-8", "surrogateescape")).hexdigest()])
        key = f"AWS4{keys[1]}".encode()
        for part in [time[:8], REGION, service, "aws4_request"]:
            key = hmac_of(key, part)
        signature = hmac_of(key, text).hex()
        if presigned:
            return query + [("X-Amz-Signature", signature)], headers
        authorization = f"AWS4-HMAC-SHA256 Credential={keys[0]}/{scope}, SignedHeaders={names}, Signature={signature}"
        return query, headers + [("Authorization", authorization)]

    return sign


def chunked(service, keys=ROOT, trailer=None):
    """Signature Version 4 of a chunked body, with a signature for each chunk; `trailer` is a name and a value."""
    payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + ("-TRAILER" if trailer else "")

    def sign(method, path, query, headers, body, host):
        headers = headers + [("Content-Encoding", "aws-chunked"), ("x-amz-decoded-content-length", str(len(body))), ("x-amz-content-sha256", payload)]
        if trailer:
            headers.append(("x-amz-trailer", trailer[0]))
        query, headers = version4(service, keys, payload=payload)(method, path, query, headers, body, host)
        fields = {name.lower(): value for name, value in headers}
        previous, time = fields["authorization"].rpartition("Signature=")[2], fields["x-amz-date"]
        scope = f"{time[:8]}/{REGION}/{service}/aws4_request"
        key = f"AWS4{keys[1]}".encode()
        for part in scope.split("/"):
            key = hmac_of(key, part)
        empty, message = hashlib.sha256(b"").hexdigest(), b""
        for chunk in [body[start:start + 8192] for start in range(0, len(body), 8192)] + [b""]:
            text = "\n".join(["AWS4-HMAC-SHA256-PAYLOAD", time, scope, previous, empty, hashlib.sha256(chunk).hexdigest()])
            previous = hmac_of(key, text).hex()
            message += f"{len(chunk):x};chunk-signature={previous}\r\n".encode() + chunk + (b"\r\n" if chunk or not trailer else b"")
        if trailer:
            digest = hashlib.sha256(f"{trailer[0]}:{trailer[1]}\n".encode()).hexdigest()
            signature = hmac_of(key, "\n".join(["AWS4-HMAC-SHA256-TRAILER", time, scope, previous, digest])).hex()
            message += f"{trailer[0]}:{trailer[1]}\r\nx-amz-trailer-signature:{signature}\r\n\r\n".encode()
        return query, headers, message

    return sign


def oss4(keys=HARBOUR, region="cn-hangzhou", presigned=False):
    """Version 4 of Object Storage Service, in a header or in the query."""

    def sign(method, path, query, headers, body, host):
        time = stamp()
        scope = f"{time[:8]}/{region}/oss/aliyun_v4_request"
        headers = [pair for pair in headers if pair[0].lower() not in ("authorization", "x-oss-date", "x-oss-content-sha256")]
        if presigned:
            query = query + [
                ("x-oss-signature-version", "OSS4-HMAC-SHA256"), ("x-oss-credential", f"{keys[0]}/{scope}"), ("x-oss-date", time), ("x-oss-expires", "600")]
        else:
            headers += [("x-oss-date", time), ("x-oss-content-sha256", "UNSIGNED-PAYLOAD")]
        signed = sorted((name.lower(), value.strip()) for name, value in headers if name.lower() in ("content-type", "content-md5") or name.lower().startswith("x-oss-"))
        pairs = sorted((percent(name), percent(value or "")) for name, value in query)
        canonical = "\n".join([
            method, path, "&".join(name if not value else f"{name}={value}" for name, value in pairs),
            "".join(f"{name}:{value}\n" for name, value in signed), "", "UNSIGNED-PAYLOAD"])
        text = "\n".join(["OSS4-HMAC-SHA256", time, scope, hashlib.sha256(canonical.encode("utf-8", "surrogateescape")).hexdigest()])
        key = f"aliyun_v4{keys[1]}".encode()
        for part in scope.split("/"):
            key = hmac_of(key, part)
        signature = hmac_of(key, text).hex()
        if presigned:
            return query + [("x-oss-signature", signature)], headers
        return query, headers + [("Authorization", f"OSS4-HMAC-SHA256 Credential={keys[0]}/{scope}, Signature={signature}")]

    return sign


def version2(scheme, prefix, keys):
    """Version 2 of S3, or Version 1 of Object Storage Service, which differ in a few names."""

    def sign(method, path, query, headers, body, host):
        headers = [pair for pair in headers if pair[0].lower() not in ("date", "authorization")]
        headers += [("Date", email.utils.formatdate(usegmt=True))]
        values = {name.lower(): value.strip() for name, value in headers}
        own = "".join(f"{name}:{values[name]}\n" for name in sorted(values) if name.startswith(prefix))
        parts = [(name, value) for name, value in query if name in SUBRESOURCES or name.startswith((prefix, "response-"))]
        parts.sort(key=lambda pair: (pair[0], pair[1] or ""))
        resource = path + ("?" + "&".join(name if value is None else f"{name}={value}" for name, value in parts) if parts else "")
        text = "\n".join([method, values.get("content-md5", ""), values.get("content-type", ""), values["date"], own + resource])
        signature = base64.b64encode(hmac_of(keys[1].encode(), text, hashlib.sha1)).decode()
        return query, headers + [("Authorization", f"{scheme} {keys[0]}:{signature}")]

    return sign


def rpc(method, path, query, headers, body, host):
    """The signature of Alibaba Cloud's RPC calls."""
    time = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    query = query + [
        ("AccessKeyId", HARBOUR[0]), ("SignatureMethod", "HMAC-SHA1"), ("SignatureVersion", "1.0"), ("SignatureNonce", uuid.uuid4().hex),
        ("Timestamp", time), ("Format", "JSON")]
    pairs = "&".join(f"{percent(name)}={percent(value or '')}" for name, value in sorted(query, key=lambda pair: pair[0]))
    text = f"{method}&%2F&{percent(pairs)}"
    signature = base64.b64encode(hmac_of((HARBOUR[1] + "&").encode(), text, hashlib.sha1)).decode()
    return query + [("Signature", signature)], headers
