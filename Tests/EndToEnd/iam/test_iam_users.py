"""Users, groups, their policies and credentials over IAM, as boto3 and the AWS command line manage them."""

import json

import pytest
from botocore.exceptions import WaiterError

from clients import client, refused
from cloud import ACCOUNT
from one_time_passwords import code, step

READ_ONLY = "arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"
SERVICE = {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}]}


def allow(action, resource="*", **more):
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": action, "Resource": resource, **more}]}


def user_arn(name, path="/"):
    return f"arn:aws:iam::{ACCOUNT}:user{path}{name}"


@pytest.fixture
def iam(cloud):
    return client(cloud, "iam")


def make_user(cloud, iam, name, *documents):
    """A user with inline policies. Returns the user's keys, as keyword arguments of `client`."""
    iam.create_user(UserName=name)
    for number, document in enumerate(documents):
        iam.put_user_policy(UserName=name, PolicyName=f"p{number}", PolicyDocument=json.dumps(document))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}


def test_a_user_from_making_to_deletion(iam):
    made = iam.create_user(UserName="Ann", Path="/staff/", Tags=[{"Key": "team", "Value": "red"}])["User"]
    assert (made["Arn"], made["Path"], made["Tags"]) == (user_arn("Ann", "/staff/"), "/staff/", [{"Key": "team", "Value": "red"}])
    assert made["UserId"].startswith("AIDA") and len(made["UserId"]) == 21
    found = iam.get_user(UserName="ann")["User"]
    assert found == made
    with refused("EntityAlreadyExists", 409, "User with name ANN already exists.$"):
        iam.create_user(UserName="ANN")
    iam.update_user(UserName="Ann", NewUserName="Anna", NewPath="/")
    assert iam.get_user(UserName="Anna")["User"]["UserId"] == made["UserId"]
    with refused("NoSuchEntity", 404, "The user with name Ann cannot be found.$"):
        iam.get_user(UserName="Ann")
    iam.delete_user(UserName="Anna")
    with refused("NoSuchEntity", 404, "The user with name Anna cannot be found.$"):
        iam.delete_user(UserName="Anna")


def test_the_root_user_is_an_arn_alone(iam):
    root = iam.get_user()["User"]
    assert (root["Arn"], root["UserId"]) == (f"arn:aws:iam::{ACCOUNT}:root", ACCOUNT)


def test_a_user_asks_for_itself(cloud, iam):
    keys = make_user(cloud, iam, "ann", allow(["iam:GetUser", "iam:*AccessKey*"], user_arn("${aws:username}")))
    own = client(cloud, "iam", **keys)
    assert own.get_user()["User"]["UserName"] == "ann"
    assert [key["AccessKeyId"] for key in own.list_access_keys()["AccessKeyMetadata"]] == [keys["aws_access_key_id"]]
    with refused("AccessDenied", 403) as refusal:
        own.get_user(UserName="developer")
    assert refusal.message.startswith(
        f"User: {user_arn('ann')} is not authorized to perform: iam:GetUser on resource: user developer "
        "because no identity-based policy allows the iam:GetUser action. Go to https://")
    with refused("AccessDenied", 403, "iam:CreateUser on resource: " + user_arn("eve")):
        own.create_user(UserName="eve")


def test_what_hangs_on_a_user_goes_first(cloud, iam):
    make_user(cloud, iam, "ann", allow("s3:*"))
    iam.attach_user_policy(UserName="ann", PolicyArn=READ_ONLY)
    iam.create_login_profile(UserName="ann", Password="Secret-1234")
    iam.create_group(GroupName="staff")
    iam.add_user_to_group(GroupName="staff", UserName="ann")

    def hindered(what):
        with refused("DeleteConflict", 409, f"Cannot delete entity, must {what} first.$"):
            iam.delete_user(UserName="ann")

    hindered("delete access keys")
    for key in iam.list_access_keys(UserName="ann")["AccessKeyMetadata"]:
        iam.delete_access_key(UserName="ann", AccessKeyId=key["AccessKeyId"])
    hindered("delete login profile")
    iam.delete_login_profile(UserName="ann")
    hindered("remove users from group")
    iam.remove_user_from_group(GroupName="staff", UserName="ann")
    hindered("detach all policies")
    iam.detach_user_policy(UserName="ann", PolicyArn=READ_ONLY)
    hindered("delete policies")
    iam.delete_user_policy(UserName="ann", PolicyName="p0")
    iam.delete_user(UserName="ann")


