"""The cloud that the tests share. A test that needs its own process starts a `Cloud` in a `with` statement."""

import fcntl
import os
import subprocess
from pathlib import Path

import pytest

from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, Endpoint, clean_environment
from clients import client
from harbour import serving as serving_harbour
from navigation import chromium
from office import SEED as OFFICE
from programs import installed, search_path
from ridgeline import register_app, serving
from sandboxes import Sandbox
from service_providers import KeyPair, OneLogin, PySAML2

# The suite of a user of the Python package, which `test_python_package.py` runs.
collect_ignore = ["python_sample"]


@pytest.fixture(scope="session", autouse=True)
def environment_of_the_tests():
    """Removes the developer's own AWS and proxy settings and programs from the environment of clients."""
    with search_path() as path, pytest.MonkeyPatch.context() as patch:
        wanted = clean_environment(PATH=path)
        for name in set(os.environ) - set(wanted):
            patch.delenv(name)
        for name, value in wanted.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """The file to which the shared process writes its CA certificate."""
    return tmp_path_factory.mktemp("authority") / "ca.pem"


@pytest.fixture(scope="session")
def process(environment_of_the_tests, authority):
    with Cloud.ephemeral("--tls-port", "0", "--ca-file", authority, listeners=2) as cloud:
        yield cloud
        assert cloud.process.poll() is None, f"ended by itself with {cloud.process.returncode}:\n{cloud.logged()}"
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture(scope="session")
def opendal_client(process, authority):
    """Makes OpenDAL trust the shared process. Every test that uses the library requests this fixture.

    The library has one HTTP client for the whole Python process. It creates the client at its first request, and reads SSL_CERT_FILE
    then.
    """
    import opendal

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority))
        operator = opendal.Operator(
            "s3", bucket="none", endpoint=process.url, region="us-east-1", access_key_id="test", secret_access_key="test")
        assert not operator.exists("none")


@pytest.fixture
def cloud(process):
    """The shared process, with its seed."""
    process.reset()
    return process


@pytest.fixture(params=["http", "https"])
def endpoint(request, cloud, authority):
    """The shared process, over HTTP and over HTTPS, because clients send bodies differently."""
    addresses = {url.partition("://")[0]: url for url in cloud.urls}
    return Endpoint(addresses[request.param], authority if request.param == "https" else None)


@pytest.fixture
def tool(tmp_path):
    """Runs a program to its end and returns its standard output. Fails unless it is installed and exits with `status`."""

    def run(name, *arguments, status=0, **variables):
        result = subprocess.run(
            [installed(name), *map(str, arguments)], text=True, capture_output=True, cwd=tmp_path, stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS, env=clean_environment(HOME=str(tmp_path), **variables))
        assert result.returncode == status, f"{name} ended with {result.returncode}:\n{result.stdout}{result.stderr}"
        return result.stdout

    return run


@pytest.fixture(scope="session")
def go_program(environment_of_the_tests, tmp_path_factory):
    """Returns the path of a compiled program of the folder `go`. Its libraries are Debian packages, which the compiler finds in its old
    workspace layout. The first test process that needs a program compiles it."""
    # Each test process has its own folder within that of the run.
    run = tmp_path_factory.getbasetemp()
    folder = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run

    def compiled(name):
        program = folder / f"go-{name}"
        with open(folder / f"go-{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not program.exists():
                built = subprocess.run(
                    [installed("go"), "build", "-o", program, Path(__file__).parent / "go" / f"{name}.go"], text=True, capture_output=True,
                    env=os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "CGO_ENABLED": "0"})
                assert built.returncode == 0, built.stderr
        return program

    return compiled


@pytest.fixture
def tree(tmp_path):
    """A folder of typical files: nested, empty, with unusual names, and one that needs a multipart upload."""
    folder = tmp_path / "source"
    contents = {
        "notes.txt": b"text", "empty": b"", "deep/er/two words.bin": os.urandom(300_000), "deep/ü+%&=~.txt": b"odd",
        "film.bin": os.urandom(20 << 20)}
    for name, content in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        # Some clients upload a file again if it is newer than its copy, and copies have times in whole seconds.
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return folder


@pytest.fixture
def root(cloud):
    """An S3 client of the account's root user."""
    return client(cloud, "s3")


@pytest.fixture
def bucket(root):
    """An empty bucket."""
    root.create_bucket(Bucket="workshop")
    return "workshop"


@pytest.fixture(scope="session")
def ridgeline_process(environment_of_the_tests):
    with serving() as cloud:
        yield cloud


@pytest.fixture
def ridgeline(ridgeline_process):
    """A process with the seed of the mobile cloud, at whose identity provider the process's exchange endpoint is registered."""
    ridgeline_process.reset()
    register_app(ridgeline_process)
    return ridgeline_process


@pytest.fixture(scope="session")
def harbour_process(environment_of_the_tests):
    with serving_harbour() as cloud:
        yield cloud


@pytest.fixture
def harbour(harbour_process):
    """A process with the seed of an app on Alibaba Cloud."""
    harbour_process.reset()
    return harbour_process


@pytest.fixture(scope="module")
def office(process):
    """A sandbox with the seed of a small office."""
    with Sandbox.seeded(process, OFFICE) as cloud:
        yield cloud


@pytest.fixture(scope="session")
def tidepool_process(process):
    with Sandbox.seeded(process, (REPOSITORY / "seed" / "vending-machine.json5").read_text()) as cloud:
        yield cloud


@pytest.fixture
def tidepool(tidepool_process):
    """A sandbox with the seed of an app at the token vending machines."""
    tidepool_process.reset()
    return tidepool_process


@pytest.fixture(scope="session")
def keys():
    return KeyPair("service provider")


@pytest.fixture
def onelogin(cloud, keys):
    return OneLogin(cloud, keys)


@pytest.fixture
def pysaml2(cloud, keys, tmp_path):
    return PySAML2(cloud, keys, tmp_path)


@pytest.fixture
def browser():
    """Headless Chromium."""
    with chromium() as driver:
        yield driver
