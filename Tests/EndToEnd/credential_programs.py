"""Programs without keys, configured for each door of `credential_doors.py`.

The program is the same at each door of AWS: it prints its caller, with the default chain of boto3. At the doors of Alibaba Cloud it uses the
providers of Alibaba's SDK."""

import contextlib
import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import requests
from alibabacloud_credentials.http import HttpOptions
from alibabacloud_credentials.provider import EcsRamRoleCredentialsProvider, OIDCRoleArnCredentialsProvider, URLCredentialsProvider
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from iam_rolesanywhere_session import IAMRolesAnywhereSession

import harbour
from certificates import DAY, Certificate, name, now
from clients import client
from cloud import ACCOUNT, TIMEOUT_SECONDS, Cloud, clean_environment, executable, run
from test_alibaba_sts import tea

ANCHOR = f"arn:aws:rolesanywhere:us-east-1:{ACCOUNT}:trust-anchor/5b1c7f2e-0a3d-4e6b-9c8f-1d2e3f4a5b6c"
PROFILE = f"arn:aws:rolesanywhere:us-east-1:{ACCOUNT}:profile/0f9e8d7c-6b5a-4c3d-8e2f-1a0b9c8d7e6f"
AUDIENCE, OTHER_AUDIENCE = "sts.amazonaws.com", "other.example"
METADATA = "/latest/meta-data/ram/security-credentials/machines"

# The outcomes at a door.
GRANTED, ENDED, LATE, REFUSED, UNTAGGED, WRONG, CLOSED = OUTCOMES = (
    "granted", "credentials expired", "proof expired", "trust refuses", "tag missing", "wrong proof", "door closed")

# Prints its caller, and again for each line of input: a program that runs on while its credentials expire.
PROGRAM = """
import boto3, json, sys
def call():
    try:
        text = boto3.client("sts").get_caller_identity()["Arn"]
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    print(json.dumps(text), flush=True)
call()
for _ in sys.stdin:
    call()
"""
# Prints an ID token of a job, with the package `id`.
DETECT = "import id, sys; print(id.detect_credential(sys.argv[1]), end='')"


@dataclasses.dataclass
class Visit:
    """A program, a door and an outcome."""

    cloud: Cloud
    # The cloud that the program calls: `cloud`, or one without the door.
    at: Cloud
    folder: Path
    outcome: str
    authorities: "Authorities"
    programs: contextlib.ExitStack

    @property
    def is_wrong(self):
        """Whether the program has another proof than the door requires."""
        return self.outcome == WRONG

    def file(self, file, text):
        """Writes a file, and returns its path."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def offer(self, kind, **members):
        return self.cloud.control("POST", "credentials", {"kind": kind} | members)

    def variables(self, source):
        """The variables that `virga env` prints."""
        printed = run("env", "--endpoint", self.cloud.url, "--credentials", source, "--format", "github", TMPDIR=str(self.folder))
        assert printed.returncode == 0, printed.stderr
        return dict(line.split("=", 1) for line in printed.stdout.splitlines() if "=" in line)

    def default_chain(self, **variables):
        """Returns the program with its environment."""
        return DefaultChain(self.environment(**variables), self.programs)

    def environment(self, **variables):
        """The environment of a client without keys."""
        wanted = clean_environment(
            AWS_ENDPOINT_URL=self.at.url, AWS_DEFAULT_REGION="us-east-1", HOME=str(self.folder), **variables)
        if "AWS_EC2_METADATA_SERVICE_ENDPOINT" in variables:
            del wanted["AWS_EC2_METADATA_DISABLED"]
        return wanted


class DefaultChain:
    """The program. A call of the object returns what the program prints next."""

    def __init__(self, environment, programs):
        self.environment = environment
        self.programs, self.process = programs, None

    def __call__(self):
        if self.process is None:
            self.process = self.programs.enter_context(subprocess.Popen(
                [sys.executable, "-c", PROGRAM], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            self.programs.callback(self.process.kill)
        else:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def program_of(call):
    """Returns a program inside this process, which makes a call."""
    def printed():
        try:
            return call()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return printed


class Authorities:
    """The authority that the trust anchor trusts, and a client's certificate by it and by another one."""

    def __init__(self):
        root = Certificate(name(common_name="Root", organization="Corp"), is_authority=True)
        other = Certificate(name(common_name="Root", organization="Corp"), is_authority=True)
        self.root = root
        self.client, self.stranger = (
            Certificate(name(common_name="batch", organization="Corp"), issuer=issuer, end=now() + DAY) for issuer in (root, other))

    def holder(self, visit):
        return self.stranger if visit.is_wrong else self.client


