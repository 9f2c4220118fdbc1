"""Policies of queues, topics, secrets, tables and keys at moto, which decide calls together with the caller's own. The G numbers are those of
`Tests/Conformance/Gateway.md`."""

import itertools
import json
from urllib.parse import urlparse

import pytest
from botocore.exceptions import ClientError

from clients import client
from cloud import ACCOUNT, REGION, Cloud
from forwarding import allow, document, moto, user

ARN = f"{REGION}:{ACCOUNT}"
OTHER = "111122223333"
OTHER_ROOT = {"aws_access_key_id": "other-root", "aws_secret_access_key": "long-secret-of-other"}
names = (f"thing{number}" for number in itertools.count(1))


@pytest.fixture(scope="module")
def upstream(environment_of_the_tests):
    with moto() as url:
        yield url


@pytest.fixture(scope="module")
def cloud(upstream, tmp_path_factory):
    """A cloud with a second account, whose root user has a key."""
    accounts = [
        {"id": ACCOUNT, "rootKeys": [{"id": "test", "secret": "test"}]},
        {"id": OTHER, "rootKeys": [{"id": OTHER_ROOT["aws_access_key_id"], "secret": OTHER_ROOT["aws_secret_access_key"]}]}]
    seed = tmp_path_factory.mktemp("seed") / "accounts.json"
    seed.write_text(json.dumps({"accounts": accounts}))
    with Cloud.ephemeral("--seed", seed, "--forward", f"*={upstream}") as cloud:
        yield cloud


def message_of(call, **parameters):
    """The message of the refusal of a call, or None."""
    try:
        call(**parameters)
    except ClientError as error:
        return error.response["Error"]["Message"]
    return None


def arn_of(cloud, keys):
    return client(cloud, "sts", **keys).get_caller_identity()["Arn"]


def statement(effect, action, principal, resource="*", **more):
    return {"Effect": effect, "Action": action, "Principal": {"AWS": principal}, "Resource": resource} | more


def queue(root, name):
    url = root.create_queue(QueueName=name)["QueueUrl"]

    def set_policy(*statements):
        root.set_queue_attributes(QueueUrl=url, Attributes={"Policy": document(*statements) if statements else ""})

    return set_policy, {"QueueUrl": url, "MessageBody": "hello"}


def topic(root, name):
    arn = root.create_topic(Name=name)["TopicArn"]

    def set_policy(*statements):
        # A topic always has a policy.
        statements = statements or (statement("Allow", "sns:Publish", f"arn:aws:iam::{OTHER}:root", arn),)
        root.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=document(*statements))

    return set_policy, {"TopicArn": arn, "Message": "hello"}


def secret(root, name):
    root.create_secret(Name=name, SecretString="swordfish")

    def set_policy(*statements):
        if statements:
            root.put_resource_policy(SecretId=name, ResourcePolicy=document(*statements))
        else:
            root.delete_resource_policy(SecretId=name)

    return set_policy, {"SecretId": name}


