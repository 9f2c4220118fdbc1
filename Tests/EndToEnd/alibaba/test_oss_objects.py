"""oss2, the first SDK for Python, on the objects of a bucket, with each of its signatures."""

import base64
import hashlib
import os

import oss2
import pytest
from oss2.models import RestoreConfiguration, RestoreJobParameters, Tagging, TaggingRule

from harbour import REGION, WARDEN, bucket, refused

KIB, MIB = 1 << 10, 1 << 20
ODD_KEYS = ["two words", "ü+%&=~#?.txt", "n/e/s/t/e/d", "a//b", "tab\tand\nline", "\x01\x1f", "Ω" * 300]


@pytest.fixture(params=["v1", "v2", "v4"])
def workshop(request, harbour):
    """An empty bucket, with a client for one of the signatures."""
    made = bucket(harbour, "workshop", signature=request.param)
    made.create_bucket()
    return made


@pytest.fixture
def shop(harbour):
    """The same with Version 4 only."""
    made = bucket(harbour, "workshop")
    made.create_bucket()
    return made


def crc64(body):
    made = oss2.utils.Crc64()
    made.update(body)
    return made.crc


def test_an_object_comes_back_as_it_went(workshop):
    body = os.urandom(300 * KIB)
    sent = workshop.put_object("film.bin", body, headers={
        "Content-Type": "video/mp4", "Cache-Control": "no-cache", "Content-Disposition": "attachment", "Content-Language": "zh",
        "x-oss-meta-author": "alice", "Content-MD5": base64.b64encode(hashlib.md5(body).digest()).decode()})
    digest = hashlib.md5(body).hexdigest().upper()
    assert (sent.status, sent.etag, sent.crc) == (200, digest, crc64(body))
    got = workshop.get_object("film.bin")
    # The client compares the CRC-64 of the data with the header's.
    assert got.read() == body and got.client_crc == got.server_crc == crc64(body)
    head = workshop.head_object("film.bin")
    assert (head.etag, head.content_length, head.content_type, head.object_type) == (digest, len(body), "video/mp4", "Normal")
    expected = {"x-oss-meta-author": "alice", "Cache-Control": "no-cache", "Content-Disposition": "attachment", "Content-Language": "zh",
                "x-oss-storage-class": "Standard", "Accept-Ranges": "bytes", "Content-MD5": sent.headers["Content-MD5"]}
    assert {name: head.headers.get(name) for name in expected} == expected
    meta = workshop.get_object_meta("film.bin")
    assert (meta.content_length, meta.etag) == (len(body), digest) and "x-oss-meta-author" not in meta.headers
    assert workshop.delete_object("film.bin").status == 204 and workshop.delete_object("film.bin").status == 204
    with refused("NoSuchKey", 404, "The specified key does not exist."):
        workshop.get_object("film.bin")


@pytest.mark.parametrize("key", ODD_KEYS)
def test_keys_are_kept_as_they_are(workshop, key):
    workshop.put_object(key, key.encode())
    assert workshop.get_object(key).read() == key.encode()
    assert workshop.object_exists(key)
    assert [found.key for found in oss2.ObjectIterator(workshop)] == [key]
    assert [found.key for found in oss2.ObjectIteratorV2(workshop)] == [key]
    url = workshop.sign_url("GET", key, 60, slash_safe=True)
    assert workshop.get_object_with_url(url).read() == key.encode()
    assert workshop.batch_delete_objects([key]).deleted_keys == [key]
    assert not workshop.object_exists(key)


def test_names_that_no_object_may_have(shop):
    for key in ("/leading", "\\leading"):
        with refused("InvalidObjectName", 400):
            shop.put_object(key, b"")
    with refused("InvalidObjectName", 400):
        shop.put_object("k" * 1024, b"")
    shop.put_object("k" * 1023, b"")


def test_a_damaged_body_is_refused(shop):
    with refused("InvalidDigest", 400):
        shop.put_object("x", b"body", headers={"Content-MD5": base64.b64encode(hashlib.md5(b"other").digest()).decode()})
    assert not shop.object_exists("x")


