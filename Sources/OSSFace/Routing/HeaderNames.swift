import HTTPTypes

/// Header names that OSS adds to HTTP. (OSS API Reference, "Common HTTP headers" and the pages of the operations.)
extension HTTPField.Name {
    static let ossRequestID = oss("x-oss-request-id")
    static let ossSelectOutputRaw = oss("x-oss-select-output-raw")
    static let ossServerTime = oss("x-oss-server-time")
    /// The number of a refusal's exact cause.
    static let ossErrorCode = oss("x-oss-ec")
    /// The error document in base 64, where an answer has no content.
    static let ossErrorDocument = oss("x-oss-err")
    /// The same, as the SDK for Swift looks for it.
    static let ossErrorDocumentOfSwift = oss("x-oss-error")
    static let ossACL = oss("x-oss-acl")
    static let ossAllowSameActionOverlap = oss("x-oss-allow-same-action-overlap")
    static let ossResourceGroupID = oss("x-oss-resource-group-id")
    static let ossWormID = oss("x-oss-worm-id")
    static let ossObjectACL = oss("x-oss-object-acl")

    // What an object is and has.
    static let ossCRC64 = oss("x-oss-hash-crc64ecma")
    static let ossObjectType = oss("x-oss-object-type")
    static let ossStorageClass = oss("x-oss-storage-class")
    static let ossVersionID = oss("x-oss-version-id")
    static let ossDeleteMarker = oss("x-oss-delete-marker")
    static let ossTagging = oss("x-oss-tagging")
    static let ossTaggingCount = oss("x-oss-tagging-count")
    static let ossRestore = oss("x-oss-restore")
    static let ossRestorePriority = oss("x-oss-object-restore-priority")
    static let ossNextAppendPosition = oss("x-oss-next-append-position")
    static let ossSealedTime = oss("x-oss-sealed-time")
    static let ossSymlinkTarget = oss("x-oss-symlink-target")
    static let ossEncryption = oss("x-oss-server-side-encryption")
    static let ossEncryptionKeyID = oss("x-oss-server-side-encryption-key-id")
    static let ossDataEncryption = oss("x-oss-server-side-data-encryption")
    static let ossLockMode = oss("x-oss-object-worm-mode")
    static let ossLockUntil = oss("x-oss-object-worm-retain-until-date")
    static let ossLegalHold = oss("x-oss-object-worm-legal-hold")

    // What a request asks.
    static let ossForbidOverwrite = oss("x-oss-forbid-overwrite")
    static let ossRangeBehavior = oss("x-oss-range-behavior")
    static let ossTrafficLimit = oss("x-oss-traffic-limit")
    static let ossRequestPayer = oss("x-oss-request-payer")
    static let ossCompleteAll = oss("x-oss-complete-all")
    static let ossBypassGovernance = oss("x-oss-bypass-governance-retention")
    static let ossCallback = oss("x-oss-callback")
    static let ossCallbackVariables = oss("x-oss-callback-var")
    static let ossPublicKeyURL = oss("x-oss-pub-key-url")
    static let ossCopySource = oss("x-oss-copy-source")
    static let ossCopySourceRange = oss("x-oss-copy-source-range")
    static let ossCopySourceVersionID = oss("x-oss-copy-source-version-id")
    static let ossCopySourceIfMatch = oss("x-oss-copy-source-if-match")
    static let ossCopySourceIfNoneMatch = oss("x-oss-copy-source-if-none-match")
    static let ossCopySourceIfModifiedSince = oss("x-oss-copy-source-if-modified-since")
    static let ossCopySourceIfUnmodifiedSince = oss("x-oss-copy-source-if-unmodified-since")
    static let ossMetadataDirective = oss("x-oss-metadata-directive")
    static let ossTaggingDirective = oss("x-oss-tagging-directive")
    static let contentMD5 = oss("Content-MD5")
    static let amzContentSHA256 = oss("x-amz-content-sha256")

    /// A name that is known to be one.
    static func oss(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .contentType }
}
