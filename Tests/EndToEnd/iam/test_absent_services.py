"""AWS services that Virga does not serve answer in their own protocol, so that SDKs can parse the error."""

import boto3
import pytest
import requests
from botocore.config import Config
from botocore.exceptions import ClientError

from clients import ROOT, anonymous
from cloud import Cloud

SERVED = {"account", "cognito-identity", "cognito-idp", "eks-auth", "iam", "iam-toolbox", "organizations", "sts", "s3"}
# Their models derive a host from a parameter, or ignore the endpoint.
ELSEWHERE = {"cloudfront-keyvaluestore", "s3control", "signin"}
CODES = {"InvalidAction", "UnknownOperationException"}
CONFIG = Config(
    retries={"total_max_attempts": 1}, parameter_validation=False, inject_host_prefix=False, signature_version="v4",
    disable_request_compression=True)


@pytest.fixture(scope="module")
def cloud():
    with Cloud.ephemeral() as cloud:
        yield cloud


def signed_operation(client):
    """The signed operation with the fewest parameters; None if the service signs otherwise."""
    model = client.meta.service_model
    if "aws.auth#sigv4" not in model.metadata.get("auth", [model.signature_version and "aws.auth#sigv4"]):
        return None
    if model.signature_version not in ("v4", "s3v4"):
        return None
    operations = [model.operation_model(name) for name in model.operation_names]
    operations = [
        operation for operation in operations
        if operation.auth_type not in ("none", "bearer", "v4-unsigned-body") and not operation.has_event_stream_input]
    return min(operations, key=lambda operation: (len(required(operation)), operation.name), default=None)


def required(operation):
    return operation.input_shape.required_members if operation.input_shape else []


def example(shape, depth=0):
    match shape.type_name:
        case "structure":
            return {} if depth > 4 else {name: example(shape.members[name], depth + 1) for name in shape.required_members}
        case "list":
            return []
        case "map":
            return {}
        case "integer" | "long" | "float" | "double":
            return 1
        case "boolean":
            return True
        case "timestamp":
            return "2026-01-01T00:00:00Z"
        case "blob":
            return b"x"
        case _:
            return shape.enum[0] if getattr(shape, "enum", None) else "example"


def test_every_service_of_the_sdk_can_read_the_refusal(cloud):
    session = boto3.Session()
    asked, odd = 0, {}
    for name in sorted(set(session.get_available_services()) - SERVED - ELSEWHERE):
        client = session.client(name, endpoint_url=cloud.url, region_name="us-east-1", config=CONFIG, **ROOT)
        operation = signed_operation(client)
        if operation is None:
            continue
        parameters = {key: example(operation.input_shape.members[key]) for key in required(operation)}
        asked += 1
        try:
            client._make_api_call(operation.name, parameters)
            odd[name] = "no refusal"
        except ClientError as error:
            if error.response["Error"]["Code"] not in CODES or "Virga does not serve" not in error.response["Error"]["Message"]:
                odd[name] = f"{operation.name}: {error}"
        except Exception as error:
            odd[name] = f"{operation.name}: {type(error).__name__}: {error}"
    assert not odd, "\n".join(f"{name}: {fault}" for name, fault in odd.items())
    assert asked > 350


def test_a_call_without_a_signature_is_refused_too(cloud):
    with pytest.raises(ClientError) as refusal:
        anonymous(cloud, "dynamodb").list_tables()
    assert refusal.value.response["Error"]["Code"] == "UnknownOperationException"
    assert "Virga does not serve DynamoDB_20120810" in refusal.value.response["Error"]["Message"]


def test_services_of_alibaba_cloud_that_are_not_here_answer_in_its_form(cloud):
    answer = requests.get(
        f"{cloud.url}/?Action=DescribeInstances&Version=2014-05-26&Format=JSON", headers={"host": "ecs.aliyuncs.com"})
    assert answer.status_code == 400
    assert answer.json()["Code"] == "InvalidVersion"


# Clients of IAM Identity Center log in before they have keys.
@pytest.mark.parametrize("service, action, parameters", [
    ("sso-oidc", "register_client", {"clientName": "cli", "clientType": "public"}),
    ("sso-oidc", "start_device_authorization", {"clientId": "c", "clientSecret": "s", "startUrl": "https://company.example/start"}),
    ("sso-oidc", "create_token", {"clientId": "c", "clientSecret": "s", "grantType": "authorization_code"}),
    ("sso", "get_role_credentials", {"roleName": "r", "accountId": "0", "accessToken": "t"}),
    ("sso", "list_accounts", {"accessToken": "t"}), ("sso", "logout", {"accessToken": "t"})])
def test_unsigned_calls_are_refused_in_the_protocol_of_the_service(cloud, service, action, parameters):
    client = boto3.client(service, endpoint_url=cloud.url, region_name="us-east-1", config=CONFIG)
    with pytest.raises(ClientError, match="Virga does not serve") as refused:
        getattr(client, action)(**parameters)
    assert refused.value.response["Error"]["Code"] == "UnknownOperationException"
