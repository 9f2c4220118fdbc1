import boto3
import pytest
from botocore.exceptions import ClientError

import notes


@pytest.mark.virga(faults=[{"service": "s3", "action": "PutObject", "error": "SlowDown"}])
def test_a_fault_applies_once(virga_s3):
    with pytest.raises(ClientError, match="SlowDown"):
        virga_s3.put_object(Bucket="notes", Key="a", Body=b"")
    virga_s3.put_object(Bucket="notes", Key="a", Body=b"")


def test_the_fault_is_gone(virga, virga_s3):
    assert virga.faults.list() == []
    virga_s3.put_object(Bucket="notes", Key="a", Body=b"")


def test_the_sdk_retries(virga, virga_env):
    fault = virga.faults.add(service="s3", action="PutObject", error="InternalError", times=2)
    notes.save("a", "text")
    assert virga.faults.get(fault).struck == 2
    virga.journal.expect("s3:PutObject", status=200, times=1)
    virga.journal.expect("s3:PutObject", status=500, times=2)


def test_a_group_of_faults(virga):
    virga.faults.add(service="sts", error="Throttling", times="always", name="slow")
    assert [fault.name for fault in virga.faults.list()] == ["slow"]
    with pytest.raises(ClientError, match="Throttling"):
        boto3.client(
            "sts", endpoint_url=virga.url, region_name="us-east-1", aws_access_key_id="sample-root",
            aws_secret_access_key="sample-root-secret").get_caller_identity()
