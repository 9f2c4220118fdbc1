"""The client of the Python package against the executable, and its calls about sandboxes."""

import datetime
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from cloud import REPOSITORY, clean_environment, executable, run

sys.path.insert(0, str(REPOSITORY / "Sources" / "Testing" / "Python"))

import virga_cloud  # noqa: E402
from virga_cloud.refusals import refusal_report  # noqa: E402
from virga_cloud.suite import Suite, worker_sandbox  # noqa: E402


@pytest.fixture
def client(cloud):
    return virga_cloud.Cloud(cloud.url)


# Against the executable.


def test_the_environment_is_that_of_the_command(client):
    printed = run("env", "--format", "dotenv", "--endpoint", client.url).stdout.splitlines()
    variables = client.environment()
    assert [f"# unset {name}" for name in variables.unset] + [f"{name}={value}" for name, value in variables.set.items()] == printed


def test_a_web_identity_in_the_environment(client, tmp_path):
    file = tmp_path / "token"
    arguments = ["--as", "alice@company", "--role", "personal-files-company", "--token-file", str(tmp_path / "other")]
    printed = run("env", "--format", "dotenv", "--endpoint", client.url, *arguments).stdout.splitlines()
    variables = client.environment(as_="alice@company", role="personal-files-company", token_file=file)
    lines = [f"# unset {name}" for name in variables.unset] + [f"{name}={value}" for name, value in variables.set.items()]
    assert [line.replace(str(file), str(tmp_path / "other")) for line in lines] == printed
    assert file.stat().st_mode & 0o777 == 0o600
    output = subprocess.run(
        [REPOSITORY / ".venv/bin/aws", "sts", "get-caller-identity", "--query", "Arn", "--output", "text"], text=True, capture_output=True,
        env=variables.hiding_files().applied(clean_environment(AWS_PROFILE="none", AWS_ACCESS_KEY_ID="AKIAFOREIGN", HTTP_PROXY="http://127.0.0.1:9")))
    assert output.stdout == "arn:aws:sts::000000000000:assumed-role/personal-files-company/alice\n", output.stderr


@pytest.mark.parametrize("provider", ["company", "google", "facebook", "amazon"])
def test_a_login_leads_to_a_session(client, provider):
    login = client.login("alice", provider)
    assert login.redirect_url.startswith("http://localhost:8765/callback?")
    token = login.access_token if provider in ("facebook", "amazon") else login.id_token
    s3 = client.role_session(f"personal-files-{provider}", f"alice@{provider}", token=token).client("s3")
    with pytest.raises(s3.exceptions.ClientError, match="AccessDenied"):
        s3.list_buckets()


def test_a_login_at_github_ends_with_an_access_token(client):
    login = client.login("alice", "github")
    assert login.access_token.startswith("gho_") and login.id_token is None and login.refresh_token is None


def test_a_public_client_and_an_application_that_redeems_the_code(client):
    login = client.login("alice", "company", client="cli", redeem=False, scope="openid")
    assert login.code and login.code_verifier and login.tokens == {}


def test_a_change_of_the_clock(client):
    assert client.clock.freeze(datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)).mode == "frozen"
    assert client.clock.read().now == datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)
    assert client.clock.set("2031-01-01T00:00:00Z").mode == "set"
    assert client.clock.resume().mode == "running"
    assert client.clock.age(3900).ages[0][1] == "PT3900S"
    with pytest.raises(ValueError, match="has no time zone"):
        client.clock.set(datetime.datetime(2030, 1, 1))


def test_faults(client):
    fault = client.faults.add(service="s3", latency=datetime.timedelta(milliseconds=1500), times="always", name="slow")
    assert (fault.latency_ms, fault.times, client.faults.list()) == (1500, "always", [fault])
    client.faults.remove(fault)
    client.faults.add(error={"code": "Odd", "status": 418, "message": "odd"})
    assert [fault.error for fault in client.faults.list()] == ["Odd"]
    client.faults.clear()
    assert client.faults.list() == []


