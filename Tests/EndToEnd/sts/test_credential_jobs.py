"""ID tokens of jobs: those of GitHub Actions at the issuer's path, and those of other services. The K numbers are those of the requirements."""

import json
import subprocess
import sys

import pytest
import requests

from clients import anonymous, client, refused
from cloud import ACCOUNT, TIMEOUT_SECONDS, Cloud, clean_environment, run

DETECT = "import id; print(id.detect_credential('sts.amazonaws.com'))"


@pytest.fixture(scope="module")
def services(environment_of_the_tests, tmp_path_factory):
    """A cloud with a job of each service."""
    def provider(name, issuer, job):
        return {"name": name, "issuer": issuer, "jobs": [{"name": "deploy"} | job]}

    seed = tmp_path_factory.mktemp("seed") / "jobs.json5"
    seed.write_text(json.dumps({
        "accounts": [{"id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}]}],
        "identityProviders": [
            provider("gitlab", "https://gitlab.com", {
                "service": "gitlab", "variable": "STS_AMAZONAWS_COM_ID_TOKEN",
                "claims": {"project_path": "octo/shop", "project_id": "20", "ref_protected": "true"}}),
            provider("circleci", "https://oidc.circleci.com/org/o-1", {
                "service": "circleci", "audiences": ["sts.amazonaws.com"], "claims": {"oidc.circleci.com/project-id": "p-1"}}),
            provider("buildkite", "https://agent.buildkite.com", {
                "service": "buildkite", "requestToken": "agent-token", "claims": {"organization_slug": "octo", "pipeline_slug": "shop"}}),
            provider("cluster", "https://cluster.example", {
                "service": "kubernetes", "role": f"arn:aws:iam::{ACCOUNT}:role/pod",
                "claims": {"kubernetes.io": {"namespace": "pay", "serviceaccount": {"name": "processor"}}}}),
        ]}))
    with Cloud.ephemeral("--seed", seed) as cloud:
        yield cloud


def variables(cloud, job):
    """The variables that `virga env` prints for a job."""
    lines = run("env", "--endpoint", cloud.url, "--credentials", f"actions:{job}", "--format", "github").stdout.splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def role(cloud, issuer, conditions, name="deploy"):
    """Makes a role for an issuer, and returns its ARN."""
    iam = client(cloud, "iam")
    arn = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{issuer}"
    if not any(known["Arn"] == arn for known in iam.list_open_id_connect_providers()["OpenIDConnectProviderList"]):
        iam.create_open_id_connect_provider(Url=f"https://{issuer}", ClientIDList=["sts.amazonaws.com"])
    policy = json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": arn}, "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {f"{issuer}:{key}": value for key, value in conditions.items()}}}]})
    if any(known["RoleName"] == name for known in iam.list_roles()["Roles"]):
        iam.update_assume_role_policy(RoleName=name, PolicyDocument=policy)
    else:
        iam.create_role(RoleName=name, AssumeRolePolicyDocument=policy)
    return f"arn:aws:iam::{ACCOUNT}:role/{name}"


def assume(cloud, arn, token):
    return anonymous(cloud, "sts").assume_role_with_web_identity(RoleArn=arn, RoleSessionName="job", WebIdentityToken=token)


