"""Server access logs: written into the target bucket, only for requests of clients."""

import json
import re

from clients import client
from cloud import ACCOUNT, Cloud

LINE = re.compile(r'(?:\[[^\]]*\]|"[^"]*"|\S+)')

POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"Service": "logging.s3.amazonaws.com"}, "Action": "s3:PutObject",
    "Resource": "arn:aws:s3:::logs/access/*", "Condition": {"StringEquals": {"aws:SourceAccount": ACCOUNT}}}]})


def switch_on(s3, source):
    s3.create_bucket(Bucket=source)
    s3.create_bucket(Bucket="logs")
    s3.put_bucket_policy(Bucket="logs", Policy=POLICY)
    s3.put_bucket_logging(Bucket=source, BucketLoggingStatus={
        "LoggingEnabled": {"TargetBucket": "logs", "TargetPrefix": "access/"}})


def logged(s3):
    """The fields of every line, in the order of delivery."""
    lines = []
    for entry in s3.list_objects_v2(Bucket="logs", Prefix="access/").get("Contents", []):
        assert re.fullmatch(r"access/\d{4}(-\d\d){5}-[0-9A-F]{16}", entry["Key"])
        text = s3.get_object(Bucket="logs", Key=entry["Key"])["Body"].read().decode()
        lines += [LINE.findall(line) for line in text.splitlines()]
    return lines


def test_a_log_is_there_when_a_call_that_ages_answers(cloud, root):
    switch_on(root, "source")
    root.put_object(Bucket="source", Key="a b", Body=b"12345")
    root.get_object(Bucket="source", Key="a b")
    assert logged(root) == []
    cloud.age("PT1S")
    lines = logged(root)
    assert [(line[6], line[7], line[9]) for line in lines] == [
        ("REST.PUT.LOGGING_STATUS", "-", "200"), ("REST.PUT.OBJECT", "a%20b", "200"), ("REST.GET.OBJECT", "a%20b", "200")]
    assert all(len(line) == 27 for line in lines)
    assert lines[2][11:13] == ["5", "5"] and "Boto3" in lines[2][16] and lines[2][19] == "SigV4"
    assert lines[2][3] == "127.0.0.1"


def test_a_log_is_there_after_the_end_of_the_process(tmp_path):
    with Cloud.over(tmp_path) as first:
        switch_on(client(first, "s3"), "source")
        assert first.stop() == 0
    with Cloud.over(tmp_path) as second:
        assert [line[6] for line in logged(client(second, "s3"))] == ["REST.PUT.LOGGING_STATUS"]