def table(root, name):
    arn = root.create_table(
        TableName=name, AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")["TableDescription"]["TableArn"]

    def set_policy(*statements):
        if statements:
            root.put_resource_policy(ResourceArn=arn, Policy=document(*statements))
        else:
            root.delete_resource_policy(ResourceArn=arn)

    return set_policy, {"TableName": name, "Item": {"id": {"S": "1"}}}


SERVICES = {
    "sqs": (queue, "sqs:SendMessage", "send_message"), "sns": (topic, "sns:Publish", "publish"),
    "secretsmanager": (secret, "secretsmanager:GetSecretValue", "get_secret_value"), "dynamodb": (table, "dynamodb:PutItem", "put_item")}
EACH = pytest.mark.parametrize("service", SERVICES)


@EACH
def test_g39_the_policy_of_a_resource_grants_and_denies(cloud, service):
    create, action, operation = SERVICES[service]
    set_policy, parameters = create(client(cloud, service), next(names))
    keys = user(cloud)
    call = getattr(client(cloud, service, **keys), operation)
    assert "because no identity-based policy allows" in message_of(call, **parameters)
    # The change counts at once.
    set_policy(statement("Allow", action, arn_of(cloud, keys)))
    assert message_of(call, **parameters) is None
    set_policy()
    assert "because no identity-based policy allows" in message_of(call, **parameters)
    powerful = getattr(client(cloud, service, **user(cloud, allow("*", "*"))), operation)
    assert message_of(powerful, **parameters) is None
    set_policy(statement("Deny", action, "*"))
    assert "with an explicit deny in a resource-based policy" in message_of(powerful, **parameters)


def test_g39_permissions_of_a_queue_for_another_account(cloud):
    theirs = client(cloud, "sqs", **OTHER_ROOT)
    name = next(names)
    url = theirs.create_queue(QueueName=name)["QueueUrl"]
    assert urlparse(url).path == f"/{OTHER}/{name}"
    mine = client(cloud, "sqs", **user(cloud, allow("sqs:*", "*")))
    assert "because no resource-based policy allows" in message_of(mine.send_message, QueueUrl=url, MessageBody="a")
    theirs.add_permission(QueueUrl=url, Label="share", AWSAccountIds=[ACCOUNT], Actions=["SendMessage"])
    assert message_of(mine.send_message, QueueUrl=url, MessageBody="a") is None
    assert "because no resource-based policy allows" in message_of(mine.receive_message, QueueUrl=url)
    # The account delegates to its own policies.
    nobody = client(cloud, "sqs", **user(cloud))
    assert "because no identity-based policy allows" in message_of(nobody.send_message, QueueUrl=url, MessageBody="a")
    assert [message["Body"] for message in theirs.receive_message(QueueUrl=url)["Messages"]] == ["a"]
    theirs.remove_permission(QueueUrl=url, Label="share")
    assert "because no resource-based policy allows" in message_of(mine.send_message, QueueUrl=url, MessageBody="a")


def test_g39_a_secret_of_another_account(cloud):
    theirs = client(cloud, "secretsmanager", **OTHER_ROOT)
    arn = theirs.create_secret(Name=next(names), SecretString="swordfish")["ARN"]
    keys = user(cloud, allow("secretsmanager:GetSecretValue", arn))
    mine = client(cloud, "secretsmanager", **keys)
    assert "because no resource-based policy allows" in message_of(mine.get_secret_value, SecretId=arn)
    theirs.put_resource_policy(
        SecretId=arn, ResourcePolicy=document(statement("Allow", "secretsmanager:GetSecretValue", arn_of(cloud, keys))))
    assert mine.get_secret_value(SecretId=arn)["SecretString"] == "swordfish"


def test_g40_the_policy_of_a_key(cloud):
    root = client(cloud, "kms")
    keys = user(cloud, allow("kms:*", "*"))
    delegating = statement("Allow", "kms:*", f"arn:aws:iam::{ACCOUNT}:root")
    key = root.create_key()["KeyMetadata"]["KeyId"]
    mine = client(cloud, "kms", **keys)
    # The default policy leaves the decision to the account.
    assert message_of(mine.encrypt, KeyId=key, Plaintext=b"a") is None
    stranger = client(cloud, "kms", **user(cloud))
    assert "because no identity-based policy allows" in message_of(stranger.encrypt, KeyId=key, Plaintext=b"a")
    closed = root.create_key(Policy=document(statement("Allow", "kms:*", f"arn:aws:iam::{ACCOUNT}:user/keeper")))["KeyMetadata"]["KeyId"]
    for caller in [mine, root]:
        assert "because no resource-based policy allows" in message_of(caller.encrypt, KeyId=closed, Plaintext=b"a")
    root.put_key_policy(KeyId=key, PolicyName="default", Policy=document(delegating, statement("Deny", "kms:Encrypt", arn_of(cloud, keys))))
    assert "with an explicit deny in a resource-based policy" in message_of(mine.encrypt, KeyId=key, Plaintext=b"a")


def test_g40_a_grant(cloud):
    root, keys = client(cloud, "kms"), user(cloud)
    key = root.create_key()["KeyMetadata"]["KeyId"]
    mine = client(cloud, "kms", **keys)
    grant = root.create_grant(
        KeyId=key, GranteePrincipal=arn_of(cloud, keys), Operations=["Encrypt"],
        Constraints={"EncryptionContextEquals": {"app": "shop"}})["GrantId"]
    assert message_of(mine.encrypt, KeyId=key, Plaintext=b"a", EncryptionContext={"app": "shop"}) is None
    refused = "because no identity-based policy allows"
    assert refused in message_of(mine.encrypt, KeyId=key, Plaintext=b"a", EncryptionContext={"app": "shop", "env": "test"})
    assert refused in message_of(mine.encrypt, KeyId=key, Plaintext=b"a")
    assert refused in message_of(mine.generate_data_key, KeyId=key, KeySpec="AES_256")
    root.revoke_grant(KeyId=key, GrantId=grant)
    assert refused in message_of(mine.encrypt, KeyId=key, Plaintext=b"a", EncryptionContext={"app": "shop"})


def test_g40_the_key_of_a_ciphertext(cloud):
    root = client(cloud, "kms")
    first, second = (root.create_key()["KeyMetadata"] for _ in range(2))
    mine = client(cloud, "kms", **user(cloud, allow("kms:Decrypt", first["Arn"])))
    texts = [root.encrypt(KeyId=key["KeyId"], Plaintext=b"a")["CiphertextBlob"] for key in [first, second]]
    assert mine.decrypt(CiphertextBlob=texts[0])["Plaintext"] == b"a"
    assert "because no identity-based policy allows" in message_of(mine.decrypt, CiphertextBlob=texts[1])
    with pytest.raises(ClientError):
        mine.decrypt(CiphertextBlob=b"a" * 80)


def test_g40_the_tags_of_a_resource(cloud):
    sqs, name = client(cloud, "sqs"), next(names)
    url = sqs.create_queue(QueueName=name, tags={"team": "shop"})["QueueUrl"]
    condition = {"StringEquals": {"aws:ResourceTag/team": "shop"}}
    mine = client(cloud, "sqs", **user(cloud, allow("sqs:SendMessage", f"arn:aws:sqs:{ARN}:*", Condition=condition)))
    assert message_of(mine.send_message, QueueUrl=url, MessageBody="a") is None
    sqs.tag_queue(QueueUrl=url, Tags={"team": "bank"})
    assert "because no identity-based policy allows" in message_of(mine.send_message, QueueUrl=url, MessageBody="a")


def test_g39_events_of_buckets_reach_queues_that_allow_it(cloud):
    s3, sqs, name = client(cloud, "s3"), client(cloud, "sqs"), next(names)
    s3.create_bucket(Bucket=name)
    url = sqs.create_queue(QueueName=name)["QueueUrl"]
    arn = f"arn:aws:sqs:{ARN}:{name}"
    configuration = {"QueueConfigurations": [{"QueueArn": arn, "Events": ["s3:ObjectCreated:*"]}]}

    def configured():
        return message_of(s3.put_bucket_notification_configuration, Bucket=name, NotificationConfiguration=configuration)

    assert configured() == "Unable to validate the following destination configurations"
    permission = {
        "Effect": "Allow", "Action": "sqs:SendMessage", "Principal": {"Service": "s3.amazonaws.com"}, "Resource": arn,
        "Condition": {"ArnLike": {"aws:SourceArn": f"arn:aws:s3:::{name}"}}}
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": document(permission)})
    assert configured() is None
    s3.put_object(Bucket=name, Key="a.txt", Body=b"a")
    events = []
    while len(events) < 2:
        for message in sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20).get("Messages", []):
            events.append(json.loads(message["Body"]))
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    assert events[0]["Event"] == "s3:TestEvent"
    assert events[1]["Records"][0]["s3"]["object"]["key"] == "a.txt"