def test_errors_of_the_control_api(client):
    with pytest.raises(virga_cloud.CloudError) as error:
        client.token("company", user="nobody")
    assert (error.value.code, error.value.status) == ("unknown_user", 404)
    with pytest.raises(virga_cloud.CloudError) as error:
        client.seed("{acounts: []}")
    assert (error.value.code, error.value.details["faults"][0]["path"]) == ("invalid_seed", "acounts")
    with pytest.raises(virga_cloud.CloudError) as error:
        virga_cloud.Cloud("http://127.0.0.1:9").reset()
    assert (error.value.code, error.value.status) == ("unreachable", 0)


def test_a_seed_and_its_export():
    with virga_cloud.Server(executable=str(executable())) as own:
        assert own.root_key.id == "test"
        seed = {"accounts": [{"id": "111122223333", "rootKeys": [{"id": "k", "secret": "long-secret-of-k"}], "buckets": [{"name": "box"}]}]}
        assert own.seed(seed) == [] and own.seed_changes == 1
        assert own.root_key == virga_cloud.AccessKey("k", "long-secret-of-k")
        assert [bucket["Name"] for bucket in own.client("s3").list_buckets()["Buckets"]] == ["box"]
        own.client("s3").create_bucket(Bucket="second")
        assert [bucket["name"] for bucket in own.export().contents["accounts"][0]["buckets"]] == ["box", "second"]
        # A role that is younger than the export in use.
        own.client("iam").create_role(RoleName="late", Path="/team/", AssumeRolePolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]}))
        assert own._find(lambda directory: directory.role_arn("late")) == "arn:aws:iam::111122223333:role/team/late"


def test_oss(client):
    bucket = client.oss("personal-photos")
    bucket.put_object("a", b"text")
    assert bucket.get_object("a").read() == b"text"
    assert [bucket.name for bucket in client.oss().list_buckets().buckets] == ["personal-photos"]


def test_a_server_stops_and_removes_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    server = virga_cloud.Server(executable=str(executable()), seed="{accounts: []}", arguments=["--control-token", "t"])
    with server as own:
        own.reset()
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(virga_cloud.CloudError, match="unreachable"):
        own.reset()
    with pytest.raises(virga_cloud.CloudError, match="The server ended before it was ready:\n(.*\n)*.*--nonsense"):
        virga_cloud.Server(executable=str(executable()), arguments=["--nonsense"]).start()


class Circle(BaseHTTPRequestHandler):
    """A provider whose redirects lead to each other, until the client has followed a hundred."""

    def do_GET(self):
        self.server.count += 1
        self.send_response(302 if self.server.count <= 100 else 500)
        self.send_header("Location", f"/authorize?{self.server.count}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def test_a_login_follows_no_circle_of_redirects():
    with ThreadingHTTPServer(("127.0.0.1", 0), Circle) as server:
        server.count = 0
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.server_port}"
            with pytest.raises(virga_cloud.CloudError, match="does not end"):
                virga_cloud.Cloud(url).authorize(f"{url}/authorize", "alice")
            assert server.count < 100
        finally:
            server.shutdown()
            thread.join()


# Sandboxes, against a server that records the calls and answers as the control API does.


