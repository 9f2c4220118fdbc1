package import WireFormats

// What RAM keeps of its identities beside what IAM does. Nothing of it decides anything.

/// (RAM API Reference, "User".)
package struct UserProfile: Sendable, Codable, Equatable {
    package var displayName: String?
    package var comments: String?
    package var email: String?
    package var mobilePhone: String?
    /// When something of the user changed last; nothing where nothing did.
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
    package var displayName: String?
    package var comments: String?
    package var updated: Timestamp?

    package init(displayName: String? = nil, comments: String? = nil, updated: Timestamp? = nil) {
        self.displayName = displayName
        self.comments = comments
        self.updated = updated
    }
}

/// What an account lets its users do with their own credentials. (RAM API Reference, "SetSecurityPreference".)
package struct SecurityPreference: Sendable, Codable, Equatable {
    package var remembersDevices = false
    package var letsUsersChangePassword = true
    package var letsUsersManageAccessKeys = false
    package var letsUsersManageDevices = true
    package var letsUsersManagePublicKeys = false
    /// Hours.
    package var sessionDuration = 6
    package var networkMasks = ""

    package init() {}
}