def test_ranges_and_conditions(workshop):
    body = bytes(range(256))
    etag = workshop.put_object("x", body).etag
    got = workshop.get_object("x", byte_range=(10, 19))
    assert (got.status, got.read(), got.headers["Content-Range"]) == (206, body[10:20], "bytes 10-19/256")
    assert workshop.get_object("x", byte_range=(None, 6)).read() == body[-6:]
    assert workshop.get_object("x", byte_range=(250, None)).read() == body[250:]
    # An invalid range returns the whole object, unless the client requests the HTTP standard.
    whole = workshop.get_object("x", byte_range=(300, 310))
    assert (whole.status, whole.read()) == (200, body)
    with refused("InvalidRange", 416):
        workshop.get_object("x", byte_range=(300, 310), headers={"x-oss-range-behavior": "standard"})
    assert workshop.get_object("x", headers={"If-Match": f'"{etag}"'}).read() == body
    with pytest.raises(oss2.exceptions.NotModified):
        workshop.get_object("x", headers={"If-None-Match": f'"{etag}"'})
    with refused("PreconditionFailed", 412):
        workshop.get_object("x", headers={"If-Match": '"0"'})
    with refused("PreconditionFailed", 412):
        workshop.get_object("x", headers={"If-Unmodified-Since": "Thu, 01 Jan 2015 00:00:00 GMT"})
    with pytest.raises(oss2.exceptions.NotModified):
        workshop.get_object("x", headers={"If-Modified-Since": workshop.head_object("x").headers["Last-Modified"]})
    named = workshop.get_object("x", params={"response-content-type": "text/x-odd", "response-cache-control": "max-age=1"})
    assert (named.headers["Content-Type"], named.headers["Cache-Control"]) == ("text/x-odd", "max-age=1")


def test_nothing_is_overwritten_where_that_is_forbidden(shop):
    shop.put_object("x", b"first", headers={"x-oss-forbid-overwrite": "true"})
    with refused("FileAlreadyExists", 409):
        shop.put_object("x", b"second", headers={"x-oss-forbid-overwrite": "true"})
    with refused("FileAlreadyExists", 409):
        shop.copy_object("workshop", "x", "x", headers={"x-oss-forbid-overwrite": "true"})
    with refused("FileAlreadyExists", 409):
        shop.init_multipart_upload("x", headers={"x-oss-forbid-overwrite": "true"})
    assert shop.get_object("x").read() == b"first"


def test_objects_grow_at_their_end(workshop):
    first = workshop.append_object("log", 0, b"one\n", init_crc=0)
    assert first.next_position == 4
    second = workshop.append_object("log", 4, b"two\n", init_crc=first.crc)
    assert (second.next_position, second.crc) == (8, crc64(b"one\ntwo\n"))
    got = workshop.get_object("log")
    assert got.read() == b"one\ntwo\n" and got.object_type == "Appendable"
    assert workshop.head_object("log").headers["x-oss-next-append-position"] == "8"
    with refused("PositionNotEqualToLength", 409) as refusal:
        workshop.append_object("log", 4, b"late")
    assert refusal.value.headers["x-oss-next-append-position"] == "8"
    workshop.put_object("fixed", b"x")
    with refused("ObjectNotAppendable", 409):
        workshop.append_object("fixed", 1, b"y")
    # The new object is not appendable.
    workshop.put_object("log", b"12345678")
    with refused("ObjectNotAppendable", 409):
        workshop.append_object("log", 8, b"y")


def test_links_lead_to_their_targets(shop):
    shop.put_object("target/ü.txt", b"text", headers={"Content-Type": "text/x-odd"})
    shop.put_symlink("target/ü.txt", "link", headers={"x-oss-meta-kind": "link"})
    assert shop.get_symlink("link").target_key == "target/ü.txt"
    got = shop.get_object("link")
    assert (got.read(), got.object_type, got.content_length) == (b"text", "Symlink", 4)
    entry = next(found for found in oss2.ObjectIterator(shop) if found.key == "link")
    assert entry.type == "Symlink"
    with refused("NotSymlink", 400):
        shop.get_symlink("target/ü.txt")
    shop.delete_object("target/ü.txt")
    with refused("SymlinkTargetNotExist", 404):
        shop.get_object("link")
    assert shop.get_symlink("link").target_key == "target/ü.txt"


def test_copies_keep_or_replace_what_is_said_of_an_object(shop):
    shop.put_object("a", b"text", headers={
        "Content-Type": "text/x-odd", "x-oss-meta-edition": "7", "Content-Language": "zh", "x-oss-tagging": "colour=red"})
    shop.copy_object("workshop", "a", "b")
    kept = shop.head_object("b").headers
    assert kept["ETag"] == shop.head_object("a").headers["ETag"]
    assert (kept["Content-Type"], kept["x-oss-meta-edition"], kept["x-oss-tagging-count"]) == ("text/x-odd", "7", "1")
    shop.copy_object("workshop", "a", "c", headers={
        "x-oss-metadata-directive": "REPLACE", "Content-Type": "text/plain", "x-oss-tagging-directive": "Replace",
        "x-oss-tagging": "colour=blue&size=2"})
    replaced = shop.head_object("c").headers
    assert replaced["Content-Type"] == "text/plain" and "x-oss-meta-edition" not in replaced and "Content-Language" not in replaced
    assert shop.get_object_tagging("c").tag_set.tagging_rule == {"colour": "blue", "size": "2"}
    with refused("PreconditionFailed", 412):
        shop.copy_object("workshop", "a", "d", headers={"x-oss-copy-source-if-match": '"0"'})
    shop.update_object_meta("a", {"x-oss-meta-edition": "8"})
    assert shop.head_object("a").headers["x-oss-meta-edition"] == "8"


