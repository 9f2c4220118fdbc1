package import Cloud
package import Directory
import Tokens
import WireFormats

/// An ID token of a local issuer, verified in the way a client does it: signature, audience and times.
/// (OpenID Connect Core 1.0 section 3.1.3.7.)
package struct ClientIDToken: Sendable {
    /// The claim `sub`.
    package let subject: String
    /// The person with this subject at the client; `nil` if it no longer exists.
    package let person: Person?

    /// Verifies an ID token.
    /// - Parameters:
    ///   - names: the host names of this process, which occur in the names of issuers.
    ///   - clients: the clients that the token may be for, with their providers.
    /// - Throws: `WebIdentityError`, or an error of the database.
    package init(
        verifying text: String, for clients: [(provider: String, audience: String)], cloud: Cloud, names: HostNames
    ) async throws {
        let token: JSONWebToken
        do {
            token = try JSONWebToken(parsing: text, accepting: WebIdentityVerifier.algorithms)
        } catch {
            throw WebIdentityError.notAToken(error)
        }
        guard token.isIDToken else { throw WebIdentityError.notAToken(nil) }
        let claims = try TokenClaims(token.claims)
        guard let provider = cloud.directory.provider(issuer: claims.issuer, names: names),
            clients.contains(where: { $0.provider == provider.name })
        else { throw WebIdentityError.unknownIssuer(claims.issuer) }
        guard let keyID = token.keyID, let key = try await cloud.verificationKey(keyID, of: provider.name) else {
            throw WebIdentityError.noVerificationKey
        }
        do {
            try token.verify(with: key)
        } catch {
            throw WebIdentityError.notValidated(keyID: keyID, issuer: claims.issuer)
        }
        try claims.checkTimes(cloud.clock)
        let meant = clients.first { client in
            client.provider == provider.name && claims.audiences.contains(client.audience)
                && (claims.authorizedParty ?? client.audience) == client.audience
        }
        guard let meant else {
            throw WebIdentityError.audienceNotAccepted(presented: claims.audiences, accepted: clients.map(\.audience))
        }
        person = provider.client(meant.audience).flatMap { provider.person(subject: claims.subject, for: $0) }
        subject = claims.subject
    }
}
