"""EKS Auth, which agents of EKS Pod Identity call, with botocore's client. The K numbers are those of the requirements."""

import datetime
import json
import re

import pytest
import requests

from clients import ROOT, client, refused
from cloud import ACCOUNT, REPOSITORY, Cloud
from sandboxes import Sandbox

SEED = REPOSITORY / "seed/credentials.json5"


@pytest.fixture(scope="module")
def shop_process(environment_of_the_tests):
    with Cloud.ephemeral("--seed", SEED) as cloud:
        yield cloud


@pytest.fixture
def shop(shop_process):
    shop_process.reset()
    return shop_process


def token_of(cloud, **members):
    return cloud.control("POST", "credentials", {"kind": "pod-identity"} | members)["token"]


def assume(cloud, token, cluster="shop", **keys):
    return client(cloud, "eks-auth", **keys).assume_role_for_pod_identity(clusterName=cluster, token=token)


def test_k10_the_answer_has_the_members_of_the_model(shop):
    """The expiration is in seconds since the epoch, and the ID of the role's session is spelled `assumeRoleId`."""
    answer = assume(shop, token_of(shop))
    assert answer["subject"] == {"namespace": "payments", "serviceAccount": "processor"}
    assert answer["audience"] == "pods.eks.amazonaws.com"
    association = answer["podIdentityAssociation"]
    assert re.fullmatch("a-[0-9a-z]{17}", association["associationId"])
    assert association["associationArn"] == \
        f"arn:aws:eks:us-east-1:000000000000:podidentityassociation/shop/{association['associationId']}"
    user = answer["assumedRoleUser"]
    assert user["arn"].startswith("arn:aws:sts::000000000000:assumed-role/pod/eks-shop-processor-")
    assert user["assumeRoleId"].startswith("AROA") and user["assumeRoleId"].endswith(user["arn"].split("/")[-1])
    credentials = answer["credentials"]
    left = credentials["expiration"] - datetime.datetime.now(datetime.timezone.utc)
    assert datetime.timedelta(hours=5, minutes=55) < left <= datetime.timedelta(hours=6, minutes=1)
    keys = {"aws_access_key_id": credentials["accessKeyId"], "aws_secret_access_key": credentials["secretAccessKey"],
            "aws_session_token": credentials["sessionToken"]}
    assert client(shop, "sts", **keys).get_caller_identity()["Arn"] == user["arn"]
    # The session has no permission to call the service itself.
    with refused("AccessDeniedException", 400):
        assume(shop, token_of(shop), **keys)


def test_k10_every_error_has_its_status(shop):
    token = token_of(shop)
    with refused("InvalidTokenException", 400):
        assume(shop, token[:-4] + "AAAA")
    with refused("InvalidTokenException", 400):
        assume(shop, token_of(shop, audience="sts.amazonaws.com"))
    with refused("InvalidTokenException", 400):
        assume(shop, "x")
    with refused("ResourceNotFoundException", 404):
        assume(shop, token, cluster="none")
    with refused("UnrecognizedClientException", 403):
        assume(shop, token, aws_access_key_id="AKIANONE", aws_secret_access_key="x")
    with refused("InvalidSignatureException", 403):
        assume(shop, token, **ROOT | {"aws_secret_access_key": "x"})
    aged = token_of(shop, lifetime=600)
    shop.age("PT601S")
    with refused("ExpiredTokenException", 400):
        assume(shop, aged)


def test_k10_other_regions_have_other_clusters(shop):
    with refused("ResourceNotFoundException", 404):
        client(shop, "eks-auth", region="eu-west-1").assume_role_for_pod_identity(clusterName="shop", token=token_of(shop))


def test_k10_the_trust_policy_decides_at_each_call(shop):
    trust = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "pods.eks.amazonaws.com"}, ' \
        '"Action": "sts:AssumeRole"}]}'
    client(shop, "iam").update_assume_role_policy(RoleName="pod", PolicyDocument=trust)
    with refused("AccessDeniedException", 400):
        assume(shop, token_of(shop))
    entry = next(entry for entry in shop.control("GET", "journal")["entries"] if entry["face"] == "eks-auth")
    assert entry["operation"] == "AssumeRoleForPodIdentity"
    assert [decision["action"] for decision in entry["decisions"]][0] == "eks-auth:AssumeRoleForPodIdentity"
    assert [decision["action"] for decision in entry["decisions"]][-1] == "sts:TagSession"


