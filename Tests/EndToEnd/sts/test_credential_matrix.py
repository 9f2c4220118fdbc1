"""Every door at which programs find credentials without keys, with each outcome: what the program prints, what the journal has, and which
statement decided. The K numbers are those of `Tests/Conformance/Credentials.md`."""

import contextlib
import dataclasses
import json
import re
import subprocess
from collections import namedtuple

import alibabacloud_credentials.provider
import botocore.credentials
import botocore.session
import pytest

from certificates import DAY, now
from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud
from credential_doors import DOORS, JOBS, seed
from credential_programs import CLOSED, ENDED, GRANTED, LATE, OUTCOMES, REFUSED, UNTAGGED, WRONG, Authorities, Visit

# A decision, with the Sid of its deciding statement or of the one that came closest, and the element of the latter that did not match.
Decided = namedtuple("Decided", "decision action sid element", defaults=[None])


@dataclasses.dataclass(frozen=True)
class Cell:
    """An outcome at a door. `prints` is a part of what the program prints; the rest is in the journal."""

    prints: str
    status: int
    code: str | None
    decided: Decided | None = None
    reason: str = ""
    # The service and the operation of the request, if they are not those of the door.
    face: str | None = None
    operation: str | None = None


class Impossible(str):
    """The reason why a door does not have an outcome."""


def granted(door, sid="Usual", status=200):
    """The program gets credentials, and runs on until they expire."""
    kind, code, status_of_end = (
        ("alibaba-sts", "InvalidSecurityToken.Expired", 400) if door.vendor == "alibaba" else ("sts", "ExpiredToken", 403))
    return {
        GRANTED: Cell(door.identity, status, None, Decided("allowed", door.actions[-1], sid if door.vendor == "aws" else None)),
        ENDED: Cell(code, status_of_end, code, face=kind, operation="GetCallerIdentity")}


def untrusted(door, prints, status, code):
    """A statement denies what another one allows, or requires a tag that the door does not set."""
    action, names = door.actions[-1 if door.role is None else 0], door.vendor == "aws"
    nearest = f"Condition StringEquals {door.tag}"
    return {
        REFUSED: Cell(prints, status, code, Decided("explicitDeny", action, "Closed" if names else None)),
        UNTAGGED: Cell(prints, status, code, Decided("implicitDeny", action, "Usual" if names else None, nearest))}


NO_TAGS_AT_ALIBABA = Impossible("Sessions of Alibaba Cloud's STS have no tags.")
NOTHING_TO_PROVE = Impossible("The program has no proof but its address. The SDK requests a token of the metadata service each time.")
NOT_VALIDATED = "The web identity token provided could not be validated"


def container():
    door, bad = DOORS["container"], "CredentialsV2Request: Credentials not found"
    return granted(door) | untrusted(door, bad, 400, "InvalidIdInRequest") | {
        LATE: Impossible("The authorization token of a task does not expire."),
        WRONG: Cell("The authorization token is missing or wrong", 403, "AccessDenied"),
        CLOSED: Cell(bad, 400, "InvalidIdInRequest", reason="No task of the seed has these credentials.")}


def imds():
    door, bad = DOORS["imds"], "Unable to locate credentials"
    return granted(door) | untrusted(door, bad, 200, "AssumeRoleUnauthorizedAccess") | {
        LATE: NOTHING_TO_PROVE, WRONG: NOTHING_TO_PROVE,
        CLOSED: Cell(bad, 404, "NoSuchBucket", face="s3", operation="GetObject")}


def pod_identity():
    door, invalid = DOORS["pod-identity"], "(InvalidTokenException): The token is not valid., fault: client"
    bad = "(AccessDeniedException): Unauthorized Exception! EKS does not have permissions to assume the associated role., fault: client"
    return granted(door) | untrusted(door, bad, 400, "AccessDeniedException") | {
        LATE: Cell("failed basic claim validations: token is expired", 400, "ValidationError"),
        WRONG: Cell(invalid, 400, "InvalidTokenException", reason="The token is for sts.amazonaws.com."),
        CLOSED: Cell(invalid, 400, "InvalidTokenException", reason="No cluster of the seed has the issuer")}


