"""The doors at which programs find credentials without keys, and the seed of the tests that has one of each."""

import dataclasses
import json
from collections.abc import Callable

from alibabacloud_ram20150501.models import UpdateRoleRequest

import credential_programs as programs
import harbour
from clients import client
from cloud import ACCOUNT
from credential_programs import ANCHOR, AUDIENCE, OTHER_AUDIENCE, PROFILE, Visit
from test_alibaba_ram import ram

CLUSTER = "https://oidc.eks.us-east-1.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
INSTANCE, TASK = "i-0123456789abcdef0", "9781c2486b7a4e2f8f0a1c2d3e4f5a6b"

# The jobs of each service: the issuer, claims, a pattern of the subject, and the lifetime of the tokens with the five minutes for which STS
# still accepts them.
JOBS = {
    "github": ("https://token.actions.githubusercontent.com", {"repository": "octo-org/shop"}, "repo:octo-org/shop:*", "PT11M"),
    "gitlab": ("https://gitlab.com", {"project_path": "octo/shop"}, "project_path:octo/shop:*", "PT1H6M"),
    "circleci": ("https://oidc.circleci.com/org/o-1", {"oidc.circleci.com/project-id": "p-1"}, "org/o-1/project/p-1/*", "PT1H6M"),
    "bitbucket": (
        "https://api.bitbucket.org/2.0/workspaces/octo/pipelines-config/identity/oidc", {"repositoryUuid": "{r-1}"}, "{r-1}:*", "PT1H6M"),
    "buildkite": (
        "https://agent.buildkite.com", {"organization_slug": "octo", "pipeline_slug": "shop"}, "organization:octo:pipeline:shop:*", "PT11M"),
    "terraform": (
        "https://app.terraform.io", {"terraform_organization_name": "octo", "terraform_workspace_name": "shop"}, "organization:octo:*",
        "PT2H6M"),
    "kubernetes": (
        "https://cluster.example", {"kubernetes.io": {"namespace": "payments", "serviceaccount": {"name": "processor"}}},
        "system:serviceaccount:payments:*", "PT1H6M"),
}
# The programs of jobs. A job that requests its token chooses the audience.
REQUESTING = {"github": programs.github, "buildkite": programs.buildkite}
STARTS = REQUESTING | {service: programs.job(service, variable) for service, variable in {
    "gitlab": "STS_AMAZONAWS_COM_ID_TOKEN", "circleci": "CIRCLE_OIDC_TOKEN", "bitbucket": "BITBUCKET_STEP_OIDC_TOKEN",
    "terraform": "TFC_WORKLOAD_IDENTITY_TOKEN", "kubernetes": "AWS_WEB_IDENTITY_TOKEN_FILE"}.items()}


@dataclasses.dataclass(frozen=True)
class Door:
    """A door. `identity` matches the caller of a program with its credentials."""

    start: Callable[[Visit], Callable[[], str]]
    identity: str
    # The service and the operation in the journal.
    face: str
    operation: str
    # The role, with the principal, actions and conditions of the statement that lets the door assume it.
    role: str | None = None
    principal: dict = dataclasses.field(default_factory=dict)
    actions: tuple = ("sts:AssumeRole",)
    condition: dict = dataclasses.field(default_factory=dict)
    # A tag that the door does not set, as trust policies see tags.
    tag: str = "aws:RequestTag/team"
    # The lifetimes of the credentials, and of the proof if it has one.
    lifetime: str = "PT1H1S"
    proof_lifetime: str | None = None
    vendor: str = "aws"

    def trust(self, *more, **conditions):
        """The policy that decides, for most doors a trust policy: the usual statement, with further conditions, and further statements."""
        usual = self.statement("Allow", self.actions)
        if condition := self.condition | conditions:
            usual["Condition"] = condition
        statements = [{"Sid": "Usual"} | usual, *({"Sid": "Closed"} | one for one in more)] if self.vendor == "aws" else [usual, *more]
        return {"Version": "2012-10-17" if self.vendor == "aws" else "1", "Statement": statements}

    def statement(self, effect, actions):
        return {"Effect": effect, "Action": list(actions)} | ({"Principal": self.principal} if self.principal else {"Resource": "*"})

    def save(self, cloud, policy):
        """Changes what decides at the door."""
        text = json.dumps(policy)
        if self.vendor == "alibaba":
            ram(cloud).update_role(UpdateRoleRequest(role_name=self.role, new_assume_role_policy_document=text))
        elif self.role is None:
            client(cloud, "iam").put_user_policy(UserName="alice", PolicyName="login", PolicyDocument=text)
        else:
            client(cloud, "iam").update_assume_role_policy(RoleName=self.role, PolicyDocument=text)

    def refuse(self, cloud):
        """Lets a statement deny what the usual one allows."""
        self.save(cloud, self.trust(self.statement("Deny", self.actions)))

    def demand_tag(self, cloud):
        """Lets the trust policy require a session tag that the door does not set."""
        self.save(cloud, self.trust(StringEquals={self.tag: "shop"}))


