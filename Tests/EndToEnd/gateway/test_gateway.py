"""Services that another server has, with boto3 and moto: each refusal in the words of the service, and what is allowed at moto. The G numbers are
those of `Tests/Conformance/Gateway.md`."""

import itertools
import json
from dataclasses import dataclass
from typing import Any, Callable

import pytest
from botocore.exceptions import ClientError

from clients import client
from cloud import ACCOUNT, REGION, Cloud
from forwarding import allow, closed_port, deny, moto, session, user

ARN = f"{REGION}:{ACCOUNT}"
numbers = itertools.count(1)


@dataclass
class Service:
    """A service, and a call of it that names one resource."""

    name: str
    action: str
    # Creates the resource as the root user. Returns the ARN for policies, and the parameters of the call.
    create: Callable[[Any, str], tuple[str, dict]]
    operation: str
    denied: str
    status: int
    # The codes of a wrong secret, and of an expired session.
    codes: tuple[str, str] = ("InvalidSignatureException", "ExpiredTokenException")
    # The action in messages.
    spelled: str | None = None
    # The code of an upstream that is down.
    unreachable: str = "InternalServerError"

    def call(self, cloud, parameters, **credentials):
        return getattr(client(cloud, self.name, **credentials), self.operation)(**parameters)


def queue(root, name):
    url = root.create_queue(QueueName=name)["QueueUrl"]
    return f"arn:aws:sqs:{ARN}:{name}", {"QueueUrl": url, "MessageBody": "hello"}


def topic(root, name):
    arn = root.create_topic(Name=name)["TopicArn"]
    return arn, {"TopicArn": arn, "Message": "hello"}


