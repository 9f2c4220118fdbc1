import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension BucketEncryption {
    static let schema: [DocumentSchema.Member] = [
        .init(
            "Rule",
            .members([
                .init(
                    "ApplyServerSideEncryptionByDefault",
                    .members([
                        .init("SSEAlgorithm", .oneOf(["AES256", "aws:kms", "aws:kms:dsse"])), .init("KMSMasterKeyID", .text, .optional),
                    ]), .optional),
                .init("BucketKeyEnabled", .boolean, .optional),
                .init("BlockedEncryptionTypes", .members([.init("EncryptionType", .oneOf(["SSE-C", "NONE"]), .optional)]), .optional),
            ]))
    ]

    /// Reads the document of PutBucketEncryption, which conforms to the schema.
    /// - Parameter blocking: whether the bucket currently blocks SSE-C; applies if the document does not specify it.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    init(_ document: XMLElement, blocking: Bool) throws(S3Error) {
        self.init(document)
        if document.child("Rule")?.child("BlockedEncryptionTypes") == nil { blocksCustomerKeys = blocking }
        guard let keyID else { return }
        guard scheme.usesKeyService else {
            throw S3Error(
                .invalidArgument,
                "a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse",
                ["ArgumentName": "ApplyServerSideEncryptionByDefault"])
        }
        // S3 does not call the key management service here.
        guard KeyService.isKeyID(keyID) else { throw S3Error(.malformedXML) }
    }
}
