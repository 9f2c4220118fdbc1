"""A pytest plugin of `run` that resets the cloud before every test and records every outcome.

Without the reset, a bucket that a test leaves undeletable makes the clean-up of all later tests fail.
"""

import base64
import configparser
import hashlib
import json
import os
import urllib.parse
import urllib.request

import pytest

RESET = os.environ["S3_CONFORMANCE_CONTROL"] + "/_virga/reset"
REPORT = os.environ["S3_CONFORMANCE_REPORT"]
AUTHORITY = os.environ.get("S3_CONFORMANCE_CA")
REALM = os.environ.get("S3_CONFORMANCE_REALM")

# A proxy must not answer for the server.
open_directly = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def pytest_configure():
    if AUTHORITY:
        # The suite sets only whether boto3 verifies, and boto3 then trusts the certificates that certifi names.
        import botocore.httpsession
        botocore.httpsession.where = lambda: AUTHORITY


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    with open_directly(urllib.request.Request(RESET, method="POST"), timeout=60):
        pass
    if REALM:
        renew_tokens()


def ask_realm(path, **form):
    """A response of the realm, with the host name in the suite's settings."""
    url = f"{RESET.removesuffix('/_virga/reset')}/auth/realms/{REALM}/protocol/openid-connect/{path}"
    data = urllib.parse.urlencode({"client_id": "my_client", "client_secret": "my_client_secret", **form}).encode() if form else None
    request = urllib.request.Request(url, data, {"Host": os.environ["S3_CONFORMANCE_REALM_HOST"]})
    with open_directly(request, timeout=60) as answer:
        return json.load(answer)


def renew_tokens():
    """Writes tokens of the new generation into the suite's settings, which its web identity tests read again each time."""
    token = ask_realm("token", grant_type="client_credentials")["access_token"]
    user_token = ask_realm("token", grant_type="password", username="testuser", password="password")["access_token"]
    claims = ask_realm("token/introspect", token=token)
    certificate = base64.b64decode(ask_realm("certs")["keys"][0]["x5c"][0])
    settings = configparser.RawConfigParser()
    settings.read(os.environ["S3TEST_CONF"])
    # The audience is azp if a token has it, as at AWS; Ceph would use aud.
    settings["webidentity"] = {
        "token": token, "user_token": user_token, "aud": claims["azp"], "sub": claims["sub"], "azp": claims["azp"],
        "thumbprint": hashlib.sha1(certificate).hexdigest().upper(), "KC_REALM": REALM}
    with open(os.environ["S3TEST_CONF"], "w") as file:
        settings.write(file)


def pytest_runtest_logreport(report):
    """Records one line for each phase of a test. A test has passed when all its phases have."""
    summary = ""
    if not report.passed:
        crash = getattr(report.longrepr, "reprcrash", None)
        summary = crash.message if crash else str(report.longrepr[2] if report.skipped else report.longrepr)
    with open(REPORT, "a") as file:
        print(json.dumps({
            "test": report.nodeid, "phase": report.when, "outcome": report.outcome, "seconds": report.duration,
            "summary": summary.strip().split("\n")[0]}), file=file)
