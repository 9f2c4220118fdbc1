"""Browser forms: POST Object with boto3's presigned forms, by curl, and by hand."""

import base64
import json
import subprocess

import pytest
import requests
from botocore.config import Config

from clients import anonymous, assume, client, error_of, keys_of, refusal_of
from cloud import BUCKET, TIMEOUT_SECONDS

VERSIONS = ["s3", "s3v4"]


def signer(cloud, version="s3v4", **credentials):
    return client(cloud, "s3", config=Config(signature_version=version), **credentials)


def post(form, content=b"content", name="photo.jpg", **fields):
    return requests.post(form["url"], data=form["fields"] | fields, files={"file": (name, content)}, allow_redirects=False)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_presigned_form_writes_an_object(cloud, root, bucket, version):
    form = signer(cloud, version).generate_presigned_post(
        bucket, "photos/${filename}", Fields={"Content-Type": "image/jpeg", "x-amz-meta-camera": "old"},
        Conditions=[["starts-with", "$Content-Type", "image/"], {"x-amz-meta-camera": "old"}, ["content-length-range", 1, 100]])
    assert ("AWSAccessKeyId" in form["fields"]) == (version == "s3")
    response = post(form)
    assert response.status_code == 204 and response.content == b"", response.text
    assert response.headers["Location"].endswith("/photos%2Fphoto.jpg")
    found = root.get_object(Bucket=bucket, Key="photos/photo.jpg")
    assert found["Body"].read() == b"content" and found["ETag"] == response.headers["ETag"]
    assert (found["ContentType"], found["Metadata"]) == ("image/jpeg", {"camera": "old"})


@pytest.mark.parametrize("version", VERSIONS)
def test_a_session_posts_where_it_may(cloud, version):
    answer = assume(cloud, "company", cloud.token("company", "alice"))
    s3, subject = signer(cloud, version, **keys_of(answer)), answer["SubjectFromWebIdentityToken"]
    assert post(s3.generate_presigned_post(BUCKET, f"{subject}/x")).status_code == 204
    refusal = post(s3.generate_presigned_post(BUCKET, "somebody-else/x"))
    assert refusal_of(refusal) == (403, "AccessDenied")
    assert "is not authorized to perform: s3:PutObject" in error_of(refusal)["Message"]


def test_a_large_file_is_streamed(cloud, root, bucket):
    content = bytes(range(256)) * (40 << 10) + b"\r\n--"
    response = post(signer(cloud).generate_presigned_post(bucket, "large"), content)
    assert response.status_code == 204, response.text
    assert root.get_object(Bucket=bucket, Key="large")["Body"].read() == content


@pytest.mark.parametrize("size, code, limit", [(0, "EntityTooSmall", "MinSizeAllowed"), (11, "EntityTooLarge", "MaxSizeAllowed")])
def test_a_file_of_another_size_is_refused(cloud, root, bucket, size, code, limit):
    form = signer(cloud).generate_presigned_post(bucket, "x", Conditions=[["content-length-range", 1, 10]])
    response = post(form, b"x" * size)
    error = error_of(response)
    assert (response.status_code, error["Code"], error["ProposedSize"]) == (400, code, str(size))
    assert error[limit] == ("1" if size == 0 else "10")
    assert "Contents" not in root.list_objects_v2(Bucket=bucket)


@pytest.mark.parametrize("changes, message", [
    ({"key": "other"}, 'Policy Condition failed: ["eq", "$key", "x"]'), ({"acl": "private"}, "Extra input fields: acl")])
def test_a_form_keeps_to_its_policy(cloud, bucket, changes, message):
    response = post(signer(cloud).generate_presigned_post(bucket, "x"), **changes)
    assert refusal_of(response) == (403, "AccessDenied")
    assert error_of(response)["Message"] == f"Invalid according to Policy: {message}"


