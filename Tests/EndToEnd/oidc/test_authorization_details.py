"""Access-denied errors that are explained by their authorization ID, with boto3's client of the IAM Toolbox API."""

import json
import re

import pytest
import requests

from clients import client, refused, signed
from cloud import ACCOUNT
from office import ANN, KEYS

POLICY = f"arn:aws:iam::{ACCOUNT}:policy/no-users"


@pytest.fixture
def denied(office):
    """The authorization ID of a call that a managed policy denied. The message names the policy."""
    iam = client(office, "iam")
    document = {"Version": "2012-10-17", "Statement": {
        "Sid": "NoUsers", "Effect": "Deny", "Action": "iam:GetUser", "Resource": "*",
        "Condition": {"Bool": {"aws:SecureTransport": "false"}}}}
    iam.create_policy(PolicyName="no-users", PolicyDocument=json.dumps(document))
    iam.attach_user_policy(UserName="ann", PolicyArn=POLICY)
    with refused("AccessDenied", 403) as refusal:
        client(office, "iam", **KEYS["ann"]).get_user(UserName="eve")
    iam.detach_user_policy(UserName="ann", PolicyArn=POLICY)
    iam.delete_policy(PolicyArn=POLICY)
    found = re.fullmatch(
        re.escape(f"User: {ANN} is not authorized to perform: iam:GetUser on resource: ") + ".*"
        + re.escape(f" with an explicit deny in an identity-based policy: {POLICY}. Go to https://us-east-1.console.aws.amazon.com/")
        + r"iam/home\?region=us-east-1#/authorization-details/([0-9a-z]+) for complete details, or call the "
        + r"GetRequestAuthorizationDetails API with the following authorization id: \1", refusal.message)
    assert found, refusal.message
    return found[1]


def test_a_denial_is_told_as_it_was(office, denied):
    toolbox = client(office, "iam-toolbox")
    details = toolbox.get_request_authorization_details(authorizationId=denied)
    assert details["requestContext"]["aws:username"] == "ann" and details["requestContext"]["aws:SecureTransport"] == "false"
    evaluation, = details["evaluations"]
    assert (evaluation["action"], evaluation["evaluatedEffect"]) == ("iam:GetUser", "EXPLICIT_DENY")
    matched = {"uri": POLICY, "matchedStatements": [{"sid": "NoUsers", "evaluatedEffect": "DENY"}]}
    assert matched in evaluation["matchedPolicies"]
    check, = evaluation["checks"]
    assert (check["checkType"], check["evaluatedEffect"]) == ("PRINCIPAL", "EXPLICIT_DENY") and matched in check["matchedPolicies"]
    policy, = [policy for policy in details["policies"] if policy["uri"] == POLICY]
    assert policy == {"type": "IDENTITY_BASED_POLICY", "inline": False, "uri": POLICY, "attachedTo": [{"arn": ANN}]}
    document = toolbox.get_request_authorization_policy(authorizationId=denied, policyUri=POLICY)["policyDocument"]
    assert document["Statement"]["Sid"] == "NoUsers"
    for policy in details["policies"]:
        assert toolbox.get_request_authorization_policy(authorizationId=denied, policyUri=policy["uri"])["policyDocument"]["Statement"]
    with refused("ResourceNotFoundException", 404):
        toolbox.get_request_authorization_policy(authorizationId=denied, policyUri="other")


def test_a_silence_is_an_implicit_denial(office):
    response = signed(office, "GET", "/box/eve/a", keys=KEYS["eve"])
    assert response.status_code == 403
    identifier = response.headers["x-amz-request-id"].lower()
    details = client(office, "iam-toolbox").get_request_authorization_details(authorizationId=identifier)
    assert details["evaluations"][-1]["evaluatedEffect"] == "IMPLICIT_DENY"
    assert "IMPLICIT_DENY" in [check["evaluatedEffect"] for check in details["evaluations"][-1]["checks"]]


def test_details_need_permission_and_an_id_of_the_account(office, denied):
    with refused("AccessDeniedException", 403, "iam:GetRequestAuthorizationDetails on resource: *"):
        client(office, "iam-toolbox", **KEYS["eve"]).get_request_authorization_details(authorizationId=denied)
    toolbox = client(office, "iam-toolbox")
    with refused("ResourceNotFoundException", 404):
        toolbox.get_request_authorization_details(authorizationId="0123456789abcdef")
    with refused("ValidationException", 400):
        toolbox.get_request_authorization_details(authorizationId="NOT-ONE")
    with refused("ValidationException", 400):
        toolbox.get_request_authorization_details(authorizationId=denied, nextToken="x")
    anonymous = requests.get(office.url + "/box").headers["x-amz-request-id"].lower()
    with refused("ResourceNotFoundException", 404):
        toolbox.get_request_authorization_details(authorizationId=anonymous)
    wrong = client(office, "iam-toolbox", aws_access_key_id="test", aws_secret_access_key="wrong")
    with refused("InvalidSignatureException", 403):
        wrong.get_request_authorization_details(authorizationId=denied)
