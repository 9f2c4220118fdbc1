import Calls
import Cloud
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
        let resource = try Self.resource(method, query, isOfKey: key != nil)
        if let key {
            guard key.utf8.count <= 1024 else {
                throw S3Error(.keyTooLong, nil, ["Size": String(key.utf8.count), "MaxSizeAllowed": "1024"])
            }
            let address = ObjectAddress(bucket: bucket, key: key)
            if let (name, resource) = resource {
                let answer = try resource.answer(to: method)
                self =
                    if case .operation(let operation) = answer {
                        Self.operation(operation, name, address, headers)
                    } else {
                        Self.operation(answer, name, method, bucket, query)
                    }
            } else {
                self = try Self.operation(method, address, query, headers)
            }
        } else if let (name, resource) = resource {
            self = Self.operation(try resource.answer(to: method), name, method, bucket, query)
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

    /// Returns the sub-resource that the query selects at the path of a bucket or a key; `nil` if it selects none.
    /// - Throws: `InvalidArgument` for several sub-resources and for parameters that they do not have, `InvalidRequest` for a part of a bucket.
    private static func resource(
        _ method: HTTPRequest.Method, _ query: FormFields, isOfKey: Bool
    ) throws(S3Error) -> (name: String, resource: SubResource.Resource)? {
        if query.fields.isEmpty { return nil }
        var found: [(name: String, resource: SubResource.Resource)] = []
        for field in query.fields {
            guard let resource = SubResource.byName[field.name]?.resource(isOfKey: isOfKey),
                !resource.isOfDirectoryBuckets || resource.answers[method] != nil, !found.contains(where: { $0.name == field.name })
            else { continue }
            found.append((field.name, resource))
        }
        if isOfKey, found.isEmpty { return nil }
        if query["partNumber"] != nil {
            guard let first = found.first else { throw .noKey }
            if found.count == 1, first.name == "uploadId" {
                found[0].resource = (isOfKey ? SubResource.part.object : SubResource.part.bucket) ?? first.resource
            } else {
                found.append(("partNumber", first.resource))
            }
        }
        if found.count > 1 {
            let names = found.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            throw .invalidArgument(
                "Conflicting query string parameters: \(names.joined(separator: ", "))", name: "ResourceType", value: names[0])
        }
        if let value = query["website"], !value.isEmpty {
            throw .invalidArgument("The website parameter must not have a value", name: "website", value: value)
        }
        return found.first
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
        default: throw .methodNotAllowed(method, on: "BUCKET", allowed: [.get, .head, .put, .post, .delete])
        }
    }

    /// Returns the operation on a bucket, or the refused one.
    private static func operation(
        _ answer: SubResource.Answer, _ subResource: String, _ method: HTTPRequest.Method, _ bucket: String, _ query: FormFields
    ) -> S3Operation {
        if case .refused(let name, let refusal) = answer { return .refused(name: name, bucket: bucket, refusal) }
        if let operation = S3DocumentOperation(method, on: subResource) { return .document(bucket, operation) }
        if let operation = ConfigurationOperation(method, on: subResource, hasID: query["id"] != nil) {
            return .configuration(bucket, operation)
        }
        if let operation = S3BucketOperation(rawValue: answer.name) { return .bucket(bucket, operation) }
        return .unimplemented(name: answer.name, subResource: subResource)
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

    /// Returns the operation on an object with a name.
    private static func operation(
        _ name: String, _ subResource: String, _ address: ObjectAddress, _ headers: HTTPFields
    ) -> S3Operation {
        guard let operation = S3ObjectOperation(rawValue: name) else { return .unimplemented(name: name, subResource: subResource) }
        let isCopy = operation == .uploadPart && headers.contains(.copySource)
        return .object(address, isCopy ? .uploadPartCopy : operation)
    }
}
