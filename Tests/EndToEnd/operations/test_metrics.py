"""Metrics in the formats of Prometheus, read by the parsers of Prometheus's own client."""

import pytest
import requests
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from clients import signed
from cloud import Cloud

OPENMETRICS = {"Accept": "application/openmetrics-text; version=1.0.0,text/plain;version=0.0.4;q=0.5"}


@pytest.fixture(scope="module")
def own():
    with Cloud.ephemeral() as cloud:
        yield cloud


def read(cloud, headers=None):
    """The families by name, and the content type."""
    answer = requests.get(f"{cloud.url}/_virga/metrics", headers=headers)
    assert answer.status_code == 200, answer.text
    parse = parse_openmetrics if headers else parse_text
    return {family.name: family for family in parse(answer.text)}, answer.headers["Content-Type"]


def value(families, name, sample=None, **labels):
    found = [each.value for each in families[name].samples if each.name == (sample or name) and each.labels == labels]
    assert len(found) == 1, (name, labels, found)
    return found[0]


def test_both_formats_are_parsed_and_agree(own):
    signed(own, "GET", "/personal-files")
    text, text_type = read(own)
    openmetrics, openmetrics_type = read(own, OPENMETRICS)
    assert text_type == "text/plain; version=0.0.4; charset=utf-8"
    assert openmetrics_type == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    assert set(text) == set(openmetrics)
    for name, family in text.items():
        assert family.documentation and family.documentation == openmetrics[name].documentation
        assert family.type == openmetrics[name].type != "unknown"
        assert family.samples, name
    assert value(text, "virga_build_info", **text["virga_build_info"].samples[0].labels) == 1
    assert text["virga_build_info"].samples[0].labels["version"] == "0.9.0"


def test_requests_are_counted_by_service_and_status(own):
    def count(service, status):
        families, _ = read(own)
        samples = families["virga_http_requests"].samples
        return sum(each.value for each in samples if each.labels == {"service": service, "status": status})

    before = {key: count(*key) for key in [("s3", "2xx"), ("s3", "4xx"), ("sts", "2xx"), ("identity", "2xx")]}
    signed(own, "GET", "/personal-files")
    assert requests.get(f"{own.url}/personal-files/a").status_code == 403
    # An unsigned form belongs to the service that its body names.
    token = own.token("company", "alice")
    form = {
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": "arn:aws:iam::000000000000:role/personal-files-company",
        "RoleSessionName": "tester", "WebIdentityToken": token}
    assert requests.post(own.url, data=form).status_code == 200
    assert requests.get(f"{own.url}/idp/company/.well-known/openid-configuration").status_code == 200
    assert {key: count(*key) - before[key] for key in before} == {
        ("s3", "2xx"): 1, ("s3", "4xx"): 1, ("sts", "2xx"): 1, ("identity", "2xx"): 1}


def test_histograms_count_every_request(own):
    for _ in range(5):
        signed(own, "GET", "/personal-files")
    families, _ = read(own)
    requests_of_s3 = sum(each.value for each in families["virga_http_requests"].samples if each.labels["service"] == "s3")
    duration = families["virga_http_request_duration_seconds"]
    buckets = [each for each in duration.samples if each.name.endswith("_bucket") and each.labels["service"] == "s3"]
    counts = [each.value for each in buckets]
    assert counts == sorted(counts) and buckets[-1].labels["le"] == "+Inf"
    name = "virga_http_request_duration_seconds"
    assert counts[-1] == value(families, name, f"{name}_count", service="s3") == requests_of_s3
    assert value(families, name, f"{name}_sum", service="s3") > 0


def test_bytes_are_counted(own):
    def lengths():
        families, _ = read(own)
        return [value(families, f"virga_http_{kind}_bytes", f"virga_http_{kind}_bytes_total", service="s3") for kind in ["request", "response"]]

    signed(own, "PUT", "/personal-files/size", body=b"x")
    before = lengths()
    signed(own, "PUT", "/personal-files/size", body=b"x" * 1000)
    assert lengths()[0] - before[0] == 1000
    before = lengths()
    signed(own, "GET", "/personal-files/size")
    assert lengths()[1] - before[1] == 1000


def test_the_process_is_described(own):
    families, _ = read(own)
    assert value(families, "process_cpu_seconds", "process_cpu_seconds_total") > 0
    assert 5 << 20 < value(families, "process_resident_memory_bytes") < value(families, "process_virtual_memory_bytes")
    assert 5 < value(families, "process_open_fds") < value(families, "process_max_fds")
    with open(f"/proc/{own.process.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    with open("/proc/stat") as stat:
        boot = next(int(line.split()[1]) for line in stat if line.startswith("btime"))
    assert abs(value(families, "process_start_time_seconds") - boot - int(fields[19]) / 100) < 1
    assert value(families, "process_threads") >= 1


def test_connections_sandboxes_and_files_are_counted(own):
    with requests.Session() as session:
        session.get(f"{own.url}/_virga/health")
        families, _ = read(own)
        assert value(families, "virga_connections_open") >= 2
        assert value(families, "virga_connections_accepted", "virga_connections_accepted_total") >= 2
    assert value(families, "virga_draining") == 0
    sandboxes = value(families, "virga_sandboxes", state="open")
    own.control("POST", "sandboxes", {"name": "counted"})
    own.control("POST", "sandboxes/counted/snapshots", {"name": "counted"})
    families, _ = read(own)
    assert value(families, "virga_sandboxes", state="open") == sandboxes + 1
    assert value(families, "virga_snapshots") == 1 and value(families, "virga_snapshots_bytes") > 100_000
    assert value(families, "virga_sandboxes_limit") == 100
    assert value(families, "virga_database_bytes", file="database") > 500_000
    # Requests of another sandbox are counted with the others.
    assert value(families, "virga_journal_entries") >= 1 and value(families, "virga_journal_bytes") > 256
    own.control("DELETE", "sandboxes/counted")


def test_reads_are_not_in_the_journal(own):
    own.control("DELETE", "journal")
    read(own)
    assert [entry["target"] for entry in own.control("GET", "journal")["entries"]] == ["/_virga/journal"]


def test_the_control_token_guards_them_and_that_of_a_sandbox_does_not_open_them():
    with Cloud.ephemeral("--control-token", "secret") as cloud:
        token = {"Authorization": "Bearer secret"}
        created = requests.post(f"{cloud.url}/_virga/sandboxes", json={"name": "a"}, headers=token).json()

        def status(headers):
            return requests.get(f"{cloud.url}/_virga/metrics", headers=headers).status_code

        assert status({}) == 401 and status(token) == 200
        of_sandbox = {"Authorization": f"Bearer {created['token']}", "x-virga-sandbox": "a"}
        assert requests.get(f"{cloud.url}/_virga/clock", headers=of_sandbox).status_code == 200
        assert status(of_sandbox) == 401
        assert status({"Authorization": "Bearer secret", "x-virga-sandbox": "a"}) == 200


def test_paths_and_names_add_no_time_series(own):
    requests.get(f"{own.url}/idp/no-such-provider/authorize")
    requests.post(f"{own.url}/", data={"Action": "Nothing", "Version": "2000-01-01"})
    services = {each.labels["service"] for each in read(own)[0]["virga_http_requests"].samples}
    assert services <= {
        "s3", "sts", "iam", "oss", "alibaba", "identity", "mobile", "vending", "application", "credentials", "forwarded", "console", "control",
        "unavailable"}