# The programs of the doors.

def container(visit):
    task = visit.offer("container")
    return visit.default_chain(
        AWS_CONTAINER_CREDENTIALS_FULL_URI=visit.at.url + task["path"],
        AWS_CONTAINER_AUTHORIZATION_TOKEN="other" if visit.is_wrong else task["authorizationToken"])


def instance(visit):
    return visit.default_chain(AWS_EC2_METADATA_SERVICE_ENDPOINT=visit.at.url)


def pod_token(visit):
    return visit.offer("pod-identity", audience=AUDIENCE if visit.is_wrong else "pods.eks.amazonaws.com", lifetime=3600)["token"]


def pod_identity(visit):
    return visit.default_chain(
        AWS_CONTAINER_CREDENTIALS_FULL_URI=f"{visit.at.url}/v1/credentials",
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=visit.file("token", pod_token(visit)))


def eks_auth(visit):
    """The agent's call, and the pod's with the credentials."""
    token, keys = pod_token(visit), {}

    def call():
        if not keys:
            made = client(visit.at, "eks-auth").assume_role_for_pod_identity(clusterName="shop", token=token)["credentials"]
            keys.update(aws_access_key_id=made["accessKeyId"], aws_secret_access_key=made["secretAccessKey"],
                        aws_session_token=made["sessionToken"])
        return client(visit.at, "sts", **keys).get_caller_identity()["Arn"]
    return program_of(call)


def with_token(visit, role, token):
    """The variables that the webhook of EKS sets, and that a job sets for the file of its ID token."""
    return visit.default_chain(
        AWS_WEB_IDENTITY_TOKEN_FILE=visit.file("token", token), AWS_ROLE_ARN=f"arn:aws:iam::{ACCOUNT}:role/{role}",
        AWS_ROLE_SESSION_NAME="program")


def service_account(visit):
    audience = "pods.eks.amazonaws.com" if visit.is_wrong else AUDIENCE
    return with_token(visit, "web-identity", visit.offer("pod-identity", audience=audience, lifetime=3600)["token"])


def identity_center(visit):
    """The home folder after `aws sso login`."""
    source = "bob/Orders"
    files = visit.offer("identity-center", name=source)["files"]
    for path, text in files.items():
        if visit.is_wrong and "/cache/" in path:
            text = json.dumps(json.loads(text) | {"accessToken": "x"})
        if visit.outcome == REFUSED:
            text = text.replace("sso_role_name = Orders", "sso_role_name = Administrator")
        visit.file(path, text)
    return visit.default_chain(AWS_CONFIG_FILE=str(visit.folder / ".aws/config"))


def key_of_login():
    """A key as the cache of a login has it."""
    key, pem = ec.generate_private_key(ec.SECP256R1()), serialization.Encoding.PEM
    return key.private_bytes(pem, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()).decode()


def login(visit):
    """The cache after `aws login`. Its credentials have expired, so that the SDK refreshes them."""
    variables = visit.variables("login:alice")
    cache = next(Path(variables["AWS_LOGIN_CACHE_DIRECTORY"]).glob("*.json"))
    document = json.loads(cache.read_text())
    document["accessToken"]["expiresAt"] = now().strftime("%Y-%m-%dT%H:%M:%SZ")
    if visit.is_wrong:
        document["dpopKey"] = key_of_login()
    cache.write_text(json.dumps(document))
    return visit.default_chain(
        AWS_CONFIG_FILE=variables["AWS_CONFIG_FILE"], AWS_LOGIN_CACHE_DIRECTORY=variables["AWS_LOGIN_CACHE_DIRECTORY"])


def roles_anywhere(visit):
    """The package of PyPI, over TLS."""
    holder = visit.authorities.holder(visit)
    session = IAMRolesAnywhereSession(
        profile_arn=PROFILE, role_arn=f"arn:aws:iam::{ACCOUNT}:role/rolesanywhere", trust_anchor_arn=ANCHOR, region="us-east-1",
        certificate=holder.pem.encode(), private_key=holder.key_pem.encode(), endpoint=secure(visit.at), verify=str(visit.at.ca)
    ).get_session(region_name="us-east-1")
    sts = session.client("sts", endpoint_url=visit.at.url)
    return program_of(lambda: sts.get_caller_identity()["Arn"])


