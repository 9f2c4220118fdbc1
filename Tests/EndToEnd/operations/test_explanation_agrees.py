"""What `POST /_virga/explain` says of a question is what the service does with the request: allowed, or denied for the same cause."""

import json

import botocore.exceptions
import pytest
import requests

from clients import anonymous, client, keys_of
from cloud import ACCOUNT
from sandboxes import Sandbox

OTHER = "111111111111"
ANN, WORKER = f"arn:aws:iam::{ACCOUNT}:user/ann", f"arn:aws:iam::{ACCOUNT}:role/worker"
STRANGER = f"arn:aws:iam::{OTHER}:user/stranger"
BOX = "arn:aws:s3:::box"
KEYS = {name: {"aws_access_key_id": f"AKIA{name.upper()}", "aws_secret_access_key": name} for name in ["ann", "stranger"]}


def policy(*statements):
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"} | one for one in statements]}


def trust(*statements):
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole"} | one for one in statements]}


SEED = {
    "accounts": [
        {
            "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}],
            "users": [{"name": "ann", "accessKeys": [{"id": "AKIAANN", "secret": "ann"}]}],
            "roles": [{"name": "worker", "trustPolicy": trust({"Principal": {"AWS": ANN}})}],
            "buckets": [{"name": "box"}]},
        {
            "id": OTHER, "rootKeys": [{"id": "other", "secret": "other"}],
            "users": [{"name": "stranger", "accessKeys": [{"id": "AKIASTRANGER", "secret": "stranger"}], "policies": {"all": policy({})}}]}]}


class World:
    """A sandbox, and the keys of callers of every kind."""

    def __init__(self, cloud):
        self.cloud = cloud
        self.iam, self.s3 = client(cloud, "iam"), client(cloud, "s3")
        self.boundary, self.clients, self.session = None, {}, requests.Session()
        self.iam.tag_user(UserName="ann", Tags=[{"Key": "team", "Value": "red"}])
        self.iam.tag_role(RoleName="worker", Tags=[{"Key": "team", "Value": "blue"}])
        for key, team in [("red", "red"), ("blue", "blue"), ("tagged", "red")]:
            self.put(key, team)
        self.s3.delete_public_access_block(Bucket="box")
        self.permit(policy({}))
        sts = client(cloud, "sts", **KEYS["ann"])

        def work(**parameters):
            return keys_of(sts.assume_role(RoleArn=WORKER, RoleSessionName="shift", **parameters))

        self.keys = KEYS | {
            "root": {"aws_access_key_id": "test", "aws_secret_access_key": "test"},
            "worker": work(), "limited worker": work(Policy=json.dumps(policy({"Action": "s3:GetObject"}))),
            "session of ann": keys_of(sts.get_session_token()),
            "session of root": keys_of(client(cloud, "sts").get_session_token()),
            "guest": keys_of(sts.get_federation_token(Name="guest", Policy=json.dumps(policy({"Action": ["s3:GetObject", "iam:*"]}))))}

    def permit(self, document, boundary=None):
        """Gives the user and the role the same policies."""
        self.iam.put_user_policy(UserName="ann", PolicyName="own", PolicyDocument=json.dumps(document))
        self.iam.put_role_policy(RoleName="worker", PolicyName="own", PolicyDocument=json.dumps(document))
        if boundary == self.boundary:
            return
        self.boundary = boundary
        if boundary:
            self.iam.put_user_permissions_boundary(UserName="ann", PermissionsBoundary=boundary)
            self.iam.put_role_permissions_boundary(RoleName="worker", PermissionsBoundary=boundary)
        else:
            self.iam.delete_user_permissions_boundary(UserName="ann")
            self.iam.delete_role_permissions_boundary(RoleName="worker")

    def put(self, key, team):
        self.s3.put_object(Bucket="box", Key=key, Body=b"x", Tagging=f"team={team}")

    def guard(self, document):
        if document:
            self.s3.put_bucket_policy(Bucket="box", Policy=json.dumps(document))
        else:
            self.s3.delete_bucket_policy(Bucket="box")

    def client(self, service, who):
        if (service, who) not in self.clients:
            self.clients[service, who] = (
                anonymous(self.cloud, service) if who == "anonymous" else client(self.cloud, service, **self.keys[who]))
        return self.clients[service, who]

    def explain(self, who, action, resource, **context):
        name = "anonymous" if who == "anonymous" else self.keys[who]["aws_access_key_id"]
        question = {"as": name, "action": action, "resource": resource, "context": context}
        return self.session.post(f"{self.cloud.url}/_virga/explain", json=question)

    def check(self, who, action, resource, send, **context):
        """Expects that the explanation is what the service does, and returns whether it allows the request."""
        answer = self.explain(who, action, resource, **context).json()
        try:
            send()
            refusal = None
        except botocore.exceptions.ClientError as error:
            refusal = error.response["Error"]
        place = (who, action, resource, answer, refusal)
        assert (answer["decision"] == "allowed") is (refusal is None), place
        if refusal and not answer["statements"] and answer["message"] == refusal["Message"]:
            return False
        if refusal:
            assert refusal["Code"] == "AccessDenied", place
            cause = answer["reason"].removeprefix(f"{action} on {resource} ")
            # S3 gives anonymous callers no cause. STS does not say that no policy allows the action.
            is_told = who != "anonymous" and (action != "sts:AssumeRole" or answer["decision"] == "explicitDeny")
            assert (cause in refusal["Message"]) is is_told, place
        return refusal is None