def table(root, name):
    root.create_table(
        TableName=name, AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")
    return f"arn:aws:dynamodb:{ARN}:table/{name}", {"TableName": name, "Item": {"id": {"S": "1"}}}


def secret(root, name):
    root.create_secret(Name=name, SecretString="swordfish")
    return f"arn:aws:secretsmanager:{ARN}:secret:{name}-??????", {"SecretId": name}


def key(root, name):
    made = root.create_key()["KeyMetadata"]
    root.create_alias(AliasName=f"alias/{name}", TargetKeyId=made["KeyId"])
    return made["Arn"], {"KeyId": f"alias/{name}", "Plaintext": b"hello"}


def parameter(root, name):
    root.put_parameter(Name=f"/{name}/url", Value="x", Type="String")
    return f"arn:aws:ssm:{ARN}:parameter/{name}/url", {"Name": f"/{name}/url"}


def rule(root, name):
    root.create_event_bus(Name=name)
    root.put_rule(Name="nightly", EventBusName=name, EventPattern='{"source": ["app"]}')
    return f"arn:aws:events:{ARN}:rule/{name}/nightly", {"Name": "nightly", "EventBusName": name}


def stream_of_logs(root, name):
    root.create_log_group(logGroupName=name)
    root.create_log_stream(logGroupName=name, logStreamName="web")
    events = [{"timestamp": 1_900_000_000_000, "message": "hello"}]
    return f"arn:aws:logs:{ARN}:log-group:{name}:log-stream:web", {
        "logGroupName": name, "logStreamName": "web", "logEvents": events}


def stream(root, name):
    root.create_stream(StreamName=name, ShardCount=1)
    return f"arn:aws:kinesis:{ARN}:stream/{name}", {"StreamName": name, "Data": b"hello", "PartitionKey": "1"}


def namespace(root, name):
    return "*", {"Namespace": name, "MetricData": [{"MetricName": "m", "Value": 1}]}


def repository(root, name):
    root.create_repository(repositoryName=name)
    return f"arn:aws:ecr:{ARN}:repository/{name}", {"repositoryName": name}


def functions(root, name):
    return "*", {}


def machine(root, name):
    role = f"arn:aws:iam::{ACCOUNT}:role/worker"
    definition = json.dumps({"StartAt": "End", "States": {"End": {"Type": "Succeed"}}})
    arn = root.create_state_machine(name=name, definition=definition, roleArn=role)["stateMachineArn"]
    return arn, {"stateMachineArn": arn}


def delivery(root, name):
    destination = {"RoleARN": f"arn:aws:iam::{ACCOUNT}:role/worker", "BucketARN": "arn:aws:s3:::box"}
    root.create_delivery_stream(DeliveryStreamName=name, S3DestinationConfiguration=destination)
    return f"arn:aws:firehose:{ARN}:deliverystream/{name}", {"DeliveryStreamName": name}


def interface(root, name):
    made = root.create_rest_api(name=name)["id"]
    return f"arn:aws:apigateway:{REGION}::/restapis/{made}", {"restApiId": made}


REST = {"unreachable": "ServiceUnavailable"}
SERVICES = [
    Service(
        "sqs", "sqs:SendMessage", queue, "send_message", "AccessDenied", 403, ("SignatureDoesNotMatch", "ExpiredToken"), "sqs:sendmessage"),
    Service(
        "sns", "sns:Publish", topic, "publish", "AuthorizationError", 403, ("SignatureDoesNotMatch", "ExpiredToken"), "SNS:Publish",
        unreachable="ServiceUnavailable"),
    Service("dynamodb", "dynamodb:PutItem", table, "put_item", "AccessDeniedException", 400),
    Service("secretsmanager", "secretsmanager:GetSecretValue", secret, "get_secret_value", "AccessDeniedException", 400),
    Service("kms", "kms:Encrypt", key, "encrypt", "AccessDeniedException", 400),
    Service("ssm", "ssm:GetParameter", parameter, "get_parameter", "AccessDeniedException", 400),
    Service("events", "events:DescribeRule", rule, "describe_rule", "AccessDeniedException", 400),
    Service("logs", "logs:PutLogEvents", stream_of_logs, "put_log_events", "AccessDeniedException", 400),
    Service("kinesis", "kinesis:PutRecord", stream, "put_record", "AccessDeniedException", 400),
    Service("ecr", "ecr:DescribeImages", repository, "describe_images", "AccessDeniedException", 400),
    Service(
        "cloudwatch", "cloudwatch:PutMetricData", namespace, "put_metric_data", "AccessDenied", 403,
        ("SignatureDoesNotMatch", "ExpiredToken")),
    Service("lambda", "lambda:ListFunctions", functions, "list_functions", "AccessDeniedException", 403, **REST),
    Service("stepfunctions", "states:DescribeStateMachine", machine, "describe_state_machine", "AccessDeniedException", 400),
    Service("firehose", "firehose:DescribeDeliveryStream", delivery, "describe_delivery_stream", "AccessDeniedException", 400),
    Service("apigateway", "apigateway:GET", interface, "get_rest_api", "AccessDeniedException", 403, **REST),
]
EACH = pytest.mark.parametrize("service", SERVICES, ids=[service.name for service in SERVICES])


@pytest.fixture(scope="module")
def upstream(environment_of_the_tests):
    with moto() as url:
        yield url


@pytest.fixture(scope="module")
def cloud(upstream):
    with Cloud.ephemeral("--forward", f"*={upstream}") as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


def made(cloud, service):
    """The ARN of a new resource, and the parameters of a call that names it."""
    return service.create(client(cloud, service.name), f"thing{next(numbers)}")


def refused(service, cloud, parameters, **credentials):
    """Code, status and message of a refused call."""
    with pytest.raises(ClientError) as caught:
        service.call(cloud, parameters, **credentials)
    error = caught.value.response
    return error["Error"]["Code"], error["ResponseMetadata"]["HTTPStatusCode"], error["Error"]["Message"]


def newest(cloud):
    return cloud.control("GET", "journal?limit=1")["entries"][0]


@EACH
def test_g1_g9_g12_g24_g34_an_allowed_call_is_answered_by_moto(cloud, upstream, service):
    arn, parameters = made(cloud, service)
    answer = service.call(cloud, parameters, **user(cloud, allow(service.action, arn)))
    assert answer["ResponseMetadata"]["HTTPHeaders"]["x-virga-upstream"] == upstream.removeprefix("http://")
    entry = newest(cloud)
    assert entry["upstream"] == upstream.removeprefix("http://") and entry["upstream_status"] == 200
    assert [decision["action"] for decision in entry["decisions"]] == [service.action]


@EACH
def test_g7_g12_g21_g23_a_call_without_a_policy_for_it_is_refused(cloud, service):
    arn, parameters = made(cloud, service)
    _, neighbour = made(cloud, service)
    keys = user(cloud, allow(service.action, arn)) if arn != "*" else user(cloud)
    code, status, message = refused(service, cloud, neighbour, **keys)
    assert (code, status) == (service.denied, service.status)
    spelled = service.spelled or service.action
    assert f"is not authorized to perform: {spelled}" in message
    assert message.endswith(f"because no identity-based policy allows the {spelled} action")
    assert newest(cloud)["upstream"] is None


@EACH
def test_g21_an_explicit_deny(cloud, service):
    arn, parameters = made(cloud, service)
    code, status, message = refused(
        service, cloud, parameters, **user(cloud, allow("*", "*"), deny(service.action, arn)))
    assert (code, status) == (service.denied, service.status)
    assert "with an explicit deny in an identity-based policy" in message


@EACH
def test_g18_a_permissions_boundary(cloud, service):
    _, parameters = made(cloud, service)
    keys = user(cloud, allow("*", "*"), boundary=allow("s3:*", "*"))
    code, _, message = refused(service, cloud, parameters, **keys)
    assert code == service.denied and "because no permissions boundary allows the" in message


@EACH
def test_g9_g18_a_session_policy(cloud, service):
    arn, parameters = made(cloud, service)
    keys = session(cloud, allow("*", "*"), policy=allow("s3:*", "*"))
    code, _, message = refused(service, cloud, parameters, **keys)
    assert code == service.denied and "because no session policy allows the" in message
    service.call(cloud, parameters, **session(cloud, allow("*", "*"), policy=allow(service.action, arn)))


@EACH
def test_g7_a_wrong_secret(cloud, service):
    _, parameters = made(cloud, service)
    code, _, message = refused(service, cloud, parameters, aws_access_key_id="test", aws_secret_access_key="wrong")
    assert code == service.codes[0]
    assert "The request signature we calculated does not match the signature you provided" in message
    assert newest(cloud)["upstream"] is None


@EACH
def test_g7_g9_a_session_that_has_expired_by_the_clock(cloud, service):
    _, parameters = made(cloud, service)
    keys = session(cloud, allow("*", "*"))
    service.call(cloud, parameters, **keys)
    cloud.age("PT2H")
    code, _, message = refused(service, cloud, parameters, **keys)
    assert code == service.codes[1] and message == "The security token included in the request is expired"
    assert newest(cloud)["upstream"] is None


@pytest.fixture(scope="module")
def stranded(environment_of_the_tests):
    """A cloud whose upstream does not run."""
    with Cloud.ephemeral("--forward", f"*=http://127.0.0.1:{closed_port()}") as cloud:
        yield cloud


@EACH
def test_g30_an_upstream_that_is_down(cloud, stranded, service):
    _, parameters = made(cloud, service)
    # The look-up of a secret or of an alias fails, too.
    code, status, message = refused(service, stranded, parameters)
    assert (code, status) == (service.unreachable, 503)
    assert "Virga could not reach the upstream of" in message and message.endswith(": connection refused")
    assert newest(stranded)["upstream_status"] is None
