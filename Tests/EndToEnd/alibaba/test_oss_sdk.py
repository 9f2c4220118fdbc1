"""Version 2 of the SDK for Python: resumable transfers, files in a bucket, presigned requests, and properties of buckets."""

import datetime
import io
import os

import alibabacloud_oss_v2 as oss
import pytest
import requests

from harbour import CHARTS, LIGHTHOUSE, PHOTOS, REGION, UID, client, denied

KIB = 1 << 10
MINUTES = datetime.timedelta(minutes=10)


@pytest.fixture
def shop(harbour):
    """A client, with an empty bucket `workshop`."""
    made = client(harbour)
    made.put_bucket(oss.PutBucketRequest("workshop"))
    return made


def body_of(made, key, **options):
    return made.get_object(oss.GetObjectRequest("workshop", key, **options)).body.content


def test_both_signatures_put_and_get(harbour):
    for signature in ("v4", "v1"):
        made = client(harbour, signature=signature)
        made.put_bucket(oss.PutBucketRequest("workshop"))
        sent = made.put_object(oss.PutObjectRequest(
            "workshop", "two words/ü.txt", body=b"text", content_type="text/x-odd", metadata={"author": "alice"}, tagging="a=1&b=2"))
        assert sent.status == "OK" and len(sent.request_id) == 24
        got = made.get_object(oss.GetObjectRequest("workshop", "two words/ü.txt"))
        assert (got.body.content, got.content_type, got.metadata["author"], got.tagging_count) == (b"text", "text/x-odd", "alice", 2)
        assert got.hash_crc64 == sent.hash_crc64


def test_an_upload_resumes_from_its_checkpoint(shop, tmp_path, monkeypatch):
    body = os.urandom(10 * 100 * KIB + 7)
    source = tmp_path / "source"
    source.write_bytes(body)
    request = oss.PutObjectRequest("workshop", "film.bin")
    options = {"part_size": 100 * KIB, "parallel_num": 2, "enable_checkpoint": True, "checkpoint_dir": str(tmp_path), "leave_parts_on_error": True}
    upload, sent = shop.upload_part, []

    def fragile(part, **more):
        if len(sent) == 4:
            raise ConnectionError("the network is gone")
        sent.append(part.part_number)
        return upload(part, **more)

    with monkeypatch.context() as patch:
        patch.setattr(shop, "upload_part", fragile)
        with pytest.raises(Exception, match="the network is gone"):
            shop.uploader().upload_file(request, str(source), **options)
    assert not shop.is_object_exist("workshop", "film.bin")
    listed = shop.list_multipart_uploads(oss.ListMultipartUploadsRequest("workshop")).uploads
    assert [found.key for found in listed] == ["film.bin"]
    result = shop.uploader().upload_file(request, str(source), **options)
    assert result.upload_id == listed[0].upload_id
    assert body_of(shop, "film.bin") == body


def test_a_download_checks_what_it_got(shop, tmp_path):
    body = os.urandom(7 * 100 * KIB + 3)
    shop.put_object(oss.PutObjectRequest("workshop", "film.bin", body=body))
    target = tmp_path / "target"
    result = shop.downloader().download_file(
        oss.GetObjectRequest("workshop", "film.bin"), str(target), part_size=100 * KIB, parallel_num=3, enable_checkpoint=True,
        checkpoint_dir=str(tmp_path))
    assert result.written == len(body) and target.read_bytes() == body


def test_a_stream_of_unknown_length_is_uploaded_in_parts(shop):
    body = os.urandom(350 * KIB)

    class Stream(io.RawIOBase):
        """A stream that can be read once, and has no length."""

        def __init__(self):
            self.rest = io.BytesIO(body)

        def readable(self):
            return True

        def read(self, size=-1):
            return self.rest.read(size)

    result = shop.uploader().upload_from(oss.PutObjectRequest("workshop", "stream"), Stream(), part_size=100 * KIB)
    assert result.upload_id and body_of(shop, "stream") == body