@pytest.mark.parametrize("operation, parameters, message", [
    ("create_user", {"UserName": "a b"}, (
        "The specified value for userName is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-")),
    ("create_user", {"UserName": "a" * 65}, (
        f"1 validation error detected: Value at 'userName' failed to satisfy constraint: Member must have length less "
        "than or equal to 64")),
    ("list_users", {"MaxItems": 1001}, (
        "1 validation error detected: Value at 'maxItems' failed to satisfy constraint: Member must have value less than or "
        "equal to 1000")),
])
def test_parameters_are_checked(iam, operation, parameters, message):
    with refused("ValidationError", 400) as refusal:
        getattr(iam, operation)(**parameters)
    assert refusal.message == message


def test_lists_come_in_pages(cloud, iam):
    names = [f"worker-{number}" for number in range(7)]
    for name in names:
        iam.create_user(UserName=name, Path="/workers/")
        iam.create_group(GroupName=name, Path="/workers/")
    pages = list(iam.get_paginator("list_users").paginate(PathPrefix="/workers/", PaginationConfig={"PageSize": 3}))
    assert [len(page["Users"]) for page in pages] == [3, 3, 1]
    assert [page["IsTruncated"] for page in pages] == [True, True, False]
    assert [user["UserName"] for page in pages for user in page["Users"]] == names

    def listed(operation, key, **parameters):
        whole = iam.get_paginator(operation).paginate(PaginationConfig={"PageSize": 2}, **parameters).build_full_result()
        return whole[key]

    assert [group["GroupName"] for group in listed("list_groups", "Groups", PathPrefix="/workers/")] == names
    for name in names:
        iam.add_user_to_group(GroupName="worker-0", UserName=name)
        iam.put_user_policy(UserName="worker-0", PolicyName=name, PolicyDocument=json.dumps(allow("s3:*")))
    assert [user["UserName"] for user in listed("get_group", "Users", GroupName="worker-0")] == names
    assert listed("list_user_policies", "PolicyNames", UserName="worker-0") == names
    for name in names[:5]:
        iam.add_user_to_group(GroupName=name, UserName="worker-6")
    groups = listed("list_groups_for_user", "Groups", UserName="worker-6")
    assert [group["GroupName"] for group in groups] == names[:5]
    tags = [{"Key": f"key-{number}", "Value": str(number)} for number in range(5)]
    iam.tag_user(UserName="worker-0", Tags=tags)
    assert listed("list_user_tags", "Tags", UserName="worker-0") == tags
    arns = [iam.create_policy(PolicyName=name, PolicyDocument=json.dumps(allow("s3:*")))["Policy"]["Arn"] for name in names]
    for arn in arns[:5]:
        iam.attach_user_policy(UserName="worker-0", PolicyArn=arn)
    attached = listed("list_attached_user_policies", "AttachedPolicies", UserName="worker-0")
    assert [policy["PolicyArn"] for policy in attached] == arns[:5]
    assert [policy["Arn"] for policy in listed("list_policies", "Policies", Scope="Local")] == arns
    with refused("ValidationError", 400):
        iam.list_users(Marker="not-a-marker")


def test_waiters_see_what_was_made(iam):
    iam.create_user(UserName="ann")
    iam.create_instance_profile(InstanceProfileName="machines")
    iam.create_role(RoleName="worker", AssumeRolePolicyDocument=json.dumps(SERVICE))
    arn = iam.create_policy(PolicyName="files", PolicyDocument=json.dumps(allow("s3:*")))["Policy"]["Arn"]
    once = {"Delay": 1, "MaxAttempts": 1}
    iam.get_waiter("user_exists").wait(UserName="ann", WaiterConfig=once)
    iam.get_waiter("instance_profile_exists").wait(InstanceProfileName="machines", WaiterConfig=once)
    iam.get_waiter("role_exists").wait(RoleName="worker", WaiterConfig=once)
    iam.get_waiter("policy_exists").wait(PolicyArn=arn, WaiterConfig=once)
    for waiter, parameters in [("user_exists", {"UserName": "eve"}), ("instance_profile_exists", {"InstanceProfileName": "none"})]:
        with pytest.raises(WaiterError, match="Max attempts exceeded"):
            iam.get_waiter(waiter).wait(**parameters, WaiterConfig=once)


