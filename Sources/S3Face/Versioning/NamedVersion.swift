import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// Returns the version of an object that the query names; the current one if it names none.
    /// - Throws: `InvalidArgument` for an invalid version ID.
    func version(of key: String) throws(S3Error) -> VersionSelector {
        guard !query.fields.isEmpty, let text = query["versionId"] else { return .current }
        guard !text.isEmpty else {
            throw .invalidArgument("Version id cannot be the empty string", name: "versionId", value: text)
        }
        guard let version = VersionID.selector(text, of: key) else { throw .invalidVersionID(text) }
        return version
    }

    /// Returns the object that was found under a key or version, or throws the error for what was found instead.
    /// - Parameters:
    ///   - version: the version in the query.
    ///   - action: the requested action.
    ///   - showsMarkers: whether a delete marker is reported even if the query does not name its version.
    /// - Throws: `NoSuchKey`, `NoSuchVersion`; `MethodNotAllowed` for a delete marker that is reported; `AccessDenied` for a caller who may
    ///   not know that the object is missing.
    func object<Object>(
        _ found: Found<Object>, _ address: ObjectAddress, _ version: VersionSelector, in bucket: Bucket,
        asking action: S3Action, showsMarkers: Bool = false
    ) throws(S3Error) -> Object {
        switch found {
        case .object(let object): return object
        case .nothing:
            let error = missing(address.key, in: bucket, asking: action)
            guard error.code == .noSuchKey, version != .current else { throw error }
            throw .noSuchVersion(address.key, query["versionId"] ?? "")
        case .deleteMarker(let marker, let modified):
            guard version != .current || showsMarkers else {
                var error = missing(address.key, in: bucket, asking: action)
                mark(&error, with: marker, of: address.key)
                throw error
            }
            try authorize(action, on: bucket, key: address.key)
            var error = S3Error.methodNotAllowed(call.method, on: "DeleteMarker", allowed: [.delete])
            error.fields.append(HTTPField(name: .lastModified, value: clock.effective(modified).httpDate))
            mark(&error, with: marker, of: address.key)
            throw error
        }
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
