"""rclone, which mirrors a folder."""

import hashlib

import pytest
import requests


@pytest.fixture
def rclone(tool, endpoint):
    """Runs rclone with a remote `virga:`; files from 5 MiB on are uploaded and copied in parts."""
    variables = {"TYPE": "s3", "PROVIDER": "Other", "ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test", "REGION": "us-east-1",
                 "ENDPOINT": endpoint.url, "UPLOAD_CUTOFF": "5Mi", "CHUNK_SIZE": "5Mi", "COPY_CUTOFF": "6Mi"}
    environment = {f"RCLONE_CONFIG_VIRGA_{name}": value for name, value in variables.items()}
    environment |= {"RCLONE_CONFIG": "", "RCLONE_RETRIES": "1", "RCLONE_LOW_LEVEL_RETRIES": "1"}
    if endpoint.authority:
        environment["RCLONE_CA_CERT"] = str(endpoint.authority)
    return lambda *arguments, **options: tool("rclone", *arguments, **environment, **options)


def test_a_folder_is_mirrored_there_and_back(rclone, tree, tmp_path):
    rclone("mkdir", "virga:workshop")
    rclone("sync", tree, "virga:workshop/backup")
    rclone("check", "--download", tree, "virga:workshop/backup")
    listed = rclone("lsf", "--recursive", "--files-only", "virga:workshop/backup").splitlines()
    assert sorted(listed) == sorted(str(file.relative_to(tree)) for file in tree.rglob("*") if file.is_file())
    rclone("sync", "virga:workshop/backup", tmp_path / "restored")
    rclone("check", tree, tmp_path / "restored")

    (tree / "notes.txt").unlink()
    (tree / "new.txt").write_text("new")
    rclone("sync", tree, "virga:workshop/backup")
    rclone("check", tree, "virga:workshop/backup")
    # Modification times are stored as metadata, so no file is uploaded again.
    assert rclone("sync", "--dry-run", "--stats=0", "--use-json-log", tree, "virga:workshop/backup") == ""
    rclone("purge", "virga:workshop")
    assert "workshop" not in rclone("lsd", "virga:")


def test_files_are_renamed_read_in_part_and_removed(rclone, tree, endpoint):
    rclone("mkdir", "virga:workshop")
    rclone("copyto", tree / "film.bin", "virga:workshop/film.bin")
    rclone("moveto", "virga:workshop/film.bin", "virga:workshop/archive/film ü.bin")
    assert rclone("lsf", "--recursive", "--files-only", "virga:workshop") == "archive/film ü.bin\n"
    body = (tree / "film.bin").read_bytes()
    assert hashlib.md5(body).hexdigest() in rclone("md5sum", "--download", "virga:workshop/archive")
    rclone("copyto", tree / "notes.txt", "virga:workshop/notes.txt")
    assert rclone("cat", "--offset=1", "--count=2", "virga:workshop/notes.txt") == "ex"

    link = rclone("link", "--expire=1h", "virga:workshop/notes.txt").strip()
    got = requests.get(link, verify=str(endpoint.authority) if endpoint.authority else True)
    assert (got.status_code, got.content) == (200, b"text")

    rclone("touch", "--timestamp=2020-01-02T03:04:05", "virga:workshop/notes.txt")
    assert "2020-01-02 03:04:05" in rclone("lsl", "virga:workshop/notes.txt")
    rclone("deletefile", "virga:workshop/notes.txt")
    rclone("deletefile", "virga:workshop/notes.txt", status=1)
    rclone("delete", "virga:workshop")
    rclone("rmdir", "virga:workshop")
    rclone("lsf", "virga:workshop", status=3)


def test_a_stream_of_unknown_length_is_sent_in_parts(rclone, endpoint, tree):
    rclone("mkdir", "virga:workshop")
    rclone("copy", "--streaming-upload-cutoff=100k", "--ignore-checksum", tree / "film.bin", "virga:workshop")
    rclone("copyto", "virga:workshop/film.bin", "virga:workshop/copy.bin")
    rclone("check", "--download", "--one-way", "--include=film.bin", tree, "virga:workshop")