def process(visit):
    """A process in the configuration file, which here is `virga credential-process`."""
    holder = visit.authorities.holder(visit)
    words = [executable(), "credential-process", "--certificate", visit.file("certificate.pem", holder.pem), "--private-key",
             visit.file("key.pem", holder.key_pem), "--trust-anchor-arn", ANCHOR, "--profile-arn", PROFILE, "--role-arn",
             f"arn:aws:iam::{ACCOUNT}:role/rolesanywhere", "--endpoint", visit.at.url]
    command = " ".join(str(word) for word in words)
    return visit.default_chain(AWS_CONFIG_FILE=visit.file("config", f"[default]\ncredential_process = {command}\n"))


def secure(cloud):
    """Name and port of a cloud over TLS."""
    return next(url for url in cloud.urls if url.startswith("https:")).partition("://")[2].replace("127.0.0.1", "localhost")


# Jobs, which get their ID tokens with the protocol of their service.

def detecting(visit):
    """GitHub, with the package `id`."""
    variables = {key: value.replace(visit.cloud.url, visit.at.url) for key, value in visit.variables("actions:github/deploy").items()}
    return subprocess.run(
        [sys.executable, "-c", DETECT, OTHER_AUDIENCE if visit.is_wrong else AUDIENCE], env=clean_environment(**variables), text=True,
        capture_output=True, timeout=TIMEOUT_SECONDS)


def github(visit):
    found = detecting(visit)
    return (lambda: found.stderr.splitlines()[-1]) if found.returncode else with_token(visit, "github", found.stdout)


def buildkite(visit):
    """As `buildkite-agent oidc request-token` does."""
    variables = visit.variables("actions:buildkite/deploy")
    endpoint = variables["BUILDKITE_AGENT_ENDPOINT"].replace(visit.cloud.url, visit.at.url)
    answer = requests.post(
        f"{endpoint}/jobs/{variables['BUILDKITE_JOB_ID']}/oidc/tokens", json={"audience": OTHER_AUDIENCE if visit.is_wrong else AUDIENCE},
        headers={"Authorization": f"Token {variables['BUILDKITE_AGENT_ACCESS_TOKEN']}"})
    return with_token(visit, "buildkite", answer.json()["token"]) if answer.ok else lambda: answer.text


def job(service, variable):
    """A job that has its token in a variable, or in a file that a variable names."""
    def start(visit):
        value = visit.variables(f"actions:{service}/{'other' if visit.is_wrong else 'deploy'}")[variable]
        return with_token(visit, service, Path(value).read_text() if variable.endswith("_FILE") else value)
    return start


# Alibaba Cloud, with its own SDKs.

def alibaba(provider):
    """The SDK's program with a provider of credentials."""
    def start(visit):
        source = provider(visit)

        def call():
            taken = source.get_credentials()
            keys = harbour.Keys(taken.get_access_key_id(), taken.get_access_key_secret(), taken.get_security_token())
            return tea(visit.at, keys).get_caller_identity().body.arn
        return program_of(call)
    return start


def metadata_of_ecs(visit):
    """The provider uses a fixed address, which a proxy maps to the server."""
    milliseconds = TIMEOUT_SECONDS * 1000
    options = HttpOptions(proxy=visit.at.url, connect_timeout=milliseconds, read_timeout=milliseconds)
    return EcsRamRoleCredentialsProvider(http_options=options, async_update_enabled=False, disable_imds_v1=True)


def credentials_uri(visit):
    return URLCredentialsProvider(uri=visit.at.url + METADATA)


def service_account_of_alibaba(visit):
    """RAM roles for service accounts: the file of a token, for a provider of the account. The provider uses TLS alone."""
    issued = visit.cloud.issue(harbour.PROVIDER, "bob", client="regatta-web" if visit.is_wrong else harbour.WEB_CLIENT)
    return OIDCRoleArnCredentialsProvider(
        role_arn=harbour.WEB_USER, oidc_provider_arn=harbour.OIDC_PROVIDER, oidc_token_file_path=visit.file("token", issued["token"]),
        role_session_name="bob", sts_endpoint=secure(visit.at))