@pytest.fixture(scope="module")
def world(process):
    with Sandbox.seeded(process, SEED) as cloud:
        yield World(cloud)


IDENTITY_POLICIES = {
    "nothing": policy({"Action": "iam:GetUser"}), "all": policy({}),
    "reading": policy(
        {"Action": "s3:Get*", "Resource": f"{BOX}/*"},
        {"Action": "s3:ListBucket", "Condition": {"StringLike": {"s3:prefix": "r*"}}}),
    "the own team": policy({"Condition": {"StringEquals": {"s3:ExistingObjectTag/team": "${aws:PrincipalTag/team}"}}}),
    "denied": policy({}, {"Effect": "Deny", "Action": "s3:GetObject", "Resource": f"{BOX}/red"}),
    "with a session, from here": policy(
        {"Condition": {"Null": {"aws:TokenIssueTime": "false"}, "IpAddress": {"aws:SourceIp": "127.0.0.0/8"}}}),
}


def bucket_policy(*statements):
    return policy(*({"Action": ["s3:GetObject", "s3:PutObject"], "Resource": f"{BOX}/*"} | one for one in statements))


BUCKET_POLICIES = {
    "none": None,
    "the user": bucket_policy({"Principal": {"AWS": ANN}}),
    "the session": bucket_policy({"Principal": {"AWS": f"arn:aws:sts::{ACCOUNT}:assumed-role/worker/shift"}}),
    "the other account": bucket_policy({"Principal": {"AWS": OTHER}}),
    "denied": bucket_policy({"Principal": "*"}, {"Effect": "Deny", "Principal": "*", "Resource": f"{BOX}/blue"}),
    "denied but to the user": bucket_policy(
        {"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Condition": {"StringNotEquals": {"aws:PrincipalArn": ANN}}}),
}
CALLERS = ["ann", "worker", "limited worker", "session of ann", "session of root", "guest", "stranger", "root", "anonymous"]


@pytest.mark.parametrize("bucket", BUCKET_POLICIES)
@pytest.mark.parametrize("identity", IDENTITY_POLICIES)
def test_of_requests_to_a_bucket(world, identity, bucket):
    world.guard(BUCKET_POLICIES[bucket])
    outcomes = set()
    for boundary, callers in [(None, CALLERS), ("arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess", ["ann", "worker", "session of ann"])]:
        world.permit(IDENTITY_POLICIES[identity], boundary)
        for who in callers:
            s3 = world.client("s3", who)
            for key in ["red", "blue"]:
                outcomes.add(world.check(who, "s3:GetObject", f"{BOX}/{key}", lambda: s3.get_object(Bucket="box", Key=key)))
            is_written = world.check(who, "s3:PutObject", f"{BOX}/tagged", lambda: s3.put_object(Bucket="box", Key="tagged", Body=b"x"))
            if is_written:
                world.put("tagged", "red")
            outcomes.add(is_written)
            outcomes.add(world.check(
                who, "s3:ListBucket", BOX, lambda: s3.list_objects_v2(Bucket="box", Prefix="red"), **{"s3:prefix": "red"}))
    assert outcomes == {True, False}


TRUST_POLICIES = {
    "the user": trust({"Principal": {"AWS": ANN}}), "the account": trust({"Principal": {"AWS": ACCOUNT}}),
    "the other account": trust({"Principal": {"AWS": OTHER}}), "everyone": trust({"Principal": {"AWS": "*"}}),
    "the role": trust({"Principal": {"AWS": WORKER}}),
    "an external ID": trust({"Principal": {"AWS": [ANN, OTHER]}, "Condition": {"StringEquals": {"sts:ExternalId": "id-1"}}}),
    "another external ID": trust({"Principal": {"AWS": [ANN, OTHER]}, "Condition": {"StringEquals": {"sts:ExternalId": "id-2"}}}),
    "a team": trust({"Principal": {"AWS": ACCOUNT}, "Condition": {"StringEquals": {"aws:PrincipalTag/team": "blue"}}}),
    "denied": trust({"Principal": {"AWS": "*"}}, {"Effect": "Deny", "Principal": {"AWS": [ANN, STRANGER]}}),
    "a device": trust({"Principal": {"AWS": "*"}, "Condition": {"Bool": {"aws:MultiFactorAuthPresent": "true"}}}),
}


