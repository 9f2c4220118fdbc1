"""S3 against the model of its API in botocore: each operation is served, or refused by name and listed in the documentation."""

import re
from pathlib import Path

import boto3
import pytest

from clients import refusal_of, signed
from cloud import BUCKET

PAGE = Path(__file__).parents[3] / "Sources/Documentation/AWS.md"
# They have hosts of their own, and the paths of other operations here.
ELSEWHERE = {"ListDirectoryBuckets", "WriteGetObjectResponse"}


@pytest.fixture(scope="module")
def model():
    return boto3.client("s3", region_name="us-east-1").meta.service_model


@pytest.fixture(scope="module")
def listed(model):
    section = PAGE.read_text().split("### Not there\n", 1)[1].split("\n### ", 1)[0]
    return set(re.findall(r"`(\w+)`", section)) & set(model.operation_names)


def test_exactly_the_operations_that_are_not_here_are_listed(cloud, model, listed):
    absent = set()
    for name in model.operation_names:
        if name in ELSEWHERE:
            continue
        http = model.operation_model(name).http
        path = http["requestUri"].replace("{Bucket}", BUCKET).replace("{Key+}", "k")
        response = signed(cloud, http["method"], path)
        if response.status_code == 501:
            assert refusal_of(response)[1] == "NotImplemented", name
            absent.add(name)
    assert "CreateSession" in absent and "PutObject" not in absent
    assert listed - ELSEWHERE == absent
    assert ELSEWHERE <= listed
