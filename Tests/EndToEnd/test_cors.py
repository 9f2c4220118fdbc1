"""Pages of other origins: what a browser is told before and with a request."""

import requests

from clients import refused

RULES = {"CORSRules": [
    {"AllowedOrigins": ["https://*.example"], "AllowedMethods": ["GET", "PUT"], "AllowedHeaders": ["x-amz-*", "content-type"],
     "ExposeHeaders": ["ETag"], "MaxAgeSeconds": 600}]}


def test_rules_are_put_given_back_and_deleted(root, bucket):
    with refused("NoSuchCORSConfiguration", 404):
        root.get_bucket_cors(Bucket=bucket)
    root.put_bucket_cors(Bucket=bucket, CORSConfiguration=RULES)
    assert root.get_bucket_cors(Bucket=bucket)["CORSRules"] == RULES["CORSRules"]
    root.delete_bucket_cors(Bucket=bucket)
    with refused("NoSuchCORSConfiguration", 404):
        root.get_bucket_cors(Bucket=bucket)


def test_a_presigned_upload_from_a_page(root, bucket):
    root.put_bucket_cors(Bucket=bucket, CORSConfiguration=RULES)
    url = root.generate_presigned_url("put_object", Params={"Bucket": bucket, "Key": "from a page"})
    origin = {"Origin": "https://app.example"}
    preflight = requests.options(url, headers=origin | {
        "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type"})
    assert preflight.status_code == 200
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://app.example"
    assert preflight.headers["Access-Control-Allow-Methods"] == "GET, PUT"
    upload = requests.put(url, data=b"x", headers=origin)
    assert upload.status_code == 200
    assert upload.headers["Access-Control-Allow-Origin"] == "https://app.example"
    assert upload.headers["Access-Control-Expose-Headers"] == "ETag"


def test_another_origin_is_refused_before_and_told_nothing_after(root, bucket, cloud):
    root.put_bucket_cors(Bucket=bucket, CORSConfiguration=RULES)
    url = f"{cloud.url}/{bucket}/any"
    preflight = requests.options(url, headers={"Origin": "https://evil", "Access-Control-Request-Method": "GET"})
    assert preflight.status_code == 403
    assert "<Code>AccessForbidden</Code>" in preflight.text
    answer = requests.get(url, headers={"Origin": "https://evil"})
    assert answer.status_code == 403
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_bucket_in_the_host(root, bucket, cloud):
    root.put_bucket_cors(Bucket=bucket, CORSConfiguration=RULES)
    preflight = requests.options(f"{cloud.url}/any", headers={
        "Host": f"{bucket}.s3.localhost", "Origin": "https://a.example", "Access-Control-Request-Method": "GET"})
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://a.example"
