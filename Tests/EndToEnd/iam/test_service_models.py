"""The models of AWS's newest SDK, compared with what STS and IAM read.

Every operation is served, or refused by name and listed in the page. Every parameter is read, or refused by name and listed: each is sent
once with a value that its constraints forbid, which is an error only if the operation reads it. Run this file alone to see what a newer
SDK brings: `pytest Tests/EndToEnd/iam/test_service_models.py`.
"""

import re
import xml.etree.ElementTree as XML

import botocore.session
import pytest
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from cloud import ACCOUNT, REPOSITORY, Cloud

PAGE = (REPOSITORY / "Sources/Documentation/AWS.md").read_text()

def model(service):
    return botocore.session.get_session().get_service_model(service)


class Caller:
    """Sends calls of the Query protocol as they are, which an SDK would not."""

    def __init__(self, cloud, service):
        self.endpoint, self.service = cloud.url, service
        self.version = model(service).api_version
        self.session = requests.Session()

    def __call__(self, action, parameters):
        request = AWSRequest("POST", self.endpoint + "/", data={"Action": action, "Version": self.version, **parameters})
        SigV4Auth(Credentials("test", "test"), self.service, "us-east-1").add_auth(request)
        prepared = request.prepare()
        answer = self.session.post(prepared.url, data=prepared.body, headers=dict(prepared.headers))
        texts = {element.tag.split("}")[-1]: element.text or "" for element in XML.fromstring(answer.content).iter()}
        return texts.get("Code", ""), texts.get("Message", ""), texts


def parameters(shape, path="", required=True):
    """The parameters of a shape that have a text as value, as (name, shape, is required)."""
    if shape.type_name == "structure":
        for name, member in shape.members.items():
            yield from parameters(member, f"{path}.{name}".lstrip("."), required and name in shape.required_members)
    elif shape.type_name == "list":
        yield from parameters(shape.member, path + ".member.1", required)
    elif shape.type_name != "map":
        yield path, shape, required


def forbidden(shape):
    """A value that the constraints of a shape forbid, or None if they forbid none."""
    limits = shape.metadata
    if shape.type_name in ("integer", "long", "boolean") or "enum" in limits:
        return "neither"
    if limits.get("max", 200_000) < 200_000:
        return "a" * (limits["max"] + 1)
    if limits.get("min"):
        return "a" * (limits["min"] - 1)
    return "\u0001" if "pattern" in limits else None


# Parameters whose constraints forbid no value: a value that the operation refuses, or None for one that other tests show it reads.
UNCONSTRAINED = {
    ("CreateServiceSpecificCredential", "ServiceName"): "neither",
    ("GetDelegatedAccessToken", "TradeInToken"): None,
    ("ListServiceSpecificCredentials", "ServiceName"): None,
    ("SimulateCustomPolicy", "ContextEntries.member.1.ContextKeyValues.member.1"): None,
    ("SimulatePrincipalPolicy", "ContextEntries.member.1.ContextKeyValues.member.1"): None,
}


# The errors of parameters that operations check themselves.
OWN_CHECKS = {"PolicyArn": ["Invalid ARN:"]}


def valid(call):
    """Values for the parameters that operations require."""
    document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'
    trust = document.replace('"Resource":"*"', '"Principal":{"Service":"ec2.amazonaws.com"}').replace('"Action":"*"', '"Action":"sts:AssumeRole"')
    user = call("CreateUser", {"UserName": "reader"})[2]["Arn"]
    call("CreateRole", {"RoleName": "reader", "AssumeRolePolicyDocument": trust})
    provider = call("CreateOpenIDConnectProvider", {"Url": "https://reader.example"})[2]["OpenIDConnectProviderArn"]
    return {
        "UserName": "reader", "RoleName": "reader", "PolicyName": "reader", "PolicyDocument": document, "AssumeRolePolicyDocument": trust,
        "PolicyArn": "arn:aws:iam::aws:policy/ReadOnlyAccess", "Arn": user, "PolicySourceArn": user, "ActionNames.member.1": "s3:GetObject",
        "PolicyInputList.member.1": document, "OpenIDConnectProviderArn": provider, "Url": "https://other.example", "Password": "Aa1!aaaa",
        "PolicyExclusionList.member.1.InlinePolicyIdentifier.AttachmentType": "user",
        "PolicyExclusionList.member.1.InlinePolicyIdentifier.AttachmentName": "reader",
        "PolicyExclusionList.member.1.InlinePolicyIdentifier.PolicyName": "reader", "SAMLProviderArn": f"arn:aws:iam::{ACCOUNT}:saml-provider/reader", "ServiceNamespaces.member.1": "s3",
    }


@pytest.fixture(scope="module")
def found():
    """What the services do with the operations and parameters of the models."""
    result = {"refused": set(), "refused parameters": set(), "unknown": set(), "unread": set()}
    with Cloud.ephemeral() as cloud:
        values = valid(Caller(cloud, "iam"))
        for service in ("sts", "iam"):
            call = Caller(cloud, service)
            for action in model(service).operation_names:
                code, _, _ = call(action, {})
                if code in ("InvalidAction", "NotImplemented"):
                    result["unknown" if code == "InvalidAction" else "refused"].add(action)
                    continue
                shape = model(service).operation_model(action).input_shape
                for name, member, is_required in parameters(shape) if shape else []:
                    top = name.split(".")[0]
                    bad = forbidden(member) or UNCONSTRAINED.get((action, name), "")
                    if bad is None:
                        continue
                    needed = {
                        key: values[key] for key, _, needs in parameters(shape)
                        if key in values and (needs or key.rpartition(".")[0] == name.rpartition(".")[0] != "")}
                    code, message, _ = call(action, needed | {name: bad})
                    if code == "NotImplemented":
                        assert message == f"{action} does not support {top}."
                        result["refused parameters"].add((action, top))
                    elif not any(text in message for text in (name.split(".")[-1][1:], top[1:], bad[:40] or "?", *OWN_CHECKS.get(name, ()))):
                        result["unread"].add((action, name, code, message))
    return result


def test_k34_every_operation_is_served_or_refused_by_name(found):
    assert found["unknown"] == set()


def test_k34_every_parameter_is_read_or_refused_by_name(found):
    assert found["unread"] == set()


def section(title):
    return re.search(rf"^### {title}$(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)[1]


def test_k34_the_page_lists_what_is_refused(found):
    operations, parameters = section("Refused operations and parameters").split("| operation |")
    assert set(re.findall(r"`([A-Z]\w+)`", operations)) - {"NotImplemented"} == found["refused"]
    rows = [[re.findall(r"`(\w+)`", cell) for cell in row.split("|")[1:3]] for row in parameters.splitlines() if row.startswith("| `")]
    assert {(action, name) for actions, names in rows for action in actions for name in names} == found["refused parameters"]