def test_large_objects_are_copied_in_parts(shop):
    body = os.urandom(450 * KIB)
    shop.put_object(oss.PutObjectRequest("workshop", "source", body=body, metadata={"author": "alice"}, tagging="a=1"))
    result = shop.copier().copy(
        oss.CopyObjectRequest("workshop", "copy", source_key="source"), part_size=100 * KIB, multipart_copy_threshold=100 * KIB,
        disable_shallow_copy=True)
    assert result.upload_id
    head = shop.head_object(oss.HeadObjectRequest("workshop", "copy"))
    assert (head.object_type, head.metadata["author"], head.tagging_count) == ("Multipart", "alice", 1)
    assert body_of(shop, "copy") == body
    assert head.hash_crc64 == shop.head_object(oss.HeadObjectRequest("workshop", "source")).hash_crc64


def test_files_are_appended_to_and_read_as_if_they_were_here(shop):
    with shop.append_file("workshop", "log.txt") as file:
        for line in (b"one\n", b"two\n"):
            file.write(line)
    with shop.append_file("workshop", "log.txt") as file:
        assert file.tell() == 8
        file.write(b"three\n")
    with shop.open_file("workshop", "log.txt") as file:
        assert file.read(4) == b"one\n"
        file.seek(-6, os.SEEK_END)
        assert file.read() == b"three\n"
    # Another client has appended meanwhile.
    with denied("PositionNotEqualToLength", 409):
        shop.append_object(oss.AppendObjectRequest("workshop", "log.txt", position=8, body=b"late"))
    sealed = shop.seal_append_object(oss.SealAppendObjectRequest("workshop", "log.txt", position=14))
    assert sealed.sealed_time
    with denied("AppendSealedObjectNotAllowed", 400):
        shop.append_object(oss.AppendObjectRequest("workshop", "log.txt", position=14, body=b"never"))


def test_presigned_requests_of_both_signatures(harbour, shop):
    for signature in ("v4", "v1"):
        signer = client(harbour, signature=signature)
        put = signer.presign(oss.PutObjectRequest("workshop", "x y/z", content_type="text/x-odd", metadata={"author": "alice"}), expires=MINUTES)
        answer = requests.put(put.url, data=b"text", headers=put.signed_headers)
        assert answer.status_code == 200, answer.text
        get = signer.presign(oss.GetObjectRequest("workshop", "x y/z", response_content_type="text/other"), expires=MINUTES)
        answer = requests.get(get.url, headers=get.signed_headers)
        assert (answer.content, answer.headers["Content-Type"], answer.headers["x-oss-meta-author"]) == (b"text", "text/other", "alice")
        assert requests.get(get.url.replace("x%20y", "x%20Y")).status_code == 403
        head = signer.presign(oss.HeadObjectRequest("workshop", "x y/z"), expires=MINUTES)
        assert requests.head(head.url, headers=head.signed_headers).headers["Content-Length"] == "4"


def test_what_was_presigned_ends_when_it_says(harbour, shop):
    """A URL of Version 4 contains its start, so aging the cloud affects it; a URL of Version 1 contains its end."""
    get = shop.presign(oss.GetObjectRequest("workshop", "x"), expires=MINUTES)
    assert requests.get(get.url).status_code == 404
    harbour.age("PT10M1S")
    answer = requests.get(get.url)
    assert answer.status_code == 403 and "Request has expired." in answer.text and "<EC>0002-00000069</EC>" in answer.text


def test_several_objects_are_deleted_at_once(shop):
    keys = [f"key-{number}-\x01&<ü" for number in range(30)]
    for key in keys:
        shop.put_object(oss.PutObjectRequest("workshop", key, body=b""))
    done = shop.delete_multiple_objects(oss.DeleteMultipleObjectsRequest(
        "workshop", objects=[oss.DeleteObject(key) for key in [*keys, "missing"]], encoding_type="url"))
    assert sorted(found.key for found in done.deleted_objects) == sorted([*keys, "missing"])
    quiet = shop.delete_multiple_objects(oss.DeleteMultipleObjectsRequest(
        "workshop", objects=[oss.DeleteObject("missing")], quiet=True))
    assert not quiet.deleted_objects


