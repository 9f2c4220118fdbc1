"""Regions: clients that look for a bucket at the wrong endpoint are redirected to the right one."""

import subprocess

import boto3
import pytest
import requests
import urllib3.util.connection
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from clients import ROOT, client, refused
from cloud import Cloud, clean_environment

REGIONS = ["eu-central-1", "eu-west-1", "me-south-1", "us-east-1"]


@pytest.fixture
def amazon(cloud, monkeypatch):
    """A client for AWS's own endpoints, whose connections all lead to the cloud."""
    connect = urllib3.util.connection.create_connection
    monkeypatch.setattr(
        urllib3.util.connection, "create_connection", lambda _, *rest, **options: connect(("127.0.0.1", cloud.port), *rest, **options))

    def amazon(region, style="auto", service="s3"):
        configuration = Config(
            retries={"total_max_attempts": 1}, signature_version="s3v4", s3={"addressing_style": style}) if service == "s3" else None
        return boto3.Session().client(service, region_name=region, use_ssl=False, config=configuration, **ROOT)

    return amazon


@pytest.fixture
def buckets(amazon):
    """A bucket in each region, with the region as the content of its object."""
    for region in REGIONS:
        s3 = amazon(region)
        constraint = {} if region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": region}}
        s3.create_bucket(Bucket=f"in-{region}", **constraint)
        s3.put_object(Bucket=f"in-{region}", Key="k", Body=region.encode())


@pytest.mark.parametrize("style", ["path", "virtual"])
@pytest.mark.parametrize("here", ["us-east-1", "us-west-2", "eu-west-1"])
def test_boto3_follows_to_the_region_of_a_bucket(amazon, buckets, here, style):
    for region in REGIONS:
        bucket = f"in-{region}"
        assert amazon(here, style).get_object(Bucket=bucket, Key="k")["Body"].read() == region.encode()
        assert amazon(here, style).head_object(Bucket=bucket, Key="k")["ContentLength"] == len(region)
        assert amazon(here, style).head_bucket(Bucket=bucket)["BucketRegion"] == region
        assert amazon(here, style).list_objects_v2(Bucket=bucket)["KeyCount"] == 1
        amazon(here, style).put_object(Bucket=bucket, Key="k", Body=region.encode())


def test_a_bucket_is_created_where_its_endpoint_is(amazon):
    frankfurt = amazon("eu-central-1")
    with refused("IllegalLocationConstraintException", 400, "The unspecified location constraint"):
        frankfurt.create_bucket(Bucket="anywhere")
    with refused("IllegalLocationConstraintException", 400, "The us-west-2 location constraint"):
        frankfurt.create_bucket(Bucket="anywhere", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    amazon("us-east-1").create_bucket(Bucket="anywhere", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    assert amazon("us-east-1").get_bucket_location(Bucket="anywhere")["LocationConstraint"] == "us-west-2"
    assert [bucket["Name"] for bucket in frankfurt.list_buckets(Prefix="any")["Buckets"]] == ["anywhere"]


def test_accelerated_transfers_need_a_bucket_that_is_accelerated(amazon, buckets):
    s3 = amazon("us-east-1")
    fast = boto3.Session().client("s3", region_name="us-east-1", use_ssl=False, config=Config(
        retries={"total_max_attempts": 1}, signature_version="s3v4", s3={"use_accelerate_endpoint": True}), **ROOT)
    with refused("InvalidRequest", 400, "S3 Transfer Acceleration is not configured on this bucket"):
        fast.get_object(Bucket="in-us-east-1", Key="k")
    s3.put_bucket_accelerate_configuration(Bucket="in-us-east-1", AccelerateConfiguration={"Status": "Enabled"})
    assert fast.get_object(Bucket="in-us-east-1", Key="k")["Body"].read() == b"us-east-1"


def test_what_s3_has_elsewhere_is_not_implemented(amazon):
    s3 = amazon("us-east-1")
    with refused("NotImplemented", 501):
        s3.get_object(Bucket="arn:aws:s3:us-east-1:000000000000:accesspoint/files", Key="k")
    with refused("NotImplemented", 501):
        s3.create_session(Bucket="box--use1-az4--x-s3")


@pytest.mark.parametrize("arguments, seed", [(["--regions", "strict"], "{}"), ([], "{regions: 'strict'}")])
def test_the_rule_may_be_strict_everywhere(arguments, seed, tmp_path):
    file = tmp_path / "seed.json5"
    file.write_text(seed)
    base = tmp_path / "base.json5"
    base.write_text("{accounts: [{id: '000000000000', rootKeys: [{id: 'test', secret: 'test'}], buckets: [{name: 'box', region: 'eu-west-1'}]}]}")
    with Cloud.ephemeral(*arguments, "--seed", base, "--seed", file) as cloud:
        request = AWSRequest("GET", f"{cloud.url}/box?list-type=2")
        S3SigV4Auth(Credentials("test", "test"), "s3", "us-east-1").add_auth(request)
        answer = requests.get(request.url, headers=dict(request.headers))
        assert answer.status_code == 400 and "<Code>AuthorizationHeaderMalformed</Code>" in answer.text
        assert "the region 'us-east-1' is wrong; expecting 'eu-west-1'" in answer.text
        # boto3 signs again for the region in the response.
        assert client(cloud, "s3").list_objects_v2(Bucket="box")["KeyCount"] == 0
        assert client(cloud, "s3", region="eu-west-1").list_objects_v2(Bucket="box")["KeyCount"] == 0
        url = client(cloud, "s3").generate_presigned_url("get_object", Params={"Bucket": "box", "Key": "k"})
        assert "<Code>AuthorizationQueryParametersError</Code>" in requests.get(url).text


def test_the_log_says_once_that_a_signature_was_for_another_region(tmp_path):
    seed = tmp_path / "seed.json5"
    seed.write_text("{accounts: [{id: '000000000000', rootKeys: [{id: 'test', secret: 'test'}], buckets: [{name: 'box', region: 'eu-west-1'}]}]}")
    with Cloud.ephemeral("--seed", seed) as cloud:
        for _ in range(2):
            assert client(cloud, "s3").list_objects_v2(Bucket="box")["KeyCount"] == 0
        assert cloud.stop() == 0
        assert cloud.logged().count("another region than its bucket's") == 1


def test_go_finds_the_region_of_a_bucket(buckets, cloud, go_program):
    arguments = [go_program("regions"), *[f"in-{region}" for region in REGIONS]]
    finished = subprocess.run(arguments, text=True, capture_output=True, env=clean_environment(
        CLOUD=f"127.0.0.1:{cloud.port}", AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_REGION="us-west-2"))
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == REGIONS
