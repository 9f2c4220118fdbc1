import Cloud
import Exchange
import HTTPTypes
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
    /// - Parameter version: as the query names it.
    /// - Throws: `NoSuchKey`, `NoSuchVersion`; `MethodNotAllowed` for a delete marker that the query names; `AccessDenied` for
    ///   a caller who may not know which of them it is.
    func object<Object>(
        _ found: Found<Object>, _ address: ObjectAddress, _ version: VersionSelector, in bucket: Bucket
    ) throws(S3Error) -> Object {
        switch found {
        case .object(let object): return object
        case .nothing:
            throw missing(address.key, version == .current ? nil : query["versionId"], in: bucket)
        case .deleteMarker(let marker, let modified):
            throw deleted(address.key, marker, modified, isNamed: version != .current, in: bucket)
        }
    }

    /// What to tell a caller who asks for an object or a version that is not there.
    /// - Parameter version: the version that the request names.
    func missing(_ key: String, _ version: String?, in bucket: Bucket) -> S3Error {
        let error = missing(key, in: bucket)
        guard error.code == .noSuchKey, let version else { return error }
        return .noSuchVersion(key, version)
    }

    /// What to tell a caller who asks for an object and meets a delete marker.
    /// (S3 User Guide, "Working with delete markers".)
    /// - Parameter isNamed: whether the request names the marker, rather than the key that it hides.
    func deleted(
        _ key: String, _ marker: ObjectVersion, _ modified: Timestamp, isNamed: Bool, in bucket: Bucket
    ) -> S3Error {
        var error: S3Error
        if isNamed {
            error = .methodNotAllowed(exchange.method, on: "DeleteMarker", allowed: [.delete])
            error.fields.append(HTTPField(name: .lastModified, value: clock.effective(modified).httpDate))
        } else {
            error = missing(key, in: bucket)
        }
        error.fields.append(HTTPField(name: .deleteMarker, value: "true"))
        error.fields.append(HTTPField(name: .versionID, value: VersionID.text(marker, of: key)))
        return error
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
