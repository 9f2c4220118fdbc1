"""The examples for container engines and CI services, as far as they can be tested without an engine: where ports are published, which names lead to
Virga, and policies in seeds. docker/check runs the rest."""

import contextlib
import json
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
import yaml
from selenium.webdriver.common.by import By

from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment
from documentation import blocks, listed_pages
from navigation import chromium, patiently

DOCKER = REPOSITORY / "docker"
COMPOSE = sorted(DOCKER.rglob("compose*.yaml"))
WEB_APP = DOCKER / "examples" / "web-app"


def yaml_blocks():
    """Returns the YAML of the pages, with the name of the page."""
    return [(page.stem, yaml.safe_load(block.text)) for page in listed_pages() for block in blocks(page.read_text()) if block.language == "yaml"]


def compose_files():
    files = [(str(path.relative_to(DOCKER)), yaml.safe_load(path.read_text())) for path in COMPOSE]
    return files + [(name, document) for name, document in yaml_blocks() if "services" in document]


def published():
    """Returns each published port after the name of its file."""
    ports = [(name, str(port)) for name, document in compose_files()
             for service in document["services"].values() for port in service.get("ports", [])]
    workflow = yaml.safe_load((DOCKER / "examples/github-actions.yml").read_text())
    ports += [("github-actions.yml", port) for job in workflow["jobs"].values() for service in job["services"].values() for port in service["ports"]]
    texts = [*listed_pages(), *DOCKER.rglob("*ocker*ile"), *DOCKER.rglob("*.md"), *DOCKER.rglob("*.y*ml"), *REPOSITORY.glob("Tests/**/README.md")]
    return ports + [(path.name, port) for path in texts for port in re.findall(r"(?:--publish|docker run[^\n]* -p)[ =](\S+)", path.read_text())]


def test_every_port_is_published_on_the_loopback_interface_only():
    """The keys and logins of seeds are well known. The page that says so names the other form once."""
    found = published()
    assert {"compose.yaml", "examples/web-app/compose.yaml", "github-actions.yml", "ComposeAndCI.md", "Dockerfile"} <= {name for name, _ in found}
    assert [(name, port) for name, port in found if not port.strip("`").startswith("127.0.0.1:")] == [("ComposeAndCI.md", "4566:4566`")]


def test_no_kubernetes_service_is_open_to_other_networks():
    documents = [document for path in (DOCKER / "cluster/kubernetes").glob("*.yaml") for document in yaml.safe_load_all(path.read_text())]
    services = [document for document in documents if document["kind"] == "Service"]
    assert services and all(service["spec"].get("type", "ClusterIP") == "ClusterIP" for service in services)
    assert "hostPort" not in json.dumps(documents)


def browser_example():
    """The compose file with a browser in a container, over the file that it extends."""
    base, over = [yaml.safe_load((WEB_APP / name).read_text())["services"] for name in ["compose.yaml", "compose.browser.yaml"]]
    return {name: {key: {**base.get(name, {}).get(key, {}), **part} if isinstance(part, dict) else part
                   for key, part in {**base.get(name, {}), **over.get(name, {})}.items()} for name in base | over}


def test_every_name_of_the_example_with_a_browser_leads_to_a_container():
    services = browser_example()
    names = {*services} | {
        alias for service in services.values() for alias in service.get("networks", {}).get("default", {}).get("aliases", [])}
    urls = [value for name in ["app", "browser-tests", "tests"] for value in services[name]["environment"].values() if "://" in value]
    hosts = {urlsplit(url).hostname for url in urls}
    # A browser resolves names below localhost itself, and opens names below these top-level domains over TLS only.
    assert {"virga", "notes", "browser"} == hosts <= names
    assert not any(host.endswith("localhost") or host in {"app", "dev", "page", "new", "foo"} for host in hosts)


