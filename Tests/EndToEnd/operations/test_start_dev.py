"""`virga start-dev` as the container modules for Keycloak start their image: what they set, what they wait for, and their first calls."""

import contextlib
import json
import re
import subprocess

import pytest
import requests
from keycloak import KeycloakAdmin, KeycloakOpenID

from cloud import TIMEOUT_SECONDS, clean_environment, executable, free_port, wait_until

REALM = {
    "realm": "shop", "enabled": True,
    "clients": [{"clientId": "storefront", "publicClient": True, "directAccessGrantsEnabled": True, "redirectUris": ["*"]}],
    "users": [{"username": "carol", "enabled": True, "email": "carol@shop.example",
               "credentials": [{"type": "password", "value": "carol-password"}]}],
}
ADMINISTRATOR = {"KC_BOOTSTRAP_ADMIN_USERNAME": "admin", "KC_BOOTSTRAP_ADMIN_PASSWORD": "admin-password"}
# What the module for Java sets.
MODULE = ADMINISTRATOR | {
    "KC_HTTPS_CLIENT_AUTH": "none", "KC_HTTPS_MANAGEMENT_CLIENT_AUTH": "none", "KC_METRICS_ENABLED": "false", "KC_HEALTH_ENABLED": "true",
    "KC_SPI_THEME__CACHE_THEMES": "true", "KC_SPI_THEME__CACHE_TEMPLATES": "true", "KC_SPI_THEME__STATIC_MAX_AGE": "2592000",
    "JAVA_OPTS_KC_HEAP": "-XX:InitialRAMPercentage=1 -XX:MaxRAMPercentage=5",
}


class Server:
    """A process. `url` is its address, `health` the one of its health paths."""

    def __init__(self, home, *arguments, **variables):
        self.port, management = free_port(), free_port()
        self.url, self.health = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{management}"
        self.log = home / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [executable(), "start-dev", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                env=clean_environment(
                    KC_HOME_DIR=str(home), KC_HTTP_PORT=str(self.port), KC_HTTP_MANAGEMENT_PORT=str(management), **variables))
        assert self.process.stdout.readline() == f"virga ready {self.url}\n", self.logged()

    def logged(self):
        return self.log.read_text()

    def admin(self, realm="master"):
        return KeycloakAdmin(
            server_url=f"{self.url}/", username="admin", password="admin-password", realm_name=realm, user_realm_name="master")


@contextlib.contextmanager
def started(home, *arguments, **variables):
    server = Server(home, *arguments, **variables)
    try:
        yield server
        server.process.terminate()
        assert server.process.wait(TIMEOUT_SECONDS) == 0, server.logged()
    finally:
        server.process.kill()
        server.process.stdout.close()


@pytest.fixture
def home(tmp_path):
    """A folder for Keycloak's files with one realm to import."""
    folder = tmp_path / "data" / "import"
    folder.mkdir(parents=True)
    (folder / "shop.json").write_text(json.dumps(REALM))
    (folder / "notes.txt").write_text("not a realm")
    return tmp_path


def test_the_module_for_java_gets_its_realm_and_its_administrator(home):
    with started(home, "--import-realm", **MODULE) as server:
        wait_until(lambda: requests.get(f"{server.health}/health/ready").status_code == 200)
        assert "left out" not in server.logged()
        assert [realm["realm"] for realm in server.admin().get_realms()] == ["master", "shop"]
        assert [user["username"] for user in server.admin("shop").get_users()] == ["carol"]
        login = KeycloakOpenID(server_url=f"{server.url}/", realm_name="shop", client_id="storefront")
        assert login.well_known()["issuer"] == f"{server.url}/realms/shop"
        assert login.token("carol", "carol-password")["access_token"]
        # What the module's users call first.
        admin = server.admin("shop")
        admin.update_realm("shop", {"sslRequired": "none", "accessTokenLifespan": 60})
        assert admin.get_realm("shop")["accessTokenLifespan"] == 60


@pytest.mark.parametrize("pattern", [
    r"Listening on: http://127\.0\.0\.1:\d+\. Management interface listening on http://127\.0\.0\.1:\d+\.",
    r"started in \d+\.\d+s", r"Added user '[^']+' to realm '[^']+'|Created temporary admin user with username \S+", "Running the server"])
def test_the_log_has_what_modules_wait_for(home, pattern):
    with started(home, **MODULE) as server:
        wait_until(lambda: re.search(pattern, server.logged()), server.logged)


@pytest.mark.parametrize("path", ["/health", "/health/live", "/health/ready", "/health/started", "/auth/health/ready"])
def test_the_health_paths_have_a_port_of_their_own(home, path):
    with started(home, "--http-relative-path=/auth", **MODULE) as server:
        wait_until(lambda: requests.get(server.health + path).status_code == 200)
        assert requests.get(server.health + path).json() == {"status": "UP", "checks": []}
        assert requests.get(f"{server.health}/realms/master").status_code == 404
        # At the other port, this is an object of a bucket.
        assert "<Code>" in requests.get(f"{server.url}/health/ready").text
        assert requests.get(f"{server.url}/auth/realms/master").json()["realm"] == "master"


def test_without_variables_there_is_no_administrator_and_no_realm(home):
    with started(home, KC_FEATURES="ciba") as server:
        assert "left out: KC_FEATURES\n" in server.logged()
        assert requests.get(f"{server.url}/realms/shop").status_code == 404
        with pytest.raises(requests.ConnectionError):
            requests.get(f"{server.health}/health/ready")
        answer = requests.post(f"{server.url}/realms/master/protocol/openid-connect/token", data={
            "grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": "admin-password"})
        assert not answer.ok


def test_the_former_names_of_the_administrator_are_read(home):
    with started(home, KEYCLOAK_ADMIN="admin", KEYCLOAK_ADMIN_PASSWORD="admin-password") as server:
        assert [realm["realm"] for realm in server.admin().get_realms()] == ["master"]


@pytest.mark.parametrize("arguments, variables, words", [
    ([], {"KC_HTTPS_CERTIFICATE_FILE": "/cert.pem"}, "KC_HTTPS_CERTIFICATE_FILE is not supported"),
    ([], {"KC_BOOTSTRAP_ADMIN_USERNAME": "admin"}, "must be set together"),
    (["--http-relative-path=/keycloak"], {}, "must be / or /auth"), (["--features=ciba"], {}, "Unknown option '--features'"),
    ([], {"KC_HTTP_PORT": "http"}, "KC_HTTP_PORT must be the number of a port")])
def test_what_would_not_work_is_refused(arguments, variables, words):
    result = subprocess.run(
        [executable(), "start-dev", *arguments], capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
        env=clean_environment(**variables))
    assert result.returncode != 0
    assert words in result.stderr
