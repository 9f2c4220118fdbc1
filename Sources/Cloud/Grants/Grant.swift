package import WireFormats

/// What an identity provider has handed out and must recognise again: a code, an opaque token, a session cookie.
///
/// The token itself is not kept, only its SHA-256, so that a data folder holds nothing that can be presented.
package struct Grant: Sendable {
    /// What a grant is for.
    package enum Kind: String, Sendable {
        /// Authorization code, redeemed once (RFC 6749 section 4.1.2).
        case code
        /// Opaque access token (RFC 6750; Facebook's and Amazon's user access tokens).
        case accessToken = "access"
        /// Refresh token (RFC 6749 section 6).
        case refreshToken = "refresh"
        /// Browser session at a login page, in a cookie.
        case browserSession = "session"
        /// A form that was shown and waits for its answer; what stops cross-site request forgery.
        case pendingForm = "form"
        /// What a device polls with until a person has let it in (RFC 8628).
        case deviceCode = "device"
        /// What the device asked for and the person decided; kept under the user code.
        case userCode = "user"
        /// An authorization request that a client has pushed (RFC 9126).
        case pushedRequest = "pushed"
        /// That a person has consented to a client's scopes; kept under a name, not a secret.
        case consent
        /// Opens the configuration of a client that registered itself (RFC 7592 section 3).
        case registration
        /// A single logout on its way from one service provider to the next (SAML 2.0 Profiles section 4.4).
        case logoutTour = "logout"
    }

    /// What the grant is for.
    package var kind: Kind
    /// Name of the identity provider.
    package var provider: String
    /// Client identifier; empty for a browser session.
    package var client: String
    /// ``Person/name``; empty while nobody has logged in.
    package var person: String
    /// When it was issued.
    package var issued: Timestamp
    /// When it expires.
    package var expires: Timestamp
    /// What else belongs to it: scope, redirect URI, nonce, code challenge; members are the kind's own.
    package var details: JSONObject
    /// Shared by everything that was issued, one on another, on one approval, so that it can end together (RFC 9700 section 4.14.2).
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

    /// Whether it was for one use and has had it. It stays known, so that a second use is noticed.
    package var isSpent: Bool { details["spent"] == true }
}

/// A grant with the secret that it is found by.
package struct IssuedGrant: Sendable {
    /// The record.
    package var grant: Grant
    /// The text that its holder presents.
    package var token: String

    package init(_ grant: Grant, token: String) {
        self.grant = grant
        self.token = token
    }
}
