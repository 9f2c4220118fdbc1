"""What a client knows about the things that it changed: for each, the states in which a reader may find it.

Every class has one thread that changes things (`act`), and a check of all that it changed (`check`). A change is recorded before it is sent
and when it is acknowledged. Between the two, both states are allowed; a check settles which one holds from then on.
"""

import base64
import datetime
import hashlib
import hmac
import json
import os
import re
from xml.sax.saxutils import unescape

from caller import OSS, S3, Broken

MIB = 1 << 20
ABSENT = None


class Things:
    """The states of named things."""

    def __init__(self):
        self.acknowledged, self.pending, self.touched, self.count = {}, {}, set(), 0

    def begin(self, name, state):
        self.pending[name] = state
        self.touched.add(name)

    def end(self, name):
        self.keep(name, self.pending.pop(name))
        self.count += 1

    def keep(self, name, state):
        if state is ABSENT:
            self.acknowledged.pop(name, None)
        else:
            self.acknowledged[name] = state

    def change(self, name, state, send):
        """Sends a change and records its acknowledgement."""
        self.begin(name, state)
        answer = send()
        self.end(name)
        return answer

    def settle(self, name, found):
        """Expects that a thing was found in an allowed state."""
        allowed = [self.acknowledged.get(name, ABSENT)] + ([self.pending[name]] if name in self.pending else [])
        assert found in allowed, f"{name}: found {found!r}, expected one of {allowed!r}"
        self.pending.pop(name, None)
        self.keep(name, found)

    def names(self, of_all):
        """The names to check: all of them, or those that changed since the last check."""
        names = set(self.acknowledged) | set(self.pending) if of_all else self.touched
        self.touched = set()
        return sorted(names)


def digest(body):
    return hashlib.md5(body).hexdigest()


def texts(name, document):
    return [unescape(text) for text in re.findall(f"<{name}>([^<]*)</{name}>", document)]


