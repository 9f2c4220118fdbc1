"""W3C Trace Context: traces of clients in the log, in the journal, and in requests to other servers."""

import json
import re
from xml.etree import ElementTree

import pytest
import requests

from clients import client, signed
from cloud import TIMEOUT_SECONDS, Cloud, run
from destination import listening

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture(scope="module")
def cloud(environment_of_the_tests):
    with Cloud.ephemeral("--log-format", "json") as cloud:
        yield cloud


def entry(cloud, *values):
    """The journal entry of a request with these headers `traceparent`."""
    # A library would join several values.
    headers = {"traceparent" if index == 0 else "TraceParent": value for index, value in enumerate(values)}
    requests.get(f"{cloud.url}/personal-files", headers=headers)
    return cloud.control("GET", "journal?limit=1&exclude=path:/_virga/journal")["entries"][0]


@pytest.mark.parametrize("value, flags", [
    (f"00-{TRACE}-{PARENT}-01", "01"), (f"00-{TRACE}-{PARENT}-00", "00"), (f"00-{TRACE}-{PARENT}-03", "03"),
    # Unknown flags are cleared, and later versions are read as far as they are known.
    (f"00-{TRACE}-{PARENT}-ff", "03"), (f"01-{TRACE}-{PARENT}-01", "01"), (f"cc-{TRACE}-{PARENT}-01-more", "01"),
])
def test_a_trace_goes_on_with_a_new_span(cloud, value, flags):
    found = entry(cloud, value)
    assert found["trace_id"] == TRACE and found["trace_flags"] == flags
    assert re.fullmatch("[0-9a-f]{16}", found["span_id"]) and found["span_id"] not in (PARENT, "0" * 16)
    assert entry(cloud, value)["span_id"] != found["span_id"]


@pytest.mark.parametrize("value", [
    "", "00", f"ff-{TRACE}-{PARENT}-01", f"00-{'0' * 32}-{PARENT}-01", f"00-{TRACE}-{'0' * 16}-01", f"00-{TRACE.upper()}-{PARENT}-01",
    f"00-{TRACE[:-1]}-{PARENT}-01", f"00-{TRACE}-{PARENT}-1", f"00-{TRACE}-{PARENT}-01-", f"00-{TRACE}-{PARENT}-01-more",
    f"00-{TRACE}-{PARENT}-0x", f"00_{TRACE}-{PARENT}-01", f"01-{TRACE}-{PARENT}-01more", f"00-{TRACE}-{PARENT}-01, 00-{TRACE}-{PARENT}-01",
    "é" * 40])
def test_a_malformed_value_begins_a_new_trace(cloud, value):
    found = entry(cloud, value.encode())
    assert re.fullmatch("[0-9a-f]{32}", found["trace_id"]) and found["trace_id"] not in (TRACE, "0" * 32)
    assert found["trace_flags"] == "00"


def test_without_the_header_there_is_no_trace(cloud):
    found = entry(cloud)
    assert (found["trace_id"], found["span_id"], found["trace_flags"]) == (None, None, None)


def test_a_trace_as_a_sequence_diagram(cloud, tmp_path):
    trace = TRACE[::-1]
    requests.get(f"{cloud.url}/personal-files/refused", headers={"traceparent": f"00-{trace}-{PARENT}-01"})
    requests.get(f"{cloud.url}/personal-files/untraced")
    file = tmp_path / "trace.svg"
    done = run("log", "--endpoint", cloud.url, "--trace", trace.upper(), "--svg", file)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    root = ElementTree.parse(file).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    [arrow] = root.findall("{http://www.w3.org/2000/svg}a")
    assert "✗ 403 AccessDenied" in "".join(arrow.itertext())
    assert requests.get(arrow.get("href")).status_code == 200
    lines = run("log", "--endpoint", cloud.url, "--trace", trace).stdout
    assert "refused" in lines and "untraced" not in lines


@pytest.mark.parametrize("arguments, message", [
    (["--trace", "x"], "--trace must be a trace ID of 32 hexadecimal digits, not x."),
    (["--svg", "x.svg", "--follow"], "--svg writes one picture; omit --follow."),
    (["--svg", "x.svg", "--json"], "--svg writes one picture; omit --json."),
    (["--svg", "x.svg", "--limit", "101"], "--limit must be at most 100 with --svg, not 101.")])
def test_options_that_do_not_fit_are_refused(arguments, message, tmp_path):
    done = run("log", *arguments)
    assert done.returncode != 0 and message in done.stderr


def test_the_log_has_the_names_of_opentelemetry():
    with Cloud.ephemeral("--log-format", "json") as cloud:
        requests.get(f"{cloud.url}/personal-files/traced", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
        requests.get(f"{cloud.url}/personal-files/untraced")
        cloud.stop()
        lines = {line["path"]: line for line in map(json.loads, cloud.logged().splitlines()) if "path" in line}
    traced = lines["/personal-files/traced"]
    assert (traced["trace_id"], traced["trace_flags"]) == (TRACE, "01") and re.fullmatch("[0-9a-f]{16}", traced["span_id"])
    assert not [name for name in lines["/personal-files/untraced"] if name.startswith(("trace_", "span_"))]


QUEUE = "arn:aws:sqs:us-east-1:000000000000:uploads"


def test_requests_to_other_servers_carry_the_trace_on():
    key = json.dumps({"KeyMetadata": {"KeyId": "k", "Arn": "arn:aws:kms:us-east-1:000000000000:key/k", "Enabled": True}}).encode()
    with listening(answer=key) as (url, received), Cloud.ephemeral(
            "--event-target", f"{QUEUE}={url}/queue", "--kms-url", f"{url}/kms") as cloud:
        s3 = client(cloud, "s3")
        s3.create_bucket(Bucket="inbox")
        s3.put_bucket_notification_configuration(Bucket="inbox", NotificationConfiguration={
            "QueueConfigurations": [{"QueueArn": QUEUE, "Events": ["s3:ObjectCreated:*"]}]})
        path, fields, _ = received.get(timeout=TIMEOUT_SECONDS)
        assert path == "/queue" and fields["traceparent"] is None
        # One request of S3 to the KMS while the client waits, and an event afterwards.
        headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "vendor=1,other=2"}
        signed(cloud, "PUT", "/inbox/plain", body=b"x", headers=dict(headers))
        path, fields, _ = received.get(timeout=TIMEOUT_SECONDS)
        found = cloud.control("GET", "journal?limit=1&path=/inbox/plain")["entries"][0]
        assert path == "/queue" and fields["tracestate"] == "vendor=1,other=2"
        assert fields["traceparent"] == f"00-{TRACE}-{found['span_id']}-01"
        signed(cloud, "PUT", "/inbox/keyed", body=b"x", headers=headers | {
            "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": "k"})
        path, fields, _ = received.get(timeout=TIMEOUT_SECONDS)
        found = cloud.control("GET", "journal?limit=1&path=/inbox/keyed")["entries"][0]
        assert path == "/kms" and fields["traceparent"] == f"00-{TRACE}-{found['span_id']}-01"
