"""Encoded authorization messages of denied calls, which callers with permission can decode."""

import json

import pytest

from clients import ROOT, client, refused, signed
from cloud import ACCOUNT
from office import ANN, KEYS

HEADER = "x-virga-authorization-message"


def encoded(office, method="GET", path="/box/ann/secret", keys=KEYS["ann"]):
    response = signed(office, method, path, keys=keys)
    assert response.status_code == 403
    return response.headers[HEADER]


def test_a_refusal_can_be_decoded(office):
    message = encoded(office)
    assert len(message) <= 10_240
    decoded = json.loads(client(office, "sts").decode_authorization_message(EncodedMessage=message)["DecodedMessage"])
    assert (decoded["allowed"], decoded["explicitDeny"], decoded["failures"]) == (False, True, {"items": []})
    denial, = decoded["matchedStatements"]["items"]
    context = decoded["context"]
    assert (denial["statementId"], denial["effect"]) == ("NoSecrets", "DENY")
    assert denial["actions"] == {"items": [{"value": "s3:GetObject"}]}
    assert denial["resources"] == {"items": [{"value": "arn:aws:s3:::box/*/secret"}]}
    assert denial["conditions"] == {"items": [{"key": "aws:PrincipalTag/clearance", "values": {"items": [{"value": "high"}]}}]}
    assert denial["principals"] == {"items": [{"value": context["principal"]["id"]}]} and denial["principalGroups"] == {"items": []}
    assert context["principal"]["id"].startswith("AIDA")
    assert (context["principal"]["name"], context["principal"]["arn"]) == ("ann", ANN)
    assert (context["action"], context["resource"]) == ("s3:GetObject", "arn:aws:s3:::box/ann/secret")
    conditions = {item["key"]: [value["value"] for value in item["values"]["items"]] for item in context["conditions"]["items"]}
    assert conditions["aws:username"] == ["ann"] and conditions["aws:SecureTransport"] == ["false"]
    assert conditions["aws:PrincipalIsAWSService"] == ["false"] and "aws:TokenIssueTime" not in conditions


def test_an_implicit_denial_matches_no_statement(office):
    message = encoded(office, path="/box/eve/a", keys=KEYS["eve"])
    decoded = json.loads(client(office, "sts").decode_authorization_message(EncodedMessage=message)["DecodedMessage"])
    assert (decoded["allowed"], decoded["explicitDeny"], decoded["matchedStatements"]) == (False, False, {"items": []})


def test_only_refusals_have_messages(office):
    client(office, "s3").put_object(Bucket="box", Key="ann/b", Body=b"x")
    assert HEADER not in signed(office, "GET", "/box/ann/b", keys=KEYS["ann"]).headers
    assert HEADER not in signed(office, "GET", "/box/nothing", keys={**ROOT}).headers
    wrong = signed(office, "GET", "/box/ann/b", keys={"aws_access_key_id": "AKIAANN", "aws_secret_access_key": "wrong"})
    assert wrong.status_code == 403 and HEADER not in wrong.headers
    assert HEADER in signed(office, "HEAD", "/box/eve/a", keys=KEYS["eve"]).headers


def test_decoding_needs_permission(office):
    eve = client(office, "sts", **KEYS["eve"])
    with refused("AccessDenied", 403) as refusal:
        eve.decode_authorization_message(EncodedMessage=encoded(office))
    action = "sts:DecodeAuthorizationMessage"
    assert refusal.message == (
        f"User: arn:aws:iam::{ACCOUNT}:user/eve is not authorized to perform: {action} because no identity-based policy allows the {action} action")


@pytest.mark.parametrize("damage", [lambda text: "nonsense", lambda text: text[:-8] + "AAAAAAAA", lambda text: text[8:]])
def test_what_is_no_message_is_refused(office, damage):
    with refused("InvalidAuthorizationMessageException", 400):
        client(office, "sts").decode_authorization_message(EncodedMessage=damage(encoded(office)))


def test_a_message_ends_with_its_sandbox(office):
    message = encoded(office)
    office.reset()
    with refused("InvalidAuthorizationMessageException", 400):
        client(office, "sts").decode_authorization_message(EncodedMessage=message)


def test_a_message_has_a_length(office):
    with refused("ValidationError", 400, "length less than or equal to 10240"):
        client(office, "sts").decode_authorization_message(EncodedMessage="A" * 10_241)
