"""The AWS managed policies in IAM equal the files of `Sources/Foundations/CAWSManagedPolicies/policies`."""

import json

import pytest

from clients import client
from cloud import ACCOUNT, REPOSITORY

ALLOW_ALL = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
FOLDER = REPOSITORY / "Sources" / "Foundations" / "CAWSManagedPolicies" / "policies"


@pytest.fixture
def iam(cloud):
    return client(cloud, "iam")


@pytest.fixture(scope="module")
def files():
    """The policies in the files, by name."""
    return {file.stem: json.loads(file.read_text()) for file in FOLDER.iterdir()}


def test_the_list_names_exactly_the_files_of_the_folder(iam, files):
    listed = [policy for page in iam.get_paginator("list_policies").paginate(Scope="AWS") for policy in page["Policies"]]
    assert len(listed) == len(files)
    for policy in listed:
        file = files[policy["PolicyName"]]
        assert policy["Arn"] == f"arn:aws:iam::aws:policy{file['Path']}{file['PolicyName']}"
        assert (policy["Path"], policy["DefaultVersionId"]) == (file["Path"], file["DefaultVersionId"])
        assert f"{policy['CreateDate']:%Y-%m-%dT%H:%M:%SZ}" == file["CreateDate"], file["PolicyName"]
        assert f"{policy['UpdateDate']:%Y-%m-%dT%H:%M:%SZ}" == file["UpdateDate"], file["PolicyName"]


@pytest.mark.parametrize("operation, parameters", [
    ("list_policies", {}), ("list_policies", {"Scope": "Local"}), ("list_policies", {"PathPrefix": "/p/"}),
    ("list_policies", {"OnlyAttached": True}), ("get_account_authorization_details", {}),
    ("get_account_authorization_details", {"Filter": ["LocalManagedPolicy", "AWSManagedPolicy"]}),
    ("get_account_authorization_details", {"Filter": ["User", "Role"]})])
def test_pages_of_any_size_have_the_same_entries(iam, operation, parameters):
    for number in range(3):
        iam.create_policy(PolicyName=f"walk-{number}", Path="/p/" if number else "/", PolicyDocument=ALLOW_ALL)
        iam.create_user(UserName=f"Walker-{number}")
        iam.attach_user_policy(UserName=f"Walker-{number}", PolicyArn=f"arn:aws:iam::{ACCOUNT}:policy/{'p/' if number else ''}walk-{number}")
    iam.attach_user_policy(UserName="Walker-0", PolicyArn="arn:aws:iam::aws:policy/ReadOnlyAccess")
    iam.attach_user_policy(UserName="Walker-1", PolicyArn="arn:aws:iam::aws:policy/job-function/Billing")

    def walked(size):
        pages = iam.get_paginator(operation).paginate(PaginationConfig={"PageSize": size}, **parameters)
        whole = pages.build_full_result()
        whole.pop("ResponseMetadata", None)
        return whole

    at_once = walked(1_000)
    assert any(at_once.values())
    for size in (1, 3) if parameters else (200,):
        assert walked(size) == at_once


def test_a_policy_has_the_document_of_its_file(iam, files):
    in_index = sorted(files.values(), key=lambda file: (file["Path"] + file["PolicyName"]).encode())
    for file in in_index[:1] + in_index[1:-1:100] + in_index[-1:]:
        version = iam.get_policy_version(
            PolicyArn=f"arn:aws:iam::aws:policy{file['Path']}{file['PolicyName']}", VersionId=file["DefaultVersionId"])
        assert version["PolicyVersion"]["Document"] == file["Document"], file["PolicyName"]