def test_a_form_for_another_bucket_is_refused(cloud, root, bucket):
    root.create_bucket(Bucket="another-one")
    form = signer(cloud).generate_presigned_post(bucket, "x")
    response = post(form | {"url": f"{cloud.url}/another-one"})
    assert refusal_of(response) == (403, "AccessDenied")
    assert f'["eq", "$bucket", "{bucket}"]' in error_of(response)["Message"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_altered_policy_does_not_match(cloud, bucket, version):
    form = signer(cloud, version).generate_presigned_post(bucket, "x")
    policy = json.loads(base64.b64decode(form["fields"]["policy"]))
    policy["conditions"].append(["starts-with", "$acl", ""])
    altered = base64.b64encode(json.dumps(policy).encode()).decode()
    response = post(form, policy=altered)
    error = error_of(response)
    assert (response.status_code, error["Code"], error["StringToSign"]) == (403, "SignatureDoesNotMatch", altered)


def test_a_policy_expires_sooner_where_the_cloud_ages(cloud, bucket):
    form = signer(cloud).generate_presigned_post(bucket, "x", ExpiresIn=900)
    assert post(form).status_code == 204
    cloud.age("PT15M1S")
    response = post(form)
    assert refusal_of(response) == (403, "AccessDenied")
    assert error_of(response)["Message"] == "Invalid according to Policy: Policy expired."


def test_a_redirect_tells_the_page_of_the_object(cloud, bucket):
    page = "http://app.example/done?x=1"
    form = signer(cloud).generate_presigned_post(
        bucket, "a b", Fields={"success_action_redirect": page}, Conditions=[{"success_action_redirect": page}])
    response = post(form)
    assert response.status_code == 303, response.text
    assert response.headers["Location"] == f"{page}&bucket={bucket}&key=a+b&etag=%229a0364b9e99bb480dd25e1f0284c8555%22"


def test_an_anonymous_form_needs_an_open_bucket(cloud, root, bucket):
    form = anonymous(cloud, "s3").generate_presigned_post(bucket, "open/${filename}")
    assert set(form["fields"]) == {"key"}
    assert refusal_of(post(form)) == (403, "AccessDenied")
    # The account's default public access block would refuse the policy.
    root.delete_public_access_block(Bucket=bucket)
    root.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": "*", "Action": "s3:PutObject", "Resource": f"arn:aws:s3:::{bucket}/open/*"}]}))
    response = post(form, success_action_status="201")
    assert response.status_code == 201 and "<Key>open/photo.jpg</Key>" in response.text


@pytest.mark.parametrize("version", VERSIONS)
def test_curl_posts_a_form(cloud, root, bucket, tmp_path, version):
    form = signer(cloud, version).generate_presigned_post(bucket, "from-curl/${filename}")
    (tmp_path / "naïve.txt").write_text("by curl")
    fields = [argument for name, value in form["fields"].items() for argument in ("-F", f"{name}={value}")]
    result = subprocess.run(
        ["curl", "--silent", "--show-error", "--fail-with-body", *fields, "-F", f"file=@{tmp_path}/naïve.txt", form["url"]],
        capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert result.returncode == 0, result
    assert root.get_object(Bucket=bucket, Key="from-curl/naïve.txt")["Body"].read() == b"by curl"


def test_too_many_fields_are_refused(cloud, bucket):
    form = signer(cloud).generate_presigned_post(bucket, "x")
    response = post(form, **{"x-ignore-this": "x" * 20_480})
    assert refusal_of(response) == (400, "MaxPostPreDataLengthExceeded")


def test_a_form_in_capitals_is_read(cloud, root, bucket):
    """The form of the SDK for JavaScript: another spelling, and the bucket as a field."""
    form = signer(cloud).generate_presigned_post(bucket, "x")
    names = {"x-amz-algorithm": "X-Amz-Algorithm", "x-amz-credential": "X-Amz-Credential", "policy": "Policy", "key": "KEY"}
    form["fields"] = {"bucket": bucket} | {names.get(name, name): value for name, value in form["fields"].items()}
    assert post(form).status_code == 204
    assert root.head_object(Bucket=bucket, Key="x")["ContentLength"] == 7