def test_g40_objects_under_keys_of_the_other_server(cloud):
    kms, s3, name = client(cloud, "kms"), client(cloud, "s3"), next(names)
    s3.create_bucket(Bucket=name)
    key = kms.create_key()["KeyMetadata"]
    encrypted = {"Bucket": name, "Key": "a", "ServerSideEncryption": "aws:kms", "SSEKMSKeyId": key["Arn"]}
    s3.put_object(Body=b"a", **encrypted)
    objects = allow("s3:GetObject", f"arn:aws:s3:::{name}/*")
    mine = client(cloud, "s3", **user(cloud, objects))
    assert "is not authorized to perform: kms:Decrypt on resource" in message_of(mine.get_object, Bucket=name, Key="a")
    via = {"StringEquals": {"kms:ViaService": f"s3.{REGION}.amazonaws.com"}}
    keys = user(cloud, objects, allow("kms:Decrypt", key["Arn"], Condition=via))
    assert client(cloud, "s3", **keys).get_object(Bucket=name, Key="a")["Body"].read() == b"a"
    blob = kms.encrypt(KeyId=key["KeyId"], Plaintext=b"a")["CiphertextBlob"]
    assert "because no identity-based policy allows" in message_of(client(cloud, "kms", **keys).decrypt, CiphertextBlob=blob)
    with pytest.raises(ClientError, match="KMS.NotFoundException"):
        s3.put_object(Body=b"a", **encrypted | {"SSEKMSKeyId": key["Arn"][:-4] + "0000"})