class Answer(BaseHTTPRequestHandler):
    """The application of the example: any path."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"the application")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def application():
    """Yields the port of an application."""
    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_browser_logs_in_under_the_name_of_the_container():
    """`virga` and `notes` lead here as they lead to the containers there, by a resolver that knows no other name."""
    with Cloud.ephemeral("--seed", WEB_APP / "seed.json5") as cloud, application() as port, chromium(
            f"--host-resolver-rules=MAP notes:8080 127.0.0.1:{port} , MAP virga 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1") as browser:
        metadata = requests.get(f"{cloud.url}/idp/staff/.well-known/openid-configuration", headers={"Host": f"virga:{cloud.port}"}).json()
        endpoint = metadata["authorization_endpoint"]
        assert endpoint.startswith(f"http://virga:{cloud.port}/")
        browser.get(f"{endpoint}?response_type=code&client_id=notes&scope=openid&state=s&redirect_uri=http://notes:8080/callback")
        browser.find_element(By.NAME, "username").send_keys("alice")
        browser.find_element(By.NAME, "password").send_keys("alice-password")
        browser.find_element(By.CSS_SELECTOR, "form button:not([name=person])").click()
        patiently(browser).until(lambda page: page.find_elements(By.CSS_SELECTOR, "button[value=allow]"))[0].click()
        patiently(browser).until(lambda page: page.current_url.startswith("http://notes:8080/callback?"))
        code, = parse_qs(urlsplit(browser.current_url).query)["code"]
        tokens = requests.post(
            f"{cloud.url}/idp/staff/token", headers={"Host": f"virga:{cloud.port}"}, auth=("notes", "notes-secret"),
            data={"grant_type": "authorization_code", "code": code, "redirect_uri": "http://notes:8080/callback"}).json()
        assert tokens["id_token"]


def test_curl_and_chromium_resolve_names_below_localhost_themselves(cloud, tool):
    """Why the name virga.localhost leads from no container to another for them. No name server is asked."""
    address = f"http://virga.localhost:{cloud.port}/_virga/health"
    assert json.loads(tool("curl", "--silent", "--fail", "--noproxy", "*", address)) == {"status": "ok"}
    with chromium("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE *.localhost") as browser:
        browser.get(address)
        assert "ok" in browser.find_element(By.TAG_NAME, "body").text


def ci_examples():
    workflow = yaml.safe_load((DOCKER / "examples/github-actions.yml").read_text())["jobs"]["test"]
    job = yaml.safe_load((DOCKER / "examples/gitlab-ci.yml").read_text())["test"]
    assert job["variables"]["VIRGA_SEED_JSON"]["expand"] is False
    [script] = [step["run"] for step in workflow["steps"] if "hello" in step.get("run", "")]
    return [("github", workflow["services"]["virga"]["env"]["VIRGA_SEED_JSON"], workflow["env"], script),
            ("gitlab", job["variables"]["VIRGA_SEED_JSON"]["value"], job["variables"], "\n".join(job["script"]))]


@pytest.mark.parametrize("name, seed, variables, script", ci_examples(), ids=lambda value: value if value in ("github", "gitlab") else "")
def test_the_policies_in_the_seeds_of_ci_examples_allow_what_the_job_does(name, seed, variables, script, tmp_path):
    assert "${aws:username}" in seed
    keys = {key: value for key, value in variables.items() if key.startswith("AWS_")}
    with Cloud.ephemeral("--control-token", "choose-one", VIRGA_SEED_JSON=seed) as cloud:
        environment = clean_environment(**keys | {"AWS_ENDPOINT_URL": cloud.url, "HOME": str(tmp_path)})
        done = subprocess.run(["bash", "-e", "-c", script], env=environment, text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
        assert done.returncode == 0, done.stderr
        other = subprocess.run(
            ["aws", "s3", "cp", "-", "s3://uploads/other/hello.txt"], env=environment, input="x", text=True, capture_output=True)
        assert "AccessDenied" in other.stderr


def test_a_variable_of_a_policy_is_escaped_where_compose_would_expand_it():
    """Compose replaces `$$` by `$`."""
    seeds = [service["environment"]["VIRGA_SEED_JSON"] for _, document in compose_files() for service in document["services"].values()
             if "VIRGA_SEED_JSON" in (service.get("environment") or {})]
    assert seeds
    for seed in seeds:
        assert re.search(r"\$\$\{aws:username\}", seed) and not re.search(r"(?<!\$)\$\{", seed)
        with Cloud.ephemeral(VIRGA_SEED_JSON=seed.replace("$$", "$")):
            pass


def test_no_example_waits_for_ever():
    """A loop that waits has a number of turns or a `timeout`."""
    texts = [*listed_pages(), *(path for path in (DOCKER / "examples").rglob("*") if path.is_file())]
    loop = re.compile(r"\b(?:until|while) .*; do\b|^ *while .*:$")
    lines = [(path.name, line.strip()) for path in texts for line in path.read_text().splitlines() if loop.search(line)]
    assert {"gitlab-ci.yml", "ComposeAndCI.md", "FailingLogin.md"} == {name for name, _ in lines}
    assert all("timeout 60" in line for _, line in lines)