class Objects(Things):
    """PUT, COPY and DELETE of objects, forms, and overwrites."""

    bucket = "hardening-objects"

    def prepare(self, caller):
        caller.expect("PUT", f"/{self.bucket}")

    def act(self, caller, choice):
        key = f"k{choice.randrange(60)}"
        path, kind = f"/{self.bucket}/{key}", choice.random()
        if kind < 0.5:
            body = os.urandom(2 * MIB if choice.random() < 0.02 else int(200_000 ** choice.random()))
            self.change(key, digest(body), lambda: caller.expect("PUT", path, body=body))
        elif kind < 0.7:
            body = os.urandom(int(50_000 ** choice.random()))
            self.change(key, digest(body), lambda: self.post(caller, key, body))
        elif kind < 0.85:
            source = f"k{choice.randrange(60)}"
            if source == key or source in self.pending or source not in self.acknowledged:
                return
            headers = [("x-amz-copy-source", f"/{self.bucket}/{source}")]
            self.change(key, self.acknowledged[source], lambda: caller.expect("PUT", path, headers=headers))
        else:
            self.change(key, ABSENT, lambda: caller.expect("DELETE", path))

    def post(self, caller, key, body):
        """Uploads with a form of a browser."""
        now = datetime.datetime.now(datetime.timezone.utc)
        stamp, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
        credential = f"test/{day}/us-east-1/s3/aws4_request"
        policy = base64.b64encode(json.dumps({
            "expiration": (now + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "conditions": [{"bucket": self.bucket}, ["starts-with", "$key", ""], {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
                           {"x-amz-credential": credential}, {"x-amz-date": stamp}]}).encode()).decode()
        signing = b"AWS4test"
        for part in [day, "us-east-1", "s3", "aws4_request"]:
            signing = hmac.new(signing, part.encode(), hashlib.sha256).digest()
        fields = {"key": key, "policy": policy, "x-amz-algorithm": "AWS4-HMAC-SHA256", "x-amz-credential": credential, "x-amz-date": stamp,
                  "x-amz-signature": hmac.new(signing, policy.encode(), hashlib.sha256).hexdigest()}
        content = b"".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items())
        content += b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n' + body + b"\r\n--b--\r\n"
        return caller.expect("POST", f"/{self.bucket}", headers=[("Content-Type", "multipart/form-data; boundary=b")], body=content, sign=None)

    def found(self, caller, key):
        answer = caller.send("GET", f"/{self.bucket}/{key}")
        if answer.status == 404:
            return ABSENT
        assert answer.status == 200, answer.text
        assert len(answer.body) == int(answer.headers["content-length"])
        assert answer.headers["etag"] == f'"{digest(answer.body)}"', f"{key}: body and entity tag differ"
        return digest(answer.body)

    def check(self, caller, of_all):
        for key in self.names(of_all):
            self.settle(key, self.found(caller, key))
        listed = set(texts("Key", caller.expect("GET", f"/{self.bucket}", [("list-type", "2")]).text))
        known = set(self.acknowledged)
        assert not of_all or listed == known, f"listed {listed - known}, not listed {known - listed}"


class Uploads(Things):
    """Uploads in parts: the object, and the parts of an upload that continues after a restart."""

    bucket = "hardening-uploads"

    def __init__(self):
        super().__init__()
        # For each key the identifier of its open upload, the parts that were acknowledged, and the one in progress.
        self.open = {}
        # The parts that another may follow.
        self.long = set()

    def prepare(self, caller):
        caller.expect("PUT", f"/{self.bucket}")

    def act(self, caller, choice):
        key = f"u{choice.randrange(8)}"
        path = f"/{self.bucket}/{key}"
        if key not in self.open:
            # An upload whose creation was not acknowledged is aborted at the end.
            upload = texts("UploadId", caller.expect("POST", path, [("uploads", None)]).text)[0]
            self.open[key] = (upload, {}, {})
            self.count += 1
            return
        upload, parts, pending = self.open[key]
        if not parts or len(parts) == 1 and (key, parts[1]) in self.long:
            number = len(parts) + 1
            body = os.urandom(5 * MIB if number == 1 and choice.random() < 0.1 else 1000)
            pending[number] = digest(body)
            if len(body) == 5 * MIB:
                self.long.add((key, pending[number]))
            caller.expect("PUT", path, [("partNumber", str(number)), ("uploadId", upload)], body=body)
            parts[number] = pending.pop(number)
            self.count += 1
        elif choice.random() < 0.3:
            del self.open[key]
            caller.expect("DELETE", path, [("uploadId", upload)])
            self.count += 1
        else:
            document = "".join(f'<Part><PartNumber>{number}</PartNumber><ETag>"{tag}"</ETag></Part>' for number, tag in sorted(parts.items()))
            joined = b"".join(bytes.fromhex(tag) for _, tag in sorted(parts.items()))
            del self.open[key]
            self.change(key, f'"{hashlib.md5(joined).hexdigest()}-{len(parts)}"', lambda: caller.expect(
                "POST", path, [("uploadId", upload)], [("Content-Type", "application/xml")],
                f"<CompleteMultipartUpload>{document}</CompleteMultipartUpload>".encode()))

    def check(self, caller, of_all):
        for key in self.names(of_all):
            answer = caller.send("HEAD", f"/{self.bucket}/{key}")
            self.settle(key, answer.headers["etag"] if answer.status == 200 else ABSENT)
        for key, (upload, parts, pending) in list(self.open.items()):
            document = caller.expect("GET", f"/{self.bucket}/{key}", [("uploadId", upload)]).text
            found = dict(zip(map(int, texts("PartNumber", document)), (tag.strip('"').replace("&quot;", "") for tag in texts("ETag", document))))
            for number in set(found) | set(parts):
                assert found.get(number) in (parts.get(number), pending.get(number)), f"part {number} of {key}: {found} {parts} {pending}"
            self.open[key] = (upload, found, {})


class Appends(Things):
    """Appends to an object of OSS: every acknowledged piece is there, none is there in part."""

    bucket = "hardening-appends"

    def __init__(self):
        super().__init__()
        self.bodies = {}

    def prepare(self, caller):
        caller.expect("PUT", f"/{self.bucket}/", sign=OSS)

    def act(self, caller, choice):
        key = f"log{choice.randrange(4)}"
        body, path = self.bodies.get(key, b""), f"/{self.bucket}/{key}"
        if len(body) > 400_000:
            self.change(key, ABSENT, lambda: caller.expect("DELETE", path, sign=OSS))
            self.bodies[key] = b""
            return
        longer = body + os.urandom(int(20_000 ** choice.random()))
        self.begin(key, digest(longer))
        caller.expect("POST", path, [("append", None), ("position", str(len(body)))], body=longer[len(body):], sign=OSS)
        self.end(key)
        self.bodies[key] = longer

    def check(self, caller, of_all):
        for key in self.names(of_all):
            answer = caller.send("GET", f"/{self.bucket}/{key}", sign=OSS)
            assert answer.status in (200, 404), answer.text
            self.settle(key, digest(answer.body) if answer.status == 200 else ABSENT)
            self.bodies[key] = answer.body if answer.status == 200 else b""


class Versions(Things):
    """A bucket with versions: the states are the versions of a key, newest first."""

    bucket = "hardening-versions"

    def prepare(self, caller):
        caller.expect("PUT", f"/{self.bucket}")
        document = b"<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        caller.expect("PUT", f"/{self.bucket}", [("versioning", None)], [("Content-Type", "application/xml")], document)

    def act(self, caller, choice):
        key = f"v{choice.randrange(6)}"
        path, before = f"/{self.bucket}/{key}", self.acknowledged.get(key, ())
        if len(before) >= 8:
            for identifier, _ in before:
                rest = tuple(version for version in self.acknowledged[key] if version[0] != identifier) or ABSENT
                self.change(key, rest, lambda identifier=identifier: caller.expect("DELETE", path, [("versionId", identifier)]))
        elif before and choice.random() < 0.25:
            self.add(key, before, "marker", lambda: caller.expect("DELETE", path))
        else:
            body = os.urandom(int(30_000 ** choice.random()))
            self.add(key, before, digest(body), lambda: caller.expect("PUT", path, body=body))

    def add(self, key, before, state, send):
        # The identifier of the new version is known only afterwards.
        self.begin(key, (("?", state), *before))
        answer = send()
        self.pending[key] = ((answer.headers["x-amz-version-id"], state), *before)
        self.end(key)

    def check(self, caller, of_all):
        document = caller.expect("GET", f"/{self.bucket}", [("versions", None)]).text
        found = {}
        for kind, entry in re.findall(r"<(Version|DeleteMarker)>(.*?)</\1>", document, re.DOTALL):
            key, identifier = texts("Key", entry)[0], texts("VersionId", entry)[0]
            tag = texts("ETag", entry)
            found.setdefault(key, []).append((identifier, tag[0].strip('"').replace("&quot;", "") if kind == "Version" else "marker"))
        for key in self.names(of_all):
            versions = tuple(found.get(key, ())) or ABSENT
            pending = self.pending.get(key)
            if versions and pending and pending[0][0] == "?" and versions[0][1] == pending[0][1] and versions[1:] == pending[1:]:
                self.pending[key] = versions
            self.settle(key, versions)


class Identities(Things):
    """Users and policies of IAM and RAM."""

    def prepare(self, caller):
        pass

    def act(self, caller, choice):
        name, vendor = f"hardening{choice.randrange(12)}", choice.choice(["iam", "ram"])
        call, thing = getattr(caller, vendor), f"{vendor} {name}"
        known = self.acknowledged.get(thing)
        if known is ABSENT:
            self.change(thing, "", lambda: call("CreateUser", UserName=name))
        elif vendor == "iam" and known == "" and choice.random() < 0.6:
            policy = f"p{choice.randrange(1000)}"
            document = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]})
            self.change(thing, policy, lambda: call("PutUserPolicy", UserName=name, PolicyName=policy, PolicyDocument=document))
        elif known:
            self.change(thing, "", lambda: call("DeleteUserPolicy", UserName=name, PolicyName=known))
        else:
            self.change(thing, ABSENT, lambda: call("DeleteUser", UserName=name))

    def check(self, caller, of_all):
        users = set(texts("UserName", caller.iam("ListUsers").text))
        others = {user["UserName"] for user in json.loads(caller.ram("ListUsers", MaxItems="1000").body)["Users"]["User"]}
        for thing in self.names(of_all):
            vendor, name = thing.split()
            if name not in (users if vendor == "iam" else others):
                self.settle(thing, ABSENT)
            elif vendor == "ram":
                self.settle(thing, "")
            else:
                policies = texts("member", caller.iam("ListUserPolicies", UserName=name).text)
                self.settle(thing, policies[0] if policies else "")


