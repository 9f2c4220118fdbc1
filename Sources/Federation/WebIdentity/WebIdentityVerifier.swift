package import Cloud
package import Policy
import Tokens
import WireFormats

/// Verifies what `AssumeRoleWithWebIdentity` is given: an ID token against the issuer's published keys, or a social
/// provider's access token against that provider's own records.
package struct WebIdentityVerifier: Sendable {
    /// Clocks may differ by this much (observed of the real service).
    static let tolerance: Int64 = 300

    let cloud: Cloud
    let names: HostNames
    /// The keys of issuers elsewhere.
    let issuers: ForeignIssuers
    /// Of Ceph, an account that names no clients of an issuer takes the tokens of all, where AWS takes those of none, and a tag may have
    /// several values.
    let dialect: PolicyDialect

    package init(cloud: Cloud, names: HostNames, issuers: ForeignIssuers, dialect: PolicyDialect = .aws) {
        self.cloud = cloud
        self.names = names
        self.issuers = issuers
        self.dialect = dialect
    }

    /// - Parameters:
    ///   - token: an OIDC ID token, or an access token where `providerID` names an OAuth provider.
    ///   - providerID: `graph.facebook.com` or `www.amazon.com`; absent for ID tokens.
    ///   - account: the account of the role, whose providers count.
    /// - Throws: `WebIdentityError`, or an error of the database.
    package func verify(token: String, providerID: String?, account: String) async throws -> WebIdentity {
        switch providerID {
        case nil: try await verifyIDToken(token, account: account)
        case "graph.facebook.com": try verifyFacebookToken(token)
        case "www.amazon.com": try verifyAmazonToken(token)
        default: throw WebIdentityError.unrecognizedProvider
        }
    }
}
