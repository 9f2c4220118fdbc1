package import WireFormats

/// A grant of an identity provider: a code, an opaque token or a session cookie, with its data.
///
/// Only the SHA-256 of the token is stored, so that the data folder contains nothing that could be used as a token.
package struct Grant: Sendable {
    /// The kinds of grants.
    package enum Kind: String, Sendable, CaseIterable {
        /// An authorization code, which can be redeemed once (RFC 6749 section 4.1.2).
        case code
        /// An opaque access token (RFC 6750; user access tokens of Facebook and Amazon).
        case accessToken = "access"
        /// A refresh token (RFC 6749 section 6).
        case refreshToken = "refresh"
        /// A browser session at a login page, stored in a cookie.
        case browserSession = "session"
        /// A form that was sent and not submitted yet; prevents cross-site request forgery.
        case pendingForm = "form"
        /// The device code that a device polls with until a person approves it (RFC 8628).
        case deviceCode = "device"
        /// The request of a device and the decision of the person, stored under the user code.
        case userCode = "user"
        /// A pushed authorization request (RFC 9126).
        case pushedRequest = "pushed"
        /// A person's consent to a client's scopes, stored under a name instead of a secret.
        case consent
        /// The registration access token of a client that registered itself (RFC 7592 section 3).
        case registration
        /// A single logout that visits one service provider after another (SAML 2.0 Profiles section 4.4).
        case logoutSequence = "logout"
    }

    /// The kind of the grant.
    package var kind: Kind
    /// The name of the identity provider.
    package var provider: String
    /// The client identifier; empty for a browser session.
    package var client: String
    /// The ``Person/name``; empty if no person has logged in yet.
    package var person: String
    /// When it was issued.
    package var issued: Timestamp
    /// When it expires.
    package var expires: Timestamp
    /// Further data, such as scope, redirect URI, nonce and code challenge. The members depend on the kind.
    package var details: JSONObject
    /// The identifier that all grants of one approval share, so that they can be revoked together (RFC 9700 section 4.14.2).
    package var family: String?

    package init(
        kind: Kind, provider: String, client: String, person: String, issued: Timestamp, expires: Timestamp,
        details: JSONObject = [:], family: String? = nil
    ) {
        self.kind = kind
        self.provider = provider
        self.client = client
        self.person = person
        self.issued = issued
        self.expires = expires
        self.details = details
        self.family = family
    }

    /// Whether the grant was for one use and is used up. It is kept, so that a second use is detected.
    package var isSpent: Bool { details["spent"] == true }

    /// When it was used up; `nil` if it was not.
    package var spent: Timestamp? { details["spent_at"]?.integerValue.map { Timestamp(stored: $0) } }

    /// Marks the grant as used up.
    mutating func spend(at now: Timestamp) {
        details["spent"] = true
        details["spent_at"] = .integer(now.milliseconds)
    }
}

/// A grant with its token.
package struct IssuedGrant: Sendable {
    /// The record.
    package var grant: Grant
    /// The token that the holder sends.
    package var token: String

    package init(_ grant: Grant, token: String) {
        self.grant = grant
        self.token = token
    }
}
