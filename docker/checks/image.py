"""The image: built from a clean clone, started as compose does, and in the ways in which containers are run elsewhere."""

import gzip
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from report import report, run
from tools import tools
from walk import Credentials, signed

TAG = "virga"
TOKEN = "choose-one"
# What docker/executable puts beside the executable, and the image has.
PARTS = ["components.tsv", "notices"]
GOAL_MIB, GOAL_MS = 40, 150
SEED = json.dumps({"accounts": [{"id": "111122223333", "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "mounted"}]}]})


def build(engine, clone, binary, work):
    """Builds the image, and the one with a shell."""
    report.heading(f"building the image with {engine.name}" + (f" around {binary}" if binary else ""))
    options = ["--build-arg", f"VIRGA_COMMIT={run('git', '-C', clone, 'rev-parse', 'HEAD').stdout.strip()}"]
    with tempfile.TemporaryDirectory() as parts:
        if binary:
            folder = Path(parts) / "parts"
            folder.mkdir()
            shutil.copy(binary, folder / "virga")
            for name in PARTS:
                shutil.copy(binary.with_name(name), folder)
            options += ["--build-context", f"build={parts}"]
        began = time.monotonic()
        engine.build(clone, "docker/Dockerfile", TAG, *options, log=work / "image.log")
        report.figure("build", f"{time.monotonic() - began:.0f} seconds")
        engine.build(clone, "docker/Dockerfile", f"{TAG}:shell", "--target", "shell", *options, log=work / "image-shell.log")


def size(engine):
    """The size of the image as registries store it: its layers by gzip."""
    saving = subprocess.Popen([engine.name, "save", TAG], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    total = len(gzip.compress(saving.stdout.read(), 6))
    saving.wait()
    return total / 2**20


def check(engine, folder, work):
    """Runs the containers."""
    report.heading("image")
    configuration = json.loads(engine("inspect", TAG))[0]
    labels = configuration["Config"]["Labels"]
    report.figure("size", f"{configuration['Size'] / 2**20:.1f} MiB, compressed {(compressed := size(engine)):.1f} MiB")
    report.expect(compressed <= GOAL_MIB, f"the image has at most {GOAL_MIB} MiB compressed")
    version = engine.ended(TAG, "--version").stdout.split()[1]
    report.expect(labels.get("org.opencontainers.image.version") == version, "the label has the version", str(labels))
    report.expect(configuration["Config"]["User"] not in ("", "0", "root"), "the image runs as an ordinary user")
    files = unpacked(engine, folder)
    sbom = json.loads((files / "usr/share/doc/virga/sbom.cdx.json").read_text())
    report.expect({"swift-nio", "openssl", "libc6"} <= {part["name"] for part in sbom["components"]}, "the image has an SBOM")
    validate(sbom, work)
    shells = [name for name in ["sh", "bash", "dash", "busybox"] if list(files.glob(f"*bin/{name}")) + list(files.glob(f"usr/*bin/{name}"))]
    report.expect(not shells, "the image has no shell", str(shells))
    restart(engine)
    variants(engine, folder)
    shell(engine)


def unpacked(engine, folder):
    """The files of the image."""
    container = engine("create", TAG)
    engine("export", "--output", folder / "image.tar", container)
    engine("rm", container)
    root = folder / "image"
    root.mkdir()
    run("tar", "--extract", "--file", folder / "image.tar", "--directory", root)
    return root


def validate(sbom, work):
    """Checks an SBOM against the schema of CycloneDX."""
    result = run(tools(work), Path(__file__).with_name("validate_sbom.py"), check=False, env={"SBOM": json.dumps(sbom)})
    report.expect(result.returncode == 0, "the SBOM is valid by the schema of CycloneDX 1.5", result.stdout)


def restart(engine):
    """As compose starts it: with a volume, a published port and a read-only root; then once more."""
    volume = engine("volume", "create")
    try:
        options = ["--read-only", *no_tmpfs(engine), "--publish", "127.0.0.1::4566", "--volume", f"{volume}:/data", "--env", f"VIRGA_CONTROL_TOKEN={TOKEN}"]
        times = []
        with engine.start(TAG, options=options) as container:
            container.wait_until_healthy()
            times.append(container.milliseconds_to_ready())
            credentials = Credentials(container.url, TOKEN)
            credentials.store("kept")
            report.expect(credentials.read() == "kept", "login, token, credentials and object, with a read-only root")
            engine("restart", container.identity)
            container.wait_until_healthy()
            credentials.url = container.url
            report.expect(credentials.read() == "kept", "the object and the session are there after a restart")
            began = time.monotonic()
            engine("stop", container.identity)
            report.expect(container.inspect()["State"]["ExitCode"] == 0, "it ends orderly when it is stopped")
            report.figure("stop", f"{(time.monotonic() - began) * 1000:.0f} ms")
        for _ in range(4):
            with engine.start(TAG, options=["--env", f"VIRGA_CONTROL_TOKEN={TOKEN}", "--publish", "127.0.0.1::4566"]) as container:
                container.wait_until_healthy()
                times.append(container.milliseconds_to_ready())
        times.sort()
        report.figure("start to ready", ", ".join(f"{value:.0f}" for value in times) + " ms")
        report.expect(times[len(times) // 2] <= GOAL_MS, f"ready {GOAL_MS} ms after the start of the container (median)")
    finally:
        engine("volume", "rm", "--force", volume)


def no_tmpfs(engine):
    """podman mounts folders in memory over a read-only root; Docker does not."""
    return ["--read-only-tmpfs=false"] if engine.name == "podman" else []


def variants(engine, folder):
    """Other users, seeds, folders, and what is refused."""
    token = ["--env", f"VIRGA_CONTROL_TOKEN={TOKEN}", "--publish", "127.0.0.1::4566"]
    with engine.start(TAG, options=[*token, "--user", "12345"]) as container:
        container.wait_until_healthy()
        credentials = Credentials(container.url, TOKEN)
        credentials.store("other")
        report.expect(credentials.read() == "other", "as another user ID, with a new volume")

    seed = folder / "seed.json5"
    seed.write_text(SEED)
    for name, options in [
            ("a mounted seed", ["--volume", f"{seed}:/seed.json5:ro", "--env", "VIRGA_SEED=/seed.json5"]),
            ("VIRGA_SEED_JSON", ["--env", f"VIRGA_SEED_JSON={SEED}"])]:
        with engine.start(TAG, options=[*token, *options]) as container:
            container.wait_until_healthy()
            found = signed("test", "test", container.url + "/")
            report.expect("<Name>mounted</Name>" in found, f"with {name}", found)

    with engine.start(TAG, options=[*token, "--read-only", *no_tmpfs(engine), "--tmpfs", "/tmp", "--env", "VIRGA_EPHEMERAL=true"]) as container:
        container.wait_until_healthy()
        report.passed("ephemeral, with a read-only root and /tmp in memory")

    refused = engine.ended(TAG)
    report.expect(
        refused.returncode == 1 and "Set VIRGA_CONTROL_TOKEN" in refused.stderr, "without a control token it says what to set", refused.stderr)
    report.figure("message", refused.stderr.strip().splitlines()[-1])
    readonly = folder / "data"
    readonly.mkdir()
    readonly.chmod(0o755)
    refused = engine.ended(TAG, options=[*token, "--user", "12345", "--volume", f"{readonly}:/data"])
    report.expect(
        refused.returncode == 1 and "User 12345 must be able to write there" in refused.stderr,
        "a data folder of another user is named", refused.stderr)
    refused = engine.ended(TAG, options=[*token, "--env", "VIRGA_ON_READY=true"])
    report.expect(refused.returncode == 1 and "--on-ready needs the shell" in refused.stderr, "--on-ready needs the other target", refused.stderr)
    refused = engine.ended(TAG, options=[*token, "--env", "VIRGA_SEED_JSON={acounts: []}"])
    report.expect(refused.returncode == 1 and "VIRGA_SEED_JSON:1:2" in refused.stderr, "a faulty seed is named", refused.stderr)


def shell(engine):
    """The target with a shell."""
    token = ["--env", f"VIRGA_CONTROL_TOKEN={TOKEN}"]
    with engine.start(f"{TAG}:shell", options=[*token, "--env", "VIRGA_ON_READY=virga sandbox create other"]) as container:
        container.wait_until_healthy()
        listed = engine("exec", container.identity, "virga", "sandbox", "list")
        report.expect("other" in listed, "VIRGA_ON_READY in the target with a shell", listed)
    # The command of Testcontainers' LocalStack module for Java, and the script that it copies.
    command = "printf '#!/bin/bash\\nexport A=B\\n/usr/local/bin/docker-entrypoint.sh\\n' > /tmp/start; chmod 755 /tmp/start; exec /tmp/start"
    with engine.start(f"{TAG}:shell", "-c", command, options=[*token, "--entrypoint", "sh"]) as container:
        container.wait_until_healthy()
        report.expect("Ready." in container.log(), "Testcontainers' LocalStack module for Java starts the target with a shell")