def eks_auth():
    door, called = DOORS["eks-auth"], Decided("allowed", "eks-auth:AssumeRoleForPodIdentity", None)
    bad = "Unauthorized Exception! EKS does not have permissions to assume the associated role."
    return granted(door) | untrusted(door, bad, 400, "AccessDeniedException") | {
        LATE: Cell("The token has expired.", 400, "ExpiredTokenException", called),
        WRONG: Cell("The token is not valid.", 400, "InvalidTokenException", called, "The token is for sts.amazonaws.com."),
        CLOSED: Cell("No cluster found for name: shop.", 404, "ResourceNotFoundException", called)}


def web_identity(name, **others):
    door = DOORS[name]
    return granted(door) | untrusted(door, "Not authorized to perform sts:AssumeRoleWithWebIdentity", 403, "AccessDenied") | {
        LATE: Cell("Token expired: current date/time", 400, "ExpiredTokenException", reason="the token expired at"),
        WRONG: Cell(NOT_VALIDATED, 400, "InvalidIdentityToken", reason="the token's audience is"),
        CLOSED: Cell(NOT_VALIDATED, 400, "InvalidIdentityToken", reason="no identity provider that is trusted here has the issuer")} | others


def identity_center():
    door, ended = DOORS["identity-center"], "The SSO session associated with this profile has expired or is otherwise invalid."
    unauthorized = Cell(ended, 401, "UnauthorizedException", reason="Session token not found or invalid")
    allowed = granted(door)
    return allowed | {
        GRANTED: dataclasses.replace(allowed[GRANTED], decided=Decided("allowed", "sts:AssumeRoleWithSAML", None)),
        LATE: unauthorized, WRONG: unauthorized,
        # The trust policies of permission sets' roles cannot be changed (K18); assignments decide.
        REFUSED: Cell("No access", 403, "ForbiddenException", reason="is not assigned to bob."),
        UNTAGGED: Impossible("The trust policy of a permission set's role cannot be changed, and its sessions have no tags."),
        CLOSED: Cell("Virga does not serve awsssoportal without identityCenter in the seed.", 404, "UnknownOperationException",
                     face="awsssoportal", operation="")}


def login():
    door = DOORS["login"]
    return granted(door) | untrusted(
            door, "Unable to create or refresh login credentials due to insufficient permissions.", 403, "INSUFFICIENT_PERMISSIONS") | {
        UNTAGGED: Impossible("The credentials are those of the user: there is no role, and so there are no session tags."),
        LATE: Cell("Your session has expired or credentials have changed.", 403, "TOKEN_EXPIRED"),
        WRONG: Cell("The refresh token is bound to another key.", 400, "INVALID_REQUEST"),
        # A login is possible in every cloud, since every account has a root user. The program has the tokens of another one.
        CLOSED: Cell("The refresh token is not valid for the client.", 400, "INVALID_REQUEST")}


def rolesanywhere(name):
    door = DOORS[name]
    return granted(door, status=201) | untrusted(door, "Unable to assume role for arn:aws:iam::", 403, "AccessDeniedException") | {
        LATE: Cell("Untrusted certificate. Insufficient certificate", 403, "AccessDeniedException", reason="The certificate has expired"),
        WRONG: Cell("Untrusted signing certificate", 403, "AccessDeniedException", reason="No path to the trust anchor"),
        CLOSED: Cell("The trust anchor does not exist.", 404, "ResourceNotFoundException")}


def instance_of_alibaba(name, prints, closed, operation):
    door = DOORS[name]
    return granted(door) | untrusted(door, prints, 404, "NotFound") | {
        UNTAGGED: NO_TAGS_AT_ALIBABA, LATE: NOTHING_TO_PROVE, WRONG: NOTHING_TO_PROVE,
        CLOSED: Cell(closed, 404, "NoSuchBucket", face="s3", operation=operation)}


