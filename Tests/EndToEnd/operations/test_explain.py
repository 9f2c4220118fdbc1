"""Explanations of decisions, assumed and actual, by the control API and by `virga explain`."""

import json

import pytest
import requests

from clients import client, error_of, refused, signed
from cloud import ACCOUNT, run
from office import ANN, KEYS, ROLE, SEED
from sandboxes import Sandbox

A = "arn:aws:s3:::simulation/a"
ALLOW_GET = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}'


def ask(office, **question):
    return requests.post(f"{office.url}/_virga/explain", json=question)


@pytest.mark.parametrize("caller, action, resource, decision", [
    (ANN, "s3:GetObject", "arn:aws:s3:::box/ann/a", "allowed"), ("AKIAANN", "s3:GetObject", "arn:aws:s3:::box/ann/secret", "explicitDeny"),
    (ANN, "s3:GetObject", "arn:aws:s3:::box/eve/a", "implicitDeny"), (ROLE, "s3:GetObject", "arn:aws:s3:::box/eve/a", "allowed"),
    (f"arn:aws:sts::{ACCOUNT}:assumed-role/reader/s", "s3:PutObject", "arn:aws:s3:::box/eve/a", "implicitDeny"),
    ("test", "s3:DeleteBucket", "arn:aws:s3:::box", "allowed"), ("anonymous", "s3:GetObject", "arn:aws:s3:::box/a", "implicitDeny"),
    (ANN, "sts:AssumeRole", ROLE, "allowed"), (f"arn:aws:iam::{ACCOUNT}:user/eve", "sts:AssumeRole", ROLE, "implicitDeny"),
    (f"arn:aws:iam::{ACCOUNT}:root", "iam:CreateUser", "*", "allowed"), (ANN, "iam:CreateUser", "*", "implicitDeny")])
def test_explain_tells_what_would_be_decided(office, caller, action, resource, decision):
    answer = ask(office, **{"as": caller, "action": action, "resource": resource}).json()
    assert (answer["decision"], answer["action"], answer["resource"]) == (decision, action, resource)
    assert any(line.startswith("allowed" if decision == "allowed" else "denied") for line in answer["explanation"])


def test_a_denial_ends_with_the_smallest_statement_that_allows_the_request(process):
    with Sandbox.seeded(process, SEED) as office:
        question = {"as": f"arn:aws:iam::{ACCOUNT}:user/eve", "action": "s3:GetObject", "resource": "arn:aws:s3:::box/eve/a"}
        answer = ask(office, **question).json()
        statement = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/eve/a"}
        assert answer["remedy"] == [{
            "policy_type": "identity-based policy", "policy": "a new inline policy of user eve", "add": statement}]
        assert answer["explanation"][-2] == "to allow it, add to a new inline policy of user eve:"
        assert json.loads(answer["explanation"][-1]) == statement
        document = json.dumps({"Version": "2012-10-17", "Statement": statement})
        client(office, "iam").put_user_policy(UserName="eve", PolicyName="remedy", PolicyDocument=document)
        assert ask(office, **question).json()["decision"] == "allowed"


def test_a_denial_names_the_statement_to_remove(office):
    answer = ask(office, **{"as": ANN, "action": "s3:GetObject", "resource": "arn:aws:s3:::box/ann/secret"}).json()
    assert answer["remedy"] == [{
        "policy_type": "identity-based policy", "policy": 'inline policy "own" of user ann', "remove": {"statement": 2, "sid": "NoSecrets"}}]


def test_explain_reads_the_tags_of_the_resource(process):
    with Sandbox.seeded(process, SEED) as office:
        iam, eve = client(office, "iam"), f"arn:aws:iam::{ACCOUNT}:user/eve"
        iam.put_user_policy(UserName="eve", PolicyName="red", PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": ["iam:GetRole", "sts:AssumeRole"], "Resource": "*",
             "Condition": {"StringEquals": {"aws:ResourceTag/Team": "red"}}}]}))
        trust = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "sts:AssumeRole"}}
        iam.update_assume_role_policy(RoleName="reader", PolicyDocument=json.dumps(trust))
        for team, decision in [("blue", "implicitDeny"), ("red", "allowed")]:
            iam.tag_role(RoleName="reader", Tags=[{"Key": "team", "Value": team}])
            for action in ["iam:GetRole", "sts:AssumeRole"]:
                assert ask(office, **{"as": eve, "action": action, "resource": ROLE}).json()["decision"] == decision
        assert client(office, "iam", **KEYS["eve"]).get_role(RoleName="reader")["Role"]["Arn"] == ROLE


