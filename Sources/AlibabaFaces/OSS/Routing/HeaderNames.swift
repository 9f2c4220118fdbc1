import HTTPTypes

/// Header names that OSS adds to HTTP. (OSS API Reference, "Common HTTP headers" and the pages of the operations.)
extension HTTPField.Name {
    static let ossRequestID = oss("x-oss-request-id")
    static let ossServerTime = oss("x-oss-server-time")
    /// The number of a refusal's exact cause.
    static let ossErrorCode = oss("x-oss-ec")
    /// The error document in base 64, where an answer has no content.
    static let ossErrorDocument = oss("x-oss-err")
    /// The same, as the SDK for Swift looks for it.
    static let ossErrorDocumentOfSwift = oss("x-oss-error")
    static let ossACL = oss("x-oss-acl")
    static let ossObjectACL = oss("x-oss-object-acl")

    /// A name that is known to be one.
    static func oss(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .contentType }
}
