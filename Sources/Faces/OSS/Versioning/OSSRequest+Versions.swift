import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Returns the object that was found under a key or version, or throws the error for what was found instead.
    /// - Parameters:
    ///   - version: the requested version.
    /// - Throws: `NoSuchKey`, `NoSuchVersion`; `MethodNotAllowed` for a delete marker whose version is requested.
    func object<Object>(_ found: Found<Object>, _ key: String, _ version: NamedVersion) throws(OSSError) -> Object {
        switch found {
        case .object(let object): return object
        case .nothing: throw absence(of: key, version)
        case .deleteMarker(let marker, _): throw deletion(of: key, version, marker)
        }
    }

    /// Returns the error for a missing key or version.
    func absence(of key: String, _ version: NamedVersion) -> OSSError {
        version.text.map { .noSuchVersion(key, $0) } ?? .noSuchKey(key)
    }

    /// Returns the error for a key or version that is a delete marker.
    func deletion(of key: String, _ version: NamedVersion, _ marker: ObjectVersion) -> OSSError {
        var error = version.isCurrent ? OSSError.noSuchKey(key) : .methodNotAllowed(call.method, on: "DeleteMarker")
        // (OSS User Guide, "Delete markers".)
        error.fields.append(HTTPField(name: .ossDeleteMarker, value: "true"))
        error.fields.append(HTTPField(name: .ossVersionID, value: OSSVersionID.text(marker, of: key)))
        return error
    }

    /// Returns the record of the object or version that the request names, after checking the permission.
    /// - Parameters:
    ///   - action: the required action.
    ///   - versionAction: the required action if the request names a version.
    func headedObject(
        _ key: String, in bucket: Bucket, asking action: OSSAction, ofVersion versionAction: OSSAction
    ) throws(OSSError) -> (record: ObjectRecord, version: VersionSelector) {
        let version = try version(of: key)
        let found: Found<ObjectRecord>
        do { found = try objects.head(key, version: version.selector, in: bucket.id) } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
        try authorize(version.isCurrent ? action : versionAction, on: bucket, key: key, object: found.object)
        return (try object(found, key, version), version.selector)
    }

    /// Changes the record of the object, or of the version of it, that the request names.
    /// - Parameter event: the event that is sent; nil for a change without an event.
    func change(
        _ key: String, _ version: VersionSelector, in bucket: Bucket, as event: EventName? = nil,
        _ change: @escaping @Sendable (inout ObjectRecord) throws(ObjectStoreError) -> Void
    ) async throws(OSSError) -> ObjectRecord {
        do { return try await changes(in: bucket).update(key, version: version, as: event, change) } catch {
            throw OSSError(error, bucket: bucket.name, key: key)
        }
    }

    /// Returns `x-oss-version-id` of an existing object, unless versioning was never enabled.
    func versionFields(_ record: ObjectRecord, in bucket: Bucket) -> HTTPFields {
        if record.version.isNull, bucket.configuration.versioning == .never { return [:] }
        return [.ossVersionID: OSSVersionID.text(record.version, of: record.key)]
    }
}