def test_everything_is_said_of_a_bucket(harbour, shop):
    info = shop.get_bucket_info(oss.GetBucketInfoRequest("workshop")).bucket_info
    assert (info.name, info.location, info.acl, info.owner.id) == ("workshop", f"oss-{REGION}", "private", UID)
    # Clients create further clients from it.
    assert info.extranet_endpoint == harbour.url
    shop.put_object(oss.PutObjectRequest("workshop", "x", body=b"12345"))
    shop.initiate_multipart_upload(oss.InitiateMultipartUploadRequest("workshop", "y"))
    stat = shop.get_bucket_stat(oss.GetBucketStatRequest("workshop"))
    assert (stat.storage, stat.object_count, stat.multi_part_upload_count) == (5, 1, 1)
    assert shop.get_bucket_location(oss.GetBucketLocationRequest("workshop")).location == f"oss-{REGION}"
    names = [found.name for page in shop.list_buckets_paginator(limit=2).iter_page(oss.ListBucketsRequest()) for found in page.buckets]
    assert names == sorted(names) and {"workshop", PHOTOS, CHARTS} <= set(names)


def test_a_bucket_belongs_to_one_account(harbour, shop):
    other = client(harbour, LIGHTHOUSE)
    with denied("BucketAlreadyExists", 409):
        other.put_bucket(oss.PutBucketRequest("workshop"))
    # The owner can create it again.
    shop.put_bucket(oss.PutBucketRequest("workshop"))
    for attempt in (
            lambda: other.get_bucket_info(oss.GetBucketInfoRequest("workshop")),
            lambda: other.put_object(oss.PutObjectRequest("workshop", "x", body=b"")),
            lambda: other.delete_bucket(oss.DeleteBucketRequest("workshop"))):
        with denied("AccessDenied", 403):
            attempt()
    shop.put_object(oss.PutObjectRequest("workshop", "x", body=b""))
    with denied("BucketNotEmpty", 409):
        shop.delete_bucket(oss.DeleteBucketRequest("workshop"))


def test_a_bucket_policy_opens_a_bucket_to_another_account(harbour, shop):
    import json
    other = client(harbour, LIGHTHOUSE)
    shop.put_object(oss.PutObjectRequest("workshop", "shared/x", body=b"text"))
    shop.put_object(oss.PutObjectRequest("workshop", "x", body=b"text"))
    policy = {"Version": "1", "Statement": [{
        "Effect": "Allow", "Principal": ["1555666677778888"], "Action": ["oss:GetObject"],
        "Resource": [f"acs:oss:*:{UID}:workshop/shared/*"]}]}
    shop.put_bucket_policy(oss.PutBucketPolicyRequest("workshop", body=json.dumps(policy)))
    assert other.get_object(oss.GetObjectRequest("workshop", "shared/x")).body.content == b"text"
    with denied("AccessDenied", 403):
        other.get_object(oss.GetObjectRequest("workshop", "x"))
    # A deny overrides every allow.
    policy["Statement"][0] |= {"Effect": "Deny", "Principal": ["*"]}
    shop.put_bucket_policy(oss.PutBucketPolicyRequest("workshop", body=json.dumps(policy)))
    with denied("AccessDenied", 403):
        shop.get_object(oss.GetObjectRequest("workshop", "shared/x"))
    shop.delete_bucket_policy(oss.DeleteBucketPolicyRequest("workshop"))
    assert body_of(shop, "shared/x") == b"text"


def test_a_client_that_verifies_finds_damage(harbour, shop):
    """The client makes the check; it needs the checksum of the server."""
    shop.put_object(oss.PutObjectRequest("workshop", "x", body=b"text"))
    answer = requests.get(shop.presign(oss.GetObjectRequest("workshop", "x"), expires=MINUTES).url)
    from alibabacloud_oss_v2 import crc
    check = crc.Crc64(0)
    check.update(answer.content)
    assert int(answer.headers["x-oss-hash-crc64ecma"]) == check.sum64()