def service_account_of_alibaba():
    door, prefix = DOORS["alibaba-oidc"], "AuthenticationFail."
    return granted(door) | untrusted(door, "the specified role does not trust you", 403, "NoPermission") | {
        UNTAGGED: NO_TAGS_AT_ALIBABA,
        LATE: Cell("This JsonWebToken is expired.", 401, prefix + "OIDCToken.Expired", reason="the token expired at"),
        WRONG: Cell("Invalid audience.", 401, prefix + "OIDCToken.AudienceNotMatch", reason='the token\'s audience is "regatta-web"'),
        CLOSED: Cell("No such OIDC Provider registered.", 401, prefix + "NoPermission")}


# The answer of the endpoint of jobs that request their tokens.
NO_JOB = {"face": "actions", "operation": "GetIDToken"}

CELLS = {
    "container": container(), "imds": imds(), "pod-identity": pod_identity(), "eks-auth": eks_auth(),
    "web-identity": web_identity("web-identity"), "identity-center": identity_center(), "login": login(),
    "rolesanywhere": rolesanywhere("rolesanywhere"), "credential_process": rolesanywhere("credential_process"),
    **{job: web_identity(job) for job in JOBS},
    "github": web_identity("github", **{CLOSED: Cell("404", 404, "NotFound", **NO_JOB)}),
    "buildkite": web_identity("buildkite", **{CLOSED: Cell("The seed has no such job.", 404, "NotFound", **NO_JOB)}),
    "alibaba-ecs": instance_of_alibaba(
        "alibaba-ecs", "Failed to get RAM session credentials from ECS metadata service. HttpCode=404",
        "Failed to get token from ECS Metadata Service. HttpCode=404", "PutObject"),
    "alibaba-uri": instance_of_alibaba("alibaba-uri", "ECS cannot assume the role machines.", "<Code>NoSuchBucket</Code>", "GetObject"),
    "alibaba-oidc": service_account_of_alibaba(),
}


@pytest.fixture(scope="module")
def authorities():
    return Authorities()


@pytest.fixture(scope="module")
def shop_process(environment_of_the_tests, authorities, tmp_path_factory):
    """A cloud with one of each door."""
    folder = tmp_path_factory.mktemp("doors")
    (folder / "seed.json").write_text(json.dumps(seed(authorities)))
    with Cloud.ephemeral(
            "--seed", REPOSITORY / "seed/alibaba.json5", "--seed", folder / "seed.json", "--tls-port", 0, "--ca-file", folder / "ca.pem",
            listeners=2) as cloud:
        cloud.ca = folder / "ca.pem"
        yield cloud


@pytest.fixture
def shop(shop_process):
    shop_process.reset()
    return shop_process


@pytest.fixture
def elsewhere(cloud, authority):
    """A cloud that has none of these doors."""
    cloud.ca = authority
    return cloud


@pytest.fixture
def visiting(shop, authorities, tmp_path, monkeypatch):
    """Configures a program for a door and an outcome: `visiting(door, outcome, at)`. Returns the program."""
    with contextlib.ExitStack() as programs:
        def visit(door, outcome, at=None):
            folder = tmp_path / outcome.replace(" ", "-")
            folder.mkdir()
            at = at or shop
            # The SDK of Alibaba Cloud trusts the authorities of `requests`, whatever the environment says.
            monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", str(at.ca))
            program = door.start(Visit(shop, at, folder, outcome, authorities, programs))
            prepare(door, outcome, shop)
            return program
        yield visit


def prepare(door, outcome, cloud):
    """Changes what the outcome requires, after the program got its proof."""
    if outcome == REFUSED and door.principal or outcome == REFUSED and door.face == "signin":
        door.refuse(cloud)
    elif outcome == UNTAGGED:
        door.demand_tag(cloud)
    elif outcome == LATE and door.face == "rolesanywhere":
        # Certificates do not age; they expire by the clock.
        cloud.control("POST", "clock", {"set": (now() + 2 * DAY).strftime("%Y-%m-%dT%H:%M:%SZ")})
    elif outcome == LATE:
        cloud.age(door.proof_lifetime)


