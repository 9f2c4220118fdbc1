import Calls
import HTTPTypes

/// Header names that OSS adds to HTTP. (OSS API Reference, "Common HTTP headers" and the pages of the operations.)
extension HTTPField.Name {
    static let ossRequestID = HTTPField.Name(literal: "x-oss-request-id")
    static let ossSelectOutputRaw = HTTPField.Name(literal: "x-oss-select-output-raw")
    static let ossServerTime = HTTPField.Name(literal: "x-oss-server-time")
    /// The number of an error's exact cause.
    static let ossErrorCode = HTTPField.Name(literal: "x-oss-ec")
    /// The error document in base64, in a response without a body.
    static let ossErrorDocument = HTTPField.Name(literal: "x-oss-err")
    /// The same, with the name that the SDK for Swift reads.
    static let ossErrorDocumentOfSwift = HTTPField.Name(literal: "x-oss-error")
    static let ossACL = HTTPField.Name(literal: "x-oss-acl")
    static let ossAllowSameActionOverlap = HTTPField.Name(literal: "x-oss-allow-same-action-overlap")
    static let ossResourceGroupID = HTTPField.Name(literal: "x-oss-resource-group-id")
    static let ossWormID = HTTPField.Name(literal: "x-oss-worm-id")
    static let ossObjectACL = HTTPField.Name(literal: "x-oss-object-acl")

    // Properties of objects.
    static let ossCRC64 = HTTPField.Name(literal: "x-oss-hash-crc64ecma")
    static let ossObjectType = HTTPField.Name(literal: "x-oss-object-type")
    static let ossStorageClass = HTTPField.Name(literal: "x-oss-storage-class")
    static let ossVersionID = HTTPField.Name(literal: "x-oss-version-id")
    static let ossDeleteMarker = HTTPField.Name(literal: "x-oss-delete-marker")
    static let ossTagging = HTTPField.Name(literal: "x-oss-tagging")
    static let ossTaggingCount = HTTPField.Name(literal: "x-oss-tagging-count")
    static let ossRestore = HTTPField.Name(literal: "x-oss-restore")
    static let ossRestorePriority = HTTPField.Name(literal: "x-oss-object-restore-priority")
    static let ossNextAppendPosition = HTTPField.Name(literal: "x-oss-next-append-position")
    static let ossSealedTime = HTTPField.Name(literal: "x-oss-sealed-time")
    static let ossSymlinkTarget = HTTPField.Name(literal: "x-oss-symlink-target")
    static let ossEncryption = HTTPField.Name(literal: "x-oss-server-side-encryption")
    static let ossEncryptionKeyID = HTTPField.Name(literal: "x-oss-server-side-encryption-key-id")
    static let ossDataEncryption = HTTPField.Name(literal: "x-oss-server-side-data-encryption")
    static let ossLockMode = HTTPField.Name(literal: "x-oss-object-worm-mode")
    static let ossLockUntil = HTTPField.Name(literal: "x-oss-object-worm-retain-until-date")
    static let ossLegalHold = HTTPField.Name(literal: "x-oss-object-worm-legal-hold")

    // Request headers.
    static let ossForbidOverwrite = HTTPField.Name(literal: "x-oss-forbid-overwrite")
    static let ossRangeBehavior = HTTPField.Name(literal: "x-oss-range-behavior")
    static let ossTrafficLimit = HTTPField.Name(literal: "x-oss-traffic-limit")
    static let ossRequestPayer = HTTPField.Name(literal: "x-oss-request-payer")
    static let ossCompleteAll = HTTPField.Name(literal: "x-oss-complete-all")
    static let ossBypassGovernance = HTTPField.Name(literal: "x-oss-bypass-governance-retention")
    static let ossCallback = HTTPField.Name(literal: "x-oss-callback")
    static let ossCallbackVariables = HTTPField.Name(literal: "x-oss-callback-var")
    // Headers of callbacks to the app's server.
    static let ossBucket = HTTPField.Name(literal: "x-oss-bucket")
    static let ossOwner = HTTPField.Name(literal: "x-oss-owner")
    static let ossRequester = HTTPField.Name(literal: "x-oss-requester")
    static let ossSignatureVersion = HTTPField.Name(literal: "x-oss-signature-version")
    static let ossTag = HTTPField.Name(literal: "x-oss-tag")
    static let host = HTTPField.Name(literal: "Host")
    /// How DeleteMultipleObjects writes keys.
    static let encodingType = HTTPField.Name(literal: "encoding-type")
    static let ossPublicKeyURL = HTTPField.Name(literal: "x-oss-pub-key-url")
    static let ossCopySource = HTTPField.Name(literal: "x-oss-copy-source")
    static let ossCopySourceRange = HTTPField.Name(literal: "x-oss-copy-source-range")
    static let ossCopySourceVersionID = HTTPField.Name(literal: "x-oss-copy-source-version-id")
    static let ossCopySourceIfMatch = HTTPField.Name(literal: "x-oss-copy-source-if-match")
    static let ossCopySourceIfNoneMatch = HTTPField.Name(literal: "x-oss-copy-source-if-none-match")
    static let ossCopySourceIfModifiedSince = HTTPField.Name(literal: "x-oss-copy-source-if-modified-since")
    static let ossCopySourceIfUnmodifiedSince = HTTPField.Name(literal: "x-oss-copy-source-if-unmodified-since")
    static let ossMetadataDirective = HTTPField.Name(literal: "x-oss-metadata-directive")
    static let ossTaggingDirective = HTTPField.Name(literal: "x-oss-tagging-directive")
    static let contentMD5 = HTTPField.Name(literal: "Content-MD5")
    static let amzContentSHA256 = HTTPField.Name(literal: "x-amz-content-sha256")
}