def test_lists_of_versions_and_what_deletes_them(shop):
    shop.put_bucket_versioning(oss.PutBucketVersioningRequest("workshop", oss.VersioningConfiguration("Enabled")))
    versions = [shop.put_object(oss.PutObjectRequest("workshop", "x", body=body)).version_id for body in (b"1", b"2", b"3")]
    marker = shop.delete_object(oss.DeleteObjectRequest("workshop", "x"))
    assert marker.delete_marker is True and marker.version_id
    pages = list(shop.list_object_versions_paginator(limit=2).iter_page(oss.ListObjectVersionsRequest("workshop")))
    assert [found.version_id for page in pages for found in page.version or []] == versions[::-1]
    assert [found.version_id for page in pages for found in page.delete_marker or []] == [marker.version_id] and len(pages) == 2
    assert body_of(shop, "x", version_id=versions[0]) == b"1"
    shop.copy_object(oss.CopyObjectRequest("workshop", "x", source_key="x", source_version_id=versions[1]))
    assert body_of(shop, "x") == b"2"
    shop.put_bucket_versioning(oss.PutBucketVersioningRequest("workshop", oss.VersioningConfiguration("Suspended")))
    shop.put_object(oss.PutObjectRequest("workshop", "x", body=b"4"))
    assert body_of(shop, "x", version_id="null") == b"4" and body_of(shop, "x", version_id=versions[2]) == b"3"
    shop.delete_object(oss.DeleteObjectRequest("workshop", "x", version_id=versions[0]))
    with denied("NoSuchVersion", 404):
        body_of(shop, "x", version_id=versions[0])
    with denied("InvalidArgument", 400):
        body_of(shop, "x", version_id="nonsense")


def test_retention_holds_for_who_would_delete(harbour, shop):
    shop.put_bucket_versioning(oss.PutBucketVersioningRequest("workshop", oss.VersioningConfiguration("Enabled")))
    shop.put_bucket_object_worm_configuration(oss.PutBucketObjectWormConfigurationRequest(
        "workshop", oss.ObjectWormConfiguration(object_worm_enabled="Enabled")))
    version = shop.put_object(oss.PutObjectRequest("workshop", "x", body=b"text")).version_id
    until = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    shop.put_object_retention(oss.PutObjectRetentionRequest(
        "workshop", "x", retention=oss.Retention(mode="COMPLIANCE", retain_until_date=until)))
    assert shop.get_object_retention(oss.GetObjectRetentionRequest("workshop", "x")).retention.retain_until_date == until
    with pytest.raises(oss.exceptions.OperationError) as raised:
        shop.delete_object(oss.DeleteObjectRequest("workshop", "x", version_id=version))
    assert raised.value.unwrap().status_code == 409, raised.value
    assert body_of(shop, "x", version_id=version) == b"text"


def test_anonymous_clients_read_what_is_public(harbour):
    anyone = client(harbour, provider=oss.credentials.AnonymousCredentialsProvider())
    got = anyone.get_object(oss.GetObjectRequest(CHARTS, "basin.txt"))
    assert (got.body.content, got.metadata["edition"]) == (b"Four metres at low tide.\n", "7")
    with denied("AccessDenied", 403):
        anyone.get_object(oss.GetObjectRequest(PHOTOS, "alice/hello.txt"))
    with denied("AccessDenied", 403):
        anyone.put_object(oss.PutObjectRequest(CHARTS, "x", body=b""))


def test_a_client_without_a_region_of_the_bucket_is_told(harbour, shop):
    elsewhere = client(harbour, region="cn-shanghai")
    with denied("InvalidArgument", 400):
        elsewhere.get_object(oss.GetObjectRequest("workshop", "x"))
