"""Events of buckets, delivered to a server of the test."""

import json

import pytest

from clients import client, refused
from cloud import PATIENCE_SECONDS, Cloud
from destination import listening

QUEUE = "arn:aws:sqs:us-east-1:000000000000:uploads"
TOPIC = "arn:aws:sns:us-east-1:000000000000:removals"


@pytest.fixture(scope="module")
def arrivals():
    """A destination: its URL, and what has been posted to it. The first message is refused once."""
    with listening(refusals=[503]) as destination:
        yield destination


@pytest.fixture(scope="module")
def s3(arrivals, tmp_path_factory):
    url, _ = arrivals
    seed = tmp_path_factory.mktemp("seed") / "targets.json5"
    seed.write_text(json.dumps({
        "accounts": [{"id": "000000000000", "rootKeys": [{"id": "test", "secret": "test"}]}],
        "eventTargets": {TOPIC: f"{url}/topic"}}))
    with Cloud.ephemeral("--seed", seed, "--event-target", f"{QUEUE}={url}/queue") as cloud:
        yield client(cloud, "s3")
        assert cloud.stop() == 0, cloud.logged()


def test_events_arrive_in_order(s3, arrivals):
    _, received = arrivals
    s3.create_bucket(Bucket="inbox")
    s3.put_bucket_notification_configuration(Bucket="inbox", NotificationConfiguration={
        "QueueConfigurations": [{"Id": "q", "QueueArn": QUEUE, "Events": ["s3:ObjectCreated:*"],
                                 "Filter": {"Key": {"FilterRules": [{"Name": "suffix", "Value": ".jpg"}]}}}],
        "TopicConfigurations": [{"TopicArn": TOPIC, "Events": ["s3:ObjectRemoved:*"]}]})
    tests = [received.get(timeout=PATIENCE_SECONDS) for _ in range(2)]
    assert {path for path, _, _ in tests} == {"/queue", "/topic"}

    s3.put_object(Bucket="inbox", Key="a b.jpg", Body=b"12345")
    s3.put_object(Bucket="inbox", Key="ignored.png", Body=b"")
    s3.copy_object(Bucket="inbox", Key="c.jpg", CopySource="inbox/a b.jpg")
    s3.delete_object(Bucket="inbox", Key="c.jpg")
    arrived = [received.get(timeout=PATIENCE_SECONDS) for _ in range(3)]
    assert [path for path, _, _ in arrived] == ["/queue", "/queue", "/topic"]
    records = [body["Records"][0] for _, _, body in arrived[:2]]
    assert [record["eventName"] for record in records] == ["ObjectCreated:Put", "ObjectCreated:Copy"]
    assert records[0]["s3"]["configurationId"] == "q"
    described = records[0]["s3"]["object"]
    assert (described["key"], described["size"], described["eTag"]) == ("a+b.jpg", 5, "827ccb0eea8a706c4c34a16891f84e7b")
    _, fields, envelope = arrived[2]
    assert fields["x-amz-sns-message-type"] == envelope["Type"] == "Notification"
    assert json.loads(envelope["Message"])["Records"][0]["eventName"] == "ObjectRemoved:Delete"


def test_a_destination_that_nobody_named_is_refused(s3):
    s3.create_bucket(Bucket="outbox")
    with refused("InvalidArgument", 400, "Unable to validate the following destination configurations"):
        s3.put_bucket_notification_configuration(Bucket="outbox", NotificationConfiguration={
            "QueueConfigurations": [{"QueueArn": QUEUE + "-2", "Events": ["s3:ObjectCreated:*"]}]})
    assert "QueueConfigurations" not in s3.get_bucket_notification_configuration(Bucket="outbox")