def newest(cloud, face, operation):
    """The newest request of an operation in the journal, with its decisions."""
    query = f"journal?limit=1&face={face}" + (f"&operation={operation}" if operation else "")
    entry, = cloud.control("GET", query)["entries"]
    return cloud.control("GET", f"journal/{entry['number']}")


def decided(entry):
    """The last decision on a request, with its deciding statement, or the one that came closest."""
    if not entry.get("decisions"):
        return None
    decision = entry["decisions"][-1]
    effect = "Deny" if decision["decision"] == "explicitDeny" else "Allow"
    statement = next(
        (one for one in decision["statements"]
         if one["effect"] == effect and one["applies"] != (decision["decision"] == "implicitDeny")), {})
    return Decided(decision["decision"], decision["action"], statement.get("sid"), statement.get("mismatch", {}).get("element"))


POSSIBLE = [pytest.param(door, outcome, id=f"{door}: {outcome}") for door, cells in CELLS.items() for outcome, cell in cells.items()
            if isinstance(cell, Cell)]


@pytest.mark.parametrize("name, outcome", POSSIBLE)
def test_k36_k37_the_program_gets_credentials_or_an_error(shop, elsewhere, visiting, name, outcome):
    """K36, K37: the same program at each door of AWS, with the default chain of boto3; at the doors of Alibaba Cloud with its SDK."""
    door, cell = DOORS[name], CELLS[name][outcome]
    at = elsewhere if outcome == CLOSED else shop
    program = visiting(door, outcome, at)
    printed = program()
    if outcome == GRANTED:
        assert re.fullmatch(cell.prints, printed)
    else:
        if outcome == ENDED:
            assert re.fullmatch(door.identity, printed)
            shop.age(door.lifetime)
            printed = program()
        assert cell.prints in printed
    entry = newest(at, cell.face or door.face, door.operation if cell.operation is None else cell.operation)
    assert (entry["status"], entry.get("error")) == (cell.status, cell.code), entry
    assert cell.reason in (entry.get("reason") or "")
    assert decided(entry) == cell.decided, entry
    if cell.decided and cell.decided.decision != "allowed":
        assert entry["decisions"][-1]["remedy"]
        explained = shop.control("POST", "explain", {"request_id": entry["request_id"]})["decisions"][-1]
        assert explained["decision"] == cell.decided.decision and explained["explanation"]


def test_k36_every_cell_is_in_the_table_or_has_a_reason():
    assert set(CELLS) == set(DOORS)
    for door, cells in CELLS.items():
        assert set(cells) == set(OUTCOMES), door
        for reason in (cell for cell in cells.values() if not isinstance(cell, Cell)):
            assert isinstance(reason, Impossible) and reason.endswith(".") and len(reason.split()) >= 5, (door, reason)
        assert isinstance(cells[GRANTED], Cell) and isinstance(cells[REFUSED], Cell) and isinstance(cells[CLOSED], Cell)


# The doors of each kind of source, by its name in `virga env --credentials`.
KINDS = {
    "imds": {"imds"}, "container": {"container"}, "pod-identity": {"pod-identity", "eks-auth", "web-identity"}, "actions": set(JOBS),
    "rolesanywhere": {"rolesanywhere", "credential_process"}, "login": {"login"}, "identity-center": {"identity-center"}}
KEYS = "keys of the user"
# The providers of the SDKs, in the order of their chains.
PROVIDERS_OF_BOTOCORE = {
    "env": KEYS, "assume-role": "a role by the credentials of another provider", "assume-role-with-web-identity": "web-identity",
    "sso": "identity-center", "shared-credentials-file": KEYS, "login": "login", "custom-process": "credential_process",
    "config-file": KEYS, "ec2-credentials-file": KEYS, "boto-config": KEYS, "container-role": "container", "iam-role": "imds"}
