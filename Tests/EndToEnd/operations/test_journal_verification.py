"""`POST /_virga/journal/verify`: assertions about what was called."""

import pytest
import requests
from botocore.exceptions import ClientError

from clients import assume, client, keys_of
from cloud import BUCKET

ROLE = "arn:aws:iam::000000000000:role/personal-files-company"
FOLDER = "employee-0001-alice"


def verify(cloud, **body):
    response = requests.post(f"{cloud.url}/_virga/journal/verify", json=body)
    return response.status_code, response.json()


@pytest.fixture
def alice(cloud):
    """An S3 client of alice's session, which has stored a file and was denied another."""
    s3 = client(cloud, "s3", **keys_of(assume(cloud, "company", cloud.token("company", "alice"))))
    s3.put_object(Bucket=BUCKET, Key=f"{FOLDER}/notes.txt", Body=b"x")
    with pytest.raises(ClientError):
        s3.get_object(Bucket=BUCKET, Key="employee-0002-bob/notes.txt")
    return s3


def test_what_was_called_is_expected(cloud, alice):
    status, answer = verify(
        cloud,
        expect=[
            {"caller": ROLE, "action": "s3:PutObject", "resource": f"arn:aws:s3:::{BUCKET}/{FOLDER}/*", "status": 200, "times": 1},
            {"action": "sts:AssumeRoleWithWebIdentity", "resource": ROLE, "status": 200, "times": {"min": 1, "max": 1}},
            {"caller": ROLE, "action": "s3:GetObject", "status": "4*"}],
        never=[{"action": "s3:DeleteObject"}, {"caller": "anonymous", "action": "s3:*"}])
    assert status == 200, answer
    assert answer["complete"] is True
    assert [outcome["count"] for outcome in answer["expect"]] == [1, 1, 1]
    call = answer["expect"][0]["entries"][0]
    assert call["caller"].startswith("arn:aws:sts::000000000000:assumed-role/personal-files-company/")
    assert (call["action"], call["resource"]) == ("s3:PutObject", f"arn:aws:s3:::{BUCKET}/{FOLDER}/notes.txt")


def test_a_failure_shows_the_closest_calls(cloud, alice):
    status, answer = verify(
        cloud, expect=[{"caller": ROLE, "action": "s3:PutObject", "resource": "*/report.txt"}], never=[{"caller": ROLE, "status": 403}])
    assert status == 409
    assert answer["error"] == "expectation_failed"
    miss = answer["expect"][0]["near_misses"][0]
    assert miss["action"] == "s3:PutObject"
    assert miss["differs"] == [
        {"member": "resource", "expected": "*/report.txt", "found": f"arn:aws:s3:::{BUCKET}/{FOLDER}/notes.txt"}]
    assert [entry["status"] for entry in answer["never"][0]["entries"]] == [403]


def test_only_calls_after_a_number_count(cloud, alice):
    _, before = verify(cloud, never=[{"action": "s3:DeleteObject"}])
    assert verify(cloud, never=[{"action": "s3:PutObject"}], since=before["last"])[0] == 200
    alice.put_object(Bucket=BUCKET, Key=f"{FOLDER}/more.txt", Body=b"x")
    assert verify(cloud, never=[{"action": "s3:PutObject"}], since=before["last"])[0] == 409


def test_an_assertion_about_dropped_calls_is_incomplete(cloud, alice):
    """A reset empties the journal."""
    _, before = verify(cloud, never=[{"action": "s3:DeleteObject"}], since=0)
    cloud.reset()
    assert verify(cloud, never=[{"action": "s3:PutObject"}], since=before["last"] - 1) == (
        200, {"complete": False, "last": before["last"] + 2, "expect": [],
              "never": [{"expected": "s3:PutObject, never", "met": True, "count": 0, "entries": []}]})
