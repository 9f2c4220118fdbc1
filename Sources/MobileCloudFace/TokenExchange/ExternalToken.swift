import Cloud
import Tokens
import WireFormats

/// A JWT of an issuer elsewhere, which nobody has verified yet. (RFC 7523 section 3.)
struct ExternalToken: Sendable {
    let token: JSONWebToken
    let issuer: String
    /// Seconds since 1970.
    private let expires: Int64
    private let issued: Int64?
    private let notBefore: Int64?

    var claims: JSONObject { token.claims }

    /// RSA and the curves of ECDSA, and nothing with a shared secret.
    private static let algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric.subtracting([.edDSA])
    /// Seconds that the clock of an issuer may be ahead of ours. A token is never taken after its end.
    private static let tolerance: Int64 = 10
    /// Beyond these no time can be counted with.
    private static let times: ClosedRange<Int64> = -1 << 40...1 << 40

    init(parsing text: String) throws(ExternalTokenError) {
        do {
            token = try JSONWebToken(parsing: text, accepting: Self.algorithms)
        } catch {
            if case .unsupportedAlgorithm(let name) = error {
                throw ExternalTokenError("The token is signed by \(name), which is not taken.")
            }
            if case .tooLong = error { throw ExternalTokenError("The token is longer than \(JSONWebToken.longest) bytes.") }
            throw ExternalTokenError("The token is not a JSON Web Token.")
        }
        guard let issuer = token.claims["iss"]?.stringValue, !issuer.isEmpty else {
            throw ExternalTokenError("The token does not name its issuer in iss.")
        }
        self.issuer = issuer
        guard let expires = try Self.time("exp", token.claims) else {
            throw ExternalTokenError("The token from issuer \(issuer) does not say in exp when it ends.")
        }
        self.expires = expires
        issued = try Self.time("iat", token.claims)
        notBefore = try Self.time("nbf", token.claims)
    }

    /// A time in seconds, of which a fraction is left out. (RFC 7519 section 2, NumericDate.)
    private static func time(_ name: String, _ claims: JSONObject) throws(ExternalTokenError) -> Int64? {
        guard let claim = claims[name] else { return nil }
        let seconds = claim.integerValue ?? claim.numberValue.flatMap { Int64(exactly: $0.rounded(.down)) }
        guard let seconds, times.contains(seconds) else { throw ExternalTokenError("The token's \(name) is not a time.") }
        return seconds
    }

    /// How much older than its own words the token is.
    private func aging(_ clock: SandboxClock) -> Int64 {
        (issued ?? notBefore).map { clock.aging(since: Timestamp(seconds: $0)) } ?? 0
    }

    /// Checks the token's times against the sandbox's clock; what was issued before an ageing has aged with it.
    func checkTimes(_ clock: SandboxClock) throws(ExternalTokenError) {
        guard lifetime(clock) > 0 else { throw .expired(issuer) }
        let latest = clock.now.seconds + Self.tolerance + aging(clock)
        if let notBefore, notBefore > latest { throw ExternalTokenError("The token from issuer \(issuer) does not count yet.") }
        if let issued, issued > latest { throw ExternalTokenError("The token from issuer \(issuer) was issued in the future.") }
    }

    /// Seconds that the token still lasts.
    func lifetime(_ clock: SandboxClock) -> Int64 { expires - aging(clock) - clock.now.seconds }

    /// Checks whom the token is for, where it says so.
    /// - Parameters:
    ///   - audiences: of which it must name one.
    ///   - isRequired: whether it must say so.
    ///   - isOwn: decides if there are none.
    func checkAudience(_ audiences: [String], isRequired: Bool, orElse isOwn: (String) -> Bool) throws(ExternalTokenError) {
        guard let claim = claims["aud"] else {
            if isRequired { throw ExternalTokenError("The token from issuer \(issuer) does not say whom it is for.") }
            return
        }
        let values = (claim.arrayValue ?? [claim]).compactMap(\.stringValue)
        guard values.contains(where: { audiences.isEmpty ? isOwn($0) : audiences.contains($0) }) else {
            throw ExternalTokenError("The token from issuer \(issuer) is for another audience: \(values.joined(separator: ", ")).")
        }
    }

    /// Bytes of a user's name, which our tokens repeat and must stay short with.
    static let longestName = 1024

    /// The user's name.
    /// - Parameter attribute: the claim that has it; `sub`, or else `prn`, where absent.
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
    /// Whether one of the keys made the signature.
    func isSigned(by keys: [VerificationKey]) -> Bool { keys.contains { (try? token.verify(with: $0)) != nil } }
}
