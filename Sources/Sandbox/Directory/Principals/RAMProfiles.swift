package import WireFormats

// Attributes that RAM stores in addition to those of IAM. They do not affect authorization.

/// The attributes of a user that only RAM has. (RAM API Reference, "User".)
package struct UserProfile: Sendable, Codable, Equatable {
    /// The display name.
    package var displayName: String?
    /// Remarks.
    package var comments: String?
    /// The mail address.
    package var email: String?
    /// The telephone number, with the country code.
    package var mobilePhone: String?
    /// When the user last changed; `nil` if it never did.
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

/// The attributes of a group that only RAM has. (RAM API Reference, "Group".)
package struct GroupProfile: Sendable, Codable, Equatable {
    /// The display name.
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

/// What an account allows its users to do with their own credentials. (RAM API Reference, "SetSecurityPreference".)
package struct SecurityPreference: Sendable, Codable, Equatable {
    /// Whether the login page can remember an MFA device for seven days.
    package var remembersDevices = false
    /// Whether users may change their own passwords.
    package var letsUsersChangePassword = true
    /// Whether users may manage their own access keys.
    package var letsUsersManageAccessKeys = false
    /// Whether users may manage their own MFA devices.
    package var letsUsersManageDevices = true
    /// Whether users may manage their own public keys.
    package var letsUsersManagePublicKeys = false
    /// The duration of a login session, in hours.
    package var sessionDuration = 6
    /// The addresses from which users may log in, separated by semicolons; empty for all addresses.
    package var networkMasks = ""

    package init() {}
}
