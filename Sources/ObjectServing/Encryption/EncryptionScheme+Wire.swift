import ObjectStore

extension ObjectEncryption.Scheme {
    /// As `x-amz-server-side-encryption` and XML spell it; `nil` for keys of the client, which have headers of their own.
    package var name: String? {
        switch self {
        // SM4 is OSS's; S3 says of such objects whose key it is.
        case .store, .storeSM4: "AES256"
        case .keyService, .keyServiceSM4: "aws:kms"
        case .keyServiceTwice: "aws:kms:dsse"
        case .customer: nil
        }
    }

    /// The scheme of a name in the field `x-amz-server-side-encryption`.
    package init?(named name: String) {
        switch name {
        case "AES256": self = .store
        case "aws:kms": self = .keyService
        case "aws:kms:dsse": self = .keyServiceTwice
        default: return nil
        }
    }

    /// Whether the key is one of the key management service.
    package var usesKeyService: Bool { self == .keyService || self == .keyServiceTwice || self == .keyServiceSM4 }
}
