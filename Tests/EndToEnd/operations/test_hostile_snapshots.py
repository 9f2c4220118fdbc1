"""Files that are not exported snapshots, but nearly: an import refuses each, and the process serves as before."""

import base64
import json
import sqlite3
import time

import pytest
import requests

from clients import client, refused
from cloud import BUCKET
from sandboxes import Sandbox, serving

LARGEST, SMALLEST = 2**63 - 1, -(2**63)
# A row with the columns of the records, over and over.
ENDLESS = """
    ALTER TABLE records RENAME TO rest;
    CREATE VIEW records AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT rest.* FROM rest, n"""

SCHEMAS = {
    "an endless view": ENDLESS,
    "a further view": "CREATE VIEW more AS SELECT 1",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON objects BEGIN DELETE FROM objects; END",
    "a further table": "CREATE TABLE more (x)",
    "a further column": "ALTER TABLE contents ADD COLUMN more INTEGER",
    "a further index": "CREATE INDEX more ON objects(size)",
    "an index less": "DROP INDEX grants_by_expiry",
    "a table less": "DROP TABLE mobile_rows",
    "a virtual table": "CREATE VIRTUAL TABLE more USING fts5(x)",
    "an index with another condition": "DROP INDEX contents_unused; CREATE INDEX contents_unused ON contents(id) WHERE uses = 1",
    "statistics": "ANALYZE",
    "no table at all": """
        PRAGMA writable_schema = ON; DELETE FROM sqlite_schema; PRAGMA writable_schema = RESET;
        PRAGMA user_version = 0; PRAGMA application_id = 0; VACUUM""",
}



def setting(name, value):
    return f"INSERT OR REPLACE INTO settings VALUES ('{name}', CAST('{json.dumps(value)}' AS BLOB))"


def epochs(*names):
    return setting("epochs", [{"id": name, "secret": base64.b64encode(bytes(32)).decode()} for name in names])


def known_keys(value):
    return setting("known-keys", value)


