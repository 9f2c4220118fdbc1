import ObjectStore
import WireFormats

extension ObjectEncryption.Scheme {
    /// The name in `x-amz-server-side-encryption` and XML; `nil` for customer-provided keys, which have headers of their own.
    package var name: String? {
        switch self {
        // SM4 only exists in OSS; for such objects S3 reports the kind of key.
        case .store, .storeSM4: "AES256"
        case .keyService, .keyServiceSM4: "aws:kms"
        case .keyServiceTwice: "aws:kms:dsse"
        case .customer: nil
        }
    }

    /// Parses the value of `x-amz-server-side-encryption`.
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
