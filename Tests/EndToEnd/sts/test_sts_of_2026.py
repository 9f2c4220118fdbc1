"""What AWS added to STS and IAM in 2025 and 2026, and rules of theirs that public reports describe."""

import base64
import json
import re
import urllib.parse

import pytest
import requests
from botocore.signers import RequestSigner

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT
from sandboxes import Sandbox

EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sts:*", "s3:*"], "Resource": "*"}]}
STS_ONLY = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:*", "Resource": "*"}]})
GITHUB = "token.actions.githubusercontent.com"


def trust(principal, action="sts:AssumeRole", **elements):
    statement = {"Effect": "Allow", "Principal": principal, "Action": action} | elements
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


@pytest.fixture
def iam(cloud):
    return client(cloud, "iam")


@pytest.fixture
def user(iam):
    """The keys of a user who may do everything in STS and S3."""
    iam.create_user(UserName="kim")
    iam.put_user_policy(UserName="kim", PolicyName="p", PolicyDocument=json.dumps(EVERYTHING))
    key = iam.create_access_key(UserName="kim")["AccessKey"]
    return {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}


@pytest.fixture
def role(iam, user):
    """The ARN of a role that the user may assume."""
    arn = iam.create_role(
        RoleName="worker", MaxSessionDuration=43200, AssumeRolePolicyDocument=trust({"AWS": f"arn:aws:iam::{ACCOUNT}:user/kim"}))["Role"]["Arn"]
    iam.put_role_policy(RoleName="worker", PolicyName="p", PolicyDocument=json.dumps(EVERYTHING))
    return arn


def session(cloud, user, role, **parameters):
    return client(cloud, "sts", **user).assume_role(RoleArn=role, RoleSessionName="session", **parameters)


# AWS re:Post, "ForAnyValue:StringEqualsIfExists behaving unexpectedly".
@pytest.mark.parametrize("operator, value", [
    ("ForAnyValue:StringEqualsIfExists", "team"), ("ForAnyValue:StringNotEqualsIfExists", "team"), ("ForAnyValue:ArnLikeIfExists", "arn:aws:s3:::b")])
