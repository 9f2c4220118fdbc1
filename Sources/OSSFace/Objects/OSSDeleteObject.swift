import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// DeleteObject. What is not there is deleted already.
    func deleteObject(_ key: String, in bucket: Bucket) async throws -> Response {
        let version = try version(of: key)
        try authorize(version == .current ? "oss:DeleteObject" : "oss:DeleteObjectVersion", on: bucket, key: key)
        try refuseRetained(key, in: bucket)
        let terms = deletionTerms(in: bucket, bypassingGovernance: try bypassesGovernance(key, in: bucket))
        let deletion: Deletion
        do {
            deletion = try await changes(in: bucket).delete(KeyDeletion(key: key, version: version), on: terms)
        } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
        var fields: HTTPFields = [:]
        if let done = deletion.version {
            fields.append(HTTPField(name: .ossVersionID, value: OSSVersionID.text(done, of: key)))
        } else if let text = query["versionId"] {
            fields.append(HTTPField(name: .ossVersionID, value: text))
        }
        if deletion.isDeleteMarker { fields.append(HTTPField(name: .ossDeleteMarker, value: "true")) }
        return answer(.noContent, fields)
    }

    /// What may stand in the way of deletions in a bucket, judged when they take effect.
    func deletionTerms(in bucket: Bucket, bypassingGovernance bypasses: Bool) -> DeletionTerms {
        changes(in: bucket).deletionTerms(markersOf: bucket.owner, bypassingGovernance: bypasses)
    }
}