def test_k27_the_default_seed_has_a_job_at_the_path_of_its_issuer(cloud):
    url = f"{cloud.url}/idp/company/actions-token?api-version=2"
    environment = clean_environment(GITHUB_ACTIONS="true", ACTIONS_ID_TOKEN_REQUEST_URL=url, ACTIONS_ID_TOKEN_REQUEST_TOKEN="t")
    result = subprocess.run([sys.executable, "-c", DETECT], env=environment, text=True, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert result.stdout.startswith("eyJ"), result.stderr
    assert requests.get(url, headers={"Authorization": "bearer x"}).status_code == 401
    assert requests.get(url, headers={"Authorization": "bearer t", "Origin": "http://evil.example"}).status_code == 403
    assert requests.get(f"{cloud.url}/idp/google/actions-token", headers={"Authorization": "bearer t"}).status_code == 404


def test_k28_k30_a_job_of_gitlab_has_a_variable_and_condition_keys(services):
    environment = clean_environment(**variables(services, "gitlab/deploy"))
    assert environment["GITLAB_CI"] == "true"
    token = subprocess.run([sys.executable, "-c", DETECT], env=environment, text=True, capture_output=True).stdout.strip()
    subject = {"sub": "project_path:octo/shop:ref_type:branch:ref:main"}
    for name, value in {"project_id": "20", "ref_protected": "true", "runner_environment": "gitlab-hosted"}.items():
        assert assume(services, role(services, "gitlab.com", subject | {name: value}), token)["SubjectFromWebIdentityToken"] == subject["sub"]
    with refused("AccessDenied", 403):
        assume(services, role(services, "gitlab.com", subject | {"project_path": "octo/shop"}), token)


def test_k28_k30_a_job_of_circleci_has_two_variables(services):
    environment = variables(services, "circleci/deploy")
    assert environment["CIRCLE_OIDC_TOKEN"] != environment["CIRCLE_OIDC_TOKEN_V2"]
    arn = role(services, "oidc.circleci.com/org/o-1", {"oidc.circleci.com/project-id": "p-1"})
    assert assume(services, arn, environment["CIRCLE_OIDC_TOKEN"])["Audience"] == "sts.amazonaws.com"
    answer = assume(services, arn, environment["CIRCLE_OIDC_TOKEN_V2"])
    assert answer["SubjectFromWebIdentityToken"].endswith("/vcs-ref/refs/heads/main")


def test_k28_k30_an_agent_of_buildkite_requests_tokens(services):
    """As `buildkite-agent oidc request-token` does."""
    environment = variables(services, "buildkite/deploy")
    assert environment["BUILDKITE_AGENT_ACCESS_TOKEN"] == "agent-token"
    url = f"{environment['BUILDKITE_AGENT_ENDPOINT']}/jobs/{environment['BUILDKITE_JOB_ID']}/oidc/tokens"
    order = {"audience": "sts.amazonaws.com", "lifetime": 300}
    answer = requests.post(url, json=order, headers={"Authorization": "Token agent-token"})
    subject = {"sub": "organization:octo:pipeline:shop:ref:refs/heads/main:commit:0123456789abcdef0123456789abcdef01234567:step:deploy"}
    arn = role(services, "agent.buildkite.com", subject | {"organization_slug": "octo", "build_branch": "main"})
    assert assume(services, arn, answer.json()["token"])["Audience"] == "sts.amazonaws.com"
    assert requests.post(url, json=order, headers={"Authorization": "Token x"}).status_code == 401
    assert requests.post(url, json=order | {"x": 1}, headers={"Authorization": "Token agent-token"}).status_code == 422


def test_k14_k30_a_pod_finds_its_role_by_the_default_chain(services):
    """A cluster elsewhere, whose webhook sets the two variables of a web identity."""
    role(services, "cluster.example", {"sub": "system:serviceaccount:pay:processor"}, name="pod")
    program = "import boto3; print(boto3.client('sts').get_caller_identity()['Arn'])"
    result = subprocess.run(
        [sys.executable, "-c", program], env=clean_environment(**variables(services, "cluster/deploy")), text=True, capture_output=True,
        timeout=TIMEOUT_SECONDS)
    assert f"{ACCOUNT}:assumed-role/pod/" in result.stdout, result.stderr


@pytest.mark.parametrize("condition, is_saved", [
    ({"StringEquals": {"gitlab.com:sub": "a"}}, True), ({"StringLike": {"GITLAB.com:sub": "a*"}}, True), ({}, False),
    ({"StringLike": {"gitlab.com:sub": "*"}}, False), ({"StringEqualsIfExists": {"gitlab.com:sub": "a"}}, False),
    ({"StringEquals": {"gitlab.com:project_id": "1"}}, False)])
def test_k29_iam_checks_what_trust_policies_demand_of_shared_issuers(services, condition, is_saved):
    arn = f"arn:aws:iam::{ACCOUNT}:oidc-provider/gitlab.com"
    policy = json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": arn}, "Action": "sts:AssumeRoleWithWebIdentity", "Condition": condition}]})
    iam = client(services, "iam")
    if is_saved:
        iam.create_role(RoleName="k29", AssumeRolePolicyDocument=policy)
        iam.delete_role(RoleName="k29")
    else:
        with refused("MalformedPolicyDocument", 400):
            iam.create_role(RoleName="k29", AssumeRolePolicyDocument=policy)


def test_a_run_writes_the_policy_of_the_role_that_its_job_assumes(tmp_path):
    """The job chooses the role, so that `virga run` learns of it only from the calls."""
    issuer = "token.actions.githubusercontent.com"
    trust = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{issuer}"},
        "Action": "sts:AssumeRoleWithWebIdentity", "Condition": {"StringEquals": {f"{issuer}:aud": "sts.amazonaws.com"}}}]}
    allowed = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    seed, file = tmp_path / "seed.json5", tmp_path / "policy.json"
    seed.write_text(json.dumps({
        "accounts": [{
            "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}], "buckets": [{"name": "releases"}],
            "openIDConnectProviders": [{"url": f"https://{issuer}", "clientIDs": ["sts.amazonaws.com"]}],
            "roles": [{"name": "deploy", "path": "/ci/", "trustPolicy": trust, "policies": {"own": allowed}}]}],
        "identityProviders": [{
            "name": "github-actions", "issuer": f"https://{issuer}",
            "jobs": [{"name": "deploy", "requestToken": "t", "claims": {"repository": "octo/shop"}}]}]}))
    script = f"""
import boto3, id
from botocore import UNSIGNED
from botocore.config import Config
sts = boto3.client("sts", config=Config(signature_version=UNSIGNED), region_name="us-east-1")
keys = sts.assume_role_with_web_identity(
    RoleArn="arn:aws:iam::{ACCOUNT}:role/ci/deploy", RoleSessionName="job",
    WebIdentityToken=id.detect_credential("sts.amazonaws.com"))["Credentials"]
boto3.client("s3", region_name="us-east-1", aws_access_key_id=keys["AccessKeyId"], aws_secret_access_key=keys["SecretAccessKey"],
             aws_session_token=keys["SessionToken"]).put_object(Bucket="releases", Key="1.0", Body=b"x")
"""
    result = run(
        "run", "--seed", seed, "--credentials", "actions:github-actions/deploy", "--policy", file, "--", sys.executable, "-c", script)
    assert result.returncode == 0, result.stderr
    assert json.loads(file.read_text())["Statement"] == [
        {"Effect": "Allow", "Action": ["s3:PutObject"], "Resource": ["arn:aws:s3:::releases/1.0"]}]
