"""The pytest plugin: a cloud for each test process, and a fresh state of it for each test."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Generator, Iterator, Mapping, Optional

import pytest

from .cloud import Cloud
from .environment import ClientVariables
from .errors import CloudError
from .refusals import TITLE, refusal_report
from .seeds import SeedSource
from .server import Server
from .suite import Suite, worker_sandbox

_CLOUD = pytest.StashKey[Cloud]()
_MARKER = "virga(snapshot=None, clock=None, faults=(), seed=None): the state, the time and the errors on demand with which a test begins."
_ARGUMENTS = ("snapshot", "clock", "faults", "seed")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("virga", "Virga, a local cloud")
    group.addoption(
        "--virga-url", metavar="URL", help="use the server at this URL, in a sandbox for each test process [VIRGA_ENDPOINT]")
    group.addoption("--virga-seed", metavar="FILE", help="fill the cloud from this seed")
    group.addoption(
        "--virga-executable", metavar="FILE", help="the executable to start [VIRGA_EXECUTABLE, the package's own, PATH]")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture(scope="session")
def virga_seed(request: pytest.FixtureRequest) -> Optional[SeedSource]:
    """The seed of the cloud: JSON5 text, a path or an object. By default that of --virga-seed, else the Personal File Store. Override it."""
    file = request.config.getoption("--virga-seed")
    return None if file is None else Path(file)


@pytest.fixture(scope="session")
def virga_prepare() -> Optional[Callable[[Cloud], Any]]:
    """A function that prepares the cloud, for example makes buckets. Its result is the state in which each test begins. Override it."""
    return None


@pytest.fixture(scope="session")
def virga_server(request: pytest.FixtureRequest, virga_seed: Optional[SeedSource]) -> Iterator[Cloud]:
    """The cloud of this test process: a server on a free port, or a sandbox of the server that --virga-url names."""
    url = request.config.getoption("--virga-url") or os.environ.get("VIRGA_ENDPOINT")
    if not url:
        with Server(seed=virga_seed, executable=request.config.getoption("--virga-executable")) as cloud:
            yield cloud
        return
    server = Cloud(url)
    cloud = worker_sandbox(server, getattr(request.config, "workerinput", {}), virga_seed)
    yield cloud
    if cloud is not server:
        cloud.delete()


@pytest.fixture(scope="session")
def _virga_suite(virga_server: Cloud, virga_prepare: Optional[Callable[[Cloud], Any]]) -> Iterator[Suite]:
    suite = Suite(virga_server, virga_prepare)
    yield suite
    suite.close()


@pytest.fixture
def virga(request: pytest.FixtureRequest, _virga_suite: Suite) -> Iterator[Cloud]:
    """The cloud, in the state in which each test begins."""
    arguments = _marked(request.node)
    cloud = _virga_suite.cloud
    _virga_suite.refresh(arguments.get("snapshot"))
    if arguments.get("seed") is not None:
        cloud.seed(arguments["seed"])
    cloud.journal.begin()
    request.node.stash[_CLOUD] = cloud
    clock = arguments.get("clock")
    if isinstance(clock, Mapping):
        cloud.clock.change(clock)
    elif clock is not None:
        cloud.clock.freeze(clock)
    for fault in arguments.get("faults", ()):
        cloud.faults.add(**fault)
    yield cloud
    _virga_suite.end_test()


@pytest.fixture(autouse=True)
def _virga_marker(request: pytest.FixtureRequest) -> None:
    """Requests the cloud for a test that has the marker and does not request it."""
    if request.node.get_closest_marker("virga") is not None:
        request.getfixturevalue("virga")


def _marked(node: pytest.Item) -> Dict[str, Any]:
    """Returns the arguments of the markers of a test. Those of the closest one win."""
    arguments: Dict[str, Any] = {}
    for marker in node.iter_markers("virga"):
        unknown = [name for name in marker.kwargs if name not in _ARGUMENTS]
        if marker.args or unknown:
            raise pytest.UsageError(f"@pytest.mark.virga takes {', '.join(f'{name}=' for name in _ARGUMENTS)} only")
        arguments = {**marker.kwargs, **arguments}
    return arguments


@pytest.fixture
def virga_env(virga: Cloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClientVariables]:
    """Points the SDKs of this process, and of its children, at the cloud: sets the variables of `virga env`, and removes profiles,
    configuration files and proxies."""
    variables = virga.environment().hiding_files()
    for name in variables.unset:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.set.items():
        monkeypatch.setenv(name, value)
    _forget_default_session()
    yield variables
    _forget_default_session()


def _forget_default_session() -> None:
    """boto3 keeps the variables of the first `boto3.client`."""
    boto3 = sys.modules.get("boto3")
    if boto3 is not None:
        boto3.DEFAULT_SESSION = None  # type: ignore[attr-defined]


@pytest.fixture
def virga_s3(virga: Cloud) -> Any:
    """A boto3 client of S3 for the root user."""
    return virga.client("s3")


@pytest.fixture
def virga_sts(virga: Cloud) -> Any:
    """A boto3 client of STS for the root user."""
    return virga.client("sts")


@pytest.fixture
def virga_iam(virga: Cloud) -> Any:
    """A boto3 client of IAM for the root user."""
    return virga.client("iam")


@pytest.fixture
def virga_session(virga: Cloud) -> Callable[..., Any]:
    """Makes boto3 sessions of people who assumed a role: `virga_session(role="app", as_="alice@company")`."""
    return virga.role_session


@pytest.fixture
def virga_oss(virga: Cloud) -> Callable[..., Any]:
    """Makes clients of OSS for the root user: `virga_oss("bucket")`, or `virga_oss()` for the service."""
    return virga.oss


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    cloud = item.stash.get(_CLOUD, None)
    if cloud is None or not report.failed or call.when == "teardown":
        return
    text = refusal_report(cloud)
    if text:
        report.sections.append((TITLE, text + _picture(item, cloud)))


def _picture(item: pytest.Item, cloud: Cloud) -> str:
    """Writes the requests of a test as a sequence diagram, and returns the line that names the file. It lies beside the JUnit report if there is
    one, else in pytest's cache."""
    report = getattr(item.config.option, "xmlpath", None)
    cache = getattr(item.config, "cache", None)
    if report:
        folder = Path(report).resolve().parent / "virga"
    elif cache is not None:
        folder = Path(cache.mkdir("virga"))
    else:
        return ""
    file = folder / (re.sub(r"[^A-Za-z0-9_.-]+", "-", item.nodeid)[-120:].strip("-.") + ".svg")
    try:
        picture = cloud.journal.diagram()
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(picture, encoding="utf-8")
    except (CloudError, OSError) as error:
        return f"\nThe sequence diagram was not written: {error}"
    return f"\nSequence diagram: {file}"