def test_tags_and_lists_of_access(harbour, shop):
    rule = TaggingRule()
    rule.add("colour", "red")
    rule.add("a b", "+-=._:/")
    shop.put_object("x", b"text")
    shop.put_object_tagging("x", Tagging(rule))
    assert shop.get_object_tagging("x").tag_set.tagging_rule == {"colour": "red", "a b": "+-=._:/"}
    shop.delete_object_tagging("x")
    assert shop.get_object_tagging("x").tag_set.tagging_rule == {}
    anyone = oss2.Bucket(oss2.AnonymousAuth(), harbour.url, "workshop")
    assert shop.get_object_acl("x").acl == "default"
    with refused("AccessDenied", 403):
        anyone.get_object("x")
    shop.put_object_acl("x", oss2.OBJECT_ACL_PUBLIC_READ)
    assert (shop.get_object_acl("x").acl, anyone.get_object("x").read()) == ("public-read", b"text")
    with refused("AccessDenied", 403):
        anyone.put_object("x", b"")
    shop.put_object_acl("x", oss2.OBJECT_ACL_DEFAULT)
    shop.put_bucket_acl(oss2.BUCKET_ACL_PUBLIC_READ)
    assert (shop.get_bucket_acl().acl, anyone.get_object("x").read()) == ("public-read", b"text")
    shop.put_object_acl("x", oss2.OBJECT_ACL_PRIVATE)
    with refused("AccessDenied", 403):
        anyone.get_object("x")
    shop.put_bucket_acl(oss2.BUCKET_ACL_PUBLIC_READ_WRITE)
    anyone.put_object("from anyone", b"text")
    assert shop.get_object("from anyone").read() == b"text"


def test_archived_objects_are_restored_before_they_are_read(shop):
    shop.put_object("old", b"text", headers={"x-oss-storage-class": "Archive"})
    with refused("InvalidObjectState", 403):
        shop.get_object("old")
    assert shop.head_object("old").headers["x-oss-storage-class"] == "Archive"
    assert shop.restore_object("old").status == 202
    with refused("RestoreAlreadyInProgress", 409, "The restore operation is in progress."):
        shop.restore_object("old")
    shop.put_object("older", b"text", headers={"x-oss-storage-class": "ColdArchive"})
    expedited = RestoreConfiguration(2, RestoreJobParameters("Expedited"))
    assert shop.restore_object("older", input=expedited).status == 202
    shop.put_object("new", b"text")
    with refused("OperationNotSupported", 400):
        shop.restore_object("new")


def test_listings_come_in_pages(workshop):
    keys = sorted(f"{folder}/{number:03}" for folder in "ab" for number in range(60))
    for key in keys:
        workshop.put_object(key, b"")
    first = workshop.list_objects()
    # The default is a hundred; S3 returns a thousand.
    assert ([entry.key for entry in first.object_list], first.is_truncated) == (keys[:100], True)
    assert [entry.key for entry in oss2.ObjectIterator(workshop, max_keys=7)] == keys
    assert [entry.key for entry in oss2.ObjectIteratorV2(workshop, max_keys=7)] == keys
    assert [entry.key for entry in oss2.ObjectIterator(workshop, delimiter="/")] == ["a/", "b/"]
    assert [entry.key for entry in oss2.ObjectIterator(workshop, prefix="b/05")] == [f"b/{number:03}" for number in range(50, 60)]
    assert workshop.list_objects_v2(start_after="b/058").object_list[0].key == "b/059"
    with refused("InvalidArgument", 400):
        workshop.list_objects(max_keys=1001)
    with refused("InvalidArgument", 400):
        workshop.list_objects_v2(continuation_token="nonsense")
    deleted = workshop.batch_delete_objects(keys)
    assert sorted(deleted.deleted_keys) == keys and not workshop.list_objects().object_list


