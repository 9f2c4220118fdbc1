"""oidc-agent, which manages tokens for command lines: device flow, code flow, dynamic registration and refresh."""

import json
import re
from urllib.parse import urlencode, urljoin

import pytest
import requests

import company
from apache import Visitor
from cloud import Cloud
from login_page import Page
from oidc_agent import Agent

ADDRESS = re.compile(r"(https?://\S+)")
CODE = re.compile(r"[Cc]ode:\s*(\S+)|enter the (?:following )?code:?\s*(\S+)")
SCOPES = "openid profile email offline_access"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return tmp_path_factory.mktemp("authority") / "ca.pem"


@pytest.fixture(scope="module")
def process(environment_of_the_tests, tmp_path_factory, authority):
    """A process whose issuer is reachable over HTTPS as well."""
    folder = tmp_path_factory.mktemp("company")
    clients = [
        {"id": "agent", "secret": "agent-secret", "redirectURIs": ["http://localhost:29118"], "grants": [DEVICE]},
        {"id": "public-agent", "redirectURIs": ["http://localhost:29118"], "grants": [DEVICE]}]
    (folder / "seed.json5").write_text(json.dumps(company.seed(clients)))
    with Cloud.ephemeral("--seed", folder / "seed.json5", "--tls-port", "0", "--ca-file", authority, listeners=2) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


@pytest.fixture
def cloud(process):
    process.reset()
    return process


@pytest.fixture
def agent(cloud, authority):
    secure = next(url for url in cloud.urls if url.startswith("https:"))
    with Agent(f"{secure}/idp/company", authority) as agent:
        yield agent


@pytest.fixture
def alice(authority):
    alice = Visitor("alice", "alice-password")
    # Otherwise a CA bundle from the environment would be used.
    alice.browser.trust_env = False
    alice.browser.verify = str(authority)
    return alice


def userinfo(agent, token):
    metadata = requests.get(f"{agent.issuer}/.well-known/openid-configuration", verify=agent.authority).json()
    return requests.get(
        metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {token}"}, verify=agent.authority)


def check_token(agent, account):
    """Expects that the agent returns a valid token, and another one if a new one is requested."""
    token = agent.run("oidc-token", account)
    assert userinfo(agent, token).json()["sub"] == company.subject("alice")
    fresh = agent.run("oidc-token", "--force-new", account)
    assert fresh != token and userinfo(agent, fresh).json()["sub"] == company.subject("alice")


def agree(person, generation):
    """On another device the user opens the address, types the code, logs in and consents."""
    step = person.open(generation.until(ADDRESS)[1])
    while isinstance(step, Page) and step.forms:
        form = step.forms[0]
        if "user_code" in form.fields and form.method == "get":
            code = next(filter(None, generation.until(CODE).groups()))
            step = person.open(f"{urljoin(step.url, form.action)}?{urlencode({'user_code': code})}")
        elif step.is_login:
            step = person.sign_in(step)
        else:
            step = person.press(step, ("action", "allow"))
    assert isinstance(step, Page), f"{step.status} at {step.url}:\n{step.text}"


@pytest.mark.parametrize("client", [
    ["--client-id=agent", "--client-secret=agent-secret"], ["--client-id=public-agent", "--client-secret="]],
    ids=["confidential", "public"])
def test_the_device_flow(agent, alice, client):
    generation = agent.generate("laptop", "--manual", *client, "--flow=device", f"--scope={SCOPES}")
    agree(alice, generation)
    generation.finish()
    check_token(agent, "laptop")


def test_the_agent_registers_itself(agent, alice):
    generation = agent.generate("registered", "--flow=device", f"--scope={SCOPES}")
    agree(alice, generation)
    generation.finish()
    check_token(agent, "registered")
    account = json.loads(agent.run("oidc-gen", "--print", "registered", "--pw-env"))
    assert account["client_id"] and account["issuer_url"].rstrip("/") == agent.issuer


def test_the_code_flow_by_the_agents_own_listener(agent, alice):
    generation = agent.generate(
        "coded", "--manual", "--client-id=agent", "--client-secret=agent-secret", "--flow=code", "--port=29118",
        f"--scope={SCOPES}")
    step = alice.visit(generation.until(ADDRESS)[1])
    assert isinstance(step, Page) and step.url.startswith("http://localhost:29118"), step.text
    generation.finish()
    check_token(agent, "coded")


def test_a_kept_account_outlives_the_agent(agent, alice):
    """The refresh token in the account's file is valid after the account was unloaded and loaded again."""
    generation = agent.generate(
        "kept", "--manual", "--client-id=agent", "--client-secret=agent-secret", "--flow=device", f"--scope={SCOPES}")
    agree(alice, generation)
    generation.finish()
    agent.run("oidc-add", "--remove", "kept")
    agent.run("oidc-add", "--pw-env", "kept")
    check_token(agent, "kept")