PROVIDERS_OF_ALIBABA = {
    "StaticAKCredentialsProvider": KEYS, "StaticSTSCredentialsProvider": KEYS, "EnvironmentVariableCredentialsProvider": KEYS,
    "EcsRamRoleCredentialsProvider": "alibaba-ecs", "RamRoleArnCredentialsProvider": KEYS, "OIDCRoleArnCredentialsProvider": "alibaba-oidc",
    "RsaKeyPairCredentialsProvider": KEYS, "URLCredentialsProvider": "alibaba-uri", "CLIProfileCredentialsProvider": KEYS,
    "ProfileCredentialsProvider": KEYS, "DefaultCredentialsProvider": "the chain of the others",
    "CloudSSOCredentialsProvider": "CloudSSO, which Virga does not have", "OAuthCredentialsProvider": "a login that Virga does not have",
    "ExternalCredentialsProvider": "a process of the user"}


def test_k36_every_source_and_every_provider_of_the_sdks_has_a_door(shop):
    """K36: a new source, service of jobs or provider of an SDK needs a row."""
    document = shop.control("GET", "openapi.json")["paths"]["/credentials"]["post"]
    body = document["requestBody"]["content"]["application/json"]["schema"]
    assert set(body["properties"]["kind"]["enum"]) == set(KINDS)
    schema = json.loads((REPOSITORY / "Sources/Documentation/seed.schema.json").read_text())
    jobs = schema["properties"]["identityProviders"]["items"]["properties"]["jobs"]["items"]["properties"]
    assert set(jobs["service"]["enum"]) == set(JOBS)
    chain = botocore.credentials.create_credential_resolver(botocore.session.get_session()).providers
    assert [provider.METHOD for provider in chain] == list(PROVIDERS_OF_BOTOCORE)
    assert set(alibabacloud_credentials.provider.__all__) == set(PROVIDERS_OF_ALIBABA)
    of_alibaba = {door for door in PROVIDERS_OF_ALIBABA.values() if door in DOORS}
    assert set.union(*KINDS.values()) | of_alibaba == set(DOORS)


# Other clients, with the doors that their versions in Debian support. The SDK for Ruby calls metadata services at port 80 only.
CLIENTS = {
    "aws": ["container", "imds", "pod-identity", "web-identity", "identity-center", "login", "credential_process"],
    "go": ["container", "imds", "credential_process"], "ruby": ["web-identity", "credential_process"]}
# This version of the SDK for Ruby does not read AWS_ENDPOINT_URL.
RUBY = 'require "aws-sdk-core"; Aws.config.update(sts: {endpoint: ENV["AWS_ENDPOINT_URL"]}); puts Aws::STS::Client.new.get_caller_identity.arn'


@pytest.mark.parametrize("client, name", [(client, name) for client, names in CLIENTS.items() for name in names])
def test_k3_k7_k39_other_clients_get_credentials_or_an_error(shop, visiting, go_program, client, name):
    """K3, K7, K39: the AWS CLI, and the SDKs for Go and Ruby."""
    door, cell = DOORS[name], CELLS[name][REFUSED]
    command = {
        "aws": ["aws", "sts", "get-caller-identity", "--query", "Arn", "--output", "text"],
        "go": client == "go" and [go_program("caller")], "ruby": ["ruby", "-W0", "-e", RUBY]}[client]

    def ended(outcome):
        program = visiting(door, outcome)
        return subprocess.run(command, env=program.environment, text=True, capture_output=True, timeout=TIMEOUT_SECONDS)

    allowed = ended(GRANTED)
    assert re.fullmatch(door.identity + "\n", allowed.stdout), allowed.stderr
    refused = ended(REFUSED)
    assert refused.returncode != 0 and not refused.stdout
    if client == "aws":
        assert cell.prints in refused.stderr
    entry = newest(shop, door.face, door.operation)
    assert (entry["status"], entry["error"], decided(entry)) == (cell.status, cell.code, cell.decided)
