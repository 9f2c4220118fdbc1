"""Where the control token comes from: a flag, a file or a variable, for the server and for every command that asks it."""

import os
import subprocess
from pathlib import Path

import pytest
import requests

from cloud import TIMEOUT_SECONDS, Cloud, clean_environment, executable, run, wait_until

TOKEN = "s3cret"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "token"
    path.write_text(TOKEN + "\n")
    return path


def is_open_with_token(cloud):
    return [requests.get(f"{cloud.url}/_virga/journal", headers=headers).status_code for headers in [{}, BEARER]] == [401, 200]


@pytest.mark.parametrize("start, end", [("", ""), ("", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_the_server_reads_a_file(tmp_path, start, end):
    file = tmp_path / "token"
    file.write_bytes((start + TOKEN + end).encode())
    for arguments, variables in [(["--control-token-file", file], {}), ([], {"VIRGA_CONTROL_TOKEN_FILE": str(file)})]:
        with Cloud.ephemeral("--require-control-token", *arguments, **variables) as cloud:
            assert is_open_with_token(cloud)
            assert TOKEN not in Path(f"/proc/{cloud.process.pid}/cmdline").read_text()
            assert cloud.stop() == 0


def test_a_flag_wins_over_both_variables(tmp_path, file):
    other = tmp_path / "other"
    other.write_text("other")
    for arguments in [["--control-token", TOKEN], ["--control-token-file", file]]:
        for variables in [{"VIRGA_CONTROL_TOKEN": "other"}, {"VIRGA_CONTROL_TOKEN_FILE": str(other)}]:
            with Cloud.ephemeral(*arguments, **variables) as cloud:
                assert is_open_with_token(cloud)


def test_every_client_reads_a_file(file, tmp_path):
    commands = [["log"], ["explain", "--as", "arn:aws:iam::000000000000:root", "--action", "s3:ListAllMyBuckets", "--resource", "*"],
                ["sandbox", "list"], ["token", "--provider", "company", "--user", "alice"], ["seed", "export"],
                ["env", "--as", "alice@company", "--role", "personal-files-company",
                 "--token-file", tmp_path / "web-identity"], ["tour"], ["drain"], ["drain", "--undo"]]
    with Cloud.ephemeral("--control-token-file", file, "--usage") as cloud:
        for command in commands:
            refused = run(*command, "--endpoint", cloud.url)
            assert refused.returncode != 0, command
        for command in commands:
            for arguments, variables in [(["--control-token-file", file], {}), ([], {"VIRGA_CONTROL_TOKEN_FILE": str(file)})]:
                done = run(*command, "--endpoint", cloud.url, *arguments, **variables)
                assert done.returncode == 0 or "token" not in done.stderr and done.returncode == 2, (command, done.stderr)
        assert run("healthcheck", "--endpoint", cloud.url).returncode == 0


@pytest.mark.parametrize("content, message", [
    (None, "does not exist; write the token into this file, or name another one"), (b"", "is empty; write the token into it"),
    (b"\n", "is empty; write the token into it"), (b"\r\n", "is empty; write the token into it"),
    *[(content, "has more than the token; it must have one line, without spaces around it and without control characters")
      for content in [b"a\nb\n", b"a\n\n", b" a\n", b"a \n", b"a\x00b", b"a\r"]],
    (b"\xff", "is not UTF-8; write the token into it as text")])
def test_a_file_without_a_token_is_refused(tmp_path, content, message):
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    for command in [["serve", "--port", 0], ["log"], ["sandbox", "list"], ["tour", "--endpoint", "http://127.0.0.1:1"]]:
        for name, arguments, variables in [("--control-token-file", ["--control-token-file", file], {}),
                                           ("VIRGA_CONTROL_TOKEN_FILE", [], {"VIRGA_CONTROL_TOKEN_FILE": str(file)})]:
            done = run(*command, *arguments, **variables)
            assert done.returncode == 1, (command, done.stderr)
            assert f"cannot use the control token of {name}: {file} {message}" in done.stderr


def test_a_pipe_without_a_writer_is_empty(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for command in [["serve", "--port", 0], ["log"]]:
        done = run(*command, "--control-token-file", pipe)
        assert done.returncode == 1 and f"{pipe} is empty; write the token into it" in done.stderr
    done = run("serve", "--port", 0, "--seed", pipe)
    assert done.returncode == 1 and f"{pipe}" in done.stderr and "expected a value" in done.stderr, done.stderr


def test_a_pipe_with_a_writer_is_read():
    with Cloud.ephemeral("--control-token", TOKEN) as cloud:
        script = f'exec "$0" log --endpoint "$1" --control-token-file <(printf {TOKEN})'
        done = subprocess.run(
            ["bash", "-c", script, str(executable()), cloud.url], capture_output=True, text=True, env=clean_environment(),
            stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS)
        assert done.returncode == 0, done.stderr


def test_a_folder_is_no_file_with_a_token(tmp_path):
    done = run("serve", "--port", 0, "--control-token-file", tmp_path)
    assert done.returncode == 1 and f"cannot read {tmp_path}: Is a directory" in done.stderr


def test_a_file_without_an_end_is_not_read_to_it():
    for command in [["serve", "--port", 0], ["log"]]:
        done = run(*command, "--control-token-file", "/dev/zero")
        assert done.returncode == 1 and "cannot read /dev/zero: it has more than 64 KiB" in done.stderr, done.stderr
    done = run("run", "--golden", "/dev/zero", "--", "true")
    assert done.returncode == 1 and "cannot read /dev/zero: it has more than 256 MiB" in done.stderr, done.stderr


def test_two_tokens_are_refused(file):
    for command in [["serve", "--port", 0], ["log"], ["sandbox", "list"], ["tour"]]:
        done = run(*command, "--control-token", TOKEN, "--control-token-file", file)
        assert done.returncode == 64 and "--control-token and --control-token-file cannot be combined. Pass one of them." in done.stderr
        done = run(*command, VIRGA_CONTROL_TOKEN=TOKEN, VIRGA_CONTROL_TOKEN_FILE=str(file))
        assert done.returncode == 64 and "VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined. Set one of them." in done.stderr
        assert run(*command, "--control-token", "").returncode == 64
        assert run(*command, "--control-token-file", "").returncode == 64


def test_a_command_of_on_ready_gets_the_token_once(file, tmp_path):
    answer = tmp_path / "answer"
    with Cloud.ephemeral("--on-ready", f"echo $VIRGA_CONTROL_TOKEN $VIRGA_CONTROL_TOKEN_FILE > {answer}", "--ready-file", tmp_path / "ready",
                         VIRGA_CONTROL_TOKEN_FILE=str(file)) as cloud:
        wait_until(lambda: requests.get(f"{cloud.url}/_virga/ready").status_code == 200)
        assert answer.read_text() == TOKEN + "\n"
        assert cloud.stop() == 0


def test_completions_know_the_flag():
    for shell in ["bash", "zsh", "fish"]:
        assert "control-token-file" in run("--generate-completion-script", shell).stdout
