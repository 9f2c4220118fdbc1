"""A pytest plugin of `run`: every class of tests meets a cloud as its seed describes it, and every outcome is written down.

Without the reset one bucket that a test leaves undeletable makes the clean-up of all later classes fail. Classes share a bucket among
their tests, so it is not reset more often.
"""

import json
import os
import random
import urllib.request

import pytest

CONTROL = os.environ["OSS_CONFORMANCE_CONTROL"]
REPORT = os.environ["OSS_CONFORMANCE_REPORT"]

# Nothing between this process and the server may answer for it.
open_directly = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

last_class = None


def pytest_configure():
    try:
        from aliyunsdkcore.profile import region_provider
        from aliyunsdksts.request.v20150401.AssumeRoleRequest import AssumeRoleRequest
    except ImportError:
        return
    # The suite asks STS where the real one is, over HTTPS.
    region_provider.modify_point("Sts", os.environ["OSS_TEST_REGION"], CONTROL.partition("://")[2])
    AssumeRoleRequest.get_protocol_type = lambda request: "http"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    global last_class
    if item.cls is None or item.cls is not last_class:
        with open_directly(urllib.request.Request(f"{CONTROL}/_virga/reset", method="POST"), timeout=60):
            pass
    last_class = item.cls
    # Tests of oss2 draw who encrypts: a test must draw the same in every run.
    random.seed(item.nodeid)


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
