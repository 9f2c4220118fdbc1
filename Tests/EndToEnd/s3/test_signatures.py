"""Authentication at S3: signatures in headers and in the query, and the error document."""

import datetime
import pathlib
import re

import boto3
import botocore.auth
import botocore.session
import pytest
import requests
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from clients import ROOT, assume, client, error_of, keys_of, refusal_of, refused, signed
from cloud import BUCKET


def test_a_wrong_secret_does_not_match(cloud):
    with refused("SignatureDoesNotMatch", 403, "The request signature we calculated does not match") as refusal:
        client(cloud, "s3", aws_access_key_id="test", aws_secret_access_key="wrong").list_buckets()
    error = refusal.response["Error"]
    assert error["AWSAccessKeyId"] == "test"
    assert error["StringToSign"].startswith("AWS4-HMAC-SHA256\n")
    assert error["CanonicalRequest"].startswith("GET\n/\n")


def test_an_unknown_key_is_unknown(cloud):
    with refused("InvalidAccessKeyId", 403, "does not exist in our records"):
        client(cloud, "s3", aws_access_key_id="AKIAUNKNOWN", aws_secret_access_key="x").list_buckets()


@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1", "local"])
def test_any_region_may_be_signed_for(cloud, region):
    client(cloud, "s3", region=region).list_objects_v2(Bucket=BUCKET)


@pytest.mark.parametrize("minutes", [-20, 20])
def test_a_signature_of_another_hour_is_refused(cloud, monkeypatch, minutes):
    then = datetime.datetime.now(datetime.UTC).replace(tzinfo=None) + datetime.timedelta(minutes=minutes)
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda *_, **__: then)
    response = signed(cloud, "GET", "/")
    error = error_of(response)
    assert (response.status_code, error["Code"]) == (403, "RequestTimeTooSkewed")
    assert error["Message"] == "The difference between the request time and the current time is too large."
    assert error["RequestTime"] == then.strftime("%Y%m%dT%H%M%SZ")
    assert error["ServerTime"] and error["MaxAllowedSkewMilliseconds"] == "900000"


@pytest.mark.parametrize("minutes", [-14, 14])
def test_clocks_may_differ_by_a_quarter_of_an_hour(cloud, monkeypatch, minutes):
    then = datetime.datetime.now(datetime.UTC).replace(tzinfo=None) + datetime.timedelta(minutes=minutes)
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda *_, **__: then)
    assert signed(cloud, "GET", "/").status_code == 200


def test_aging_the_cloud_leaves_the_freshness_of_signatures_alone(cloud):
    cloud.age("PT1H")
    client(cloud, "s3").list_buckets()


@pytest.mark.parametrize("authorization, code", [
    ("AWS4-HMAC-SHA256 Credential=test", "AuthorizationHeaderMalformed"),
    ("AWS4-HMAC-SHA256", "AuthorizationHeaderMalformed"), ("Nonsense", "InvalidArgument"), ("AWS test", "InvalidArgument"),
    ("AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3, SignedHeaders=host, Signature=00", "AuthorizationHeaderMalformed"),
    ("AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws5_request, SignedHeaders=host, Signature=00",
     "AuthorizationHeaderMalformed")])
def test_an_authorization_that_is_malformed_is_refused(cloud, authorization, code):
    headers = {"Authorization": authorization, "X-Amz-Date": "20260101T000000Z"}
    response = requests.get(f"{cloud.url}/{BUCKET}", headers=headers)
    assert refusal_of(response) == (400, code), response.text


