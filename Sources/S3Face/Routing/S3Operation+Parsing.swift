import HTTPTypes
import WireFormats

extension S3Operation {
    /// Determines the operation from method, raw path, query and two headers. Does not use any state.
    /// - Parameters:
    ///   - path: the percent-encoded path, with a leading slash.
    ///   - bucketFromHost: the bucket of a virtual-hosted request, in which the whole path is the key.
    /// - Throws: `InvalidURI`, `KeyTooLongError`, `InvalidArgument` for contradictory sub-resources, `MethodNotAllowed`.
    init(
        method: HTTPRequest.Method, path: String, query: FormFields, headers: HTTPFields, bucketFromHost: String?
    ) throws(S3Error) {
        let address = try Self.address(path: path, bucketFromHost: bucketFromHost)
        try self.init(method: method, address: address, query: query, headers: headers)
    }

    /// Determines the operation for a parsed bucket and key.
    init(
        method: HTTPRequest.Method, address: (bucket: String?, key: String?), query: FormFields, headers: HTTPFields
    ) throws(S3Error) {
        let (bucket, key) = address
        guard let bucket else {
            guard method == .get else { throw .methodNotAllowed(method, on: "SERVICE", allowed: [.get]) }
            self = .listBuckets
            return
        }
        if method == .options {
            self = .preflight(bucket, isObject: key != nil)
            return
        }
        let subResource = try Self.subResource(in: query)
        if let key {
            guard key.utf8.count <= 1024 else {
                throw S3Error(.keyTooLong, nil, ["Size": String(key.utf8.count), "MaxSizeAllowed": "1024"])
            }
            let address = ObjectAddress(bucket: bucket, key: key)
            if let subResource {
                self = try Self.operation(method, subResource, address, headers)
            } else {
                self = try Self.operation(method, address, query, headers)
            }
        } else if let subResource {
            self = try Self.operation(method, subResource, bucket, query)
        } else {
            self = try Self.operation(method, bucket, query, headers)
        }
    }

    /// Splits and decodes the path. A bucket with a trailing slash and no key is the bucket itself.
    static func address(path: String, bucketFromHost: String?) throws(S3Error) -> (bucket: String?, key: String?) {
        let rest = path.utf8.dropFirst()
        let rawBucket: Substring.UTF8View
        let rawKey: Substring.UTF8View
        if bucketFromHost != nil {
            (rawBucket, rawKey) = (rest.prefix(0), rest)
        } else {
            rawBucket = rest.prefix { $0 != UInt8(ascii: "/") }
            rawKey = rest.dropFirst(rawBucket.count + 1)
            if rawBucket.isEmpty && rawKey.isEmpty { return (nil, nil) }
        }
        guard let bucket = bucketFromHost ?? decoded(rawBucket), let key = decoded(rawKey) else {
            throw S3Error(.invalidURI, nil, ["URI": path])
        }
        guard isPlausible(bucketName: bucket) else { throw S3Error(.invalidBucketName, nil, ["BucketName": bucket]) }
        return (bucket, key.isEmpty ? nil : key)
    }

    private static func decoded(_ raw: Substring.UTF8View) -> String? {
        raw.contains(UInt8(ascii: "%")) ? percentDecoded(Substring(raw)) : String(Substring(raw))
    }