def test_explain_takes_a_context(office):
    question = {"as": ANN, "action": "s3:GetObject", "resource": "arn:aws:s3:::box/ann/secret"}
    assert ask(office, **question, context={"aws:PrincipalTag/clearance": "high"}).json()["decision"] == "allowed"
    refusal = ask(office, **question, context={"aws:PrincipalTag/clearance": "low"}).json()
    denial = next(item for item in refusal["statements"] if item["sid"] == "NoSecrets")
    assert denial == {
        "policy_type": "identity-based policy", "policy": "own", "statement": 2, "sid": "NoSecrets", "effect": "Deny", "applies": True}
    assert refusal["message"].endswith("with an explicit deny in an identity-based policy")


def test_a_context_has_at_most_a_thousand_keys(office):
    """The work of a decision grows with the keys and with the conditions that name them."""
    question = {"as": ANN, "action": "s3:GetObject", "resource": "arn:aws:s3:::box/ann/a"}
    assert ask(office, **question, context={f"custom:{number}": "x" for number in range(1000)}).json()["decision"] == "allowed"
    refusal = ask(office, **question, context={f"custom:{number}": "x" for number in range(1001)})
    assert (refusal.status_code, refusal.json()["error"]) == (400, "malformed_member")
    assert refusal.json()["message"] == "'context' may have at most 1000 condition keys, not 1001."
    federated = {"as": "accounts.google.com", "action": "sts:AssumeRoleWithWebIdentity", "resource": ROLE}
    assert "at most 1000" in ask(office, **federated, context={f"custom:{number}": "x" for number in range(1001)}).text


def test_explain_tells_what_was_decided(office):
    response = signed(office, "GET", "/box/ann/secret", keys=KEYS["ann"])
    answer = ask(office, request_id=response.headers["x-amz-request-id"]).json()
    assert (answer["face"], answer["operation"], answer["status"], answer["caller"]) == ("s3", "GetObject", 403, ANN)
    assert [decision["decision"] for decision in answer["decisions"]][-1] == "explicitDeny"
    with refused("AccessDenied", 403) as refusal:
        client(office, "iam", **KEYS["eve"]).get_context_keys_for_custom_policy(PolicyInputList=[ALLOW_GET])
    answer = ask(office, request_id=refusal.response["ResponseMetadata"]["RequestId"]).json()
    assert (answer["face"], answer["operation"]) == ("iam", "GetContextKeysForCustomPolicy")


@pytest.mark.parametrize("question, status, error", [
    ({}, 400, "missing_member"), ({"as": ANN, "action": "s3:GetObject", "resource": A, "color": "red"}, 400, "unknown_member"),
    ({"as": "nobody", "action": "s3:GetObject", "resource": A}, 404, "unknown_caller"),
    ({"as": ANN, "action": "s3:Nonsense", "resource": A}, 400, "unknown_action"),
    ({"as": ANN, "action": "ec2:RunInstances", "resource": "*"}, 400, "unknown_action"),
    ({"as": ANN, "action": "s3:GetObject", "resource": A, "context": {"a:b": {}}}, 400, "malformed_member"),
    ({"request_id": "0123456789ABCDEF"}, 404, "unknown_request")])
def test_explain_refuses_what_it_cannot_answer(office, question, status, error):
    response = ask(office, **question)
    assert (response.status_code, response.json()["error"]) == (status, error)


def explain(office, *arguments):
    return run("explain", "--endpoint", office.url, *arguments)


def test_the_command_line_explains(office):
    allowed = explain(office, "--as", ANN, "--action", "s3:GetObject", "--resource", "arn:aws:s3:::box/ann/a")
    assert (allowed.returncode, allowed.stderr) == (0, "")
    assert allowed.stdout.splitlines() == [
        f"{ANN} asks for s3:GetObject on arn:aws:s3:::box/ann/a", 'identity-based policy "own", statement "Own" (Allow): applies',
        'identity-based policy "own", statement "NoSecrets" (Deny): does not apply: Resource: policy has ["arn:aws:s3:::box/*/secret"], '
        'request has "arn:aws:s3:::box/ann/a"', "allowed"]
    question = ["--as", "AKIAANN", "--action", "s3:GetObject", "--resource", "arn:aws:s3:::box/ann/secret"]
    denied = explain(office, *question)
    assert denied.returncode == 2 and denied.stdout.splitlines()[-2:] == [
        "denied with an explicit deny in an identity-based policy",
        'to allow it, remove or narrow statement "NoSecrets" (Deny) of inline policy "own" of user ann']
    lifted = explain(office, *question, "--context", "aws:PrincipalTag/clearance=high", "--json")
    assert (lifted.returncode, json.loads(lifted.stdout)["decision"]) == (0, "allowed")


