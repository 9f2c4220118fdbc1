package import WireFormats

// What RAM keeps of its identities beside what IAM does. Nothing of it decides anything.

/// (RAM API Reference, "User".)
package struct UserProfile: Sendable, Codable, Equatable {
    /// The name for people.
    package var displayName: String?
    /// Remarks.
    package var comments: String?
    /// The mail address.
    package var email: String?
    /// The telephone number, with the country code.
    package var mobilePhone: String?
    /// When something of the user changed last; `nil` if nothing did.
    package var updated: Timestamp?

    package init(
        displayName: String? = nil, comments: String? = nil, email: String? = nil, mobilePhone: String? = nil, updated: Timestamp? = nil
    ) {
        self.displayName = displayName
        self.comments = comments
        self.email = email
        self.mobilePhone = mobilePhone
        self.updated = updated
    }
}

/// (RAM API Reference, "Group".)
package struct GroupProfile: Sendable, Codable, Equatable {
    /// The name for people.
    package var displayName: String?
    /// Remarks.
    package var comments: String?
    /// When the group last changed.
    package var updated: Timestamp?

    package init(displayName: String? = nil, comments: String? = nil, updated: Timestamp? = nil) {
        self.displayName = displayName
        self.comments = comments
        self.updated = updated
    }
}

/// What an account lets its users do with their own credentials. (RAM API Reference, "SetSecurityPreference".)
package struct SecurityPreference: Sendable, Codable, Equatable {
    /// Whether the login can remember a device for seven days.
    package var remembersDevices = false
    /// Whether users may change their own passwords.
    package var letsUsersChangePassword = true
    /// Whether users may manage their own access keys.
    package var letsUsersManageAccessKeys = false
    /// Whether users may manage their own MFA devices.
    package var letsUsersManageDevices = true
    /// Whether users may manage their own public keys.
    package var letsUsersManagePublicKeys = false
    /// Hours.
    package var sessionDuration = 6
    /// The addresses from which users may log in, with semicolons between them; empty for all.
    package var networkMasks = ""

    package init() {}
}
