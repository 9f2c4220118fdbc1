import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// Returns the version of an object that the query names; the current one if it names none.
    /// - Throws: `InvalidArgument` for an invalid version ID.
    func version(of key: String) throws(S3Error) -> NamedVersion {
        guard !query.fields.isEmpty, let text = query["versionId"] else { return .current }
        guard !text.isEmpty else { throw .emptyVersionID }
        return try NamedVersion(s3: text, of: key)
    }
}

extension S3Request {
    /// Refuses a version of a bucket, for the operations with which S3 does it once the bucket is found.
    func refuseVersionOfBucket() throws(S3Error) {
        if dialect == .aws, let text = query["versionId"] { throw .invalidVersionID(text) }
    }
}

extension NamedVersion {
    /// Parses a version ID of S3; `nil` names the current version.
    /// - Throws: `InvalidArgument` for an invalid version ID.
    init(s3 text: String?, of key: String) throws(S3Error) {
        guard let text else {
            self = .current
            return
        }
        guard let selector = VersionID.selector(text, of: key) else { throw .invalidVersionID(text) }
        self.init(selector, text: text)
    }
}
