import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// Whom a token of a registered issuer is about, once everything about the token has proved right.
struct ExternalIdentity {
    let issuer: SAMLTokenIssuer
    /// What the token calls the user.
    let name: String
    let roles: [String]
    /// Seconds that the token still lasts.
    let lifetime: Int64

    /// Reads an assertion. (SAML 2.0 Core, section 2.5; Profiles, section 4.1.4.)
    ///
    /// The address that the response was sent to is not compared: where an app takes it out of its browser, there is no such place.
    /// - Throws: ``ExternalTokenError``, or an error of the keys of a provider of ours.
    init(assertion document: [UInt8], issuers: RegisteredIssuers) async throws {
        let assertion: SAMLAssertion
        do {
            let presented = try PresentedAssertion(parsing: document)
            issuer = try issuers.issuer(presented.claimedIssuer)
            assertion = try presented.verify(with: try await issuers.keys(of: issuer, token: presented.claimedIssuer))
        } catch let error as SAMLResponseError {
            throw ExternalTokenError(error.explanation)
        }
        let call = issuers.call
        lifetime = try assertion.checkTimes(call.cloud.clock)
        let address = EnvironmentAddress(call: call.http)
        let audiences = assertion.conditions?.audiences ?? []
        let isForUs = audiences.allSatisfy { $0.contains { address.isMeant(by: $0, paths: EnvironmentAddress.ofAssertionExchange) } }
        guard !audiences.isEmpty, isForUs else {
            let named = audiences.joined().joined(separator: ", ")
            throw ExternalTokenError("The assertion of issuer \(assertion.issuer) is for another audience: \(named).")
        }
        let names = issuer.userAttribute.map(assertion.values) ?? [assertion.nameID?.value].compactMap(\.self)
        guard names.count == 1, !names[0].isEmpty else {
            let place = issuer.userAttribute.map { "the attribute \($0)" } ?? "its subject"
            throw ExternalTokenError("The assertion of issuer \(assertion.issuer) must name one user in \(place).")
        }
        guard names[0].utf8.count <= ExternalToken.longestName else { throw ExternalTokenError("The name of the user is too long.") }
        name = names[0]
        roles = RoleRules(issuer).roles(ofAttributes: assertion.values, known: call.mobile.environment.roles)
    }

    /// Reads a JWT.
    /// - Throws: ``ExternalTokenError``, or an error of the keys of a provider of ours.
    init(jwt text: String, issuers: RegisteredIssuers) async throws {
        let token = try ExternalToken(parsing: text)
        let call = issuers.call
        issuer = try issuers.issuer(token.issuer)
        guard token.isSigned(by: try await issuers.keys(of: issuer, token: token.issuer)) else {
            throw ExternalTokenError("The signature of the token from issuer \(token.issuer) is wrong.")
        }
        try token.checkTimes(call.cloud.clock)
        let address = EnvironmentAddress(call: call.http)
        try token.checkAudience([], isRequired: call.mobile.environment.policies.requiresTokenAudience) {
            address.isMeant(by: $0, paths: EnvironmentAddress.ofAssertionExchange.union(EnvironmentAddress.ofJWTExchange))
        }
        name = try token.username(issuer.userAttribute)
        roles = RoleRules(issuer).roles(
            ofAttributes: { RoleRules.texts(token.claims[$0]) }, known: call.mobile.environment.roles)
        lifetime = token.lifetime(call.cloud.clock)
    }
}

extension SAMLAssertion {
    /// Seconds that the clock of an issuer may be ahead of ours. An assertion is never taken after its end.
    private static let tolerance = Duration.seconds(10)

    /// Checks the assertion's times against the sandbox's clock; what was issued before an ageing has aged with it.
    /// - Returns: seconds that the assertion still lasts.
    fileprivate func checkTimes(_ clock: SandboxClock) throws(ExternalTokenError) -> Int64 {
        let bearers = confirmations.filter { $0.method == SAML.bearer }
        guard let end = bearers.compactMap(\.notOnOrAfter).max() else {
            throw ExternalTokenError("The assertion of issuer \(issuer) does not confirm its bearer until some time.")
        }
        let ends = [end, conditions?.notOnOrAfter].compactMap(\.self)
        guard !ends.contains(where: { clock.hasExpired($0, issuedAt: issued) }), let earliest = ends.min() else {
            throw .expired(issuer)
        }
        let starts = [issued, conditions?.notBefore].compactMap(\.self)
        let aging = Duration.seconds(clock.aging(since: issued))
        guard !starts.contains(where: { $0 - aging > clock.now + Self.tolerance }) else {
            throw ExternalTokenError("The assertion of issuer \(issuer) does not count yet.")
        }
        return (earliest - aging - clock.now).components.seconds
    }
}

extension SAMLResponseError {
    fileprivate var explanation: String {
        switch self {
        case .notXML: "The compressed document is not XML that is accepted."
        case .malformed(let text): text
        case .unsuccessful(let status): "The issuer did not authenticate a user: \(status)."
        case .foreignIssuer: "The assertion is of another issuer than it says."
        case .notEncrypted, .undecryptable: "The assertion cannot be decrypted."
        case .notSigned(.unsigned): "The assertion is not signed."
        case .notSigned(.forbiddenAlgorithm(let name)): "The assertion is signed by \(name), which is not taken."
        case .notSigned(.wrongSignature): "No certificate of the issuer belongs to the key that signed the assertion."
        case .notSigned: "The assertion is not what was signed."
        }
    }
}
