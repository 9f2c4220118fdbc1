"""Pages of other origins: the responses to a preflight and to the request."""

import requests

from clients import refused, role_arn

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


ORIGIN = {"Origin": "https://app.example"}
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "amz-sdk-request,content-type"}


def test_sts_answers_pages_of_every_origin(cloud):
    for host in [f"localhost:{cloud.port}", "sts.amazonaws.com", "sts.eu-west-1.api.aws"]:
        preflight = requests.options(cloud.url, headers=ORIGIN | ASKED | {"Host": host})
        assert preflight.status_code == 200, preflight.text
        assert preflight.headers["Access-Control-Allow-Origin"] == "*"
        assert preflight.headers["Access-Control-Allow-Headers"] == ASKED["Access-Control-Request-Headers"]
        assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
        assert preflight.headers["Access-Control-Max-Age"] == "172800"
    call = {"Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": role_arn("company"),
            "RoleSessionName": "page", "WebIdentityToken": cloud.token("company", "alice")}
    for change, status in [({}, 200), ({"WebIdentityToken": "x.y.z"}, 400)]:
        answer = requests.post(cloud.url, data=call | change, headers=ORIGIN)
        assert answer.status_code == status, answer.text
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "x-amzn-RequestId" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Origin" not in requests.post(cloud.url, data=call).headers


def test_iam_answers_no_page(cloud):
    preflight = requests.options(cloud.url, headers=ORIGIN | ASKED | {"Host": "iam.amazonaws.com"}, allow_redirects=False)
    assert (preflight.status_code, preflight.headers["Location"]) == (302, "https://aws.amazon.com/iam")
    assert "Access-Control-Allow-Origin" not in preflight.headers
    call = {"Action": "ListUsers", "Version": "2010-05-08"}
    assert "Access-Control-Allow-Origin" not in requests.post(cloud.url, data=call, headers=ORIGIN).headers


def test_alibaba_clouds_calls_answer_pages_of_every_origin(cloud):
    host = {"Host": "sts.aliyuncs.com"}
    preflight = requests.options(cloud.url, headers=ORIGIN | ASKED | host)
    assert (preflight.status_code, preflight.headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert "x-acs-action" in preflight.headers["Access-Control-Allow-Headers"]
    answer = requests.get(cloud.url, params={"Action": "GetCallerIdentity", "Version": "2015-04-01"}, headers=host)
    assert answer.headers["Access-Control-Allow-Origin"] == answer.headers["Access-Control-Expose-Headers"] == "*"
