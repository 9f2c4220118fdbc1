import Calls
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
        var text = path
        let (rawBucket, rawKey) = text.withUTF8 { bytes in
            let start = min(1, bytes.count)
            let end = bucketFromHost == nil ? bytes.place(of: UInt8(ascii: "/"), from: start) : start
            let key = bucketFromHost == nil ? min(end + 1, bytes.count) : start
            return (decoded(bytes[start..<end]), decoded(bytes[key...]))
        }
        if bucketFromHost == nil, rawBucket?.isEmpty == true, rawKey?.isEmpty == true { return (nil, nil) }
        guard let bucket = bucketFromHost ?? rawBucket, let key = rawKey else {
            throw S3Error(.invalidURI, nil, ["URI": path])
        }
        guard isPlausible(bucketName: bucket) else { throw S3Error(.invalidBucketName, nil, ["BucketName": bucket]) }
        return (bucket, key.isEmpty ? nil : key)
    }

    private static func decoded(_ raw: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        let raw = UnsafeBufferPointer(rebasing: raw)
        let text = String(decoding: raw, as: UTF8.self)
        return raw.place(of: UInt8(ascii: "%"), from: 0) == raw.count ? text : percentDecoded(text[...])
    }

    /// Whether a bucket with this name can exist under the current rules or the older ones of us-east-1.
    static func isPlausible(bucketName: String) -> Bool {
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
        case .get: return .bucket(bucket, query["list-type"] == "2" ? .listObjectsV2 : .listObjects)
        case .head: return .bucket(bucket, .headBucket)
        case .put: return .bucket(bucket, .createBucket)
        case .delete: return .bucket(bucket, .deleteBucket)
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
        if let operation = S3DocumentOperation(method, on: subResource.name) { return .document(bucket, operation) }
        if let operation = ConfigurationOperation(method, on: subResource.name, hasID: query["id"] != nil) {
            return .configuration(bucket, operation)
        }
        if let operation = S3BucketOperation(rawValue: name) { return .bucket(bucket, operation) }
        return .unimplemented(name: name, subResource: subResource.name)
    }

    private static func operation(
        _ method: HTTPRequest.Method, _ address: ObjectAddress, _ query: FormFields, _ headers: HTTPFields
    ) throws(S3Error) -> S3Operation {
        switch method {
        case .get: return .object(address, .getObject)
        case .head: return .object(address, .headObject)
        case .put:
            if query["partNumber"] != nil {
                // S3 repeats the name of the parameter in place of its value.
                throw .invalidArgument(
                    "This operation does not accept partNumber without uploadId", name: "partNumber", value: "partNumber")
            }
            return .object(address, headers.has(.copySource) ? .copyObject : .putObject)
        case .delete: return .object(address, .deleteObject)
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
        guard let operation = S3ObjectOperation(rawValue: name) else { return .unimplemented(name: name, subResource: subResource.name) }
        let isCopy = operation == .uploadPart && headers.contains(.copySource)
        return .object(address, isCopy ? .uploadPartCopy : operation)
    }
}

extension Sequence<HTTPRequest.Method> {
    /// Returns the methods in alphabetical order, so that `Allow` is always the same.
    fileprivate func sorted() -> [HTTPRequest.Method] { sorted { $0.rawValue < $1.rawValue } }
}
