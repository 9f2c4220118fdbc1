"""A Go program on the AWS SDK for Go; what it does is written in go/store.go."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cloud import clean_environment

SOURCE = Path(__file__).parent / "go" / "store.go"


@pytest.fixture(scope="session")
def program(environment_of_the_tests, tmp_path_factory):
    """The compiled program. The SDK is Debian's package, which the compiler finds in its old workspace layout."""
    compiler = shutil.which("go")
    assert compiler, "go is not installed: .ci/setup test installs it"
    program = tmp_path_factory.mktemp("go") / "store"
    built = subprocess.run(
        [compiler, "build", "-o", program, SOURCE], text=True, capture_output=True, env=os.environ | {
            "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "CGO_ENABLED": "0"})
    assert built.returncode == 0, built.stderr
    return program


def test_a_program_of_the_sdk_does_its_daily_work(program, endpoint):
    authority = {"AWS_CA_BUNDLE": str(endpoint.authority)} if endpoint.authority else {}
    finished = subprocess.run([program], text=True, capture_output=True, timeout=100, env=clean_environment(
        ENDPOINT=endpoint.url, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_REGION="us-east-1", **authority))
    assert finished.returncode == 0, finished.stderr
