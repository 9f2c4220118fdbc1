"""Mutations of a request, from its bytes to the values in its body. All randomness is from the generator that is passed in."""

import json
import re

TEXTS = [
    "", " ", "\x00", "%00", "%", "%zz", "%ff%fe", "\udcff\udcfe", "\ud7ff", "é", "日本語", "😀", "\u202e", "null", "true", "NaN", "-1", "0", "1",
    "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616", "1e308", "1e999", "0x10",
    "0.5", "1" * 400, "A" * 300, "A" * 5_000, "/", "//", "../..", "\\", "'", '"', "<", "<a>", "&", "]]>", "{", "}", "[]", "{}", "${", "${aws:username}",
    "*", "**?*?*", "a,b", ",", ";", "=", "==", "====", "a=b", ":", "::", "arn:aws:s3:::", "arn:aws:iam::000000000000:root", "arn:", "arn:aws:iam:::", "http://",
    "http://[", "http://127.0.0.1:1/", "https://a:99999/", "data:,", "file:///", "Basic ", "Bearer ", "Basic Og==", "Basic ////", "Bearer a.b.c",
    "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "292277026596-12-04T15:30:08Z", "20260230T250000Z",
    "Thu, 01 Jan 1970 00:00:00 GMT", "PT1H", "P1000000000000Y", "-PT1S", "bytes=0-", "bytes=-0", "bytes=5-1", "bytes=9223372036854775807-",
    "bytes=0-9223372036854775807", "bytes=-9223372036854775807", "bytes=0-0,1-1", "utf-8", "gzip, gzip", "chunked", "aws-chunked", "text/xml;charset=",
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x", "application/json", "application/xml", "AES256", "aws:kms",
    "STANDARD", "GLACIER", "public-read", "Enabled", "us-east-1", "openid", "code", "none", "HS256", "AAAA", "YWJj", "LS0t", "eyJhbGciOiJub25lIn0.e30."]

VALUES = [
    None, True, False, 0, -1, 1, 1.5, 1e300, 2 ** 31, 2 ** 63 - 1, 2 ** 63, -(2 ** 63), 10 ** 30, "", "a", "\x00", "é", [], {}, [[]], [None], {"": ""},
    "A" * 3_000, ["a", 1], {"a": {"a": {"a": 1}}}]


def text(random, old):
    """Returns another text."""
    if not isinstance(old, str):
        old = ""
    choice = random.randrange(7)
    place = random.randrange(len(old) + 1)
    if choice == 0 or not old:
        return random.choice(TEXTS)
    if choice == 1:
        return old[:place]
    if choice == 2:
        return old[:place] + random.choice(TEXTS) + old[place:]
    if choice == 3:
        return old[:place] + old[place + 1:]
    if choice == 4:
        return old[:place] + chr(random.randrange(1, 0x250)) + old[place + 1:]
    if choice == 5:
        return old + old
    numbers = list(re.finditer(r"\d+", old))
    if not numbers:
        return old.swapcase()
    number = random.choice(numbers)
    return old[:number.start()] + random.choice(["0", "-1", "99999999999999999999", str(int(number[0]) + 1)]) + old[number.end():]


def pairs(random, old):
    """Returns another list of names and values."""
    new = list(old)
    choice = random.randrange(6)
    if not new or choice == 0:
        name = random.choice([name for name, _ in new] or ["a"])
        new.insert(random.randrange(len(new) + 1), (name, random.choice(TEXTS)))
        return new
    place = random.randrange(len(new))
    name, value = new[place]
    if choice == 1:
        del new[place]
    elif choice == 2:
        new[place] = (text(random, name) or "x", value)
    else:
        new[place] = (name, text(random, value))
    return new


def value(random, old):
    """Returns another JSON value."""
    if isinstance(old, dict) and old and random.random() < 0.85:
        key = random.choice(sorted(old))
        new = dict(old)
        choice = random.randrange(8)
        if choice == 0:
            del new[key]
        elif choice == 1:
            new[text(random, key)] = new.pop(key)
        else:
            new[key] = value(random, old[key])
        return new
    if isinstance(old, list) and old and random.random() < 0.8:
        place = random.randrange(len(old))
        return old[:place] + [value(random, old[place])] + old[place + random.randrange(2):]
    if isinstance(old, str) and random.random() < 0.6:
        new = text(random, old)
        return new.encode("utf-8", "replace").decode("utf-8", "replace")
    if random.random() < 0.03:
        deep = []
        for _ in range(random.choice([100, 5_000])):
            deep = [deep]
        return deep
    return random.choice(VALUES)


