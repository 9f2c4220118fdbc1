"""The AWS managed policies in IAM equal the files of `Sources/Foundations/CAWSManagedPolicies/policies`."""

import json

import pytest

from clients import client
from cloud import REPOSITORY

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


def test_a_policy_has_the_document_of_its_file(iam, files):
    in_index = sorted(files.values(), key=lambda file: (file["Path"] + file["PolicyName"]).encode())
    for file in in_index[:1] + in_index[1:-1:100] + in_index[-1:]:
        version = iam.get_policy_version(
            PolicyArn=f"arn:aws:iam::aws:policy{file['Path']}{file['PolicyName']}", VersionId=file["DefaultVersionId"])
        assert version["PolicyVersion"]["Document"] == file["Document"], file["PolicyName"]
