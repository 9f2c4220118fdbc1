package import Cloud
import Directory
package import Policy
import Tokens
import WireFormats

/// Verifies the token of `AssumeRoleWithWebIdentity`: an ID token with the issuer's published keys, or a social provider's access token
/// with that provider's records.
package struct WebIdentityVerifier: Sendable {
    /// The tolerated clock skew in seconds (observed at the real service).
    static let tolerance: Int64 = 300

    let cloud: Cloud
    let names: HostNames
    /// The keys of external issuers.
    let issuers: ForeignIssuers
    /// The dialect. In Ceph's, an account that names no clients of an issuer accepts the tokens of all clients (AWS accepts none), and a
    /// tag may have several values.
    let dialect: PolicyDialect

    package init(cloud: Cloud, names: HostNames, issuers: ForeignIssuers, dialect: PolicyDialect = .aws) {
        self.cloud = cloud
        self.names = names
        self.issuers = issuers
        self.dialect = dialect
    }

    /// Verifies a token.
    /// - Parameters:
    ///   - token: an OIDC ID token, or an access token if `providerID` names an OAuth provider.
    ///   - providerID: `graph.facebook.com` or `www.amazon.com`; absent for ID tokens.
    ///   - account: the account of the role, which must trust the provider.
    /// - Throws: `WebIdentityError`, or an error of the database.
    package func verify(token: String, providerID: String?, account: String) async throws -> WebIdentity {
        guard let providerID else { return try await verifyIDToken(token, account: account) }
        switch IdentityProvider.Kind(providerID: providerID) {
        case .facebook: return try verifyFacebookToken(token)
        case .amazon: return try await verifyAmazonToken(token)
        case .openIDConnect, .google, .github, nil: throw WebIdentityError.unrecognizedProvider
        }
    }
}
