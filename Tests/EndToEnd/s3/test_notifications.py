"""Events of buckets, delivered to a server of the test."""

import json
import ssl

import pytest

from clients import client, refused
from cloud import TIMEOUT_SECONDS, Cloud
from destination import listening
from issuer import certificates

QUEUE = "arn:aws:sqs:us-east-1:000000000000:uploads"
TOPIC = "arn:aws:sns:us-east-1:000000000000:removals"


@pytest.fixture(scope="module")
def arrivals():
    """A destination: its URL, and the messages posted to it. The first message is refused once."""
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
    tests = [received.get(timeout=TIMEOUT_SECONDS) for _ in range(2)]
    assert {path for path, _, _ in tests} == {"/queue", "/topic"}

    s3.put_object(Bucket="inbox", Key="a b.jpg", Body=b"12345")
    s3.put_object(Bucket="inbox", Key="ignored.png", Body=b"")
    s3.copy_object(Bucket="inbox", Key="c.jpg", CopySource="inbox/a b.jpg")
    s3.delete_object(Bucket="inbox", Key="c.jpg")
    arrived = [received.get(timeout=TIMEOUT_SECONDS) for _ in range(3)]
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


def announce(cloud, bucket="inbox"):
    """Creates a bucket whose events go to the queue; the first is S3's test message."""
    s3 = client(cloud, "s3")
    s3.create_bucket(Bucket=bucket)
    s3.put_bucket_notification_configuration(Bucket=bucket, NotificationConfiguration={
        "QueueConfigurations": [{"QueueArn": QUEUE, "Events": ["s3:ObjectCreated:*"]}]})
    return s3


def test_a_destination_with_a_certificate_of_a_trusted_authority_receives_events(tmp_path):
    authority, *certificate = certificates(tmp_path)
    with listening(certificate=certificate) as (url, received):
        with Cloud.ephemeral("--event-target", f"{QUEUE}={url}/queue", "--trust-ca", authority) as cloud:
            announce(cloud)
            path, _, message = received.get(timeout=TIMEOUT_SECONDS)
            assert (path, message["Event"]) == ("/queue", "s3:TestEvent")


def test_a_destination_with_a_certificate_of_another_authority_receives_nothing(tmp_path):
    _, *certificate = certificates(tmp_path)
    with listening(certificate=certificate) as (url, received):
        with Cloud.ephemeral("--event-target", f"{QUEUE}={url}/queue") as cloud:
            announce(cloud)
            failure = received.get(timeout=TIMEOUT_SECONDS)
            assert isinstance(failure, ssl.SSLError), failure
            assert cloud.stop() == 0
            assert "Cannot deliver an event" in cloud.logged()
        assert all(isinstance(other, ssl.SSLError) for other in received.queue)


def test_a_redirection_of_a_destination_is_a_refusal():
    with listening(refusals=[302]) as (url, received):
        with Cloud.ephemeral("--event-target", f"{QUEUE}={url}/queue") as cloud:
            announce(cloud)
            path, _, message = received.get(timeout=TIMEOUT_SECONDS)
            assert (path, message["Event"]) == ("/queue", "s3:TestEvent")


def test_a_long_answer_of_a_destination_does_not_repeat_the_event():
    with listening(answer=bytes(4 << 20)) as (url, received):
        with Cloud.ephemeral("--event-target", f"{QUEUE}={url}/queue") as cloud:
            announce(cloud).put_object(Bucket="inbox", Key="a", Body=b"")
            events = [received.get(timeout=TIMEOUT_SECONDS)[2] for _ in range(2)]
            assert events[0]["Event"] == "s3:TestEvent"
            assert events[1]["Records"][0]["s3"]["object"]["key"] == "a"
