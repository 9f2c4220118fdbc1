package import WireFormats

/// What the settings of an app at Facebook say. (Meta for Developers, "App Dashboard", "Securing Graph API Requests".)
package struct FacebookApp: Hashable, Sendable, Codable {
    /// Whether calls with a person's token need an `appsecret_proof`.
    package var requiresAppSecretProof = false
    /// Whether the app knows people by identifiers that no other app knows, as apps do from version 2.0 on. Otherwise, and in version 1.0,
    /// it knows them by their own.
    package var hasScopedIDs = false
    /// The version that is meant where a path names none; today's if it is absent.
    package var version: GraphVersion?
    /// What devices and mobile apps show in the place of the secret.
    package var clientToken: String?
    /// Where the app hears that somebody has removed it.
    package var deauthorizeCallbackURL: String?

    package init() {}
}

/// What Facebook knows of an account beside its owner.
package struct FacebookAccount: Hashable, Sendable, Codable {
    /// Why the account's tokens are not taken at present.
    package enum Block: String, Sendable, Codable, CaseIterable {
        /// Facebook wants to see the person log in first.
        case checkpoint
        /// The address of mail was never confirmed.
        case unconfirmed
    }

    /// Why the account cannot be used, or `nil` if it can.
    package var block: Block?
    /// The app that made the account for its tests.
    package var testUserOf: String?
    /// Tokens from before are void.
    package var passwordChanged: Timestamp?

    package init() {}
}