class Recorder(ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.calls, self.answers = [], {}


class Handler(BaseHTTPRequestHandler):
    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.calls.append((
            self.command, self.path, json.loads(body) if body else None,
            {name: self.headers[name] for name in ("Authorization", "Host", "X-Virga-Sandbox") if self.headers[name]}))
        unknown = (404, {"error": "unknown_path", "message": f"There is no {self.path}."})
        status, answer = self.server.answers.get((self.command, self.path.partition("?")[0].removeprefix("/_virga")), unknown)
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_DELETE = respond

    def log_message(self, *arguments):
        pass


@pytest.fixture
def recorder():
    with Recorder() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def created(recorder, name="gw0", **members):
    return {
        "name": name, "state": "open", "from": "seed", "created": "2026-01-01T00:00:00.000Z", "used": None, "expires": None, "bytes": 1,
        "url": f"http://{name}.sandbox.localhost:4566", "portURL": f"http://127.0.0.1:{recorder.server_port}", "token": "own",
        "accessKeyId": "id", "secretAccessKey": "secret", **members}


OK = (200, {"status": "ok"})


def test_a_sandbox_with_a_port(recorder):
    recorder.answers = {
        ("POST", "/sandboxes"): (201, created(recorder)), ("POST", "/reset"): OK, ("DELETE", "/sandboxes/gw0"): OK,
        ("GET", "/sandboxes"): (200, {"sandboxes": [created(recorder)]})}
    server = virga_cloud.Cloud(recorder.url, control_token="process")
    with server.sandboxes.create("gw0", from_="logged-in", expires=datetime.timedelta(hours=2)) as sandbox:
        assert (sandbox.name, sandbox.url, sandbox.root_key.id) == ("gw0", recorder.url, "id")
        sandbox.reset()
    [listed] = server.sandboxes.list()
    assert (listed.name, listed.from_, listed.used, listed.port_url) == ("gw0", "seed", None, recorder.url)
    assert [call[:3] for call in recorder.calls] == [
        ("POST", "/_virga/sandboxes", {"port": True, "name": "gw0", "from": "logged-in", "expires": "PT7200S"}),
        ("POST", "/_virga/reset", None), ("DELETE", "/_virga/sandboxes/gw0", None), ("GET", "/_virga/sandboxes", None)]
    # The sandbox's own calls have its token, the others that of the process.
    assert [call[3]["Authorization"] for call in recorder.calls] == ["Bearer process", "Bearer own", "Bearer process", "Bearer process"]


@pytest.mark.parametrize("written,sent", [("of a file", "of a file"), ("of a file\n", "of a file"), ("of a file\r\n", "of a file")])
def test_the_control_token_in_a_file(recorder, monkeypatch, tmp_path, written, sent):
    file = tmp_path / "token"
    file.write_bytes(written.encode())
    monkeypatch.delenv("VIRGA_CONTROL_TOKEN", raising=False)
    monkeypatch.setenv("VIRGA_CONTROL_TOKEN_FILE", str(file))
    recorder.answers = {("GET", "/sandboxes"): (200, {"sandboxes": []})}
    virga_cloud.Cloud(recorder.url).sandboxes.list()
    virga_cloud.Cloud(recorder.url, control_token="own").sandboxes.list()
    assert [call[3]["Authorization"] for call in recorder.calls] == [f"Bearer {sent}", "Bearer own"]
    monkeypatch.setenv("VIRGA_CONTROL_TOKEN", "x")
    with pytest.raises(virga_cloud.CloudError, match="cannot be combined"):
        virga_cloud.Cloud(recorder.url)
    monkeypatch.delenv("VIRGA_CONTROL_TOKEN")
    file.unlink()
    with pytest.raises(virga_cloud.CloudError, match="cannot be read"):
        virga_cloud.Cloud(recorder.url)


@pytest.mark.parametrize("place", ["argument", "variable"])
def test_a_started_server_reads_the_control_token_of_a_file(place, tmp_path):
    file = tmp_path / "token"
    file.write_text("of a file\n")
    settings = {"arguments": ["--control-token-file", str(file)]} if place == "argument" else {
        "environment": {"VIRGA_CONTROL_TOKEN_FILE": str(file)}}
    with virga_cloud.Server(executable=str(executable()), **settings) as cloud:
        assert cloud.sandboxes.list()


def test_a_sandbox_without_a_port(recorder):
    recorder.answers = {("PUT", "/sandboxes/a"): (200, created(recorder, "a", portURL=None)), ("POST", "/reset"): OK}
    sandbox = virga_cloud.Cloud(recorder.url).sandboxes.replace("a", seed="{accounts: []}", port=False)
    sandbox.reset()
    assert sandbox.url == "http://a.sandbox.localhost:4566"
    assert recorder.calls[0][2] == {"port": False, "from": {"seed": "{accounts: []}"}}
    assert recorder.calls[1][3]["Host"] == "a.sandbox.localhost:4566"


def test_a_named_sandbox(recorder):
    recorder.answers = {("POST", "/reset"): OK, ("POST", "/sandboxes/b/restore"): (200, {"restored": "x", "tookMilliseconds": 0.5})}
    sandbox = virga_cloud.Cloud(recorder.url, sandbox="b")
    sandbox.reset()
    sandbox.restore("x")
    assert recorder.calls[0][3]["X-Virga-Sandbox"] == "b" and recorder.calls[1][2] == {"snapshot": "x"}
    assert virga_cloud.Cloud("http://c.sandbox.localhost:4566").name == "c"


def test_snapshots_and_forks(recorder):
    snapshot = {"name": "x", "from": "default", "created": "2026-01-01T00:00:00.000Z", "bytes": 5}
    recorder.answers = {
        ("POST", "/sandboxes/default/snapshots"): (201, snapshot), ("GET", "/snapshots"): (200, {"snapshots": [snapshot]}),
        ("POST", "/sandboxes/default/restore"): (200, {"restored": "x", "tookMilliseconds": 0.5}), ("DELETE", "/snapshots/x"): OK,
        ("POST", "/sandboxes/default/fork"): (201, created(recorder, "f"))}
    cloud = virga_cloud.Cloud(recorder.url)
    cloud.snapshot("x")
    cloud.restore("x")
    assert [(listed.name, listed.from_, listed.bytes) for listed in cloud.snapshots.list()] == [("x", "default", 5)]
    cloud.snapshots.delete("x")
    assert cloud.fork("f").name == "f" and [fork.name for fork in cloud.forks] == ["f"]
    assert [call[2] for call in recorder.calls] == [
        {"name": "x", "replace": True}, {"snapshot": "x"}, None, None, {"port": True, "name": "f"}]


def test_a_test_process_on_a_shared_server(recorder):
    name = "t-01234567-gw3"
    recorder.answers = {
        ("POST", "/sandboxes"): (201, created(recorder, name)), ("POST", f"/sandboxes/{name}/snapshots"): (201, {}),
        ("POST", f"/sandboxes/{name}/restore"): (200, {}), ("POST", f"/sandboxes/{name}/fork"): (201, created(recorder, "f")),
        ("DELETE", "/sandboxes/f"): (404, {"error": "unknown_sandbox", "message": ""}), ("DELETE", f"/snapshots/{name}-base"): OK,
        ("GET", "/snapshots"): (200, {"snapshots": [
            {"name": other, "from": "x", "created": "2026-01-01T00:00:00Z", "bytes": 1} for other in (f"{name}-base", "logged-in")]})}
    cloud = worker_sandbox(
        virga_cloud.Cloud(recorder.url), {"testrunuid": "0123456789abcdef", "workerid": "gw3", "workercount": 4}, "{accounts: []}")
    prepared = []
    suite = Suite(cloud, prepared.append)
    suite.refresh()
    suite.refresh("logged-in")
    cloud.fork()
    suite.end_test()
    suite.close()
    assert prepared == [cloud]
    assert [call[:3] for call in recorder.calls] == [
        ("POST", "/_virga/sandboxes", {"port": True, "name": name, "from": {"seed": "{accounts: []}"}, "expires": "PT2H"}),
        ("POST", f"/_virga/sandboxes/{name}/snapshots", {"name": f"{name}-base", "replace": True}),
        # The state that the suite prepared, then a snapshot of another client.
        ("POST", f"/_virga/sandboxes/{name}/restore", {"snapshot": f"{name}-base"}),
        ("POST", f"/_virga/sandboxes/{name}/restore", {"snapshot": "logged-in"}),
        ("POST", f"/_virga/sandboxes/{name}/fork", {"port": True}), ("DELETE", "/_virga/sandboxes/f", None),
        ("GET", "/_virga/snapshots", None), ("DELETE", f"/_virga/snapshots/{name}-base", None)]


def test_a_test_process_on_a_server_without_sandboxes(recorder):
    recorder.answers = {
        ("POST", "/reset"): OK, ("PUT", "/seed"): OK, ("GET", "/seed"): (200, {"accounts": []}),
        ("POST", "/sandboxes"): (501, {"error": "no_sandboxes", "message": ""})}
    server = virga_cloud.Cloud(recorder.url)
    assert worker_sandbox(server, {}, None) is server
    with pytest.raises(virga_cloud.CloudError, match="several test processes cannot share it"):
        worker_sandbox(server, {"testrunuid": "0" * 32, "workerid": "gw0", "workercount": 2}, None)
    prepared = []
    suite = Suite(server, prepared.append)
    suite.refresh()
    server.seed({"accounts": [{}]})
    suite.refresh()
    suite.refresh()
    with pytest.raises(virga_cloud.CloudError, match="no_snapshots"):
        suite.refresh("logged-in")
    assert [call[:2] for call in recorder.calls if "sandboxes" not in call[1]] == [
        ("POST", "/_virga/reset"), ("GET", "/_virga/seed"), ("PUT", "/_virga/seed"), ("PUT", "/_virga/seed"), ("POST", "/_virga/reset")]
    assert len(prepared) == 4


def test_each_state_has_its_root_key(recorder):
    def export(key):
        recorder.answers["GET", "/seed"] = (200, {"accounts": [{"id": "111122223333", "rootKeys": [{"id": key, "secret": "s"}]}]})

    recorder.answers = {
        ("POST", "/sandboxes"): (201, created(recorder)), ("POST", "/sandboxes/gw0/snapshots"): (201, {}), ("PUT", "/seed"): OK,
        ("POST", "/sandboxes/gw0/restore"): (200, {}), ("POST", "/reset"): OK}
    cloud = virga_cloud.Cloud(recorder.url).sandboxes.create("gw0")
    assert cloud.root_key.id == "id"
    cloud.snapshot("base")
    for change, key in [(lambda: cloud.seed("{}"), "other"), (lambda: cloud.restore("base"), "id"), (lambda: cloud.seed("{}"), "third")]:
        export(key)
        change()
        assert cloud.root_key.id == key
    # Known states are not exported again.
    recorder.answers.pop(("GET", "/seed"))
    cloud.restore("base")
    assert cloud.root_key.id == "id"
    cloud.reset()
    assert cloud.root_key.id == "third"


def test_near_misses(recorder):
    call = {"number": 5, "request_id": "R", "caller": "alice", "operation": "s3:PutObject", "action": "s3:PutObject",
            "resource": "arn:aws:s3:::box/a", "status": 200}
    recorder.answers = {("POST", "/journal/verify"): (409, {
        "error": "expectation_failed", "message": "Not as expected: s3:GetObject, at least once: found 0.", "complete": True, "last": 5,
        "never": [], "expect": [{
            "expected": "s3:GetObject, at least once", "met": False, "count": 0, "entries": [],
            "near_misses": [{**call, "differs": [{"member": "action", "expected": "s3:GetObject", "found": "s3:PutObject"}]}]}]})}
    cloud = virga_cloud.Cloud(recorder.url)
    cloud.journal.start = 4
    with pytest.raises(AssertionError) as error:
        cloud.journal.expect("s3:GetObject", times=(2, None))
    assert str(error.value).splitlines() == [
        "Not as expected: s3:GetObject, at least once: found 0.", "s3:GetObject, at least once: found 0",
        "  closest: s3:PutObject on arn:aws:s3:::box/a by alice with status 200", "    action is s3:PutObject, not s3:GetObject"]
    assert error.value.code == "expectation_failed"
    assert recorder.calls[0][2] == {"expect": [{"action": "s3:GetObject", "times": {"min": 2}}], "never": [], "since": 4}


def test_a_report_without_a_journal(recorder):
    assert refusal_report(virga_cloud.Cloud(recorder.url)).startswith("The journal cannot be read: unknown_path: ")


def test_the_server_alone_compares_the_journal(recorder):
    cloud = virga_cloud.Cloud(recorder.url)
    with pytest.raises(virga_cloud.CloudError) as error:
        cloud.journal.expect("s3:GetObject")
    assert error.value.code == "unknown_path" and [call[:2] for call in recorder.calls] == [("POST", "/_virga/journal/verify")]


def test_rules_for_errors_survive_a_restore_on_demand(recorder):
    recorder.answers = {
        ("POST", "/sandboxes/default/restore"): (200, {}), ("POST", "/sandboxes/default/fork"): (201, created(recorder, "f"))}
    cloud = virga_cloud.Cloud(recorder.url)
    cloud.restore("x", with_faults=True)
    cloud.fork(with_faults=True)
    assert [call[2] for call in recorder.calls] == [{"snapshot": "x", "with": ["faults"]}, {"port": True, "with": ["faults"]}]
