import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The document of a DeleteObjects request.
struct DeleteRequest: Equatable {
    struct Object: Equatable {
        var key: String
        var version: String?
        /// The expected ETag, as sent.
        var entityTag: String?
    }

    /// 1 to 1,000 objects in the client's order.
    var objects: [Object]
    /// Whether the response omits successful deletions.
    var isQuiet: Bool

    /// Parses the document.
    /// - Throws: `MalformedXML`, `KeyTooLongError`, and `NotImplemented` for conditions that only directory buckets support.
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
    /// The maximum size of the document in bytes: a thousand keys of 1,024 escaped bytes and the enclosing elements.
    private static let deletionLimit = 8 << 20

    /// DeleteObjects. Each key is authorized and reported separately.
    func deleteObjects(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        let bypasses = try asksToBypassGovernance(in: bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let request = try DeleteRequest(
            try xml("Delete", try await document(upTo: Self.deletionLimit, declaration)))
        var outcomes: [Result<Deletion, S3Error>?] = Array(repeating: nil, count: request.objects.count)
        var deletions: [(index: Int, deletion: KeyDeletion)] = []
        for (index, object) in request.objects.enumerated() {
            do {
                deletions.append((index, try deletion(of: object, in: bucket)))
            } catch {
                outcomes[index] = .failure(error)
            }
        }
        do {
            let done = try await changes(in: bucket).delete(
                deletions.map(\.deletion), on: deletionTerms(in: bucket, bypassingGovernance: bypasses))
            for ((index, deletion), outcome) in zip(deletions, done) {
                outcomes[index] = outcome.mapError { S3Error($0, bucket: bucket.name, key: deletion.key) }
            }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
        return answer(root: "DeleteResult") { xml in
            for (object, outcome) in zip(request.objects, outcomes) {
                switch outcome {
                case .success(let deletion)?:
                    if !request.isQuiet { encode(deletion, of: object, into: &xml) }
                case .failure(let refusal)?: encode(refusal, of: object, into: &xml)
                case nil: break
                }
            }
        }
    }

    /// Returns the deletion for one object of the request, after checking the permission.
    private func deletion(of object: DeleteRequest.Object, in bucket: Bucket) throws(S3Error) -> KeyDeletion {
        let isVersion = object.version?.isEmpty == false
        try authorize(isVersion ? .deleteObjectVersion : .deleteObject, on: bucket, key: object.key)
        var version = VersionSelector.current
        if isVersion, let text = object.version {
            guard let named = VersionID.selector(text, of: object.key) else { throw .noSuchVersion(object.key, text) }
            version = named
            _ = try bypassesGovernance(object.key, in: bucket)
        }
        let condition = object.entityTag.map(Precondition.init(ifMatch:)) ?? .none
        try authorizeRead(of: object.key, for: condition, in: bucket)
        return KeyDeletion(key: object.key, version: version, if: condition)
    }

    private func encode(_ deletion: Deletion, of object: DeleteRequest.Object, into xml: inout XMLWriter) {
        xml.element("Deleted") { xml in
            xml.element("Key", object.key)
            if let version = object.version { xml.element("VersionId", version) }
            if deletion.isDeleteMarker, let version = deletion.version {
                xml.element("DeleteMarker", true)
                xml.element("DeleteMarkerVersionId", VersionID.text(version, of: object.key))
            }
        }
    }

    private func encode(_ refusal: S3Error, of object: DeleteRequest.Object, into xml: inout XMLWriter) {
        xml.element("Error") { xml in
            xml.element("Key", object.key)
            if let version = object.version { xml.element("VersionId", version) }
            xml.element("Code", refusal.code.rawValue)
            xml.element("Message", refusal.message)
        }
    }
}
