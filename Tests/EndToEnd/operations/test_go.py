"""A Go program on the AWS SDK for Go; its operations are in go/store.go."""

import subprocess

from cloud import TIMEOUT_SECONDS, clean_environment


def test_a_program_of_the_sdk_does_its_daily_work(go_program, endpoint):
    authority = {"AWS_CA_BUNDLE": str(endpoint.authority)} if endpoint.authority else {}
    finished = subprocess.run([go_program("store")], text=True, capture_output=True, timeout=TIMEOUT_SECONDS, env=clean_environment(
        ENDPOINT=endpoint.url, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_REGION="us-east-1", **authority))
    assert finished.returncode == 0, finished.stderr
