import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// DeleteObject. Succeeds even if the object does not exist.
    func deleteObject(_ key: String, in bucket: Bucket) async throws -> Response {
        let version = try version(of: key)
        try authorize(version.isCurrent ? .deleteObject : .deleteObjectVersion, on: bucket, key: key)
        try refuseRetained(key, in: bucket)
        let terms = deletionTerms(in: bucket, bypassingGovernance: try bypassesGovernance(key, in: bucket))
        let deletion: Deletion
        do {
            deletion = try await changes(in: bucket).delete(KeyDeletion(key: key, version: version.selector), on: terms)
        } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
        var fields: HTTPFields = [:]
        if let done = deletion.version {
            fields.append(HTTPField(name: .ossVersionID, value: OSSVersionID.text(done, of: key)))
        } else if let text = version.text {
            fields.append(HTTPField(name: .ossVersionID, value: text))
        }
        if deletion.isDeleteMarker { fields.append(HTTPField(name: .ossDeleteMarker, value: "true")) }
        return answer(.noContent, fields)
    }

    /// Returns the conditions under which objects in a bucket can be deleted. They are checked in the transaction.
    func deletionTerms(in bucket: Bucket, bypassingGovernance bypasses: Bool) -> DeletionTerms {
        changes(in: bucket).deletionTerms(markersOf: bucket.owner, bypassingGovernance: bypasses)
    }
}
