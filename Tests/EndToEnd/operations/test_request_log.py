"""The request log on standard error, and `virga log`."""

import json
import os
import re
import socket

import requests

from cloud import TIMEOUT_SECONDS, Cloud, run, wait_until
from clients import signed


def requested(*arguments, **variables):
    """The standard error of a server after its start, an allowed request and a denied one."""
    with Cloud.ephemeral(*arguments, **variables) as cloud:
        signed(cloud, "GET", "/personal-files")
        refused = requests.get(f"{cloud.url}/personal-files/a%0Ab")
        requests.get(f"{cloud.url}/_virga/health")
        cloud.stop()
        return cloud.url, cloud.logged(), refused.headers["x-amz-request-id"], b"".join(cloud.output).decode()


def test_a_banner_and_a_line_for_each_request():
    url, log, request, output = requested()
    # Printed while the server already answers, so its place differs.
    assert log.count("\nReady.\n") == 1
    lines = log.replace("\nReady.\n", "\n").splitlines()
    assert re.fullmatch(r"virga 0\.9\.0( \([0-9a-f]{7}\))?", lines[0])
    assert lines[1:6] == [
        f"  endpoint  {url}", f"  control   {url}/_virga/ (open to this machine)", f"  console   {url}/_virga/ui/",
        "  seeds     personal-file-store.json5", "  data      none; everything is lost at exit"]
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3} GET /personal-files s3:ListObjects root 200 \d+\.\d ms", lines[6])
    assert re.fullmatch(r"\S+ GET /personal-files/a%0Ab s3:GetObject anonymous 403 \d+\.\d ms", lines[7])
    assert re.fullmatch(rf"    AccessDenied: s3:\w+ on arn:aws:s3:::personal-files\S* because .* \(virga explain {request}\)", lines[8].replace("%0A", ""))
    assert not [line for line in lines if "health" in line] and "\x1b" not in log
    assert output == ""


def test_a_quiet_server_says_nothing():
    for arguments in [["--quiet"], ["--log-level", "error"]]:
        assert requested(*arguments)[1] == ""
    assert requested(VIRGA_QUIET="true")[1] == ""


def test_json_for_programs():
    _, log, request, _ = requested("--log-format", "json")
    lines = [json.loads(line) for line in log.splitlines()]
    entry = next(line for line in lines if line.get("request_id") == request)
    assert (entry["status"], entry["error"], entry["service"], entry["operation"]) == (403, "AccessDenied", "s3", "GetObject")
    assert entry["milliseconds"] > 0


def test_everything_at_level_debug():
    assert "/_virga/health" in requested("--log-level", "debug")[1]


def test_a_wrong_level_or_format_is_an_error():
    assert "--log-level must be debug, info" in run("serve", "--log-level", "loud").stderr
    assert "--log-format must be text or json, not xml." in run("serve", "--log-format", "xml").stderr


def test_the_command_shows_the_same(cloud):
    cloud.reset()
    signed(cloud, "GET", "/personal-files")
    request = requests.get(f"{cloud.url}/personal-files/a").headers["x-amz-request-id"]
    lines = run("log", "--endpoint", cloud.url).stdout.splitlines()
    assert re.fullmatch(r"\S+ GET /personal-files s3:ListObjects root 200", lines[-3])
    denied = run("log", "--endpoint", cloud.url, "--denied", "--limit", "1").stdout.splitlines()
    assert denied == lines[-2:] and denied[1].endswith(f"(virga explain {request})")
    entry = json.loads(run("log", "--endpoint", cloud.url, "--limit", "1", "--json").stdout)
    assert entry["request_id"] == request and entry["reason"].startswith("s3:")


def test_a_server_that_listens_everywhere_names_an_address_to_call():
    with Cloud.ephemeral("--host", "0.0.0.0") as cloud:
        assert cloud.url.startswith("http://127.0.0.1:")
        assert requests.get(f"{cloud.url}/_virga/health").status_code == 200
        assert "closed; open it with --control-token" in cloud.logged()


def test_ready_when_the_command_has_ended(tmp_path):
    file, flag = tmp_path / "ready", tmp_path / "go"
    os.mkfifo(flag)
    command = f"read go < {flag}; curl -s -X PUT $AWS_ENDPOINT_URL/nothing > {tmp_path / 'answer'}"
    with Cloud.ephemeral("--ready-file", file, "--on-ready", command) as cloud:
        answer = requests.get(f"{cloud.url}/_virga/ready")
        assert (answer.status_code, answer.json()["error"]) == (503, "not_ready") and not file.exists()
        flag.write_text("go\n")
        wait_until(lambda: requests.get(f"{cloud.url}/_virga/ready").status_code == 200)
        assert file.read_text() == f"{cloud.url}\n" and "AccessDenied" in (tmp_path / "answer").read_text()
        assert cloud.stop() == 0
    assert not file.exists()


def test_a_command_that_fails_stops_the_server():
    with Cloud.ephemeral("--on-ready", "exit 3") as cloud:
        assert cloud.process.wait(TIMEOUT_SECONDS) == 1
        assert "the command of --on-ready ended with 3" in cloud.logged()


def test_the_control_api_lists_its_calls(cloud):
    answer = requests.get(f"{cloud.url}/_virga/").json()
    assert answer["version"].startswith("0.9.0") and "/_virga/reset" in [call["path"] for call in answer["calls"]]


def test_an_icon_is_no_bucket(cloud):
    assert requests.get(f"{cloud.url}/favicon.ico").status_code == 204
    assert signed(cloud, "GET", "/favicon.ico").status_code == 404


def test_the_key_of_a_failed_signature_is_shown():
    with Cloud.ephemeral() as cloud:
        keys = {"aws_access_key_id": "AKIAEVE", "aws_secret_access_key": "wrong"}
        assert signed(cloud, "GET", "/personal-files", keys=keys).status_code == 403
        entry = json.loads(run("log", "--endpoint", cloud.url, "--limit", "1", "--json").stdout)
        assert (entry["caller"], entry["claimed_key"]) == (None, "AKIAEVE")
        cloud.stop()
        assert " AKIAEVE (not authenticated) 403 " in cloud.logged()


def test_a_provider_with_the_name_control_is_logged():
    with Cloud.ephemeral() as cloud:
        requests.get(f"{cloud.url}/idp/control/authorize")
        cloud.stop()
        assert " GET /idp/control/authorize control " in cloud.logged()


def test_a_client_that_speaks_tls_to_the_port_of_plain_http():
    with Cloud.ephemeral() as cloud:
        result = run("log", "--endpoint", cloud.url.replace("http:", "https:"))
        assert result.returncode == 1 and "it speaks plain http" in result.stderr and "/" not in result.stderr.split("TLS", 1)[1]
        assert requests.get(f"{cloud.url}/_virga/health").ok
        cloud.stop()
        assert ".swift" not in cloud.logged() and ".c" not in cloud.logged()


def test_the_help_says_what_the_control_token_does():
    assert "the server requires it for every call of the control API" in " ".join(run("serve", "--help").stdout.split())
