"""A pytest plugin of `run`: every test meets a cloud as its seed describes it, and every outcome is written down.

Without the reset one bucket that a test leaves undeletable makes the clean-up of all later tests fail.
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

# Nothing between this process and the server may answer for it.
open_directly = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def pytest_configure():
    if AUTHORITY:
        # The suite tells boto3 only whether to verify, and boto3 then trusts what certifi names.
        import botocore.httpsession
        botocore.httpsession.where = lambda: AUTHORITY


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    with open_directly(urllib.request.Request(RESET, method="POST"), timeout=60):
        pass
    if REALM:
        renew_tokens()


def ask_realm(path, **form):
    """An answer of the realm, which is addressed as the suite's settings would have it."""
    url = f"{RESET.removesuffix('/_virga/reset')}/auth/realms/{REALM}/protocol/openid-connect/{path}"
    data = urllib.parse.urlencode({"client_id": "my_client", "client_secret": "my_client_secret", **form}).encode() if form else None
    request = urllib.request.Request(url, data, {"Host": os.environ["S3_CONFORMANCE_REALM_HOST"]})
    with open_directly(request, timeout=60) as answer:
        return json.load(answer)


def renew_tokens():
    """Writes tokens of the new generation into the suite's settings, which its web identity tests read anew each."""
    token = ask_realm("token", grant_type="client_credentials")["access_token"]
    user_token = ask_realm("token", grant_type="password", username="testuser", password="password")["access_token"]
    claims = ask_realm("token/introspect", token=token)
    certificate = base64.b64decode(ask_realm("certs")["keys"][0]["x5c"][0])
    settings = configparser.RawConfigParser()
    settings.read(os.environ["S3TEST_CONF"])
    # The audience is the authorized party where a token names one, as AWS has it; Ceph would take the other claim.
    settings["webidentity"] = {
        "token": token, "user_token": user_token, "aud": claims["azp"], "sub": claims["sub"], "azp": claims["azp"],
        "thumbprint": hashlib.sha1(certificate).hexdigest().upper(), "KC_REALM": REALM}
    with open(os.environ["S3TEST_CONF"], "w") as file:
        settings.write(file)


def pytest_runtest_logreport(report):
    """One line for each phase of a test; a test has passed when all of its phases have."""
    summary = ""
    if not report.passed:
        crash = getattr(report.longrepr, "reprcrash", None)
        summary = crash.message if crash else str(report.longrepr[2] if report.skipped else report.longrepr)
    with open(REPORT, "a") as file:
        print(json.dumps({
            "test": report.nodeid, "phase": report.when, "outcome": report.outcome, "seconds": report.duration,
            "summary": summary.strip().split("\n")[0]}), file=file)
