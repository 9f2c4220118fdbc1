"""oss2, the first SDK for Python: multipart uploads, in parts, by copies, and resumed."""

import os

import oss2
import pytest
from oss2.models import PartInfo

from harbour import refused
from test_oss_objects import KIB, crc64, shop, workshop  # noqa: F401, two fixtures


def test_a_large_object_goes_in_parts(workshop):
    parts = [os.urandom(100 * KIB), os.urandom(100 * KIB), b"rest"]
    upload = workshop.init_multipart_upload("film", headers={"Content-Type": "video/mp4", "x-oss-meta-length": "short"}).upload_id
    sent = []
    for number, part in enumerate(parts, 1):
        result = workshop.upload_part("film", upload, number, part)
        sent.append(PartInfo(number, result.etag, size=len(part), part_crc=result.crc))
    listed = list(oss2.PartIterator(workshop, "film", upload))
    assert [(part.part_number, part.size, part.etag) for part in listed] == [(part.part_number, part.size, part.etag) for part in sent]
    assert [(found.key, found.upload_id) for found in oss2.MultipartUploadIterator(workshop)] == [("film", upload)]
    # The client combines the parts' CRC-64 and compares it with that of the whole.
    done = workshop.complete_multipart_upload("film", upload, sent)
    assert done.crc == crc64(b"".join(parts)) and done.etag.endswith("-3")
    got = workshop.get_object("film")
    assert got.read() == b"".join(parts) and got.object_type == "Multipart"
    assert got.headers["x-oss-meta-length"] == "short" and got.content_type == "video/mp4"
    with refused("NoSuchUpload", 404):
        workshop.list_parts("film", upload)


def test_parts_that_do_not_fit(shop):
    upload = shop.init_multipart_upload("film").upload_id
    first, second = (PartInfo(number, shop.upload_part("film", upload, number, b"small").etag) for number in (1, 2))
    with refused("EntityTooSmall", 400):
        shop.complete_multipart_upload("film", upload, [first, second])
    with refused("InvalidPart", 400):
        shop.complete_multipart_upload("film", upload, [PartInfo(1, "0" * 32)])
    with refused("InvalidArgument", 400):
        shop.upload_part("film", upload, 10_001, b"")
    shop.abort_multipart_upload("film", upload)
    with refused("NoSuchUpload", 404):
        shop.upload_part("film", upload, 1, b"")
    assert not shop.object_exists("film")


def test_parts_are_copied_from_objects(shop):
    body = os.urandom(300 * KIB)
    shop.put_object("source", body)
    upload = shop.init_multipart_upload("copy").upload_id
    parts = []
    for number, (first, last) in enumerate([(0, 200 * KIB - 1), (200 * KIB, 300 * KIB - 1)], 1):
        parts.append(PartInfo(number, shop.upload_part_copy("workshop", "source", (first, last), "copy", upload, number).etag))
    shop.complete_multipart_upload("copy", upload, parts)
    assert shop.get_object("copy").read() == body


def test_an_upload_goes_on_where_it_broke_off(shop, tmp_path, monkeypatch):
    body = os.urandom(5 * 100 * KIB + 1)
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(body)
    store = oss2.ResumableStore(root=str(tmp_path))
    send, sent = oss2.Bucket.upload_part, []

    def fragile(self, key, upload_id, part_number, *arguments, **options):
        if len(sent) == 3:
            raise oss2.exceptions.RequestError(Exception("the network is gone"))
        sent.append(part_number)
        return send(self, key, upload_id, part_number, *arguments, **options)

    options = {"store": store, "multipart_threshold": 0, "part_size": 100 * KIB, "num_threads": 1}
    with monkeypatch.context() as patch:
        patch.setattr(oss2.Bucket, "upload_part", fragile)
        with pytest.raises(oss2.exceptions.RequestError):
            oss2.resumable_upload(shop, "film", str(source), **options)
    assert sent == [1, 2, 3] and not shop.object_exists("film")
    resumed = []
    with monkeypatch.context() as patch:
        patch.setattr(oss2.Bucket, "upload_part", lambda self, key, upload, number, *a, **o: (
            resumed.append(number), send(self, key, upload, number, *a, **o))[1])
        oss2.resumable_upload(shop, "film", str(source), **options)
    assert resumed == [4, 5, 6] and shop.get_object("film").read() == body
    oss2.resumable_download(
        shop, "film", str(target), multiget_threshold=0, part_size=100 * KIB, num_threads=3,
        store=oss2.ResumableDownloadStore(root=str(tmp_path)))
    assert target.read_bytes() == body
