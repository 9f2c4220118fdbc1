"""Server-side encryption with boto3: with keys of the store, of the key management service, and of the customer."""

import os

import pytest
from boto3.s3.transfer import TransferConfig

from clients import refused

KEY = {"SSECustomerAlgorithm": "AES256", "SSECustomerKey": "k" * 32}
OTHER = {"SSECustomerAlgorithm": "AES256", "SSECustomerKey": "o" * 32}
SOURCE = {f"CopySource{name}": value for name, value in KEY.items()}
KMS = {"ServerSideEncryption": "aws:kms", "SSEKMSKeyId": "arn:aws:kms:us-east-1:000000000000:key/k1"}


def test_every_object_is_encrypted_by_keys_of_the_store(root, bucket):
    assert root.put_object(Bucket=bucket, Key="x", Body=b"body")["ServerSideEncryption"] == "AES256"
    assert root.get_object(Bucket=bucket, Key="x")["ServerSideEncryption"] == "AES256"
    rules = root.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"]
    assert rules[0]["ApplyServerSideEncryptionByDefault"] == {"SSEAlgorithm": "AES256"}


@pytest.fixture
def opened(root, bucket):
    """A bucket that allows customer keys, which new buckets refuse since April 2026."""
    rule = {"BlockedEncryptionTypes": {"EncryptionType": ["NONE"]}}
    root.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": [rule]})
    return bucket


def test_an_object_under_a_key_of_the_client_opens_with_it_alone(root, opened):
    bucket = opened
    body = os.urandom(300_000)
    put = root.put_object(Bucket=bucket, Key="x", Body=body, **KEY)
    assert put["SSECustomerAlgorithm"] == "AES256" and "ServerSideEncryption" not in put
    assert root.get_object(Bucket=bucket, Key="x", **KEY)["Body"].read() == body
    with refused("InvalidRequest", 400, "stored using a form of Server Side Encryption"):
        root.get_object(Bucket=bucket, Key="x")
    with refused("AccessDenied", 403):
        root.get_object(Bucket=bucket, Key="x", **OTHER)
    root.copy_object(Bucket=bucket, Key="y", CopySource=f"{bucket}/x", **SOURCE)
    assert root.get_object(Bucket=bucket, Key="y")["Body"].read() == body


def test_the_transfer_manager_sends_the_key_with_every_part(root, opened, tmp_path):
    bucket = opened
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(os.urandom(11 << 20))
    parts = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
    root.upload_file(str(source), bucket, "x", ExtraArgs=KEY, Config=parts)
    root.download_file(bucket, "x", str(target), ExtraArgs=KEY, Config=parts)
    assert source.read_bytes() == target.read_bytes()
    root.copy({"Bucket": bucket, "Key": "x"}, bucket, "y", ExtraArgs=OTHER | SOURCE, Config=parts)
    assert root.get_object(Bucket=bucket, Key="y", **OTHER)["Body"].read() == source.read_bytes()
    with refused("400", 400):
        root.head_object(Bucket=bucket, Key="x")


def test_a_key_of_the_key_management_service_is_named_in_answers(root, bucket):
    put = root.put_object(Bucket=bucket, Key="x", Body=b"body", BucketKeyEnabled=True, **KMS)
    head = root.head_object(Bucket=bucket, Key="x")
    for answer in put, head:
        assert {name: answer[name] for name in KMS} == KMS
        assert answer["BucketKeyEnabled"] is True
    with refused("InvalidArgument", 400, "not supported"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", ServerSideEncryption="aes:kms")


def test_a_bucket_encrypts_what_says_nothing_itself(root, bucket):
    default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KMS["SSEKMSKeyId"]}
    rule = {"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}
    root.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": [rule]})
    kept = root.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"][0]
    assert rule == {name: kept[name] for name in rule}
    assert root.put_object(Bucket=bucket, Key="x", Body=b"body")["SSEKMSKeyId"] == KMS["SSEKMSKeyId"]
    upload = root.create_multipart_upload(Bucket=bucket, Key="y")
    assert upload["ServerSideEncryption"] == "aws:kms"
    root.delete_bucket_encryption(Bucket=bucket)
    assert root.put_object(Bucket=bucket, Key="x", Body=b"body")["ServerSideEncryption"] == "AES256"


def test_a_new_bucket_blocks_keys_of_the_client(root, bucket):
    kept = root.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"][0]
    assert kept["BlockedEncryptionTypes"] == {"EncryptionType": ["SSE-C"]}
    with refused("AccessDenied", 403, "blocked upload requests"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", **KEY)


def test_the_key_of_an_object_can_be_changed(root, bucket):
    tag = root.put_object(Bucket=bucket, Key="x", Body=b"body")["ETag"]
    root.update_object_encryption(
        Bucket=bucket, Key="x", ObjectEncryption={"SSEKMS": {"KMSKeyArn": KMS["SSEKMSKeyId"], "BucketKeyEnabled": True}})
    head = root.head_object(Bucket=bucket, Key="x")
    assert (head["ETag"], head["SSEKMSKeyId"], head["BucketKeyEnabled"]) == (tag, KMS["SSEKMSKeyId"], True)


def test_a_bucket_can_block_keys_of_the_client(root, opened):
    bucket = opened
    rule = {"BlockedEncryptionTypes": {"EncryptionType": ["SSE-C"]}}
    root.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": [rule]})
    kept = root.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"][0]
    assert kept["BlockedEncryptionTypes"] == rule["BlockedEncryptionTypes"]
    with refused("AccessDenied", 403, "blocked upload requests"):
        root.put_object(Bucket=bucket, Key="x", Body=b"body", **KEY)
