import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// Returns the object that was found under a key or version, or throws the error for what was found instead.
    /// - Parameters:
    ///   - version: the version in the query.
    ///   - action: the requested action.
    ///   - showsMarkers: whether a delete marker is reported even if the query does not name its version.
    /// - Throws: `NoSuchKey`, `NoSuchVersion`; `MethodNotAllowed` for a delete marker that is reported; `AccessDenied` for a caller who may
    ///   not know that the object is missing.
    func object<Object>(
        _ found: Found<Object>, _ address: ObjectAddress, _ version: NamedVersion, in bucket: Bucket,
        asking action: S3Action, showsMarkers: Bool = false
    ) throws(S3Error) -> Object {
        switch found {
        case .object(let object): return object
        case .nothing:
            throw absence(of: address.key, version: version.text, in: bucket, asking: action)
        case .deleteMarker(let marker, let modified):
            throw deletion(
                of: address.key, marker, modified: modified, isNamed: !version.isCurrent || showsMarkers, in: bucket, asking: action)
        }
    }

    /// Returns the error for a missing key or version.
    /// - Parameter version: as the client named it; `nil` for the current one.
    func absence(of key: String, version: String?, in bucket: Bucket, asking action: S3Action) -> S3Error {
        let error = missing(key, in: bucket, asking: action)
        guard error.code == .noSuchKey, let version else { return error }
        return .noSuchVersion(key, version)
    }

    /// Returns the error for a key or version that is a delete marker.
    /// - Parameter isNamed: whether the error says that the requested version is a delete marker.
    func deletion(
        of key: String, _ marker: ObjectVersion, modified: Timestamp, isNamed: Bool, in bucket: Bucket, asking action: S3Action
    ) -> S3Error {
        var error: S3Error
        if isNamed {
            do { try authorize(action, on: bucket, key: key) } catch { return error }
            error = S3Error.methodNotAllowed(call.method, on: "DeleteMarker", allowed: [.delete])
            error.fields.append(HTTPField(name: .lastModified, value: clock.effective(modified).httpDate))
        } else {
            error = missing(key, in: bucket, asking: action)
        }
        mark(&error, with: marker, of: key)
        return error
    }

    /// Appends the headers that describe the delete marker which caused an error. (S3 User Guide, "Working with delete markers".)
    private func mark(_ error: inout S3Error, with marker: ObjectVersion, of key: String) {
        error.fields.append(HTTPField(name: .deleteMarker, value: "true"))
        error.fields.append(HTTPField(name: .versionID, value: VersionID.text(marker, of: key)))
    }

    /// Appends `x-amz-version-id` to a response about an existing object, unless versioning was never enabled.
    func append(_ version: ObjectVersion, of key: String, in bucket: Bucket, to fields: inout HTTPFields) {
        if version.isNull, bucket.configuration.versioning == .never { return }
        fields.append(HTTPField(name: .versionID, value: VersionID.text(version, of: key)))
    }

    /// Appends `x-amz-version-id` to the response of a write, unless it wrote the null version.
    func append(written version: ObjectVersion, of key: String, to fields: inout HTTPFields) {
        if version.isNull { return }
        fields.append(HTTPField(name: .versionID, value: VersionID.text(version, of: key)))
    }
}
