"""A pytest plugin of `run`: every test meets a cloud as its seed describes it, and every outcome is written down.

Without the reset one bucket that a test leaves undeletable makes the clean-up of all later tests fail.
"""

import json
import os
import urllib.request

import pytest

RESET = os.environ["S3_CONFORMANCE_CONTROL"] + "/_virga/reset"
REPORT = os.environ["S3_CONFORMANCE_REPORT"]
AUTHORITY = os.environ.get("S3_CONFORMANCE_CA")

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