def test_if_exists_does_not_make_a_missing_key_match_any_value(cloud, iam, user, operator, value):
    condition = {operator: {"aws:TagKeys": [value]}}
    iam.put_user_policy(UserName="kim", PolicyName="p", PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": "s3:ListAllMyBuckets", "Resource": "*", "Condition": condition}]}))
    with refused("AccessDenied", 403):
        client(cloud, "s3", **user).list_buckets()


# aws-iam-authenticator, pkg/token/token.go; `aws eks get-token` presigns for 60 seconds.
def test_k31_presigned_calls_last_a_quarter_of_an_hour(cloud):
    sts = client(cloud, "sts")
    signer = RequestSigner(sts.meta.service_model.service_id, "us-east-1", "sts", "v4", sts._request_signer._credentials, sts.meta.events)
    url = signer.generate_presigned_url(
        {"method": "GET", "url": cloud.url + "/?Action=GetCallerIdentity&Version=2011-06-15", "body": {}, "headers": {}, "context": {}},
        region_name="us-east-1", expires_in=60, operation_name="")
    assert requests.get(url).status_code == 200
    cloud.age("PT10M")
    assert requests.get(url).status_code == 200
    cloud.age("PT6M")
    late = requests.get(url)
    assert late.status_code == 403
    assert "Signature expired: " in late.text
    assert " - 15 min.)" in late.text


def test_k31_tokens_of_eks_sign_the_name_of_the_cluster(cloud):
    sts = client(cloud, "sts")
    signer = RequestSigner(sts.meta.service_model.service_id, "us-east-1", "sts", "v4", sts._request_signer._credentials, sts.meta.events)
    cluster = {"x-k8s-aws-id": "shop"}
    url = signer.generate_presigned_url(
        {"method": "GET", "url": cloud.url + "/?Action=GetCallerIdentity&Version=2011-06-15", "body": {}, "headers": cluster, "context": {}},
        region_name="us-east-1", expires_in=60, operation_name="")
    assert "x-k8s-aws-id" in url
    assert requests.get(url, headers=cluster).status_code == 200
    assert requests.get(url).status_code == 403
    assert requests.get(url, headers={"x-k8s-aws-id": "other"}).status_code == 403


def test_k31_presigned_requests_of_s3_end_as_they_say(cloud):
    url = client(cloud, "s3").generate_presigned_url("list_buckets", ExpiresIn=60)
    assert requests.get(url).status_code == 200
    cloud.age("PT61S")
    assert requests.get(url).status_code == 403


# aws-runas#11, aws-vault#263.
def test_a_session_of_get_session_token_counts_as_role_chaining(cloud, user, role):
    session(cloud, user, role, DurationSeconds=7200)
    own = keys_of(client(cloud, "sts", **user).get_session_token())
    session(cloud, own, role, DurationSeconds=3600)
    with refused("ValidationError", 400, "exceeds the 1 hour session limit for roles assumed by role chaining"):
        session(cloud, own, role, DurationSeconds=3601)


class TestScopedCredentials:
    """STS API Reference, "GetScopedCredentials"."""

    def test_k33_keep_the_identity_and_narrow_the_permissions(self, cloud, user, role):
        keys = keys_of(session(cloud, user, role))
        answer = client(cloud, "sts", **keys).get_scoped_credentials(Policy=STS_ONLY, DurationSeconds=300)
        scoped = client(cloud, "sts", **keys_of(answer))
        identity = client(cloud, "sts", **keys).get_caller_identity()
        assert scoped.get_caller_identity()["Arn"] == identity["Arn"]
        assert answer["SessionInfo"] == {"ScopedSessionId": identity["UserId"], "Arn": identity["Arn"]}
        assert answer["ScopedPoliciesCount"] == 1
        client(cloud, "s3", **keys).list_buckets()
        with refused("AccessDenied", 403):
            client(cloud, "s3", **keys_of(answer)).list_buckets()

    def test_k33_every_policy_counts_and_three_are_the_most(self, cloud, user, role):
        s3_only = STS_ONLY.replace("sts:*", "s3:*")
        both = json.dumps(EVERYTHING)
        answer = session(cloud, user, role, Policy=both)
        for policy in (both, s3_only.replace('"s3:*"', '["s3:*","sts:*"]'), both):
            answer = client(cloud, "sts", **keys_of(answer)).get_scoped_credentials(Policy=policy)
        assert answer["ScopedPoliciesCount"] == 3
        client(cloud, "s3", **keys_of(answer)).list_buckets()
        with refused("AccessDenied", 403):
            client(cloud, "sts", **keys_of(answer)).get_scoped_credentials(Policy=both)
        assert client(cloud, "sts", **keys_of(answer)).get_scoped_credentials(DurationSeconds=60)["ScopedPoliciesCount"] == 3

    def test_k33_limit_the_root_user_too(self, cloud):
        keys = keys_of(client(cloud, "sts").get_session_token())
        scoped = keys_of(client(cloud, "sts", **keys).get_scoped_credentials(Policy=STS_ONLY))
        with refused("AccessDenied", 403):
            client(cloud, "s3", **scoped).list_buckets()

    def test_k33_are_refused_where_aws_refuses_them(self, cloud, user, role):
        keys = keys_of(session(cloud, user, role, DurationSeconds=900))
        sts = client(cloud, "sts", **keys)
        with refused("InvalidSubjectCredentials", 400):
            client(cloud, "sts", **user).get_scoped_credentials(Policy=STS_ONLY)
        with refused("ValidationError", 400):
            sts.get_scoped_credentials()
        with refused("MalformedPolicyDocument", 400):
            sts.get_scoped_credentials(Policy="{}")
        with refused("InsufficientSessionLifetime", 400):
            sts.get_scoped_credentials(DurationSeconds=1000)
        cloud.age("PT10M")
        with refused("InsufficientSessionLifetime", 400):
            sts.get_scoped_credentials(DurationSeconds=400)
        assert sts.get_scoped_credentials(DurationSeconds=200)


# The models of botocore 1.44.8: "STS increases the session token to at least this size".
@pytest.mark.parametrize("least", [None, 3000, 4096])
def test_k35_the_session_token_has_the_minimum_size(cloud, user, role, least):
    size = {"MinimumSessionTokenSize": least} if least else {}
    sts = client(cloud, "sts", **user)
    for answer in (sts.get_session_token(**size), sts.get_federation_token(Name="guest", **size), session(cloud, user, role, **size)):
        token = answer["Credentials"]["SessionToken"]
        assert len(token) >= (least or 0)
        assert answer["SessionTokenSize"] == len(token)
        assert answer["SessionTokenUtilization"] == min(100, -(-len(token) * 100 // 4096))
        client(cloud, "sts", **keys_of(answer)).get_caller_identity()


def test_k34_sign_in_durations_are_stored(iam):
    iam.create_user(UserName="lee")
    profile = iam.create_login_profile(UserName="lee", Password="Aa1!aaaa-bb", MaxSigninSessionDuration=7200)["LoginProfile"]
    assert profile["MaxSigninSessionDuration"] == 7200
    iam.update_login_profile(UserName="lee", ResetMaxSigninSessionDuration=True)
    assert "MaxSigninSessionDuration" not in iam.get_login_profile(UserName="lee")["LoginProfile"]
    iam.create_role(RoleName="signing", AssumeRolePolicyDocument=trust({"AWS": ACCOUNT}), MaxSigninSessionDuration=3600)
    assert iam.get_role(RoleName="signing")["Role"]["MaxSigninSessionDuration"] == 3600
    iam.update_role(RoleName="signing", MaxSigninSessionDuration=9000)
    assert iam.get_role(RoleName="signing")["Role"]["MaxSigninSessionDuration"] == 9000
    with refused("ValidationError", 400):
        iam.update_role(RoleName="signing", MaxSigninSessionDuration=9000, ResetMaxSigninSessionDuration=True)
    iam.update_role(RoleName="signing", ResetMaxSigninSessionDuration=True)
    assert "MaxSigninSessionDuration" not in iam.get_role(RoleName="signing")["Role"]


CLAIMS = {
    "actor": "octocat", "actor_id": "12", "job_workflow_ref": "o/r/.github/workflows/ci.yml@refs/heads/main", "repository": "o/r",
    "repository_id": "74", "repository_owner_id": "65", "workflow": "ci", "ref": "refs/heads/main", "environment": "prod", "enterprise_id": "9",
    "sha": "1c2d"}


@pytest.fixture
def github(process):
    """A sandbox with GitHub's issuer and one run of a workflow."""
    with Sandbox.seeded(process, {
        "accounts": [{"id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}]}],
        "identityProviders": [{
            "name": "github", "kind": "openIDConnect", "issuer": "https://" + GITHUB,
            "clients": [{"id": "sts.amazonaws.com", "secret": "x", "redirectURIs": ["http://localhost/cb"]}],
            "people": [{"name": "run", "subject": "repo:o/r:ref:refs/heads/main", "password": "p", "claims": CLAIMS}]}]}) as sandbox:
        yield sandbox


def assume_as_run(sandbox, role):
    return anonymous(sandbox, "sts").assume_role_with_web_identity(
        RoleArn=role, RoleSessionName="GitHubActions", WebIdentityToken=sandbox.token("github", "run"))


def trusting_github(conditions):
    equals = {f"{GITHUB}:{key}": value for key, value in conditions.items()}
    return trust(
        {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{GITHUB}"}, "sts:AssumeRoleWithWebIdentity",
        Condition={"StringLike": {GITHUB + ":sub": "repo:o/*"}} | ({"StringEquals": equals} if equals else {}))


# IAM User Guide, "Available keys for AWS OIDC federation"; cztack#908.
def test_k28_claims_of_github_are_condition_keys(github):
    iam = client(github, "iam")
    iam.create_open_id_connect_provider(Url="https://" + GITHUB, ClientIDList=["sts.amazonaws.com"])
    role = iam.create_role(RoleName="deploy", AssumeRolePolicyDocument=trusting_github({}))["Role"]["Arn"]
    for name, value in CLAIMS.items():
        iam.update_assume_role_policy(RoleName="deploy", PolicyDocument=trusting_github({name: value}))
        if name == "sha":
            with refused("AccessDenied", 403):
                assume_as_run(github, role)
        else:
            assume_as_run(github, role)
            iam.update_assume_role_policy(RoleName="deploy", PolicyDocument=trusting_github({name: value + "x"}))
            with refused("AccessDenied", 403):
                assume_as_run(github, role)


def payload(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


# IAM API Reference, "ContextProvider"; STS API Reference, "GetWebIdentityToken".
def test_a_context_provider_gives_sessions_an_origin_identity(github):
    iam = client(github, "iam")
    provider = iam.create_open_id_connect_provider(
        Url="https://" + GITHUB, ClientIDList=["sts.amazonaws.com"],
        ContextProvider={"SubjectSourceKey": "actor", "SubjectTypeValue": "user", "KeyDefinitionList": [{"SourceKey": "ref"}]})["OpenIDConnectProviderArn"]
    context = iam.get_open_id_connect_provider(OpenIDConnectProviderArn=provider)["ContextProvider"]
    assert context == {"SubjectSourceKey": "actor", "SubjectTypeValue": "user", "KeyDefinitionList": [{"SourceKey": "ref"}]}
    role = iam.create_role(RoleName="deploy", AssumeRolePolicyDocument=trusting_github({}))["Role"]["Arn"]
    iam.put_role_policy(RoleName="deploy", PolicyName="p", PolicyDocument=STS_ONLY)
    iam.enable_outbound_web_identity_federation()
    sts = client(github, "sts", **keys_of(assume_as_run(github, role)))
    request = {"Audience": ["https://api.example"], "SigningAlgorithm": "ES384"}
    claims = payload(sts.get_web_identity_token(**request, SubjectMode="OriginIdentity", Scope="read write")["WebIdentityToken"])
    assert (claims["sub"], claims["subject_mode"], claims["scope"]) == ("octocat", "OriginIdentity", "read write")
    claims = payload(sts.get_web_identity_token(**request)["WebIdentityToken"])
    assert (claims["sub"], "subject_mode" in claims, "scope" in claims) == (role, False, False)
    with refused("ValidationError", 400):
        sts.get_web_identity_token(**request, Scope="read")
    with refused("ValidationError", 400):
        sts.get_web_identity_token(**request, SubjectMode="OriginIdentity", Scope="read read")
    iam.put_role_policy(RoleName="deploy", PolicyName="p", PolicyDocument=STS_ONLY.replace("sts:*", "sts:GetWebIdentityToken"))
    with refused("AccessDenied", 403, "sts:SetWebIdentityTokenScope"):
        sts.get_web_identity_token(**request, SubjectMode="OriginIdentity", Scope="read")
    iam.update_open_id_connect_provider(OpenIDConnectProviderArn=provider, RemoveContextProvider=True)
    assert "ContextProvider" not in iam.get_open_id_connect_provider(OpenIDConnectProviderArn=provider)
    with refused("ValidationError", 400):
        client(github, "sts", **keys_of(assume_as_run(github, role))).get_web_identity_token(**request, SubjectMode="OriginIdentity")


# aws-cli#10314.
@pytest.mark.parametrize("effect", ["Allow", "Deny"])
def test_the_simulator_ignores_a_trust_policy(iam, user, effect):
    arn = f"arn:aws:iam::{ACCOUNT}:user/kim"
    for action, decision in [("sts:AssumeRole", "allowed"), ("sts:AssumeRoleWithWebIdentity", "allowed"), ("iam:GetRole", "implicitDeny")]:
        result = iam.simulate_principal_policy(
            PolicySourceArn=arn, ActionNames=[action], ResourceArns=[f"arn:aws:iam::{ACCOUNT}:role/any"],
            ResourcePolicy=trust({"AWS": arn}, Effect=effect), ResourceOwner=f"arn:aws:iam::{ACCOUNT}:root")["EvaluationResults"][0]
        assert result["EvalDecision"] == decision
    with refused("InvalidInput", 400, "Resource policy has invalid content"):
        iam.simulate_principal_policy(PolicySourceArn=arn, ActionNames=["sts:AssumeRole"], ResourcePolicy="{}")


# terraform#35086.
@pytest.mark.parametrize("name", [
    "tagging.amazonaws.com", "lamda.amazonaws.com", "ec2.eu-west-one.amazonaws.com", "ec2.mars.amazonaws.com", ".amazonaws.com", ".ec2.amazonaws.com",
    "eu-west-1.amazonaws.com"])
def test_unknown_services_cannot_be_trusted(iam, name):
    with refused("MalformedPolicyDocument", 400, f': Invalid principal in policy: "SERVICE":"{re.escape(name)}"$'):
        iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"Service": ["ec2.amazonaws.com", name]}))


@pytest.mark.parametrize("name", [
    "ec2.amazonaws.com", "logs.eu-west-1.amazonaws.com", "ecs-tasks.amazonaws.com", "eu-west-1.elasticache-snapshot.amazonaws.com",
    "ec2.amazonaws.com.cn", "member.org.stacksets.cloudformation.amazonaws.com", "pods.eks.amazonaws.com", "eks-fargate-pods.amazonaws.com",
    "tasks.apprunner.amazonaws.com", "build.apprunner.amazonaws.com", "osis-pipelines.amazonaws.com", "scheduler.redshift.amazonaws.com",
    "dms-data-migrations.amazonaws.com", "dms.eu-west-2.amazonaws.com", "resources.cloudformation.amazonaws.com",
    "hooks.cloudformation.amazonaws.com", "directoryservice.rds.amazonaws.com", "monitoring.rds.amazonaws.com",
    "monitor.iotsitewise.amazonaws.com", "credentials.iot.amazonaws.com", "delivery.logs.amazonaws.com", "vpc-flow-logs.amazonaws.com",
    "transcription.chime.amazonaws.com", "batchoperations.s3.amazonaws.com", "license-manager.master-account.amazonaws.com",
    "bedrock-agentcore.amazonaws.com", "rolesanywhere.amazonaws.com", "edgelambda.amazonaws.com", "vmie.amazonaws.com", "alexa-appkit.amazon.com",
    "ssm-incidents.alarms.cloudwatch.amazonaws.com", "states.us-gov-west-1.amazonaws.com"])
def test_known_services_can_be_trusted(iam, name):
    iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"Service": name}))


# IAM User Guide, "AWS JSON policy elements: Principal": the forms of principals in trust policies, of accounts that the sandbox does not have.
@pytest.mark.parametrize("principal", [
    {"AWS": "111122223333"}, {"AWS": "arn:aws:iam::111122223333:root"}, {"AWS": ["arn:aws:iam::111122223333:root", "444455556666"]},
    {"AWS": "arn:aws:iam::111122223333:role/path/name"}, {"AWS": "arn:aws:iam::111122223333:user/path/name"},
    {"AWS": "arn:aws:sts::111122223333:assumed-role/role/session"}, {"AWS": "arn:aws:sts::111122223333:federated-user/name"}, {"AWS": "*"},
    {"Service": ["ecs.amazonaws.com", "elasticloadbalancing.amazonaws.com"]}, {"AWS": "111122223333", "Service": "ec2.amazonaws.com"}])
def test_every_form_of_principal_can_be_trusted(iam, principal):
    iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust(principal))


