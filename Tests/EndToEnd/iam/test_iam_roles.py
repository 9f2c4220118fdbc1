"""Roles, managed policies, identity providers and instance profiles over IAM, as boto3 and the AWS command line manage them."""

import json

import pytest
import requests
from botocore.exceptions import ClientError

from clients import anonymous, client, keys_of, refused
from cloud import ACCOUNT, Cloud
from login_page import Person
from test_openid_connect import RelyingParty

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TRUST = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "Action": "sts:AssumeRole"}]}


def allow(action, resource="*", **more):
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": action, "Resource": resource, **more}]}


@pytest.fixture
def iam(cloud):
    return client(cloud, "iam")


def make_role(iam, name, **more):
    return iam.create_role(RoleName=name, AssumeRolePolicyDocument=json.dumps(TRUST), **more)["Role"]


def test_roles_are_listed_page_by_page(iam):
    for number in range(5):
        make_role(iam, f"worker-{number}", Path="/workers/")
    pages = list(iam.get_paginator("list_roles").paginate(PathPrefix="/workers/", PaginationConfig={"PageSize": 2}))
    assert [len(page["Roles"]) for page in pages] == [2, 2, 1]
    assert [role["RoleName"] for page in pages for role in page["Roles"]] == [f"worker-{number}" for number in range(5)]


def test_documents_come_back_as_documents(iam):
    assert make_role(iam, "worker")["AssumeRolePolicyDocument"] == TRUST
    iam.put_role_policy(RoleName="worker", PolicyName="inline", PolicyDocument=json.dumps(allow("s3:*")))
    assert iam.get_role_policy(RoleName="worker", PolicyName="inline")["PolicyDocument"] == allow("s3:*")
    arn = iam.create_policy(PolicyName="managed", PolicyDocument=json.dumps(allow("s3:Get*")))["Policy"]["Arn"]
    assert iam.get_policy_version(PolicyArn=arn, VersionId="v1")["PolicyVersion"]["Document"] == allow("s3:Get*")


