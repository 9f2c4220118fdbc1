import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension BucketEncryption {
    /// Parses the document of PutBucketEncryption.
    /// - Parameter blocking: whether the bucket currently blocks SSE-C; applies if the document does not specify it.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    init(_ document: XMLElement, blocking: Bool) throws(S3Error) {
        self.init()
        blocksCustomerKeys = blocking
        guard document.children.count == 1, let rule = document.child("Rule") else { throw S3Error(.malformedXML) }
        for child in rule.children {
            switch child.name {
            case "ApplyServerSideEncryptionByDefault": try readDefault(child)
            case "BucketKeyEnabled":
                switch child.text {
                case "true": usesBucketKey = true
                case "false": usesBucketKey = false
                default: throw S3Error(.malformedXML)
                }
            case "BlockedEncryptionTypes": blocksCustomerKeys = try Self.blocksCustomerKeys(child)
            default: throw S3Error(.malformedXML)
            }
        }
    }

    private mutating func readDefault(_ element: XMLElement) throws(S3Error) {
        guard let name = element.child("SSEAlgorithm")?.text, let scheme = ObjectEncryption.Scheme(named: name),
            element.children.allSatisfy({ $0.name == "SSEAlgorithm" || $0.name == "KMSMasterKeyID" })
        else { throw S3Error(.malformedXML) }
        self.scheme = scheme
        guard let key = element.child("KMSMasterKeyID")?.text else { return }
        guard scheme.usesKeyService else {
            throw S3Error(
                .invalidArgument,
                "a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse",
                ["ArgumentName": "ApplyServerSideEncryptionByDefault"])
        }
        // S3 does not call the key management service here.
        guard KeyService.isKeyID(key) else { throw S3Error(.malformedXML) }
        keyID = key
    }

    private static func blocksCustomerKeys(_ element: XMLElement) throws(S3Error) -> Bool {
        switch element.children.map(\.text) {
        case ["SSE-C"]: return true
        case ["NONE"], []: return false
        default: throw S3Error(.malformedXML)
        }
    }
}
