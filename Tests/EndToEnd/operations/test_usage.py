"""What is computed from recorded requests: least policies, the coverage of statements, golden traces, events of CloudTrail."""

import io
import json
import sys

import pytest
from botocore.exceptions import ClientError
from lxml import etree

from clients import assume, client, keys_of
from cloud import BUCKET, Cloud, executable, run
from test_run import ended

ROLE = "arn:aws:iam::000000000000:role/personal-files-company"
FOLDER = "employee-0001-alice"
DEVELOPER_ARN = "arn:aws:iam::000000000000:user/developer"
DEVELOPER = {
    "aws_access_key_id": "AKIAVIRGADEVELOPER00", "aws_secret_access_key": "developer/secret/access/key/0123456789ab"}

# http://cobertura.sourceforge.net/xml/coverage-04.dtd
COBERTURA = """
<!ELEMENT coverage (sources?,packages)>
<!ATTLIST coverage line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED lines-covered CDATA #REQUIRED lines-valid CDATA #REQUIRED
  branches-covered CDATA #REQUIRED branches-valid CDATA #REQUIRED complexity CDATA #REQUIRED version CDATA #REQUIRED
  timestamp CDATA #REQUIRED>
<!ELEMENT sources (source*)>
<!ELEMENT source (#PCDATA)>
<!ELEMENT packages (package*)>
<!ELEMENT package (classes)>
<!ATTLIST package name CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED complexity CDATA #REQUIRED>
<!ELEMENT classes (class*)>
<!ELEMENT class (methods,lines)>
<!ATTLIST class name CDATA #REQUIRED filename CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED
  complexity CDATA #REQUIRED>
<!ELEMENT methods (method*)>
<!ELEMENT method (lines)>
<!ATTLIST method name CDATA #REQUIRED signature CDATA #REQUIRED line-rate CDATA #REQUIRED branch-rate CDATA #REQUIRED
  complexity CDATA #REQUIRED>
<!ELEMENT lines (line*)>
<!ELEMENT line (conditions*)>
<!ATTLIST line number CDATA #REQUIRED hits CDATA #REQUIRED branch CDATA "false" condition-coverage CDATA "100%">
<!ELEMENT conditions (condition*)>
<!ELEMENT condition EMPTY>
<!ATTLIST condition number CDATA #REQUIRED type CDATA #REQUIRED coverage CDATA #REQUIRED>
"""


@pytest.fixture(scope="module")
def recording():
    """A process that records requests."""
    with Cloud.ephemeral("--usage") as cloud:
        yield cloud


@pytest.fixture
def used(recording):
    recording.reset()
    recording.control("DELETE", "usage")
    return recording


def session(cloud, provider):
    return client(cloud, "s3", **keys_of(assume(cloud, provider, cloud.token(provider, "alice"))))


def virga(cloud, *arguments):
    return run(*arguments, "--endpoint", cloud.url)


def seeded_policy(cloud, provider):
    seed = cloud.control("GET", "seed")
    roles = seed["accounts"][0]["roles"]
    return next(role for role in roles if role["name"] == f"personal-files-{provider}")["policies"]["personal-files"]


@pytest.mark.parametrize("provider", ["facebook", "amazon", "google", "company"])
def test_the_tour_needs_the_seeds_own_policy(used, provider):
    """The least policy of the tour is the seed's policy, statement for statement, except that the tour deletes no object: the action
    s3:DeleteObject must be missing."""
    walked = run("tour", "--endpoint", used.url)
    assert walked.returncode == 0, walked.stderr
    result = virga(used, "policy", "--role", f"personal-files-{provider}")
    assert result.returncode == 0, result.stderr
    expected = seeded_policy(used, provider)
    expected["Statement"][1]["Action"].remove("s3:DeleteObject")
    assert json.loads(result.stdout) == expected
    assert "as recorded" in result.stderr


def test_a_program_that_uses_everything_needs_the_seeds_own_policy(used):
    s3 = session(used, "company")
    s3.put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
    s3.get_object(Bucket=BUCKET, Key=f"{FOLDER}/a")
    s3.delete_object(Bucket=BUCKET, Key=f"{FOLDER}/a")
    s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{FOLDER}/")
    policy = json.loads(virga(used, "policy", "--role", ROLE).stdout)
    expected = seeded_policy(used, "company")
    for statement in policy["Statement"] + expected["Statement"]:
        statement["Action"].sort()
    assert policy == expected