ROWS = {
    "bodies.number": f"UPDATE bodies SET number = {LARGEST} WHERE number = (SELECT max(number) FROM bodies)",
    "objects.size": "UPDATE objects SET size = -1",
    "objects.size of another body": "UPDATE objects SET size = size + 1",
    "objects.size without pieces": "UPDATE objects SET size = 1 << 47 WHERE is_segmented; UPDATE segments SET size = 1 << 47",
    "objects.body": f"UPDATE objects SET body = {SMALLEST}",
    "objects.modified": f"UPDATE objects SET modified = {LARGEST}",
    "objects.sequence": f"UPDATE objects SET sequence = {LARGEST}",
    "objects.bucket": "PRAGMA foreign_keys = OFF; UPDATE objects SET bucket = 77 WHERE key = CAST('long' AS BLOB)",
    "versions.modified": f"UPDATE versions SET modified = {SMALLEST}",
    "versions.sequence": f"UPDATE OR IGNORE versions SET sequence = {LARGEST}",
    "contents.id": f"UPDATE contents SET id = {LARGEST} WHERE id = (SELECT max(id) FROM contents)",
    "contents.uses": f"UPDATE contents SET uses = {SMALLEST}",
    "pieces.id": f"UPDATE pieces SET id = {LARGEST} WHERE id = (SELECT max(id) FROM pieces)",
    "segments.size": "UPDATE segments SET size = -1",
    "parts.size": f"UPDATE parts SET size = {LARGEST}",
    "parts.number": f"UPDATE OR IGNORE parts SET number = {LARGEST}",
    "uploads.initiated": f"UPDATE uploads SET initiated = {SMALLEST}",
    "buckets.id": f"INSERT INTO buckets(id, name, account, region, created) VALUES ({LARGEST}, 'far', '000000000000', 'us-east-1', 0)",
    "buckets.created": f"UPDATE buckets SET created = {SMALLEST}",
    "sqlite_sequence": f"UPDATE sqlite_sequence SET seq = {LARGEST}",
    "a row number": f"INSERT INTO completions(rowid, upload, bucket, key) VALUES ({SMALLEST}, 'x', 1, x'')",
    "ages.seconds": f"INSERT INTO ages VALUES (0, {LARGEST})",
    "ages.declared": f"INSERT INTO ages VALUES ({LARGEST}, 1)",
    "grants.expires": f"INSERT INTO grants VALUES (x'01', 'company', 'session', '', 'alice', 0, {LARGEST}, '{{}}', NULL)",
    "grants.document": f"""INSERT INTO grants VALUES (x'01', 'company', 'session', '', 'alice', 0, 0, '{{"auth_time":{LARGEST}}}', NULL)""",
    "revocations.number": f"INSERT INTO revocations VALUES ('[]', {LARGEST})",
    "mobile_events.number": f"INSERT INTO mobile_events VALUES ({LARGEST}, 'x', 0, '{{}}')",
    "mobile_notifications.number": f"INSERT INTO mobile_notifications VALUES ({LARGEST}, 'x', 0, '{{}}')",
    "a lifetime": f"UPDATE records SET document = json_set(document, '$.tokenLifetime', {LARGEST}) WHERE family = 'provider'",
    "a time": f"UPDATE records SET document = json_set(document, '$.created', {LARGEST}) WHERE family = 'user'",
    "a record of other JSON": "UPDATE records SET document = '[]'",
    "a record that is not JSON": "UPDATE records SET document = '{'",
    "the number of the generation": f"UPDATE settings SET value = CAST('{LARGEST}' AS BLOB) WHERE name = 'generation'",
    "the secret of an epoch": """UPDATE settings SET value = CAST('[{"id":"a","secret":"QQ=="}]' AS BLOB) WHERE name = 'epochs'""",
    "a generation without room for resets": f"UPDATE settings SET value = CAST('{1 << 40}' AS BLOB) WHERE name = 'generation'",
    "an epoch with another ID": epochs("a/b"),
    "one epoch twice": epochs("0000000a", "0000000a"),
    "too many epochs": epochs(*(f"{number:08x}" for number in range(65))),
    "known keys that are no list": known_keys({}),
    "known keys that are no texts": known_keys([1]),
    "a known key of another length": known_keys(["x" * 23]),
    "too many known keys": known_keys([f"{number:022d}" for number in range(4097)]),
    "a signing key": """INSERT OR REPLACE INTO settings VALUES ('signing-keys/company', CAST(
        '[{"algorithm":"RS256","created":0,"pem":"x","generation":1,"stage":"current"}]' AS BLOB))""",
    "signing keys that are not JSON": "INSERT OR REPLACE INTO settings VALUES ('signing-keys/company', CAST('{' AS BLOB))",
    "known keys that are not JSON": "INSERT OR REPLACE INTO settings VALUES ('known-keys', CAST('{' AS BLOB))",
    "a grant that is not JSON": "INSERT INTO grants VALUES (x'01', 'company', 'session', '', 'alice', 0, 0, '{', NULL)",
    "a device without members": "INSERT INTO mobile_devices(backend, client, platform, token, document) VALUES ('b', 'c', 'IOS', 't', '{}')",
    "an event that is not JSON": "INSERT INTO mobile_events VALUES (1, 'x', 0, '{')",
    "a notification that is not JSON": "INSERT INTO mobile_notifications VALUES (1, 'x', 0, '{')",
    "a row of an app that is not JSON": "INSERT INTO mobile_rows(table_name, row_key, document) VALUES ('t', '/k', '{')",
    "a move of the clock": f"INSERT INTO settings VALUES ('clock-moves', CAST('[[0,{LARGEST - 1}]]' AS BLOB))",
}


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory):
    with serving(tmp_path_factory) as cloud:
        yield cloud


