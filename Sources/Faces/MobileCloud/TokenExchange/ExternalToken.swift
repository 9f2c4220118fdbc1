import Cloud
import Federation
import Tokens
import WireFormats

/// An external issuer's JWT that is not verified yet. (RFC 7523 section 3.)
struct ExternalToken: Sendable {
    let token: JSONWebToken
    let issuer: String
    /// In seconds since 1970.
    private let expires: Int64
    private let issued: Int64?
    private let notBefore: Int64?

    var claims: JSONObject { token.claims }

    /// The accepted algorithms: RSA and ECDSA, none with a shared secret.
    private static let algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric.subtracting(SignatureAlgorithm.edwards)
    /// The number of seconds that an issuer's clock may be ahead. It does not extend the end of a token.
    private static let tolerance: Int64 = 10
    /// The accepted range of times, within which arithmetic cannot overflow.
    private static let times: ClosedRange<Int64> = -1 << 40...1 << 40

    init(parsing text: String) throws(ExternalTokenError) {
        do {
            token = try JSONWebToken(parsing: text, accepting: Self.algorithms)
        } catch {
            if case .unsupportedAlgorithm(let name) = error {
                throw ExternalTokenError("The token is signed with \(name), which is not accepted.")
            }
            if case .tooLong = error { throw ExternalTokenError("The token is longer than \(JSONWebToken.longest) bytes.") }
            throw ExternalTokenError("The token is not a JSON Web Token.")
        }
        guard let issuer = token.claims["iss"]?.stringValue, !issuer.isEmpty else {
            throw ExternalTokenError("The token does not name its issuer in iss.")
        }
        self.issuer = issuer
        guard let expires = try Self.time("exp", token.claims) else {
            throw ExternalTokenError("The token from issuer \(issuer) has no exp.")
        }
        self.expires = expires
        issued = try Self.time("iat", token.claims)
        notBefore = try Self.time("nbf", token.claims)
    }

    /// Returns a time in seconds, rounded down. (RFC 7519 section 2, NumericDate.)
    private static func time(_ name: String, _ claims: JSONObject) throws(ExternalTokenError) -> Int64? {
        guard let claim = claims[name] else { return nil }
        let seconds = claim.integerValue ?? claim.numberValue.flatMap { Int64(exactly: $0.rounded(.down)) }
        guard let seconds, times.contains(seconds) else { throw ExternalTokenError("The token's \(name) is not a time.") }
        return seconds
    }

    /// Returns the number of seconds by which aging has made the token older.
    private func aging(_ clock: SandboxClock) -> Int64 {
        (issued ?? notBefore).map { clock.aging(since: Timestamp(seconds: $0)) } ?? 0
    }

    /// Checks the token's times against the sandbox's clock. Aging applies to tokens that were issued before it.
    func checkTimes(_ clock: SandboxClock) throws(ExternalTokenError) {
        guard lifetime(clock) > 0 else { throw .expired(issuer) }
        let latest = clock.now.seconds + Self.tolerance + aging(clock)
        if let notBefore, notBefore > latest { throw ExternalTokenError("The token from issuer \(issuer) is not valid yet.") }
        if let issued, issued > latest { throw ExternalTokenError("The token from issuer \(issuer) was issued in the future.") }
    }

    /// Returns the remaining lifetime of the token in seconds.
    func lifetime(_ clock: SandboxClock) -> Int64 { expires - aging(clock) - clock.now.seconds }

    /// Checks the token's audience, if it has one.
    /// - Parameters:
    ///   - audiences: the accepted audiences, of which the token must name one.
    ///   - isRequired: whether the token must have an audience.
    ///   - isOwn: decides whether an audience is accepted if `audiences` is empty.
    func checkAudience(_ audiences: [String], isRequired: Bool, orElse isOwn: (String) -> Bool) throws(ExternalTokenError) {
        guard claims["aud"] != nil else {
            if isRequired { throw ExternalTokenError("The token from issuer \(issuer) has no aud.") }
            return
        }
        let values = claims.audiences
        guard values.contains(where: { audiences.isEmpty ? isOwn($0) : audiences.contains($0) }) else {
            throw ExternalTokenError("The token from issuer \(issuer) is for another audience: \(values.joined(separator: ", ")).")
        }
    }

    /// The longest user name in bytes. Our tokens contain the name and must stay short.
    static let longestName = 1024

    /// Returns the user's name.
    /// - Parameter attribute: the claim with the name; if it is `nil`, `sub` or else `prn`.
    func username(_ attribute: String?) throws(ExternalTokenError) -> String {
        let subject = claims["sub"].flatMap { $0 == .null ? nil : $0 } ?? claims["prn"]
        guard let name = (attribute.map { claims[$0] } ?? subject)?.stringValue, !name.isEmpty else {
            throw ExternalTokenError("The token from issuer \(issuer) does not name the user in \(attribute ?? "sub").")
        }
        guard name.utf8.count <= Self.longestName else { throw ExternalTokenError("The name of the user is too long.") }
        return name
    }
}

extension ExternalToken {
    /// Returns whether one of the keys verifies the signature. That of another sandbox with the same key does not count.
    func isSigned(by keys: [VerificationKey], in cloud: Cloud) async throws -> Bool {
        guard keys.contains(where: { (try? token.verify(with: $0)) != nil }) else { return false }
        return try await !cloud.isOfAnotherSandbox(token: token, signedByOneOf: keys)
    }
}
