"""Shards behind the proxies and in the manifests of docker/cluster."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import botocore.exceptions
import pytest
import requests
import yaml
from botocore.config import Config

from clients import client, keys_of
from cloud import BUCKET, REPOSITORY, run, wait_until
from cluster import CONTROL, DOMAIN, FOLDER, Cluster, names_resolved
from login_page import Person
from openid_flow import Flow

KEY = "a b/ü+%&=~//x"


@pytest.fixture(scope="module", params=["haproxy", "nginx"])
def cluster(request, environment_of_the_tests, tmp_path_factory):
    """Two shards behind a proxy, each with the sandbox `ci`."""
    with names_resolved(), Cluster(request.param, tmp_path_factory.mktemp(request.param), 2) as cluster:
        for shard in cluster.shards:
            assert cluster.create(shard).status_code == 201
        yield cluster
        for shard in cluster.shards:
            assert shard.cloud.stop() == 0, shard.cloud.logged()


def at(url, authority=None):
    """What the functions of other modules need of a cloud."""
    return SimpleNamespace(url=url, authority=authority)


def way(cluster, name, host):
    """A cloud behind the proxy: over plain HTTP, over TLS that ends at the proxy, or over TLS that ends at the first shard."""
    port, authority = {
        "plain": (cluster.ports.plain, None), "terminated": (cluster.ports.terminated, cluster.trusted),
        "passed": (cluster.ports.passed, cluster.shards[0].authority)}[name]
    return at(f"{'http' if authority is None else 'https'}://{host}.{DOMAIN}:{port}", authority)


WAYS = pytest.mark.parametrize("name", ["plain", "terminated", "passed"])


@WAYS
@pytest.mark.parametrize("style", ["path", "virtual"])
def test_signatures_and_hosts_of_buckets_pass(cluster, name, style):
    s3 = client(way(cluster, name, "ci.sandbox.s0"), "s3", config=Config(s3={"addressing_style": style}))
    bucket = f"{name}-{style}"
    s3.create_bucket(Bucket=bucket)
    s3.put_object(Bucket=bucket, Key=KEY, Body=b"through", Metadata={"with_underscore": "yes"})
    got = s3.get_object(Bucket=bucket, Key=KEY)
    assert got["Body"].read() == b"through" and got["Metadata"] == {"with_underscore": "yes"}
    assert [entry["Key"] for entry in s3.list_objects_v2(Bucket=bucket, Prefix="a b/")["Contents"]] == [KEY]
    url = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": KEY})
    assert (f"{bucket}.ci.sandbox.s0.{DOMAIN}" in url) == (style == "virtual")
    verify = str(way(cluster, name, "ci.sandbox.s0").authority or True)
    assert requests.get(url, verify=verify if verify != "True" else True).content == b"through"
    # The other shard has a sandbox of the same name, and not this bucket.
    other = at(f"http://ci.sandbox.s1.{DOMAIN}:{cluster.ports.plain}")
    assert bucket not in [each["Name"] for each in client(other, "s3").list_buckets()["Buckets"]]


@WAYS
def test_chunked_uploads_pass(cluster, name):
    """Over TLS, boto3 sends aws-chunked with a trailer."""
    s3 = client(
        way(cluster, name, "ci.sandbox.s0"), "s3", config=Config(request_checksum_calculation="when_required"))
    trailed = client(way(cluster, name, "ci.sandbox.s0"), "s3")
    content = bytes(range(256)) * 30_000
    trailed.put_object(Bucket=BUCKET, Key="trailer", Body=content, ChecksumAlgorithm="CRC32")
    assert s3.head_object(Bucket=BUCKET, Key="trailer", ChecksumMode="ENABLED")["ChecksumCRC32"]
    assert s3.get_object(Bucket=BUCKET, Key="trailer")["Body"].read() == content


@pytest.fixture(scope="module")
def s3bench(tmp_path_factory):
    program = tmp_path_factory.mktemp("s3bench") / "s3bench"
    source = REPOSITORY / "Tests/Benchmarks/s3bench.c"
    subprocess.run(["cc", "-O2", "-std=gnu11", "-o", program, source, "-lcrypto", "-lm"], check=True)
    return program


@pytest.mark.parametrize("payload", ["signed", "unsigned", "chunked", "trailer"])
def test_signed_chunks_pass(cluster, s3bench, payload):
    common = [
        "--port", str(cluster.ports.plain), "--host-header", f"ci.sandbox.s1.{DOMAIN}", "--access-key", "test", "--secret-key", "test",
        "--bucket", BUCKET, "--size", "300k", "--keys", "20", "--nops", "40", "--conns", "4"]
    for operation in [["put", "--payload", payload], ["get"]]:
        done = subprocess.run([s3bench, *operation, *common], text=True, capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_sign_on_over_tls_that_ends_at_the_proxy(cluster, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(cluster.trusted))
    cloud = way(cluster, "terminated", "ci.sandbox.s0")
    flow = Flow(cloud, client=("web-app", "web-app-client-secret"))
    assert flow.metadata["issuer"] == f"{cloud.url}/idp/company"
    answer = flow.authorize(Person("alice"))
    tokens = flow.redeem(answer.parameters["code"]).json()
    sts = client(cloud, "sts")
    session = sts.assume_role_with_web_identity(
        RoleArn="arn:aws:iam::000000000000:role/personal-files-company", RoleSessionName="tester", WebIdentityToken=tokens["id_token"])
    folder = session["SubjectFromWebIdentityToken"]
    s3 = client(cloud, "s3", **keys_of(session))
    s3.put_object(Bucket=BUCKET, Key=f"{folder}/x", Body=b"signed on")
    assert s3.get_object(Bucket=BUCKET, Key=f"{folder}/x")["Body"].read() == b"signed on"
    # The other shard is another issuer.
    other = at(f"https://ci.sandbox.s1.{DOMAIN}:{cluster.ports.terminated}", cluster.trusted)
    with pytest.raises(Exception, match="InvalidIdentityToken"):
        client(other, "sts").assume_role_with_web_identity(
            RoleArn="arn:aws:iam::000000000000:role/personal-files-company", RoleSessionName="tester", WebIdentityToken=tokens["id_token"])


@pytest.mark.parametrize("name", ["plain", "terminated"])
def test_the_proxy_replaces_what_clients_say_about_themselves(cluster, name):
    cloud = way(cluster, name, "ci.sandbox.s0")
    spoofed = {
        "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "evil.example", "X-Forwarded-Port": "99",
        "Forwarded": "for=203.0.113.7;proto=https;host=evil.example"}
    requests.get(f"{cloud.url}/{BUCKET}/spoofed", headers=spoofed, verify=str(cloud.authority) if cloud.authority else True)
    entries = requests.get(
        f"{cluster.shards[0].cloud.url}/_virga/journal?path=/{BUCKET}/spoofed&limit=1",
        headers=CONTROL | {"x-virga-sandbox": "ci"}).json()["entries"]
    assert (entries[0]["source_ip"], entries[0]["scheme"]) == ("127.0.0.1", cloud.url.partition("://")[0])
    assert entries[0]["host"] == cloud.url.partition("://")[2]


def answered(send):
    """The answer to a request, which is sent again if its connection is closed before an answer, as clients do.

    A proxy notices a dead connection to a shard only when it sends a request there. HAProxy then closes the client's connection without
    an answer if that has had an answer before, so that the client repeats the request. The clients of the tests never do (clients.py)."""
    try:
        return send()
    except (botocore.exceptions.ConnectionClosedError, requests.ConnectionError):
        return send()


def test_a_shard_that_is_killed_takes_only_its_own_sandboxes_along(cluster):
    first, second = cluster.shards
    clients = [client(at(cluster.plain(f"ci.sandbox.{shard.name}")), "s3") for shard in cluster.shards]
    for s3 in clients:
        s3.put_object(Bucket=BUCKET, Key="kept", Body=b"kept")
    second.cloud.kill()
    answer = answered(lambda: requests.get(f"{cluster.plain('ci.sandbox.s1')}/_virga/health"))
    assert answer.status_code in (502, 503)
    assert answered(lambda: clients[0].get_object(Bucket=BUCKET, Key="kept"))["Body"].read() == b"kept"
    # New sandboxes are created at the shard that is there.
    for number in range(4):
        wait_until(lambda: answered(lambda: cluster.create(name=f"after-{number}")).status_code in (201, 409))
        assert requests.get(f"{first.cloud.url}/_virga/sandboxes/after-{number}", headers=CONTROL).status_code == 200
    second.start()
    wait_until(lambda: answered(lambda: requests.get(f"{cluster.plain('ci.sandbox.s1')}/_virga/health")).status_code == 200)
    assert answered(lambda: clients[1].get_object(Bucket=BUCKET, Key="kept"))["Body"].read() == b"kept"


def test_a_drained_shard_gets_no_new_sandboxes_and_serves_the_others(cluster):
    first, second = cluster.shards
    wait_until(lambda: cluster.create(second, name="before").status_code in (201, 409))
    second.control("POST", "drain")
    try:
        assert cluster.create(second, name="late").json()["error"] == "draining"
        for number in range(4):
            # HAProxy learns of it by its next check.
            wait_until(lambda: cluster.create(name=f"elsewhere-{number}").status_code == 201)
            assert requests.get(f"{first.cloud.url}/_virga/sandboxes/elsewhere-{number}", headers=CONTROL).status_code == 200
        s3 = client(at(cluster.plain("before.sandbox.s1")), "s3")
        for number in range(20):
            s3.put_object(Bucket=BUCKET, Key=f"drained-{number}", Body=b"served")
    finally:
        second.control("DELETE", "drain")


def test_a_created_sandbox_has_the_name_of_its_shard(cluster):
    for shard in cluster.shards:
        wait_until(lambda: cluster.create(shard, name="named").status_code in (201, 409))
        described = shard.control("GET", "sandboxes/named")
        assert described["url"] == f"https://named.sandbox.{shard.name}.{DOMAIN}:{cluster.ports.terminated}"


# The manifests.


def documents():
    return [each for file in sorted((FOLDER / "kubernetes").glob("*.yaml")) for each in yaml.safe_load_all(file.read_text()) if each]


def of_kind(kind):
    return {each["metadata"]["name"]: each for each in documents() if each["kind"] == kind}


def tool(name, *arguments):
    program = Path(sys.executable).with_name(name)
    return subprocess.run([program, *map(str, arguments)], text=True, capture_output=True)


def test_the_manifests_have_no_faults():
    done = tool("yamllint", "--strict", "--config-file", FOLDER / "yamllint.yaml", FOLDER / "kubernetes")
    assert done.returncode == 0, done.stdout
    files = sorted((FOLDER / "kubernetes").glob("*.yaml"))
    done = tool("kubernetes-validate", "--strict", *files)
    assert done.returncode == 0, done.stdout + done.stderr
    # The schemas are those of Kubernetes itself; the Gateway API has its own.
    unknown = re.findall(r"Couldn't find schema for kind (\w+)", done.stdout + done.stderr)
    assert set(unknown) == {"Gateway", "HTTPRoute"}
    assert len(re.findall("passed for resource", done.stdout + done.stderr)) == len(documents()) - len(unknown)


def test_every_shard_has_a_service_and_a_route():
    stateful = of_kind("StatefulSet")["virga"]
    services, routes, labels = of_kind("Service"), of_kind("HTTPRoute"), stateful["spec"]["template"]["metadata"]["labels"]
    assert services[stateful["spec"]["serviceName"]]["spec"]["clusterIP"] == "None"
    for number in range(stateful["spec"]["replicas"]):
        service = services[f"virga-s{number}"]["spec"]
        assert service["selector"] == {"statefulset.kubernetes.io/pod-name": f"virga-{number}"} and service["publishNotReadyAddresses"]
        assert routes[f"virga-s{number}"]["spec"]["hostnames"] == [f"s{number}.{DOMAIN}", f"*.s{number}.{DOMAIN}"]
    assert len(routes) == stateful["spec"]["replicas"] + 1
    gateway = of_kind("Gateway")
    container = stateful["spec"]["template"]["spec"]["containers"][0]
    names = {port["name"]: port["containerPort"] for port in container["ports"]}
    for route in routes.values():
        assert {parent["name"] for parent in route["spec"]["parentRefs"]} <= set(gateway)
        for target in route["spec"]["rules"][0]["backendRefs"]:
            assert target["port"] in [port["port"] for port in services[target["name"]]["spec"]["ports"]]
    for service in services.values():
        assert all(port["targetPort"] in names for port in service["spec"]["ports"])
        selector = service["spec"]["selector"]
        assert selector.items() <= labels.items() or set(selector) == {"statefulset.kubernetes.io/pod-name"}
    for kind, path in [("NetworkPolicy", "podSelector"), ("PodDisruptionBudget", "selector")]:
        assert of_kind(kind)["virga"]["spec"][path]["matchLabels"].items() <= labels.items()


def test_settings_and_hooks_exist():
    pod = of_kind("StatefulSet")["virga"]["spec"]["template"]["spec"]
    container = pod["containers"][0]
    described = run("serve", "--help").stdout
    variables = [each["name"] for each in container["env"] if each["name"].startswith("VIRGA_")]
    assert len(variables) >= 6 and not [each for each in variables if each not in described]
    # A Service "virga" would otherwise set VIRGA_PORT to a URL.
    assert pod["enableServiceLinks"] is False
    command = container["lifecycle"]["preStop"]["exec"]["command"]
    described = run(command[1], "--help").stdout
    assert command[0] == "/usr/local/bin/virga" and command[2] in described
    grace = int(next(each["value"] for each in container["env"] if each["name"] == "VIRGA_GRACE"))
    assert int(command[3]) + grace < pod["terminationGracePeriodSeconds"]
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
        assert container[probe]["httpGet"]["port"] == container["ports"][0]["name"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/_virga/ready"
