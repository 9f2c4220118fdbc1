import Cloud
import Cryptography
import Federation
import Tokens
import WireFormats

/// An ID token from the provider's token endpoint (OpenID Connect Core 1.0 section 3.1.3.7).
struct IDToken {
    private let token: JSONWebToken
    /// The keys that signed it.
    private let signers: [VerificationKey]

    /// Parses a token and verifies its signature.
    /// - Parameter keys: the provider's key set.
    /// - Throws: ``MobileError``.
    init(_ text: String, keys: JSONObject) throws(MobileError) {
        do {
            token = try JSONWebToken(parsing: text)
        } catch {
            throw MobileError(.signOnFailed, "The identity provider's ID token is malformed or uses an unsupported algorithm.")
        }
        guard let found = JSONWebKeySet(parsing: JSONValue.object(keys).serializedBytes())?.signers(of: token) else {
            throw Self.notSigned
        }
        signers = found
    }

    private static let notSigned = MobileError(.signOnFailed, "The ID token is not signed with a key of the identity provider.")

    /// Checks that no other sandbox with the same signing keys issued the token.
    /// - Throws: ``MobileError``, or an error of the storage.
    func checkSandbox(_ cloud: Cloud) async throws {
        guard try await !cloud.isOfUnnamedSandbox(token: token, signedBy: signers) else { throw Self.notSigned }
    }

    /// Returns the claims if the token belongs to this login.
    /// - Throws: ``MobileError``.
    func claims(by issuer: String, for clientID: String, nonce: String, clock: SandboxClock) throws(MobileError) -> JSONObject {
        let claims = token.claims
        guard claims["iss"]?.stringValue == issuer else { throw MobileError(.signOnFailed, "The ID token comes from another issuer.") }
        let audiences = claims["aud"]?.arrayValue ?? [claims["aud"] ?? .null]
        guard audiences.contains(.string(clientID)) else { throw MobileError(.signOnFailed, "The ID token is for another client.") }
        guard audiences.count == 1 || claims["azp"] != nil, claims["azp"] ?? .string(clientID) == .string(clientID) else {
            throw MobileError(.signOnFailed, "The ID token was issued to another client.")
        }
        guard let subject = claims["sub"]?.stringValue, !subject.isEmpty else {
            throw MobileError(.signOnFailed, "The ID token does not name a user.")
        }
        guard constantTimeEquals(claims["nonce"]?.stringValue ?? "", nonce) else {
            throw MobileError(.signOnFailed, "The ID token was issued for another login.")
        }
        guard let issued = Self.time(claims["iat"]), let expiry = Self.time(claims["exp"]) else {
            throw MobileError(.signOnFailed, "The ID token must have exp and iat.")
        }
        guard let notBefore = claims["nbf"] == nil ? issued : Self.time(claims["nbf"]) else {
            throw MobileError(.signOnFailed, "The ID token's nbf is not a time.")
        }
        for start in [issued, notBefore] {
            let tolerated = Timestamp(seconds: start.seconds - AssertionConsumer.skew)
            guard clock.hasExpired(tolerated, issuedAt: issued) else {
                throw MobileError(.signOnFailed, "The ID token is not valid yet.")
            }
        }
        guard !clock.hasExpired(expiry, issuedAt: issued) else { throw MobileError(.signOnFailed, "The ID token has expired.") }
        return claims
    }

    /// Returns a time in whole seconds, within the range of the calendar.
    private static func time(_ value: JSONValue?) -> Timestamp? {
        guard let seconds = value?.numberValue, (0...Double(1 << 40)).contains(seconds) else { return nil }
        return Timestamp(seconds: Int64(seconds))
    }
}