    /// Whether a bucket with this name can exist under the current rules or the older ones of us-east-1.
    private static func isPlausible(bucketName: String) -> Bool {
        (3...255).contains(bucketName.utf8.count)
            && bucketName.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    private static func subResource(in query: FormFields) throws(S3Error) -> SubResource? {
        var found: SubResource?
        for field in query.fields {
            guard let next = SubResource.byName[field.name], next.name != found?.name else { continue }
            if let found {
                throw .invalidArgument(
                    "Conflicting query string parameters: \(found.name), \(next.name)", name: "ResourceType", value: found.name)
            }
            found = next
        }
        return found
    }

    private static func operation(
        _ method: HTTPRequest.Method, _ bucket: String, _ query: FormFields, _ headers: HTTPFields
    ) throws(S3Error) -> S3Operation {
        switch method {
        case .get: return query["list-type"] == "2" ? .listObjectsV2(bucket) : .listObjects(bucket)
        case .head: return .headBucket(bucket)
        case .put: return .createBucket(bucket)
        case .delete: return .deleteBucket(bucket)
        case .post:
            guard headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") == true else {
                throw .preconditionFailed("Bucket POST must be of the enclosure-type multipart/form-data")
            }
            return .postObject(bucket)
        default: throw .methodNotAllowed(method, on: "BUCKET", allowed: [.get, .head, .put, .delete])
        }
    }

    private static func operation(
        _ method: HTTPRequest.Method, _ subResource: SubResource, _ bucket: String, _ query: FormFields
    ) throws(S3Error) -> S3Operation {
        guard let name = subResource.bucket[method] else {
            throw .methodNotAllowed(method, on: subResource.resourceType, allowed: subResource.bucket.keys.sorted())
        }
        if let operation = ConfigurationOperation(named: name, hasID: query["id"] != nil) { return .configuration(bucket, operation) }
        return switch name {
        case "GetBucketLocation": .getBucketLocation(bucket)
        case "GetBucketPolicy": .getBucketPolicy(bucket)
        case "PutBucketPolicy": .putBucketPolicy(bucket)
        case "DeleteBucketPolicy": .deleteBucketPolicy(bucket)
        case "ListMultipartUploads": .listMultipartUploads(bucket)
        case "DeleteObjects": .deleteObjects(bucket)
        case "GetBucketAcl": .getBucketAcl(bucket)
        case "PutBucketAcl": .putBucketAcl(bucket)
        case "GetBucketOwnershipControls": .getBucketOwnershipControls(bucket)
        case "PutBucketOwnershipControls": .putBucketOwnershipControls(bucket)
        case "DeleteBucketOwnershipControls": .deleteBucketOwnershipControls(bucket)
        case "GetPublicAccessBlock": .getPublicAccessBlock(bucket)
        case "PutPublicAccessBlock": .putPublicAccessBlock(bucket)
        case "DeletePublicAccessBlock": .deletePublicAccessBlock(bucket)
        case "GetBucketPolicyStatus": .getBucketPolicyStatus(bucket)
        case "GetBucketVersioning": .getBucketVersioning(bucket)
        case "PutBucketVersioning": .putBucketVersioning(bucket)
        case "ListObjectVersions": .listObjectVersions(bucket)
        case "GetObjectLockConfiguration": .getObjectLockConfiguration(bucket)
        case "PutObjectLockConfiguration": .putObjectLockConfiguration(bucket)
        case "GetBucketTagging": .getBucketTagging(bucket)
        case "PutBucketTagging": .putBucketTagging(bucket)
        case "DeleteBucketTagging": .deleteBucketTagging(bucket)
        case "GetBucketEncryption": .getBucketEncryption(bucket)
        case "PutBucketEncryption": .putBucketEncryption(bucket)
        case "DeleteBucketEncryption": .deleteBucketEncryption(bucket)
        case "GetBucketCors": .getBucketCors(bucket)
        case "PutBucketCors": .putBucketCors(bucket)
        case "DeleteBucketCors": .deleteBucketCors(bucket)
        case "GetBucketLifecycleConfiguration": .getBucketLifecycleConfiguration(bucket)
        case "PutBucketLifecycleConfiguration": .putBucketLifecycleConfiguration(bucket)
        case "DeleteBucketLifecycle": .deleteBucketLifecycle(bucket)
        case "GetBucketWebsite": .getBucketWebsite(bucket)
        case "PutBucketWebsite": .putBucketWebsite(bucket)
        case "DeleteBucketWebsite": .deleteBucketWebsite(bucket)
        case "GetBucketNotificationConfiguration": .getBucketNotificationConfiguration(bucket)
        case "PutBucketNotificationConfiguration": .putBucketNotificationConfiguration(bucket)
        case "GetBucketLogging": .getBucketLogging(bucket)
        case "PutBucketLogging": .putBucketLogging(bucket)
        case "GetBucketRequestPayment": .getBucketRequestPayment(bucket)
        case "PutBucketRequestPayment": .putBucketRequestPayment(bucket)
        case "GetBucketAccelerateConfiguration": .getBucketAccelerateConfiguration(bucket)
        case "PutBucketAccelerateConfiguration": .putBucketAccelerateConfiguration(bucket)
        case "GetBucketReplication": .getBucketReplication(bucket)
        case "PutBucketReplication": .putBucketReplication(bucket)
        case "DeleteBucketReplication": .deleteBucketReplication(bucket)
        default: .unimplemented(name: name, subResource: subResource.name)
        }
    }

