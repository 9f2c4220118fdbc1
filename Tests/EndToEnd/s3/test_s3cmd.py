"""s3cmd, the oldest of the command-line clients."""

import pytest
import requests


@pytest.fixture
def s3cmd(tool, endpoint, tmp_path):
    """Runs s3cmd; files from 5 MiB on are uploaded in parts."""
    # Without `acl_public` s3cmd copies the ACL of its source, which new buckets of S3 refuse.
    settings = {
        "access_key": "test", "secret_key": "test", "host_base": endpoint.host, "host_bucket": endpoint.host,
        "use_https": endpoint.scheme == "https", "ca_certs_file": endpoint.authority or "", "multipart_chunk_size_mb": 5,
        "progress_meter": False, "max_retries": 0, "acl_public": False}
    file = tmp_path / "s3cfg"
    file.write_text("[default]\n" + "".join(f"{name} = {value}\n" for name, value in settings.items()))
    return lambda *arguments, **options: tool("s3cmd", "--config", file, *arguments, **options)


def test_a_folder_is_synchronised_there_and_back(s3cmd, tree, tmp_path):
    s3cmd("mb", "s3://workshop")
    s3cmd("sync", f"{tree}/", "s3://workshop/backup/")
    assert "upload:" not in s3cmd("sync", f"{tree}/", "s3://workshop/backup/")
    restored = tmp_path / "restored"
    restored.mkdir()
    s3cmd("sync", "s3://workshop/backup/", f"{restored}/")
    files = [file.relative_to(tree) for file in tree.rglob("*") if file.is_file()]
    assert {file.relative_to(restored) for file in restored.rglob("*") if file.is_file()} == set(files)
    for name in files:
        assert (restored / name).read_bytes() == (tree / name).read_bytes(), name
    (tree / "notes.txt").unlink()
    assert "delete: 's3://workshop/backup/notes.txt'" in s3cmd("sync", "--delete-removed", f"{tree}/", "s3://workshop/backup/")
    s3cmd("rb", "--recursive", "--force", "s3://workshop")
    assert "workshop" not in s3cmd("ls")


def test_files_are_described_copied_moved_and_removed(s3cmd, tree, tmp_path):
    s3cmd("mb", "s3://workshop")
    s3cmd("put", "--mime-type=video/mp4", "--add-header=x-amz-meta-length:short", tree / "film.bin", "s3://workshop/film.bin")
    information = s3cmd("info", "s3://workshop/film.bin")
    assert "MIME type: video/mp4" in information and "x-amz-meta-length: short" in information
    assert "20971520" in s3cmd("du", "s3://workshop")
    s3cmd("cp", "s3://workshop/film.bin", "s3://workshop/copies/film.bin")
    s3cmd("mv", "s3://workshop/copies/film.bin", "s3://workshop/film 2.bin")
    s3cmd("modify", "--add-header=Cache-Control:no-cache", "s3://workshop/film 2.bin")
    s3cmd("get", "s3://workshop/film 2.bin", "returned")
    assert (tmp_path / "returned").read_bytes() == (tree / "film.bin").read_bytes()
    (tmp_path / "returned").write_bytes((tree / "film.bin").read_bytes()[:1000])
    s3cmd("get", "--continue", "s3://workshop/film.bin", "returned")
    assert (tmp_path / "returned").read_bytes() == (tree / "film.bin").read_bytes()
    s3cmd("del", "s3://workshop/film.bin", "s3://workshop/film 2.bin")
    assert s3cmd("ls", "--recursive", "s3://workshop") == ""
    # 64: EX_USAGE, "Source object does not exist".
    s3cmd("get", "s3://workshop/film.bin", "again", status=64)
    s3cmd("rb", "s3://workshop")


def test_a_signed_url_may_be_given_away(s3cmd, tree, endpoint):
    s3cmd("mb", "s3://workshop")
    s3cmd("put", tree / "notes.txt", "s3://workshop/notes.txt")
    url = s3cmd("signurl", "s3://workshop/notes.txt", "+600").strip()
    # s3cmd signs URLs for plain HTTP by default; neither version of the signature covers the scheme.
    url = url.replace("http://", f"{endpoint.scheme}://", 1)
    got = requests.get(url, verify=str(endpoint.authority) if endpoint.authority else True)
    assert (got.status_code, got.content) == (200, b"text"), got.text
