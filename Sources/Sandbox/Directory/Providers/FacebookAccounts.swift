package import WireFormats

/// The settings of an app at Facebook. (Meta for Developers, "App Dashboard", "Securing Graph API Requests".)
package struct FacebookApp: Hashable, Sendable, Codable {
    /// Whether calls with a user's token need an `appsecret_proof`.
    package var requiresAppSecretProof = false
    /// Whether the app identifies users by app-scoped IDs, as apps do since version 2.0. Otherwise, and in version 1.0, it identifies them
    /// by
    /// their own IDs.
    package var hasScopedIDs = false
    /// The version of paths without one; today's version if it is `nil`.
    package var version: GraphVersion?
    /// The client token, which devices and mobile apps send instead of the secret.
    package var clientToken: String?
    /// The URL that is called when a user removes the app.
    package var deauthorizeCallbackURL: String?

    package init() {}
}

/// The state of a Facebook account, in addition to its owner.
package struct FacebookAccount: Hashable, Sendable, Codable {
    /// Why the account's tokens are rejected at present.
    package enum Block: String, Sendable, Codable, CaseIterable {
        /// The person must log in at Facebook first.
        case checkpoint
        /// The mail address was never confirmed.
        case unconfirmed
    }

    /// Why the account cannot be used, or `nil` if it can.
    package var block: Block?
    /// The app that created the account as a test user.
    package var testUserOf: String?
    /// When the password last changed. Tokens issued before are invalid.
    package var passwordChanged: Timestamp?

    package init() {}
}
