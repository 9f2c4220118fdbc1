"""The places where SDKs find credentials without keys: instances, tasks, pods and jobs, with the seed `credentials.json5`. The K numbers are those of
the requirements."""

import json
import subprocess
import sys

import pytest
import requests

from clients import anonymous, client, refused
from cloud import REPOSITORY, TIMEOUT_SECONDS, Cloud, clean_environment, executable, run

SEED = REPOSITORY / "seed/credentials.json5"
ROLES = "/latest/meta-data/iam/security-credentials/"
TOKEN, LIFETIME = "X-aws-ec2-metadata-token", "X-aws-ec2-metadata-token-ttl-seconds"

# The caller, by the default chain of botocore.
CALLER = "import boto3; print(boto3.client('sts').get_caller_identity()['Arn'])"
# The caller, and after a line of input that of five minutes before the seconds of the argument have passed, by the clock of the SDK.
LATER = """
import botocore.session, datetime, sys
session = botocore.session.get_session()
held, sts = session.get_credentials(), session.create_client("sts")
print(sts.get_caller_identity()["Arn"], held.access_key, flush=True)
sys.stdin.readline()
held._time_fetcher = lambda: datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=int(sys.argv[1]) - 300)
print(sts.get_caller_identity()["Arn"], held.access_key, flush=True)
"""
# Reads an object, by the same chain.
READ = "import boto3, sys; print(boto3.client('s3').get_object(Bucket='shop', Key=sys.argv[1])['Body'].read().decode(), end='')"


@pytest.fixture(scope="module")
def shop_process(environment_of_the_tests):
    with Cloud.ephemeral("--seed", SEED) as cloud:
        yield cloud


@pytest.fixture
def shop(shop_process):
    shop_process.reset()
    return shop_process


def in_shell(cloud, kind, program, *arguments, **variables):
    """Runs a Python program with the variables that `virga env` prints. Returns its output and its errors."""
    lines = run("env", "--endpoint", cloud.url, "--credentials", kind).stdout
    keys = {"AWS_ACCESS_KEY_ID": "AKIAFOREIGN", "AWS_SECRET_ACCESS_KEY": "x", "AWS_PROFILE": "work"}
    result = subprocess.run(
        ["sh", "-c", lines + '"$@"', "sh", sys.executable, "-c", program, *arguments], env=clean_environment(**keys | variables), text=True,
        capture_output=True, timeout=TIMEOUT_SECONDS)
    return result.stdout, result.stderr


def token_of_metadata(cloud):
    return {TOKEN: requests.put(f"{cloud.url}/latest/api/token", headers={LIFETIME: "60"}).text}


def offer(cloud, kind, **members):
    return cloud.control("POST", "credentials", {"kind": kind} | members)


def newest(cloud, face):
    return next(entry for entry in cloud.control("GET", "journal")["entries"] if entry["face"] == face)


@pytest.mark.parametrize("kind, role, session", [
    ("imds", "website", "i-0123456789abcdef0"), ("container", "worker", "9781c2486b7a4e2f8f0a1c2d3e4f5a6b"),
    ("pod-identity", "pod", "eks-shop-processor-")])
def test_k3_k7_k9_k39_botocore_finds_the_credentials_by_its_default_chain(shop, kind, role, session):
    """K3, K7, K9, K39: the keys and the profile of the user are hidden."""
    output, errors = in_shell(shop, kind, CALLER)
    assert output.startswith(f"arn:aws:sts::000000000000:assumed-role/{role}/{session}"), errors


