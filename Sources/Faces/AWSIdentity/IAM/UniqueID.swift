import Cryptography
import Federation
import WireFormats

/// The unique identifiers of IAM: a prefix for the kind, and 17 characters of base 32.
/// (IAM User Guide, "IAM identifiers", "Unique identifiers".)
enum UniqueID: String {
    case user = "AIDA"
    case group = "AGPA"
    case role = "AROA"
    case policy = "ANPA"
    case instanceProfile = "AIPA"
    case accessKey = "AKIA"
    case publicKey = "APKA"
    case serverCertificate = "ASCA"
    case serviceCredential = "ACCA"

    /// Returns a new identifier.
    func make() throws -> String {
        rawValue + AccessKeyAlphabet.text(try randomBytes(self == .accessKey ? 16 : 17))
    }
}
