"""`virga run`: a command with a cloud of its own."""

import fcntl
import os
import signal
import subprocess
import sys
import termios

import pytest

from cloud import TIMEOUT_SECONDS, clean_environment, executable

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def heed_signals():
    """Resets signals that a shell in the background makes its programs ignore."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def start(*arguments, **variables):
    return subprocess.Popen(
        [executable(), "run", *map(str, arguments)], env=clean_environment(**variables), text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=heed_signals)


def ended(*arguments, **variables):
    process = start(*arguments, **variables)
    output, log = process.communicate(timeout=TIMEOUT_SECONDS)
    return process.returncode, output, log


def test_a_suite_of_pytest_with_boto3(tmp_path):
    test = tmp_path / "test_files.py"
    test.write_text("""
import boto3

def test_a_file_comes_back():
    s3 = boto3.client("s3")
    s3.put_object(Bucket="personal-files", Key="a", Body=b"hello")
    assert s3.get_object(Bucket="personal-files", Key="a")["Body"].read() == b"hello"

def test_another_fails():
    assert boto3.client("sts").get_caller_identity()["Account"] == "1"
""")
    status, output, log = ended("--", sys.executable, "-m", "pytest", "-q", test)
    assert status == 1 and "1 failed, 1 passed" in output
    assert log == "virga: no calls were refused\n"


def test_a_program_in_go(go_program):
    assert ended("--", go_program("caller"))[:2] == (0, "arn:aws:iam::000000000000:root\n")


def test_a_shell_script_with_the_command_line_of_aws():
    script = "echo hi | aws s3 cp - s3://personal-files/a && aws s3 cp s3://personal-files/a -; exit 5"
    assert ended("--", "sh", "-c", script)[:2] == (5, "hi\n")


def test_commands_of_virga_find_the_cloud_of_the_run_whatever_is_set_for_another_one(tmp_path):
    foreign = {
        "VIRGA_ENDPOINT": "http://127.0.0.1:9", "VIRGA_SANDBOX": "foreign", "VIRGA_CONTROL_TOKEN": "foreign",
        "VIRGA_CONTROL_TOKEN_FILE": tmp_path / "none", "VIRGA_DATA": tmp_path / "data"}
    status, output, log = ended("--", "sh", "-c", f"env | grep ^VIRGA_; '{executable()}' log", **foreign)
    assert status == 0, log
    [endpoint] = [line for line in output.splitlines() if line.startswith("VIRGA_")]
    assert endpoint.startswith("VIRGA_ENDPOINT=http://127.0.0.1:") and endpoint != "VIRGA_ENDPOINT=http://127.0.0.1:9"


def test_a_web_identity_has_a_token_and_no_keys(tmp_path):
    foreign = {"AWS_ACCESS_KEY_ID": "AKIAFOREIGN", "AWS_SECRET_ACCESS_KEY": "x", "AWS_SESSION_TOKEN": "x", "AWS_PROFILE": "work"}
    script = "env; stat -c %a $AWS_WEB_IDENTITY_TOKEN_FILE; aws sts get-caller-identity --query Arn --output text; aws s3 ls"
    status, output, log = ended("--as", "alice@company", "--role", "personal-files-company", "--", "sh", "-c", script, TMPDIR=tmp_path, **foreign)
    assert status != 0
    names = {line.partition("=")[0] for line in output.splitlines()}
    assert not names & set(foreign) and "AWS_ROLE_ARN" in names
    assert "600" in output.splitlines()
    assert output.splitlines()[-1] == "arn:aws:sts::000000000000:assumed-role/personal-files-company/alice"
    assert "virga: 1 call was refused\n  1 × s3:ListBuckets by arn:aws:sts::" in log and "because no identity-based policy" in log
    assert list(tmp_path.iterdir()) == []


def test_what_leads_elsewhere_is_removed():
    foreign = {
        "AWS_ENDPOINT_URL_S3": "http://other", "AWS_ENDPOINT_URL_DYNAMODB": "http://other", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://x",
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", "ALIYUN_ACCESS_KEY_ID": "x", "ALICLOUD_REGION": "cn-beijing", "NO_PROXY": "example.com"}
    _, output, _ = ended("--", "env", **foreign)
    variables = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    assert not [name for name in foreign if name in variables and name != "NO_PROXY"]
    assert variables["ALIBABA_CLOUD_CREDENTIALS_FILE"] == "/dev/null"
    assert variables["NO_PROXY"] == "example.com,127.0.0.1,localhost" == variables["no_proxy"]
    assert variables["AWS_ENDPOINT_URL"] == variables["OSS_ENDPOINT"] == variables["VIRGA_ENDPOINT"]
    assert variables["ALIBABA_CLOUD_ACCESS_KEY_ID"] == "LTAI5tVirgaRoot000000001"


def test_the_token_of_a_killed_run_is_removed_by_the_next_one(tmp_path):
    identity = ["--as", "alice@company", "--role", "personal-files-company"]
    process = start(*identity, "--", "sh", "-c", "echo ready; exec sleep 1000", TMPDIR=tmp_path)
    assert process.stdout.readline() == "ready\n"
    [token] = tmp_path.glob("*/token")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    os.killpg(process.pid, signal.SIGKILL)
    assert token.exists()
    # A process that has just created its lock is about to take it, so locks must be older than a minute.
    for lock in tmp_path.glob("*/virga-temporary.lock"):
        os.utime(lock, (1, 1))
    assert ended(*identity, "--", "true", TMPDIR=tmp_path)[0] == 0
    assert list(tmp_path.iterdir()) == []


def test_clients_of_alibaba_cloud_come_here_without_keys_of_it(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text('{accounts: [{id: "111122223333", rootKeys: [{id: "AKIAOWN", secret: "own"}]}]}')
    _, output, _ = ended("--seed", seed, "--", "env", OSS_ENDPOINT="http://other", OSS_REGION="cn-beijing", OSS_ACCESS_KEY_ID="x")
    variables = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    assert variables["OSS_ENDPOINT"] == variables["VIRGA_ENDPOINT"] and variables["OSS_REGION"] == "cn-hangzhou"
    assert "OSS_ACCESS_KEY_ID" not in variables


def test_a_seed_of_ones_own_brings_its_keys(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text('{accounts: [{id: "111122223333", rootKeys: [{id: "AKIAOWN", secret: "own"}]}]}')
    assert ended("--seed", seed, "--", "aws", "sts", "get-caller-identity", "--query", "Account")[:2] == (0, '"111122223333"\n')


@pytest.mark.parametrize("number", SIGNALS)
def test_signals_are_forwarded(number):
    waiting = (
        f"import signal, sys; numbers = {[int(each) for each in SIGNALS]}; signal.pthread_sigmask(signal.SIG_BLOCK, numbers)\n"
        "print('ready', flush=True); print('got', int(signal.sigwait(numbers))); sys.exit(9)")
    process = start("--", sys.executable, "-c", waiting)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    assert process.communicate(timeout=TIMEOUT_SECONDS)[0] == f"got {int(number)}\n"
    assert process.returncode == 9


def test_a_command_that_a_signal_ended():
    assert ended("--", "sh", "-c", "kill -TERM $$")[0] == 128 + signal.SIGTERM


@pytest.mark.parametrize("arguments, status, text", [
    (["--", "no-such-command"], 127, "virga: no-such-command: command not found"),
    (["--", "/etc/passwd"], 126, "virga: /etc/passwd: Permission denied"),
    (["--seed", "/no/such/seed", "--", "echo", "started"], 1, "/no/such/seed"),
    ([], 64, "Give the command after --"), (["--as", "alice@company", "--", "true"], 64, "--as and --role need each other."),
    (["--as", "alice", "--role", "r", "--", "true"], 64, "--as must be USER@PROVIDER"),
    (["--as", "nobody@company", "--role", "r", "--", "echo", "started"], 1, "nobody")])
def test_a_command_that_cannot_be_run(arguments, status, text):
    code, output, log = ended(*arguments)
    assert (code, output) == (status, "") and text in log


def test_nothing_of_it_is_left_open_in_the_command():
    status, output, _ = ended("--", "sh", "-c", "ls /proc/self/fd | wc -l")
    assert (status, int(output)) == (0, 4)


def test_a_hang_up_of_the_terminal_reaches_the_command(tmp_path):
    """When a terminal closes, only the leader of its session gets SIGHUP; here that is virga."""
    marker = tmp_path / "marker"
    leader, follower = os.openpty()
    process = subprocess.Popen(
        [executable(), "run", "--", "sh", "-c", f"trap 'echo hung up > {marker}; exit 9' HUP; echo ready; while :; do sleep 0.05; done"],
        env=clean_environment(TMPDIR=str(tmp_path)), stdin=follower, stdout=follower, stderr=follower, start_new_session=True,
        preexec_fn=lambda: (heed_signals(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
    os.close(follower)
    read_until(leader, b"ready")
    os.close(leader)
    assert process.wait(TIMEOUT_SECONDS) == 9
    assert marker.read_text() == "hung up\n" and list(tmp_path.iterdir()) == [marker]


def read_until(descriptor, text):
    seen = b""
    while text not in seen:
        seen += os.read(descriptor, 1024)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_the_command_starts_leaves_nothing(tmp_path, number):
    fifo, files = tmp_path / "seed", tmp_path / "files"
    os.mkfifo(fifo)
    files.mkdir()
    process = start("--seed", fifo, "--", "echo", "started", TMPDIR=files)
    # It has opened the seed and waits for its content.
    with open(fifo, "w") as seed:
        process.send_signal(number)
        seed.write("{}")
    output, _ = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, output, list(files.iterdir())) == (128 + number, "", [])


def test_refusals_before_a_reset_are_listed_as_well():
    script = 'aws s3 ls --no-sign-request; curl --silent --request POST "$VIRGA_ENDPOINT/_virga/reset"; exit 0'
    status, _, log = ended("--", "sh", "-c", script)
    assert status == 0 and "virga: 1 call was refused\n  1 × s3:ListBuckets" in log


def test_denials_that_are_served_are_listed():
    status, _, log = ended(
        "--authorization", "report", "--as", "alice@company", "--role", "personal-files-company", "--", "aws", "s3", "ls")
    assert status == 0 and "virga: 1 call was served that policies deny\n  1 × s3:ListBuckets" in log and "would be denied" in log


def test_seeds_can_be_a_variable(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text('{accounts: [{id: "111122223333", rootKeys: [{id: "AKIAOWN", secret: "own"}]}]}')
    command = ["--", "aws", "sts", "get-caller-identity", "--query", "Account"]
    assert ended(*command, VIRGA_SEED=seed)[:2] == (0, '"111122223333"\n')


def test_a_forgotten_separator_is_told_of():
    status, _, log = ended("pytest", "-q")
    assert status == 64 and "Give the command after --, such as: virga run -- pytest -q" in log
