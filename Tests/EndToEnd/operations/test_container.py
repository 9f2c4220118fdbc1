"""What container engines, Testcontainers and CI services rely on: settings from the environment alone, a line in the log, health paths, and
the end after SIGTERM. The image itself needs an engine (docker/check), so its entry point runs here without one."""

import json
import os
import re
import signal
import subprocess

import pytest
import requests

from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment, executable, free_port, run, wait_until

DOCKERFILE = (REPOSITORY / "docker" / "Dockerfile").read_text()
SEED = json.dumps({"accounts": [{
    "id": "111122223333", "rootKeys": [{"id": "test", "secret": "test"}],
    "buckets": [{
        "name": "uploads", "objects": [{"key": f"{number}.txt", "text": "hello"} for number in range(200)],
        "policy": {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::uploads/*"}]},
        "publicAccess": "allowed"}]}]})


def instruction(name):
    """The last instruction of this name in the Dockerfile, without its name."""
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)[-1]


class Container:
    """The entry point of the image, as an engine starts it: with the variables of the Dockerfile, and its arguments unless there are others."""

    def __init__(self, folder, *arguments, user=None, **variables):
        assert json.loads(instruction("ENTRYPOINT")) == ["/usr/local/bin/virga"]
        self.url = f"http://127.0.0.1:{free_port()}"
        given = dict(word.split("=") for word in instruction("ENV").split())
        given |= {"VIRGA_PORT": self.url.rpartition(":")[2], "VIRGA_DATA": str(folder / "data")}
        self.log = folder / "log"
        self.output = folder / "output"
        with open(self.log, "w") as log, open(self.output, "w") as output:
            self.process = subprocess.Popen(
                [executable(), *(arguments or json.loads(instruction("CMD")))], stdin=subprocess.DEVNULL, stdout=output, stderr=log,
                cwd=folder, env=clean_environment(**given | variables), user=user)

    def status(self, path):
        """The status of a response; `None` while nothing listens."""
        try:
            return requests.get(self.url + path).status_code
        except requests.ConnectionError:
            return None

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT_SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.mark.parametrize("path", ["/_virga/health", "/_virga/ready", "/_localstack/health"])
def test_a_container_is_healthy_once_it_is_seeded(tmp_path, path):
    with Container(tmp_path, VIRGA_CONTROL_TOKEN="t", VIRGA_SEED_JSON=SEED) as container:
        seen = []

        def is_healthy():
            seen.append(container.status(path))
            return seen[-1] == 200

        wait_until(is_healthy)
        assert requests.get(f"{container.url}/uploads/199.txt").text == "hello"
        assert set(seen[:-1]) <= {None, 503}
        assert container.stop() == 0
    assert container.output.read_text() == f"virga ready {container.url}\n"


# (Testcontainers' LocalStack modules for Java, Node.js and Python.)
@pytest.mark.parametrize("pattern", [r"(?s).*Ready\.\n", "Ready", r"Ready\.\n"])
def test_the_log_has_the_line_that_modules_for_localstack_wait_for(tmp_path, pattern):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with Container(tmp_path, VIRGA_CONTROL_TOKEN="t", VIRGA_ON_READY=f"cat {gate}") as container:
        wait_until(lambda: container.output.read_text().startswith("virga ready "))
        assert not re.search(pattern, container.log.read_text())
        gate.write_text("go\n")
        wait_until(lambda: re.search(pattern, container.log.read_text()))
        assert container.status("/_virga/ready") == 200
        # They wait for the line once.
        assert container.stop() == 0
    assert container.log.read_text().count("Ready.\n") == 1


def test_the_health_of_localstack(tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with Cloud.ephemeral("--on-ready", f"cat {gate}", "--control-token", "t") as cloud:
        address = f"{cloud.url}/_localstack/health"
        starting = requests.get(address)
        assert (starting.status_code, starting.json()["services"]["s3"]) == (503, "starting")
        gate.write_text("go\n")
        wait_until(lambda: requests.get(address).status_code == 200)
        answer = requests.get(address)
        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == {
            "services": {"iam": "available", "s3": "available", "sts": "available"}, "edition": "virga",
            "version": run("--version").stdout.strip().removeprefix("virga ")}
        # Scripts look for this text.
        assert '"s3": "available"' in answer.text
        head = requests.head(address)
        assert (head.status_code, head.content) == (200, b"")


def test_the_health_of_localstack_is_no_bucket_and_no_control_call(cloud):
    for method in ["PUT", "POST", "DELETE"]:
        answer = requests.request(method, f"{cloud.url}/_localstack/health", headers={"Host": "localhost"})
        assert answer.headers["content-type"] == "application/xml", answer.text
    # A host that names a bucket serves the bucket only.
    answer = requests.get(f"{cloud.url}/_localstack/health", headers={"Host": "personal-files.localhost"})
    assert (answer.status_code, "AccessDenied" in answer.text) == (403, True)
    assert requests.get(f"{cloud.url}/_localstack/health").status_code == 200


@pytest.mark.parametrize("path", ["/minio/health/live", "/minio/health/ready"])
def test_the_health_of_minio_is_an_object(cloud, path):
    """MinIO reserves the bucket `minio`, which S3 does not."""
    answer = requests.get(cloud.url + path)
    assert (answer.status_code, "<Code>NoSuchBucket</Code>" in answer.text) == (404, True)


def test_a_container_needs_a_control_token(tmp_path):
    with Container(tmp_path) as container:
        assert container.process.wait(TIMEOUT_SECONDS) == 1
    [line] = container.log.read_text().splitlines()
    assert line == (
        "Error: There is no control token. Set VIRGA_CONTROL_TOKEN or VIRGA_CONTROL_TOKEN_FILE, for a container with --env VIRGA_CONTROL_TOKEN=choose-one. "
        "Without one, any machine that reaches this server could reset it.")


def test_a_control_token_is_required_only_on_request(tmp_path):
    result = run("serve", "--port", 0, "--require-control-token")
    assert result.returncode == 1 and "There is no control token." in result.stderr
    with Cloud.ephemeral("--require-control-token", "--control-token", "t"):
        pass
    with Container(tmp_path, VIRGA_REQUIRE_CONTROL_TOKEN="false") as container:
        wait_until(lambda: container.status("/_virga/ready") == 200)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may start a process of another user")
def test_a_data_folder_of_another_user(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "data").mkdir(mode=0o755)
    with Container(tmp_path, user=12345, VIRGA_CONTROL_TOKEN="t") as container:
        assert container.process.wait(TIMEOUT_SECONDS) == 1
    assert container.log.read_text() == (
        f"Error: The data folder {tmp_path}/data cannot be used: Permission denied. User 12345 must be able to write there.\n")


def test_a_container_runs_another_command(tmp_path):
    with Container(tmp_path, "--version", VIRGA_CONTROL_TOKEN="t") as container:
        assert container.process.wait(TIMEOUT_SECONDS) == 0
    assert container.output.read_text() == run("--version").stdout


def test_a_faulty_seed_ends_a_container(tmp_path):
    with Container(tmp_path, VIRGA_CONTROL_TOKEN="t", VIRGA_SEED_JSON="{acounts: []}") as container:
        assert container.process.wait(TIMEOUT_SECONDS) == 1
    assert "VIRGA_SEED_JSON:1" in container.log.read_text() and "Ready." not in container.log.read_text()


@pytest.mark.parametrize("arguments", [["--quiet"], ["--log-format", "json"]])
def test_a_log_without_a_banner_has_no_ready_line(arguments):
    with Cloud.ephemeral(*arguments) as cloud:
        wait_until(lambda: requests.get(f"{cloud.url}/_virga/ready").status_code == 200)
        assert cloud.stop() == 0
        assert "Ready" not in cloud.logged()


def test_the_context_of_the_image_has_what_is_copied():
    context = (REPOSITORY / ".dockerignore").read_text().splitlines()
    assert context[0] == "*"
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    names = [name.rstrip("*") for line in copied for name in line.split()]
    assert "docker/executable" in names and all((REPOSITORY / name).exists() for name in names if name != "Package.resolved")
    assert {f"!{name}" for name in names} <= set(context)


def test_the_build_of_the_image_has_the_files_that_the_toolset_names():
    toolset = json.loads((REPOSITORY / "docker" / "toolset.json").read_text())
    named = [option.partition("=")[2] for option in toolset["linker"]["extraCLIOptions"] if "=docker/" in option]
    assert "docker/functions.order" in named
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    assert {"docker/toolset.json", *named} <= {name for line in copied for name in line.split()}
    assert all((REPOSITORY / name).is_file() for name in named)


def test_the_image_has_the_version_of_the_program():
    versions = re.findall(r"^ARG VIRGA_VERSION=(.+)$", DOCKERFILE, re.MULTILINE)
    assert set(versions) == {run("--version").stdout.split()[1]}
