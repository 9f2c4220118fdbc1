from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def virga_seed():
    return Path(__file__).parent / "seed.json5"


@pytest.fixture(scope="session")
def virga_prepare():
    def prepare(cloud):
        cloud.client("s3").put_object(Bucket="notes", Key="welcome", Body=b"Write your first note.")

    return prepare


@pytest.fixture
def keys(virga_s3):
    """The keys in the bucket."""
    return lambda: [entry["Key"] for entry in virga_s3.list_objects_v2(Bucket="notes").get("Contents", [])]
