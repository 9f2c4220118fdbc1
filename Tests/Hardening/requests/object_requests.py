"""Valid requests of the object services, and the documents and signers that other parts of the corpus share."""

import base64
import binascii
import hashlib
import json

from requests_and_signatures import HARBOUR, Request, hmac_of, stamp, version2, version4

S3, PRESIGNED = version4("s3"), version4("s3", presigned=True)
S3V2 = version2("AWS", "x-amz-", ("test", "test"))
OSS = version2("OSS", "x-oss-", HARBOUR)
STS, IAM = version4("sts"), version4("iam")
CRC32 = base64.b64encode(binascii.crc32(b"text").to_bytes(4, "big")).decode()
XML = [("Content-Type", "application/xml")]
JSON = [("Content-Type", "application/json")]
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Sid": "a", "Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::fuzz/*",
    "Condition": {"StringLike": {"aws:PrincipalTag/a": ["b*"]}, "NumericLessThan": {"s3:max-keys": "10"},
                  "DateGreaterThan": {"aws:CurrentTime": "2020-01-01T00:00:00Z"}, "IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}}]})
BUCKET_POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:root"}, "Action": "s3:GetObject", "Resource": "arn:aws:s3:::fuzz/*"}]})
RAM_POLICY = json.dumps({"Version": "1", "Statement": [{
    "Effect": "Allow", "Action": ["oss:GetObject"], "Resource": "acs:oss:*:*:harbour-photos/*", "Condition": {"IpAddress": {"acs:SourceIp": "10.0.0.0/8"}}}]})
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [{
    "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:root"}, "Action": "sts:AssumeRole"}]})

BUCKET_CONFIGURATIONS = {
    "versioning": "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>",
    "tagging": "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>",
    "cors": "<CORSConfiguration><CORSRule><ID>a</ID><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedHeader>*</AllowedHeader>"
            "<ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>10</MaxAgeSeconds></CORSRule></CORSConfiguration>",
    "lifecycle": "<LifecycleConfiguration><Rule><ID>a</ID><Status>Enabled</Status><Filter><And><Prefix>l/</Prefix><Tag><Key>a</Key><Value>b</Value></Tag>"
                 "</And></Filter><Expiration><Days>30</Days></Expiration><Transition><Days>20</Days><StorageClass>GLACIER</StorageClass></Transition>"
                 "<NoncurrentVersionExpiration><NoncurrentDays>5</NoncurrentDays></NoncurrentVersionExpiration></Rule></LifecycleConfiguration>",
    "website": "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument><ErrorDocument><Key>error.html</Key></ErrorDocument>"
               "<RoutingRules><RoutingRule><Condition><KeyPrefixEquals>a/</KeyPrefixEquals></Condition><Redirect><ReplaceKeyPrefixWith>b/"
               "</ReplaceKeyPrefixWith></Redirect></RoutingRule></RoutingRules></WebsiteConfiguration>",
    "encryption": "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm>"
                  "</ApplyServerSideEncryptionByDefault><BucketKeyEnabled>true</BucketKeyEnabled></Rule></ServerSideEncryptionConfiguration>",
    "logging": "<BucketLoggingStatus><LoggingEnabled><TargetBucket>fuzz</TargetBucket><TargetPrefix>log/</TargetPrefix></LoggingEnabled></BucketLoggingStatus>",
    "notification": "<NotificationConfiguration><TopicConfiguration><Id>a</Id><Topic>arn:aws:sns:us-east-1:000000000000:a</Topic>"
                    "<Event>s3:ObjectCreated:*</Event><Filter><S3Key><FilterRule><Name>prefix</Name><Value>n/</Value></FilterRule></S3Key></Filter>"
                    "</TopicConfiguration></NotificationConfiguration>",
    "ownershipControls": "<OwnershipControls><Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule></OwnershipControls>",
    "publicAccessBlock": "<PublicAccessBlockConfiguration><BlockPublicAcls>false</BlockPublicAcls><IgnorePublicAcls>false</IgnorePublicAcls>"
                         "<BlockPublicPolicy>false</BlockPublicPolicy><RestrictPublicBuckets>false</RestrictPublicBuckets></PublicAccessBlockConfiguration>",
    "requestPayment": "<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>",
    "accelerate": "<AccelerateConfiguration><Status>Enabled</Status></AccelerateConfiguration>",
    "object-lock": "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>"}


def s3():
    acl = ("<AccessControlPolicy><Owner><ID>a</ID></Owner><AccessControlList><Grant><Grantee xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
           "xsi:type='Group'><URI>http://acs.amazonaws.com/groups/global/AllUsers</URI></Grantee><Permission>READ</Permission></Grant>"
           "</AccessControlList></AccessControlPolicy>").encode()
    md5 = base64.b64encode(hashlib.md5(b"text").digest()).decode()
    yield Request("CreateBucket", "PUT", "/fuzz", sign=S3)
    yield Request("PutObject", "PUT", "/fuzz/a.txt", [], [
        ("Content-Type", "text/plain"), ("Content-MD5", md5), ("Cache-Control", "no-cache"), ("x-amz-meta-a", "b"), ("x-amz-tagging", "a=b"),
        ("x-amz-storage-class", "STANDARD"), ("Expires", "Thu, 01 Jan 2037 00:00:00 GMT"), ("x-amz-checksum-crc32", CRC32)], b"text", S3)
    yield Request("PutObject presigned", "PUT", "/fuzz/p.txt", body=b"text", sign=PRESIGNED)
    yield Request("PutObject V2", "PUT", "/fuzz/v2.txt", [], [("Content-Type", "text/plain"), ("x-amz-meta-a", "b")], b"text", S3V2)
    chunk = hashlib.sha256(b"").hexdigest()
    yield Request("PutObject chunks", "PUT", "/fuzz/c.txt", [], [
        ("Content-Encoding", "aws-chunked"), ("x-amz-decoded-content-length", "4"), ("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
        ("x-amz-trailer", "x-amz-checksum-crc32")], b"4\r\ntext\r\n0\r\nx-amz-checksum-crc32:" + CRC32.encode() + b"\r\n\r\n",
        version4("s3", payload="STREAMING-UNSIGNED-PAYLOAD-TRAILER"))
    yield Request("PutObject signed chunks", "PUT", "/fuzz/d.txt", [], [
        ("Content-Encoding", "aws-chunked"), ("x-amz-decoded-content-length", "4"), ("x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD")],
        f"4;chunk-signature={chunk}\r\ntext\r\n0;chunk-signature={chunk}\r\n\r\n".encode(),
        version4("s3", payload="STREAMING-AWS4-HMAC-SHA256-PAYLOAD"))
    key = base64.b64encode(bytes(32)).decode()
    customer = [("x-amz-server-side-encryption-customer-algorithm", "AES256"), ("x-amz-server-side-encryption-customer-key", key),
                ("x-amz-server-side-encryption-customer-key-MD5", base64.b64encode(hashlib.md5(bytes(32)).digest()).decode())]
    yield Request("PutObject SSE-C", "PUT", "/fuzz/e.txt", [], customer, b"text", S3)
    yield Request("GetObject SSE-C", "GET", "/fuzz/e.txt", [], customer, sign=S3)
    for sign, kind in [(S3, ""), (PRESIGNED, " presigned"), (S3V2, " V2")]:
        yield Request("GetObject" + kind, "GET", "/fuzz/a.txt", [("response-content-type", "text/html"), ("response-expires", "x")], [
            ("Range", "bytes=0-1"), ("If-Match", "*"), ("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")],
            sign=sign)
        yield Request("ListObjects" + kind, "GET", "/fuzz", [
            ("prefix", "a"), ("delimiter", "/"), ("marker", ""), ("max-keys", "10"), ("encoding-type", "url")], sign=sign)
    yield Request("GetObject part", "GET", "/fuzz/a.txt", [("partNumber", "1"), ("versionId", "null")], sign=S3)
    yield Request("HeadObject", "HEAD", "/fuzz/a.txt", [], [("If-None-Match", '"a"')], sign=S3)
    yield Request("ListObjectsV2", "GET", "/fuzz", [
        ("list-type", "2"), ("prefix", ""), ("delimiter", "/"), ("max-keys", "1"), ("start-after", "a"), ("fetch-owner", "true")],
        sign=S3)
    yield Request("ListObjectVersions", "GET", "/fuzz", [
        ("versions", ""), ("key-marker", "a"), ("version-id-marker", "null"), ("max-keys", "2")], sign=S3)
    yield Request("CopyObject", "PUT", "/fuzz/copy.txt", [], [
        ("x-amz-copy-source", "/fuzz/a.txt"), ("x-amz-metadata-directive", "REPLACE"), ("x-amz-copy-source-if-match", "*"),
        ("x-amz-tagging-directive", "REPLACE"), ("x-amz-tagging", "c=d")], sign=S3)
    yield Request("CreateMultipartUpload", "POST", "/fuzz/m", [("uploads", "")], [
        ("x-amz-checksum-algorithm", "CRC32"), ("x-amz-checksum-type", "FULL_OBJECT")], sign=S3)
    yield Request("UploadPart", "PUT", "/fuzz/m", [("partNumber", "1"), ("uploadId", "UPLOAD")], [], b"text", S3)
    yield Request("UploadPartCopy", "PUT", "/fuzz/m", [("partNumber", "2"), ("uploadId", "UPLOAD")], [
        ("x-amz-copy-source", "/fuzz/a.txt"), ("x-amz-copy-source-range", "bytes=0-1")], sign=S3)
    yield Request("ListParts", "GET", "/fuzz/m", [("uploadId", "UPLOAD"), ("max-parts", "1"), ("part-number-marker", "0")], sign=S3)
    yield Request("ListMultipartUploads", "GET", "/fuzz", [
        ("uploads", ""), ("key-marker", "a"), ("upload-id-marker", "b"), ("max-uploads", "5"), ("prefix", "m"), ("delimiter", "/")], sign=S3)
    yield Request("CompleteMultipartUpload", "POST", "/fuzz/m", [("uploadId", "UPLOAD")], XML, (
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"1cb251ec0d568de6a929b520c4aed8d1\"</ETag></Part>"
        "</CompleteMultipartUpload>").encode(), S3)
    yield Request("AbortMultipartUpload", "DELETE", "/fuzz/m", [("uploadId", "UPLOAD")], sign=S3)
    yield Request("DeleteObjects", "POST", "/fuzz", [("delete", "")], XML + [("x-amz-checksum-algorithm", "CRC32")], (
        "<Delete><Quiet>true</Quiet><Object><Key>z</Key><VersionId>null</VersionId></Object><Object><Key>y</Key></Object></Delete>").encode(), S3)
    for name, document in BUCKET_CONFIGURATIONS.items():
        yield Request(f"Put {name}", "PUT", "/fuzz", [(name, "")], XML, document.encode(), S3)
        yield Request(f"Get {name}", "GET", "/fuzz", [(name, "")], sign=S3)
    yield Request("PutBucketPolicy", "PUT", "/fuzz", [("policy", "")], JSON, BUCKET_POLICY.encode(), S3)
    yield Request("GetBucketPolicyStatus", "GET", "/fuzz", [("policyStatus", "")], sign=S3)
    yield Request("PutBucketAcl", "PUT", "/fuzz", [("acl", "")], XML, acl, S3)
    yield Request("PutObjectAcl", "PUT", "/fuzz/a.txt", [("acl", "")], [("x-amz-grant-read", 'uri="http://acs.amazonaws.com/groups/global/AllUsers"')], sign=S3)
    yield Request("PutObjectTagging", "PUT", "/fuzz/a.txt", [("tagging", "")], XML, BUCKET_CONFIGURATIONS["tagging"].encode(), S3)
    yield Request("PutObjectRetention", "PUT", "/fuzz/a.txt", [("retention", "")], XML,
                  b"<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>2030-01-01T00:00:00Z</RetainUntilDate></Retention>", S3)
    yield Request("PutObjectLegalHold", "PUT", "/fuzz/a.txt", [("legal-hold", "")], XML, b"<LegalHold><Status>OFF</Status></LegalHold>", S3)
    yield Request("GetObjectAttributes", "GET", "/fuzz/a.txt", [("attributes", "")], [("x-amz-object-attributes", "ETag,Checksum,ObjectParts,ObjectSize")], sign=S3)
    yield Request("SelectObjectContent", "POST", "/fuzz/a.txt", [("select", ""), ("select-type", "2")], XML, (
        "<SelectObjectContentRequest><Expression>select * from s3object s where s._1 = 'a'</Expression><ExpressionType>SQL</ExpressionType>"
        "<InputSerialization><CSV/></InputSerialization><OutputSerialization><CSV/></OutputSerialization></SelectObjectContentRequest>").encode(), S3)
    yield Request("RestoreObject", "POST", "/fuzz/a.txt", [("restore", "")], XML, b"<RestoreRequest><Days>1</Days></RestoreRequest>", S3)
    yield Request("ListBuckets", "GET", "/", [("max-buckets", "10"), ("prefix", "f"), ("continuation-token", "")], sign=S3)
    yield Request("preflight", "OPTIONS", "/fuzz/a.txt", [], [
        ("Origin", "http://a.example"), ("Access-Control-Request-Method", "GET"), ("Access-Control-Request-Headers", "x-a, x-b")])
    yield Request("website", "GET", "/a/b", [], [("Host", "fuzz.s3-website-us-east-1.amazonaws.com")])
    yield Request("bucket in host", "GET", "/a.txt", [], [("Host", "fuzz.s3.localhost")])
    yield form("/fuzz", "s3")
    yield Request("DeleteObject", "DELETE", "/fuzz/gone", [("versionId", "null")], sign=S3)


def multipart(fields, file=b"text"):
    body = b"".join(
        f"--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n".encode() for name, value in fields)
    return body + b"--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" + file + b"\r\n--edge--\r\n"


def form(path, service):
    kind = [("Content-Type", "multipart/form-data; boundary=edge")]
    if service == "oss":
        policy = base64.b64encode(json.dumps({
            "expiration": "2030-01-01T00:00:00.000Z", "conditions": [["content-length-range", 0, 1000], ["starts-with", "$key", ""]]}).encode()).decode()
        signature = base64.b64encode(hmac_of(HARBOUR[1].encode(), policy, hashlib.sha1)).decode()
        return Request("PostObject of OSS", "POST", path, [], kind, multipart([
            ("key", "form.txt"), ("OSSAccessKeyId", HARBOUR[0]), ("policy", policy), ("Signature", signature), ("success_action_status", "201")]))
    time = stamp()
    credential = f"test/{time[:8]}/us-east-1/s3/aws4_request"
    policy = base64.b64encode(json.dumps({"expiration": "2030-01-01T00:00:00.000Z", "conditions": [
        {"bucket": "fuzz"}, ["starts-with", "$key", ""], ["starts-with", "$success_action_status", ""], {"x-amz-algorithm": "AWS4-HMAC-SHA256"},
        {"x-amz-credential": credential}, {"x-amz-date": time}, ["content-length-range", 0, 1000]]}).encode()).decode()
    key = b"AWS4test"
    for part in [time[:8], "us-east-1", "s3", "aws4_request"]:
        key = hmac_of(key, part)
    return Request("PostObject", "POST", path, [], kind, multipart([
        ("key", "form/${filename}"), ("success_action_status", "201"), ("policy", policy), ("x-amz-algorithm", "AWS4-HMAC-SHA256"),
        ("x-amz-credential", credential), ("x-amz-date", time), ("x-amz-signature", hmac_of(key, policy).hex())]))