def test_a_policy_of_aws_decides(cloud, iam):
    iam.create_user(UserName="reader")
    key = iam.create_access_key(UserName="reader")["AccessKey"]
    s3 = client(cloud, "s3", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
    with refused("AccessDenied", 403):
        s3.list_buckets()
    iam.attach_user_policy(UserName="reader", PolicyArn="arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess")
    assert s3.list_buckets()["Buckets"]
    with refused("AccessDenied", 403):
        s3.create_bucket(Bucket="reader-bucket")
    iam.attach_user_policy(UserName="reader", PolicyArn="arn:aws:iam::aws:policy/AmazonS3FullAccess")
    s3.create_bucket(Bucket="reader-bucket")


def test_a_principal_made_again_is_another(cloud, iam):
    iam.create_user(UserName="ann")
    arn = f"arn:aws:iam::{ACCOUNT}:user/ann"
    unique = iam.get_user(UserName="ann")["User"]["UserId"]
    trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": arn}, "Action": "sts:AssumeRole"}]}
    role = iam.create_role(RoleName="anns", AssumeRolePolicyDocument=json.dumps(trust))["Role"]

    def assume():
        key = iam.create_access_key(UserName="ann")["AccessKey"]
        sts = client(cloud, "sts", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
        try:
            return sts.assume_role(RoleArn=role["Arn"], RoleSessionName="app1")
        finally:
            iam.delete_access_key(UserName="ann", AccessKeyId=key["AccessKeyId"])

    assert assume()["Credentials"]
    iam.delete_user(UserName="ann")
    shown = iam.get_role(RoleName="anns")["Role"]["AssumeRolePolicyDocument"]
    assert shown["Statement"][0]["Principal"] == {"AWS": unique}
    iam.create_user(UserName="ann")
    with refused("AccessDenied", 403):
        assume()
    iam.update_assume_role_policy(RoleName="anns", PolicyDocument=json.dumps(trust))
    assert assume()["Credentials"]


def test_bindings_survive_a_restart(tmp_path):
    arn = f"arn:aws:iam::{ACCOUNT}:user/ann"
    trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": arn}, "Action": "sts:AssumeRole"}]}
    with Cloud.over(tmp_path) as cloud:
        iam = client(cloud, "iam")
        unique = iam.create_user(UserName="ann")["User"]["UserId"]
        iam.create_role(RoleName="anns", AssumeRolePolicyDocument=json.dumps(trust))
        iam.delete_user(UserName="ann")
        assert cloud.stop() == 0
    with Cloud.over(tmp_path) as cloud:
        iam = client(cloud, "iam")
        iam.create_user(UserName="ann")
        assert iam.get_role(RoleName="anns")["Role"]["AssumeRolePolicyDocument"]["Statement"][0]["Principal"] == {"AWS": unique}
        assert cloud.stop() == 0


def test_last_use_of_a_role(cloud, iam):
    role = make_role(iam, "worker")
    assert iam.get_role(RoleName="worker")["Role"]["RoleLastUsed"] == {}
    session = client(cloud, "sts").get_caller_identity()["Arn"]
    assert session.endswith(":root")
    trust = {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/ann"}, "Action": "sts:AssumeRole"}]}
    iam.create_user(UserName="ann")
    iam.update_assume_role_policy(RoleName="worker", PolicyDocument=json.dumps(trust))
    key = iam.create_access_key(UserName="ann")["AccessKey"]
    sts = client(cloud, "sts", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
    answer = sts.assume_role(RoleArn=role["Arn"], RoleSessionName="app1")
    client(cloud, "sts", region="eu-west-1", **keys_of(answer)).get_caller_identity()
    assert iam.get_role(RoleName="worker")["Role"]["RoleLastUsed"]["Region"] == "eu-west-1"


def test_account_authorization_details(iam):
    role = make_role(iam, "worker", Path="/workers/")
    iam.create_instance_profile(InstanceProfileName="machines")
    iam.add_role_to_instance_profile(InstanceProfileName="machines", RoleName="worker")
    iam.attach_role_policy(RoleName="worker", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
    whole = iam.get_paginator("get_account_authorization_details").paginate(PaginationConfig={"PageSize": 2}).build_full_result()
    detail = next(one for one in whole["RoleDetailList"] if one["RoleName"] == "worker")
    assert detail["Arn"] == role["Arn"] and detail["AssumeRolePolicyDocument"] == TRUST
    assert detail["InstanceProfileList"][0]["InstanceProfileName"] == "machines"
    assert detail["AttachedManagedPolicies"] == [
        {"PolicyName": "AdministratorAccess", "PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"}]
    assert [policy["PolicyName"] for policy in whole["Policies"]] == ["AdministratorAccess"]
    assert any(user["UserName"] == "developer" for user in whole["UserDetailList"])
    only = iam.get_account_authorization_details(Filter=["AWSManagedPolicy"])
    assert only["RoleDetailList"] == [] and only["Policies"][0]["PolicyVersionList"][0]["Document"]["Statement"]


def test_policies_granting_service_access(iam):
    make_role(iam, "worker")
    iam.put_role_policy(RoleName="worker", PolicyName="inline", PolicyDocument=json.dumps(allow("s3:Get*")))
    iam.attach_role_policy(RoleName="worker", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
    answer = iam.list_policies_granting_service_access(
        Arn=f"arn:aws:iam::{ACCOUNT}:role/worker", ServiceNamespaces=["s3", "sqs"])["PoliciesGrantingServiceAccess"]
    assert [[policy["PolicyName"] for policy in one["Policies"]] for one in answer] == [
        ["inline", "AdministratorAccess"], ["AdministratorAccess"]]


def test_who_gives_a_role_to_machines_must_pass_it(cloud, iam):
    make_role(iam, "worker")
    iam.create_instance_profile(InstanceProfileName="machines")
    iam.create_user(UserName="operator")
    iam.put_user_policy(
        UserName="operator", PolicyName="machines", PolicyDocument=json.dumps(allow("iam:AddRoleToInstanceProfile")))
    key = iam.create_access_key(UserName="operator")["AccessKey"]
    operator = client(cloud, "iam", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
    with pytest.raises(ClientError, match="iam:PassRole"):
        operator.add_role_to_instance_profile(InstanceProfileName="machines", RoleName="worker")
    passing = allow("iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/worker",
                    Condition={"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}})
    iam.put_user_policy(UserName="operator", PolicyName="pass", PolicyDocument=json.dumps(passing))
    operator.add_role_to_instance_profile(InstanceProfileName="machines", RoleName="worker")
    profile = iam.get_instance_profile(InstanceProfileName="machines")["InstanceProfile"]
    assert [role["RoleName"] for role in profile["Roles"]] == ["worker"]


def test_a_boundary_must_be_the_one_that_a_policy_names(cloud, iam):
    arn = iam.create_policy(PolicyName="bounds", PolicyDocument=json.dumps(allow("s3:*")))["Policy"]["Arn"]
    iam.create_user(UserName="operator")
    iam.put_user_policy(UserName="operator", PolicyName="roles", PolicyDocument=json.dumps(
        allow("iam:CreateRole", Condition={"StringEquals": {"iam:PermissionsBoundary": arn}})))
    key = iam.create_access_key(UserName="operator")["AccessKey"]
    operator = client(cloud, "iam", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
    with refused("AccessDenied", 403):
        make_role(operator, "worker")
    role = make_role(operator, "worker", PermissionsBoundary=arn)
    assert role["PermissionsBoundary"]["PermissionsBoundaryArn"] == arn
    with refused("NoSuchEntity", 404):
        make_role(iam, "other", PermissionsBoundary=f"arn:aws:iam::{ACCOUNT}:policy/nothing")


def test_federation_from_nothing(cloud, iam, tool):
    """The command line and boto3 create everything for a login, and a change of policy affects an existing session."""

    def aws(*arguments):
        output = tool("aws", "--endpoint-url", cloud.url, "--region", "us-east-1", "--output", "json", *arguments,
                      AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test")
        return json.loads(output) if output.strip() else None

    for one in iam.list_open_id_connect_providers()["OpenIDConnectProviderList"]:
        iam.delete_open_id_connect_provider(OpenIDConnectProviderArn=one["Arn"])
    provider = aws("iam", "create-open-id-connect-provider", "--url", "https://login.company.example",
                   "--client-id-list", "web-app")["OpenIDConnectProviderArn"]
    trust = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"Federated": provider}, "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {"login.company.example:aud": "web-app"}}}]}
    role = aws("iam", "create-role", "--role-name", "visitors", "--assume-role-policy-document", json.dumps(trust))["Role"]
    policy = iam.create_policy(PolicyName="lobby", PolicyDocument=json.dumps(
        allow(["s3:GetObject", "s3:PutObject"], "arn:aws:s3:::lobby/${login.company.example:sub}/*")))["Policy"]["Arn"]
    aws("iam", "attach-role-policy", "--role-name", "visitors", "--policy-arn", policy)
    client(cloud, "s3").create_bucket(Bucket="lobby")

    metadata = requests.get(f"{cloud.url}/idp/company/.well-known/openid-configuration").json()
    relying_party = RelyingParty(metadata)
    tokens = relying_party.finish(Person("carol", "carol-password").authorize(relying_party.begin()))
    answer = anonymous(cloud, "sts").assume_role_with_web_identity(
        RoleArn=role["Arn"], RoleSessionName="visit", WebIdentityToken=tokens["id_token"])
    s3 = client(cloud, "s3", **keys_of(answer))
    key = f"{answer['SubjectFromWebIdentityToken']}/notes.txt"
    s3.put_object(Bucket="lobby", Key=key, Body=b"hello")
    with refused("AccessDenied", 403):
        s3.put_object(Bucket="lobby", Key="elsewhere.txt", Body=b"hello")

    aws("iam", "create-policy-version", "--policy-arn", policy, "--set-as-default", "--policy-document",
        json.dumps(allow("s3:GetObject", "arn:aws:s3:::lobby/*")))
    assert s3.get_object(Bucket="lobby", Key=key)["Body"].read() == b"hello"
    with refused("AccessDenied", 403):
        s3.put_object(Bucket="lobby", Key=key, Body=b"again")
    aws("iam", "detach-role-policy", "--role-name", "visitors", "--policy-arn", policy)
    with refused("AccessDenied", 403):
        s3.get_object(Bucket="lobby", Key=key)
    aws("iam", "delete-role", "--role-name", "visitors")
    with refused("InvalidToken", 400):
        s3.get_object(Bucket="lobby", Key=key)