    private static func operation(
        _ method: HTTPRequest.Method, _ address: ObjectAddress, _ query: FormFields, _ headers: HTTPFields
    ) throws(S3Error) -> S3Operation {
        switch method {
        case .get: return .getObject(address)
        case .head: return .headObject(address)
        case .put:
            if let number = query["partNumber"] {
                throw .invalidArgument(
                    "This operation does not accept partNumber without uploadId", name: "partNumber", value: number)
            }
            return headers.contains(.copySource) ? .copyObject(address) : .putObject(address)
        case .delete: return .deleteObject(address)
        default: throw .methodNotAllowed(method, on: "OBJECT", allowed: [.get, .head, .put, .delete])
        }
    }

    private static func operation(
        _ method: HTTPRequest.Method, _ subResource: SubResource, _ address: ObjectAddress, _ headers: HTTPFields
    ) throws(S3Error) -> S3Operation {
        guard !subResource.object.isEmpty else {
            throw S3Error(.invalidRequest, "There is no such thing as the ?\(subResource.name) sub-resource for a key")
        }
        if method == .get, subResource.name == "uploads" {
            throw S3Error(.invalidRequest, "Key is not expected for the GET method ?uploads subresource")
        }
        guard let name = subResource.object[method] else {
            throw .methodNotAllowed(method, on: subResource.resourceType, allowed: subResource.object.keys.sorted())
        }
        return switch name {
        case "CreateMultipartUpload": .createMultipartUpload(address)
        case "UploadPart": headers.contains(.copySource) ? .uploadPartCopy(address) : .uploadPart(address)
        case "CompleteMultipartUpload": .completeMultipartUpload(address)
        case "AbortMultipartUpload": .abortMultipartUpload(address)
        case "ListParts": .listParts(address)
        case "GetObjectAcl": .getObjectAcl(address)
        case "PutObjectAcl": .putObjectAcl(address)
        case "GetObjectRetention": .getObjectRetention(address)
        case "PutObjectRetention": .putObjectRetention(address)
        case "GetObjectLegalHold": .getObjectLegalHold(address)
        case "PutObjectLegalHold": .putObjectLegalHold(address)
        case "GetObjectTagging": .getObjectTagging(address)
        case "PutObjectTagging": .putObjectTagging(address)
        case "DeleteObjectTagging": .deleteObjectTagging(address)
        case "GetObjectAttributes": .getObjectAttributes(address)
        case "RestoreObject": .restoreObject(address)
        case "UpdateObjectEncryption": .updateObjectEncryption(address)
        case "SelectObjectContent": .selectObjectContent(address)
        default: .unimplemented(name: name, subResource: subResource.name)
        }
    }
}

extension Sequence<HTTPRequest.Method> {
    /// Returns the methods in alphabetical order, so that `Allow` is always the same.
    fileprivate func sorted() -> [HTTPRequest.Method] { sorted { $0.rawValue < $1.rawValue } }
}