@pytest.mark.parametrize("kind, seconds", [("imds", 6 * 3600), ("container", 3600), ("pod-identity", 6 * 3600)])
def test_k3_k7_k9_botocore_fetches_others_when_the_credentials_end(shop, kind, seconds):
    """K3, K7, K9: the program runs on, with the keys of a new session."""
    lines = run("env", "--endpoint", shop.url, "--credentials", kind).stdout
    with subprocess.Popen(
            ["sh", "-c", lines + 'exec "$@"', "sh", sys.executable, "-c", LATER, str(seconds)], env=clean_environment(), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        arn, key = program.stdout.readline().split()
        shop.age(f"PT{seconds + 1}S")
        program.stdin.write("later\n")
        program.stdin.flush()
        later_arn, later_key = program.stdout.readline().split()
    role = arn.rpartition("/")[0]
    assert later_arn.rpartition("/")[0] == role and later_key != key
    fetched = [entry for entry in shop.control("GET", f"journal?face={kind}")["entries"] if entry["decisions"]]
    assert len(fetched) >= 2


def test_k2_k7_k12_each_role_reaches_its_own_objects(shop):
    """K2, K7, K12: the condition on the delivery of the role, and the tag of the pod's namespace."""
    assert in_shell(shop, "imds", READ, "website/index.html")[0] == "<h1>The shop</h1>\n"
    assert in_shell(shop, "container", READ, "orders/1.txt")[0] == "One teapot.\n"
    assert in_shell(shop, "pod-identity", READ, "payments/1.txt")[0] == "One teapot, paid.\n"
    assert "AccessDenied" in in_shell(shop, "pod-identity", READ, "orders/1.txt")[1]


def test_k1_k2_the_metadata_service_requires_tokens(shop):
    """K1, K2."""
    assert requests.get(shop.url + ROLES).status_code == 401
    assert requests.get(shop.url + ROLES, headers={TOKEN: "x"}).status_code == 401
    for lifetime, status in [("21600", 200), ("21601", 400), ("", 400)]:
        assert requests.put(f"{shop.url}/latest/api/token", headers={LIFETIME: lifetime}).status_code == status
    assert requests.put(f"{shop.url}/latest/api/token", headers={LIFETIME: "1", "X-Forwarded-For": "192.0.2.1"}).status_code == 403
    answer = requests.get(shop.url + ROLES, headers=token_of_metadata(shop))
    assert answer.text == "website" and answer.headers["Content-Type"] == "text/plain"
    token = token_of_metadata(shop)
    shop.age("PT61S")
    assert requests.get(shop.url + ROLES, headers=token).status_code == 401


def test_k4_k36_a_changed_trust_policy_holds_for_the_next_fetch(shop):
    """K4, K36: the journal says why, and the SDK finds no credentials."""
    trust = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]}
    client(shop, "iam").update_assume_role_policy(RoleName="website", PolicyDocument=json.dumps(trust))
    answer = requests.get(shop.url + ROLES + "website", headers=token_of_metadata(shop))
    assert answer.status_code == 200 and answer.json()["Code"] == "AssumeRoleUnauthorizedAccess"
    entry = newest(shop, "imds")
    assert entry["error"] == "AssumeRoleUnauthorizedAccess" and "sts:AssumeRole" in json.dumps(entry["decisions"])
    assert "NoCredentials" in in_shell(shop, "imds", CALLER)[1]


def test_k5_items_and_tags(shop):
    """K5."""
    def item(path):
        return requests.get(f"{shop.url}/latest/{path}", headers=token_of_metadata(shop)).text

    assert item("meta-data/placement/region") == "us-east-1"
    assert item("meta-data/tags/instance/Name") == "website"
    assert json.loads(item("dynamic/instance-identity/document"))["instanceId"] == "i-0123456789abcdef0"
    assert json.loads(item("meta-data/iam/info"))["InstanceProfileArn"] == "arn:aws:iam::000000000000:instance-profile/website"


def test_k5_botocore_reads_the_region_of_the_instance(shop):
    """K5: the path ends with a slash, and the last letter is cut."""
    program = "from botocore.utils import InstanceMetadataRegionFetcher as F; import os;" \
        "print(F(env=os.environ, base_url=os.environ['AWS_EC2_METADATA_SERVICE_ENDPOINT']).retrieve_region())"
    assert in_shell(shop, "imds", program)[0] == "us-east-1\n"


def test_k6_a_signed_request_means_a_bucket(shop):
    """K6."""
    s3 = client(shop, "s3")
    s3.create_bucket(Bucket="latest")
    s3.put_object(Bucket="latest", Key="meta-data/instance-id", Body=b"mine")
    assert s3.get_object(Bucket="latest", Key="meta-data/instance-id")["Body"].read() == b"mine"


def test_k7_the_task_compares_the_token(shop):
    """K7."""
    path = offer(shop, "container")["path"]
    for token, status in [(None, 403), ("other", 403), ("task-authorization-token", 200)]:
        assert requests.get(shop.url + path, headers={"Authorization": token} if token else {}).status_code == status
    answer = requests.get(f"{shop.url}/v2/credentials/none")
    assert answer.status_code == 400 and answer.json()["code"] == "InvalidIdInRequest"
    assert requests.get(f"{shop.url}/v2/credentials").json()["code"] == "NoIdInRequest"


