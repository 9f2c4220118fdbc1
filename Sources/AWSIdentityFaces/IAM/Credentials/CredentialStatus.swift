import HTTPTypes

/// Whether a credential counts, as `Status` says it. (IAM API Reference, e.g. "UpdateAccessKey".)
enum CredentialStatus: String {
    case active = "Active"
    case inactive = "Inactive"

    init(isActive: Bool) { self = isActive ? .active : .inactive }
}

extension QueryParameters {
    /// `Status`, which must be given. The model knows `Expired` too, which no caller can make a credential.
    mutating func status() -> CredentialStatus {
        let text = requiredChoice("Status", of: ["Active", "Inactive", "Expired"])
        if text == "Expired" { refuse(.invalidInput("Status Expired cannot be set.")) }
        return text == "Inactive" ? .inactive : .active
    }
}
