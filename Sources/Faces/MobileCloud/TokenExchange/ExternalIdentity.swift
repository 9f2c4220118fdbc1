import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// The user of a registered issuer's token, after the token was verified.
struct ExternalIdentity {
    let issuer: SAMLTokenIssuer
    /// The user's name in the token.
    let name: String
    let roles: [String]
    /// The remaining lifetime of the token in seconds.
    let lifetime: Int64

    /// Verifies an assertion. (SAML 2.0 Core, section 2.5; Profiles, section 4.1.4.)
    ///
    /// `Recipient` is not compared: an app that takes the response out of its browser has no such address.
    /// - Throws: ``ExternalTokenError``, or an error of reading the keys of our own provider.
    init(assertion document: [UInt8], issuers: RegisteredIssuers) async throws {
        let assertion: SAMLAssertion
        do {
            let presented = try PresentedAssertion(parsing: document)
            issuer = try issuers.issuer(presented.claimedIssuer)
            let keys = try await issuers.keys(of: issuer, token: presented.claimedIssuer)
            assertion = try presented.verify(with: keys)
            guard try await !issuers.call.cloud.isOfAnotherSandbox(assertion: assertion.id, signedByOneOf: keys) else {
                throw SAMLResponseError.notSigned(.wrongSignature)
            }
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

    /// Verifies a JWT.
    /// - Throws: ``ExternalTokenError``, or an error of reading the keys of our own provider.
    init(jwt text: String, issuers: RegisteredIssuers) async throws {
        let token = try ExternalToken(parsing: text)
        let call = issuers.call
        issuer = try issuers.issuer(token.issuer)
        guard try await token.isSigned(by: issuers.keys(of: issuer, token: token.issuer), in: call.cloud) else {
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
    /// The number of seconds that an issuer's clock may be ahead. It does not extend the end of an assertion.
    private static let tolerance = Duration.seconds(10)

    /// Checks the assertion's times against the sandbox's clock. Aging applies to assertions that were issued before it.
    /// - Returns: the remaining lifetime of the assertion in seconds.
    fileprivate func checkTimes(_ clock: SandboxClock) throws(ExternalTokenError) -> Int64 {
        let bearers = confirmations.filter { $0.method == SAML.bearer }
        guard let end = bearers.compactMap(\.notOnOrAfter).max() else {
            throw ExternalTokenError("The assertion of issuer \(issuer) has no bearer confirmation with NotOnOrAfter.")
        }
        let ends = [end, conditions?.notOnOrAfter].compactMap(\.self)
        guard !ends.contains(where: { clock.hasExpired($0, issuedAt: issued) }), let earliest = ends.min() else {
            throw .expired(issuer)
        }
        let starts = [issued, conditions?.notBefore].compactMap(\.self)
        let aging = Duration.seconds(clock.aging(since: issued))
        guard !starts.contains(where: { $0 - aging > clock.now + Self.tolerance }) else {
            throw ExternalTokenError("The assertion of issuer \(issuer) is not valid yet.")
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
        case .foreignIssuer: "The assertion does not come from the issuer that it names."
        case .notEncrypted, .undecryptable: "The assertion cannot be decrypted."
        case .notSigned(.unsigned): "The assertion is not signed."
        case .notSigned(.forbiddenAlgorithm(let name)): "The assertion is signed with \(name), which is not accepted."
        case .notSigned(.wrongSignature): "No certificate of the issuer belongs to the key that signed the assertion."
        case .notSigned: "The signature does not cover the assertion."
        }
    }
}