@pytest.mark.parametrize("provider, key", [
    ("cognito-identity.amazonaws.com", "cognito-identity.amazonaws.com:aud"), ("www.amazon.com", "www.amazon.com:app_id"),
    ("graph.facebook.com", "graph.facebook.com:app_id"), ("accounts.google.com", "accounts.google.com:aud"),
    ("arn:aws:iam::111122223333:oidc-provider/login.example/tenant", "login.example/tenant:aud"),
    ("arn:aws:iam::111122223333:saml-provider/idp", "SAML:aud")])
def test_every_form_of_federated_principal_can_be_trusted(iam, provider, key):
    action = "sts:AssumeRoleWithSAML" if key.startswith("SAML") else "sts:AssumeRoleWithWebIdentity"
    policy = trust({"Federated": provider}, [action, "sts:TagSession"], Condition={"StringEquals": {key: "audience"}})
    iam.create_role(RoleName="r", AssumeRolePolicyDocument=policy)


def test_misspelt_actions_of_sts_are_refused(iam):
    with refused("MalformedPolicyDocument", 400, "AssumeRole policy may only specify STS AssumeRole actions."):
        iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"AWS": ACCOUNT}, "sts:AssumeRol"))
    iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"AWS": ACCOUNT}, ["sts:assumerole", "sts:Tag*"]))


