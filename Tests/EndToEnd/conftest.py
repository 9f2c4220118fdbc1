"""The cloud that the tests share. Whoever needs a process of their own starts a `Cloud` in a `with` statement."""

import os

import pytest

from cloud import Cloud, clean_environment
from clients import client


@pytest.fixture(scope="session", autouse=True)
def environment_of_the_tests():
    """Nothing of the developer's own AWS or proxy settings reaches a client."""
    with pytest.MonkeyPatch.context() as patch:
        wanted = clean_environment()
        for name in set(os.environ) - set(wanted):
            patch.delenv(name)
        for name, value in wanted.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def process(environment_of_the_tests):
    with Cloud.ephemeral() as cloud:
        yield cloud
        assert cloud.process.poll() is None, f"ended by itself with {cloud.process.returncode}:\n{cloud.logged()}"
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def cloud(process):
    """The shared process, as its seed describes it."""
    process.reset()
    return process


@pytest.fixture
def root(cloud):
    """An S3 client of the account's root user."""
    return client(cloud, "s3")


@pytest.fixture
def bucket(root):
    """An empty bucket."""
    root.create_bucket(Bucket="workshop")
    return "workshop"