def test_k10_the_caller_needs_the_permission(shop):
    iam = client(shop, "iam")
    iam.create_user(UserName="node")
    made = iam.create_access_key(UserName="node")["AccessKey"]
    keys = {"aws_access_key_id": made["AccessKeyId"], "aws_secret_access_key": made["SecretAccessKey"]}
    with refused("AccessDeniedException", 400):
        assume(shop, token_of(shop), **keys)
    iam.put_user_policy(UserName="node", PolicyName="p", PolicyDocument=(
        '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "eks-auth:AssumeRoleForPodIdentity", '
        '"Resource": "arn:aws:eks:us-east-1:000000000000:cluster/shop"}]}'))
    assert assume(shop, token_of(shop), **keys)["subject"]["namespace"] == "payments"


ISSUER = "https://oidc.eks.us-east-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/"


@pytest.fixture(scope="module")
def chained(process):
    """A cluster whose pods get the credentials of a second role, which tests the external ID and the namespace of the pod."""
    both = ["sts:AssumeRole", "sts:TagSession"]

    def policy(**statement):
        return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": both} | statement]}

    def target(name, **conditions):
        return {"name": name, "trustPolicy": policy(Principal={"AWS": ROLE + "pod"}, Condition={"StringEquals": conditions})}

    def association(namespace, **members):
        return {"namespace": namespace, "serviceAccount": "processor", "role": "pod"} | members

    seed = {
        "accounts": [{
            "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}],
            "clusters": [{"name": "shop", "issuer": ISSUER, "associations": [
                association("payments", targetRole=ROLE + "tagged", externalID="shop"),
                association("orders", targetRole=ROLE + "tagged", externalID="shop"),
                association("reports", targetRole=ROLE + "untagged", disableSessionTags=True),
                association("archive", targetRole=ROLE + "unlisted")]}],
            "roles": [
                {"name": "pod", "trustPolicy": policy(Principal={"Service": "pods.eks.amazonaws.com"}),
                 "policies": {"own": policy(Resource=[ROLE + "tagged", ROLE + "untagged"])}},
                target("tagged", **{"sts:ExternalId": "shop", "aws:RequestTag/kubernetes-namespace": "payments"}),
                target("untagged", **{"sts:ExternalId": f"us-east-1/{ACCOUNT}/shop/reports/processor"}),
                target("unlisted")]}]}
    for role in seed["accounts"][0]["roles"]:
        if role["name"] == "unlisted":
            del role["trustPolicy"]["Statement"][0]["Condition"]
    with Sandbox.seeded(process, json.dumps(seed)) as cloud:
        yield cloud


@pytest.mark.parametrize("namespace, role, decisions", [
    # A trust policy of the same account that names the first role is enough.
    ("payments", "tagged", [True, True, True, True]), ("orders", None, [True, True, False]), ("reports", "untagged", [True, True]),
    ("archive", "unlisted", [True, True, True, True])])
def test_k13_two_decisions_lead_to_the_target_role(chained, namespace, role, decisions):
    """The service assumes the first role, and its session the second one, for less than an hour. A refusal leaves no session."""
    chained.reset()
    token = token_of(chained, name=f"{namespace}/processor")
    if role:
        answer = assume(chained, token)
        assert f":assumed-role/{role}/eks-shop-" in answer["assumedRoleUser"]["arn"]
        left = answer["credentials"]["expiration"] - datetime.datetime.now(datetime.timezone.utc)
        assert datetime.timedelta(minutes=50) < left <= datetime.timedelta(minutes=59, seconds=1)
    else:
        with refused("AccessDeniedException", 400) as refusal:
            assume(chained, token)
        assert "credentials" not in refusal.response
    entry = next(entry for entry in chained.control("GET", "journal")["entries"] if entry["face"] == "eks-auth")
    entry = chained.control("GET", f"journal/{entry['number']}")
    made = [decision for decision in entry["decisions"] if decision["action"].startswith("sts:")]
    assert [decision["decision"] == "allowed" for decision in made] == decisions
    principals = [decision["principal"] for decision in made]
    assert principals[0] == "pods.eks.amazonaws.com" and ":assumed-role/pod/" in principals[-1]
    if not role:
        mismatch = made[-1]["statements"][-1]["mismatch"]
        assert mismatch == {
            "element": "Condition StringEquals aws:RequestTag/kubernetes-namespace", "policy": ["payments"], "request": ["orders"]}


def test_k10_errors_on_demand(shop):
    shop.control("POST", "faults", {"service": "eks-auth", "error": "ServiceUnavailable"})
    with refused("ServiceUnavailable", 503):
        assume(shop, token_of(shop))


def test_k37_eks_auth_answers_in_its_own_protocol(cloud):
    """Without a cluster, and for a path that it does not have. Unsigned requests are for a bucket."""
    with refused("ResourceNotFoundException", 404):
        assume(cloud, "x")
    assert "<Code>" in requests.post(f"{cloud.url}/clusters/shop/assume-role-for-pod-identity", json={}).text
