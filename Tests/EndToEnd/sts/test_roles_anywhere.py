"""IAM Roles Anywhere: sessions for certificates, with authorities of the tests and with one of the sandbox. The numbers in the names are those of
`Tests/Conformance/Credentials.md`."""

import datetime
import json
import subprocess

import boto3
import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from iam_rolesanywhere_session import CredentialsRetrievalError, IAMRolesAnywhereSession

from certificates import DAY, Certificate, create_session, name, now, rsa_key, signed_with_sha1
from clients import client
from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment, executable, run

ACCOUNT = "111122223333"
ANCHOR = f"arn:aws:rolesanywhere:us-east-1:{ACCOUNT}:trust-anchor/00000000-0000-0000-0000-00000000000a"
OFF = f"arn:aws:rolesanywhere:us-east-1:{ACCOUNT}:trust-anchor/00000000-0000-0000-0000-00000000000c"
PROFILE = f"arn:aws:rolesanywhere:us-east-1:{ACCOUNT}:profile/00000000-0000-0000-0000-0000000000%s"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/%s"
ALL = ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"]
INSUFFICIENT = "Untrusted certificate. Insufficient certificate"


def order(role="batch", profile="01", anchor=ANCHOR, **members):
    return {"profileArn": PROFILE % profile, "roleArn": ROLE % role, "trustAnchorArn": anchor} | members


def role(role_name, actions=ALL, condition=None, **members):
    statement = {"Effect": "Allow", "Principal": {"Service": "rolesanywhere.amazonaws.com"}, "Action": actions}
    if condition:
        statement["Condition"] = condition
    return {"name": role_name, "trustPolicy": {"Version": "2012-10-17", "Statement": [statement]}} | members


