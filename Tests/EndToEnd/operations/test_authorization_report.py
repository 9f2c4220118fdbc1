"""`--authorization report`: calls that policies deny are served and reported. Signatures and tokens are still checked."""

import pytest
import requests

from clients import client, error_of, refused, signed
from cloud import ACCOUNT, run
from office import ANN, KEYS, serving


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("report"), "--authorization", "report") as office:
        client(office, "s3").put_object(Bucket="box", Key="eve/a", Body=b"hello")
        yield office


def entry_of(office, response):
    return office.control("GET", f"journal?request_id={response.headers['x-amz-request-id']}")["entries"][0]


def test_a_denied_request_is_served_and_reported(office):
    response = signed(office, "GET", "/box/eve/a", keys=KEYS["eve"])
    assert (response.status_code, response.text) == (200, "hello")
    assert response.headers["x-virga-would-deny"] == (
        "s3:GetObject on arn:aws:s3:::box/eve/a because no identity-based policy allows the s3:GetObject action")
    entry = entry_of(office, response)
    assert entry["reported"] is True and [item["allowed"] for item in entry["decisions"]] == [False]


def test_a_report_is_visible_in_the_banner_and_the_log(tmp_path):
    with serving(tmp_path, "--authorization", "report") as office:
        response = signed(office, "GET", "/box/caf%C3%A9%D8%9C", keys=KEYS["eve"])
        assert response.headers["x-virga-would-deny"].startswith("s3:GetObject on arn:aws:s3:::box/caf%C3%A9%D8%9C because")
        office.stop()
        log = office.logged()
        assert "  policies  reported, not enforced: denied requests are served\n" in log
        assert "    would be denied: NoSuchKey: s3:GetObject on arn:aws:s3:::box/café%D8%9C because" in log


def test_an_anonymous_request_is_served_and_reported(office):
    response = requests.get(f"{office.url}/box/eve/a")
    assert (response.status_code, response.text) == (200, "hello")
    assert "s3:GetObject on arn:aws:s3:::box/eve/a" in response.headers["x-virga-would-deny"]


def test_an_allowed_request_is_not_reported(office):
    response = signed(office, "GET", "/box/eve/a")
    assert response.status_code == 200 and "x-virga-would-deny" not in response.headers
    assert entry_of(office, response)["reported"] is False


def test_a_role_whose_trust_policy_says_no_is_taken(office):
    answer = client(office, "sts", **KEYS["eve"]).assume_role(RoleArn=f"arn:aws:iam::{ACCOUNT}:role/reader", RoleSessionName="eve")
    assert answer["Credentials"]["SessionToken"]


def test_iam_serves_what_policies_deny(office):
    assert client(office, "iam", **KEYS["eve"]).get_user(UserName="ann")["User"]["Arn"] == ANN


def test_signatures_are_checked_all_the_same(office):
    keys = {**KEYS["eve"], "aws_secret_access_key": "wrong"}
    response = signed(office, "GET", "/box/eve/a", keys=keys)
    assert (response.status_code, error_of(response)["Code"]) == (403, "SignatureDoesNotMatch")


def test_tokens_are_checked_all_the_same(office):
    with refused("InvalidIdentityToken", 400):
        client(office, "sts").assume_role_with_web_identity(
            RoleArn=f"arn:aws:iam::{ACCOUNT}:role/reader", RoleSessionName="eve", WebIdentityToken="a.b.c")


def test_a_question_is_answered_with_what_policies_decide(office):
    question = {"as": f"arn:aws:iam::{ACCOUNT}:user/eve", "action": "s3:GetObject", "resource": "arn:aws:s3:::box/eve/a"}
    assert office.control("POST", "explain", question)["decision"] == "implicitDeny"


def test_another_mode_is_an_error():
    answer = run("serve", "--port", "0", "--authorization", "off")
    assert answer.returncode == 64
    assert "--authorization must be enforce or report, not off." in answer.stderr