@pytest.mark.parametrize("identity", ["nothing", "all", "with a session, from here"])
@pytest.mark.parametrize("trusted", TRUST_POLICIES)
def test_of_roles(world, identity, trusted):
    world.permit(IDENTITY_POLICIES[identity])
    target = f"arn:aws:iam::{ACCOUNT}:role/target"
    context = {"sts:ExternalId": "id-1", "sts:RoleSessionName": "other"}
    world.iam.create_role(RoleName="target", AssumeRolePolicyDocument=json.dumps(TRUST_POLICIES[trusted]))
    try:
        for who in ["ann", "worker", "session of ann", "guest", "stranger", "root"]:
            sts = world.client("sts", who)
            is_allowed = world.check(
                who, "sts:AssumeRole", target, lambda: sts.assume_role(RoleArn=target, RoleSessionName="other", ExternalId="id-1"),
                **context)
            # Actions are not case-sensitive.
            assert (world.explain(who, "STS:assumerole", target, **context).json()["decision"] == "allowed") is is_allowed
    finally:
        world.iam.delete_role(RoleName="target")


def test_of_a_role_that_does_not_exist(world):
    world.permit(policy({}))
    role = f"arn:aws:iam::{ACCOUNT}:role/nobody"
    with pytest.raises(botocore.exceptions.ClientError, match="AccessDenied"):
        world.client("sts", "ann").assume_role(RoleArn=role, RoleSessionName="other")
    answer = world.explain("ann", "sts:AssumeRole", role)
    assert (answer.status_code, answer.json()["error"]) == (404, "unknown_role")


@pytest.mark.parametrize("identity", ["nothing", "all", "denied"])
def test_of_calls_to_which_policies_do_not_apply(world, identity):
    world.permit(IDENTITY_POLICIES[identity] | {"Statement": IDENTITY_POLICIES[identity]["Statement"] + [
        {"Effect": "Deny", "Action": ["sts:GetCallerIdentity", "sts:GetSessionToken"], "Resource": "*"}]})
    for who in [who for who in CALLERS if who != "anonymous"]:
        sts = world.client("sts", who)
        assert world.check(who, "sts:GetCallerIdentity", "*", sts.get_caller_identity)
        is_lasting = who in ["ann", "stranger", "root"]
        assert world.check(who, "sts:GetSessionToken", "*", sts.get_session_token) is is_lasting
    for action in ["sts:GetCallerIdentity", "sts:AssumeRole", "iam:GetUser"]:
        answer = world.explain("anonymous", action, WORKER).json()
        assert (answer["decision"], answer["message"]) == ("implicitDeny", "Request is missing Authentication Token")


@pytest.mark.parametrize("team", ["red", "blue"])
def test_of_tagged_resources_of_iam(world, team):
    world.guard(None)
    world.permit(policy({"Action": "iam:*", "Condition": {"StringEquals": {"aws:ResourceTag/team": "red"}}}))
    tags, iam = [{"Key": "team", "Value": team}], world.iam
    provider = iam.create_open_id_connect_provider(Url="https://issuer.example", ClientIDList=["a"], Tags=tags)["OpenIDConnectProviderArn"]
    profile = iam.create_instance_profile(InstanceProfileName="profile", Tags=tags)["InstanceProfile"]["Arn"]
    managed = iam.create_policy(PolicyName="managed", PolicyDocument=json.dumps(policy({})), Tags=tags)["Policy"]["Arn"]
    device = iam.create_virtual_mfa_device(VirtualMFADeviceName="device", Tags=tags)["VirtualMFADevice"]["SerialNumber"]
    iam.create_user(UserName="tagged", Tags=tags)
    iam.create_role(RoleName="tagged", AssumeRolePolicyDocument=json.dumps(trust({"Principal": {"AWS": ANN}})), Tags=tags)
    try:
        for who in ["ann", "worker", "limited worker", "session of ann", "guest", "root"]:
            at = world.client("iam", who)
            calls = {
                ("iam:GetOpenIDConnectProvider", provider): lambda: at.get_open_id_connect_provider(OpenIDConnectProviderArn=provider),
                ("iam:GetInstanceProfile", profile): lambda: at.get_instance_profile(InstanceProfileName="profile"),
                ("iam:GetPolicy", managed): lambda: at.get_policy(PolicyArn=managed),
                ("iam:ListMFADeviceTags", device): lambda: at.list_mfa_device_tags(SerialNumber=device),
                ("iam:GetUser", f"arn:aws:iam::{ACCOUNT}:user/tagged"): lambda: at.get_user(UserName="tagged"),
                ("iam:GetRole", f"arn:aws:iam::{ACCOUNT}:role/tagged"): lambda: at.get_role(RoleName="tagged")}
            allowed = {world.check(who, action, resource, send) for (action, resource), send in calls.items()}
            assert allowed == {who == "root" or team == "red" and who in ["ann", "worker"]}, who
    finally:
        iam.delete_open_id_connect_provider(OpenIDConnectProviderArn=provider)
        iam.delete_instance_profile(InstanceProfileName="profile")
        iam.delete_policy(PolicyArn=managed)
        iam.delete_virtual_mfa_device(SerialNumber=device)
        iam.delete_user(UserName="tagged")
        iam.delete_role(RoleName="tagged")
