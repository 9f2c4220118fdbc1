import Cloud

extension ObjectEncryption.Scheme {
    /// As `x-amz-server-side-encryption` and XML spell it; nothing for keys of the client, which have headers of their own.
    var name: String? {
        switch self {
        case .store: "AES256"
        case .keyService: "aws:kms"
        case .keyServiceTwice: "aws:kms:dsse"
        case .customer: nil
        }
    }

    init?(named name: String) {
        switch name {
        case "AES256": self = .store
        case "aws:kms": self = .keyService
        case "aws:kms:dsse": self = .keyServiceTwice
        default: return nil
        }
    }

    /// Whether the key is one of the key management service.
    var usesKeyService: Bool { self == .keyService || self == .keyServiceTwice }
}
