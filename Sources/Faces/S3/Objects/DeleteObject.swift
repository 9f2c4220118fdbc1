import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// DeleteObject. Succeeds even if the object does not exist.
    func deleteObject(_ address: ObjectAddress) async throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        let version = try version(of: address.key)
        try authorize(version.isCurrent ? .deleteObject : .deleteObjectVersion, on: bucket, key: address.key)
        let input = try input(DeleteObjectInput.self)
        try authorizeRead(of: address.key, for: input.condition, in: bucket)
        let bypasses = try bypassesGovernance(address.key, in: bucket)
        let deletion: Deletion
        do {
            deletion = try await changes(in: bucket).delete(
                KeyDeletion(key: address.key, version: version.selector, if: input.condition),
                on: deletionTerms(in: bucket, bypassingGovernance: bypasses))
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        var fields = HTTPFields()
        if deletion.isDeleteMarker { fields.append(HTTPField(name: .deleteMarker, value: "true")) }
        if let version = deletion.version {
            append(version, of: address.key, in: bucket, to: &fields)
        } else if case .sequence = version.selector, let text = version.text {
            // A version that is gone already has been deleted, too.
            fields.append(HTTPField(name: .versionID, value: text))
        }
        return answer(.noContent, fields)
    }

    /// Returns the conditions under which objects can be deleted, and the owner of new delete markers.
    func deletionTerms(in bucket: Bucket, bypassingGovernance bypasses: Bool) -> DeletionTerms {
        let owner = bucket.ignoresLists ? bucket.account : caller.account ?? bucket.account
        return changes(in: bucket).deletionTerms(markersOf: owner, bypassingGovernance: bypasses)
    }
}
