"""Writes botocore.json: requests as botocore signs them, for a fixed time and the example keys of the AWS documents.

Run it with a Python that has botocore: python3 sign_with_botocore.py > botocore.json
"""

import datetime
import json

import botocore
import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

MOMENT = datetime.datetime(2013, 5, 24, 0, 0, 0, tzinfo=datetime.timezone.utc)
ACCESS_KEY = "AKIAIOSFODNN7EXAMPLE"
SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
TOKEN = "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQW+/=="

botocore.auth.get_current_datetime = lambda remove_tzinfo=True: MOMENT.replace(tzinfo=None)

SIGNERS = {
    "s3": botocore.auth.S3SigV4Auth,
    "s3-query": botocore.auth.S3SigV4QueryAuth,
    "header": botocore.auth.SigV4Auth,
    "query": botocore.auth.SigV4QueryAuth,
}


def vector(name, form, method, url, headers=None, body=b"", service="s3", region="us-east-1", token=None, expires=3600):
    signer_class = SIGNERS[form]
    credentials = Credentials(ACCESS_KEY, SECRET, token)
    if form.endswith("query"):
        signer = signer_class(credentials, service, region, expires=expires)
    else:
        signer = signer_class(credentials, service, region)
    request = AWSRequest(method=method, url=url, headers=dict(headers or {}), data=body)
    unsigned = list(request.headers.items())
    canonical = []
    original = signer.canonical_request
    signer.canonical_request = lambda request: canonical.append(original(request)) or canonical[-1]
    signer.add_auth(request)
    scheme, _, rest = request.url.partition("://")
    authority, slash, target = rest.partition("/")
    return {
        "name": name,
        "service": service,
        "region": region,
        "isPresigned": form.endswith("query"),
        "sessionToken": token,
        "expires": expires,
        "method": method,
        "authority": authority,
        "unsignedTarget": slash + url.partition("://")[2].partition("/")[2],
        "unsignedHeaders": unsigned,
        "target": slash + target,
        "headers": list(request.headers.items()),
        "payload": canonical[0].rpartition("\n")[2],
        "canonicalRequest": canonical[0],
    }


S3 = "http://examplebucket.s3.amazonaws.com"
STS = "https://sts.us-east-1.amazonaws.com"
FORM = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}


def vectors():
    paths = [
        "/", "/test.txt", "/a/b/c", "/a//b", "//", "/a/./b/../c", "/..", "/a%20b", "/%E3%81%82", "/a%2Bb%3D%26", "/a%2Fb",
        "/~tilde-._", "/%25already%2525", "/%21%27%28%29%2A", "/trailing/",
    ]
    for path in paths:
        yield vector(f"S3 path {path}", "s3", "GET", S3 + path)
        yield vector(f"S3 presigned path {path}", "s3-query", "GET", S3 + path)
    queries = [
        "lifecycle=", "list-type=2&prefix=J&max-keys=2", "prefix=a%2Fb%20c&delimiter=%2F", "b=2&a=1&a=0&a-b=3&a.b=4",
        "uploadId=x%3D%3D&partNumber=1", "key=%E3%81%82&%E3%81%82=key", "A=1&a=2&B=3",
    ]
    for query in queries:
        yield vector(f"S3 query {query}", "s3", "GET", f"{S3}/?{query}")
    for query in ["prefix=J&max-keys=2", "response-content-type=text%2Fplain%3B%20charset%3Dutf-8", "versionId=a.b_c~d"]:
        yield vector(f"S3 presigned query {query}", "s3-query", "GET", f"{S3}/key?{query}", expires=604800)
    headers = [
        {"Range": "bytes=0-9"}, {"x-amz-meta-spaces": "a  b   c"}, {"X-Amz-Meta-Empty": ""}, {"X-Amz-Meta-Quote": 'a "b  c" d'},
        {"x-amz-acl": "private", "Content-Type": "text/plain", "Cache-Control": "no-cache,  no-store"},
        {"Content-MD5": "rL0Y20zC+Fzt72VPzMSk2A==", "x-amz-storage-class": "REDUCED_REDUNDANCY"},
        {"Date": "Fri, 24 May 2013 00:00:00 GMT"}, {"User-Agent": "not signed", "Expect": "100-continue"},
    ]
    for header in headers:
        yield vector(f"S3 headers {sorted(header)}", "s3", "PUT", S3 + "/key", header, b"Welcome to Amazon S3.")
    yield vector("S3 presigned with a header", "s3-query", "PUT", S3 + "/key", {"x-amz-meta-a": "b"})
    yield vector("S3 with a session token", "s3", "GET", S3 + "/key", token=TOKEN)
    yield vector("S3 presigned with a session token", "s3-query", "GET", S3 + "/key", token=TOKEN)
    yield vector("S3 with a port", "s3", "GET", "http://localhost:4566/bucket/key")
    yield vector("S3 in an empty region", "s3", "GET", S3 + "/key", region="")
    yield vector("S3 delete", "s3", "DELETE", S3 + "/key?versionId=null")
    for path in ["/", "/a%20b", "/a//b/", "/a/../b/./c", "/a%2Fb:c"]:
        yield vector(f"other service path {path}", "header", "GET", "https://example.amazonaws.com" + path, service="service")
    body = b"Action=GetCallerIdentity&Version=2011-06-15"
    yield vector("STS call", "header", "POST", STS + "/", FORM, body, service="sts")
    yield vector("STS call with a session token", "header", "POST", STS + "/", FORM, body, service="sts", token=TOKEN)
    url = STS + "/?Action=GetCallerIdentity&Version=2011-06-15"
    yield vector("STS presigned call", "query", "GET", url, service="sts", expires=60)
    yield vector("STS presigned call with a header", "query", "GET", url, {"x-k8s-aws-id": "c"}, service="sts", token=TOKEN)
    yield vector("IAM call", "header", "POST", "https://iam.amazonaws.com/", FORM, b"Action=ListUsers&Version=2010-05-08", service="iam")


print(json.dumps({
    "source": f"written by sign_with_botocore.py in this folder with botocore {botocore.__version__}",
    "accessKey": ACCESS_KEY,
    "secret": SECRET,
    "timestamp": MOMENT.strftime("%Y%m%dT%H%M%SZ"),
    "vectors": list(vectors()),
}, indent=1, ensure_ascii=False))
