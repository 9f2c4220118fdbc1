"""`virga explain` for decisions of RAM and OSS, by the control API and by the command line."""

import json

import pytest
import requests

from cloud import run

PHOTO = "acs:oss:*:*:harbour-photos/alice/hello.txt"
ROLE = "acs:ram::1987654321098765:role/app-user"


@pytest.mark.parametrize("caller, action, resource, decision", [
    ("LTAI5tHarbourClerk000001", "oss:GetObject", PHOTO, "allowed"), ("LTAI5tHarbourClerk000001", "oss:PutObject", PHOTO, "implicitDeny"),
    ("LTAI5tHarbourRoot0000001", "oss:DeleteBucket", "acs:oss:*:*:harbour-photos", "allowed"),
    ("LTAI5tLighthouse00000001", "oss:GetObject", PHOTO, "implicitDeny"), ("anonymous", "oss:GetObject", PHOTO, "implicitDeny"),
    ("anonymous", "oss:GetObject", "acs:oss:*:*:harbour-charts/basin.txt", "allowed"),
    ("LTAI5tHarbourServer00001", "sts:AssumeRole", ROLE, "allowed"), (ROLE, "oss:DeleteObject", PHOTO, "allowed")])
def test_explain_tells_what_would_be_decided(harbour, caller, action, resource, decision):
    question = {"as": caller, "action": action, "resource": resource}
    answer = requests.post(f"{harbour.url}/_virga/explain", json=question)
    assert (answer.status_code, answer.json()["decision"]) == (200, decision), answer.text


def test_a_resource_of_oss_has_its_own_spelling(harbour):
    question = {"as": "anonymous", "action": "oss:GetObject", "resource": "arn:aws:s3:::harbour-photos/a"}
    answer = requests.post(f"{harbour.url}/_virga/explain", json=question)
    assert (answer.status_code, answer.json()["error"]) == (400, "unknown_resource")


def test_the_command_line_explains(harbour):
    question = ["explain", "--endpoint", harbour.url, "--as", ROLE, "--action", "oss:ListObjects", "--resource", "acs:oss:*:*:harbour-photos"]
    allowed = run(*question, "--json")
    assert (allowed.returncode, json.loads(allowed.stdout)["decision"]) == (0, "allowed")
    denied = run("explain", "--endpoint", harbour.url, "--as", ROLE, "--action", "oss:DeleteBucket", "--resource", "acs:oss:*:*:harbour-photos")
    lines = denied.stdout.splitlines()
    assert denied.returncode == 2 and lines[-3].startswith("denied")
    assert lines[-2].startswith("to allow it, add to ") and json.loads(lines[-1])["Action"] == "oss:DeleteBucket"