class Authorities:
    """The certificates of the tests."""

    def __init__(self):
        self.root = Certificate(name(common_name="Root", organization="Corp"), is_authority=True)
        self.middle = Certificate(name(common_name="Middle"), issuer=self.root, is_authority=True, key=rsa_key())
        self.client = Certificate(
            name(common_name="batch", organization="Corp", unit=["jobs", "night"]), issuer=self.root,
            alternatives=[x509.DNSName("batch.example"), x509.UniformResourceIdentifier("spiffe://corp/batch"),
                          x509.DirectoryName(name(common_name="Directory"))])
        self.revoked = Certificate(name(common_name="revoked"), issuer=self.root)
        self.below = Certificate(name(common_name="below"), issuer=self.middle)

    def seed(self):
        tag = "aws:PrincipalTag/x509Subject/CN"
        roles = [
            role("batch", policies={"own": {"Version": "2012-10-17", "Statement": [
                {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::${aws:PrincipalTag/x509Subject/CN}"}]}}),
            *[role(f"without-{index}", [action for action in ALL if action != missing]) for index, missing in enumerate(ALL)],
            role("of-anchor", condition={"ArnEquals": {"aws:SourceArn": ANCHOR}, "StringEquals": {"aws:SourceAccount": ACCOUNT}}),
            role("of-other-anchor", condition={"ArnEquals": {"aws:SourceArn": OFF}}),
            role("of-name", condition={"StringEquals": {tag: "batch"}}), role("of-other-name", condition={"StringEquals": {tag: "x"}}),
            role("of-source", condition={"StringEquals": {"sts:SourceIdentity": "CN=batch"}}),
            role("of-unit", condition={"StringEquals": {"aws:PrincipalTag/x509Subject/OU": "jobs/night"}}),
            role("outside")]
        names = [one["name"] for one in roles if one["name"] != "outside"]
        identifier = "00000000-0000-0000-0000-0000000000%s"
        return {"accounts": [{
            "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}], "roles": roles,
            "buckets": [{"name": "batch"}, {"name": "other"}],
            "trustAnchors": [
                {"id": identifier % "0a", "name": "corp", "certificates": self.root.pem, "revocations": self.root.revocations(self.revoked)},
                {"id": identifier % "0c", "name": "off", "certificates": self.root.pem, "enabled": False},
                {"id": identifier % "0d", "name": "sandbox"},
                {"id": identifier % "0e", "name": "both", "certificates": self.root.pem + self.middle.pem,
                 "revocations": self.root.revocations(self.middle)},
                {"id": identifier % "0f", "name": "both-by-serial", "certificates": self.root.pem + self.middle.pem}],
            "anywhereProfiles": [
                {"id": identifier % "01", "name": "all", "roles": names},
                {"id": identifier % "02", "name": "off", "roles": names, "enabled": False},
                {"id": identifier % "03", "name": "mapped", "roles": names, "acceptRoleSessionName": True, "duration": 43200,
                 "mappings": {"x509Subject": ["OU"], "x509Issuer": [], "x509SAN": ["URI"]}},
                {"id": identifier % "04", "name": "far", "roles": names, "region": "eu-west-1"}]}]}


@pytest.fixture(scope="module")
def corp():
    return Authorities()


@pytest.fixture(scope="module")
def process(corp, tmp_path_factory, environment_of_the_tests):
    folder = tmp_path_factory.mktemp("anywhere")
    (folder / "seed.json").write_text(json.dumps(corp.seed()))
    authority = folder / "ca.pem"
    with Cloud.ephemeral("--seed", folder / "seed.json", "--tls-port", 0, "--ca-file", authority, listeners=2) as cloud:
        cloud.ca = authority
        cloud.secure = next(url for url in cloud.urls if url.startswith("https")).partition("://")[2].replace("127.0.0.1", "localhost")
        yield cloud


@pytest.fixture
def cloud(process):
    process.reset()
    return process


def newest(cloud):
    return next(entry for entry in cloud.control("GET", "journal")["entries"] if entry["face"] == "rolesanywhere")


def keys(answer):
    credentials = answer.json()["credentialSet"][0]["credentials"]
    return {"aws_access_key_id": credentials["accessKeyId"], "aws_secret_access_key": credentials["secretAccessKey"],
            "aws_session_token": credentials["sessionToken"]}


def refused_before_trust(cloud, answer, message, status=403, code="AccessDeniedException"):
    """Checks a refusal for which no policy was evaluated."""
    assert (answer.status_code, answer.json()) == (status, {"message": message}), newest(cloud)
    assert answer.headers["x-amzn-errortype"] == code
    entry = newest(cloud)
    assert entry["error"] == code and not entry.get("decisions")
    assert "credentialSet" not in answer.text


@pytest.mark.parametrize("in_query", [False, True])
@pytest.mark.parametrize("key", [
    lambda: ec.generate_private_key(ec.SECP256R1()), lambda: ec.generate_private_key(ec.SECP384R1()), rsa_key])
def test_k24_certificates_of_every_kind_get_credentials(cloud, corp, key, in_query):
    """RSA and EC, with the ARNs in the body or, as the helper of AWS sends them, in the query."""
    holder = Certificate(name(common_name="batch"), issuer=corp.root, key=key())
    answer = create_session(cloud, holder, order(), in_query=in_query)
    assert answer.status_code == 201, answer.text
    entry = answer.json()["credentialSet"][0]
    session = f"arn:aws:sts::{ACCOUNT}:assumed-role/batch/{holder.hexadecimal_serial}"
    assert entry["assumedRoleUser"]["arn"] == session and entry["roleArn"] == ROLE % "batch"
    assert entry["sourceIdentity"] == "CN=batch" and entry["packedPolicySize"] > 0
    assert answer.json()["subjectArn"].startswith(f"arn:aws:rolesanywhere:us-east-1:{ACCOUNT}:subject/")
    assert client(cloud, "sts", **keys(answer)).get_caller_identity()["Arn"] == session


def test_k24_k25_a_chain_leads_to_the_anchor(cloud, corp):
    holder = Certificate(name(common_name="batch"), issuer=corp.middle)
    assert create_session(cloud, holder, order()).status_code == 201
    refused_before_trust(cloud, create_session(cloud, holder, order(), chain=[]), "Untrusted signing certificate")
    refused_before_trust(cloud, create_session(cloud, holder, order(), chain=[holder.chain[0]] * 6), "Untrusted signing certificate")


def test_k24_iam_rolesanywhere_session(cloud, corp, monkeypatch):
    """The package of PyPI, over TLS."""
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)

    def session(holder, **members):
        return IAMRolesAnywhereSession(
            profile_arn=PROFILE % "01", role_arn=ROLE % "batch", trust_anchor_arn=ANCHOR, certificate=holder.pem.encode(),
            private_key=holder.key_pem.encode(), certificate_chain=holder.chain_pem.encode() or None, endpoint=cloud.secure,
            verify=str(cloud.ca), **members)

    for issuer, digest in [(corp.root, hashes.SHA256()), (corp.middle, hashes.SHA384())]:
        holder = Certificate(name(common_name="batch"), issuer=issuer, hash=digest)
        frozen = session(holder, session_duration=900).get_refreshable_credentials().get_frozen_credentials()
        sts = client(cloud, "sts", aws_access_key_id=frozen.access_key, aws_secret_access_key=frozen.secret_key, aws_session_token=frozen.token)
        assert "/batch/" in sts.get_caller_identity()["Arn"]
    with pytest.raises(CredentialsRetrievalError, match="Not authorized to set roleSessionName."):
        session(corp.client, role_session_name="mine").get_refreshable_credentials().get_frozen_credentials()


@pytest.mark.parametrize("members", [
    {"is_authority": True}, {"usage": False}, {"start": now() - 3 * DAY, "end": now() - DAY},
    {"start": now() + DAY}, {"subject": x509.Name([])}])
def test_k25_insufficient_certificates(cloud, corp, members):
    """An authority, no digital signatures, expired, not yet valid, without a subject."""
    holder = Certificate(**{"subject": name(common_name="batch"), "issuer": corp.root} | members)
    refused_before_trust(cloud, create_session(cloud, holder, order()), INSUFFICIENT)


def test_k25_sha_1_is_refused(cloud, corp, tmp_path):
    holder = signed_with_sha1(name(common_name="batch"), corp.middle, tmp_path)
    refused_before_trust(cloud, create_session(cloud, holder, order()), INSUFFICIENT)


def test_k25_certificates_age_by_the_clock_of_the_sandbox(cloud, corp):
    holder = Certificate(name(common_name="batch"), issuer=corp.root, end=now() + DAY)
    assert create_session(cloud, holder, order()).status_code == 201
    cloud.control("POST", "clock", {"set": (now() + 2 * DAY).strftime("%Y-%m-%dT%H:%M:%SZ")})
    refused_before_trust(cloud, create_session(cloud, holder, order()), INSUFFICIENT)


def test_k25_certificates_of_other_authorities(cloud, corp):
    stranger = Certificate(name(common_name="Root", organization="Corp"), is_authority=True)
    holder = Certificate(name(common_name="batch"), issuer=stranger)
    refused_before_trust(cloud, create_session(cloud, holder, order()), "Untrusted signing certificate")


def test_k25_revoked_certificates(cloud, corp):
    """By a list, and by a call."""
    refused_before_trust(cloud, create_session(cloud, corp.revoked, order()), "Untrusted certificate. Revoked certificate")
    assert create_session(cloud, corp.client, order()).status_code == 201
    cloud.control("POST", "certificates/revoke", {"trustAnchor": "corp", "serial": corp.client.hexadecimal_serial})
    refused_before_trust(cloud, create_session(cloud, corp.client, order()), "Untrusted certificate. Revoked certificate")


def test_k25_a_revoked_authority_between_need_not_be_sent(cloud, corp):
    """Its certificate is one of the trust anchor, so that the client can leave it out."""
    revoked = "Untrusted certificate. Revoked certificate"
    for chain in ([], [corp.middle.certificate]):
        answer = create_session(cloud, corp.below, order(anchor=ANCHOR[:-1] + "e"), chain=chain)
        refused_before_trust(cloud, answer, revoked)
    by_serial = order(anchor=ANCHOR[:-1] + "f")
    assert create_session(cloud, corp.below, by_serial, chain=[]).status_code == 201
    cloud.control("POST", "certificates/revoke", {"trustAnchor": "both-by-serial", "serial": corp.middle.hexadecimal_serial})
    refused_before_trust(cloud, create_session(cloud, corp.below, by_serial, chain=[]), revoked)


@pytest.mark.parametrize("wrong", [
    {"key": ec.generate_private_key(ec.SECP256R1())}, {"serial": 1}, {"away": datetime.timedelta(minutes=-16)},
    {"away": datetime.timedelta(minutes=16)}, {"signed": ["content-type", "host", "x-amz-date"]},
    {"algorithm": "AWS4-X509-RSA-SHA256"}, {"algorithm": "AWS4-X509-MLDSA"}, {"headers": {"x-amz-date": "20200101T000000Z"}}])
def test_k25_signatures(cloud, corp, wrong):
    """Another key, serial number or date, an unsigned X-Amz-X509, and other algorithms."""
    request = {"date": now() + wrong["away"]} if "away" in wrong else wrong
    refused_before_trust(cloud, create_session(cloud, corp.client, order(), **request), "Invalid signature")


def test_k25_a_changed_body_is_noticed(cloud, corp):
    answer = create_session(cloud, corp.client, order())
    request = answer.request
    changed = requests.post(request.url, data=request.body.replace(b"batch", b"of-name"), headers=dict(request.headers))
    refused_before_trust(cloud, changed, "Invalid signature")


def test_k25_anchors_profiles_and_roles(cloud, corp):
    missing = ("The trust anchor does not exist.", 404, "ResourceNotFoundException")
    refused_before_trust(cloud, create_session(cloud, corp.client, order(anchor=ANCHOR[:-1] + "9")), *missing)
    refused_before_trust(cloud, create_session(cloud, corp.client, order(), region="eu-west-1"), *missing)
    refused_before_trust(cloud, create_session(cloud, corp.client, order(anchor=OFF)), "The trust anchor is disabled.")
    missing = ("The profile does not exist.", 404, "ResourceNotFoundException")
    refused_before_trust(cloud, create_session(cloud, corp.client, order(profile="ff")), *missing)
    refused_before_trust(cloud, create_session(cloud, corp.client, order(profile="04")), *missing)
    refused_before_trust(cloud, create_session(cloud, corp.client, order(profile="02")), "The profile is disabled.")
    refused_before_trust(cloud, create_session(cloud, corp.client, order("outside")), "Not authorized to assume the role.")
    refused_before_trust(
        cloud, create_session(cloud, corp.client, order(roleSessionName="mine")), "Not authorized to set roleSessionName.")


@pytest.mark.parametrize("members", [
    {"durationSeconds": 899}, {"durationSeconds": "900"}, {"roleSessionName": "a b"}, {"instanceProperties": "x"}, {"unknown": "x"},
    {"roleArn": None}])
def test_parameters(cloud, corp, members):
    answer = create_session(cloud, corp.client, order(**members))
    assert answer.status_code == 400 and answer.headers["x-amzn-errortype"] == "ValidationException", answer.text
    assert not newest(cloud).get("decisions")


def test_k25_k26_durations(cloud, corp):
    """The smaller of profile and request, and not more than that of the role."""
    def seconds(answer):
        expiration = answer.json()["credentialSet"][0]["credentials"]["expiration"]
        return (datetime.datetime.fromisoformat(expiration) - now()).total_seconds()

    assert 880 < seconds(create_session(cloud, corp.client, order(durationSeconds=900))) <= 900
    assert 3580 < seconds(create_session(cloud, corp.client, order(durationSeconds=7200))) <= 3600
    answer = create_session(cloud, corp.client, order(profile="03"))
    refused_before_trust(
        cloud, answer, "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.", 400, "ValidationException")
    named = create_session(cloud, corp.client, order(profile="03", durationSeconds=900, roleSessionName="mine"))
    assert named.json()["credentialSet"][0]["assumedRoleUser"]["arn"].endswith("/batch/mine")


@pytest.mark.parametrize("name_of_role, status, denied", [
    ("without-0", 403, "sts:AssumeRole"), ("without-1", 403, "sts:TagSession"), ("without-2", 403, "sts:SetSourceIdentity"),
    ("of-anchor", 201, None), ("of-other-anchor", 403, "sts:AssumeRole"), ("of-name", 201, None),
    ("of-other-name", 403, "sts:AssumeRole"), ("of-source", 201, None), ("of-unit", 201, None)])
def test_k26_trust_policies_decide(cloud, corp, name_of_role, status, denied):
    """Each action, the ARN of the trust anchor, tags and the source identity."""
    answer = create_session(cloud, corp.client, order(name_of_role))
    assert answer.status_code == status, answer.text
    if denied:
        assert answer.json() == {"message": f"Unable to assume role for {ROLE % name_of_role}"}
        decision = next(decision for decision in newest(cloud)["decisions"] if not decision["allowed"])
        assert decision["action"] == denied


def test_k26_tags_of_the_session(cloud, corp):
    """A policy of the role reads the common name."""
    credentials = keys(create_session(cloud, corp.client, order()))
    s3 = client(cloud, "s3", **credentials)
    assert s3.list_objects_v2(Bucket="batch")["KeyCount"] == 0
    with pytest.raises(s3.exceptions.ClientError, match="AccessDenied"):
        s3.list_objects_v2(Bucket="other")


def test_k26_mappings_select_tags(cloud, corp):
    """A role that tests a tag which the profile does not map."""
    assert create_session(cloud, corp.client, order("of-unit", profile="03", durationSeconds=900)).status_code == 201
    assert create_session(cloud, corp.client, order("of-name", profile="03", durationSeconds=900)).status_code == 403


@pytest.mark.parametrize("subject, identity", [
    (name(common_name="b" * 61), "CN=" + "b" * 61), (name(common_name="b" * 64), "b" * 64), (name(organization="Corp"), "ID=0abc")])
def test_k26_source_identities(cloud, corp, subject, identity):
    holder = Certificate(subject, issuer=corp.root, serial=0xABC)
    answer = create_session(cloud, holder, order())
    assert answer.status_code == 201, answer.text
    assert answer.json()["credentialSet"][0]["sourceIdentity"] == identity
    assert answer.json()["credentialSet"][0]["assumedRoleUser"]["arn"].endswith("/0abc")


def test_k36_the_journal_has_no_secrets(cloud, corp):
    credentials = keys(create_session(cloud, corp.client, order()))
    journal = requests.get(f"{cloud.url}/_virga/journal").text
    assert '"rolesanywhere"' in journal and '"CreateSession"' in journal
    assert credentials["aws_secret_access_key"] not in journal and credentials["aws_session_token"] not in journal


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "same-origin"}, {"User-Agent": "Mozilla/5.0"}])
def test_k38_pages_get_no_credentials(cloud, corp, headers):
    answer = create_session(cloud, corp.client, order(), headers=headers)
    assert answer.status_code == 403 and "secretAccessKey" not in answer.text


def test_k37_without_a_seed_the_service_answers_in_its_protocol(corp):
    """Never S3's XML, also for the calls that are absent."""
    with Cloud.ephemeral() as cloud:
        answer = create_session(cloud, corp.client, order())
        assert answer.status_code == 404 and answer.headers["x-amzn-errortype"] == "ResourceNotFoundException"
        for headers in [{}, {"Host": "rolesanywhere.eu-west-1.amazonaws.com"}]:
            unsigned = requests.post(f"{cloud.url}/sessions", json={}, headers=headers)
            assert unsigned.status_code == 400 and unsigned.headers["x-amzn-errortype"] == "ValidationException"
        control = client(cloud, "rolesanywhere")
        with pytest.raises(control.exceptions.ClientError, match="Virga does not serve this call of rolesanywhere, only CreateSession"):
            control.list_trust_anchors()


def test_errors_on_demand(cloud, corp):
    cloud.control("POST", "faults", {"service": "rolesanywhere", "error": "ServiceUnavailable"})
    assert create_session(cloud, corp.client, order()).status_code == 503
    assert "rolesanywhere" in cloud.control("GET", "info")["services"]


@pytest.mark.parametrize("key", ["EC", "RSA"])
def test_k24_k25_the_sandbox_issues_and_revokes_certificates(tmp_path, key):
    """`virga certificate` and `virga credential-process`."""
    with Cloud.ephemeral("--seed", REPOSITORY / "seed/credentials.json5") as cloud:
        certificate, private_key = tmp_path / "certificate.pem", tmp_path / "key.pem"
        made = run(
            "certificate", "create", "--endpoint", cloud.url, "--subject", "CN=warehouse,O=Shop", "--dns", "w.example", "--key", key,
            "--certificate", certificate, "--private-key", private_key)
        assert made.returncode == 0, made.stderr
        serial = made.stdout.strip()
        parsed = x509.load_pem_x509_certificate(certificate.read_bytes())
        assert f"{parsed.serial_number:x}" == serial and private_key.stat().st_mode & 0o77 == 0
        base = "arn:aws:rolesanywhere:us-east-1:000000000000:"
        words = ["credential-process", "--certificate", certificate, "--private-key", private_key, "--trust-anchor-arn",
                 base + "trust-anchor/5b1c7f2e-0a3d-4e6b-9c8f-1d2e3f4a5b6c", "--profile-arn",
                 base + "profile/0f9e8d7c-6b5a-4c3d-8e2f-1a0b9c8d7e6f", "--role-arn", "arn:aws:iam::000000000000:role/stock",
                 "--endpoint", cloud.url]
        printed = run(*words)
        assert printed.returncode == 0, printed.stderr
        credentials = json.loads(printed.stdout)
        assert credentials["Version"] == 1 and credentials["Expiration"].endswith("Z")
        session = boto3.Session(
            credentials["AccessKeyId"], credentials["SecretAccessKey"], credentials["SessionToken"], region_name="us-east-1")
        arn = session.client("sts", endpoint_url=cloud.url).get_caller_identity()["Arn"]
        assert arn.startswith("arn:aws:sts::000000000000:assumed-role/stock/")
        assert run("certificate", "revoke", serial, "--endpoint", cloud.url).returncode == 0
        refused = run(*words)
        assert refused.returncode == 1 and "Revoked certificate" in refused.stderr


def test_k39_run_gives_programs_a_certificate(tmp_path):
    """The AWS CLI, by a process of its configuration file; the user's own files are hidden."""
    files = tmp_path / ".aws"
    files.mkdir()
    (files / "credentials").write_text("[default]\naws_access_key_id = AKIAMINE\naws_secret_access_key = mine\n")
    script = "aws sts get-caller-identity --query Arn --output text && aws s3 ls"
    result = subprocess.run(
        [executable(), "run", "--seed", REPOSITORY / "seed/credentials.json5", "--credentials", "rolesanywhere", "--quiet", "--", "sh",
         "-c", script],
        env=clean_environment(HOME=str(tmp_path)), text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert result.stdout.startswith("arn:aws:sts::000000000000:assumed-role/stock/"), result.stderr
    assert result.stdout.splitlines()[1].endswith(" shop")


def test_k39_the_sdk_for_go_runs_the_process(go_program):
    """It reads the command in another way than the SDK for Python."""
    result = run("run", "--seed", REPOSITORY / "seed/credentials.json5", "--credentials", "rolesanywhere", "--quiet", "--", go_program("caller"))
    assert ":assumed-role/stock/" in result.stdout, result.stderr
