import Cloud
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// Returns the object, or the version of it, that the request names, after checking the caller's permission.
    ///
    /// For operations on an object's properties. They report a delete marker even if the request does not name its version, except for
    /// GetObjectAcl, which reports a missing key.
    /// - Parameters:
    ///   - versionAction: the required action if the request names a version.
    ///   - keys: condition keys that only the operation knows.
    /// - Throws: `NoSuchKey`, `NoSuchVersion`, `MethodNotAllowed` for a delete marker, `AccessDenied`.
    func addressedObject(
        _ address: ObjectAddress, in bucket: Bucket, _ action: S3Action, ofVersion versionAction: S3Action? = nil,
        keys: [OperationKey] = []
    ) throws(S3Error) -> ObjectRecord {
        let version = try version(of: address.key)
        let action = version.isCurrent ? action : versionAction ?? action
        let found: Found<ObjectRecord>
        do { found = try objects.head(address.key, version: version.selector, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        let record = try object(found, address, version, in: bucket, asking: action, showsMarkers: action != .getObjectAcl)
        try authorize(action, on: bucket, object: record, keys: keys)
        return record
    }

    /// Changes the version that the request names. Its existence has been checked before.
    /// - Parameter event: the event that is sent; nil for a change without an event.
    @discardableResult
    func change(
        _ address: ObjectAddress, in bucket: Bucket, as event: EventName? = nil,
        _ change: @escaping @Sendable (inout ObjectRecord) throws(ObjectStoreError) -> Void
    ) async throws(S3Error) -> ObjectRecord {
        let version = try version(of: address.key)
        do {
            return try await changes(in: bucket).update(address.key, version: version.selector, as: event, change)
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
    }
}
