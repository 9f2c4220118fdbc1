"""Lifecycle rules, executed as the sandbox ages."""

from clients import client, refused
from cloud import Cloud


def keys(s3, bucket):
    return [entry["Key"] for entry in s3.list_objects_v2(Bucket=bucket).get("Contents", [])]


def put_rule(s3, bucket, **rule):
    s3.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration={
        "Rules": [{"ID": "rule", "Status": "Enabled", "Filter": {}} | rule]})


def test_objects_expire_once_they_are_old_enough(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="logs/old", Body=b"")
    root.put_object(Bucket=bucket, Key="kept", Body=b"")
    put_rule(root, bucket, Filter={"Prefix": "logs/"}, Expiration={"Days": 30})
    assert 'rule-id="rule"' in root.head_object(Bucket=bucket, Key="logs/old")["Expiration"]
    cloud.age("P29D")
    assert keys(root, bucket) == ["kept", "logs/old"]
    root.put_object(Bucket=bucket, Key="logs/new", Body=b"")
    cloud.age("P3D")
    assert keys(root, bucket) == ["kept", "logs/new"]


def test_versions_markers_and_uploads(cloud, root, bucket):
    root.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    for body in (b"1", b"2"):
        root.put_object(Bucket=bucket, Key="a", Body=body)
    upload = root.create_multipart_upload(Bucket=bucket, Key="b")
    put_rule(root, bucket, Expiration={"Days": 1}, NoncurrentVersionExpiration={"NoncurrentDays": 10},
             AbortIncompleteMultipartUpload={"DaysAfterInitiation": 5})
    cloud.age("P3D")
    listing = root.list_object_versions(Bucket=bucket)
    assert len(listing["Versions"]) == 2 and len(listing["DeleteMarkers"]) == 1
    assert [u["UploadId"] for u in root.list_multipart_uploads(Bucket=bucket)["Uploads"]] == [upload["UploadId"]]
    cloud.age("P30D")
    listing = root.list_object_versions(Bucket=bucket)
    assert "Versions" not in listing and "DeleteMarkers" not in listing
    assert "Uploads" not in root.list_multipart_uploads(Bucket=bucket)


def test_tags_decide(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="a", Body=b"", Tagging="keep=no")
    root.put_object(Bucket=bucket, Key="b", Body=b"", Tagging="keep=yes")
    put_rule(root, bucket, Filter={"Tag": {"Key": "keep", "Value": "no"}}, Expiration={"Days": 1})
    cloud.age("P3D")
    assert keys(root, bucket) == ["b"]


def test_rules_without_effect_are_refused(root, bucket):
    with refused("InvalidArgument", 400, "'Days' for Expiration action must be a positive integer"):
        put_rule(root, bucket, Expiration={"Days": 0})
    with refused("MalformedXML", 400):
        put_rule(root, bucket, Filter={"Prefix": "a", "ObjectSizeLessThan": 3}, Expiration={"Days": 1})


def test_days_can_be_short():
    with Cloud.ephemeral("--lifecycle-day", "1") as cloud:
        s3 = client(cloud, "s3")
        cloud.control("POST", "clock", {"freeze": "2031-02-03T04:05:06Z"})
        s3.create_bucket(Bucket="quick")
        s3.put_object(Bucket="quick", Key="a", Body=b"")
        put_rule(s3, "quick", Expiration={"Days": 2})
        assert keys(s3, "quick") == ["a"]
        cloud.age("PT4S")
        assert keys(s3, "quick") == []