def test_an_account_id_becomes_the_arn_of_its_root_user(iam):
    iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"AWS": [ACCOUNT, "111122223333"]}))
    shown = iam.get_role(RoleName="r")["Role"]["AssumeRolePolicyDocument"]
    assert shown["Statement"][0]["Principal"] == {"AWS": [f"arn:aws:iam::{ACCOUNT}:root", "arn:aws:iam::111122223333:root"]}


class TestADFS:
    """aws-adfs 2.13 posts user name and password together with the service provider, and reads the assertion from the answer."""

    FORM = {"UserName": "alice", "Password": "alice-password", "AuthMethod": "FormsAuthentication"}
    PATH = "/adfs/ls/IdpInitiatedSignOn.aspx?loginToRp="

    @pytest.fixture
    def post(self, cloud):
        def post(**form):
            return requests.Session().post(cloud.url + self.PATH + urllib.parse.quote("urn:amazon:webservices"), data=self.FORM | form)
        return post

    def test_answers_one_post_with_the_assertion(self, post):
        assert 'name="SAMLResponse"' in post().text

    def test_answers_a_wrong_password_with_the_login_page(self, post):
        answer = post(Password="wrong").text
        assert 'name="SAMLResponse"' not in answer
        assert "The user name or the password is wrong." in answer


