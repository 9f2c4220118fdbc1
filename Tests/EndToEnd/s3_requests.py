"""Valid requests of S3's operations, and the state of a bucket in which each of them succeeds."""

import base64
import hashlib
import re
import zlib

import requests
from botocore.awsrequest import AWSRequest

from clients import ROOT, sign
from cloud import REGION

DESTINATION = "<S3BucketDestination><Format>CSV</Format><Bucket>arn:aws:s3:::reports</Bucket></S3BucketDestination>"

# The bodies of requests. `{etag}` stands for the ETag of the uploaded part, `{owner}` for the ID of the bucket's owner.
BODIES = {
    "CompleteMultipartUpload": "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>{etag}</ETag></Part></CompleteMultipartUpload>",
    "CreateBucket": "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>",
    "DeleteObjects": "<Delete><Object><Key>k</Key></Object></Delete>",
    "PutBucketAbac": "<AbacStatus><Status>Enabled</Status></AbacStatus>",
    "PutBucketAccelerateConfiguration": "<AccelerateConfiguration><Status>Enabled</Status></AccelerateConfiguration>",
    "PutBucketAcl": "<AccessControlPolicy><Owner><ID>{owner}</ID></Owner><AccessControlList/></AccessControlPolicy>",
    "PutBucketAnalyticsConfiguration":
        "<AnalyticsConfiguration><Id>one</Id><StorageClassAnalysis><DataExport><OutputSchemaVersion>V_1</OutputSchemaVersion>"
        f"<Destination>{DESTINATION}</Destination></DataExport></StorageClassAnalysis></AnalyticsConfiguration>",
    "PutBucketCors":
        "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>",
    "PutBucketEncryption":
        "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm>"
        "</ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>",
    "PutBucketIntelligentTieringConfiguration":
        "<IntelligentTieringConfiguration><Id>one</Id><Status>Enabled</Status><Tiering><Days>90</Days><AccessTier>ARCHIVE_ACCESS"
        "</AccessTier></Tiering></IntelligentTieringConfiguration>",
    "PutBucketInventoryConfiguration":
        f"<InventoryConfiguration><Id>one</Id><IsEnabled>true</IsEnabled><Destination>{DESTINATION}</Destination><Schedule>"
        "<Frequency>Weekly</Frequency></Schedule><IncludedObjectVersions>All</IncludedObjectVersions></InventoryConfiguration>",
    "PutBucketLifecycleConfiguration":
        "<LifecycleConfiguration><Rule><ID>one</ID><Filter><Prefix>a</Prefix></Filter><Status>Enabled</Status><Expiration><Days>1</Days>"
        "</Expiration></Rule></LifecycleConfiguration>",
    "PutBucketLogging": "<BucketLoggingStatus/>",
    "PutBucketMetricsConfiguration": "<MetricsConfiguration><Id>one</Id></MetricsConfiguration>",
    # The queue does not exist.
    "PutBucketNotificationConfiguration":
        "<NotificationConfiguration><QueueConfiguration><Id>one</Id><Queue>arn:aws:sqs:us-east-1:000000000000:none</Queue>"
        "<Event>s3:ObjectCreated:*</Event></QueueConfiguration></NotificationConfiguration>",
    "PutBucketOwnershipControls":
        "<OwnershipControls><Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule></OwnershipControls>",
    "PutBucketPolicy":
        '{{"Version":"2012-10-17","Statement":[{{"Effect":"Allow","Principal":{{"AWS":"000000000000"}},"Action":"s3:GetObject",'
        '"Resource":"arn:aws:s3:::{bucket}/*"}}]}}',
    "PutBucketReplication":
        "<ReplicationConfiguration><Role>arn:aws:iam::000000000000:role/replicator</Role><Rule><ID>one</ID><Priority>1</Priority><Filter>"
        "<Prefix>a</Prefix></Filter><Status>Enabled</Status><DeleteMarkerReplication><Status>Disabled</Status></DeleteMarkerReplication>"
        "<Destination><Bucket>arn:aws:s3:::{bucket}</Bucket></Destination></Rule></ReplicationConfiguration>",
    "PutBucketRequestPayment": "<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>",
    "PutBucketTagging": "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>",
    "PutBucketVersioning": "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>",
    "PutBucketWebsite": "<WebsiteConfiguration><IndexDocument><Suffix>index.html</Suffix></IndexDocument></WebsiteConfiguration>",
    "PutObject": "01,3456789",
    "PutObjectLegalHold": "<LegalHold><Status>OFF</Status></LegalHold>",
    "PutObjectLockConfiguration": "<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>",
    # It shortens the retention of the object.
    "PutObjectRetention": "<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>2098-01-01T00:00:00Z</RetainUntilDate></Retention>",
    "PutPublicAccessBlock":
        "<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls></PublicAccessBlockConfiguration>",
    "RestoreObject": "<RestoreRequest><Days>1</Days></RestoreRequest>",
    "SelectObjectContent":
        "<SelectObjectContentRequest><Expression>SELECT * FROM S3Object</Expression><ExpressionType>SQL</ExpressionType>"
        "<InputSerialization><CSV/></InputSerialization><OutputSerialization><CSV/></OutputSerialization></SelectObjectContentRequest>",
    "UpdateObjectEncryption":
        "<ObjectEncryption><SSE-KMS><KMSKeyArn>arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555</KMSKeyArn>"
        "</SSE-KMS></ObjectEncryption>",
    "UploadPart": "01,3456789",
}
BODIES["PutBucketLifecycle"] = BODIES["PutBucketLifecycleConfiguration"]
BODIES["PutBucketNotification"] = BODIES["PutBucketNotificationConfiguration"]
BODIES["PutObjectAcl"] = BODIES["PutBucketAcl"]
BODIES["PutObjectTagging"] = BODIES["PutBucketTagging"]