def xml(random, old):
    """Returns another XML document."""
    tags = list(re.finditer(rb"<[^<>]+>", old))
    choice = random.randrange(7)
    if not tags or choice == 0:
        return octets(random, old)
    tag = random.choice(tags)
    name = re.match(rb"</?([^\s/>]+)", tag[0])
    name = name[1] if name else b"a"
    element = re.compile(rb"<" + re.escape(name) + rb"\b[^>]*>.*?</" + re.escape(name) + rb">", re.S).search(old)
    inserted = random.choice(TEXTS).encode("utf-8", "surrogateescape")
    if choice == 1 and element:
        return old[:element.start()] + old[element.end():]
    if choice == 2 and element:
        return old[:element.end()] + element[0] * random.choice([1, 1, 1200]) + old[element.end():]
    if choice == 3:
        return old[:tag.end()] + inserted + old[tag.end():]
    if choice == 4:
        after = re.compile(rb"[^<]*").match(old, tag.end())
        return old[:tag.end()] + inserted + old[after.end():]
    if choice == 5:
        return old.replace(name, random.choice([b"X", name[:-1], name.lower(), name + b"s"]))
    return random.choice([
        b'<!DOCTYPE a [<!ENTITY b "c">]>' + old, old + b"<b/>", b"\xef\xbb\xbf" + old, b'<?xml version="1.0" encoding="UTF-16"?>' + old,
        b"<a>" * 5_000, b"<a b='c' b='d'/>", b""])


def octets(random, old):
    """Returns other bytes."""
    new = bytearray(old)
    for _ in range(random.choice([1, 1, 1, 2, 8])):
        place = random.randrange(len(new) + 1)
        choice = random.randrange(5)
        if choice == 0 and new:
            new[place % len(new)] ^= 1 << random.randrange(8)
        elif choice == 1:
            new[place:place] = bytes([random.randrange(256)])
        elif choice == 2:
            del new[place:place + random.randrange(1, 20)]
        elif choice == 3:
            new[place:place] = random.choice(TEXTS).encode("utf-8", "surrogateescape")
        else:
            end = min(len(new), place + random.randrange(1, 40))
            new[place:place] = new[place:end]
    return bytes(new)


def body(random, old):
    """Returns another body, according to the format of the old one."""
    if random.random() < 0.15 or not old:
        return octets(random, old)
    start = old.lstrip()[:1]
    if start in (b"{", b"["):
        try:
            return json.dumps(value(random, json.loads(old)), allow_nan=True).encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):
            return octets(random, old)
    if start == b"<":
        return xml(random, old)
    return octets(random, old)


METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "PROPFIND"]


def request(random, old):
    """Returns another request, which is signed later."""
    new = old.copy()
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        choice = random.random()
        if choice < 0.05:
            new.method = random.choice(METHODS)
        elif choice < 0.15:
            parts = new.path.split("/")
            place = random.randrange(len(parts))
            part = text(random, parts[place])
            parts[place] = "".join(c if 0x21 <= ord(c) < 0x7f and c not in "?# " else "".join(
                f"%{byte:02X}" for byte in c.encode("utf-8", "surrogateescape")) for c in part)
            new.path = "/" + "/".join(parts).lstrip("/")
        elif choice < 0.3 or not (new.form or new.body or new.headers or new.query):
            new.query = pairs(random, new.query)
        elif choice < 0.5 and new.headers:
            headers = pairs(random, new.headers)
            new.headers = [
                (re.sub(r"[^!-9;-~]", "", name) or "x", re.sub(r"[\r\n\x00]", "", value or "").encode("utf-8", "surrogateescape").decode("latin-1"))
                for name, value in headers]
        elif new.form is not None:
            new.form = pairs(random, new.form)
            # Documents in form fields.
            place = random.randrange(len(new.form)) if new.form else 0
            if new.form and (new.form[place][1] or "")[:1] in ("{", "["):
                name, document = new.form[place]
                try:
                    new.form[place] = (name, json.dumps(value(random, json.loads(document))))
                except (ValueError, RecursionError):
                    pass
        elif new.query and not new.body:
            new.query = pairs(random, new.query)
        else:
            new.body = body(random, new.body)
    return new
