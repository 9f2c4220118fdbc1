"""A pytest plugin of `run`: the suite uses the executable as if it were AWS, and its responses are compared with the recorded ones.

Host names of AWS resolve to the executable's ports, so signatures, regions and virtual hosts are the same as at AWS. No other name
resolves. A test that calls a service that the executable does not have is skipped with the name of that service.
"""

import importlib.util
import ipaddress
import json
import os
import re
import socket
import sys
import time
import types
import urllib.request

import pytest

from functions import Functions
from key_service import KeyService
from stand_ins import Destinations

ACCOUNT = os.environ["TEST_AWS_ACCOUNT_ID"]
CONTROL = os.environ["RECORDED_ANSWERS_CONTROL"]
PORTS = {80: CONTROL.rpartition(":")[2], 443: os.environ["RECORDED_ANSWERS_TLS_PORT"]}
AUTHORITY = os.environ["RECORDED_ANSWERS_AUTHORITY"]
REPORT = os.environ["RECORDED_ANSWERS_REPORT"]

# Services that the executable has. S3 Control is a service of its own.
SERVED = re.compile(r"(^|\.)(s3|iam|sts)[.-](?!control\.)")

# Paths of values that are not compared, because AWS chooses them at random or they depend on HTTP framing, by a lowercase part of the
# test's name. AWS returns the encryption types that a bucket blocks only since after the responses were recorded.
ETAG = ["$..ETag", "$..eTag"]
BLOCKED = "$..BlockedEncryptionTypes"
NOT_COMPARED = {
    # With a KMS key or a customer key an ETag is not a digest of the content.
    "sse": [*ETAG, BLOCKED], "kms": [*ETAG, BLOCKED], "with_encryption": ETAG, "default_bucket_encryption": [BLOCKED],
    # Parts are checked concurrently, so the error can name any of several wrong ones.
    "parts_checksum": [f"$.complete-multipart-wrong-parts-checksum.Error.{field}" for field in ("PartNumber", "ETag")],
    "delete_keys_in_versioned_bucket": ["$..Deleted..VersionId"],
    # The recorded roles are as old as the account, and services had used some.
    "service_role_lifecycle": ["$..Role.RoleLastUsed"],
    "s3cors": [f"$..Headers.{field}" for field in ("Connection", "Content-Length", "Transfer-Encoding")]}

# A proxy must not answer for the server.
open_directly = urllib.request.build_opener(urllib.request.ProxyHandler({})).open

resolve, sleep = socket.getaddrinfo, time.sleep


def resolve_to_the_server(host, port, *arguments, **options):
    """`socket.getaddrinfo`, with the executable at the host names of AWS. Only loopback addresses resolve otherwise."""
    name = host.decode() if isinstance(host, bytes) else host or "localhost"
    if name == "localhost" or is_loopback(name):
        return resolve(host, port, *arguments, **options)
    if not name.endswith(".amazonaws.com"):
        raise socket.gaierror(socket.EAI_NONAME, f"{name} is not a host of AWS")
    if not SERVED.search(name):
        pytest.skip(f"other service: {name.split('.')[0]}")
    return resolve("127.0.0.1", PORTS[int(port)], *arguments, **options)


def is_loopback(name):
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


socket.getaddrinfo = resolve_to_the_server


def sleep_in_tests(seconds):
    """`time.sleep` only for tests that wait for a link to expire. The others wait until AWS has propagated a change, or between retries."""
    if sys._getframe(1).f_globals["__name__"].startswith("tests."):
        sleep(seconds)


time.sleep = sleep_in_tests

# The version of the suite's package is written when it is built. A working copy has none.
if not importlib.util.find_spec("localstack.version"):
    sys.modules["localstack.version"] = types.ModuleType("localstack.version")
    sys.modules["localstack.version"].__version__ = "0"


def pytest_configure():
    import botocore.httpsession
    import localstack.utils.run
    from localstack_snapshot.snapshots.prototype import SnapshotSession

    # The suite passes verify=True to boto3, which then trusts the certificates that certifi names.
    botocore.httpsession.where = lambda: AUTHORITY

    # Functions in JavaScript do not run, so their packages are not needed (see `functions.py`).
    run = localstack.utils.run.run
    localstack.utils.run.run = lambda command, *arguments, **options: "" if "; npm i " in command else run(command, *arguments, **options)

    match_all = SnapshotSession._assert_all

    def match_all_and_record(session, verify, paths):
        paths = [path for part, ignored in NOT_COMPARED.items() if part in session.scope_key.lower() for path in ignored]
        try:
            return match_all(session, True, paths)
        except AssertionError as error:
            record(test=session.scope_key, disagreeing=[result.key for result in getattr(error, "result", []) if not result])
            raise
        finally:
            record(test=session.scope_key, answers=len(session.called_keys))

    SnapshotSession._assert_all = match_all_and_record
    adapt_calls()


def adapt_calls():
    """Lets stand-ins answer calls of other services, and allows customer keys in new buckets if the test uses them.

    New buckets block encryption with customer keys since after the responses were recorded.
    """
    from botocore.client import BaseClient

    functions, key_service = Functions(ACCOUNT), KeyService(ACCOUNT)
    listener = socket.socket(fileno=int(os.environ["RECORDED_ANSWERS_LISTENER"]))
    stand_ins = [Destinations(ACCOUNT, listener, functions, key_service), functions, key_service]
    make_api_call = BaseClient._make_api_call

    def make_adapted_call(client, operation, parameters):
        for stand_in in stand_ins:
            answer = stand_in.call(client, operation, parameters)
            if answer is not None:
                return answer
        if operation == "PutBucketNotificationConfiguration":
            parameters = stand_ins[0].in_seed(parameters)
        response = make_api_call(client, operation, parameters)
        if operation == "GetBucketNotificationConfiguration":
            response = stand_ins[0].in_test(response)
        if operation == "CreateBucket" and "sse_c" in os.environ.get("PYTEST_CURRENT_TEST", ""):
            rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}, "BlockedEncryptionTypes": {"EncryptionType": ["NONE"]}}
            client.put_bucket_encryption(Bucket=parameters["Bucket"], ServerSideEncryptionConfiguration={"Rules": [rule]})
        return response

    BaseClient._make_api_call = make_adapted_call


def pytest_collection_modifyitems(config, items):
    """Keeps the tests that have recorded responses."""
    recorded = {}
    kept = []
    for item in items:
        file = item.path.with_suffix(".snapshot.json")
        if file not in recorded:
            recorded[file] = json.loads(file.read_text()) if file.is_file() else {}
        if item.nodeid in recorded[file]:
            kept.append(item)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    with open_directly(urllib.request.Request(f"{CONTROL}/_virga/reset", method="POST"), timeout=60):
        pass


def pytest_runtest_logreport(report):
    """Records each phase of a test. A test has passed when all its phases have."""
    summary = ""
    if not report.passed:
        crash = getattr(report.longrepr, "reprcrash", None)
        summary = crash.message if crash else str(report.longrepr[2] if report.skipped else report.longrepr)
    record(test=report.nodeid, phase=report.when, outcome=report.outcome, summary=re.sub(r"\x1b\[\d+m", "", summary).strip())


def record(**fields):
    with open(REPORT, "a") as file:
        print(json.dumps(fields), file=file)
