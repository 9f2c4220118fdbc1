import HTTPTypes
import WireFormats

/// The status of a credential, as in `Status`. (IAM API Reference, e.g. "UpdateAccessKey".)
enum CredentialStatus: String {
    case active = "Active"
    case inactive = "Inactive"

    init(isActive: Bool) { self = isActive ? .active : .inactive }
}

extension QueryParameters {
    /// Reads the required parameter `Status`. The service model also has `Expired`, which no caller can set.
    mutating func status() -> CredentialStatus {
        let text = requiredChoice("Status", of: ["Active", "Inactive", "Expired"])
        if text == "Expired" { refuse(.invalidInput("Status Expired cannot be set.")) }
        return text == "Inactive" ? .inactive : .active
    }
}
