import Cloud
import WireFormats

/// The claims of an ID token that AWS reads, checked for presence and type.
/// (STS API Reference, "AssumeRoleWithWebIdentity"; OpenID Connect Core 1.0 section 2.)
struct TokenClaims {
    var issuer: String
    var subject: String
    /// The audiences; at least one.
    var audiences: [String]
    var authorizedParty: String?
    /// The claim `iat`, in seconds.
    var issuedAt: Int64
    var expiry: Int64
    var notBefore: Int64?

    init(_ claims: JSONObject) throws(WebIdentityError) {
        func required(_ name: String) throws(WebIdentityError) -> JSONValue {
            guard let value = claims[name] else { throw .missingClaim(name) }
            return value
        }
        // A missing claim is reported before one of the wrong type.
        let (issuer, subject, audience) = (try required("iss"), try required("sub"), try required("aud"))
        let (issuedAt, expiry) = (try required("iat"), try required("exp"))
        guard let text = issuer.stringValue else { throw .malformedClaim("iss") }
        self.issuer = text
        switch subject {
        case .string(let subject): self.subject = subject
        case .integer(let subject): self.subject = String(subject)
        default: throw .malformedClaim("sub")
        }
        guard !self.subject.isEmpty else { throw .emptyClaim("sub") }
        // Responses contain the subject, and XML does not allow every character.
        guard self.subject.isXMLText else { throw .malformedClaim("sub") }
        switch audience {
        case .string(let audience): audiences = [audience]
        case .array(let values):
            audiences = values.compactMap(\.stringValue)
            guard audiences.count == values.count else { throw .malformedClaim("aud") }
        default: throw .malformedClaim("aud")
        }
        guard !audiences.isEmpty else { throw .emptyClaim("aud") }
        if let party = claims["azp"] {
            guard let text = party.stringValue else { throw .malformedClaim("azp") }
            authorizedParty = text
        }
        self.issuedAt = try Self.seconds(issuedAt)
        self.expiry = try Self.seconds(expiry)
        if let beginning = claims["nbf"] { notBefore = try Self.seconds(beginning) }
    }

    /// Returns an integer number of seconds. The real service accepts it as a string too, but never a fraction.
    private static func seconds(_ value: JSONValue) throws(WebIdentityError) -> Int64 {
        switch value {
        case .integer(let seconds): return seconds
        case .string(let text):
            guard let seconds = Int64(decimal: text) else { throw .malformedTimestamp }
            return seconds
        default: throw .malformedTimestamp
        }
    }

    /// Checks the token's times against the sandbox's clock. A token issued before an aging has aged with it.
    func checkTimes(_ clock: SandboxClock) throws(WebIdentityError) {
        let now = clock.now.seconds
        let tolerance = WebIdentityVerifier.tolerance
        guard (-1 << 40...1 << 40).contains(issuedAt), (-1 << 40...1 << 40).contains(expiry) else { throw .malformedTimestamp }
        let aging = clock.aging(since: Timestamp(seconds: issuedAt))
        if issuedAt - aging > now + tolerance { throw .issuedInTheFuture(issuedAt) }
        if let notBefore {
            guard (-1 << 40...1 << 40).contains(notBefore) else { throw .malformedTimestamp }
            if notBefore - aging > now + tolerance { throw .notYetValid(now: now + tolerance, notBefore: notBefore) }
        }
        if now - tolerance >= expiry - aging { throw .expired(now: now - tolerance, expiry: expiry - aging) }
    }
}