def test_k11_service_account_tokens_are_checked(shop):
    """K11."""
    good = offer(shop, "pod-identity", name="payments/processor")
    wrong = offer(shop, "pod-identity", audience="sts.amazonaws.com")["token"]
    for token, status in [(good["token"], 200), (wrong, 400), (good["token"][:-4] + "AAAA", 400), ("", 400)]:
        assert requests.get(shop.url + "/v1/credentials", headers={"Authorization": token}).status_code == status, token
    aged = offer(shop, "pod-identity", lifetime=600)["token"]
    shop.age("PT601S")
    answer = requests.get(shop.url + "/v1/credentials", headers={"Authorization": aged})
    assert answer.text == "Service account token failed basic claim validations: token is expired\n"


def test_k14_service_accounts_assume_roles_by_web_identity(shop):
    """K14: the same token, for the audience of STS."""
    token = offer(shop, "pod-identity", audience="sts.amazonaws.com")["token"]
    order = {"RoleArn": "arn:aws:iam::000000000000:role/service-account", "RoleSessionName": "pod"}
    answer = anonymous(shop, "sts").assume_role_with_web_identity(WebIdentityToken=token, **order)
    assert answer["SubjectFromWebIdentityToken"] == "system:serviceaccount:payments:processor"
    other = offer(shop, "pod-identity")["token"]
    with refused("InvalidIdentityToken", 400):
        anonymous(shop, "sts").assume_role_with_web_identity(WebIdentityToken=other, **order)


@pytest.mark.parametrize("headers", [
    {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "same-origin"}, {"User-Agent": "Mozilla/5.0"}, {"Host": "rebound.example"}])
def test_k38_pages_and_rebound_names_get_no_credentials(shop, headers):
    """K38."""
    pod = {"Authorization": offer(shop, "pod-identity")["token"]}
    task = {"Authorization": "task-authorization-token"}
    for path, own in [(ROLES + "website", token_of_metadata(shop)), (offer(shop, "container")["path"], task), ("/v1/credentials", pod)]:
        answer = requests.get(shop.url + path, headers=own | headers)
        assert answer.status_code == 403 and "SecretAccessKey" not in answer.text


def test_k36_k40_the_journal_has_no_secrets(shop):
    """K36, K40: the journal names the source."""
    secrets = ["task-authorization-token", offer(shop, "pod-identity")["token"]]
    for token, path in zip(secrets, [offer(shop, "container")["path"], "/v1/credentials"]):
        answer = requests.get(shop.url + path, headers={"Authorization": token}).json()
        secrets += [answer["SecretAccessKey"], answer["Token"]]
    journal = requests.get(f"{shop.url}/_virga/journal").text
    assert '"pod-identity"' in journal and '"container"' in journal
    assert not any(secret in journal for secret in secrets)


def test_k37_without_a_seed_the_doors_are_closed(cloud):
    """K37: in the protocol of each, and the metadata service's paths are those of a bucket."""
    assert requests.get(f"{cloud.url}/v2/credentials/x").json()["code"] == "InvalidIdInRequest"
    assert requests.get(f"{cloud.url}/v1/credentials").text == "Service account token cannot be empty\n"
    assert "<Code>NoSuchBucket</Code>" in requests.get(cloud.url + ROLES).text
    assert requests.get(f"{cloud.url}/v1/authorize?response_type=code").json()["error"] == "INVALID_REQUEST"


