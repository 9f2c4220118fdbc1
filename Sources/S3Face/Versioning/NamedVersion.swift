import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// The version of an object that the query names; the current one where it names none.
    /// - Throws: `InvalidArgument` for a text that is no version ID.
    func version(of key: String) throws(S3Error) -> VersionSelector {
        guard !query.fields.isEmpty, let text = query["versionId"] else { return .current }
        guard !text.isEmpty else {
            throw .invalidArgument("Version id cannot be the empty string", name: "versionId", value: text)
        }
        guard let version = VersionID.selector(text, of: key) else { throw .invalidVersionID(text) }
        return version
    }

    /// Takes the object out of what a key or one of its versions leads to.
    /// - Parameters:
    ///   - version: as the query names it.
    ///   - action: what the caller asks for.
    ///   - showsMarkers: whether a delete marker is told from `nil` if the query does not name it.
    /// - Throws: `NoSuchKey`, `NoSuchVersion`; `MethodNotAllowed` for a delete marker that the query names; `AccessDenied` for
    ///   a caller who may not know which of them it is.
    func object<Object>(
        _ found: Found<Object>, _ address: ObjectAddress, _ version: VersionSelector, in bucket: Bucket,
        asking action: S3Action, showsMarkers: Bool = false
    ) throws(S3Error) -> Object {
        switch found {
        case .object(let object): return object
        case .nothing:
            throw absence(of: address.key, version: version == .current ? nil : query["versionId"] ?? "", in: bucket, asking: action)
        case .deleteMarker(let marker, let modified):
            throw deletion(
                of: address.key, marker, modified: modified, isNamed: version != .current || showsMarkers, in: bucket, asking: action)
        }
    }

    /// The error for a key or version that leads to nothing.
    /// - Parameter version: as the client named it; `nil` for the current one.
    func absence(of key: String, version: String?, in bucket: Bucket, asking action: S3Action) -> S3Error {
        let error = missing(key, in: bucket, asking: action)
        guard error.code == .noSuchKey, let version else { return error }
        return .noSuchVersion(key, version)
    }

    /// The error for a key or version that leads to a delete marker.
    /// - Parameter isNamed: whether the client is told that the marker is what it asked for.
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

    /// Lets a refusal tell of the delete marker that is its cause. (S3 User Guide, "Working with delete markers".)
    private func mark(_ error: inout S3Error, with marker: ObjectVersion, of key: String) {
        error.fields.append(HTTPField(name: .deleteMarker, value: "true"))
        error.fields.append(HTTPField(name: .versionID, value: VersionID.text(marker, of: key)))
    }

    /// Appends `x-amz-version-id` to an answer about an object that was there: buckets that never kept versions tell none.
    func append(_ version: ObjectVersion, of key: String, in bucket: Bucket, to fields: inout HTTPFields) {
        if version.isNull, bucket.configuration.versioning == .never { return }
        fields.append(HTTPField(name: .versionID, value: VersionID.text(version, of: key)))
    }

    /// Appends `x-amz-version-id` to the answer of a write, which tells it of a version that later writes will not replace.
    func append(written version: ObjectVersion, of key: String, to fields: inout HTTPFields) {
        if version.isNull { return }
        fields.append(HTTPField(name: .versionID, value: VersionID.text(version, of: key)))
    }
}