class Tokens(Things):
    """Refresh tokens of an issuer: each is active from its issue until its revocation."""

    def __init__(self):
        super().__init__()
        self.client = base64.b64encode(b"web-app:web-app-client-secret").decode()

    def prepare(self, caller):
        pass

    def act(self, caller, choice):
        if self.acknowledged and choice.random() < 0.4:
            token = choice.choice(sorted(self.acknowledged))
            self.change(token, ABSENT, lambda: self.call(caller, "revoke", token))
        elif len(self.acknowledged) < 40:
            token = caller.control("POST", "tokens", {"provider": "company", "user": "alice", "type": "refresh_token", "client": "web-app"})["token"]
            self.acknowledged[token] = "active"
            self.touched.add(token)
            self.count += 1

    def call(self, caller, endpoint, token):
        form = [("token", token), ("token_type_hint", "refresh_token")]
        return caller.expect("POST", f"/idp/company/{endpoint}", headers=[("Authorization", f"Basic {self.client}")], form=form, sign=None)

    def check(self, caller, of_all):
        for token in self.names(of_all):
            active = json.loads(self.call(caller, "introspect", token).body)["active"]
            self.settle(token, "active" if active else ABSENT)


class Sandboxes(Things):
    """Sandboxes, each with one object, and snapshots."""

    def prepare(self, caller):
        pass

    def act(self, caller, choice):
        name = f"hardening-{choice.randrange(4)}"
        if name in self.acknowledged:
            self.change(name, ABSENT, lambda: caller.control("DELETE", f"sandboxes/{name}"))
        else:
            self.change(name, "there", lambda: caller.control("POST", "sandboxes", {"name": name, "port": False}))

    def check(self, caller, of_all):
        names = {sandbox["name"] for sandbox in caller.control("GET", "sandboxes")["sandboxes"]}
        for name in self.names(of_all):
            self.settle(name, "there" if name in names else ABSENT)


KINDS = {"objects": Objects, "uploads": Uploads, "appends": Appends, "versions": Versions, "identities": Identities, "tokens": Tokens,
         "sandboxes": Sandboxes}
__all__ = ["KINDS", "Broken", "S3"]
