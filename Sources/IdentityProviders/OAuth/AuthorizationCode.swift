import Cloud
import Cryptography
import Federation
import WireFormats

/// A code that an application presents (RFC 6749 section 4.1.3).
struct AuthorizationCode {
    var text: String
    let visit: Visit

    /// Why a code is not redeemed.
    enum Fault: Error {
        case unknown, expired, alreadyUsed, otherClient, otherRedirectURI, missingVerifier, unexpectedVerifier, wrongVerifier
    }

    private var grants: Grants { visit.cloud.grants }

    /// Checks the code and takes it, so that it works once.
    ///
    /// - Throws: `Fault`, or an error of the database.
    func redeem(by client: Client, redirectURI: String?, verifier: String?) async throws -> Grant {
        _ = try await check(by: client, redirectURI: redirectURI, verifier: verifier)
        guard let taken = try await grants.redeem(text, kind: .code, at: visit.provider.name) else { throw Fault.expired }
        return taken
    }

    /// Checks the code. A second use revokes what came of the first (RFC 6749 section 4.1.2). A code whose check fails is left to its owner.
    ///
    /// - Parameters:
    ///   - redirectURI: must equal the one of the authorization request.
    ///   - verifier: required if there was a challenge, and refused if there was none, or a challenge could be stripped off
    ///     the request unnoticed (RFC 9700 section 4.8.2).
    /// - Throws: `Fault`, or an error of the database.
    func check(by client: Client, redirectURI: String?, verifier: String?) async throws -> Grant {
        guard let grant = try grants.look(up: text, kind: .code, at: visit.provider.name) else { throw Fault.unknown }
        guard grant.client == client.id else { throw Fault.otherClient }
        if grant.isSpent {
            if let family = grant.family { try await grants.revoke(family: family) }
            throw Fault.alreadyUsed
        }
        if let tokens = grant.details["tokens"]?.arrayValue {
            for token in tokens {
                if let digest = token.stringValue.flatMap({ [UInt8](hex: $0) }) { try await grants.revoke(digest: digest) }
            }
            throw Fault.alreadyUsed
        }
        guard grant.details["redirect_uri"]?.stringValue == redirectURI else { throw Fault.otherRedirectURI }
        if let challenge = CodeChallenge(binding: grant.details) {
            guard let verifier else { throw Fault.missingVerifier }
            guard challenge.fits(verifier) else { throw Fault.wrongVerifier }
        } else if verifier != nil {
            throw Fault.unexpectedVerifier
        }
        guard !visit.cloud.clock.hasExpired(grant.expires, issuedAt: grant.issued) else { throw Fault.expired }
        return grant
    }

    /// Remembers the used code, and the digests of what was issued on it.
    func remember(_ tokens: [String?], issuedOn grant: Grant) async throws {
        let now = visit.cloud.clock.now
        var used = grant
        used.issued = now
        used.expires = now + .seconds(86_400)
        used.details = ["tokens": .array(tokens.compactMap { $0 }.map { .string(SHA256.hash($0).hex) })]
        try await grants.keep(used, under: text)
    }
}