def test_what_a_group_may_do_its_members_may(cloud, iam):
    keys = make_user(cloud, iam, "ann")
    s3 = client(cloud, "s3", **keys)
    group = iam.create_group(GroupName="staff", Path="/all/")["Group"]
    assert group["Arn"] == f"arn:aws:iam::{ACCOUNT}:group/all/staff" and group["GroupId"].startswith("AGPA")
    iam.put_group_policy(GroupName="staff", PolicyName="list", PolicyDocument=json.dumps(allow("s3:ListAllMyBuckets")))
    with refused("AccessDenied", 403):
        s3.list_buckets()
    iam.add_user_to_group(GroupName="staff", UserName="ann")
    assert s3.list_buckets()["Buckets"]
    assert [user["UserName"] for user in iam.get_group(GroupName="staff")["Users"]] == ["ann"]
    with refused("DeleteConflict", 409, "Cannot delete entity, must remove users from group first.$"):
        iam.delete_group(GroupName="staff")
    iam.remove_user_from_group(GroupName="staff", UserName="ann")
    with refused("AccessDenied", 403):
        s3.list_buckets()
    with refused("DeleteConflict", 409, "Cannot delete entity, must delete policies first.$"):
        iam.delete_group(GroupName="staff")
    assert iam.get_group_policy(GroupName="staff", PolicyName="list")["PolicyDocument"] == allow("s3:ListAllMyBuckets")
    iam.delete_group_policy(GroupName="staff", PolicyName="list")
    iam.delete_group(GroupName="staff")
    with refused("NoSuchEntity", 404, "The group with name staff cannot be found.$"):
        iam.get_group(GroupName="staff")


