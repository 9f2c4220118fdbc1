package import RequestSigning

/// What a request to OSS is about, whatever its address looks like: names that have been decoded.
package struct OSSResource: Hashable, Sendable {
    package var bucket: String?
    package var key: String?

    package init(bucket: String?, key: String?) {
        self.bucket = bucket
        self.key = key
    }
}

extension Authenticator {
    /// Who made a request to OSS, if it is signed.
    package func authenticate(_ request: SignableRequest, resource: OSSResource) throws(AuthenticationError) -> Authenticated? { nil }
}