def service(door, role, principal, **members):
    """A door of a service that assumes roles."""
    return Door(door, role=role, principal={"Service": principal}, **members)


def issuer(door, role, url, subject, **members):
    """A door of an issuer of ID tokens, whose role tests the subject."""
    host = url.removeprefix("https://")
    return Door(
        door, rf"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/program", "sts", "AssumeRoleWithWebIdentity", role=role,
        principal={"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{host}"}, actions=("sts:AssumeRoleWithWebIdentity",),
        condition={"StringLike": {f"{host}:sub": subject}}, **members)


ASSUMED = rf"arn:aws:sts::{ACCOUNT}:assumed-role"
TAGGED = ("sts:AssumeRole", "sts:TagSession")
CERTIFIED = (*TAGGED, "sts:SetSourceIdentity")
MACHINES = rf"acs:ram::{harbour.UID}:assumed-role/machines/vm-ram-i-virga"
SIGNIN = ("signin:AuthorizeOAuth2Access", "signin:CreateOAuth2Token")

DOORS = {
    "container": service(
        programs.container, "container", "ecs-tasks.amazonaws.com", identity=rf"{ASSUMED}/container/{TASK}", face="container",
        operation="GetTaskCredentials"),
    "imds": service(
        programs.instance, "imds", "ec2.amazonaws.com", identity=rf"{ASSUMED}/imds/{INSTANCE}", face="imds",
        operation="GetInstanceCredentials", lifetime="PT6H1S"),
    "pod-identity": service(
        programs.pod_identity, "pod", "pods.eks.amazonaws.com", identity=rf"{ASSUMED}/pod/eks-shop-processor-.*", face="pod-identity",
        operation="GetCredentials", actions=TAGGED, lifetime="PT6H1S", proof_lifetime="PT1H1S"),
    "eks-auth": service(
        programs.eks_auth, "pod", "pods.eks.amazonaws.com", identity=rf"{ASSUMED}/pod/eks-shop-processor-.*", face="eks-auth",
        operation="AssumeRoleForPodIdentity", actions=TAGGED, lifetime="PT6H1S", proof_lifetime="PT1H1S"),
    "web-identity": issuer(
        programs.service_account, "web-identity", CLUSTER, "system:serviceaccount:payments:processor", proof_lifetime="PT1H6M"),
    "identity-center": Door(
        programs.identity_center, rf"{ASSUMED}/AWSReservedSSO_Orders_[0-9a-f]{{16}}/bob", "sso", "GetRoleCredentials",
        proof_lifetime="PT1H1S"),
    # What decides is a policy of the user.
    "login": Door(
        programs.login, f"arn:aws:iam::{ACCOUNT}:user/alice", "signin", "CreateOAuth2Token", actions=SIGNIN, lifetime="PT15M1S",
        proof_lifetime="PT12H1S"),
    "rolesanywhere": service(
        programs.roles_anywhere, "rolesanywhere", "rolesanywhere.amazonaws.com", identity=rf"{ASSUMED}/rolesanywhere/[0-9a-f]+",
        face="rolesanywhere", operation="CreateSession", actions=CERTIFIED, tag="aws:PrincipalTag/x509Subject/OU", proof_lifetime="P2D"),
    "credential_process": service(
        programs.process, "rolesanywhere", "rolesanywhere.amazonaws.com", identity=rf"{ASSUMED}/rolesanywhere/[0-9a-f]+",
        face="rolesanywhere", operation="CreateSession", actions=CERTIFIED, tag="aws:PrincipalTag/x509Subject/OU", proof_lifetime="P2D"),
    **{name: issuer(STARTS[name], name, url, subject, proof_lifetime=lifetime)
       for name, (url, _, subject, lifetime) in JOBS.items()},
    "alibaba-ecs": service(
        programs.alibaba(programs.metadata_of_ecs), "machines", ["ecs.aliyuncs.com"], identity=MACHINES, face="appserver",
        operation="GetInstanceRole", vendor="alibaba"),
    "alibaba-uri": service(
        programs.alibaba(programs.credentials_uri), "machines", ["ecs.aliyuncs.com"], identity=MACHINES, face="appserver",
        operation="GetInstanceRole", vendor="alibaba"),
    "alibaba-oidc": Door(
        programs.alibaba(programs.service_account_of_alibaba), rf"acs:ram::{harbour.UID}:assumed-role/web-user/bob", "alibaba-sts",
        "AssumeRoleWithOIDC", role="web-user", principal={"Federated": [harbour.OIDC_PROVIDER]},
        condition={"StringEquals": {"oidc:aud": [harbour.WEB_CLIENT]}}, proof_lifetime="PT1H6M", vendor="alibaba"),
}