# Headers and query parameters that make a request valid, besides those that the model requires.
NEEDED = {
    "CopyObject": {"x-amz-copy-source": "{bucket}/k"},
    "GetObjectAttributes": {"x-amz-object-attributes": "ETag,ObjectSize,ObjectParts"},
    "PutBucketNotification": {"x-amz-skip-destination-validation": "true"},
    "PutBucketNotificationConfiguration": {"x-amz-skip-destination-validation": "true"},
    "UploadPartCopy": {"x-amz-copy-source": "{bucket}/k"},
}
QUERY = {"id": "one", "partNumber": "1", "uploadId": "{upload}"}


class Requests:
    """Sends signed requests over one connection."""

    def __init__(self, cloud, model):
        self.cloud, self.model, self.session, self.buckets = cloud, model, requests.Session(), {}

    def send(self, method, path, body=b"", headers=None, keys=ROOT):
        headers = {"Content-MD5": base64.b64encode(hashlib.md5(body).digest()).decode()} | (headers or {}) if body else headers or {}
        request = AWSRequest(method=method, url=self.cloud.url + path, data=body, headers=headers)
        sign(request, keys, REGION)
        prepared = requests.Request(method, request.url, data=body, headers=dict(request.headers)).prepare()
        return self.session.send(prepared, allow_redirects=False)

    def made(self, method, path, body=b"", headers=None):
        response = self.send(method, path, body, headers)
        assert response.ok, (method, path, response.text)
        return response

    def bucket(self, operation):
        """The bucket in which an operation is tried."""
        if operation not in self.buckets:
            name = self.buckets[operation] = f"b{len(self.buckets)}-{operation.lower()}"[:63]
            locked = "Lock" in operation or "Retention" in operation or "LegalHold" in operation
            self.made("PUT", "/" + name, headers={"x-amz-object-ownership": "ObjectWriter"} | (
                {"x-amz-bucket-object-lock-enabled": "true"} if locked else {}))
            self.made("DELETE", f"/{name}?publicAccessBlock")
            if operation == "PutBucketReplication" or operation.endswith("BucketReplication"):
                self.made("PUT", f"/{name}?versioning", BODIES["PutBucketVersioning"].encode())
        return self.buckets[operation]

    def prepared(self, operation):
        """Brings the bucket of an operation into the state in which it succeeds. Returns the words of that state."""
        bucket = self.bucket(operation)
        words = {"bucket": bucket}
        retention = {"x-amz-object-lock-mode": "GOVERNANCE", "x-amz-object-lock-retain-until-date": "2099-01-01T00:00:00Z"}
        stored = {"RestoreObject": {"x-amz-storage-class": "GLACIER"}, "PutObjectRetention": retention, "GetObjectRetention": retention,
                  "GetObjectLegalHold": {"x-amz-object-lock-legal-hold": "ON"}}.get(operation, {})
        response = self.made("PUT", f"/{bucket}/k", b"01,3456789", stored)
        words["object"] = response.headers["ETag"].strip('"')
        words["modified"] = self.made("HEAD", f"/{bucket}/k").headers["Last-Modified"]
        words["owner"] = re.search("<ID>(.*?)</ID>", self.made("GET", f"/{bucket}?acl").text)[1]
        model = self.model.operation_model(operation)
        if "uploadId" in self.members(operation):
            # A completion compares checksums of any algorithm only if the upload has chosen one.
            chosen = {"x-amz-checksum-algorithm": "CRC32", "x-amz-checksum-type": "FULL_OBJECT"}
            created = self.made("POST", f"/{bucket}/k?uploads", headers=chosen if operation == "CompleteMultipartUpload" else None)
            words["upload"] = re.search("<UploadId>(.*?)<", created.text)[1]
            part = self.made("PUT", f"/{bucket}/k?partNumber=1&uploadId={words['upload']}", b"01,3456789")
            words["etag"] = part.headers["ETag"].strip('"')
        if operation == "GetObjectAttributes":
            # Of an object, only a composite checksum shows the parts.
            created = self.made("POST", f"/{bucket}/k?uploads", headers={"x-amz-checksum-algorithm": "CRC32"})
            upload = re.search("<UploadId>(.*?)<", created.text)[1]
            checksum = base64.b64encode(zlib.crc32(b"01,3456789").to_bytes(4, "big")).decode()
            part = self.made("PUT", f"/{bucket}/k?partNumber=1&uploadId={upload}", b"01,3456789", {"x-amz-checksum-crc32": checksum})
            listed = f"<ChecksumCRC32>{checksum}</ChecksumCRC32></Part>"
            document = BODIES["CompleteMultipartUpload"].format(etag=part.headers["ETag"].strip('"')).replace("</Part>", listed)
            self.made("POST", f"/{bucket}/k?uploadId={upload}", document.encode())
        put = re.sub("^(Get|Delete)", "Put", operation)
        if put != operation and put in BODIES and "{Key" not in model.http["requestUri"] and "Notification" not in put:
            path = model.http["requestUri"].replace("{Bucket}", bucket)
            self.made("PUT", path + ("&id=one" if "id" in self.members(operation) else ""), BODIES[put].format(**words).encode())
        return words

    def members(self, operation):
        """The members in headers and query, by the names that requests have them under."""
        shape = self.model.operation_model(operation).input_shape
        return {} if shape is None else {
            member.serialization["name"] + ("a" if member.serialization["location"] == "headers" else ""): member
            for name, member in shape.members.items()
            if member.serialization.get("location") in ("header", "headers", "querystring")}

    def try_out(self, operation, members=None, change=lambda document: document, keys=ROOT):
        """Sends a valid request with further headers or parameters, and with a change of its document. Returns what can be seen of its
        effect."""
        words = self.prepared(operation)
        http = self.model.operation_model(operation).http
        shape = self.model.operation_model(operation).input_shape
        required = {shape.members[name].serialization.get("name") for name in shape.required_members} if shape else set()
        located = self.members(operation)
        values = {name: value for name, value in QUERY.items() if name in required} | NEEDED.get(operation, {})
        values = {name: value.format(**words) for name, value in (values | (members or {})).items()}
        target = {"CreateBucket": "made-" + words["bucket"], "ListBuckets": ""}.get(operation, words["bucket"])[:63].strip("-")
        key = "copy" if operation == "CopyObject" else "k"
        path = http["requestUri"].replace("{Bucket}", target).replace("{Key+}", key)
        query = {name for name, member in located.items() if member.serialization["location"] == "querystring"}
        for name in query & values.keys():
            path += ("&" if "?" in path else "?") + name + "=" + requests.utils.quote(values[name], safe="")
        headers = {name: value for name, value in values.items() if name not in query}
        if operation == "CreateBucket":
            self.send("DELETE", "/" + target)
        response = self.send(http["method"], path, change(BODIES.get(operation, "").format(**words)).encode(), headers, keys)
        return response.status_code, self.seen(response), self.effect(operation, target, key, http, response)

    def effect(self, operation, bucket, key, http, response):
        """What a request has stored."""
        if not response.ok or http["method"] not in ("PUT", "POST"):
            return ()
        if operation == "CreateMultipartUpload":
            upload = re.search("<UploadId>(.*?)<", response.text)[1]
            etag = self.made("PUT", f"/{bucket}/k?partNumber=1&uploadId={upload}", b"01,3456789").headers["ETag"].strip('"')
            document = BODIES["CompleteMultipartUpload"].format(etag=etag)
            self.made("POST", f"/{bucket}/k?uploadId={upload}", document.encode())
        if "{Key" in http["requestUri"]:
            sub = http["requestUri"].partition("?")[2]
            paths = [f"/{bucket}/{key}?{sub}"] if sub in ("acl", "tagging", "legal-hold", "retention") else []
            return tuple(self.seen(self.send(*request)) for request in [("HEAD", f"/{bucket}/{key}"), *(("GET", path) for path in paths)])
        if operation == "CreateBucket":
            return tuple(self.seen(self.send("GET", f"/{bucket}?{sub}")) for sub in ("object-lock", "tagging", "location"))
        path = http["requestUri"].replace("{Bucket}", bucket)
        return (self.seen(self.send("GET", path + ("&id=one" if "id" in self.members(operation) else ""))),)

    def seen(self, response):
        """A response without what differs each time."""
        volatile = {"date", "x-amz-request-id", "x-amz-id-2", "last-modified", "x-amz-version-id", "content-length"}
        headers = sorted((name.lower(), value) for name, value in response.headers.items() if name.lower() not in volatile)
        text = response.content.decode(errors="replace")
        names = "RequestId|HostId|UploadId|LastModified|CreationDate|Initiated|VersionId"
        return response.status_code, headers, re.sub(rf"<({names})>[^<]*<", r"<\1><", text)