def test_a_policy_that_is_too_wide_is_narrowed_to_what_was_done(used):
    """With a tag of the session as the folder."""
    iam = client(used, "iam")
    trust = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"AWS": DEVELOPER_ARN}, "Action": ["sts:AssumeRole", "sts:TagSession"]}]}
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    iam.create_role(RoleName="wide", AssumeRolePolicyDocument=json.dumps(trust))
    iam.put_role_policy(RoleName="wide", PolicyName="wide", PolicyDocument=json.dumps(everything))
    answer = client(used, "sts", **DEVELOPER).assume_role(
        RoleArn="arn:aws:iam::000000000000:role/wide", RoleSessionName="tester", Tags=[{"Key": "team", "Value": "red"}])
    s3 = client(used, "s3", **keys_of(answer))
    s3.put_object(Bucket=BUCKET, Key="red/a", Body=b"x")
    s3.get_object(Bucket=BUCKET, Key="100001234567891/notes.txt")
    result = virga(used, "policy", "--role", "wide")
    assert json.loads(result.stdout)["Statement"] == [
        {"Effect": "Allow", "Action": ["s3:PutObject"], "Resource": [f"arn:aws:s3:::{BUCKET}/${{aws:PrincipalTag/team}}/*"]},
        {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": [f"arn:aws:s3:::{BUCKET}/100001234567891/notes.txt"]}]
    assert "stays a single resource" in result.stderr
    # The policy works in place of the wide one.
    iam.put_role_policy(RoleName="wide", PolicyName="wide", PolicyDocument=result.stdout)
    s3.put_object(Bucket=BUCKET, Key="red/b", Body=b"x")
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.put_object(Bucket=BUCKET, Key="blue/b", Body=b"x")


def test_nothing_is_recorded_unless_it_is_asked_for(cloud):
    session(cloud, "company").put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
    usage = cloud.control("GET", "usage")
    assert (usage["enabled"], usage["total"]) == (False, 0)
    result = virga(cloud, "policy", "--role", ROLE)
    assert result.returncode == 1 and "Recording is off" in result.stderr


def test_recording_is_turned_on_in_a_running_cloud():
    with Cloud.ephemeral() as cloud:
        cloud.control("PUT", "usage", {"enabled": True})
        session(cloud, "company").put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
        cloud.reset()
        questions = cloud.control("GET", f"usage?caller={ROLE}")["questions"]
        assert [(q["action"], q["allowed"], q["count"]) for q in questions] == [("s3:PutObject", True, 1)]
        assert questions[0]["context"]["login.company.example:sub"] == [FOLDER]


def test_denials_that_are_only_reported_count_as_needed():
    with Cloud.ephemeral("--usage", "--authorization", "report") as cloud:
        session(cloud, "company").get_object(Bucket=BUCKET, Key="100001234567891/notes.txt")
        policy = json.loads(virga(cloud, "policy", "--role", ROLE).stdout)
        assert policy["Statement"][0]["Resource"] == [f"arn:aws:s3:::{BUCKET}/100001234567891/notes.txt"]


def covered(cloud):
    coverage = cloud.control("GET", "usage/coverage")
    return {(policy["policy_type"], policy["holder"], policy["policy"]): [s["use"] for s in policy["statements"]]
            for policy in coverage["policies"]}


def test_statements_are_covered_if_they_decide(used):
    s3, root = session(used, "company"), client(used, "s3")
    policy = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": f"arn:aws:s3:::{BUCKET}/{FOLDER}/private/*"},
        {"Effect": "Allow", "Principal": {"AWS": ROLE}, "Action": "s3:PutObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"},
        {"Effect": "Deny", "Principal": "*", "Action": "s3:PutObjectAcl", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}
    root.put_bucket_policy(Bucket=BUCKET, Policy=json.dumps(policy))
    s3.put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
    with pytest.raises(ClientError):
        s3.put_object(Bucket=BUCKET, Key=f"{FOLDER}/private/a", Body=b"x")
    uses = covered(used)
    assert uses["resource-based policy", f"bucket {BUCKET}", "bucket policy"] == ["decided", "applied", "never"]
    assert uses["identity-based policy", "role personal-files-company in 000000000000", "personal-files"] == ["never", "applied"]
    assert uses["role trust policy", ROLE, "trust policy"] == ["decided"]
    assert uses["role trust policy", ROLE.replace("company", "google"), "trust policy"] == ["never"]


def test_coverage_as_text_and_as_a_threshold(used):
    session(used, "company").put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
    result = virga(used, "coverage")
    assert result.returncode == 0
    assert "identity-based policy personal-files of role personal-files-company in 000000000000\n  never    statement 1 (Allow)\n" in result.stdout
    assert "  decided  statement 2 (Allow): 1 request\n" in result.stdout
    assert "statements decided a request" in result.stdout.splitlines()[-1]
    assert virga(used, "coverage", "--fail-under", "1").returncode == 0
    failed = virga(used, "coverage", "--fail-under", "99")
    assert failed.returncode == 2 and "fewer than 99" in failed.stderr


def test_coverage_for_ci_servers(used, tmp_path):
    session(used, "company").put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
    result = virga(used, "coverage", "--format", "cobertura", "--sources", tmp_path / "policies")
    document = etree.fromstring(result.stdout.encode(), etree.XMLParser(load_dtd=False, no_network=True))
    dtd = etree.DTD(io.StringIO(COBERTURA))
    assert dtd.validate(document), dtd.error_log
    classes = {element.get("filename"): element for element in document.iter("class")}
    assert len(classes) == len(list(document.iter("class")))
    file = "000000000000/role/personal-files-company/personal-files.json"
    lines = [(line.get("number"), line.get("hits"), line.get("condition-coverage")) for line in classes[file].iter("line")]
    assert [line[1:] for line in lines] == [("0", "0% (0/2)"), ("1", "100% (2/2)")]
    # Each line is that of the statement's opening brace in the file, and every class has its file.
    text = (tmp_path / "policies" / file).read_text().splitlines()
    assert all(text[int(number) - 1].strip() == "{" for number, *_ in lines)
    assert json.loads("\n".join(text)) == seeded_policy(used, "company")
    assert all((tmp_path / "policies" / name).is_file() for name in classes)
    valid, hit = int(document.get("lines-valid")), int(document.get("lines-covered"))
    assert valid == len(list(document.iter("line"))) and float(document.get("line-rate")) == pytest.approx(hit / valid, abs=1e-4)


SCRIPT = f"""
import boto3
s3 = boto3.client("s3")
s3.put_object(Bucket="{BUCKET}", Key="{FOLDER}/a", Body=b"x")
s3.list_objects_v2(Bucket="{BUCKET}", Prefix="{FOLDER}/")
"""


def test_a_run_writes_the_policy_of_its_role(tmp_path):
    file = tmp_path / "policy.json"
    status, _, log = ended(
        "--policy", file, "--as", "alice@company", "--role", "personal-files-company", "--", sys.executable, "-c", SCRIPT)
    assert status == 0, log
    statements = json.loads(file.read_text())["Statement"]
    assert [statement["Action"] for statement in statements] == [["s3:ListBucket"], ["s3:PutObject"]]
    assert statements[1]["Resource"] == [f"arn:aws:s3:::{BUCKET}/${{login.company.example:sub}}/*"]
    assert "virga: decided again with this policy: 2 allowed and 0 denied, as recorded" in log


def test_a_run_with_keys_writes_the_policy_that_a_user_would_need(tmp_path):
    file = tmp_path / "policy.json"
    status, _, log = ended("--policy", file, "--", sys.executable, "-c", SCRIPT)
    assert status == 0, log
    assert json.loads(file.read_text())["Statement"][1] == {
        "Effect": "Allow", "Action": ["s3:PutObject"], "Resource": [f"arn:aws:s3:::{BUCKET}/{FOLDER}/a"]}


def test_a_golden_trace(tmp_path):
    golden = tmp_path / "calls.txt"
    missing = ended("--golden", golden, "--", "true")
    assert missing[0] == 1 and "add --update" in missing[2]
    assert ended("--golden", golden, "--update", "--", sys.executable, "-c", SCRIPT)[0] == 0
    assert golden.read_text() == (
        "s3:PutObject by arn:aws:iam::000000000000:root: 200\n"
        f"    allowed s3:PutObject on arn:aws:s3:::{BUCKET}/{FOLDER}/a\n"
        "s3:ListObjectsV2 by arn:aws:iam::000000000000:root: 200\n"
        f"    allowed s3:ListBucket on arn:aws:s3:::{BUCKET}\n")
    assert ended("--golden", golden, "--", sys.executable, "-c", SCRIPT)[0] == 0
    status, _, log = ended("--golden", golden, "--", sys.executable, "-c", SCRIPT + f's3.delete_object(Bucket="{BUCKET}", Key="b")')
    assert status == 2
    assert f"--- {golden}\n+++ this run\n@@ -2,3 +2,5 @@\n" in log
    assert f"\n+s3:DeleteObject by arn:aws:iam::000000000000:root: 204\n+    allowed s3:DeleteObject on arn:aws:s3:::{BUCKET}/b\n" in log
    # The command's own failure counts more.
    assert ended("--golden", golden, "--", sys.executable, "-c", "raise SystemExit(5)")[0] == 5
    assert ended("--update", "--", "true")[0] == 64


def event(name, identity, parameters, **members):
    return {"eventVersion": "1.09", "eventSource": "s3.amazonaws.com", "eventName": name, "eventID": name, "awsRegion": "us-east-1",
            "eventTime": "2026-01-01T00:00:00Z", "userIdentity": identity, "requestParameters": parameters, **members}


def test_events_of_cloudtrail_are_decided(used, tmp_path):
    session_arn = "arn:aws:sts::000000000000:assumed-role/personal-files-company/alice"
    alice = {"type": "AssumedRole", "arn": session_arn}
    file = tmp_path / "events.json"
    file.write_text(json.dumps({"Records": [
        event("AssumeRoleWithWebIdentity", {
            "type": "WebIdentityUser", "userName": FOLDER,
            "identityProvider": "arn:aws:iam::000000000000:oidc-provider/login.company.example"},
            {"roleArn": ROLE}, responseElements={"assumedRoleUser": {"arn": session_arn}}) | {"eventSource": "sts.amazonaws.com"},
        event("GetObject", alice, {"bucketName": BUCKET, "key": f"{FOLDER}/hello.txt"}),
        event("ListObjects", alice, {"bucketName": BUCKET, "prefix": f"{FOLDER}/"}),
        event("GetObject", alice, {"bucketName": BUCKET, "key": "employee-0002-bob/a"}, errorCode="AccessDenied"),
    ]}))
    result = virga(used, "usage", "import", file)
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("skipped sts:AssumeRoleWithWebIdentity")
    assert lines[1] == f"agrees  s3:GetObject by {session_arn}: s3:GetObject on arn:aws:s3:::{BUCKET}/{FOLDER}/hello.txt allowed"
    assert "denied; AWS answered AccessDenied; s3:GetObject on" in lines[3]
    policy = json.loads(virga(used, "policy", "--role", ROLE).stdout)
    expected = seeded_policy(used, "company")
    expected["Statement"][1]["Action"] = ["s3:GetObject"]
    assert policy == expected

    # One event a line; AWS allowed what the policies here deny.
    file.write_text("\n".join(json.dumps(event("GetObject", alice, {"bucketName": BUCKET, "key": key})) for key in ["x/a", "y/b"]))
    result = virga(used, "usage", "import", file)
    assert result.returncode == 2 and all(line.startswith("differs s3:GetObject by") for line in result.stdout.splitlines())
    file.write_text("{")
    assert virga(used, "usage", "import", file).returncode == 1


def test_session_policies_and_boundaries_are_covered(used):
    iam = client(used, "iam")
    allow = {"Effect": "Allow", "Resource": "*"}
    boundary = iam.create_policy(PolicyName="limit", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [allow | {"Action": "s3:*"}, allow | {"Action": "iam:*"}]}))["Policy"]["Arn"]
    iam.put_role_permissions_boundary(RoleName="personal-files-company", PermissionsBoundary=boundary)
    policy = {"Version": "2012-10-17", "Statement": [allow | {"Action": "s3:PutObject"}, allow | {"Action": "s3:GetObject"}]}
    answer = assume(used, "company", used.token("company", "alice"), Policy=json.dumps(policy))
    client(used, "s3", **keys_of(answer)).put_object(Bucket=BUCKET, Key=f"{FOLDER}/a", Body=b"x")
    uses = covered(used)
    assert uses["session policy", "", "session policy"] == ["decided", "never"]
    assert uses["permissions boundary", "", boundary] == ["decided", "never"]
    assert ("identity-based policy", "", boundary) not in uses


def test_a_command_asks_for_its_own_coverage():
    script = f"{SCRIPT}\nimport subprocess, sys\nsubprocess.run(sys.argv[1:], check=True)"
    status, output, log = ended("--usage", "--", sys.executable, "-c", script, executable(), "coverage", "--format", "json")
    assert status == 0, log
    # The root user is not limited by identity policies.
    assert json.loads(output)["requests"] == 2 and json.loads(output)["statements"]["decided"] == 0
