"""The website endpoint of a bucket, as a browser sees it."""

import json

import pytest
import requests


@pytest.fixture
def site(cloud, root, bucket):
    """Gets a path of the bucket's website."""
    root.delete_public_access_block(Bucket=bucket)
    root.put_bucket_policy(Bucket=bucket, Policy=json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{bucket}/*"}]}))
    root.put_object(Bucket=bucket, Key="index.html", Body=b"home", ContentType="text/html")
    root.put_object(Bucket=bucket, Key="docs/index.html", Body=b"docs", ContentType="text/html")
    root.put_bucket_website(Bucket=bucket, WebsiteConfiguration={
        "IndexDocument": {"Suffix": "index.html"}, "ErrorDocument": {"Key": "error.html"}})

    def get(path, host=f"{bucket}.s3-website.localhost", method="GET", **options):
        return requests.request(method, cloud.url + path, headers={"Host": host}, allow_redirects=False, **options)

    return get


def test_index_documents(site):
    assert site("/").text == "home"
    assert site("/").headers["Content-Type"] == "text/html"
    assert site("/docs/").text == "docs"
    redirect = site("/docs")
    assert (redirect.status_code, redirect.headers["Location"]) == (302, "/docs/")


def test_the_hosts_of_the_real_service(site, bucket):
    for host in (f"{bucket}.s3-website-us-east-1.amazonaws.com", f"{bucket}.s3-website.eu-central-1.amazonaws.com"):
        assert site("/", host=host).text == "home"
    assert site("/", host="nowhere.s3-website-us-east-1.amazonaws.com").headers["x-amz-error-code"] == "NoSuchBucket"


def test_errors(site, root, bucket):
    # A caller who may not list the bucket does not learn that the key is missing.
    assert site("/missing").status_code == 403
    assert "<h1>403 Forbidden</h1>" in site("/missing").text
    root.put_object(Bucket=bucket, Key="error.html", Body=b"sorry")
    assert (site("/missing").status_code, site("/missing").text) == (403, "sorry")
    refused = site("/", method="PUT", data=b"x")
    assert refused.status_code == 405 and "<li>Code: MethodNotAllowed</li>" in refused.text


def test_redirects(site, root, bucket):
    root.put_object(Bucket=bucket, Key="moved", WebsiteRedirectLocation="/docs/")
    assert (site("/moved").status_code, site("/moved").headers["Location"]) == (301, "/docs/")
    root.put_bucket_website(Bucket=bucket, WebsiteConfiguration={
        "IndexDocument": {"Suffix": "index.html"}, "RoutingRules": [
            {"Condition": {"KeyPrefixEquals": "old/"}, "Redirect": {"ReplaceKeyPrefixWith": "docs/", "HttpRedirectCode": "302"}}]})
    redirect = site("/old/a")
    assert redirect.status_code == 302
    assert redirect.headers["Location"] == f"http://{bucket}.s3-website.localhost/docs/a"