def test_policies_of_users_decide_at_once(cloud, iam):
    keys = make_user(cloud, iam, "ann", allow("s3:ListAllMyBuckets"))
    s3 = client(cloud, "s3", **keys)
    assert s3.list_buckets()["Buckets"]
    iam.put_user_policy(UserName="ann", PolicyName="not", PolicyDocument=json.dumps(
        {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Action": "s3:*", "Resource": "*"}]}))
    with refused("AccessDenied", 403, "with an explicit deny in an identity-based policy"):
        s3.list_buckets()
    iam.delete_user_policy(UserName="ann", PolicyName="not")
    bounds = iam.create_policy(PolicyName="bounds", PolicyDocument=json.dumps(allow("sts:*")))["Policy"]["Arn"]
    iam.put_user_permissions_boundary(UserName="ann", PermissionsBoundary=bounds)
    with refused("AccessDenied", 403, "because no permissions boundary allows the s3:ListAllMyBuckets action"):
        s3.list_buckets()
    with refused("DeleteConflict", 409):
        iam.delete_policy(PolicyArn=bounds)
    iam.delete_user_permissions_boundary(UserName="ann")
    assert s3.list_buckets()["Buckets"]
    with refused("NoSuchEntity", 404, "The user policy with name none cannot be found.$"):
        iam.get_user_policy(UserName="ann", PolicyName="none")
    with refused("MalformedPolicyDocument", 400):
        iam.put_user_policy(UserName="ann", PolicyName="p", PolicyDocument="{}")
    with refused("NoSuchEntity", 404, f"Policy arn:aws:iam::{ACCOUNT}:policy/none does not exist or is not attachable.$"):
        iam.attach_user_policy(UserName="ann", PolicyArn=f"arn:aws:iam::{ACCOUNT}:policy/none")


def test_keys_come_and_go(cloud, iam):
    keys = make_user(cloud, iam, "ann")
    sts = client(cloud, "sts", **keys)
    assert sts.get_caller_identity()["Arn"] == user_arn("ann")
    used = iam.get_access_key_last_used(AccessKeyId=keys["aws_access_key_id"])
    assert (used["UserName"], used["AccessKeyLastUsed"]["ServiceName"]) == ("ann", "sts")
    second = iam.create_access_key(UserName="ann")["AccessKey"]
    with refused("LimitExceeded", 409, "Cannot exceed quota for AccessKeysPerUser: 2$"):
        iam.create_access_key(UserName="ann")
    iam.update_access_key(UserName="ann", AccessKeyId=keys["aws_access_key_id"], Status="Inactive")
    with refused("InvalidClientTokenId", 403, "The security token included in the request is invalid"):
        sts.get_caller_identity()
    listed = iam.list_access_keys(UserName="ann")["AccessKeyMetadata"]
    assert {key["AccessKeyId"]: key["Status"] for key in listed} == {
        keys["aws_access_key_id"]: "Inactive", second["AccessKeyId"]: "Active"}
    iam.delete_access_key(UserName="ann", AccessKeyId=keys["aws_access_key_id"])
    missing = keys["aws_access_key_id"]
    with refused("NoSuchEntity", 404, f"The Access Key with id {missing} cannot be found.$"):
        iam.delete_access_key(UserName="ann", AccessKeyId=missing)


def test_login_profiles_follow_the_password_policy(cloud, iam):
    keys = make_user(cloud, iam, "ann", allow("iam:ChangePassword", user_arn("${aws:username}")))
    with refused("PasswordPolicyViolation", 400, "Password should have a minimum length of 8$"):
        iam.create_login_profile(UserName="ann", Password="Ab1-")
    made = iam.create_login_profile(UserName="ann", Password="Secret-1234", PasswordResetRequired=True)["LoginProfile"]
    assert (made["UserName"], made["PasswordResetRequired"]) == ("ann", True)
    with refused("EntityAlreadyExists", 409, "Login Profile for user ann already exists.$"):
        iam.create_login_profile(UserName="ann", Password="Secret-1234")
    own = client(cloud, "iam", **keys)
    with refused("AccessDenied", 403, "The old password was incorrect.$"):
        own.change_password(OldPassword="wrong", NewPassword="Secret-5678")
    own.change_password(OldPassword="Secret-1234", NewPassword="Secret-5678")
    assert iam.get_login_profile(UserName="ann")["LoginProfile"]["PasswordResetRequired"] is False
    with refused("NoSuchEntity", 404, f"The Password Policy with domain name {ACCOUNT} cannot be found.$"):
        iam.get_account_password_policy()
    iam.update_account_password_policy(MinimumPasswordLength=14, RequireSymbols=True, MaxPasswordAge=90)
    policy = iam.get_account_password_policy()["PasswordPolicy"]
    assert (policy["MinimumPasswordLength"], policy["RequireSymbols"], policy["MaxPasswordAge"]) == (14, True, 90)
    with refused("PasswordPolicyViolation", 400, "Password should have a minimum length of 14$"):
        iam.update_login_profile(UserName="ann", Password="Secret-9012")
    iam.delete_login_profile(UserName="ann")
    with refused("NoSuchEntity", 404, "Login Profile for User ann cannot be found.$"):
        iam.get_login_profile(UserName="ann")


def test_tags_decide_who_may_be_managed(cloud, iam):
    keys = make_user(cloud, iam, "boss", allow("iam:DeleteUser", Condition={"StringEquals": {"aws:ResourceTag/team": "red"}}))
    boss = client(cloud, "iam", **keys)
    for name, team in [("ann", "red"), ("bob", "blue")]:
        iam.create_user(UserName=name, Tags=[{"Key": "Team", "Value": team}])
    with refused("AccessDenied", 403):
        boss.delete_user(UserName="bob")
    boss.delete_user(UserName="ann")
    iam.tag_user(UserName="bob", Tags=[{"Key": "team", "Value": "red"}])
    assert iam.list_user_tags(UserName="bob")["Tags"] == [{"Key": "team", "Value": "red"}]
    iam.untag_user(UserName="bob", TagKeys=["TEAM"])
    assert iam.list_user_tags(UserName="bob")["Tags"] == []
    with refused("InvalidInput", 400, "Duplicate tag keys found. Please note that Tag keys are case insensitive.$"):
        iam.tag_user(UserName="bob", Tags=[{"Key": "a", "Value": "1"}, {"Key": "A", "Value": "2"}])


def test_the_summary_counts(iam):
    before = iam.get_account_summary()["SummaryMap"]
    iam.create_user(UserName="ann")
    iam.create_group(GroupName="staff")
    after = iam.get_account_summary()["SummaryMap"]
    assert (after["Users"] - before["Users"], after["Groups"] - before["Groups"]) == (1, 1)
    assert after["UsersQuota"] == 5000 and after["AccessKeysPerUserQuota"] == 2


def test_a_credential_report_names_everybody(iam):
    iam.create_user(UserName="ann")
    with refused("ReportNotPresent", 410):
        iam.get_credential_report()
    assert [iam.generate_credential_report()["State"] for _ in range(2)] == ["STARTED", "COMPLETE"]
    report = iam.get_credential_report()
    assert report["ReportFormat"] == "text/csv"
    lines = report["Content"].decode().splitlines()
    assert lines[0].startswith("user,arn,user_creation_time,password_enabled")
    assert [line.split(",")[0] for line in lines[1:]][0] == "<root_account>" and any(line.startswith("ann,") for line in lines)


def test_the_command_line_manages_users(cloud, tool, tmp_path):
    def aws(*arguments, status=0, **variables):
        credentials = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
        output = tool("aws", "--endpoint-url", cloud.url, "--region", "us-east-1", "--output", "json", *arguments, status=status,
                      **credentials | variables)
        return json.loads(output) if output.strip() else None

    user = aws("iam", "create-user", "--user-name", "ann", "--path", "/staff/", "--tags", "Key=team,Value=red")["User"]
    aws("iam", "wait", "user-exists", "--user-name", "ann")
    aws("iam", "create-group", "--group-name", "staff")
    aws("iam", "add-user-to-group", "--group-name", "staff", "--user-name", "ann")
    (tmp_path / "policy.json").write_text(json.dumps(allow(["s3:ListAllMyBuckets", "iam:GetUser"])))
    aws("iam", "put-group-policy", "--group-name", "staff", "--policy-name", "list",
        "--policy-document", f"file://{tmp_path}/policy.json")
    key = aws("iam", "create-access-key", "--user-name", "ann")["AccessKey"]
    own = {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}
    assert aws("sts", "get-caller-identity", **own) == {"UserId": user["UserId"], "Account": ACCOUNT, "Arn": user["Arn"]}
    assert aws("iam", "get-user", **own)["User"]["UserName"] == "ann"
    assert aws("s3api", "list-buckets", **own)["Buckets"]
    aws("iam", "delete-user", "--user-name", "ann", status=255, **own)
    device = aws("iam", "create-virtual-mfa-device", "--virtual-mfa-device-name", "phone", "--bootstrap-method", "Base32StringSeed",
                 "--outfile", tmp_path / "seed")["VirtualMFADevice"]
    seed, now = (tmp_path / "seed").read_text(), step(cloud)
    aws("iam", "enable-mfa-device", "--user-name", "ann", "--serial-number", device["SerialNumber"],
        "--authentication-code1", code(seed, now - 1), "--authentication-code2", code(seed, now))
    assert aws("iam", "list-mfa-devices", "--user-name", "ann")["MFADevices"][0]["SerialNumber"] == device["SerialNumber"]
    names = aws("iam", "list-users", "--page-size", "1", "--query", "Users[].UserName")
    assert names == ["ann", "developer"]
    aws("iam", "deactivate-mfa-device", "--user-name", "ann", "--serial-number", device["SerialNumber"])
    aws("iam", "delete-access-key", "--user-name", "ann", "--access-key-id", key["AccessKeyId"])
    aws("iam", "remove-user-from-group", "--group-name", "staff", "--user-name", "ann")
    aws("iam", "delete-user", "--user-name", "ann")
    aws("iam", "get-user", "--user-name", "ann", status=255)


def test_a_report_tells_who_last_used_which_service(cloud, iam):
    keys = make_user(cloud, iam, "ann", allow(["s3:ListAllMyBuckets", "sqs:*"]))
    client(cloud, "s3", **keys).list_buckets()
    job = iam.generate_service_last_accessed_details(Arn=user_arn("ann"), Granularity="ACTION_LEVEL")["JobId"]
    report = iam.get_service_last_accessed_details(JobId=job)
    assert (report["JobStatus"], report["JobType"]) == ("COMPLETED", "ACTION_LEVEL")
    found = {service["ServiceNamespace"]: service for service in report["ServicesLastAccessed"]}
    assert set(found) == {"s3", "sqs"} and "LastAuthenticated" not in found["sqs"]
    assert (found["s3"]["LastAuthenticatedEntity"], found["s3"]["TotalAuthenticatedEntities"]) == (user_arn("ann"), 1)
    assert [action["ActionName"] for action in found["s3"]["TrackedActionsLastAccessed"]] == ["ListAllMyBuckets"]
    entity, = iam.get_service_last_accessed_details_with_entities(JobId=job, ServiceNamespace="s3")["EntityDetailsList"]
    assert (entity["EntityInfo"]["Name"], entity["EntityInfo"]["Type"]) == ("ann", "USER")
    granting, = iam.list_policies_granting_service_access(
        Arn=user_arn("ann"), ServiceNamespaces=["s3"])["PoliciesGrantingServiceAccess"]
    assert [policy["PolicyName"] for policy in granting["Policies"]] == ["p0"]
    with refused("NoSuchEntity", 404):
        iam.get_service_last_accessed_details(JobId="00000000-0000-4000-8000-000000000000")