@pytest.mark.parametrize("service, expected", [("s3", b"ListAllMyBucketsResult"), ("sts", b"GetCallerIdentityResult")])
def test_the_parts_of_an_authorization_may_come_in_any_order(cloud, service, expected):
    body = "" if service == "s3" else "Action=GetCallerIdentity&Version=2011-06-15"
    request = AWSRequest("GET" if service == "s3" else "POST", f"{cloud.url}/", data=body, headers={
        "Content-Type": "application/x-www-form-urlencoded"})
    (S3SigV4Auth if service == "s3" else SigV4Auth)(Credentials("test", "test"), service, "us-east-1").add_auth(request)
    algorithm, *parts = request.headers["Authorization"].replace(", ", " ").split(" ")
    request.headers.replace_header("Authorization", f"{algorithm} {', '.join(reversed(parts))}")
    response = requests.request(request.method, request.url, data=body, headers=dict(request.headers))
    assert response.status_code == 200 and expected in response.content, response.text


def test_a_refusal_is_a_whole_error_document(cloud):
    response = requests.get(f"{cloud.url}/{BUCKET}/some%20key")
    error = error_of(response)
    assert response.status_code == 403
    assert response.headers["Content-Type"] == "application/xml"
    assert (error["Code"], error["Message"]) == ("AccessDenied", "Access Denied")
    assert error["RequestId"] == response.headers["x-amz-request-id"] != ""
    assert error["HostId"] == response.headers["x-amz-id-2"] != ""
    assert response.text.startswith('<?xml version="1.0" encoding="UTF-8"?>')


def test_every_request_has_its_own_identifier(cloud):
    identifiers = {signed(cloud, "GET", "/").headers["x-amz-request-id"] for _ in range(5)}
    assert len(identifiers) == 5


def test_a_refusal_of_a_head_request_has_no_body(cloud):
    response = requests.head(f"{cloud.url}/{BUCKET}/x")
    assert (response.status_code, response.content) == (403, b"")


def test_an_unknown_method_is_not_allowed(cloud):
    response = signed(cloud, "PATCH", f"/{BUCKET}/x")
    assert refusal_of(response) == (405, "MethodNotAllowed")


def presign(s3, operation, seconds=3600, **parameters):
    return s3.generate_presigned_url(operation, Params=parameters, ExpiresIn=seconds)


def test_a_presigned_url_reads_and_writes(cloud, root, bucket):
    put = presign(root, "put_object", Bucket=bucket, Key="two words/ü", ContentType="text/plain")
    response = requests.put(put, data=b"through the url", headers={"Content-Type": "text/plain"})
    assert response.status_code == 200, response.text
    response = requests.get(presign(root, "get_object", Bucket=bucket, Key="two words/ü"))
    assert (response.status_code, response.content) == (200, b"through the url")
    assert response.headers["Content-Type"] == "text/plain"


def test_a_presigned_url_of_a_session_is_as_strong_as_the_session(cloud):
    answer = assume(cloud, "company", cloud.token("company", "alice"))
    s3, subject = client(cloud, "s3", **keys_of(answer)), answer["SubjectFromWebIdentityToken"]
    own = requests.put(presign(s3, "put_object", Bucket=BUCKET, Key=f"{subject}/x"), data=b"x")
    assert own.status_code == 200, own.text
    other = requests.put(presign(s3, "put_object", Bucket=BUCKET, Key="somebody-else/x"), data=b"x")
    assert refusal_of(other) == (403, "AccessDenied")


