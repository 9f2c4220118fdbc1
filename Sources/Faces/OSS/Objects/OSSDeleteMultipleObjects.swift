import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// The maximum size of the document in bytes: a thousand keys of 1,023 escaped bytes and the enclosing elements.
    private static let deletionLimit = 8 << 20

    /// DeleteMultipleObjects. Each key is authorized and deleted separately.
    func deleteMultipleObjects(in bucket: Bucket) async throws -> Response {
        if authenticated == nil { try authorize(.deleteObject, on: bucket) }
        let isEncoded = try input(DeleteMultipleObjectsInput.self).isEncoded
        let request = try OSSDeleteRequest(parsing: try await digestedDocument(upTo: Self.deletionLimit))
        var outcomes: [Result<Deletion, OSSError>?] = Array(repeating: nil, count: request.objects.count)
        var deletions: [(index: Int, deletion: KeyDeletion)] = []
        for (index, object) in request.objects.enumerated() {
            do { deletions.append((index, try deletion(of: object, in: bucket))) } catch { outcomes[index] = .failure(error) }
        }
        // Callers without permission to bypass the retention of a key were refused above.
        let terms = deletionTerms(in: bucket, bypassingGovernance: try input(GovernanceInput.self).bypasses)
        do {
            let done = try await changes(in: bucket).delete(deletions.map(\.deletion), on: terms)
            for ((index, deletion), outcome) in zip(deletions, done) {
                outcomes[index] = outcome.mapError { OSSError($0, bucket: bucket.name, key: deletion.key) }
            }
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
        if let refusal = Self.refusalOfAll(outcomes) { throw refusal }
        // (OSS API Reference, "DeleteMultipleObjects": in quiet mode OSS answers without a body.)
        guard !request.isQuiet else { return answer() }
        return answer(root: "DeleteResult", capacity: 128 * request.objects.count + 256) { xml in
            if isEncoded { xml.element("EncodingType", "url") }
            for (object, outcome) in zip(request.objects, outcomes) {
                if case .success(let deletion)? = outcome { encode(deletion, of: object, isEncoded: isEncoded, into: &xml) }
            }
        }
    }

    /// Returns the error of the response if no object could be deleted: the first one. The document has no elements for errors.
    private static func refusalOfAll(_ outcomes: [Result<Deletion, OSSError>?]) -> OSSError? {
        var first: OSSError?
        for outcome in outcomes {
            switch outcome {
            case .success?: return nil
            case .failure(let error)?: first = first ?? error
            case nil: break
            }
        }
        return first
    }

    private func deletion(of object: OSSDeleteRequest.Object, in bucket: Bucket) throws(OSSError) -> KeyDeletion {
        let version = try NamedVersion(oss: object.version, of: object.key)
        try authorize(version.isCurrent ? .deleteObject : .deleteObjectVersion, on: bucket, key: object.key)
        _ = try bypassesGovernance(object.key, in: bucket)
        try refuseRetained(object.key, in: bucket)
        return KeyDeletion(key: object.key, version: version.selector)
    }

    private func encode(_ deletion: Deletion, of object: OSSDeleteRequest.Object, isEncoded: Bool, into xml: inout XMLWriter) {
        xml.element("Deleted") { xml in
            xml.element("Key", isEncoded ? percentEncoded(object.key) : object.key)
            if let version = object.version { xml.element("VersionId", version) }
            if deletion.isDeleteMarker, let version = deletion.version {
                xml.element("DeleteMarker", true)
                xml.element("DeleteMarkerVersionId", OSSVersionID.text(version, of: object.key))
            }
        }
    }
}
