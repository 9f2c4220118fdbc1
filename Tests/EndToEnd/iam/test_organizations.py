"""AWS Organizations, as accounts see it that belong to no organization, with boto3's client."""

import pytest
import requests

from clients import client, refused
from office import KEYS

NOT_IN_USE = "Your account is not a member of an organization."


@pytest.mark.parametrize("operation, parameters", [
    ("describe_organization", {}), ("list_accounts", {}), ("list_accounts", {"MaxResults": 20}), ("list_roots", {})])
def test_no_account_is_in_an_organization(office, operation, parameters):
    with refused("AWSOrganizationsNotInUseException", 400, NOT_IN_USE):
        getattr(client(office, "organizations"), operation)(**parameters)


def test_the_operations_need_permission(office):
    with refused("AccessDeniedException", 400, "organizations:ListRoots"):
        client(office, "organizations", **KEYS["eve"]).list_roots()


def test_members_are_checked(office):
    with refused("ValidationException", 400, "Value '21' at 'maxResults' failed to satisfy constraint"):
        client(office, "organizations").list_accounts(MaxResults=21)


def test_signatures_are_verified(office):
    wrong = client(office, "organizations", aws_access_key_id="test", aws_secret_access_key="wrong")
    with refused("InvalidSignatureException", 400):
        wrong.describe_organization()


def test_a_call_without_a_signature_is_refused(office):
    answer = requests.post(office.url, data="{}", headers={
        "x-amz-target": "AWSOrganizationsV20161128.ListRoots", "content-type": "application/x-amz-json-1.1"})
    assert (answer.status_code, answer.json()["__type"]) == (400, "MissingAuthenticationTokenException")


def test_other_operations_are_refused_by_name(office):
    with refused("UnknownOperationException", 400, "AWSOrganizationsV20161128.CreateOrganization"):
        client(office, "organizations").create_organization()