def test_arns_of_other_partitions_are_refused(iam):
    iam.create_user(UserName="lee")
    policy = STS_ONLY.replace('"*"}', '"arn:aws-cn:s3:::b"}')
    message = 'Partition "aws-cn" is not valid for resource "arn:aws-cn:s3:::b".'
    with refused("MalformedPolicyDocument", 400, message):
        iam.put_user_policy(UserName="lee", PolicyName="p", PolicyDocument=policy)
    with refused("MalformedPolicyDocument", 400, message):
        iam.create_policy(PolicyName="p", PolicyDocument=policy)
    with refused("MalformedPolicyDocument", 400, 'Invalid principal in policy: "AWS":"arn:aws-cn:iam::111122223333:root"'):
        iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"AWS": "arn:aws-cn:iam::111122223333:root"}))
    provider = "arn:aws-cn:iam::111122223333:oidc-provider/login.example"
    with refused("MalformedPolicyDocument", 400, f'Invalid principal in policy: "FEDERATED":"{provider}"'):
        iam.create_role(RoleName="r", AssumeRolePolicyDocument=trust({"Federated": provider}, "sts:AssumeRoleWithWebIdentity"))


# Reports of 2026-05-04 (account-alias/*) and 2026-08-15 (*/cdk-*).
@pytest.mark.parametrize("path", ["account-alias/*", "*/cdk-*"])
def test_the_type_of_an_iam_resource_is_one_of_a_list(iam, path):
    policy = STS_ONLY.replace('"*"}', f'"arn:aws:iam::{ACCOUNT}:{path}"}}')
    with refused("MalformedPolicyDocument", 400, r'IAM resource path must either be "\*", root, or start with user/, federated-user/, role/'):
        iam.create_policy(PolicyName="p", PolicyDocument=policy)