def test_every_version_is_kept_where_the_bucket_does(workshop):
    from oss2.models import BatchDeleteObjectVersion, BatchDeleteObjectVersionList, BucketVersioningConfig

    configuration = BucketVersioningConfig()
    configuration.status = oss2.BUCKET_VERSIONING_ENABLE
    workshop.put_bucket_versioning(configuration)
    first, second = (workshop.put_object("x", body).versionid for body in (b"first", b"second"))
    assert workshop.get_object("x").read() == b"second"
    assert workshop.get_object("x", params={"versionId": first}).read() == b"first"
    marker = workshop.delete_object("x")
    assert marker.delete_marker and marker.versionid
    with refused("NoSuchKey", 404):
        workshop.get_object("x")
    with refused("MethodNotAllowed", 405):
        workshop.get_object("x", params={"versionId": marker.versionid})
    listed = workshop.list_object_versions()
    assert [(found.versionid, found.is_latest) for found in listed.versions] == [(second, False), (first, False)]
    assert [found.versionid for found in listed.delete_marker] == [marker.versionid]
    workshop.delete_object("x", params={"versionId": marker.versionid})
    assert workshop.get_object("x").read() == b"second"
    with refused("NoSuchVersion", 404):
        workshop.get_object("x", params={"versionId": marker.versionid})
    with refused("BucketNotEmpty", 409):
        workshop.delete_bucket()
    removed = workshop.delete_object_versions(
        BatchDeleteObjectVersionList([BatchDeleteObjectVersion("x", version) for version in (first, second)]))
    assert {found.versionid for found in removed.delete_versions} == {first, second}
    workshop.delete_bucket()


def test_presigned_urls_of_every_method(harbour, workshop):
    anyone = oss2.Bucket(oss2.AnonymousAuth(), harbour.url, "workshop")
    headers = {"Content-Type": "text/x-odd", "x-oss-meta-author": "alice"}
    put = workshop.sign_url("PUT", "folder/x", 60, headers=headers, slash_safe=True)
    with refused("SignatureDoesNotMatch", 403):
        anyone.put_object_with_url(put, b"text", headers=headers | {"Content-Type": "text/plain"})
    anyone.put_object_with_url(put, b"text", headers=headers)
    get = workshop.sign_url("GET", "folder/x", 60, params={"response-content-type": "text/other"}, slash_safe=True)
    got = anyone.get_object_with_url(get)
    assert (got.read(), got.content_type, got.headers["x-oss-meta-author"]) == (b"text", "text/other", "alice")
    with refused("SignatureDoesNotMatch", 403):
        anyone.get_object_with_url(get.replace("text%2Fother", "text%2Fhtml"))
    brief = workshop.sign_url("GET", "folder/x", 1, slash_safe=True)
    while True:
        # In real time, or by the sandbox's clock, which is the same without an aging.
        try:
            assert anyone.get_object_with_url(brief).read() == b"text"
        except oss2.exceptions.AccessDenied as expired:
            assert (expired.status, expired.message) == (403, "Request has expired."), expired
            break


def test_wrong_keys_and_wrong_places(harbour, shop):
    with refused("InvalidAccessKeyId", 403, "The OSS Access Key Id you provided does not exist in our records."):
        oss2.Bucket(oss2.AuthV4("nobody", "nothing"), harbour.url, "workshop", region=REGION).get_object("x")
    with refused("SignatureDoesNotMatch", 403) as refusal:
        oss2.Bucket(oss2.AuthV4(WARDEN.id, "nothing"), harbour.url, "workshop", region=REGION).get_object("x")
    assert refusal.value.details["StringToSign"].startswith("OSS4-HMAC-SHA256\n")
    with refused("NoSuchBucket", 404):
        bucket(harbour, "nowhere").get_object("x")
    # The bucket is checked before the access key.
    with refused("NoSuchBucket", 404):
        oss2.Bucket(oss2.AuthV4("nobody", "nothing"), harbour.url, "nowhere", region=REGION).get_object("x")
    with refused("InvalidArgument", 400, "Invalid signing region in Authorization header.") as refusal:
        oss2.Bucket(oss2.AuthV4(WARDEN.id, WARDEN.secret), harbour.url, "workshop", region="cn-shanghai").head_object("x")
    assert refusal.value.ec == "0002-00000226"
    with pytest.raises(oss2.exceptions.NotFound) as missing:
        shop.head_object("missing")
    assert (missing.value.code, missing.value.ec) == ("NoSuchKey", "0026-00000001")


def test_text_is_compressed_for_those_who_take_it(shop):
    text = b"The same line again.\n" * 500
    shop.put_object("log.txt", text, headers={"Content-Type": "text/plain"})
    got = shop.get_object("log.txt", headers={"Accept-Encoding": "gzip"})
    assert got.headers["Content-Encoding"] == "gzip" and "Content-Length" not in got.headers
    assert got.read() == text
    # Too short, and of another type.
    shop.put_object("short.txt", b"short", headers={"Content-Type": "text/plain"})
    shop.put_object("image.jpg", text, headers={"Content-Type": "image/jpeg"})
    for key in ("short.txt", "image.jpg"):
        assert "Content-Encoding" not in shop.get_object(key, headers={"Accept-Encoding": "gzip"}).headers


def test_what_is_not_there_says_so(shop):
    shop.put_object("table.csv", b"a,b\n1,2\n")
    with refused("NotImplemented", 501):
        shop.process_object("table.csv", "image/resize,w_100|sys/saveas,o_dGFibGUucG5n")
    with refused("NotImplemented", 501):
        shop.get_object("table.csv", process="image/resize,w_100")