def test_an_expired_url_is_refused(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    url = presign(root, "get_object", Bucket=bucket, Key="x", seconds=900)
    assert requests.get(url).status_code == 200
    cloud.age("PT15M1S")
    response = requests.get(url)
    error = error_of(response)
    assert (response.status_code, error["Code"], error["Message"]) == (403, "AccessDenied", "Request has expired")
    assert {"Expires", "ServerTime", "X-Amz-Expires"} <= set(error)


def test_a_url_of_an_expired_session_is_refused(cloud):
    answer = assume(cloud, "company", cloud.token("company", "alice"), DurationSeconds=900)
    s3, subject = client(cloud, "s3", **keys_of(answer)), answer["SubjectFromWebIdentityToken"]
    url = presign(s3, "put_object", Bucket=BUCKET, Key=f"{subject}/x", seconds=7200)
    cloud.age("PT20M")
    response = requests.put(url, data=b"x")
    assert refusal_of(response) == (400, "ExpiredToken")


def test_an_altered_url_does_not_match(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    url = presign(root, "get_object", Bucket=bucket, Key="x")
    for altered in [url.replace("/x?", "/y?"), url.replace("X-Amz-Expires=3600", "X-Amz-Expires=7200"), url + "&prefix=a"]:
        response = requests.get(altered)
        assert refusal_of(response) == (403, "SignatureDoesNotMatch"), altered
    response = requests.put(url, data=b"other")
    assert refusal_of(response) == (403, "SignatureDoesNotMatch")


def test_a_url_lasts_at_most_a_week(cloud, root, bucket):
    url = presign(root, "get_object", Bucket=bucket, Key="x", seconds=604_801)
    response = requests.get(url)
    assert refusal_of(response) == (400, "AuthorizationQueryParametersError")


def test_a_url_signed_with_a_wrong_secret_does_not_match(cloud, bucket):
    s3 = client(cloud, "s3", **ROOT | {"aws_secret_access_key": "wrong"})
    response = requests.get(presign(s3, "get_object", Bucket=bucket, Key="x"))
    assert refusal_of(response) == (403, "SignatureDoesNotMatch")


def older(cloud, addressing="path", **credentials):
    """A client that signs with Version 2, as boto3 still does for presigned URLs in us-east-1."""
    return client(
        cloud, "s3", config=Config(signature_version="s3", s3={"addressing_style": addressing}), **credentials)


def test_version_2_is_taken(cloud, bucket):
    s3 = older(cloud)
    s3.put_object(Bucket=bucket, Key="two words/ü", Body=b"signed", ContentType="text/plain", Metadata={"colour": "blue"})
    found = s3.get_object(Bucket=bucket, Key="two words/ü", ResponseContentDisposition="attachment; filename=x")
    assert found["Body"].read() == b"signed" and found["Metadata"] == {"colour": "blue"}
    assert found["ContentDisposition"] == "attachment; filename=x"
    assert [entry["Key"] for entry in s3.list_objects_v2(Bucket=bucket, Prefix="two")["Contents"]] == ["two words/ü"]
    assert bucket in [entry["Name"] for entry in s3.list_buckets()["Buckets"]]
    upload = s3.create_multipart_upload(Bucket=bucket, Key="parts")
    address = {"Bucket": bucket, "Key": "parts", "UploadId": upload["UploadId"]}
    part = s3.upload_part(**address, PartNumber=1, Body=b"x")
    s3.complete_multipart_upload(**address, MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]})
    s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "parts"}, {"Key": "two words/ü"}]})
    s3.delete_bucket(Bucket=bucket)


def test_version_2_with_a_wrong_secret_does_not_match(cloud):
    with refused("SignatureDoesNotMatch", 403) as refusal:
        older(cloud, aws_access_key_id="test", aws_secret_access_key="wrong").list_buckets()
    assert refusal.response["Error"]["StringToSign"].startswith("GET\n\n\n")


def test_a_session_signs_with_version_2(cloud):
    answer = assume(cloud, "company", cloud.token("company", "alice"))
    s3, subject = older(cloud, **keys_of(answer)), answer["SubjectFromWebIdentityToken"]
    s3.put_object(Bucket=BUCKET, Key=f"{subject}/x", Body=b"x")
    with refused("AccessDenied", 403):
        s3.get_object(Bucket=BUCKET, Key="somebody-else/x")
    url = presign(s3, "get_object", Bucket=BUCKET, Key=f"{subject}/x")
    assert "x-amz-security-token" in url and "AWSAccessKeyId" in url
    assert requests.get(url).content == b"x"


