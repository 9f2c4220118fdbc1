"""The executable at a terminal: flags and variables, clear errors, an orderly shutdown."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import jwt
import pytest
import requests
from botocore.exceptions import ClientError

from clients import assume, client
from cloud import ACCOUNT, BUCKET, REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment, executable, free_port, run

SEED = REPOSITORY / "seed" / "personal-file-store.json5"


def refused_to_start(*arguments, **variables):
    """The standard error of `serve` that fails to start."""
    result = run("serve", *arguments, **variables)
    assert result.returncode != 0
    assert "virga ready" not in result.stdout
    assert "Fatal error" not in result.stderr and result.returncode > 0, result.stderr
    return result.stderr


def test_port_zero_picks_a_free_port():
    with Cloud.ephemeral() as first, Cloud.ephemeral() as second:
        assert first.port != second.port
        for cloud in [first, second]:
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+", cloud.url)
            assert requests.get(f"{cloud.url}/_virga/health").status_code == 200


def test_there_may_be_several_listeners():
    with Cloud("--port", 0, "--port", 0, "--ephemeral", listeners=2) as cloud:
        assert len(set(cloud.urls)) == 2
        for url in cloud.urls:
            assert requests.get(f"{url}/_virga/health").status_code == 200


def test_every_flag_is_also_a_variable():
    port = free_port()
    with Cloud(VIRGA_PORT=str(port), VIRGA_EPHEMERAL="true") as cloud:
        assert cloud.url == f"http://127.0.0.1:{port}"


def test_nothing_but_the_ready_line_is_on_standard_output():
    with Cloud.ephemeral() as cloud:
        client(cloud, "s3").list_buckets()
        assert cloud.stop() == 0
        assert cloud.output == []


def test_a_taken_port_is_named():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        assert str(port) in refused_to_start("--port", port, "--ephemeral")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused(port):
    refused_to_start(f"--port={port}", "--ephemeral")


def test_a_data_folder_that_is_a_file_is_named(tmp_path):
    path = tmp_path / "file"
    path.write_text("not a folder")
    assert str(path) in refused_to_start("--port", 0, "--data", path)


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    path = tmp_path / "file" / "data"
    assert str(path) in refused_to_start("--port", 0, "--data", path)


def test_a_data_folder_in_use_is_not_shared(tmp_path):
    with Cloud.over(tmp_path):
        assert str(tmp_path) in refused_to_start("--port", 0, "--data", tmp_path)


def databases(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3"]


def test_a_database_of_another_version_is_refused_and_left_alone(tmp_path):
    with Cloud.over(tmp_path) as cloud:
        assert cloud.stop() == 0
    path, = databases(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9999")
    connection.close()
    message = refused_to_start("--port", 0, "--data", tmp_path)
    assert "version" in message and "9999" in message
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (9999,)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    with Cloud.over(tmp_path) as cloud:
        assert cloud.stop() == 0
    path, = databases(tmp_path)
    path.write_bytes(b"garbage" * 10_000)
    assert path.name in refused_to_start("--port", 0, "--data", tmp_path)
    assert path.read_bytes() == b"garbage" * 10_000


@pytest.mark.parametrize("find, put, expected", [
    ('accounts: [', 'acounts: [', "acounts"), ('rootKeys:', 'rootKey:', "rootKey"),
    ('id: "000000000000"', 'id: 0', "accounts"), ('kind: "facebook"', 'kind: "facebok"', "facebok"),
    ('"StringLike"', '"StringNearly"', "StringNearly")], ids=lambda value: re.sub(r"\W", "", value))
def test_a_wrong_seed_names_file_place_and_expectation(tmp_path, find, put, expected):
    seed = tmp_path / "mine.json5"
    text = SEED.read_text()
    assert find in text
    seed.write_text(text.replace(find, put, 1))
    message = refused_to_start("--port", 0, "--ephemeral", "--seed", seed)
    assert "mine.json5" in message and expected in message, message


def test_a_seed_that_is_no_json5_is_refused_with_its_place(tmp_path):
    seed = tmp_path / "mine.json5"
    seed.write_text("{\n  accounts: [,\n}")
    assert "mine.json5" in refused_to_start("--port", 0, "--ephemeral", "--seed", seed)


def test_a_missing_seed_is_named(tmp_path):
    message = refused_to_start("--port", 0, "--ephemeral", "--seed", tmp_path / "missing.json5")
    assert "missing.json5: expected a readable file (No such file or directory)" in message, message


def test_a_seed_of_ones_own_is_used(tmp_path):
    seed = tmp_path / "mine.json5"
    bucket = re.compile(r'(buckets: \[\s*\{\s*name: )"personal-files"')
    text, count = bucket.subn(r'\1"workshop"', SEED.read_text())
    assert count == 1
    seed.write_text(text)
    with Cloud.ephemeral("--seed", seed) as cloud:
        assert [bucket["Name"] for bucket in client(cloud, "s3").list_buckets()["Buckets"]] == ["workshop"]


def test_a_seed_is_applied_to_an_empty_folder_only(tmp_path):
    with Cloud.over(tmp_path) as cloud:
        client(cloud, "s3").create_bucket(Bucket="mine")
        assert cloud.stop() == 0
    with Cloud.over(tmp_path) as cloud:
        assert [bucket["Name"] for bucket in client(cloud, "s3").list_buckets()["Buckets"]] == ["mine", BUCKET]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT], ids=lambda sent: sent.name)
def test_a_signal_ends_an_idle_process_with_success(sent):
    with Cloud.ephemeral() as cloud:
        requests.get(f"{cloud.url}/_virga/health")
        cloud.process.send_signal(sent)
        assert cloud.process.wait(TIMEOUT_SECONDS) == 0, cloud.logged()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT], ids=lambda sent: sent.name)
def test_a_signal_lets_a_running_request_finish(tmp_path, sent):
    body = os.urandom(300_000)
    with Cloud.over(tmp_path) as cloud:
        url = client(cloud, "s3").generate_presigned_url("put_object", Params={"Bucket": BUCKET, "Key": "slow"})
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            connection.sendall(
                f"PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: {len(body)}\r\n"
                "Expect: 100-continue\r\n\r\n".encode())
            answer = connection.makefile("rb")
            assert answer.readline().startswith(b"HTTP/1.1 100")
            assert answer.readline() == b"\r\n"
            connection.sendall(body[:1000])

            cloud.process.send_signal(sent)
            while accepts_connections(cloud):
                pass
            assert cloud.process.poll() is None, "did not wait for the request"
            connection.sendall(body[1000:])
            assert answer.readline().startswith(b"HTTP/1.1 200")
        assert cloud.process.wait(TIMEOUT_SECONDS) == 0, cloud.logged()
    with Cloud.over(tmp_path) as cloud:
        assert client(cloud, "s3").get_object(Bucket=BUCKET, Key="slow")["Body"].read() == body


def accepts_connections(cloud):
    try:
        socket.create_connection(("127.0.0.1", cloud.port)).close()
    except ConnectionError:
        return False
    return True


def test_health_is_checked_by_the_executable_itself(process):
    healthy = run("healthcheck", "--endpoint", process.url)
    assert healthy.returncode == 0, healthy.stderr
    dead = run("healthcheck", "--endpoint", f"http://127.0.0.1:{free_port()}")
    assert dead.returncode != 0 and dead.stderr


def test_env_prints_lines_that_a_shell_understands(cloud):
    lines = run("env", "--endpoint", cloud.url)
    assert lines.returncode == 0, lines.stderr
    aws = Path(sys.executable).parent / "aws"
    identity = subprocess.run(
        ["sh", "-c", f'{lines.stdout}\nexec "$0" sts get-caller-identity --output json', aws], env=clean_environment(),
        text=True, capture_output=True)
    assert identity.returncode == 0, identity.stderr
    assert json.loads(identity.stdout)["Arn"] == f"arn:aws:iam::{ACCOUNT}:root"


@pytest.mark.parametrize("provider", ["company", "google", "facebook", "amazon"])
def test_token_prints_a_token_of_a_running_cloud(cloud, provider):
    printed = run("token", "--provider", provider, "--user", "alice", "--endpoint", cloud.url)
    assert printed.returncode == 0, printed.stderr
    answer = assume(cloud, provider, printed.stdout.strip())
    assert answer["SubjectFromWebIdentityToken"] == cloud.issue(provider, "alice")["subject"]


@pytest.mark.parametrize("command", [
    ["token", "--provider", "company", "--user", "alice"], ["healthcheck"], ["env"], ["tour"],
    ["explain", "--as", "anonymous", "--action", "s3:GetObject"]], ids=lambda command: command[0])
def test_an_endpoint_is_an_origin(cloud, command):
    """An origin may end with a slash. Any other value is an error, and is not printed for the shell."""
    with_slash = run(*command, "--endpoint", f"{cloud.url}/")
    assert with_slash.returncode == (2 if command[0] == "explain" else 0), with_slash.stderr
    for endpoint in ["127.0.0.1:4566", "ftp://127.0.0.1", "http://", "http://a'b", f"{cloud.url}/path"]:
        refused = run(*command, "--endpoint", endpoint)
        assert refused.returncode == 64 and refused.stdout == "" and f"not '{endpoint}'" in refused.stderr, refused


def test_a_token_in_a_file_is_what_the_sdks_read(cloud, tmp_path):
    """The example of the README."""
    token = tmp_path / "token"
    with token.open("wb") as file:
        subprocess.run(
            [executable(), "token", "--provider", "company", "--user", "alice", "--endpoint", cloud.url], stdout=file, check=True,
            env=clean_environment())
    listed = subprocess.run(
        [Path(sys.executable).parent / "aws", "s3", "ls", f"s3://{BUCKET}/employee-0001-alice/"], text=True, capture_output=True,
        env=clean_environment(
            AWS_ENDPOINT_URL=cloud.url, AWS_REGION="us-east-1", AWS_ROLE_ARN=f"arn:aws:iam::{ACCOUNT}:role/personal-files-company",
            AWS_WEB_IDENTITY_TOKEN_FILE=str(token)))
    assert listed.returncode == 0 and "hello.txt" in listed.stdout, listed.stderr


def test_a_cloud_that_is_not_there_is_told_of_in_plain_words():
    endpoint = f"http://127.0.0.1:{free_port()}"
    token = run("token", "--provider", "company", "--user", "alice", "--endpoint", endpoint)
    assert token.returncode == 1 and f'nothing answers at {endpoint}; start a server with "virga serve"' in token.stderr


@pytest.mark.parametrize("flag, value", [
    ("--public-url", "http://"), ("--public-url", "http://a b"), ("--public-url", "https://cloud.example/path"), ("--alias", ""),
    ("--alias", "http://cloud.example"), ("--alias", "cloud.example:80"), ("--alias", "*.cloud.example")])
def test_a_name_that_is_none_is_refused(flag, value):
    assert f"{flag} must " in (message := refused_to_start("--port", 0, flag, value)) and f"not '{value}'" in message


def test_a_variable_that_is_neither_yes_nor_no_is_refused():
    assert "VIRGA_EPHEMERAL must be true or false, not banana." in refused_to_start("--port", 0, VIRGA_EPHEMERAL="banana")
    assert "--control-token must not be empty." in refused_to_start("--port", 0, "--control-token", "")


@pytest.mark.parametrize("host, message", [
    ("8.8.8.8", "cannot listen on 8.8.8.8:0: Cannot assign requested address"),
    ("no.such.invalid", "cannot listen on no.such.invalid:0: there is no such host")])
def test_a_host_that_is_none_of_ours_is_told_of_in_plain_words(host, message):
    assert message in refused_to_start("--port", 0, "--host", host)


def test_an_address_may_stand_in_brackets():
    with Cloud.ephemeral("--host", "[::1]") as cloud:
        assert run("healthcheck", "--endpoint", f"http://[::1]:{cloud.port}").returncode == 0


def test_token_refuses_a_person_it_does_not_know(cloud):
    printed = run("token", "--provider", "company", "--user", "mallory", "--endpoint", cloud.url)
    assert printed.returncode != 0 and "mallory" in printed.stderr and printed.stdout == ""


@pytest.mark.parametrize("fault, error, message", [
    ("otherKey", "InvalidIdentityToken", "could not be validated"), ("expired", "ExpiredTokenException", "Token expired"),
    ("wrongAudience", "InvalidIdentityToken", "could not be validated"), ("algNone", "InvalidIdentityToken", "")])
def test_token_makes_bad_tokens(cloud, fault, error, message):
    printed = run("token", "--provider", "company", "--user", "alice", "--fault", fault, "--endpoint", cloud.url)
    assert printed.returncode == 0, printed.stderr
    with pytest.raises(ClientError) as refused:
        assume(cloud, "company", printed.stdout)
    answer = refused.value.response["Error"]
    assert answer["Code"] == error and message in answer["Message"], answer


def test_token_sets_claims_in_json_and_as_text(cloud):
    claims = ["--claim", "sub=employee-0002-bob", "--claim", "groups=[\"staff\",7]", "--claim", "note=a=b", "--claim", "empty="]
    printed = run("token", "--provider", "company", "--user", "alice", *claims, "--endpoint", cloud.url)
    claims = jwt.decode(printed.stdout, options={"verify_signature": False})
    assert (claims["sub"], claims["groups"], claims["note"], claims["empty"]) == ("employee-0002-bob", ["staff", 7], "a=b", "")


@pytest.mark.parametrize("arguments, message", [
    (["--claim", "sub"], "'sub' is not a claim; write NAME=VALUE."), (["--claim", "=x"], "'=x' is not a claim; write NAME=VALUE."),
    (["--fault", "bent"], "The value 'bent' is invalid for '--fault <fault>'")])
def test_token_refuses_orders_that_make_no_sense(arguments, message):
    printed = run("token", "--provider", "company", "--user", "alice", *arguments)
    assert printed.returncode == 64 and message in printed.stderr and printed.stdout == "", printed.stderr


REFUSED_ON_THE_TOUR = [
    "AccessDenied", "AccessDenied", "SignatureDoesNotMatch", "InvalidIdentityToken", "IDPRejectedClaim", "ExpiredToken", "AccessDenied"]


def test_the_tour_walks_the_chain_and_shows_the_refusals():
    tour = run("tour")
    assert tour.returncode == 0, tour.stdout + tour.stderr
    chains, refusals = tour.stdout.split("The refusals\n")
    for provider in ["facebook", "amazon", "google", "company"]:
        for shown in [f"GET /idp/{provider}/", f"assumed-role/personal-files-{provider}/alice",
                      f"asks for sts:AssumeRoleWithWebIdentity on arn:aws:iam::{ACCOUNT}:role/personal-files-{provider}"]:
            assert shown in chains, f"nothing about {shown} in:\n{chains}"
    for operation in [rf"PUT /{BUCKET}/\S+/notes.txt", rf"GET /{BUCKET}/\S+/notes.txt", rf"GET /{BUCKET}\?\S*prefix="]:
        assert len(re.findall(rf"  {operation}\S* +200", chains)) == 4, operation
    assert "✗" not in chains
    assert re.findall(r"✗ (\w+):", refusals) == REFUSED_ON_THE_TOUR
    for action in ["s3:GetObject", "s3:ListBucket"]:
        assert f"denied because no identity-based policy allows the {action} action" in refusals
    assert "acs:ram::1234567890123456:assumed-role/app-user/alice asks for oss:GetObject" in refusals
    assert "&quot;" not in tour.stdout
    assert tour.stderr == ""


def test_the_tour_may_visit_a_running_cloud(cloud):
    tour = run("tour", "--endpoint", cloud.url)
    assert tour.returncode == 0, tour.stdout + tour.stderr
    assert cloud.url in tour.stdout


def test_the_tour_fails_at_the_first_answer_that_is_another(cloud):
    everybody = {"Effect": "Deny", "Principal": "*", "Action": "s3:PutObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}
    client(cloud, "s3").put_bucket_policy(
        Bucket=BUCKET, Policy=json.dumps({"Version": "2012-10-17", "Statement": [everybody]}))
    tour = run("tour", "--endpoint", cloud.url)
    assert tour.returncode == 1 and "alice could not use her own folder" in tour.stderr
    assert "Every response was as expected" not in tour.stdout


def test_the_tour_and_tokens_know_the_control_token():
    with Cloud.ephemeral("--control-token", "s3cret") as cloud:
        for arguments in [["tour"], ["token", "--provider", "company", "--user", "alice"]]:
            assert run(*arguments, "--endpoint", cloud.url).returncode != 0
            assert run(*arguments, "--endpoint", cloud.url, "--control-token", "s3cret").returncode == 0
            assert run(*arguments, VIRGA_ENDPOINT=cloud.url, VIRGA_CONTROL_TOKEN="s3cret").returncode == 0
        assert run("healthcheck", "--endpoint", cloud.url).returncode == 0


def test_the_tour_says_when_there_is_no_cloud():
    tour = run("tour", "--endpoint", f"http://127.0.0.1:{free_port()}")
    assert tour.returncode != 0 and tour.stderr


def test_every_command_explains_itself():
    overview = run("--help")
    assert overview.returncode == 0
    for command in ["serve", "tour", "env", "token", "explain", "healthcheck"]:
        assert command in overview.stdout
        help_text = run(command, "--help")
        assert help_text.returncode == 0 and "USAGE" in help_text.stdout
    assert executable().name in overview.stdout


def test_an_unknown_flag_is_refused():
    assert "--sed" in refused_to_start("--sed", SEED)


@pytest.mark.parametrize(
    "flag, choices", [("--dialect", "aws or ceph"), ("--bucket-defaults", "modern or legacy")])
def test_a_choice_that_is_none_is_refused(flag, choices):
    assert f"{flag} must be {choices}, not other." in refused_to_start("--port", 0, "--ephemeral", flag, "other")
