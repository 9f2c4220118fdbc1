"""A relying party on go-oidc, which many Go programs use; its operations are in go/relying_party.go."""

import json
import subprocess

import pytest
import requests

from cloud import TIMEOUT_SECONDS, clean_environment
from company import issuer
from login_page import REDIRECT_URI
from openid_flow import alice


# go-oidc tries both ways of sending the secret.
@pytest.mark.parametrize("authentication", ["client_secret_basic", "client_secret_post"])
def test_go_oidc_signs_in_verifies_and_refreshes(cloud, go_program, authentication):
    registered = requests.post(f"{issuer(cloud)}/register", json={
        "redirect_uris": [REDIRECT_URI], "grant_types": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_method": authentication}).json()
    arguments = [go_program("relying_party"), issuer(cloud), registered["client_id"], registered["client_secret"], REDIRECT_URI]
    with subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=clean_environment()) as process:
        redirect = alice().authorize(process.stdout.readline().strip())
        assert redirect.query["state"] == "state"
        output, errors = process.communicate(redirect.query["code"] + "\n", timeout=TIMEOUT_SECONDS)
    assert process.returncode == 0, errors
    assert json.loads(output) == {
        "subject": cloud.issue("company", "alice")["subject"], "email": "alice@company.example", "refreshed": True}