def test_a_url_presigned_with_version_2_reads_and_writes(cloud, bucket):
    s3 = older(cloud)
    put = presign(s3, "put_object", Bucket=bucket, Key="x", ContentType="text/plain", Metadata={"colour": "blue"})
    assert "AWSAccessKeyId=test" in put and "x-amz-meta-colour=blue" in put
    response = requests.put(put, data=b"through the url", headers={"Content-Type": "text/plain"})
    assert response.status_code == 200, response.text
    response = requests.get(presign(s3, "get_object", Bucket=bucket, Key="x", ResponseContentType="text/html"))
    assert (response.content, response.headers["Content-Type"]) == (b"through the url", "text/html")
    assert response.headers["x-amz-meta-colour"] == "blue"
    altered = requests.get(presign(s3, "get_object", Bucket=bucket, Key="x").replace("/x?", "/y?"))
    assert refusal_of(altered) == (403, "SignatureDoesNotMatch")
    expired = requests.get(presign(s3, "get_object", seconds=-60, Bucket=bucket, Key="x"))
    assert error_of(expired)["Message"] == "Request has expired" and expired.status_code == 403


def test_what_the_key_service_encrypts_is_not_read_with_version_2(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x", ServerSideEncryption="aws:kms")
    with refused("InvalidArgument", 400, "require AWS Signature Version 4"):
        older(cloud).get_object(Bucket=bucket, Key="x")
    assert root.get_object(Bucket=bucket, Key="x")["Body"].read() == b"x"


def test_a_url_signed_for_another_name_of_the_host_verifies(cloud, root, bucket):
    root.put_object(Bucket=bucket, Key="x", Body=b"x")
    for version in ["s3", "s3v4"]:
        s3 = client(cloud, "s3", config=Config(signature_version=version))
        url = presign(s3, "get_object", Bucket=bucket, Key="x")
        assert requests.get(url, headers={"Host": "storage.example"}).status_code == (200 if version == "s3" else 403)
    with_alias = boto3.Session().client(
        "s3", endpoint_url="http://storage.example:9000", region_name="us-east-1",
        config=Config(signature_version="s3v4", s3={"addressing_style": "path"}), **ROOT)
    url = presign(with_alias, "get_object", Bucket=bucket, Key="x")
    response = requests.get(url.replace("http://storage.example:9000", cloud.url), headers={"Host": "storage.example:9000"})
    assert response.content == b"x", response.text


def test_a_header_that_a_url_does_not_cover_is_refused(cloud, bucket):
    url = presign(client(cloud, "s3"), "put_object", Bucket=bucket, Key="x")
    response = requests.put(url, data=b"x", headers={"x-amz-meta-more": "1"})
    error = error_of(response)
    assert (response.status_code, error["Code"], error["HeadersNotSigned"]) == (403, "AccessDenied", "x-amz-meta-more")
    assert error["Message"] == "There were headers present in the request which were not signed"


PAGE = pathlib.Path(__file__).resolve().parents[3] / "Sources/Documentation/AWS.md"


def newer_subresources():
    """The sub-resources in botocore's model of S3 that its Signature Version 2 does not cover. `list-type` only selects a form of listing."""
    model = botocore.session.get_session().get_service_model("s3")
    queries = [model.operation_model(name).http["requestUri"].partition("?")[2] for name in model.operation_names]
    names = {part.partition("=")[0] for query in queries for part in query.split("&")}
    return names - {""} - {"list-type"} - set(botocore.auth.HmacV1Auth.QSAOfInterest)


def test_the_page_names_the_presigned_urls_of_boto3_that_version_2_does_not_cover():
    page = PAGE.read_text()
    row, = (line for line in page.splitlines() if line.startswith("| one with a sub-resource that boto3 does not sign: "))
    assert set(re.findall("`([^`]+)`", row.split("|")[1])) == newer_subresources()


@pytest.mark.parametrize("name", sorted(newer_subresources()))
def test_a_presigned_url_of_version_2_does_not_cover(cloud, bucket, name):
    url = older(cloud).generate_presigned_url("get_object", {"Bucket": bucket, "Key": "k"})
    assert refusal_of(requests.get(f"{url}&{name}")) == (403, "SignatureDoesNotMatch")