@pytest.mark.parametrize("kind, role", [("imds", "website"), ("container", "worker"), ("pod-identity:payments/processor", "pod")])
def test_k39_run_lets_programs_find_the_credentials(tmp_path, kind, role):
    """K39: AWS CLI and SDKs, with the files of the user hidden."""
    files = tmp_path / ".aws"
    files.mkdir()
    (files / "credentials").write_text("[default]\naws_access_key_id = AKIAMINE\naws_secret_access_key = mine\n")
    script = "aws sts get-caller-identity --query Arn --output text && aws s3 ls"
    result = subprocess.run(
        [executable(), "run", "--seed", SEED, "--credentials", kind, "--quiet", "--", "sh", "-c", script],
        env=clean_environment(HOME=str(tmp_path)), text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert result.stdout.startswith(f"arn:aws:sts::000000000000:assumed-role/{role}/"), result.stderr
    assert result.stdout.splitlines()[1].endswith(" shop")


def test_k27_k28_a_job_of_github_requests_id_tokens(shop):
    """K27, K28: with the package `id` of PyPI, for a role that tests `sub` and `repository_id`."""
    program = "import id; print(id.detect_credential('sts.amazonaws.com'))"
    token, errors = in_shell(shop, "actions", program)
    assert token.startswith("eyJ"), errors
    answer = anonymous(shop, "sts").assume_role_with_web_identity(
        RoleArn="arn:aws:iam::000000000000:role/deploy", RoleSessionName="GitHubActions", WebIdentityToken=token.strip())
    assert answer["SubjectFromWebIdentityToken"] == "repo:octo-org/shop:ref:refs/heads/main"
    path = offer(shop, "actions")["path"]
    assert requests.get(shop.url + path, headers={"Authorization": "bearer x"}).status_code == 401
    assert "job-request-token" not in requests.get(f"{shop.url}/_virga/journal").text


def test_a_source_that_the_seed_lacks_is_an_error(shop, cloud):
    missing = run("env", "--endpoint", cloud.url, "--credentials", "imds")
    assert missing.returncode == 1 and "The seed has no source of this kind" in missing.stderr
    unknown = run("env", "--endpoint", shop.url, "--credentials", "container:x")
    assert unknown.returncode == 1 and "There is no 'x'; expected one of 9781c2486b7a4e2f8f0a1c2d3e4f5a6b." in unknown.stderr
    assert run("env", "--credentials", "sso").returncode == 64
    both = run("env", "--credentials", "imds", "--as", "alice@company", "--role", "x")
    assert both.returncode == 64 and "either --credentials or --as" in both.stderr
    assert run("env", "--credentials", "imds", "--format", "profile").returncode == 64


def test_errors_on_demand(shop):
    shop.control("POST", "faults", {"service": "container", "error": "ServiceUnavailable"})
    path = offer(shop, "container")["path"]
    answer = requests.get(shop.url + path, headers={"Authorization": "task-authorization-token"})
    assert answer.status_code == 503 and answer.json()["code"] == "ServiceUnavailable"
    assert {"imds", "container", "pod-identity", "actions"} <= set(shop.control("GET", "info")["services"])


def test_k8_tasks_have_metadata_and_the_paths_of_local_endpoints(shop):
    task = requests.get(f"{shop.url}/v4/9781c2486b7a4e2f8f0a1c2d3e4f5a6b/task").json()
    assert task["TaskARN"] == "arn:aws:ecs:us-east-1:000000000000:task/shop/9781c2486b7a4e2f8f0a1c2d3e4f5a6b"
    token = {"Authorization": "task-authorization-token"}
    assert requests.get(f"{shop.url}/creds", headers=token).json()["RoleArn"] == "arn:aws:iam::000000000000:role/worker"
    assert requests.get(f"{shop.url}/role/worker", headers=token).json()["AccessKeyId"].startswith("ASIA")
    assert requests.get(f"{shop.url}/role/website", headers=token).json()["code"] == "InvalidIdInRequest"
    # Buckets may have these names.
    s3 = client(shop, "s3")
    s3.create_bucket(Bucket="creds")
    assert requests.get(f"{shop.url}/creds", headers=token).status_code != 200
    s3.create_bucket(Bucket="role")
    s3.put_object(Bucket="role", Key="worker", Body=b"mine")
    assert s3.get_object(Bucket="role", Key="worker")["Body"].read() == b"mine"


def test_k40_the_order_of_the_sdk_decides_between_sources(shop, tmp_path):
    """Keys come first, then a web identity, a container and the instance. The journal names the source that was asked."""
    web = tmp_path / "token"
    web.write_text(offer(shop, "pod-identity", audience="sts.amazonaws.com")["token"])
    task = offer(shop, "container")
    instance = {
        "AWS_ENDPOINT_URL": shop.url, "AWS_DEFAULT_REGION": "us-east-1", "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_SERVICE_ENDPOINT": shop.url}
    container = {
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": shop.url + task["path"], "AWS_CONTAINER_AUTHORIZATION_TOKEN": task["authorizationToken"]}
    identity = {
        "AWS_WEB_IDENTITY_TOKEN_FILE": str(web), "AWS_ROLE_ARN": "arn:aws:iam::000000000000:role/service-account",
        "AWS_ROLE_SESSION_NAME": "pod"}
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    variables = {}
    for more, role, face in [
            (instance, "assumed-role/website/", "imds"), (container, "assumed-role/worker/", "container"),
            (identity, "assumed-role/service-account/", "sts"), (keys, ":root", "sts")]:
        variables |= more
        environment = {name: value for name, value in clean_environment(**variables).items() if name != "AWS_EC2_METADATA_DISABLED"}
        result = subprocess.run(
            [sys.executable, "-c", CALLER], env=environment, text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
        assert role in result.stdout, result.stderr
        asked = [entry["face"] for entry in shop.control("GET", "journal")["entries"]]
        assert face in asked
