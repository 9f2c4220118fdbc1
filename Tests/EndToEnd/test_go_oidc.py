"""A relying party on go-oidc, which many Go programs are built on; what it does is written in go/relying_party.go."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import requests

from cloud import PATIENCE_SECONDS, clean_environment
from company import issuer
from login_page import REDIRECT_URI
from openid_flow import alice

SOURCE = Path(__file__).parent / "go" / "relying_party.go"


@pytest.fixture(scope="module")
def program(environment_of_the_tests, tmp_path_factory):
    """The compiled program. Its libraries are Debian's packages, which the compiler finds in its old workspace layout."""
    compiler = shutil.which("go")
    assert compiler, "go is not installed: .ci/setup test installs it"
    program = tmp_path_factory.mktemp("go") / "relying_party"
    built = subprocess.run(
        [compiler, "build", "-o", program, SOURCE], text=True, capture_output=True, env=os.environ | {
            "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "CGO_ENABLED": "0"})
    assert built.returncode == 0, built.stderr
    return program


# How it sends the secret it finds out by trying.
@pytest.mark.parametrize("authentication", ["client_secret_basic", "client_secret_post"])
def test_go_oidc_signs_in_verifies_and_refreshes(cloud, program, authentication):
    registered = requests.post(f"{issuer(cloud)}/register", json={
        "redirect_uris": [REDIRECT_URI], "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": authentication}).json()
    arguments = [program, issuer(cloud), registered["client_id"], registered["client_secret"], REDIRECT_URI]
    with subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=clean_environment()) as process:
        redirect = alice().authorize(process.stdout.readline().strip())
        assert redirect.query["state"] == "state"
        output, errors = process.communicate(redirect.query["code"] + "\n", timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, errors
    assert json.loads(output) == {
        "subject": cloud.issue("company", "alice")["subject"], "email": "alice@company.example", "refreshed": True}