def seed(authorities):
    """Returns a seed with one of each door of AWS, for a layer over `alibaba.json5`."""
    def names(service):
        """The second job has tokens for another audience. A job that requests its tokens needs none."""
        return ["deploy"] if service in REQUESTING else ["deploy", "other"]

    def job(service, name):
        url, claims, _, _ = JOBS[service]
        members = {"requestToken": f"{service}-token"} if service in REQUESTING else {
            "audiences": [AUDIENCE if name == "deploy" else OTHER_AUDIENCE]}
        if service == "gitlab":
            members["variable"] = "STS_AMAZONAWS_COM_ID_TOKEN"
        return {"name": name, "service": service, "claims": claims} | members

    roles = {door.role: door for door in DOORS.values() if door.vendor == "aws" and door.role}
    people = [{"name": name, "subject": name, "password": f"{name}-password"} for name in ("alice", "bob")]
    identifier = {arn: arn.rpartition("/")[2] for arn in (ANCHOR, PROFILE)}
    return {
        "accounts": [{
            "id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}],
            "instanceProfiles": [{"name": "web", "role": "imds"}],
            "instances": [{"id": INSTANCE, "profile": "web", "metadataTokens": "required"}],
            "tasks": [{"id": TASK, "role": "container", "cluster": "shop", "authorizationToken": "task-authorization-token"}],
            "clusters": [{
                "name": "shop", "issuer": CLUSTER,
                "associations": [{"namespace": "payments", "serviceAccount": "processor", "role": "pod"}],
                "pods": [{"name": "processor-0", "namespace": "payments", "serviceAccount": "processor"}]}],
            "trustAnchors": [{"id": identifier[ANCHOR], "name": "corp", "certificates": authorities.root.pem}],
            "anywhereProfiles": [{"id": identifier[PROFILE], "name": "batch", "roles": ["rolesanywhere"]}],
            "openIDConnectProviders": [
                {"url": url, "clientIDs": [AUDIENCE]} for url in (CLUSTER, *(url for url, *_ in JOBS.values()))],
            "users": [{"name": "alice", "policies": {"login": DOORS["login"].trust()}}],
            "roles": [{"name": role, "trustPolicy": door.trust()} for role, door in roles.items()]}],
        "identityProviders": [
            {"name": "cluster", "issuer": CLUSTER}, {"name": "staff", "issuer": "https://staff.shop.example", "people": people},
            *({"name": service, "kind": "openIDConnect", "issuer": url, "jobs": [job(service, name) for name in names(service)]}
              for service, (url, *_) in JOBS.items())],
        "identityCenter": {
            "identityProvider": "staff", "region": "us-east-1", "startURL": "https://d-0123456789.awsapps.com/start",
            "permissionSets": [{"name": name} for name in ("Administrator", "Orders")],
            "assignments": [
                {"account": ACCOUNT, "permissionSet": "Orders", "people": ["bob"]},
                {"account": ACCOUNT, "permissionSet": "Administrator", "people": ["alice"]}]}}
