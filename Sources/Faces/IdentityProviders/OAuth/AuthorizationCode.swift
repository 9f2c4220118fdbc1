import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// An authorization code that an application presents (RFC 6749 section 4.1.3).
struct AuthorizationCode {
    var text: String
    let visit: Visit

    /// The reason why a code is rejected.
    enum Fault: Error {
        case unknown, expired, alreadyUsed, otherClient, otherRedirectURI, missingVerifier, unexpectedVerifier, wrongVerifier
    }

    private var grants: GrantStore { visit.cloud.grants }

    /// Checks the code. A second use revokes the tokens of the first (RFC 6749 section 4.1.2). A code whose check fails stays valid for its
    /// owner.
    ///
    /// - Parameters:
    ///   - redirectURI: must equal that of the authorization request.
    ///   - verifier: required if the request had a challenge, and rejected if it had none. Otherwise an attacker could remove the challenge
    ///     from the request unnoticed (RFC 9700 section 4.8.2).
    /// - Throws: `Fault`, the error for a disabled user, or an error of the database.
    func check(by client: Client, redirectURI: String?, verifier: String?) async throws -> Grant {
        guard let grant = try grants.look(up: text, kind: .code, at: visit.provider.name) else { throw Fault.unknown }
        guard grant.client == client.id else { throw Fault.otherClient }
        let fault = visit.grantVerifier.fault(of: grant)
        if fault == .spent { throw try await secondUse(of: grant) }
        if fault == .disabledPerson {
            if visit.provider.kind.isSocial { throw Fault.unknown }
            throw visit.disabledUser
        }
        guard grant.details["redirect_uri"]?.stringValue == redirectURI else { throw Fault.otherRedirectURI }
        if let challenge = CodeChallenge(binding: grant.details) {
            guard let verifier else { throw Fault.missingVerifier }
            guard challenge.fits(verifier) else { throw Fault.wrongVerifier }
        } else if verifier != nil {
            throw Fault.unexpectedVerifier
        }
        if fault == .expired { throw Fault.expired }
        return grant
    }

    /// Redeems a code that `check` accepted and stores the issued tokens, in one transaction. The second of two concurrent requests fails.
    /// - Throws: `Fault`, or an error of the database.
    func spend(_ grant: Grant, on tokens: [IssuedGrant]) async throws {
        let family = try grant.family ?? randomBytes(16).base64url
        let issued = tokens.map { token in
            var token = token
            token.grant.family = family
            return token
        }
        guard try await visit.grantIssuer.keep(issued, spending: text) else {
            guard let used = try grants.look(up: text, kind: .code, at: visit.provider.name) else { throw Fault.unknown }
            throw try await secondUse(of: used)
        }
    }

    private func secondUse(of used: Grant) async throws -> Fault {
        if let family = used.family { try await grants.revoke(family: family) }
        return .alreadyUsed
    }
}