@pytest.fixture(scope="module")
def exported(process):
    """The file of a snapshot with objects of every kind."""
    with Sandbox.create(process) as sandbox:
        s3 = client(sandbox, "s3")
        s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        for size in (0, 5, 300_000):
            s3.put_object(Bucket=BUCKET, Key="key", Body=bytes(size))
        s3.delete_object(Bucket=BUCKET, Key="key")
        s3.put_object(Bucket=BUCKET, Key="long", Body=bytes(600_000))
        s3.copy_object(Bucket=BUCKET, Key="copy", CopySource=f"{BUCKET}/long")
        for key in ("whole", "unfinished"):
            upload = {"Bucket": BUCKET, "Key": key, "UploadId": s3.create_multipart_upload(Bucket=BUCKET, Key=key)["UploadId"]}
            tags = [s3.upload_part(**upload, PartNumber=number, Body=bytes(size))["ETag"] for number, size in ((1, 5 << 20), (2, 10))]
            if key == "whole":
                parts = [{"PartNumber": number, "ETag": tag} for number, tag in enumerate(tags, 1)]
                s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
        requests.post(f"{sandbox.url}/_virga/clock", json={"age": "P1D"}).raise_for_status()
        snapshot = sandbox.snapshot()
    content = requests.get(f"{process.url}/_virga/snapshots/{snapshot}/file").content
    process.control("DELETE", f"snapshots/{snapshot}")
    return content


def altered(content, script, path):
    path.write_bytes(content)
    connection = sqlite3.connect(path)
    connection.executescript(script)
    assert connection.total_changes or "CREATE" in script or "DROP" in script or "ALTER" in script or "ANALYZE" in script
    connection.close()
    assert path.read_bytes() != content
    return path.read_bytes()


def imported(process, content, name="hostile"):
    begun = time.monotonic()
    answer = requests.put(f"{process.url}/_virga/snapshots/{name}/file", data=content, timeout=60)
    assert time.monotonic() - begun < 15
    return answer


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_with_another_schema_is_refused(process, exported, tmp_path, name):
    answer = imported(process, altered(exported, SCHEMAS[name], tmp_path / "file"))
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_snapshot"), answer.text
    assert requests.get(f"{process.url}/_virga/health").status_code == 200


@pytest.mark.parametrize("name", ROWS)
def test_a_file_with_impossible_rows_is_refused(process, exported, tmp_path, name):
    answer = imported(process, altered(exported, ROWS[name], tmp_path / "file"))
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_snapshot"), answer.text
    assert requests.get(f"{process.url}/_virga/health").status_code == 200


def test_a_file_whose_pages_are_mixed_up_is_refused(process, exported):
    size = 16_384
    pages = [exported[start:start + size] for start in range(0, len(exported), size)]
    for first, second in ((1, 2), (3, len(pages) - 1)):
        mixed = list(pages)
        mixed[first], mixed[second] = mixed[second], mixed[first]
        answer = imported(process, b"".join(mixed))
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_snapshot"), answer.text
    assert requests.get(f"{process.url}/_virga/health").status_code == 200


def test_the_file_itself_is_accepted_and_complete(process, exported):
    assert imported(process, exported, "true").status_code == 201
    with Sandbox.create(process, **{"from": "true"}) as sandbox:
        s3 = client(sandbox, "s3")
        for key, length in (("long", 600_000), ("copy", 600_000), ("whole", (5 << 20) + 10)):
            assert len(s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()) == length
        with refused("NoSuchKey", 404):
            s3.get_object(Bucket=BUCKET, Key="key")
        assert len(s3.list_object_versions(Bucket=BUCKET, Prefix="key")["Versions"]) == 3
        assert [upload["Key"] for upload in s3.list_multipart_uploads(Bucket=BUCKET)["Uploads"]] == ["unfinished"]
        s3.put_object(Bucket=BUCKET, Key="new", Body=b"new")
        assert requests.get(f"{sandbox.url}/_virga/seed").status_code == 200
    process.control("DELETE", "snapshots/true")
