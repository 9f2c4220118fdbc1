import HTTPTypes

/// Header names that S3 adds to HTTP. (S3 API Reference, "Common request headers" and the pages of the operations.)
extension HTTPField.Name {
    static let s3RequestID = named("x-amz-request-id")
    static let s3HostID = named("x-amz-id-2")
    static let target = named("x-amz-target")
    static let bucketRegion = named("x-amz-bucket-region")
    static let bucketARN = named("x-amz-bucket-arn")
    static let accessPointAlias = named("x-amz-access-point-alias")
    static let expectedBucketOwner = named("x-amz-expected-bucket-owner")
    static let confirmRemoveSelfBucketAccess = named("x-amz-confirm-remove-self-bucket-access")
    static let expectedSourceBucketOwner = named("x-amz-source-expected-bucket-owner")

    static let cannedACL = named("x-amz-acl")
    static let grantRead = named("x-amz-grant-read")
    static let grantWrite = named("x-amz-grant-write")
    static let grantReadACP = named("x-amz-grant-read-acp")
    static let grantWriteACP = named("x-amz-grant-write-acp")
    static let grantFullControl = named("x-amz-grant-full-control")
    static let bucketNamespace = named("x-amz-bucket-namespace")
    static let objectOwnership = named("x-amz-object-ownership")
    static let objectLockEnabled = named("x-amz-bucket-object-lock-enabled")
    static let requestPayer = named("x-amz-request-payer")
    static let requestCharged = named("x-amz-request-charged")
    static let serverSideEncryption = named("x-amz-server-side-encryption")
    static let encryptionKeyID = named("x-amz-server-side-encryption-aws-kms-key-id")
    static let encryptionContext = named("x-amz-server-side-encryption-context")
    static let encryptionBucketKeyEnabled = named("x-amz-server-side-encryption-bucket-key-enabled")
    static let customerAlgorithm = named("x-amz-server-side-encryption-customer-algorithm")
    static let customerKey = named("x-amz-server-side-encryption-customer-key")
    static let customerKeyMD5 = named("x-amz-server-side-encryption-customer-key-md5")
    static let copySourceCustomerAlgorithm = named("x-amz-copy-source-server-side-encryption-customer-algorithm")
    static let copySourceCustomerKey = named("x-amz-copy-source-server-side-encryption-customer-key")
    static let copySourceCustomerKeyMD5 = named("x-amz-copy-source-server-side-encryption-customer-key-md5")
    static let storageClass = named("x-amz-storage-class")
    static let restore = named("x-amz-restore")
    static let websiteRedirectLocation = named("x-amz-website-redirect-location")
    static let multipartPartsCount = named("x-amz-mp-parts-count")
    static let multipartObjectSize = named("x-amz-mp-object-size")
    static let missingMetadata = named("x-amz-missing-meta")
    static let objectAttributes = named("x-amz-object-attributes")
    static let maxParts = named("x-amz-max-parts")
    static let partNumberMarker = named("x-amz-part-number-marker")

    static let versionID = named("x-amz-version-id")
    static let deleteMarker = named("x-amz-delete-marker")

    static let tagging = named("x-amz-tagging")
    static let taggingCount = named("x-amz-tagging-count")
    static let taggingDirective = named("x-amz-tagging-directive")

    static let objectLockMode = named("x-amz-object-lock-mode")
    static let objectLockRetainUntilDate = named("x-amz-object-lock-retain-until-date")
    static let objectLockLegalHold = named("x-amz-object-lock-legal-hold")

    static let expiration = named("x-amz-expiration")
    static let abortDate = named("x-amz-abort-date")
    static let abortRuleID = named("x-amz-abort-rule-id")
    static let transitionMinimumSize = named("x-amz-transition-default-minimum-object-size")
    static let skipDestinationValidation = named("x-amz-skip-destination-validation")
    static let errorCode = named("x-amz-error-code")
    static let errorMessage = named("x-amz-error-message")

    static let contentSHA256 = named("x-amz-content-sha256")
    static let decodedContentLength = named("x-amz-decoded-content-length")
    static let trailerNames = named("x-amz-trailer")
    static let contentMD5 = named("Content-MD5")
    static let checksumMode = named("x-amz-checksum-mode")
    static let checksumAlgorithm = named("x-amz-checksum-algorithm")
    static let sdkChecksumAlgorithm = named("x-amz-sdk-checksum-algorithm")
    static let checksumType = named("x-amz-checksum-type")

    static let copySource = named("x-amz-copy-source")
    static let copySourceRange = named("x-amz-copy-source-range")
    static let copySourceIfMatch = named("x-amz-copy-source-if-match")
    static let copySourceIfNoneMatch = named("x-amz-copy-source-if-none-match")
    static let copySourceIfModifiedSince = named("x-amz-copy-source-if-modified-since")
    static let copySourceIfUnmodifiedSince = named("x-amz-copy-source-if-unmodified-since")
    static let copySourceVersionID = named("x-amz-copy-source-version-id")
    static let metadataDirective = named("x-amz-metadata-directive")
    static let bypassGovernanceRetention = named("x-amz-bypass-governance-retention")
}

/// What every user-defined metadata header begins with.
let metadataPrefix = "x-amz-meta-"

private func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no field name") }
    return name
}
