import Cloud
import HummingbirdCore
import WireFormats

/// The document that DeleteObjects takes.
struct DeleteRequest: Equatable {
    struct Object: Equatable {
        var key: String
        var version: String?
        /// As sent; the object must have it.
        var entityTag: String?
    }

    /// One to 1,000, in the client's order.
    var objects: [Object]
    /// Leaves successes out of the answer.
    var isQuiet: Bool

    /// - Throws: `MalformedXML`, `KeyTooLongError`, and `NotImplemented` for conditions that directory buckets have.
    init(_ element: XMLElement) throws(S3Error) {
        objects = []
        isQuiet = false
        for child in element.children {
            switch child.name {
            case "Object": objects.append(try Object(child))
            case "Quiet":
                guard child.text == "true" || child.text == "false" else { throw S3Error(.malformedXML) }
                isQuiet = child.text == "true"
            default: throw S3Error(.malformedXML)
            }
        }
        guard (1...1000).contains(objects.count) else { throw S3Error(.malformedXML) }
    }
}

extension DeleteRequest.Object {
    init(_ element: XMLElement) throws(S3Error) {
        var key: String?
        for child in element.children {
            switch child.name {
            case "Key": key = child.text
            case "VersionId": version = child.text
            case "ETag": entityTag = child.text
            case "LastModifiedTime", "Size": throw .notImplemented(header: child.name)
            default: throw S3Error(.malformedXML)
            }
        }
        guard let key, !key.isEmpty else { throw S3Error(.malformedXML) }
        guard key.utf8.count <= 1024 else {
            throw S3Error(.keyTooLong, nil, ["Size": String(key.utf8.count), "MaxSizeAllowed": "1024"])
        }
        self.key = key
    }
}

extension S3Request {
    /// A thousand keys of 1,024 bytes, every one of them escaped, and what stands around them.
    private static let deletionLimit = 8 << 20

    /// DeleteObjects: each key is asked for and answered on its own.
    func deleteObjects(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try checkDeletionHeaders()
        let declaration = try declaredBody()
        guard declaration.md5 != nil || declaration.checksum != .none else {
            throw S3Error(.invalidRequest, "Missing required header for this request: Content-MD5 OR x-amz-checksum-*")
        }
        let deletion = try DeleteRequest(
            try xml("Delete", try await document(upTo: Self.deletionLimit, declaration)))
        var refusals: [Int: S3Error] = [:]
        for (index, object) in deletion.objects.enumerated() {
            do { try check(object, in: bucket) } catch { refusals[index] = error }
        }
        let deletions = deletion.objects.enumerated().filter { refusals[$0.offset] == nil }.map { KeyDeletion(key: $0.element.key) }
        do {
            _ = try await objects.delete(
                deletions, in: bucket.id, on: DeletionTerms(modified: clock.now, owner: bucket.account))
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
        return answer(root: "DeleteResult") { xml in
            for (index, object) in deletion.objects.enumerated() {
                if let refusal = refusals[index] {
                    xml.element("Error") { xml in
                        xml.element("Key", object.key)
                        if let version = object.version { xml.element("VersionId", version) }
                        xml.element("Code", refusal.code.rawValue)
                        xml.element("Message", refusal.message)
                    }
                } else if !deletion.isQuiet {
                    xml.element("Deleted") { xml in
                        xml.element("Key", object.key)
                        if let version = object.version { xml.element("VersionId", version) }
                    }
                }
            }
        }
    }

    private func check(_ object: DeleteRequest.Object, in bucket: Bucket) throws(S3Error) {
        try authorize(object.version == nil ? .deleteObject : .deleteObjectVersion, on: bucket, key: object.key)
        if let version = object.version, version != "null" {
            throw S3Error(.noSuchVersion, nil, ["Key": object.key, "VersionId": version])
        }
        guard let tag = object.entityTag else { return }
        let found: Found<ObjectRecord>
        do { found = try objects.head(object.key, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: object.key)
        }
        guard case .object(let record) = found else { throw .noSuchKey(object.key) }
        guard ReadConditions.matches(tag, record.entityTag) else { throw .preconditionFailed("If-Match") }
    }
}