def test_the_command_line_explains_a_request(office):
    response = signed(office, "GET", "/box/eve/a", keys=KEYS["eve"])
    result = explain(office, error_of(response)["RequestId"])
    assert result.returncode == 2
    assert result.stdout.splitlines()[0] == "s3 GetObject answered 403 AccessDenied"
    assert "denied because no identity-based policy allows the s3:GetObject action" in result.stdout


@pytest.mark.parametrize("arguments", [[], ["--as", ANN], ["ABC", "--as", ANN, "--action", "s3:GetObject"], ["ABC", "--context", "x"]])
def test_the_command_line_wants_one_question(office, arguments):
    assert explain(office, *arguments).returncode == 64


def test_the_command_line_tells_what_is_wrong(office):
    result = explain(office, "0123456789ABCDEF")
    assert result.returncode == 1 and "The journal has no exchange" in result.stderr


def test_a_missing_principal_is_named_with_the_nearest_one(office):
    for name, nearest in [(f"arn:aws:iam::{ACCOUNT}:user/staff/anne", ANN), ("ann", ANN), (f"arn:aws:iam::{ACCOUNT}:role/raeder", ROLE),
                          (f"arn:aws:sts::{ACCOUNT}:assumed-role/readr/s", ROLE)]:
        message = ask(office, **{"as": name, "action": "s3:GetObject", "resource": A}).json()["message"]
        assert message.startswith(f"There is no principal '{name}'. Did you mean '{nearest}'?")


def test_an_action_may_be_in_any_case_and_an_unknown_one_is_named_with_the_nearest(office):
    question = {"as": "test", "resource": "arn:aws:s3:::box/a"}
    answer = ask(office, **question, action="S3:getobject").json()
    assert (answer["decision"], answer["action"]) == ("allowed", "s3:GetObject")
    assert "Did you mean 's3:GetObject'?" in ask(office, **question, action="s3:GetObjekt").json()["message"]


def test_a_resource_that_is_no_arn_is_named_with_the_nearest(office):
    for resource in ["s3://box/a", "box/a"]:
        response = ask(office, **{"as": "test", "action": "s3:GetObject", "resource": resource})
        assert (response.status_code, response.json()["error"]) == (400, "malformed_resource")
        assert "Did you mean 'arn:aws:s3:::box/a'?" in response.json()["message"]


@pytest.mark.parametrize("action", ["sts:AssumeRoleWithWebIdentity", "sts:AssumeRoleWithSAML"])
def test_no_identity_policy_is_proposed_for_a_call_with_a_token(office, action):
    response = ask(office, **{"as": ANN, "action": action, "resource": ROLE})
    assert (response.status_code, response.json()["error"]) == (400, "token_action")
    assert "the role's trust policy alone decides" in response.json()["message"]


def test_a_variable_without_a_value_is_named_and_no_statement_is_proposed(process):
    with Sandbox.seeded(process, SEED) as office:
        client(office, "iam").put_user_policy(UserName="eve", PolicyName="team", PolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": {
                "Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::box/${aws:PrincipalTag/Team}/*"}}))
        question = {"as": f"arn:aws:iam::{ACCOUNT}:user/eve", "action": "s3:GetObject", "resource": "arn:aws:s3:::box/red/a"}
        answer = ask(office, **question).json()
        assert (answer["decision"], answer.get("remedy")) == ("implicitDeny", None)
        key = "aws:PrincipalTag/Team"
        assert answer["explanation"][-1].lower() == (
            f"policy variable ${{{key}}} has no value in this request; explain it with --context {key}=VALUE").lower()
        assert ask(office, **question, context={key: "red"}).json()["decision"] == "allowed"
        assert ask(office, **question, context={key: "blue"}).json()["remedy"]
        other = {**question, "resource": "arn:aws:s3:::another/red/a"}
        assert ask(office, **other).json()["remedy"]


def test_the_exit_code_of_a_request_that_no_policy_decided(office):
    keys = {**KEYS["ann"], "aws_secret_access_key": "wrong"}
    result = explain(office, error_of(signed(office, "GET", "/box/ann/a", keys=keys))["RequestId"])
    assert result.returncode == 3 and "no policy was evaluated" in result.stdout
