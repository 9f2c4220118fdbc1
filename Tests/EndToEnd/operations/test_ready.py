"""Effects of a start: `--ready-file`, `--on-ready`, and signals at any moment."""

import os
import signal
import socket
import subprocess

import pytest

from cloud import TIMEOUT_SECONDS, Cloud, clean_environment, executable, run, wait_until


def is_running(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{number}/stat") as status:
        return status.read().split()[2] != "Z"


@pytest.mark.parametrize("trap", ["", "trap '' TERM; "])
def test_the_command_ends_with_the_server(tmp_path, trap):
    file = tmp_path / "number"
    with Cloud.ephemeral("--on-ready", f"{trap}echo $$ > {file}; while :; do sleep 0.05; done") as cloud:
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
        number = int(file.read_text())
        assert is_running(number)
        assert cloud.stop() == 0
        wait_until(lambda: not is_running(number))


def test_the_command_does_not_write_where_the_ready_line_stands_and_has_the_token(tmp_path):
    process = subprocess.Popen(
        [executable(), "serve", "--port", "0", "--control-token", "s3cret", "--ready-file", tmp_path / "ready", "--on-ready",
         "echo said; echo $VIRGA_CONTROL_TOKEN > " + str(tmp_path / "token")],
        env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until((tmp_path / "ready").exists)
    process.terminate()
    output, log = process.communicate(timeout=TIMEOUT_SECONDS)
    assert len(output.splitlines()) == 1 and output.startswith("virga ready http://") and "said\n" in log
    assert (tmp_path / "token").read_text() == "s3cret\n"


def test_a_ready_file_of_an_earlier_process_says_nothing(tmp_path):
    file, gate = tmp_path / "ready", tmp_path / "gate"
    file.write_text("http://127.0.0.1:1\n")
    os.mkfifo(gate)
    with Cloud.ephemeral("--ready-file", file, "--on-ready", f"cat {gate}") as cloud:
        assert not file.exists()
        gate.write_text("go\n")
        wait_until(file.exists)
        assert file.read_text() == f"{cloud.url}\n" and [path.name for path in tmp_path.iterdir() if path.is_file()] == ["ready"]
        # Another server's file at the same path is not removed with this one.
        (tmp_path / "other").write_text("other")
        os.replace(tmp_path / "other", file)
        assert cloud.stop() == 0
    assert file.read_text() == "other"


def test_a_ready_file_that_cannot_be_one_is_refused(tmp_path):
    result = run("serve", "--port", 0, "--ready-file", tmp_path)
    assert result.returncode == 1 and f"{tmp_path} exists and is not a regular file" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_leaves_nothing_behind(tmp_path, number):
    # The parent of this process may ignore SIGHUP, which children inherit.
    process = subprocess.Popen(
        [executable(), "serve", "--port", "0", "--ready-file", tmp_path / "ready"], env=clean_environment(TMPDIR=str(tmp_path)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    wait_until((tmp_path / "ready").exists)
    process.send_signal(number)
    assert process.wait(TIMEOUT_SECONDS) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_second_signal_leaves_nothing_behind(tmp_path):
    # A running request delays the first signal.
    with Cloud.ephemeral("--grace", "86400", "--ready-file", tmp_path / "ready", TMPDIR=tmp_path) as cloud:
        wait_until((tmp_path / "ready").exists)
        with socket.create_connection(("127.0.0.1", cloud.port)) as connection:
            connection.sendall(b"POST /_virga/clock HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n")
            assert connection.recv(64).startswith(b"HTTP/1.1 100")
            cloud.process.terminate()
            wait_until(lambda: not accepts(cloud.port))
            cloud.process.terminate()
            assert cloud.process.wait(TIMEOUT_SECONDS) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def accepts(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def test_a_closed_standard_output_does_not_become_a_file(tmp_path):
    process = subprocess.Popen(
        ["sh", "-c", f"exec {executable()} serve --port 0 --data {tmp_path}/data --ready-file {tmp_path}/ready >&-"],
        env=clean_environment(), stderr=subprocess.PIPE)
    wait_until((tmp_path / "ready").exists)
    process.terminate()
    assert process.wait(TIMEOUT_SECONDS) == 0
    for file in (tmp_path / "data").iterdir():
        assert b"virga ready" not in file.read_bytes()
